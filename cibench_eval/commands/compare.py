"""`cibench compare`: two runs, or two models, on the same steps; a gate for continuous integration."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from cibench_eval.analysis.steps import Scored
from cibench_eval.commands import new_app
from cibench_eval.commands._runs import HELP, run_at
from cibench_eval.reports.comparison import RIGHT, Difference, PairOfRuns, difference_table, flip_table
from cibench_eval.reports.summary import print_table
from cibench_eval.run.run_folder import RecordedDataset, recorded_datasets, results_of
from cibench_eval.schema import CibenchError
from cibench_eval.terminal import new_console, say

app = new_app()
RunFolder = Annotated[Path, typer.Argument(parser=run_at, help=HELP, show_default=False)]


@app.command()
def compare(
    a: RunFolder,
    b: RunFolder,
    model_a: Annotated[str | None, typer.Option(metavar='NAME', help='Of run A, where it has several.')] = None,
    model_b: Annotated[str | None, typer.Option(metavar='NAME', help='Of run B, where it has several.')] = None,
    metric: Annotated[
        str, typer.Option(metavar='NAME', help=f'Which measure the gate takes: {RIGHT}, whole_sessions, average, …')
    ] = RIGHT,
    fail_below: Annotated[
        float | None,
        typer.Option(metavar='POINTS', help='Exit with 1 where B is worse than A by more than that in any split.'),
    ] = None,
    beyond_chance: Annotated[
        bool, typer.Option('--beyond-chance', help='… and its interval is below 0, so that it is no chance.')
    ] = False,
) -> int:
    """Compare two runs, paired step by step: differences, and the steps that changed.

    A and B may be one run with two models in it.
    """
    chosen = [(a, _chosen(a, model_a, 'a')), (b, _chosen(b, model_b, 'b'))]
    pair = PairOfRuns(*(_scores(*one) for one in chosen))
    lacking = {one.split for run, model in chosen for one in results_of(run, model=model) if not one.whole}
    console = new_console()
    found = list(pair.differences())
    if fail_below is not None and metric not in {one.name for one in found}:
        known = ', '.join(dict.fromkeys(one.name for one in found))
        raise CibenchError(f'--metric {metric}: the runs do not both have it; there is {known}')
    tables = [
        difference_table(found, 'B against A', lacking),
        difference_table([*pair.parts()], 'Right steps, by part', lacking),
    ]
    for table in (*tables, flip_table(pair.flips())):
        if table.lines:
            console.print()
            print_table(table, console)
    worse = [one for one in found if one.name == metric and _is_worse(one, fail_below, beyond_chance=beyond_chance)]
    for one in worse:
        console.print(Text(f'worse: {one.split}: {one.name} {one.points:+.1f} points', style='bold red'))
    if fail_below is not None and not worse:
        say(f'not worse by more than {fail_below:g} points in {metric}')
    return int(bool(worse))


def _is_worse(one: Difference, by: float | None, *, beyond_chance: bool) -> bool:
    if by is None or one.points >= -by:
        return False
    high = one.comparison.difference.high
    return not beyond_chance or (high is not None and high < 0)


def _chosen(run: Path, model: str | None, option: str) -> str:
    """The name of the model of a run that is compared.

    Raises:
        CibenchError: the run has several models, or not this one.
    """
    models = list(dict.fromkeys(one.model for one in recorded_datasets(run)))
    if model is None and len(models) > 1:
        raise CibenchError(f'{run}: it has {", ".join(models)}; choose with --model-{option} NAME')
    if model is not None and model not in models:
        raise CibenchError(f'{run}: it has no model {model}; there is {", ".join(models)}')
    return model or models[0]


def _scores(run: Path, model: str) -> dict[str, list[Scored]]:
    """The scores of a model of a run, by split.

    Raises:
        CibenchError: it is not scored.
    """
    found: dict[str, list[Scored]] = defaultdict(list)
    for one in recorded_datasets(run):
        if one.model == model:
            found[one.split].append(_scored(one))
    return found


def _scored(dataset: RecordedDataset) -> Scored:
    results = dataset.results()
    if results is None:
        raise CibenchError(
            f'{dataset.run}: {dataset.model}/{dataset.name} is not scored; run cibench score {dataset.run}'
        )
    return Scored(dataset.mode, results.steps, dataset.epoch)
