"""Points and other rows of numbers in any order: the share that two sets have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from cibench_eval.evaluators.comparing.numbers import NOISE
from cibench_eval.evaluators.comparing.plots.texts import normal
from cibench_eval.plots import PlotAxes, PlotSeries

NEAR = 1e-3
"""Largest difference of two equal coordinates, as a share of the gold's range."""
SAMPLED = 0.98
"""Least share of equal points where the kept points stand for many."""
LEAST = 11
"""Fewest points that a kernel keeps of a long series."""

Table = Any
"""An array of points × coordinates; a missing value is not a number."""


def table(series: PlotSeries) -> Table:
    """The points of a series, one a row; nan for a missing value."""
    length = min((len(column) for column in series.columns), default=0)
    return np.array([column[:length] for column in series.columns], float).reshape(len(series.columns), length).T


def thinned(series: PlotSeries, other: PlotSeries) -> PlotSeries:
    """Cut a series to as many points as were kept of `other`, which is as long: every second, fourth, …."""
    length, fewer = (min(map(len, one.columns), default=0) for one in (series, other))
    if series.size != other.size or fewer < LEAST or length <= fewer:
        return series
    step = 1
    while -(-length // step) > fewer:
        step *= 2
    if -(-length // step) != fewer:
        return series
    kept = {'columns': [column[::step] for column in series.columns], 'groups': series.groups[::step]}
    return series.model_copy(update=kept)


def logs(column: Table) -> Table:
    """Logarithms to the base 10; nan where there is none."""
    with np.errstate(divide='ignore', invalid='ignore'):
        found = np.log10(column)
    return np.where(np.isfinite(found), found, np.nan)


def rows_shared(golds: list[PlotSeries], answers: list[PlotSeries], tolerance: float) -> float:
    """The share of rows that two lists of series have in common, whichever series they are in."""
    if len(golds) == len(answers) == 1:
        golds, answers = [thinned(golds[0], answers[0])], [thinned(answers[0], golds[0])]
    tables = [[table(one) for one in those] for those in (golds, answers)]
    widths = {rows.shape[1] for those in tables for rows in those}
    if len(widths) != 1:
        return 0.0
    own, shown = (np.concatenate(those) for those in tables)
    sizes = [sum(one.size for one in those) for those in (golds, answers)]
    return _share(own, shown, scales(own, tolerance), sizes)


def scales(rows: Table, tolerance: float) -> Table:
    """The largest difference of two equal values, by column."""
    near = max(tolerance, NEAR)
    return np.array([max(near * _width(column), NOISE) for column in rows.T])


def _width(column: Table) -> float:
    finite = column[np.isfinite(column)]
    if not finite.size:
        return 1.0
    return float(np.ptp(finite)) or float(np.abs(finite).max()) or 1.0


def shared(
    golds: list[PlotSeries], answers: list[PlotSeries], gold: PlotAxes, answer: PlotAxes, tolerance: float
) -> float:
    """The share of points that two clouds have in common, with the same groups and values."""
    own, shown = thinned(golds[0], answers[0]), thinned(answers[0], golds[0])
    first, second = (_columns(one, axes) for one, axes in ((own, gold), (shown, answer)))
    if first.shape[1] != second.shape[1]:
        return 0.0
    near = scales(first, tolerance)
    share = _share(first, second, near, [own.size, shown.size])
    return min(share, *_marked(own, shown, first / near, second / near, gold, tolerance)) if share else 0.0


def _columns(series: PlotSeries, axes: PlotAxes) -> Table:
    """The coordinates of points, as their axes show them."""
    rows = table(series)
    places = [place for place, name in enumerate(series.fields or 'xyz'[: rows.shape[1]]) if name in 'xyz']
    rows = rows[:, places].copy()
    for place, axis in enumerate((axes.x, axes.y)):
        if axis.scale == 'log':
            rows[:, place] = logs(rows[:, place])
    return rows


def _share(gold: Table, answer: Table, near: Table, sizes: list[int]) -> float:
    """F1 of the rows with a near one in the other table; 1 only for equally many rows."""
    if not len(gold) or not len(answer):
        return 0.0
    own, others = _found(gold / near, answer / near), _found(answer / near, gold / near)
    recall, precision = own.mean(), others.mean()
    if not recall or not precision:
        return 0.0
    least = SAMPLED if sizes[0] > len(gold) else 1.0
    fewer = 2 * min(sizes) / sum(sizes)
    if min(recall, precision) >= least and fewer == 1:
        return 1.0
    return float(min(2 * recall * precision / (recall + precision), fewer, 0.99))


def _found(points: Table, others: Table) -> Table:
    return _close(points, others).any(1)


def _close(points: Table, others: Table) -> Table:
    close = np.ones((len(points), len(others)), bool)
    for own, other in zip(points.T, others.T, strict=True):
        gap = np.abs(np.subtract.outer(np.nan_to_num(own, nan=1e15), np.nan_to_num(other, nan=1e15)))
        close &= gap <= 1 + 1e-9
    return close


def _marked(
    gold: PlotSeries, answer: PlotSeries, own: Table, shown: Table, axes: PlotAxes, tolerance: float
) -> list[float]:
    """Shares of points at the same places with the gold's groups, colour values and areas."""
    close = _close(own, shown)
    there = np.flatnonzero(close.any(1))
    found = [1.0]
    values, areas = (_field(gold, name) for name in ('value', 'area'))
    if len(gold.groups) == len(own) and (values is not None or (axes.legend and any(gold.group_labels))):
        found.append(_grouped(gold, answer, there, close))
    elif values is not None:
        found.append(_valued(values[there], _field(answer, 'value'), close[there], tolerance))
    if areas is not None:
        theirs = _field(answer, 'area')
        theirs = None if theirs is None else theirs / np.nanmax(theirs) * np.nanmax(areas)
        found.append(_valued(areas[there], theirs, close[there], 0.02))
    return [1.0 if share >= SAMPLED else min(share, 0.99) for share in found]


def _field(series: PlotSeries, name: str) -> Table | None:
    return table(series)[:, series.fields.index(name)] if name in series.fields else None


def _valued(values: Table, answers: Table | None, close: Table, tolerance: float) -> float:
    """The share of points with a point of the same value at their place."""
    if answers is None:
        return 0.5
    near = max(tolerance, NEAR) * _width(values)
    same = np.abs(np.subtract.outer(values, answers)) <= near
    return float((same & close).any(1).mean()) if len(values) else 0.0


def _grouped(gold: PlotSeries, answer: PlotSeries, there: Table, close: Table) -> float:
    """The share of points in the matching group; groups match by name where both have the same names."""
    from scipy.optimize import linear_sum_assignment

    if len(answer.groups) != close.shape[1]:
        answer_groups, answer_labels = np.zeros(close.shape[1], int), ['']
    else:
        answer_groups, answer_labels = np.array(answer.groups), answer.group_labels
    own = np.array(gold.groups)[there]
    table_ = np.zeros((max(gold.groups) + 1, int(answer_groups.max(initial=0)) + 1))
    names, labels = ([normal(text) for text in those] for those in (gold.group_labels, answer_labels))
    by_name = all(names) and set(names) == set(labels)
    for place, number in zip(there, own, strict=True):
        those = {int(answer_groups[other]) for other in np.flatnonzero(close[place])}
        for other in those:
            if not by_name or names[number] == labels[other]:
                table_[number, other] += 1
    rows, columns = linear_sum_assignment(table_, maximize=True)
    return float(table_[rows, columns].sum() / max(len(own), 1))
