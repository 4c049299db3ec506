"""`cibench compare`: models of one run or of several on the same steps; a gate for continuous integration."""

from __future__ import annotations

import difflib
import logging
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from cibench_eval.analysis.comparison import FEWEST
from cibench_eval.analysis.intervals import LEVEL
from cibench_eval.analysis.results import WHOLE
from cibench_eval.analysis.steps import placed, sessions_of
from cibench_eval.commands import new_console
from cibench_eval.commands._runs import Runs
from cibench_eval.config.recorded import recorded_run
from cibench_eval.reports.comparison import (
    RIGHT,
    PairOfRuns,
    SideBySide,
    difference_table,
    flip_table,
    jointly,
    measures,
    models_table,
)
from cibench_eval.reports.layout import Table, counted, signed, starred
from cibench_eval.reports.rows import Row, aggregate
from cibench_eval.reports.summary import print_table
from cibench_eval.reports.tables import differing
from cibench_eval.run.run_folder import recorded_datasets, results_of
from cibench_eval.schema import CibenchError, StepScore
from cibench_eval.terminal import say

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Side:
    run: Path
    model: str

    @property
    def text(self) -> str:
        return f'{self.model} ({self.run})'

    @property
    def replays_gold(self) -> bool:
        """Whether it is no model, but answers with the gold."""
        return any(one.model.replays_gold for one in recorded_datasets(self.run) if one.model_name == self.model)

    @cached_property
    def rows(self) -> dict[str, Row]:
        """Its row in the table of each split."""
        return {row.split: row for row in aggregate(results_of(self.run, model=self.model))}

    @cached_property
    def scores(self) -> dict[str, list[StepScore]]:
        """Its scores by split; those that cannot be read are named in the log.

        Raises:
            CibenchError: it is not scored.
        """
        found: dict[str, list[StepScore]] = defaultdict(list)
        for one in recorded_datasets(self.run):
            if one.model_name == self.model:
                if not one.results_file.exists():
                    raise CibenchError(f'{one.run}: {one.name} is not scored; run cibench score {one.run}')
                if results := one.results():
                    found[one.split] += placed(results.steps, one.mode, one.epoch)
        if not found:
            raise CibenchError(f'{self.text}: none of its scores can be read; score the run again: cibench score RUN')
        return found


class Compared:
    """Two models, or one model in two runs; a `CibenchError` where there is nothing to compare."""

    def __init__(self, a: Side, b: Side) -> None:
        self.a, self.b = a, b
        self.pair = PairOfRuns(a.scores, b.scores)
        for split in self.pair.splits:
            check_scale(split, {side.text: side.rows[split] for side in (a, b)})
        self.differences = [*self.pair.differences()]
        if not self.differences:
            raise CibenchError(
                f'{a.text} and {b.text}: nothing to compare: they have no step in common; compare runs of one split'
            )

    @property
    def lacking(self) -> set[str]:
        """The splits of which one lacks sessions."""
        sides = self.a, self.b
        return {
            split
            for split in self.pair.splits
            if any(self.pair.unshared(split)) or not all(side.rows[split].whole for side in sides)
        }

    @property
    def conditions(self) -> Iterator[str]:
        """A line for each condition in which A and B differ, and for the sessions that one of them lacks."""
        for split in self.pair.splits:
            a, b = self.a.rows[split], self.b.rows[split]
            for one in differing([a, b]):
                yield f'{split}: {one.name}: A {one.shown(a)}, B {one.shown(b)}'
        for split in dict.fromkeys([*self.pair.a, *self.pair.b]):
            for name, number in zip('AB', self.pair.unshared(split), strict=True):
                if number:
                    yield f'{split}: {counted(number, "session")} left out that {name} alone has'

    def experiments(self) -> Iterator[Table]:
        """The right steps of each experiment, a table a split."""
        for split in self.pair.splits:
            scores = {}
            for name, side, others in zip('AB', (self.a, self.b), reversed(self.pair.unshared(split)), strict=True):
                scores[starred(name, whole=side.rows[split].whole and not others)] = side.scores[split]
            one = SideBySide(split, scores, ranked=False)
            if one.decided:
                yield one.experiments()

    @property
    def lost(self) -> Iterator[str]:
        """A line for each split in which B lacks sessions that A has."""
        tasks = [one for one in recorded_run(self.b.run).tasks if one.model_name == self.b.model]
        for split in self.pair.a:
            planned = {(one.mode, one.epoch) for one in tasks if one.split == split}
            if number := self.pair.lost(split, planned):
                yield f'{split}: {self.b.model}: it lacks {counted(number, "session")} that A has'


