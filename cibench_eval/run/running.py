"""A command line -> a run: its config is read, checked and written down, its stages are run, its table is shown."""

import os
import shlex
import shutil
import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cibench_eval.config import defaults, job_flags
from cibench_eval.config.assembly import assembled
from cibench_eval.config.language import as_python
from cibench_eval.config.recorded import as_data, write
from cibench_eval.config.session_tasks import Run, run_of
from cibench_eval.files import write_whole
from cibench_eval.reports.rows import DatasetResult
from cibench_eval.run import reuse, stages
from cibench_eval.run.preflight import preflight, rehearse
from cibench_eval.run.run_tasks import InferTask
from cibench_eval.run.stages import Causes
from cibench_eval.run.summarizer import lost_sessions, print_summary, run_results, unheard_models
from cibench_eval.run_paths import CONFIGS, new_stamp
from cibench_eval.schema import CibenchError, unicode_text
from cibench_eval.terminal import ended_as_by_ctrl_c, say

TABLES = 'the tables'
"""What takes the place of a task's name where the tables could not be printed or written."""


def run(args: Namespace, words: list[str], again: str = '') -> int:
    """Do what a command line asks for: `args` of `arguments.parser()`, made of `words`; `again` is as in `main`.

    Returns:
        0, 1 or 130, as `main` says.

    Raises:
        CibenchError: something is wrong with it, or missing here.
    """
    stamp = new_stamp()
    whole = prepared(args, stamp)
    if args.dry_run:
        stages.print_tasks(whole)
        return 0
    begin(whole, stamp)
    name, shown, given = whole.folder.name, shlex.quote(str(whole.folder)), again
    again = given or reuse.command(words, args, name)
    try:
        with ended_as_by_ctrl_c():
            failed, results = _stages(whole, args, stamp)
    except KeyboardInterrupt:
        print(f'interrupted; what is done is in {whole.folder}; go on with: {again}', file=sys.stderr)
        return 130
    except CibenchError:
        if not args.reuse:
            _remove_if_nothing_was_run(whole.folder)
        raise
    if any(one.results for one in results):
        print(f'look at it: cibench view {shown}, or cibench show {shown} --failed')
    if args.mode == 'infer' and not failed and not args.detach:
        print(f'score it: {f"cibench score {shown}" if given else reuse.command(words, args, name, "eval")}')
    lost = [] if failed else lost_sessions(results)
    unheard = unheard_models(results)
    for line in unheard:
        say(line, error=True)
    if not failed and not lost:
        return int(bool(unheard) or (args.mode == 'viz' and not any(one.results for one in results)))
    if args.mode in ('eval', 'viz') and not given and InferTask(whole.tasks).missing():
        again = reuse.command(words, args, name, 'all')  # scoring alone runs no session
    stages.report(failed, lost, again)
    # Figures for every model and dataset may be all that is asked for, if only of the sessions that did not fail.
    figures = args.allow_harness_errors and TABLES not in failed and all(one.results for one in run_results(whole))
    return 0 if figures and not unheard else 1


def _remove_if_nothing_was_run(folder: Path) -> None:
    """So that no empty run is the latest one."""
    if not any(path.is_file() for kind in ('predictions', 'logs') for path in (folder / kind).rglob('*')):
        shutil.rmtree(folder)
        print(f'nothing was run, so {folder} is removed', file=sys.stderr)


def prepared(args: Namespace, stamp: str, change: Callable[[dict[str, Any]], None] = lambda cfg: None) -> Run:
    """The run of a command line, after all checks.

    Args:
        args: of `arguments.parser()`.
        stamp: name of a new run's folder.
        change: sets in the config what no flag of `run.py` says.

    Raises:
        CibenchError: something is wrong with it, or missing here; nothing has been written.
    """
    if args.force and not args.reuse:
        raise CibenchError('--force: keeps sessions of an earlier run; say which with -r')
    run = run_of(_config(args, stamp, change))
    _check_writable(run.folder)
    runs_sessions = args.mode in ('all', 'infer')
    preflight(run, runs_sessions=runs_sessions)
    if args.dry_run and runs_sessions:
        rehearse(run)
    if args.reuse and not args.force:
        reuse.refuse_changes(run, limited=bool(args.limit), runs_sessions=runs_sessions)
    return run


def _check_writable(folder: Path) -> None:
    """Raise a `CibenchError` where a run's folder cannot be made."""
    there = next(one for one in (folder, *folder.parents) if one.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        why = 'cannot be written to' if there.is_dir() else 'is no folder'
        raise CibenchError(f'{there}: {why}, and the run is to be kept in it{_elsewhere(folder)}')
    if (name := str(folder.absolute())) != unicode_text(name):
        raise CibenchError(f'{folder}: its path is no UTF-8, as the files of a run are; name another folder with -w')


def _elsewhere(folder: Path) -> str:
    """How a run is kept in another place; empty for one that has begun in this one."""
    return '' if folder.exists() else '; name another folder with -w'


def _config(args: Namespace, stamp: str, change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """The config of a command line, with the folder of its run, as the run folder will hold it."""
    cfg = as_data(assembled(args))
    change(cfg)
    if args.max_sessions:
        for pair in [cfg, *(cfg.get('model_dataset_combinations') or [])]:
            for dataset in pair['datasets']:
                dataset['infer_cfg']['inferencer']['max_sessions'] = args.max_sessions
    if args.config_verbose:
        print(as_python(cfg))
    job_flags.apply(args, cfg)
    base = Path(args.work_dir or cfg.get('work_dir', defaults.WORK_DIR)).expanduser()
    cfg['work_dir'] = str(base / reuse.run_name(base, args, cfg, stamp))
    if args.epochs or 'epochs' not in cfg:
        cfg['epochs'] = args.epochs or reuse.epochs_before(Path(cfg['work_dir']))
    return cfg


def begin(run: Run, stamp: str) -> None:
    """Write the whole config into the run's folder: as data, and in Python for people and OpenCompass's own program."""
    folder = run.folder / CONFIGS
    mend = _elsewhere(run.folder)
    path = folder / f'{stamp}_{os.getpid()}.json'
    try:
        write(run.config, path)
        write_whole(path.with_suffix('.py'), as_python(run.config))
    except OSError as error:
        raise CibenchError(f'{folder}: cannot be written ({error.strerror}){mend}') from error
    print(f'run folder: {run.folder}', flush=True)


def _stages(run: Run, args: Namespace, stamp: str) -> tuple[Causes, list[DatasetResult]]:
    """Run a command line's stages, and show the table of what there is; return why tasks failed, and its results."""
    failed: Causes = {}
    for name, do in stages.STAGES.items():
        if args.mode in ('all', name):
            failed |= do(run, args)
        if args.detach:
            return failed, []
    nothing = failed and not any(one.results for one in run_results(run))
    if args.mode == 'infer' or nothing:
        return failed, []
    try:
        return failed, print_summary(run, stamp)
    except BrokenPipeError:
        raise
    except OSError as error:
        place = error.filename or 'standard output'
        return failed | {TABLES: CibenchError(f'{place}: {error.strerror or error}')}, run_results(run)
