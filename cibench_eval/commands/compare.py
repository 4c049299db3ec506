"""`cibench compare`: models of one run or of several on the same steps; a gate for continuous integration."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.text import Text

from cibench_eval.analysis.results import WHOLE
from cibench_eval.analysis.steps import Scored
from cibench_eval.commands import new_app
from cibench_eval.commands._runs import Runs
from cibench_eval.reports.comparison import RIGHT, Difference, PairOfRuns, difference_table, flip_table, models_table
from cibench_eval.reports.layout import Table
from cibench_eval.reports.side_by_side import SideBySide
from cibench_eval.reports.summary import print_table
from cibench_eval.run.run_folder import RecordedDataset, recorded_datasets, results_of
from cibench_eval.schema import CibenchError
from cibench_eval.terminal import new_console, say

app = new_app()


class Side(NamedTuple):
    """A model of a run."""

    run: Path
    model: str


Pair = tuple[Side, Side]


@app.command()
def compare(
    runs: Runs,
    model_a: Annotated[str | None, typer.Option(metavar='NAME', help='Of the first run, this one alone.')] = None,
    model_b: Annotated[str | None, typer.Option(metavar='NAME', help='Of the second run, this one alone.')] = None,
    by_experiment: Annotated[
        bool, typer.Option('--by-experiment', help='Show the right steps of each experiment, too.')
    ] = False,
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
    """Compare models, paired step by step: differences, and the steps that tell them apart.

    Of two runs, A and B, each model with itself, or with the other run's if each has one; A and B may be one run with
    two models chosen. Otherwise all models of all runs side by side.
    """
    models = {run: _models(run) for run in runs}
    sides = _pairs(runs, models, (model_a, model_b))
    pairs = [(one, PairOfRuns(_scores(one[0]), _scores(one[1]))) for one in sides]
    found = {one: [*pair.differences()] for one, pair in pairs}
    if fail_below is not None:
        _check_gate(metric, dict.fromkeys(one.name for those in found.values() for one in those), sides)
    tables: Iterable[Table]
    if len(pairs) == 1:
        tables = _pair_tables(pairs[0][1], sides[0], by_experiment=by_experiment)
    elif pairs:
        alone = sorted(set(models[runs[0]]) ^ set(models[runs[1]]))
        of_models = [(side.model, pair) for (_, side), pair in pairs]
        tables = (models_table(of_models, name, alone) for name in dict.fromkeys((metric, WHOLE)))
    else:
        tables = _all_tables([Side(run, model) for run in runs for model in models[run]], by_experiment=by_experiment)
    console = new_console()
    for table in tables:
        if table.lines:
            console.print()
            print_table(table, console)
    if fail_below is None:
        return 0
    worse = [
        f'{one.split}: {f"{side.model}: " if len(pairs) > 1 else ""}{one.name} {one.points:+.1f} points'
        for (_, side), those in found.items()
        for one in those
        if one.name == metric and _is_worse(one, fail_below, beyond_chance=beyond_chance)
    ]
    for line in worse:
        console.print(Text(f'worse: {line}', style='bold red'))
    if not worse:
        say(f'not worse by more than {fail_below:g} points in {metric}')
    return int(bool(worse))


def _pairs(runs: Sequence[Path], models: Mapping[Path, list[str]], chosen: tuple[str | None, str | None]) -> list[Pair]:
    """The models that are compared two by two; none where all are compared together.

    Raises:
        CibenchError: a model is not in its run, or there is nothing to compare.
    """
    for run, name, option in zip(runs, chosen, ('a', 'b'), strict=False):
        if name is not None and name not in models[run]:
            raise CibenchError(f'--model-{option} {name}: {run} has no such model; there is {", ".join(models[run])}')
    if len(runs) != 2:
        if any(chosen):
            raise CibenchError('--model-a and --model-b choose models of two runs; name two (or one run twice)')
        if sum(map(len, models.values())) < 2:
            raise CibenchError(
                f'{runs[0]}: it has one model, {models[runs[0]][0]}; name another run to compare it with'
            )
        return []
    first, second = ([name] if name else models[run] for run, name in zip(runs, chosen, strict=True))
    if len(first) == len(second) == 1:
        return [(Side(runs[0], first[0]), Side(runs[1], second[0]))]
    if any(chosen):
        run, option = (runs[0], 'a') if len(first) > 1 else (runs[1], 'b')
        raise CibenchError(f'{run}: it has {", ".join(models[run])}; choose with --model-{option} NAME')
    return [(Side(runs[0], name), Side(runs[1], name)) for name in first if name in second]


def _check_gate(metric: str, known: Collection[str], pairs: Sequence[Pair]) -> None:
    """Raise a `CibenchError` where the gate has nothing to look at."""
    if not pairs:
        raise CibenchError('--fail-below: a gate takes two runs, of the same models or of one each')
    if metric not in known:
        raise CibenchError(f'--metric {metric}: the runs do not both have it; there is {", ".join(known)}')


def _pair_tables(pair: PairOfRuns, sides: Pair, *, by_experiment: bool) -> Iterator[Table]:
    lacking = {one.split for run, model in sides for one in results_of(run, model=model) if not one.whole}
    yield difference_table([*pair.differences()], 'B against A', lacking)
    yield difference_table([*pair.parts()], 'Right steps, by part', lacking)
    if by_experiment:
        for split in pair.splits:
            yield SideBySide(split, {'A': pair.a[split], 'B': pair.b[split]}).experiments()
    yield flip_table(pair.flips())


def _all_tables(sides: Sequence[Side], *, by_experiment: bool) -> Iterator[Table]:
    """The tables of several models side by side."""
    often = Counter(side.model for side in sides)
    splits: dict[str, dict[str, list[Scored]]] = defaultdict(dict)
    for side in dict.fromkeys(sides):
        name = side.model if often[side.model] == 1 else f'{side.model} @ {side.run.name}'
        for split, scores in _scores(side).items():
            splits[split][name] = scores
    several = [SideBySide(split, scores) for split, scores in splits.items() if len(scores) > 1]
    if not several:
        raise CibenchError(f'nothing to compare: no split of {", ".join(splits)} has two models')
    for one in several:
        yield one.ranking()
        if by_experiment:
            yield one.experiments()
        yield one.telling()


def _is_worse(one: Difference, by: float, *, beyond_chance: bool) -> bool:
    if one.points >= -by:
        return False
    high = one.comparison.difference.high
    return not beyond_chance or (high is not None and high < 0)


def _models(run: Path) -> list[str]:
    return list(dict.fromkeys(one.model for one in recorded_datasets(run)))


def _scores(side: Side) -> dict[str, list[Scored]]:
    """The scores of a model of a run, by split.

    Raises:
        CibenchError: it is not scored.
    """
    found: dict[str, list[Scored]] = defaultdict(list)
    for one in recorded_datasets(side.run):
        if one.model == side.model:
            found[one.split].append(_scored(one))
    return found


def _scored(dataset: RecordedDataset) -> Scored:
    results = dataset.results()
    if results is None:
        raise CibenchError(
            f'{dataset.run}: {dataset.model}/{dataset.name} is not scored; run cibench score {dataset.run}'
        )
    return Scored(dataset.mode, results.steps, dataset.epoch)
