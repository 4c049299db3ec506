"""Points and other rows of numbers in any order: the share that two sets have in common."""

from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from cibench_eval.evaluators.comparing.numbers import NOISE
from cibench_eval.evaluators.comparing.plots.texts import normal
from cibench_eval.plots import PlotAxes, PlotSeries

NEAR, AREA_NEAR = 1e-3, 0.02
"""Largest difference of two equal coordinates, and of areas, as a share of the gold's range."""
SMALL = 0.5
"""Greatest area of the smallest point that is seen to be small, as a share of the largest one's."""
SAMPLED = 0.98
"""Least share of equal points where the kept points stand for many."""

Table = Any
"""An array of points × coordinates; a missing value is not a number."""


def table(series: PlotSeries) -> Table:
    """The points of a series, one a row; nan for a missing value."""
    return np.array(series.columns, float).T


def logs(column: Table) -> Table:
    """Logarithms to the base 10; nan where there is none."""
    found = np.log10(column)
    return np.where(np.isfinite(found), found, np.nan)


def rows_shared(golds: list[PlotSeries], answers: list[PlotSeries], tolerance: float) -> float:
    """The share of rows that two lists of series have in common, whichever series they are in."""
    tables = [[table(one) for one in those] for those in (golds, answers)]
    if len({rows.shape[1] for those in tables for rows in those}) != 1:
        return 0.0
    own, shown = (np.concatenate(those) for those in tables)
    return _share(own, shown, _scales(own, tolerance), [sum(one.size for one in those) for those in (golds, answers)])


def shared(gold: PlotSeries, answer: PlotSeries, axes: PlotAxes, other: PlotAxes, tolerance: float) -> float:
    """The share of points that two clouds have in common, with the same groups and values."""
    own, shown = _places(gold, axes), _places(answer, other)
    if own.shape[1] != shown.shape[1]:
        return 0.0
    near = _scales(own, tolerance)
    share = _share(own, shown, near, [gold.size, answer.size])
    return min(share, *_marked(gold, answer, _close(own / near, shown / near), axes, tolerance)) if share else 0.0


def _places(series: PlotSeries, axes: PlotAxes) -> Table:
    """The coordinates of points, as their axes show them."""
    rows = table(series)[:, [place for place, name in enumerate(series.fields) if name in 'xyz']]
    for place, axis in enumerate((axes.x, axes.y)):
        if axis.scale == 'log':
            rows[:, place] = logs(rows[:, place])
    return rows


def _scales(rows: Table, tolerance: float) -> Table:
    """The largest difference of two equal values, by column."""
    return np.array([max(max(tolerance, NEAR) * _width(column), NOISE) for column in rows.T])


def extent(values: Table) -> float:
    """The range of all values that are not missing."""
    finite = values[np.isfinite(values)]
    return float(np.ptp(finite)) if finite.size else 0.0


def _width(column: Table) -> float:
    return extent(column) or float(np.nan_to_num(np.abs(column)).max()) or 1.0


def _share(gold: Table, answer: Table, near: Table, sizes: list[int]) -> float:
    """F1 of the rows with a near one in the other table; 1 only for equally many rows."""
    close = _close(gold / near, answer / near)
    recall, precision = close.any(1).mean(), close.any(0).mean()
    if not recall:
        return 0.0
    least = SAMPLED if sizes[0] > len(gold) else 1.0
    fewer = 2 * min(sizes) / sum(sizes)
    if min(recall, precision) >= least and fewer == 1:
        return 1.0
    return float(min(2 * recall * precision / (recall + precision), fewer, 0.99))


def _close(points: Table, others: Table) -> Table:
    """Which points are within 1 of which others in each coordinate, as an array of points × others."""
    close = np.ones((len(points), len(others)), bool)
    for own, other in zip(points.T, others.T, strict=True):
        gap = np.abs(np.subtract.outer(np.nan_to_num(own, nan=1e15), np.nan_to_num(other, nan=1e15)))
        close &= gap <= 1 + 1e-9
    return close


def _marked(gold: PlotSeries, answer: PlotSeries, close: Table, axes: PlotAxes, tolerance: float) -> list[float]:
    """Shares of points at the same places with the gold's groups, colour values and areas."""
    found = [1.0]
    values, areas = (_field(gold, name) for name in ('value', 'area'))
    if gold.groups and (values is not None or (axes.legend and any(gold.group_labels))):
        found.append(_grouped(gold, answer, close))
    elif values is not None:
        found.append(_valued(values, _field(answer, 'value'), close, max(tolerance, NEAR)))
    if areas is not None:
        theirs = _field(answer, 'area')
        theirs = None if theirs is None else _rescaled(theirs, areas)
        found.append(_valued(areas, theirs, close, AREA_NEAR))
    return [1.0 if share >= SAMPLED else min(share, 0.99) for share in found]


def _field(series: PlotSeries, name: str) -> Table | None:
    return table(series)[:, series.fields.index(name)] if name in series.fields else None


def _rescaled(areas: Table, golds: Table) -> Table:
    """Areas on the gold's scale; one with another zero tells the same, as long as it shows which points are small."""
    (low, high), (least, most) = ((np.nanmin(those), np.nanmax(those)) for those in (areas, golds))
    if high > low and low / high <= max(SMALL, least / most):
        return least + (areas - low) / (high - low) * (most - least)
    return areas / high * most


def _valued(values: Table, answers: Table | None, close: Table, near: float) -> float:
    """The share of points with the gold's value. Only places at which both have a point count."""
    if answers is None:
        return 0.5
    same = np.abs(np.subtract.outer(values, answers)) <= near * _width(values)
    return float((same & close).any(1).sum() / close.any(1).sum())


def _grouped(gold: PlotSeries, answer: PlotSeries, close: Table) -> float:
    """The share of points in the matching group; groups match by name, those without among each other, where both have
    the same names."""
    groups = answer.groups or [0] * close.shape[1]
    members = [np.eye(max(those) + 1)[those] for those in (gold.groups, groups)]
    together = np.minimum(close @ members[1], 1).T @ members[0]
    names, labels = ([normal(text) for text in those] for those in (gold.group_labels, answer.group_labels or ['']))
    if any(names) and {*filter(None, names)} == {*filter(None, labels)}:
        same = np.array([[name == label for name in names] for label in labels])
        together *= same[: len(together), : together.shape[1]]
    rows, columns = linear_sum_assignment(together, maximize=True)
    return float(together[rows, columns].sum() / close.any(1).sum())
