"""Curves: whether lines look the same, through whatever points; bars that show what steps do, clouds and markers."""

from typing import Any

import numpy as np

from cibench_eval.evaluators.comparing.plots.points import Table, table
from cibench_eval.plots import PlotAxes, PlotSeries

VISIBLE = 0.003
"""Largest distance of two equal curves, as a share of the view: about one pixel."""
SAMPLES = 300
"""Places at even distances along a curve that are looked for on the other."""
COVERED = 0.97
"""Least share of them on the other curve: a step or a gap at an end may differ."""
TINY = 1e-12
ONE = 1 + 1e-9
JUMPS = 2
"""Fewest jumps of a step line."""


def shared(gold: Table, answer: Table, view: Table) -> float:
    """The share that two curves have in common, 1 where they look the same; `view` has the lengths of the axes."""
    if not len(gold) or not len(answer):
        return 0.0
    if any(gold.shape == way.shape and _near(gold, way, view) for way in (answer, answer[::-1])):
        return 1.0
    first, second = gold / (VISIBLE * view), answer / (VISIBLE * view)
    recall, precision = _found(first, second), _found(second, first)
    if min(recall, precision) >= COVERED and _corners_on(first, second) and _corners_on(second, first):
        return 1.0
    return min(recall, precision, 0.99)


def _near(gold: Table, answer: Table, view: Table) -> bool:
    """Whether both go through the same points."""
    return bool(np.isclose(gold / view, answer / view, rtol=0, atol=VISIBLE, equal_nan=True).all())


def run(short: Table, long: Table, view: Table) -> slice | None:
    """Where the points of one line follow each other among the points of a longer one; None if they do not."""
    for begin in range(len(long) - len(short) + 1):
        place = slice(begin, begin + len(short))
        if any(_near(way, long[place], view) for way in (short, short[::-1])):
            return place
    return None


def _found(points: Table, curve: Table) -> float:
    """The share of a curve that lies on another."""
    places = _along(points)
    return float(on_curve(places, curve).mean()) if len(places) else 0.0


def _corners_on(points: Table, curve: Table) -> bool:
    """Whether all corners of a curve but one at either end lie on another curve."""
    on = on_curve(points, curve) | np.isnan(points).any(1)
    return bool(on[1:-1].all()) if len(on) > 2 else bool(on.any())


def _along(points: Table) -> Table:
    pieces = np.abs(np.diff(points, axis=0)).max(1) if len(points) > 1 else np.zeros(0)
    pieces = np.nan_to_num(pieces)
    reached = np.concatenate([[0.0], np.cumsum(pieces)])
    if reached[-1] < TINY:
        return points[~np.isnan(points).any(1)][:1]
    at = np.linspace(0, reached[-1], SAMPLES)
    begin = np.clip(np.searchsorted(reached, at, side='right') - 1, 0, len(pieces) - 1)
    part = (at - reached[begin]) / np.maximum(pieces[begin], TINY)
    places = points[begin] + np.clip(part, 0, 1)[:, None] * (points[begin + 1] - points[begin])
    return places[~np.isnan(places).any(1)]


def on_curve(points: Table, curve: Table) -> Table:
    """Which points are within 1, in each coordinate, of a straight piece of a curve."""
    begin, end = curve, np.concatenate([curve[1:], curve[-1:]])  # a single point is a piece, too
    there = np.isfinite(end - begin).all(1)
    begin, end = begin[there], end[there]
    sides = zip(points.T, np.minimum(begin, end).T, np.maximum(begin, end).T, strict=True)
    boxed = [(own[:, None] >= low - ONE) & (own[:, None] <= high + ONE) for own, low, high in sides]
    which, piece = np.logical_and.reduce(boxed).nonzero()
    own, begin, along = points[which], begin[piece], (end - begin)[piece]
    part = np.clip(((own - begin) * along).sum(1) / np.maximum((along**2).sum(1), TINY), 0, 1)
    on = (np.abs(begin + part[:, None] * along - own) <= ONE).all(1)
    return np.bincount(which[on], minlength=len(points)) > 0


# Steps.


def steps(points: Table) -> Table | None:
    """The corners of a step line from its first level other than 0 to its last jump; None for other lines."""
    if points.shape[1] != 2 or not np.isfinite(points).all():
        return None
    across, up = np.diff(points, axis=0).T
    if ((across != 0) & (up != 0)).any() or (across < 0).any() or min((across > 0).sum(), (up != 0).sum()) < JUMPS:
        return None
    x, y = np.concatenate([points[:-1][across > 0], points[-1:]]).T  # where levels begin
    new = np.append(True, np.diff(y) != 0)
    x, y = x[new], y[new]
    kept = slice(int(y[0] == 0), len(y) - int(y[-1] == 0))
    corners = np.column_stack([np.repeat(x[kept], 2)[1:], np.repeat(y[kept], 2)[:-1]])
    return corners if len(corners) > 1 else None


