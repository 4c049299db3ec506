"""`python run.py`: OpenCompass's flow (partition, run, summarize) without its import time."""

from __future__ import annotations

import logging
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from cibench_eval.files import write_whole
from cibench_eval.opencompass import arguments
from cibench_eval.schema import CibenchError
from cibench_eval.terminal import accept_any_text, log_to_stderr, say

logger = logging.getLogger(__name__)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line.

    Returns:
        0 if everything that it asked for was done, 1 if a task failed, 2 if it is wrong, 130 if it was interrupted.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    if arguments.delegated(words):
        return _opencompass(words)
    args = arguments.parser().parse_args(words)
    accept_any_text()
    _set_up_logging(args.debug)
    try:
        return _run(args, words)
    except CibenchError as error:
        say('\n'.join(f'error: {line}' for line in str(error).splitlines()), error=True)
        return 2
    except OSError as error:
        say(f'error: {error.filename or "run.py"}: {error.strerror or error}', error=True)
        return 2
    except KeyboardInterrupt:
        print('interrupted before anything was run', file=sys.stderr)
        return 130


def _opencompass(words: list[str]) -> int:
    """OpenCompass's own program, for the flags that only it has."""
    from opencompass.cli.main import main as opencompass_main

    sys.argv = [sys.argv[0], *words]
    opencompass_main()
    return 0


def _set_up_logging(debug: bool) -> None:
    log_to_stderr('%(asctime)s %(message)s', logging.DEBUG if debug else logging.WARNING, '%H:%M:%S')
    logging.getLogger('cibench_eval').setLevel(logging.DEBUG if debug else logging.INFO)


def _run(args: Namespace, words: list[str]) -> int:
    from cibench_eval.opencompass import reuse, stages
    from cibench_eval.opencompass.summarizer import lost_sessions

    stamp = datetime.now().strftime('%Y%m%d_%H%M%S')
    cfg = prepared(args, stamp)
    if args.dry_run:
        stages.print_tasks(cfg)
        return 0
    cfg = written(cfg, stamp)
    again = reuse.command(words, args.reuse, Path(cfg['work_dir']).name)
    try:
        failed = _stages(cfg, args, stamp)
    except KeyboardInterrupt:
        print(f'interrupted; what is done is in {cfg["work_dir"]}; go on with: {again}', file=sys.stderr)
        return 130
    lost = [] if failed or args.mode == 'infer' or args.detach else lost_sessions(cfg)
    if not failed and not lost:
        return 0
    stages.report(failed, lost, again)
    return 0 if args.allow_harness_errors and _every_result(cfg) else 1


def prepared(args: Namespace, stamp: str, change: Callable[[Any], None] = lambda cfg: None) -> Any:
    """The config of a command line, with the folder of its run, when nothing stands against running it.

    Args:
        args: of `arguments.parser()`.
        stamp: name of a new run's folder.
        change: sets what no flag of `run.py` says.

    Raises:
        CibenchError: something is wrong with it, or missing here; nothing has been written.
    """
    from cibench_eval.opencompass import reuse
    from cibench_eval.opencompass.preflight import preflight

    cfg = _config(args, stamp, change)
    preflight(cfg, runs_sessions=args.mode in ('all', 'infer'))
    if args.reuse and args.mode in ('all', 'infer') and not args.force:
        reuse.refuse_changes(cfg)
    return cfg


def _config(args: Namespace, stamp: str, change: Callable[[Any], None]) -> Any:
    from cibench_eval.opencompass import assembly, on_cluster, reuse

    cfg = assembly.load(args)
    change(cfg)
    if args.max_sessions:
        for pair in [cfg, *cfg.get('model_dataset_combinations', [])]:
            for dataset in pair['datasets']:
                dataset['infer_cfg']['inferencer']['max_sessions'] = args.max_sessions
    if args.config_verbose:
        print(cfg.pretty_text)
    on_cluster.apply(args, cfg)
    base = Path(args.work_dir or cfg.get('work_dir', 'outputs/default'))
    cfg['work_dir'] = str(base / reuse.run_name(base, args, cfg, stamp))
    if args.epochs or 'epochs' not in cfg:
        cfg['epochs'] = args.epochs or reuse.epochs_before(Path(cfg['work_dir']))
    return cfg


def written(cfg: Any, stamp: str) -> Any:
    """Write the whole config into the run's folder, as data and in Python, and use what was written."""
    from mmengine.config import Config

    from cibench_eval.opencompass import recorded

    folder = Path(cfg['work_dir'], 'configs')
    path = folder / f'{stamp}_{os.getpid()}.json'
    try:
        data = recorded.write(cfg.to_dict(), path)
        write_whole(path.with_suffix('.py'), cfg.pretty_text)  # for people, and for OpenCompass's own program
    except OSError as error:
        raise CibenchError(f'{folder}: cannot be written ({error.strerror}); name another folder with -w') from error
    print(f'run folder: {cfg["work_dir"]}', flush=True)
    return Config(data, format_python_code=False)


def _stages(cfg: Any, args: Namespace, stamp: str) -> dict[str, str]:
    """Run what the command line asks for, and show the table; why those tasks failed that did."""
    from cibench_eval.opencompass.build import build
    from cibench_eval.opencompass.stages import STAGES, run_stage

    failed: dict[str, str] = {}
    for stage in STAGES:
        if args.mode in ('all', stage):
            failed |= run_stage(stage, cfg, args)
        if args.detach:
            return failed
    if args.mode in ('all', 'eval', 'viz'):
        build({**cfg['summarizer'], 'config': cfg}, 'summarizer').summarize(time_str=stamp)
    return failed


def _every_result(cfg: Any) -> bool:
    """Whether there are figures for every model and dataset, if only of the sessions that did not fail."""
    from cibench_eval.opencompass.summarizer import CIBenchSummarizer

    return all(result.results for result in CIBenchSummarizer(cfg).results())
