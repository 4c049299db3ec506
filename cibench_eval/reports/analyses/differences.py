"""Paired differences: what the gold of earlier steps is worth, and a split against its Chinese twin."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from cibench_eval.analysis.comparison import compare
from cibench_eval.analysis.results import WHOLE
from cibench_eval.analysis.steps import Scored
from cibench_eval.evaluators.metrics import METRICS
from cibench_eval.grouping import grouped
from cibench_eval.reports.analyses.drawing import points
from cibench_eval.reports.analyses.study import Analysis, LackingError, Statistic, StudiedRuns
from cibench_eval.reports.comparison import ALONE, RIGHT, Difference, PairOfRuns, difference_table, measures
from cibench_eval.reports.layout import Cell, Table, signed
from cibench_eval.reports.rows import Row, runs_of
from cibench_eval.reports.scores import Bounds

PUBLISHED = [metric for metric in METRICS if metric.published]
NOTE = (
    "Oracle less end-to-end, in points of 100. A model's own interval is by experiments, its steps paired; that of a "
    'mean is by models. Replays of gold are not in the mean, for they have nothing to gain.'
)


class Gain(NamedTuple):
    """A metric of a model in both modes, × 100, and the interval of the difference, if it is known."""

    end_to_end: float
    oracle: float
    bounds: Bounds | None = None

    @property
    def points(self) -> float:
        return self.oracle - self.end_to_end


class Gains(NamedTuple):
    """The gains of a model on a split, by metric."""

    split: str
    model: str
    metrics: dict[str, Gain]


def oracle_gain(study: StudiedRuns) -> Analysis:
    """The points that a model gains in oracle mode (paper, §4.2)."""
    gains = [one for row in study.rows if (one := _gains(study, row)).metrics]
    if not gains:
        raise LackingError('no model has both modes')
    splits = list(dict.fromkeys(one.split for one in gains))
    body: list[list[Cell]] = []
    series: dict[str, list[Statistic]] = {}
    for split in splits:
        own = [one for one in gains if one.split == split]
        counted = [one for one in own if one.model not in study.replays]
        body += [[Cell(split)]] if len(splits) > 1 else []
        body += [[Cell(one.model), *(_cell(_share(one, metric.name)) for metric in PUBLISHED)] for one in own]
        if len(counted) > 1:
            means = [_mean(counted, metric.name) for metric in PUBLISHED]
            body += [[Cell(f'mean of {len(counted)} models'), *map(_cell, means)]]
            series[f'{split}, mean of {len(counted)}'] = means
        else:
            series |= {f'{one.model}, {split}': [_share(one, metric.name) for metric in PUBLISHED] for one in own}
    table = Table('What the gold of earlier steps is worth', ['', *(metric.short for metric in PUBLISHED)], body, NOTE)
    names = [metric.short for metric in PUBLISHED]
    draw = partial(points, names=names, series=series, label='points of 100 gained in oracle mode')
    return Analysis(table, draw, 3.0)


def _gains(study: StudiedRuns, row: Row) -> Gains:
    """The gains of a row, with intervals if the steps of its runs are there."""
    own = [one for one in study.results if (one.model, one.split) == (row.model, row.split)]
    runs = {
        mode: [run._replace(mode='end_to_end') for run in runs_of(own) if run.mode == mode]
        for mode in ('end_to_end', 'oracle')
    }
    if all(runs.values()):
        return Gains(row.split, row.model, _paired(runs, with_bounds=row.model not in study.replays))
    pairs = {one.name: (row.score('end_to_end', one.name), row.score('oracle', one.name)) for one in PUBLISHED}
    return Gains(
        row.split,
        row.model,
        {name: Gain(own.value, gold.value) for name, (own, gold) in pairs.items() if own and gold},
    )


def _paired(runs: dict[str, list[Scored]], *, with_bounds: bool) -> dict[str, Gain]:
    """The gains on the steps that both modes have."""
    pair = PairOfRuns({'': runs['end_to_end']}, {'': runs['oracle']})
    found = {one.name: one for one in pair.differences()}
    return {
        metric.name: Gain(one.a, one.b, one.bounds if with_bounds else None)
        for metric in PUBLISHED
        if (one := found.get(metric.name))
    }


def _share(gains: Gains, name: str) -> Statistic:
    gain = gains.metrics.get(name)
    return Statistic(gain.points, gain.bounds) if gain else Statistic(None)


def _mean(gains: Sequence[Gains], name: str) -> Statistic:
    """The mean over the models that have the metric; each model is one observation."""
    there = [one.metrics[name] for one in gains if name in one.metrics]
    if not there:
        return Statistic(None)
    gold, own = [gain.oracle / 100 for gain in there], [gain.end_to_end / 100 for gain in there]
    found = compare(gold, own, range(len(there))).difference
    return Statistic(100 * found.mean, Bounds.of(found))


def _cell(share: Statistic) -> Cell:
    return Cell('–') if share.value is None else Cell(signed(share.value), share.bounds)


CHINESE = '_cn'
"""The end of the name of a Chinese split; the rest is the name of its twin."""
MEASURES = (RIGHT, WHOLE, 'numeric_correct', 'text_score', 'vis_sim')
LANGUAGE_NOTE = (
    'A: the split; B: its Chinese twin. B − A is paired step by step, on the experiments that both have; its 95 % '
    'interval and p-value are by experiments.' + ALONE
)


def language(study: StudiedRuns) -> Analysis:
    """Scores in Chinese against English (paper, §4.3)."""
    found = [(model, one) for model in dict.fromkeys(one.model for one in study.results) for one in _of(study, model)]
    if not found:
        raise LackingError(f'no model has a split and its Chinese twin (…{CHINESE})')
    named = [replace(one, split=f'{model} {one.split}') for model, one in found]
    table = replace(difference_table(named, 'Chinese against English'), note=LANGUAGE_NOTE)
    return Analysis(table, partial(_draw_languages, found))


def _of(study: StudiedRuns, model: str) -> Iterator[Difference]:
    own = [one for one in study.results if one.model == model and one.results]
    runs = {split: runs_of(those) for split, those in grouped(own, lambda one: one.split).items()}
    for split in runs:
        if split + CHINESE in runs:
            pair = PairOfRuns({split: runs[split]}, {split: runs[split + CHINESE]})
            found = [one for one in pair.differences() if one.name in MEASURES]
            yield from map(_without_interval, found) if model in study.replays else found


def _without_interval(one: Difference) -> Difference:
    """A difference without interval and p-value, for replays of gold, which are no samples."""
    unknown = one.comparison.difference.model_copy(update={'low': None, 'high': None, 'se': None})
    return replace(one, comparison=one.comparison.model_copy(update={'difference': unknown, 'p': None}))


def _draw_languages(found: list[tuple[str, Difference]], axes: Any) -> None:
    shares = {(f'{model} {one.split}', one.name): Statistic(one.points, one.bounds) for model, one in found}
    names = [name for name in MEASURES if any(name == of for _, of in shares)]
    series = {
        who: [shares.get((who, name), Statistic(None)) for name in names] for who in dict.fromkeys(w for w, _ in shares)
    }
    points(axes, [measures()[name] for name in names], series, 'Chinese less English, points of 100')