def as_bars(series: list[PlotSeries], others: list[PlotSeries]) -> list[PlotSeries]:
    """Turn step lines into bars where only the other axes has bars, and no lines."""
    kinds = {one.kind for one in others}
    if 'bar' not in kinds or 'line' in kinds or any(one.kind == 'bar' for one in series):
        return series
    return [_bars(one) or one for one in series]


def _bars(line: PlotSeries) -> PlotSeries | None:
    """The bars whose outline a line is; None for other lines."""
    if line.kind != 'line' or line.fields != ['x', 'y'] or line.size != len(line.columns[0]):
        return None
    points = table(line)
    if len(points) > 1 and points[0, 0] == points[1, 0] and points[0, 1] == 0:  # upright from 0
        points = points[1:]
    points = np.append(points, points[-1:], axis=0) if len(points) % 2 == 0 else points  # its end is level
    x, y = points.T
    if len(x) < 2 * JUMPS or (x[1:-1:2] != x[2::2]).any() or (y[:-1:2] != y[1::2]).any():
        return None
    edges = np.append(x[:1], x[1::2])
    columns = [((edges[1:] + edges[:-1]) / 2).tolist(), y[:-1:2].tolist(), [0.0] * (len(edges) - 1)]
    kept = {'columns': columns, 'size': len(columns[0]), 'fields': [], 'stats': [], 'style': 'outline'}
    return line.model_copy(update={'kind': 'bar', **kept})


# Markers.


def with_markers(gold: PlotAxes, answer: PlotAxes) -> tuple[PlotAxes, PlotAxes]:
    """Make one of a cloud of all points of lines and the markers of lines, which show the same.

    Where the gold alone has such a cloud, the answer gets a cloud of its lines' markers, with their places and colours.
    Where the answer alone has one, its lines get markers: it may add these to the gold's lines.
    """
    clouded, other = (any(one.kind == 'scatter' for one in axes.series) for axes in (gold, answer))
    if clouded and not other and _marked(gold) is not gold:
        answer = _clouded(answer)
    if other and not clouded:
        answer = _marked(answer)
    return gold, answer


def _marked(axes: PlotAxes) -> PlotAxes:
    """An axes with markers for its cloud; itself where the cloud has other points than those of some lines."""
    cloud = next(one for one in axes.series if one.kind == 'scatter')
    there, covered, series = _points(cloud, cloud), set(), []
    for one in axes.series:
        own = _points(one, cloud) if one.kind == 'line' else set()
        marked = bool(own) and own <= there
        covered |= own if marked else set()
        series += [one.model_copy(update={'marked': True}) if marked else one] if one is not cloud else []
    return axes.model_copy(update={'series': series}) if there and covered == there else axes


def _points(series: PlotSeries, cloud: PlotSeries) -> set[tuple[float | None, ...]]:
    """The points that are not missing; none where they are no places, or others of many than the cloud's."""
    if series.fields not in (['x', 'y'], ['period', 'y']):
        return set()
    if series.size != len(series.columns[0]) and (series.size, series.columns) != (cloud.size, cloud.columns):
        return set()
    return {point for point in zip(*series.columns, strict=True) if None not in point}


def _clouded(axes: PlotAxes) -> PlotAxes:
    """An axes with a cloud of the points of its lines that have markers, beside these."""
    lines = [one for one in axes.series if one.kind == 'line' and one.marked and len(one.columns) == 2]
    points = [(*point, place) for place, one in enumerate(lines) for point in zip(*one.columns, strict=True)]
    whole = all(len(one.tints) == 1 for one in lines) and sum(one.size for one in lines) == len(points)
    if not points or not whole:
        return axes
    *columns, groups = ([*column] for column in zip(*points, strict=True))
    look: dict[str, list[Any]] = {'tints': [one.tints[0] for one in lines]}
    if len({*look['tints']}) == 1:
        look = {'tints': look['tints'][:1]}
    else:
        look |= {'groups': groups, 'group_labels': [one.label for one in lines]}
    cloud = {'kind': 'scatter', 'size': len(points), 'fields': ['x', 'y'], 'columns': columns, **look}
    return axes.model_copy(update={'series': [*axes.series, PlotSeries.model_validate(cloud)]})
