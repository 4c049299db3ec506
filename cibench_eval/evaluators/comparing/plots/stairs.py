"""Step lines: the same steps whatever their ends, and histogram outlines that are drawn as step lines."""

from __future__ import annotations

import re

import numpy as np

from cibench_eval.evaluators.comparing.plots.points import Table, table
from cibench_eval.plots import PlotSeries

FEWEST = 2
"""Fewest jumps of a step line."""
NEAR = 1e-9
"""Largest slant of a level or upright piece, as a share of the line's extent."""
WHERE = r'where|\bpost\b|\bpre\b|\bmid\b'
"""Words of questions that fix on which side of the points a line steps."""
GAPS = r'\bgaps?\b|missing|\bnan\b|break|interrupt|缺|间断'
"""Words of questions about missing values."""
STEEP = 2.0
"""Factor on the allowed distance between step lines whose description leaves steps out."""
LEVEL = 0.01
"""Largest rise of such a line beyond the other's end, as a share of its height."""


def trimmed(points: Table) -> Table | None:
    """The corners of a step line from its first level other than 0 to its last jump; None for other lines."""
    levels = _levels(points)
    if levels is None:
        return None
    x, y = levels
    corners = np.column_stack([np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]])
    return corners if len(corners) > 1 else None


def _together(points: Table, other: Table) -> Table:
    """A monotone line cut to the range that both lines have, if it is level outside of it."""
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
    """The beginning and the height of each level of a step line; None for other lines."""
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
    """Pairs of lines to compare: as they are, by their steps, and across gaps that the question does not mention.

    `many`: whether descriptions leave steps out, so that the lines are also compared where both are drawn.
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
    """Factor on the distance allowed between two lines: STEEP where both are monotone and lack some steps."""
    left_out = any(one.size > len(one.columns[0]) for one in (gold, answer))
    return STEEP if left_out and all(_is_monotone(one) for one in (gold, answer)) else 1.0


def _is_monotone(line: PlotSeries) -> bool:
    if line.kind != 'line' or len(line.columns) != 2:
        return False
    steps = np.diff(table(line), axis=0)
    return bool((steps[:, 0] >= 0).all() and ((steps[:, 1] >= 0).all() or (steps[:, 1] <= 0).all()))


def same_elsewhere(own: Table, shown: Table, near: Table, question: str) -> bool:
    """Whether two lines step through the same points on different sides, which the question leaves open."""
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
    """Turn step lines into bars where the other axes have bars and no lines."""
    if any(one.kind == 'line' for one in others) or not any(one.kind == 'bar' for one in others):
        return series
    if any(one.kind == 'bar' for one in series):
        return series
    return [_bars(one) or one for one in series]


def _bars(line: PlotSeries) -> PlotSeries | None:
    """The bars whose outline a line is; None for other lines."""
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
    """Drop an upright first piece from 0, and repeat the last corner of a line that ends level."""
    if len(points) > 1 and points[0, 0] == points[1, 0] and points[0, 1] == 0:
        points = points[1:]
    return np.append(points, points[-1:], axis=0) if len(points) % 2 == 0 else points
