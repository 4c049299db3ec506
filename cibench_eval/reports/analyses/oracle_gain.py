"""The value of the gold of earlier steps: oracle mode against end-to-end, metric by metric."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from cibench_eval.analysis.steps import Scored
from cibench_eval.evaluators.metrics import METRICS
from cibench_eval.reports.analyses.drawing import points
from cibench_eval.reports.analyses.study import Analysis, LackingError, Statistic, StudiedRuns
from cibench_eval.reports.comparison import PairOfRuns
from cibench_eval.reports.layout import Cell, Table
from cibench_eval.reports.rows import Row, runs_of
from cibench_eval.reports.scores import Bounds
from cibench_eval.schema import CibenchError

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
    return Analysis('oracle_gain', table, partial(_draw, series), 3.0)


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
    try:
        found = {one.name: one for one in pair.differences()}
    except CibenchError:
        return {}  # both modes have no step in common
    return {
        metric.name: Gain(one.a, one.b, one.bounds if with_bounds else None)
        for metric in PUBLISHED
        if (one := found.get(metric.name))
    }


def _share(gains: Gains, name: str) -> Statistic:
    gain = gains.metrics.get(name)
    return Statistic(gain.points, 1, gain.bounds) if gain else Statistic(None, 0)


def _mean(gains: Sequence[Gains], name: str) -> Statistic:
    """The mean over the models that have the metric; each model is one observation."""
    from cibench_eval.analysis.comparison import compare

    there = [one.metrics[name] for one in gains if name in one.metrics]
    if not there:
        return Statistic(None, 0)
    gold, own = [gain.oracle / 100 for gain in there], [gain.end_to_end / 100 for gain in there]
    found = compare(gold, own, range(len(there))).difference
    return Statistic(100 * found.mean, len(there), Bounds.of(found))


def _cell(share: Statistic) -> Cell:
    return Cell('–') if share.value is None else Cell(f'{round(share.value, 1) + 0:+.1f}', share.bounds)


def _draw(series: dict[str, list[Statistic]], axes: Any) -> None:
    points(axes, [metric.short for metric in PUBLISHED], series, 'points of 100 gained in oracle mode')
    axes.axvline(0, color='#999999', linewidth=0.8)
