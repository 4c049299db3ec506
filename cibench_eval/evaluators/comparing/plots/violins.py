"""Drawings of densities: violins by their outlines, curves on the support that they share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cibench_eval.evaluators.comparing.plots.bars import tick_names
from cibench_eval.evaluators.comparing.plots.points import Table, table
from cibench_eval.evaluators.comparing.plots.texts import normal
from cibench_eval.plots import PlotAxes, PlotSeries

FLAT = 1e-6
"""Largest deviation of a violin's middle or side from a straight line, as a share of its width."""
NEAR = 0.05
"""Largest distance of two densities, as a share of the greatest value."""
OVERLAP = 0.6
"""Least share of a density's support that the other must cover."""
TAIL = 0.05
"""Largest value of a density at its ends, as a share of its greatest."""
INNER = ('line', 'error', 'segments', 'level')
"""Kinds of series that mark quartiles, means and ranges inside violins."""


class Violin(NamedTuple):
    """One violin: the name at its tick, the name of its colour, and its widths at places along it."""

    name: str
    label: str
    places: Table
    widths: Table


def violins(axes: PlotAxes) -> list[Violin]:
    """Read the areas of an axes as violins; empty if one of them is no violin."""
    areas = [one for one in axes.series if one.kind == 'fill' and 'low' in one.fields]
    for along, across in (('y', axes.x), ('x', axes.y)):
        those = [one for one in areas if one.fields == [along, 'low', 'high']]
        found = [_violin(one) for one in those]
        if found and None not in found and (along == 'y' or across.tick_labels):
            centres = [one[0] for one in found if one is not None]
            names = tick_names(centres, across) or [''] * len(found)
            parts = zip(names, those, found, strict=True)
            return [Violin(name, normal(area.label), *one[1:]) for name, area, one in parts if one is not None]
    return []


def _violin(area: PlotSeries) -> tuple[float, Table, Table] | None:
    """The middle of a whole or half violin, and its widths at places along it."""
    rows = table(area)
    rows = rows[np.isfinite(rows).all(1)]
    if len(rows) < 10:
        return None
    places, low, high = rows.T
    widths = high - low
    for middle in ((low + high) / 2, low, high):
        if np.ptp(middle) <= FLAT * widths.max() + 1e-9 and np.ptp(widths) > NEAR * widths.max():
            return float(middle[0]), places, widths / widths.max()
    return None


def violins_shared(own: list[Violin], shown: list[Violin]) -> float:
    """The share of violins with the same name and outline."""
    if not any(one.name for one in shown) or not any(one.name for one in own):
        own, shown = ([one._replace(name='') for one in those] for those in (own, shown))
    if not all(one.label for one in (*own, *shown)):
        own, shown = ([one._replace(label='') for one in those] for those in (own, shown))
    left, found = list(shown), 0
    for violin in own:
        those = [one for one in left if one[:2] == violin[:2] and _same(violin, one)]
        if those:
            left = [one for one in left if one is not those[0]]
            found += 1
    return 2 * found / (len(own) + len(shown))


def _same(one: Violin, other: Violin) -> bool:
    ends = [(violin.places.min(), violin.places.max()) for violin in (one, other)]
    low, high = max(end[0] for end in ends), min(end[1] for end in ends)
    if high - low < OVERLAP * (ends[0][1] - ends[0][0]):
        return False
    at = np.linspace(low, high, 100)
    widths = [np.interp(at, violin.places, violin.widths) for violin in (one, other)]
    return bool(np.abs(widths[0] / widths[0].max() - widths[1] / widths[1].max()).max() <= NEAR)


# Curves of density.


def is_density(line: PlotSeries) -> bool:
    """Whether a line is a density that falls to about 0 at both ends."""
    if line.kind != 'line' or line.fields != ['x', 'y'] or len(line.columns[0]) < 20:
        return False
    x, y = table(line).T
    if not np.isfinite([x, y]).all() or (np.diff(x) <= 0).any() or y.min() < 0:
        return False
    inside = float(((y[1:] + y[:-1]) / 2 * np.diff(x)).sum())
    return max(y[0], y[-1]) <= TAIL * y.max() and 0.1 < inside < 1.02


def with_curves(series: list[PlotSeries]) -> list[PlotSeries]:
    """Turn areas under densities into the density curves."""
    return [_curve(one) or one for one in series]


def _curve(area: PlotSeries) -> PlotSeries | None:
    if area.kind != 'fill' or area.fields != ['x', 'low', 'high'] or any(area.columns[1]):
        return None
    columns, stats = [area.columns[0], area.columns[2]], [area.stats[0], area.stats[2]] if area.stats else []
    line = area.model_copy(update={'kind': 'line', 'fields': ['x', 'y'], 'columns': columns, 'stats': stats})
    return line if is_density(line) else None


def on_common_support(gold: PlotSeries, answer: PlotSeries) -> tuple[PlotSeries, PlotSeries]:
    """Cut two densities to their common support, unless one has more than a tail outside of it."""
    ends = [(one.columns[0][0], one.columns[0][-1]) for one in (gold, answer)]
    low, high = max(end[0] or 0 for end in ends), min(end[1] or 0 for end in ends)
    if high <= low:
        return gold, answer
    cut = [_between(one, low, high) for one in (gold, answer)]
    return (gold, answer) if None in cut else (cut[0] or gold, cut[1] or answer)


def _between(line: PlotSeries, low: float, high: float) -> PlotSeries | None:
    x, y = table(line).T
    inside = (x >= low) & (x <= high)
    if max(y[~inside], default=0.0) > TAIL * y.max() or inside.sum() < 2:
        return None
    at = np.concatenate([[low], x[inside], [high]])
    columns = [at.tolist(), np.interp(at, x, y).tolist()]
    return line.model_copy(update={'columns': columns, 'size': len(at), 'stats': []})