def _worse(pairs: Sequence[Compared], metric: str, by: float, *, beyond_chance: bool) -> Iterator[str]:
    """A line for each model and split in which B is worse than A by more than `by` points, or lacks sessions."""
    for pair in pairs:
        yield from pair.lost
    found = [(pair.b.model, one) for pair in pairs for one in pair.differences if one.name == metric]
    for (model, _), one in zip(found, jointly([one for _, one in found]), strict=True):
        p = one.comparison.p
        sure = not beyond_chance or (p is not None and p < 1 - LEVEL)
        if round(one.points, 9) < -by and sure:  # but for rounding
            yield f'{one.split}: {model}: {one.name} {signed(one.points)} points'


def compare(
    runs: Runs,
    model_a: Annotated[str | None, typer.Option(metavar='NAME', help='Of the first run, this one alone.')] = None,
    model_b: Annotated[str | None, typer.Option(metavar='NAME', help='Of the second run, this one alone.')] = None,
    by_experiment: Annotated[
        bool, typer.Option('--by-experiment', help='Show the right steps of each experiment, too.')
    ] = False,
    metric: Annotated[
        str, typer.Option(metavar='NAME', help=f'Which measure the gate takes: {", ".join(measures())}.')
    ] = RIGHT,
    fail_below: Annotated[
        float | None,
        typer.Option(metavar='POINTS', help='Exit with 1 where B is worse than A by more than that in any split.'),
    ] = None,
    beyond_chance: Annotated[
        bool, typer.Option('--beyond-chance', help='… and p is below 0.05, over all models and splits together.')
    ] = False,
) -> int:
    """Compare models, paired step by step: differences, and the steps that tell them apart.

    Of two runs, A and B, each model with itself, or with the other run's if each has one; A and B may be one run with
    two models chosen. Otherwise all models of all runs side by side.
    """
    models = {run: list(dict.fromkeys(one.model_name for one in recorded_datasets(run))) for run in runs}
    chosen = model_a, model_b
    for run, name in dict.fromkeys(zip_longest(runs, chosen[: len(runs)])):
        planned = (task.model_name for task in recorded_run(run).tasks if name in (None, task.model_name))
        if lost := [model for model in dict.fromkeys(planned) if model not in models[run]]:
            logger.error('%s: %s: no sessions filed yet', run, ', '.join(lost))
    pairs = [Compared(*sides) for sides in _pairs(runs, models, chosen)]
    _check_metric(metric, fail_below, pairs, beyond_chance=beyond_chance)
    if len(pairs) == 1:
        tables = _pair_tables(pairs[0], by_experiment=by_experiment)
    elif pairs:
        alone = sorted(set(models[runs[0]]) ^ set(models[runs[1]]))
        tables = _several_tables(pairs, metric, alone, by_experiment=by_experiment)
    else:
        tables = _all_tables([Side(run, model) for run in models for model in models[run]], by_experiment=by_experiment)
    console = new_console()
    for line in _legend(pairs):
        console.print(Text(line), soft_wrap=True)
    for table in tables:
        if table.lines:
            console.print()
            print_table(table, console)
    if fail_below is None:
        return 0
    worse = [*_worse(pairs, metric, fail_below, beyond_chance=beyond_chance)]
    if not any(chosen):
        worse += _lost_models(runs[0], runs[1], models)
    for line in worse:
        console.print(Text(f'worse: {line}', style='bold red'))
    if not worse:
        chance = ' beyond chance' if beyond_chance else ''
        say(f'not worse by more than {fail_below:g} points in {metric}{chance}')
    return int(bool(worse))


