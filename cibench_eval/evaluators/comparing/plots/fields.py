"""Values over a plane (fields, contour lines, surfaces), compared whatever their grid or levels."""

import numpy as np

from cibench_eval.evaluators.comparing.plots.points import Table, extent, rows_shared, table
from cibench_eval.plots import PlotSeries

OVERLAP = 0.5
"""Least share of the gold's plane that an answer covers."""
SAME, MOST = 0.95, 0.98
"""Least share of equal places of two equal fields, and the most that other fields get."""
NEAR, STEEP = 1 / 300, 0.04
"""Largest difference of two values, and of two interpolated heights of surfaces, as a share of the range."""


def shared(gold: PlotSeries, answer: PlotSeries) -> float:
    """The share of the plane on which two fields are equal, as far as their levels tell."""
    low = np.maximum(gold.extent[::2], answer.extent[::2])
    high = np.minimum(gold.extent[1::2], answer.extent[1::2])
    size = np.array(gold.extent[1::2]) - gold.extent[::2]
    if (high <= low).any() or np.prod((high - low) / size) < OVERLAP:
        return 0.0
    cells = [min(sides) for sides in zip(gold.shape, answer.shape, strict=True)]
    own, shown = (_sampled(one, cells, low, high) for one in (gold, answer))
    steps = 0.0 if gold.levels == answer.levels else (_step(gold.levels) + _step(answer.levels)) / 2
    close = np.isclose(own, shown, rtol=0, atol=NEAR * (extent(own) or 1.0) + steps) | (np.isnan(own) & np.isnan(shown))
    share = float(close.mean())
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


def _step(levels: Table) -> float:
    """The largest distance of two neighbouring levels."""
    return float(np.diff(levels).max(initial=0.0))


def lines_shared(gold: PlotSeries, answer: PlotSeries) -> float:
    """The share of points on contour lines at which the other's lines give the same value."""
    own, shown = _finite(gold), _finite(answer)
    if own.shape[1] != 3 or shown.shape[1] != 3:
        return 0.0
    steps = max(_step(np.unique(rows[:, 2])) for rows in (own, shown))
    return _of_one_height(own, shown, NEAR * (extent(own[:, 2]) or 1.0) + steps / 2)


def surfaces_shared(gold: PlotSeries, answer: PlotSeries) -> float:
    """The share of corners that two surfaces have in common, or that lie on the other one, if it has one height.

    Where not all corners are known, those that are have to be the same ones.
    """
    own, shown = _finite(gold), _finite(answer)
    if all(one.size == len(one.columns[0]) for one in (gold, answer)):
        corners = rows_shared([gold], [answer], NEAR)
    else:
        scale = np.array([extent(column) or 1.0 for column in own.T])
        corners = float(own.shape == shown.shape and np.allclose(own / scale, shown / scale, rtol=0, atol=NEAR))
    return max(corners, _of_one_height(own, shown, STEEP * (extent(own[:, 2]) or 1.0)))


def _finite(series: PlotSeries) -> Table:
    rows = table(series)
    return rows[np.isfinite(rows).all(1)]


def _of_one_height(own: Table, shown: Table, near: float) -> float:
    share = min(_heights(own, shown, near), _heights(shown, own, near))
    return 1.0 if share >= SAME else min(share, MOST)


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
