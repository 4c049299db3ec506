"""OpenCompass's command line. What only its own program can do is named in DELEGATED and left to it."""

import argparse
import difflib
import functools
import math
from typing import Any, NoReturn

from cibench_eval.config import config_files, defaults

DELEGATED = (
    *('--dlc', '--aliyun-cfg', '-l', '--lark', '-a', '--accelerator', '-sp', '--station-path'),
    *('--station-overwrite', '--read-from-station', '--dataset-num-runs', '--dump-only-message-path'),
    *('--dump-res-length', '--analysis-repeat', '--dump-extract-rate', '--hf-type', '--hf-path', '--model-kwargs'),
    *('--tokenizer-path', '--tokenizer-kwargs', '--peft-path', '--peft-kwargs', '--generation-kwargs'),
    *('--max-seq-len', '--max-out-len', '--min-out-len', '--batch-size', '--num-gpus', '--hf-num-gpus'),
    *('--pad-token-id', '--stop-words', '--custom-dataset-path', '--custom-dataset-meta-path'),
    *('--custom-dataset-data-type', '--custom-dataset-infer-method'),
)
"""Flags of OpenCompass whose work is done by OpenCompass's own main program."""


def delegated(arguments: list[str]) -> list[str]:
    """The flags among `arguments` that only OpenCompass's own program knows."""
    return [word for word in arguments if word.split('=')[0] in DELEGATED]


def _whole(text: str, least: int = 1, most: float = math.inf) -> int:
    if not text.lstrip('-').isdecimal():
        raise argparse.ArgumentTypeError(f'{text!r} is no whole number')
    if int(text) < least:
        raise argparse.ArgumentTypeError(f'{text} is less than {least}')
    if int(text) > most:
        raise argparse.ArgumentTypeError(f'{text} is more than {most}')
    return int(text)


def _name(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError('it is empty; is a variable of the shell not set?')
    return text


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one line; argparse's own has all flags before it."""
        start, _, words = message.partition(': ')
        if start == 'unrecognized arguments':
            message = self._unknown(words.split()[0])
        self.exit(2, f'error: {message}; see {self.prog} --help\n')

    def _unknown(self, word: str) -> str:
        if not word.startswith('-'):
            return f'{word}: a second config; run one after the other'
        flag = word.partition('=')[0]
        near = difflib.get_close_matches(flag, self._option_string_actions, n=1)
        return f'{flag}: no such flag' + (f'; did you mean {near[0]}?' if near else '')


def parser(program: str = 'python run.py') -> argparse.ArgumentParser:
    """The parser of `run.py` and of `cibench run`; bad arguments end the program with exit code 2."""
    made = _Parser(
        prog=program,
        allow_abbrev=False,
        formatter_class=functools.partial(argparse.HelpFormatter, width=80),
        description='Evaluate models on code interpreter benchmarks.',
        epilog='Further flags of OpenCompass (--dlc, --hf-path, -a, …) are passed on to its own program.',
    )
    made.set_defaults(program=program)
    _add_axes(made)
    _add_course(made)
    _add_jobs(made)
    return made


def _add_axes(made: argparse.ArgumentParser) -> None:
    """Flags that say what is run."""
    add = made.add_argument
    names: dict[str, Any] = {'nargs': '+', 'default': [], 'metavar': 'NAME'}
    add('config', nargs='?', help='a config file: configs/eval_*.py, or its name')
    add('--models', help='files in configs/models, or paths', **names)
    add(
        '--datasets',
        help='files in configs/datasets; FILE/LIBRARY and FILE/LIBRARY/EXPERIMENT are parts of one',
        **names,
    )
    add('--agents', help=f'files in configs/agents (default: {defaults.AGENT})', **names)
    add('--summarizer', metavar='NAME', help=f'a file in configs/summarizers (default: {defaults.SUMMARIZER})')
    add('--runtime', metavar='NAME', help=f'a file in configs/runtimes (default: {defaults.RUNTIME})')
    add('--config-dir', default=str(config_files.folder()), help='where those folders are (default: %(default)s)')


def _add_course(made: argparse.ArgumentParser) -> None:
    """Flags that say how much is run, and where."""
    add, epochs = made.add_argument, functools.partial(_whole, most=defaults.MOST_EPOCHS)
    add(
        *('-m', '--mode'),
        choices=['all', 'infer', 'eval', 'viz'],
        default='all',
        help='run sessions (infer), score them (eval), show the table (viz), or all three',
    )
    add(
        *('-r', '--reuse'),
        nargs='?',
        const='latest',
        metavar='TIMESTAMP',
        help='go on with an earlier run of this work dir, by default the latest of these models, datasets and agents',
    )
    add('--limit', type=_whole, metavar='N', help='only the first N experiments of each dataset')
    add('--max-sessions', type=_whole, metavar='N', help='sessions at the same time (default: by cores and memory)')
    add('--epochs', type=epochs, metavar='K', help="runs of each session (default: the config's `epochs`, else 1)")
    add('--force', action='store_true', help='with -r: keep sessions that were run with another config')
    add(
        '--allow-harness-errors',
        action='store_true',
        help='exit with 0 although sessions have failed by a fault of the harness, if all else has figures',
    )
    add('-w', '--work-dir', type=_name, help=f'folder of all runs (default: {defaults.WORK_DIR})')
    add('--debug', action='store_true', help='log what libraries log, too')
    add('--dry-run', action='store_true', help='check everything, name the tasks, run none')
    add('--config-verbose', action='store_true', help='print the whole config')


def _add_jobs(made: argparse.ArgumentParser) -> None:
    """Flags for OpenCompass's runners, and for cutting a run into tasks."""
    add, tries = made.add_argument, functools.partial(_whole, least=0)
    add('--max-tasks', type=_whole, metavar='N', help='cut the sessions into N tasks at most')
    add('--target-minutes', type=_whole, metavar='M', help='cut the sessions into tasks of about M minutes')
    jobs = 'jobs at the same time (Slurm: 32; GPUs of this machine: all)'
    add('--max-num-workers', type=_whole, metavar='N', help=jobs)
    add('--max-workers-per-gpu', type=_whole, default=1, help='accepted; one model uses a GPU')
    add('--retry', type=tries, metavar='N', help='how often a killed job is queued again (Slurm; default: 2)')
    add('--dump-eval-details', nargs='?', const=True, help='accepted; details are always written')
    slurm = made.add_argument_group('slurm')
    slurm.add_argument('--slurm', action='store_true', help='run the sessions as jobs of Slurm')
    slurm.add_argument('-p', '--partition', help='Slurm partition')
    slurm.add_argument('-q', '--quotatype', help='quota type, where the site has such')
    slurm.add_argument('--qos', help='Slurm quality of service')
    slurm.add_argument('--detach', action='store_true', help='leave when the jobs are handed over; -r goes on')
