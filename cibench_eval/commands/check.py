"""`cibench data check`: is a set of experiments sound?"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cibench_eval.schema import CibenchError


def add_commands(commands: Any) -> None:
    """Add `check` to the sub-commands of `cibench data`."""
    check = commands.add_parser(
        'check',
        help='run all gold code of a set again and report what is wrong',
        description='Exit code 0 if there is no defect (notes are none), 1 if there is one, 2 for bad input.',
    )
    check.add_argument('path', metavar='PATH', help='folder of notebooks, one notebook, or name of a built-in set')
    check.add_argument('--environment', default='modern', help='kernel environment (default: modern)')
    check.add_argument(
        '--sandbox',
        default='bubblewrap',
        choices=['bubblewrap', 'auto', 'none'],
        help='auto is none where bubblewrap cannot run (default: bubblewrap)',
    )
    check.add_argument('--repeats', type=int, default=3, metavar='N', help='runs of every step (default: 3)')
    check.add_argument('--seed', type=int, default=0, metavar='N', help='decides in which order steps run')
    check.add_argument('--slow', type=float, default=60, metavar='SECONDS', help='that a step may take (default: 60)')
    check.add_argument('--large', type=float, default=50, metavar='MB', help='that a data file may have (default: 50)')
    check.add_argument('--only', metavar='PATTERN', help='experiments to check, as pandas/* (default: all)')
    check.add_argument('--workers', type=int, metavar='N', help='experiments at the same time (default: cores)')
    check.add_argument(
        '--profile',
        default='strict',
        choices=['strict', 'official'],
        help='by which a trivial answer that passes is a defect; by the other it is a note (default: strict)',
    )
    check.add_argument('--trivial-text', type=float, default=0.3, metavar='SCORE', help='that one may get (0.3)')
    check.add_argument('--trivial-vis', type=float, default=0.15, metavar='SCORE', help='that one may get (0.15)')
    check.add_argument('--twin', type=Path, metavar='PATH', help='the same notebooks in the other language')
    check.add_argument('--json', type=Path, metavar='FILE', help='write everything there')
    check.set_defaults(run=_check)


def _check(options: argparse.Namespace) -> int:
    from cibench_eval.reports.check_table import print_check
    from cibench_eval.sets.checking import CheckSettings, Thresholds, check_set

    if options.json:
        _require_writable(options.json)
    settings = CheckSettings(
        environment=options.environment,
        sandbox=options.sandbox,
        repeats=options.repeats,
        seed=options.seed,
        workers=options.workers,
        only=options.only,
        twin=options.twin,
        largest=options.large * 1e6,
        thresholds=Thresholds(options.slow, options.profile, options.trivial_text, options.trivial_vis),
    )
    with _progress() as observer:
        report = check_set(options.path, settings, observer)
    if options.json:
        options.json.write_text(report.model_dump_json(indent=2) + '\n', encoding='utf-8')
    print_check(report)
    return int(bool(report.defects))


def _require_writable(path: Path) -> None:
    """A check takes minutes, so that its report can be written is found out before. What is there stays as it is."""
    there = path.exists()
    try:
        path.open('a').close()
    except OSError as error:
        raise CibenchError(f'{path}: cannot be written ({error.strerror}); give another path') from error
    if not there:
        path.unlink()


@contextmanager
def _progress() -> Iterator[Callable[[int, int, str], None]]:
    """What shows on standard error how far the check is: a bar on a terminal, else a line an experiment."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True, highlight=False)
    columns = (
        TextColumn('checking'),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn('{task.description}'),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task('', total=None)

        def observe(done: int, total: int, name: str) -> None:
            progress.update(task, completed=done, total=total, description=name)
            if not console.is_terminal:
                console.print(f'checked {done}/{total} {name}', markup=False)

        yield observe
