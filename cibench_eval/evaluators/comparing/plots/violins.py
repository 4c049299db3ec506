"""Drawings of densities: violins by their outlines, curves on the range that they share."""

import numpy as np
from scipy.optimize import linear_sum_assignment

from cibench_eval.evaluators.comparing.plots.bars import Thing, tick_names
from cibench_eval.evaluators.comparing.plots.points import Table, table
from cibench_eval.evaluators.comparing.plots.texts import normal
from cibench_eval.plots import PlotAxes, PlotSeries

FLAT, NEAR = 1e-6, 0.05
"""Largest deviation of a violin's middle or side from a straight line, and of two densities, as shares of a width."""
OVERLAP = 0.6
"""Least share of a density's support that the other must cover."""
FEWEST, MANY = 10, 20
"""Fewest places of an outline, and of a curve that is cut."""
INNER = ('line', 'error', 'segments', 'level')
"""Kinds of series that mark quartiles, means and ranges inside violins."""


def violins(axes: PlotAxes) -> list[Thing]:
    """Read the areas of an axes as violins; empty if one of them is no violin."""
    for along, across in (('y', axes.x), ('x', axes.y)):
        areas = [one for one in axes.series if one.fields == [along, 'low', 'high']]
        gap = float(np.diff(np.unique(across.ticks)).min(initial=np.inf)) if across.tick_labels else 0.0
        found = [_violin(one, gap) for one in areas]
        there = [one for one in found if one is not None]
        if there and len(there) == len(found) and (along == 'y' or across.tick_labels):
            parts = zip(there, tick_names([one.place for one in there], across), areas, strict=True)
            return [one._replace(name=name, label=normal(area.label)) for one, name, area in parts]
    return []


def _violin(area: PlotSeries, gap: float) -> Thing | None:
    """A violin by its middle, its widths and its axis; a half one is no wider than a gap of names."""
    rows = table(area)
    rows = rows[np.isfinite(rows).all(1)]
    if len(rows) < FEWEST:
        return None
    places, low, high = rows.T
    widths = high - low
    for middle in ((low + high) / 2, *((low, high) if widths.max() <= gap else ())):
        if np.ptp(middle) <= FLAT * widths.max() + 1e-9 and np.ptp(widths) > NEAR * widths.max():
            return Thing('', '', float(middle[0]), (places, widths, area.fields[0]))
    return None


def pairs(own: list[Thing], shown: list[Thing]) -> int:
    """The number of pairs of violins with the same outline."""
    same = np.array([[_same(one, other) for other in shown] for one in own])
    return int(same[linear_sum_assignment(same, maximize=True)].sum())


def _same(one: Thing, other: Thing) -> bool:
    ends = [(violin.numbers[0].min(), violin.numbers[0].max()) for violin in (one, other)]
    low, high = max(end[0] for end in ends), min(end[1] for end in ends)
    if high - low < OVERLAP * (ends[0][1] - ends[0][0]) or one.numbers[2] != other.numbers[2]:
        return False
    at = np.linspace(low, high, 100)
    widths = [np.interp(at, *violin.numbers[:2]) for violin in (one, other)]
    return bool(np.abs(widths[0] / widths[0].max() - widths[1] / widths[1].max()).max() <= NEAR)


def on_common_range(points: Table, other: Table) -> tuple[Table, Table]:
    """Two curves cut to the range of both, if they stay at their ends' heights outside of it, as densities do."""
    low, high = max(points[0, 0], other[0, 0]), min(points[-1, 0], other[-1, 0])
    cut = [_cut(one, low, high) for one in (points, other)]
    return (points, other) if cut[0] is None or cut[1] is None else (cut[0], cut[1])


def _cut(points: Table, low: float, high: float) -> Table | None:
    x, y = points.T
    inside = (x >= low) & (x <= high)
    if not np.isfinite(points).all() or (np.diff(x) < 0).any() or inside.sum() < MANY:
        return None
    ends = np.minimum(abs(y - y[0]), abs(y - y[-1]))[~inside]
    if (ends > NEAR * np.ptp(y)).any():
        return None
    at = np.concatenate([[low], x[inside], [high]])
    return np.column_stack([at, np.interp(at, x, y)])


def as_curves(series: list[PlotSeries], others: list[PlotSeries]) -> list[PlotSeries]:
    """Turn areas from 0 up into curves where the other axes has no areas."""
    return series if any(one.kind == 'fill' for one in others) else [_curve(one) for one in series]


def _curve(area: PlotSeries) -> PlotSeries:
    """The upper end of an area from 0 up, as a line; other series as they are."""
    if area.kind != 'fill' or area.fields != ['x', 'low', 'high'] or any(area.columns[1]):
        return area
    columns, stats = ([those[0], those[2]] if those else [] for those in (area.columns, area.stats))
    return area.model_copy(update={'kind': 'line', 'fields': ['x', 'y'], 'columns': columns, 'stats': stats})
