"""What the gold of earlier steps is worth: oracle mode against end-to-end, metric by metric."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from cibench_eval.evaluators.metrics import METRICS
from cibench_eval.reports.analyses.drawing import points
from cibench_eval.reports.analyses.study import Analysis, LackingError, Share, Study
from cibench_eval.reports.layout import Cell, Table
from cibench_eval.reports.rows import Row

PUBLISHED = [metric for metric in METRICS if metric.published]
NOTE = 'Oracle less end-to-end, in points of 100. The mean is over the models of a split that have both modes.'


def oracle_gain(study: Study) -> Analysis:
    """How many points a model gains where it goes on from the gold (paper, §4.2).

    Raises:
        LackingError: no model has both modes.
    """
    all_gains = [(row, _gains(row)) for row in study.rows]
    gains = [(row, gain) for row, gain in all_gains if any(value is not None for value in gain)]
    if not gains:
        raise LackingError('no model has both modes')
    splits = list(dict.fromkeys(row.split for row, _ in gains))
    body: list[list[Cell]] = []
    series: dict[str, list[Share]] = {}
    for split in splits:
        own = [(row, gain) for row, gain in gains if row.split == split]
        body += [[Cell(split)]] if len(splits) > 1 else []
        body += [[Cell(row.model), *map(_cell, gain)] for row, gain in own]
        mean = [_mean([gain[number] for _, gain in own]) for number in range(len(PUBLISHED))]
        body += [[Cell(f'mean of {len(own)} models'), *map(_cell, mean)]] if len(own) > 1 else []
        series |= {f'{split}, mean' if len(own) > 1 else split: [Share(value, len(own)) for value in mean]}
    table = Table('What the gold of earlier steps is worth', ['', *(metric.short for metric in PUBLISHED)], body, NOTE)
    names = [metric.short for metric in PUBLISHED]
    draw = partial(points, names=names, series=series, label='points gained in oracle mode')
    return Analysis('oracle_gain', table, draw, 3.0)


def _gains(row: Row) -> tuple[float | None, ...]:
    pairs = [(row.score('oracle', one.name), row.score('end_to_end', one.name)) for one in PUBLISHED]
    return tuple(gold.value - own.value if gold and own else None for gold, own in pairs)


def _mean(values: Sequence[float | None]) -> float | None:
    there = [value for value in values if value is not None]
    return sum(there) / len(there) if there else None


def _cell(value: float | None) -> Cell:
    return Cell('–' if value is None else f'{value:+.1f}')
