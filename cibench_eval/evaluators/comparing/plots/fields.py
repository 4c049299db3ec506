"""Values over a plane (fields, contour lines, surfaces), compared whatever their grid or levels."""

from __future__ import annotations

from typing import Any

import numpy as np

from cibench_eval.evaluators.comparing.plots.points import Table, table
from cibench_eval.plots import PlotSeries

OVERLAP = 0.5
"""Least share of the gold's plane that an answer covers."""
SAME, MOST = 0.95, 0.98
"""Least share of equal places of two equal fields, and the most that other fields get."""
NEAR, HIGH = 1 / 300, 0.02
"""Largest difference of two values, and of the extremes of two surfaces, as a share of the range."""
STEEP = 0.04
"""Largest difference of two interpolated heights of surfaces, as a share of the range."""
CLASSES = 8
"""Most values of a field that shows classes, whose numbers mean nothing."""


def shared(gold: PlotSeries, answer: PlotSeries) -> float:
    """The share of the plane on which two fields are equal, as far as their levels tell."""
    low = np.maximum(gold.extent[::2], answer.extent[::2])
    high = np.minimum(gold.extent[1::2], answer.extent[1::2])
    size = np.array(gold.extent[1::2]) - gold.extent[::2]
    if (high <= low).any() or np.prod((high - low) / size) < OVERLAP:
        return 0.0
    cells = [min(sides) for sides in zip(gold.shape, answer.shape, strict=True)]
    own, shown = (_sampled(one, cells, low, high) for one in (gold, answer))
    near = NEAR * (_range(own) or 1.0)
    close = np.isclose(own, shown, rtol=0, atol=near) | (np.isnan(own) & np.isnan(shown))
    if gold.levels != answer.levels or gold.extent != answer.extent:
        near += (_step(gold) + _step(answer)) / 2
        least, greatest = (_of_neighbours(own, what) for what in (np.fmin, np.fmax))
        close |= (least - near <= shown) & (shown <= greatest + near)
    share = max(float(close.mean()), _as_classes(own, shown))
    return 1.0 if share >= SAME else min(share, MOST)


def _sampled(series: PlotSeries, cells: list[int], low: Table, high: Table) -> Table:
    """Sample a field at a grid between two corners, by the nearest values."""
    values = np.array([value for column in series.columns for value in column], float).reshape(series.shape)
    places = []
    for axis, (many, there) in enumerate(zip(cells[::-1], series.shape[::-1], strict=True)):
        begin, end = series.extent[2 * axis : 2 * axis + 2]
        at = low[axis] + (np.arange(many) + 0.5) / many * (high[axis] - low[axis])
        places.append(np.clip(((at - begin) / (end - begin) * there).astype(int), 0, there - 1))
    return values[np.ix_(places[1], places[0])]


def _of_neighbours(values: Table, what: Any) -> Table:
    """Take the least or the greatest value over each cell and its neighbours."""
    for axis in (0, 1):
        wide = np.concatenate([values.take([0], axis), values, values.take([-1], axis)], axis)
        first, middle, last = (wide.take(range(at, at + values.shape[axis]), axis) for at in range(3))
        values = what(what(first, middle), last)
    return values


def _range(values: Table) -> float:
    finite = values[np.isfinite(values)]
    return float(np.ptp(finite)) if finite.size else 0.0


def _step(series: PlotSeries) -> float:
    return float(np.diff(series.levels).max(initial=0.0))


def _as_classes(own: Table, shown: Table) -> float:
    """The share of places of the same class, where both fields have equally many classes."""
    from scipy.optimize import linear_sum_assignment

    if np.isnan(own).any() or np.isnan(shown).any():
        return 0.0
    (classes, one), (others, other) = (np.unique(values, return_inverse=True) for values in (own, shown))
    if len(classes) != len(others) or len(classes) > CLASSES:
        return 0.0
    together = np.zeros((len(classes), len(others)))
    np.add.at(together, (one.ravel(), other.ravel()), 1)
    rows, columns = linear_sum_assignment(together, maximize=True)
    return float(together[rows, columns].sum() / own.size)


def lines_shared(gold: PlotSeries, answer: PlotSeries) -> float:
    """The share of points on contour lines at which the other's lines give the same value."""
    if len(gold.columns) != 3 or len(answer.columns) != 3:
        return 0.0
    own, shown = (_finite(one) for one in (gold, answer))
    near = NEAR * (_range(own[:, 2]) or 1.0) + max(_between(own), _between(shown)) / 2
    share = min(_heights(own, shown, near), _heights(shown, own, near))
    return 1.0 if share >= SAME else min(share, MOST)


def _between(rows: Table) -> float:
    return float(np.diff(np.unique(rows[:, 2])).max(initial=0.0))


def _finite(series: PlotSeries) -> Table:
    rows = table(series)
    return rows[np.isfinite(rows).all(1)]


def surfaces_shared(gold: PlotSeries, answer: PlotSeries) -> float:
    """The share of corners of two surfaces that lie on the other surface."""
    own, shown = _finite(gold), _finite(answer)
    if min(len(own), len(shown)) < 4 or not _same_ends(gold, answer):
        return 0.0
    near = STEEP * (_range(own[:, 2]) or 1.0)
    share = min(_heights(own, shown, near), _heights(shown, own, near))
    return 1.0 if share >= SAME else min(share, MOST)


def _same_ends(gold: PlotSeries, answer: PlotSeries) -> bool:
    """Whether two surfaces have the same extent in each direction."""
    if not (len(gold.stats) == len(answer.stats) == 3):
        return False
    for own, shown in zip(gold.stats, answer.stats, strict=True):
        ends = np.array([own[:2], shown[:2]], float)
        if not (np.abs(ends[0] - ends[1]) <= HIGH * (np.ptp(ends[0]) or 1.0)).all():
            return False
    return True


def _heights(rows: Table, others: Table, near: float) -> float:
    """The share of points with the height that other points give by interpolation."""
    from scipy.interpolate import LinearNDInterpolator
    from scipy.spatial import QhullError

    if not len(others):
        return 0.0
    try:
        heights = LinearNDInterpolator(others[:, :2], others[:, 2], rescale=True)(rows[:, :2])
    except (QhullError, ValueError):
        return 0.0
    there = np.isfinite(heights)
    return float((np.abs(heights - rows[:, 2])[there] <= near).mean()) if there.sum() > len(rows) / 2 else 0.0