def _pairs(
    runs: Sequence[Path], models: Mapping[Path, list[str]], chosen: tuple[str | None, str | None]
) -> list[tuple[Side, Side]]:
    """The models that are compared two by two; none where all are compared together."""
    for run, name, option in zip(runs, chosen, ('a', 'b'), strict=False):
        if name is not None and name not in models[run]:
            there = ', '.join(models[run])
            raise CibenchError(f'--model-{option} {name}: {run} has no sessions of that model; there is {there}')
    if len(runs) != 2:
        run, times = Counter(run.resolve() for run in runs).most_common(1)[0]
        if times > 1:
            raise CibenchError(f'{run}: named more than once; name each run once')
        if any(chosen):
            raise CibenchError('--model-a and --model-b choose models of two runs; name two (or one run twice)')
        if sum(map(len, models.values())) < 2:
            raise CibenchError(
                f'{runs[0]}: it has one model, {models[runs[0]][0]}; name another run to compare it with'
            )
        return []
    first, second = ([name] if name else _planned(run) for run, name in zip(runs, chosen, strict=True))
    several = len(first) > 1 or len(second) > 1
    if several and any(chosen):
        run, option, names = (runs[0], 'a', first) if len(first) > 1 else (runs[1], 'b', second)
        raise CibenchError(f'{run}: it has {", ".join(names)}; choose with --model-{option} NAME')
    pairs = [(a, b) for a in first for b in second if a == b or not several]
    whole = [(a, b) for a, b in pairs if a in models[runs[0]] and b in models[runs[1]]]
    if pairs and not whole:
        missing = ', '.join(dict.fromkeys(name for pair in pairs for name in pair))
        raise CibenchError(f'{runs[0]} and {runs[1]}: nothing to compare: not both have sessions of {missing}')
    return [(Side(runs[0], a), Side(runs[1], b)) for a, b in whole]


def _planned(run: Path) -> list[str]:
    """The models of a run, with sessions or without; a replay of gold is one only where there is no other."""
    every = {task.model_name: task.model.replays_gold for task in recorded_run(run).tasks}
    return [name for name, replays_gold in every.items() if not replays_gold] or list(every)


def _lost_models(a: Path, b: Path, models: Mapping[Path, list[str]]) -> Iterator[str]:
    """A line for each model with sessions in A of which B plans some and has none."""
    lost = set(_planned(b)).difference(models[b])
    for name in models[a]:
        if name in lost:
            yield f'{name}: it lacks all sessions that A has'


def _check_metric(metric: str, fail_below: float | None, pairs: Sequence[Compared], *, beyond_chance: bool) -> None:
    """Raise a `CibenchError` if there is no such measure, the gate has no pair, or no table has the measure, or too few
    experiments have it to be sure of anything.
    """
    if metric not in measures():
        near = difflib.get_close_matches(metric, measures(), n=1)
        meant = f'did you mean {near[0]}? There' if near else 'there'
        raise CibenchError(f'--metric {metric}: no such measure; {meant} is {", ".join(measures())}')
    if fail_below is not None and not 0 <= fail_below <= 100:
        raise CibenchError(f'--fail-below {fail_below}: takes points, from 0 to 100')
    if fail_below is not None and not pairs:
        raise CibenchError(
            '--fail-below: a gate takes two runs, of the same models or of one each; two models of one run: '
            'cibench compare RUN RUN --model-a A --model-b B'
        )
    if fail_below is None and metric == RIGHT and len(pairs) < 2:
        return
    if fail_below is None and len(pairs) < 2:
        raise CibenchError('--metric: it is what --fail-below POINTS looks at; give that, too')
    known = dict.fromkeys(one.name for pair in pairs for one in pair.differences)
    if metric == RIGHT and RIGHT not in known:
        raise CibenchError(f'nothing decides on their steps; choose a measure with --metric: {", ".join(known)}')
    if metric not in known:
        raise CibenchError(f'--metric {metric}: the runs do not both have it; there is {", ".join(known)}')
    experiments = [
        one.comparison.difference.clusters for pair in pairs for one in pair.differences if one.name == metric
    ]
    if beyond_chance and max(experiments) < FEWEST:
        raise CibenchError(
            f'--beyond-chance: {counted(max(experiments), "experiment")} cannot tell models apart: compare on {FEWEST} '
            'or more, or leave it out'
        )


