"""`python run.py` and `cibench run`: OpenCompass's flow (partition, run, summarize) without its import time."""

import importlib.util
import logging
import os
import sys
from collections.abc import Sequence

from cibench_eval.cluster.gpus import visible_gpus
from cibench_eval.config.config_files import folder
from cibench_eval.run import arguments
from cibench_eval.schema import CibenchError
from cibench_eval.terminal import accept_any_text, log_to_stderr, say

WRONG_LINES = 'You must specify', 'The provided pattern'
"""How OpenCompass begins to say that a line lacks a model or dataset, or names one that it does not find."""


def main(argv: Sequence[str] | None = None, program: str = '', again: str = '') -> int:
    """Run a command line.

    Args:
        program: how it is called; by default with the script of this process.
        again: how to go on with a run that is not whole; by default with the same words and -r.

    Returns:
        0 if everything that it asked for was done, 1 if a task failed (unless `--allow-harness-errors` allows it), no
        request of a model fitted into its window or a table has no score, 2 if it is wrong, 130 if it was interrupted.

    Raises:
        KeyboardInterrupt: it was interrupted before anything was run.
    """
    words, program = list(sys.argv[1:] if argv is None else argv), program or f'python {sys.argv[0]}'
    if arguments.delegated(words):
        return _opencompass(words, program)
    args = arguments.parser(program).parse_args(words)
    accept_any_text()
    log_to_stderr('%(asctime)s %(message)s', logging.DEBUG if args.debug else logging.WARNING, '%H:%M:%S')
    logging.getLogger('cibench_eval').setLevel(logging.DEBUG if args.debug else logging.INFO)
    try:
        from cibench_eval.run.running import run  # so that --help need not wait for it

        return run(args, words, again)
    except CibenchError as error:
        say('\n'.join(f'error: {line}' for line in str(error).splitlines()), error=True)
        return 2
    except BrokenPipeError:  # who read it has gone, as `head` goes
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        say(f'error: {error.filename or program}: {error.strerror or error}', error=True)
        return 2


def _opencompass(words: list[str], program: str) -> int:
    """OpenCompass's own program, for the flags that only it has."""
    flags = arguments.delegated(words)
    if importlib.util.find_spec('opencompass') is None:
        mend = 'it comes with cibench-eval: pip install PATH_OF_ITS_CLONE'
        say(f'error: {program}: {", ".join(flags)}: only OpenCompass knows what to do; {mend}', error=True)
        return 2
    say(f'{", ".join(flags)}: of OpenCompass alone; its own program goes on from here', error=True)
    named = {word.partition('=')[0] for word in words}
    if '--hf-path' in named and '--hf-num-gpus' not in named and not visible_gpus():
        say('--hf-path: it wants a GPU, and none is seen here; --hf-num-gpus 0 takes the processor', error=True)
    try:
        there = [] if '--config-dir' in named else ['--config-dir', str(folder())]
        importlib.import_module('cibench_eval.opencompass.program').main([*words, *there])
    except ValueError as error:
        if not str(error).startswith(WRONG_LINES):
            raise
        say(f'error: {program}: {error}', error=True)
        return 2
    return 0
