"""`cibench construct fill`: experiments of templates on other data."""

from pathlib import Path
from typing import Annotated

import typer

from cibench_eval.commands import log, new_console
from cibench_eval.commands._kernel_options import Environment, Sandbox
from cibench_eval.commands.construct._model import range_of
from cibench_eval.reports.construct_tables import filled_causes, filled_table
from cibench_eval.schema import CibenchError

Option = typer.Option


def fill(
    template: Annotated[Path, typer.Argument(metavar='TEMPLATE', help='A file, or a folder of templates.')],
    to: Annotated[Path, Option(metavar='SET', help='New folder for the set.')],
    data: Annotated[Path | None, Option(metavar='DIR', help='With the files that the instances name.')] = None,
    seeds: Annotated[str, Option(metavar='A-B', help='Make fresh data by these seeds, as `varied` says.')] = '',
    only: Annotated[str | None, Option(metavar='PATTERN', help='Of a folder, as pandas/*.')] = None,
    environment: Environment = 'modern',
    sandbox: Sandbox = 'bubblewrap',
    repeats: Annotated[int, Option(metavar='N', min=1, help='Runs of every step in the check.')] = 3,
    slow: Annotated[float, Option(metavar='SECONDS', min=0.1, help='That a step may take.')] = 20,
    workers: Annotated[int | None, Option(metavar='N', help='Experiments at once.', show_default='cores')] = None,
) -> int:
    """Make the experiments of templates: one for each instance in their headers, or for each seed.

    The gold code runs anew, and every experiment is checked; clean ones go into the set. Exit code 1 where one is not.
    """
    from cibench_eval.construction.filling import fill as filled_of
    from cibench_eval.construction.filling import templates_of
    from cibench_eval.construction.verifying import Verifier
    from cibench_eval.sets.checking import Thresholds

    if data is not None and not data.is_dir():
        raise CibenchError(f'{data}: no such folder; give one with the files that the instances name')
    verifier = Verifier(environment, sandbox, repeats, workers=workers, thresholds=Thresholds(slow))
    filled = filled_of(templates_of(template, only), to, verifier, data, _seeds(seeds), log)
    console = new_console()
    console.print(filled_table(filled), *filled_causes(filled), sep='\n')
    if any(fault.code == 'missing_file' for one in filled.values() for fault in one.faults):
        console.print("missing_file: give its folder with --data, or other files in the template's header")
    return int(not all(one.clean for one in filled.values()))


def _seeds(text: str) -> list[int]:
    if not text:
        return []
    first, last = range_of(text, 0, f'--seeds {text!r}: give whole numbers, as 1-3')
    return list(range(first, last + 1))
