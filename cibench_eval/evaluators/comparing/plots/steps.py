"""Lines that go in steps: the same steps however they begin and end, and outlines of histograms that are such lines."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from cibench_eval.evaluators.comparing.plots.points import table
from cibench_eval.plots import PlotSeries

FEWEST = 2
"""Steps up or down that a line has at least."""
NEAR = 1e-9
"""How far off, as a share of its width, a piece may be that is level or upright."""
WHERE = r'where|\bpost\b|\bpre\b|\bmid\b'
"""Words by which a question says where the steps of a line are."""
GAPS = r'\bgaps?\b|missing|\bnan\b|break|interrupt|缺|间断'
"""Words by which a question speaks of missing values."""
STEEP = 2.0
"""What may be between lines in many steps, of which some are left out, by what may be between others."""
LEVEL = 0.01
"""By what, as a share of its height, such a line may rise where the other one has ended."""

Table = Any


def trimmed(points: Table) -> Table | None:
    """The corners of a line in steps, from its first level that is not 0 to its last jump; None where it is none."""
    levels = _levels(points)
    if levels is None:
        return None
    x, y = levels
    corners = np.column_stack([np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]])
    return corners if len(corners) > 1 else None


def _together(points: Table, other: Table) -> Table:
    """A line that only rises or falls where both are, if it is level elsewhere."""
    x, y = points.T
    low, high = max(x[0], other[0, 0]), min(x[-1], other[-1, 0])
    inside = (x >= low) & (x <= high)
    ends = np.minimum(abs(y - y[0]), abs(y - y[-1]))[~inside]
    if not inside.any() or (ends > LEVEL * np.ptp(y)).any():
        return points
    added = [
        [[end, np.interp(end, x, y)]] if out.any() else points[:0] for end, out in ((low, x < low), (high, x > high))
    ]
    return np.concatenate([added[0], points[inside], added[1]])


def _levels(points: Table) -> tuple[Table, Table] | None:
    """Where each level of a line in steps begins, and how high it is."""
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2 * FEWEST or not np.isfinite(points).all():
        return None
    across, up = np.diff(points, axis=0).T
    width, height = np.ptp(points, axis=0)
    level, upright = np.abs(up) <= NEAR * height, np.abs(across) <= NEAR * width
    if not (level | upright).all() or (across < 0).any() or (~level).sum() < FEWEST or (~upright).sum() < FEWEST:
        return None
    along = np.flatnonzero(~upright)
    x, y = np.append(points[along, 0], points[-1, 0]), np.append(points[along, 1], points[-1, 1])
    new = np.append(True, np.abs(np.diff(y)) > NEAR * height)
    x, y = x[new], y[new]
    first, last = int(y[0] == 0), len(y) - int(y[-1] == 0)
    return x[first:last], y[first:last]


def ways(own: Table, shown: Table, question: str, many: bool) -> list[tuple[Table, Table]]:
    """Two lines as they are, as their steps, and on over missing values of which the question says nothing.

    Of `many` steps some are left out; only where both are.
    """
    found = [(own, shown)]
    steps = [trimmed(points) for points in (own, shown)]
    if steps[0] is not None and steps[1] is not None:
        found.append((steps[0], steps[1]))
    elif many:
        found.append((_together(own, shown), _together(shown, own)))
    there = [points[np.isfinite(points).all(1)] for points in (own, shown)]
    if question and not re.search(GAPS, question) and len(there[0]) == len(there[1]) > 0:
        found.append((there[0], there[1]))
    return found


def slack(gold: PlotSeries, answer: PlotSeries) -> float:
    """How much farther lines that only rise or fall may be apart: of their steps some are left out."""
    left_out = any(one.size > len(one.columns[0]) for one in (gold, answer))
    return STEEP if left_out and all(_is_monotone(one) for one in (gold, answer)) else 1.0


def _is_monotone(line: PlotSeries) -> bool:
    if line.kind != 'line' or len(line.columns) != 2:
        return False
    steps = np.diff(table(line), axis=0)
    return bool((steps[:, 0] >= 0).all() and ((steps[:, 1] >= 0).all() or (steps[:, 1] <= 0).all()))


def same_elsewhere(own: Table, shown: Table, near: Table, question: str) -> bool:
    """Whether two lines step through the same points, before, behind or between them, as the question leaves it."""
    levels, others = _levels(own), _levels(shown)
    if levels is None or others is None or not question or re.search(WHERE, question):
        return False
    (x, y), (places, heights) = levels, others
    if len(y) == len(heights):
        between, gaps = (x[1:] + x[:-1]) / 2, (places[1:] + places[:-1]) / 2
        middle = _close(between, places[1:], near[0]) or _close(x[1:], gaps, near[0])
        return middle and _close(y, heights, near[1])
    if len(y) < len(heights):
        x, y, places, heights = places, heights, x, y
    return _close(x[:-1], places, near[0]) and _close(y[1:], heights, near[1])


def _close(one: Table, other: Table, near: float) -> bool:
    return len(one) == len(other) > 1 and bool((np.abs(one - other) <= near).all())


def as_bars(series: list[PlotSeries], others: list[PlotSeries]) -> list[PlotSeries]:
    """Series in which lines in steps are bars, where the others have bars and no lines."""
    if any(one.kind == 'line' for one in others) or not any(one.kind == 'bar' for one in others):
        return series
    if any(one.kind == 'bar' for one in series):
        return series
    return [_bars(one) or one for one in series]


def _bars(line: PlotSeries) -> PlotSeries | None:
    """The bars of which a line is the upper end; what it says at the last place belongs to none."""
    if line.kind != 'line' or line.fields != ['x', 'y'] or line.size != len(line.columns[0]):
        return None
    points = _without_foot(table(line))
    x, y = points.T
    if len(x) < 4 or len(x) % 2 == 0 or (x[1:-1:2] != x[2::2]).any() or (y[:-1:2] != y[1::2]).any():
        return None
    edges = np.append(x[:1], x[1::2])
    columns = [((edges[1:] + edges[:-1]) / 2).tolist(), y[:-1:2].tolist(), [0.0] * (len(edges) - 1)]
    kept = {'columns': columns, 'size': len(columns[0]), 'fields': [], 'stats': [], 'style': 'outline'}
    return line.model_copy(update={'kind': 'bar', **kept})


def _without_foot(points: Table) -> Table:
    """A line without the upright piece from 0 at its begin; one that ends level has its last corner twice."""
    if len(points) > 1 and points[0, 0] == points[1, 0] and points[0, 1] == 0:
        points = points[1:]
    return np.append(points, points[-1:], axis=0) if len(points) % 2 == 0 else points