def _legend(pairs: Sequence[Compared]) -> Iterator[str]:
    """What A is and what B, and in what they differ; of several pairs the tables name the models."""
    for pair in pairs[:1]:
        for name, side in zip('AB', (pair.a, pair.b), strict=True):
            yield f'{name}: {side.text if len(pairs) == 1 else side.run}'
    for pair in pairs:
        yield from (line if len(pairs) == 1 else f'{pair.b.model}, {line}' for line in pair.conditions)


def _pair_tables(one: Compared, *, by_experiment: bool) -> Iterator[Table]:
    yield difference_table(one.differences, 'B against A', one.lacking)
    yield difference_table([*one.pair.parts()], 'Right steps, by part', one.lacking)
    if by_experiment:
        yield from one.experiments()
    yield flip_table(one.pair.flips())


def _several_tables(
    pairs: Sequence[Compared], metric: str, alone: Collection[str], *, by_experiment: bool
) -> Iterator[Table]:
    """The tables of several models, each compared with itself; `alone` are the models that only one run has."""
    for name in dict.fromkeys((metric, WHOLE)):
        yield models_table([(one.b.model, one.pair, one.differences, one.lacking) for one in pairs], name, alone)
    for one in pairs if by_experiment else ():
        for table in one.experiments():
            yield replace(table, title=f'{one.b.model}, {table.title}')


def _all_tables(sides: Sequence[Side], *, by_experiment: bool) -> Iterator[Table]:
    often = Counter(side.model for side in sides)
    splits = {split: [one for one in sides if split in one.scores] for side in sides for split in side.scores}
    several = {split: those for split, those in splits.items() if len(those) > 1}
    if not several:
        raise CibenchError(f'nothing to compare: no split of {", ".join(splits)} has two models')
    for split, (one, *more) in splits.items():
        if not more:
            say(f'{split}: left out: {one.text} alone has it', error=True)
    for split, everyone in several.items():
        models = [side for side in everyone if not side.replays_gold]
        those = models if len(models) > 1 else everyone
        if gold := [side.text for side in everyone if side not in those]:
            say(f'{split}: left out: {", ".join(gold)}: no model, but a replay of the gold', error=True)
        check_scale(split, {side.text: side.rows[split] for side in those})
        every = set.union(*(sessions_of(side.scores[split]) for side in those))
        scores = {}
        for side in those:
            name = side.model if often[side.model] == 1 else f'{side.model} @ {side.run}'
            whole = side.rows[split].whole and sessions_of(side.scores[split]) == every
            scores[starred(name, whole=whole)] = side.scores[split]
        table = SideBySide(split, scores)
        if not table.decided:
            say(f'{split}: left out: nothing decides on a step that all have', error=True)
            continue
        yield table.ranking()
        if by_experiment:
            yield table.experiments()
        yield table.telling()


def check_scale(split: str, rows: Mapping[str, Row]) -> None:
    """Raise a `CibenchError` where scores are of other versions of a set, or by other profiles: other scales."""
    scored = {name: row for name, row in rows.items() if row.scores}
    scales = {name: ' and '.join(row.scales) for name, row in scored.items()}
    sets = {name: ' and '.join(row.stated['set_version']) or '1' for name, row in scored.items()}
    for what, of, mend in (
        ('scored by', scales, 'score one as the other (cibench score RUN, with the profile in its config)'),
        ('of version', sets, 'run one on the version of the other'),
    ):
        if len({*of.values()}) > 1:
            said = ', '.join(f'{name} {what} {value}' for name, value in of.items())
            raise CibenchError(f'{split}: {said}: these are not on one scale; {mend}')
