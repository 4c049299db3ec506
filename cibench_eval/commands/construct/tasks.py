"""`cibench construct tasks`: experiments on topics, checked and revised."""

from pathlib import Path
from typing import Annotated

import typer

from cibench_eval.commands import log, new_console
from cibench_eval.commands._kernel_options import Environment, Sandbox
from cibench_eval.commands.construct._model import (
    DryRun,
    Model,
    PromptFolder,
    Tries,
    Yes,
    paid,
    range_of,
    wants,
)
from cibench_eval.reports.construct_tables import print_report
from cibench_eval.schema import CibenchError

Option = typer.Option


def tasks(
    folder: Annotated[Path, typer.Argument(metavar='FOLDER', help='Of the construction, with topics in it.')],
    modules: Annotated[list[str] | None, typer.Argument(metavar='MODULE…', help='All that have topics.')] = None,
    model: Model = 'construct',
    rounds: Annotated[int, Option(metavar='N', min=0, help='Revisions of an experiment.')] = 3,
    steps: Annotated[str, Option(metavar='A-B', help='How many steps an experiment may have.')] = '10-15',
    data: Annotated[Path | None, Option(metavar='DIR', help='Files that experiments may read.')] = None,
    note: Annotated[str, Option(metavar='TEXT', help='A sentence that every request for an experiment gets.')] = '',
    seed: Annotated[int, Option(metavar='N', min=0, help='Seed of the tables that are made.')] = 0,
    prompts: PromptFolder = None,
    tries: Tries = 3,
    environment: Environment = 'modern',
    sandbox: Sandbox = 'bubblewrap',
    repeats: Annotated[int, Option(metavar='N', min=1, help='Runs of every step in the check.')] = 3,
    slow: Annotated[float, Option(metavar='SECONDS', min=0.1, help='Longest time that a step may take.')] = 20,
    workers: Annotated[int | None, Option(metavar='N', help='Experiments at once.', show_default='cores')] = None,
    yes: Yes = False,
    dry_run: DryRun = False,
) -> int:
    """Make an experiment of every topic: written by a model, run, checked, and revised by what the check found.

    Clean experiments stand in FOLDER/set. The same command goes on after a kill and pays for nothing twice. Exit code 1
    where no experiment came out clean.
    """
    from cibench_eval.construction.costs import STEP, of_requests
    from cibench_eval.construction.folder import ConstructionFolder
    from cibench_eval.construction.tasks import Maker, TaskSettings, given_files
    from cibench_eval.construction.verifying import Verifier
    from cibench_eval.run.writer import load_writer
    from cibench_eval.sets.checking import Thresholds

    fewest, most = range_of(steps, 1, f'--steps {steps!r}: give two numbers, as 10-15')
    if data is not None and not data.is_dir():
        raise CibenchError(f'{data}: no such folder; give one with the files that experiments may read')
    construction, writer = ConstructionFolder(folder), load_writer(model, folder, prompts, tries)
    topics = construction.all_topics(modules or [])
    verifier = Verifier(
        environment, sandbox, repeats, seed, workers, thresholds=Thresholds(slow), files=given_files(data)
    )
    maker = Maker(construction, writer, verifier, TaskSettings(fewest, most, rounds, note), log)
    estimate = of_requests('tasks', maker.questions(topics), most * STEP, writer, rounds)
    if not wants(estimate, writer, yes, dry_run):
        return 0
    report = maker.make(topics)
    paid(writer)
    covered = {one.module: construction.covered(one.module) for one in topics}
    print_report(report, covered, construction.set, new_console())
    return int(not report.good)
