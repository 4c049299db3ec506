"""`-r`: which run is gone on with, by which command, and whether it may be."""

import logging
import shlex
from argparse import Namespace
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from cibench_eval.agents.identity import changes
from cibench_eval.config.recorded import last_written, read_written, written
from cibench_eval.config.session_tasks import Run, SessionTask, run_of
from cibench_eval.run_paths import CONFIGS, FORM, STAMP
from cibench_eval.schema import CibenchError

logger = logging.getLogger(__name__)
REUSE = ('-r', '--reuse')
MODE = ('-m', '--mode')
JOINED = ('-m', '--mode=')
"""How a word begins that has the flag of the mode and its value."""


def run_name(base: Path, args: Namespace, cfg: Any, stamp: str) -> str:
    """The name of the run's folder: a new one, or the name of the run to go on with."""
    runs = sorted(path.name for path in base.glob('*') if STAMP.fullmatch(path.name))
    if args.reuse and (path := Path(args.reuse)).name != args.reuse:
        place = path if path.name else path.absolute()  # `.`
        raise CibenchError(f'-r {path}: takes the name of a run; give -w {place.parent} -r {place.name}')
    if args.reuse and args.reuse != 'latest' and args.reuse not in runs:
        raise CibenchError(f'-r {args.reuse}: no such run in {base}; there is {", ".join(runs[-3:]) or "none"}')
    if args.reuse and runs:
        return _latest(base, runs, cfg) if args.reuse == 'latest' else str(args.reuse)
    if args.reuse:
        logger.warning('-r: %s has no earlier run; starting a new one', base)
    elif args.mode in ('eval', 'viz'):
        raise CibenchError(f'-m {args.mode}: say which run with -r (the latest) or -r TIMESTAMP')
    while (base / stamp).exists():  # a short run began in this very second
        stamp = (datetime.strptime(stamp, FORM) + timedelta(seconds=1)).strftime(FORM)
    return stamp


def _latest(base: Path, runs: list[str], cfg: Any) -> str:
    """The newest run with the models, datasets, agents and experiments of `cfg`.

    If there is none, it is the newest with the same models, datasets and agents, or else with some of them.

    Raises:
        CibenchError: there is none; which of the others is meant, or whether a new one is, only the user knows.
    """
    wanted, same, some = run_of({'work_dir': base, **cfg}), '', ''
    for name in reversed(runs):
        for run in _started(base / name):
            if run.keys == wanted.keys and _chosen(run) == _chosen(wanted):
                return name
            same = same or (name if run.keys == wanted.keys else '')
            some = some or (name if run.keys & wanted.keys else '')
    if same or some:
        return same or some
    raise CibenchError(
        f'-r: no run in {base} has the models, datasets and agents of this config; its newest are '
        f'{", ".join(runs[:-4:-1])}; name one with -r TIMESTAMP, or leave out -r for a new one'
    )


def _chosen(run: Run) -> dict[str, Any]:
    """The experiments that the config of each dataset names, in any order; None where it names none."""
    named = {one.abbr: one.config.get('experiments') for one in run.datasets}
    return {abbr: [names] if isinstance(names, str) else names and sorted(names) for abbr, names in named.items()}


def _started(run: Path) -> Iterator[Run]:
    """Each start of a run, the newest first."""
    for path in reversed(written(run)):
        try:
            yield run_of({'work_dir': str(run), **read_written(path)})
        except CibenchError as error:
            logger.warning('-r: left out: %s', error)


def command(words: list[str], args: Namespace, run: str, mode: str = '') -> str:
    """The command line that goes on with a run: `words` with its name after -r, and with `mode` if given."""
    kept = [
        word
        for before, word in zip(['', *words], words, strict=False)
        if word not in REUSE
        and not (before in REUSE and word == args.reuse)
        and not (mode and (before in MODE or word in MODE or word.startswith(JOINED)))
    ]
    said = ['-m', mode] if mode not in ('', 'all') else []
    return f'{args.program} {shlex.join([*kept, *said, "-r", run])}'


def epochs_before(run: Path) -> int:
    """The number of epochs with which the run was last started; 1 for a new run.

    Raises:
        CibenchError: the written config cannot be read.
    """
    return int(read_written(last_written(run)).get('epochs', 1)) if (run / CONFIGS).exists() else 1


def refuse_changes(run: Run, *, limited: bool, runs_sessions: bool) -> None:
    """Check that the run's finished sessions are of experiments of the config, and were run with what it says now.

    Args:
        limited: whether the config has only the first experiments; the run may have others, too.
        runs_sessions: whether sessions are to be run, for which model, agent, kernels and data must be the same.

    Raises:
        CibenchError: something has changed since.
    """
    for task in run.tasks:
        found = changes(task.settings, task.experiments, task.traces) if runs_sessions else []
        if _lacks_finished(task, limited=limited):
            found.append('the choice of experiments')
        if found:
            raise CibenchError(
                f'-r: {task.name}: {", ".join(found)} changed since they were run; '
                'start a new run without -r, name another with -r TIMESTAMP, or keep them with --force'
            )


def _lacks_finished(task: SessionTask, *, limited: bool) -> bool:
    """Whether the run has finished sessions of other experiments than the config's; with a limit, of others alone."""
    wanted = {one.id for one in task.experiments}
    try:
        there = task.traces.index().keys()
    except CibenchError:  # scoring says so, and goes on with the other datasets
        return False
    return bool(there) and (there.isdisjoint(wanted) if limited else not there <= wanted)
