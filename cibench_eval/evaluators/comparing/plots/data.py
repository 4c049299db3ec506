"""The data of two axes: the share of the gold's series that the answer draws, kind by kind.

Every line counts as one thing, and so do all bars together, all points and all boxes. Surplus series count against an
answer, but for error bars, the band around a line, the edge of an area and straight lines across the axes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import linear_sum_assignment

from cibench_eval.evaluators.comparing.numbers import NOISE
from cibench_eval.evaluators.comparing.plots import bars, curves, fields, points, stairs, violins
from cibench_eval.evaluators.comparing.plots.bars import NAMED
from cibench_eval.evaluators.comparing.plots.points import Table
from cibench_eval.evaluators.comparing.plots.texts import normal
from cibench_eval.plots import PlotAxes, PlotSeries

__all__ = ['NAMED', 'shared', 'spread']

POOLED = ('scatter', 'bar', 'barh', 'box', 'boxh', 'error', 'segments', 'arrow')
"""Kinds whose series are compared all together."""
FREE = ('error', 'level')
"""Kinds that an answer may add to what the gold draws."""
INSIDE = 0.8
"""Least share of a line that lies inside the band around it."""
OUTLINES = ('line', 'fill', 'contour', 'patch')
"""Kinds that are curves or outlines."""
FIELDS = {
    'field': fields.shared,
    'contour': fields.lines_shared,
    'surface': fields.surfaces_shared,
}
"""Kinds that are values over a plane."""
MOST_FIELDS = 5
"""Most of the answer's fields compared for each of the gold's: one comparison takes a third of a second."""
GREY = 1 / 300
"""Largest difference of two values of an image, as a share of its range: one level of grey."""
MOST_MARKERS = 500
"""Most markers on lines that are compared with points."""
CLOSED = 0.97
"""Least share of a patch's corners that lie on the line around it."""
ROUND = 0.9
"""Least distance of a circle's corners from its middle, as a share of the largest."""
MOST_CELLS = 0.98
"""Least share of a large image's values that are so near; small images need every one."""


def shared(gold: PlotAxes, answer: PlotAxes, tolerance: float, question: str = '') -> tuple[float, list[str], bool]:
    """The share of series in common, what is wrong, and whether tick labels were compared as names."""
    wanted = found = 0.0
    faults, named = [], False
    pair = AxesPair(gold, answer, tolerance, question)
    if all(pair.violins):
        wanted, found = 1.0, violins.violins_shared(*pair.violins)
        faults += [f'violins {found:.2f}'] if found < 1 else []
        named = any(one.name for one in pair.violins[0])
    for kind in dict.fromkeys(series.kind for series in (*pair.golds, *pair.answers)):
        own, shown = pair.of(kind)
        many, share, more = pair.compare(kind, own, shown)
        wanted, found = wanted + many + more, found + share
        if share < many - 1e-9:
            faults.append(f'{kind} {share / many:.2f}')
        if more:
            faults.append(f'{kind} that the gold has not')
        named = named or (bool(own) and kind in NAMED and bars.has_names(own, gold))
    return (found / wanted if wanted else 1.0), faults, named


@dataclass(frozen=True)
class AxesPair:
    """An axes of the gold and one of an answer."""

    gold: PlotAxes
    answer: PlotAxes
    tolerance: float
    question: str = ''

    @cached_property
    def violins(self) -> tuple[list[violins.Violin], list[violins.Violin]]:
        return violins.violins(self.gold), violins.violins(self.answer)

    @cached_property
    def golds(self) -> list[PlotSeries]:
        return stairs.as_bars(self._kept(self.gold), self._kept(self.answer))

    @cached_property
    def answers(self) -> list[PlotSeries]:
        return stairs.as_bars(self._kept(self.answer), self._kept(self.gold))

    def _kept(self, axes: PlotAxes) -> list[PlotSeries]:
        """The series that are compared one by one, without violins and the marks inside them."""
        series = _without_marks(axes)
        if all(self.violins):
            return [one for one in series if one.kind not in ('fill', *violins.INNER)]
        return violins.with_curves(series)

    def of(self, kind: str) -> tuple[list[PlotSeries], list[PlotSeries]]:
        """The series of a kind; markers on lines stand for points where the answer has no others."""
        own, shown = ([one for one in those if one.kind == kind] for those in (self.golds, self.answers))
        return own, shown or (_markers(self.answer) if kind == 'scatter' and own else [])

    def compare(self, kind: str, own: list[PlotSeries], shown: list[PlotSeries]) -> tuple[int, float, int]:
        """The number of things of a kind in the gold, how many the answer has of them, and its surplus."""
        if kind in POOLED:
            share = self.pooled(kind, own, shown) if own and shown else 0.0
            return min(len(own), 1), share, int(bool(shown) and not own and kind not in FREE)
        if not own or not shown:
            return len(own), 0.0, sum(not self.free(one) for one in shown)
        near = shown[: MOST_FIELDS * len(own)] if kind in FIELDS else shown
        scores = np.nan_to_num([[self.alone(one, other) for other in near] for one in own])
        rows, columns = linear_sum_assignment(scores, maximize=True)
        left = [one for place, one in enumerate(shown) if place not in set(columns.tolist())]
        return len(own), float(scores[rows, columns].sum()), sum(not self.free(one) for one in left)

    def pooled(self, kind: str, own: list[PlotSeries], shown: list[PlotSeries]) -> float:
        """The share in common of all series of a kind, taken together."""
        if kind in ('error', 'segments', 'arrow'):
            return points.rows_shared(own, shown, self.tolerance)
        compare = points.shared if kind == 'scatter' else bars.shared
        compare = bars.boxes_shared if kind in ('box', 'boxh') else compare
        return compare(own, shown, self.gold, self.answer, self.tolerance)

    def alone(self, one: PlotSeries, other: PlotSeries) -> float:
        """The share in common of two series; 0 for a series under the name of another one."""
        if self.gold.legend and self.answer.legend:
            name, label = normal(one.label), normal(other.label)
            names, labels = ({normal(series.label) for series in those} for those in (self.golds, self.answers))
            if name and label and name != label and (name in labels or label in names):
                return 0.0
        return self.one(one, other)

    def one(self, one: PlotSeries, other: PlotSeries) -> float:
        """The share in common of two series, whatever their names."""
        return _one(one, other, self.gold, self.answer, self.tolerance, self.question)

    def free(self, series: PlotSeries) -> bool:
        """Whether an answer may draw a series besides, because it says nothing new."""
        if series.kind in FREE:
            return True
        if series.kind == 'patch':
            return any(_is_around_it(series, line) for line in self.answers if line.kind == 'line')
        if series.kind == 'contour':
            return any(one.kind == 'field' for one in self.answers)
        if series.kind == 'line':
            return any(_is_edge(series, area) for area in self.answers if area.kind == 'fill')
        return series.kind == 'fill' and any(_is_around(series, line) for line in self.answers if line.kind == 'line')


def _is_edge(line: PlotSeries, area: PlotSeries) -> bool:
    """Whether a line runs along an end of an area."""
    return 'low' in area.fields and any(line.columns == _part(area, place).columns for place in (1, 2))


def _is_around_it(area: PlotSeries, line: PlotSeries) -> bool:
    """Whether a patch is the interior of a line."""
    ends = [[column[:2] for column in one.stats] for one in (area, line)]
    if not ends[0] or ends[0] != ends[1] or len(line.columns) != len(area.columns):
        return False
    corners, curve = (points.table(one) for one in (area, line))
    near = curves.VISIBLE * (np.ptp(corners, axis=0) + NOISE)
    return bool(curves.on_curve(corners / near, curve / near).mean() >= CLOSED)


def _is_around(area: PlotSeries, line: PlotSeries) -> bool:
    """Whether an area lies on both sides of a line, as an interval does."""
    if area.fields[:1] != ['x'] or 'low' not in area.fields or len(line.fields) != 2:
        return False
    places, lows, highs = points.table(area).T
    x, y = points.table(line).T
    low, high = (np.interp(x, places, ends) for ends in (lows, highs))
    slack = 0.01 * (high - low)
    return bool(((y > low + slack) & (y < high - slack)).mean() > INSIDE)


def _one(
    gold: PlotSeries, answer: PlotSeries, axes: PlotAxes, other: PlotAxes, tolerance: float, question: str
) -> float:
    """The share in common of two series of a kind that is not pooled."""
    if (gold.kind != 'field' and len(gold.columns) != len(answer.columns)) or gold.shape[2:] != answer.shape[2:]:
        return 0.0
    if gold.kind == 'image':
        return _images(gold, answer)
    if gold.kind == 'pie':
        return _pies(gold, answer, tolerance)
    if gold.kind in FIELDS and not (gold.kind == 'contour' and len(gold.columns) == 2):
        return FIELDS[gold.kind](gold, answer)
    if gold.kind == 'level':
        return _levels(gold, answer, axes, tolerance)
    if violins.is_density(gold) and violins.is_density(answer):
        gold, answer = violins.on_common_support(gold, answer)
    if gold.kind in OUTLINES:
        pair = points.thinned(gold, answer), points.thinned(answer, gold)
        return _curves(*pair, axes, other, question)
    return points.rows_shared([gold], [answer], tolerance)


def _without_marks(axes: PlotAxes) -> list[PlotSeries]:
    """The series without points that only mark all corners of the lines."""
    series = [one for one in axes.series if not _is_hole(one, axes)]
    lines = [one for one in series if one.kind == 'line']
    clouds = [one for one in series if one.kind == 'scatter']
    if len(clouds) != 1 or not lines or any(line.fields != clouds[0].fields for line in lines):
        return series
    corners = np.concatenate([points.table(line) for line in lines])
    corners = corners[np.isfinite(corners).all(1)]
    marked = points.table(clouds[0])
    if len(corners) != len(marked) or sum(line.size for line in lines) != clouds[0].size:
        return series
    same = np.allclose(*(rows[np.lexsort(rows.round(9).T)] for rows in (corners, marked)), rtol=1e-9, atol=1e-12)
    return [one for one in axes.series if one is not clouds[0]] if same else list(axes.series)


def _is_hole(series: PlotSeries, axes: PlotAxes) -> bool:
    """Whether a patch is the circle that makes a ring of a pie."""
    if series.kind != 'patch' or not any(one.kind == 'pie' for one in axes.series):
        return False
    far = np.hypot(*points.table(series)[:, :2].T)
    return bool(far.min() > far.max() * ROUND)


def _markers(axes: PlotAxes) -> list[PlotSeries]:
    """The points of the lines that have markers, as a cloud."""
    lines = [line for line in axes.series if line.kind == 'line' and line.marked]
    columns = [[value for line in lines for value in line.columns[place]] for place in (0, 1)]
    if not columns[0] or len(columns[0]) > MOST_MARKERS:
        return []
    return [PlotSeries(kind='scatter', size=len(columns[0]), fields=['x', 'y'], columns=columns)]


# Lines and areas.


def _curves(gold: PlotSeries, answer: PlotSeries, axes: PlotAxes, other: PlotAxes, question: str = '') -> float:
    """The share in common of two lines, outlines, or areas between two lines."""
    if len(gold.fields) == 3 and 'low' in gold.fields:
        if gold.fields != answer.fields:
            return 0.0
        ends = [(_part(gold, place), _part(answer, place)) for place in (1, 2)]
        return min(_curves(one, shown, axes, other) for one, shown in ends)
    first, second = points.table(gold), points.table(answer)
    second = _by_name(second, axes, other)
    if 'period' in (*gold.fields, *answer.fields) and gold.fields != answer.fields:
        second = _of_the_same_period(first, second)
    view = np.array([_width(axes, gold.fields[place : place + 1], first[:, place]) for place in range(first.shape[1])])
    slack = stairs.slack(gold, answer)
    if slack == 1 and not _same_stats(gold, answer, view):
        return 0.0
    for place, name in enumerate(gold.fields[:2]):
        if name in 'xy' and getattr(axes, name).scale == 'log':
            first[:, place], second[:, place] = (points.logs(table[:, place]) for table in (first, second))
            view[place] = _extent(first[:, place]) or 1.0
    share = max(curves.shared(*ways, view * slack) for ways in stairs.ways(first, second, question, slack > 1))
    return 1.0 if stairs.same_elsewhere(first, second, curves.VISIBLE * view, question) else share


def _part(area: PlotSeries, place: int) -> PlotSeries:
    """The lower or the upper end of an area, as a line."""
    along = area.fields[0]
    stats = [area.stats[0], area.stats[place]] if len(area.stats) == len(area.columns) else []
    fields = [along, 'xy'.replace(along, '')]
    return area.model_copy(update={'columns': [area.columns[0], area.columns[place]], 'fields': fields, 'stats': stats})


def _extent(column: Table) -> float:
    finite = column[np.isfinite(column)]
    return float(np.ptp(finite)) if finite.size else 0.0


def _width(axes: PlotAxes, name: list[str], column: Table) -> float:
    """The length of an axis, or else the range of the values."""
    axis = axes.y if name == ['y'] else axes.x if name in (['x'], ['period']) else None
    view = axis.view if axis else []
    return (abs(view[1] - view[0]) if len(view) == 2 else 0.0) or _extent(column) or 1.0


def _same_stats(gold: PlotSeries, answer: PlotSeries, view: Table) -> bool:
    """Whether least and greatest values are the same, where the kept points stand for many."""
    if gold.size == len(gold.columns[0]) or not gold.stats or len(gold.stats) != len(answer.stats):
        return True
    far = 10 * curves.VISIBLE * view
    for own, shown, most in zip(gold.stats, answer.stats, far, strict=False):
        if any(abs((a or 0.0) - (b or 0.0)) > most for a, b in zip(own[:2], shown[:2], strict=False)):
            return False
    return True


def _by_name(points: Table, axes: PlotAxes, other: PlotAxes) -> Table:
    """Move points over names to the places that the gold has for these names."""
    own, shown = (dict(zip(map(normal, one.x.tick_labels), one.x.ticks, strict=False)) for one in (axes, other))
    if not (axes.x.categorical and other.x.categorical) or set(own) != set(shown) or own == shown:
        return points
    moved = {shown[name]: own[name] for name in shown}
    turned = points.copy()
    turned[:, 0] = [moved.get(place, place) for place in points[:, 0]]
    return turned[np.argsort(turned[:, 0])]


def _of_the_same_period(gold: Table, answer: Table) -> Table:
    """Move points dated by periods to the gold's dates within these periods."""
    if gold.shape != answer.shape:
        return answer
    near = np.abs(gold[:, 0] - answer[:, 0]) < np.nanmedian(np.abs(np.diff(gold[:, 0]))) if len(gold) > 1 else [False]
    moved = answer.copy()
    moved[near, 0] = gold[near, 0]
    return moved


def _levels(gold: PlotSeries, answer: PlotSeries, axes: PlotAxes, tolerance: float) -> float:
    own, shown = points.table(gold)[0], points.table(answer)[0]
    if (np.isnan(own) != np.isnan(shown)).any():
        return 0.0
    place = int(np.isnan(own[0]))
    reach = _width(axes, ['xy'[place]], own[place : place + 1])
    return float(abs(own[place] - shown[place]) <= max(curves.VISIBLE * reach, tolerance * abs(own[place])))


# Images and pies.


def _images(gold: PlotSeries, answer: PlotSeries) -> float:
    """The share of equal cells; of a large image, of equal means, deviations and sampled cells."""
    if gold.shape != answer.shape:
        return 0.0
    own, shown = points.table(gold), points.table(answer)
    if own.shape != shown.shape:
        return 0.0
    if (gold.stats and answer.stats) and _in_shares(gold) != _in_shares(answer):
        own, shown = (table / (1 if _in_shares(one) else 255) for table, one in ((own, gold), (shown, answer)))
    finite = own[np.isfinite(own)]
    width = float(np.ptp(finite)) if finite.size else 0.0
    near = np.isclose(np.nan_to_num(own), np.nan_to_num(shown), rtol=0, atol=GREY * width + 1e-12)
    share = float(near.mean())
    return 1.0 if share >= (MOST_CELLS if gold.size > len(own) else 1.0) else min(share, 0.98)


def _in_shares(series: PlotSeries) -> bool:
    """Whether the values of an image lie between 0 and 1."""
    return all((one[0] or 0) >= 0 and (one[1] or 0) <= 1 for one in series.stats)


def _pies(gold: PlotSeries, answer: PlotSeries, tolerance: float) -> float:
    """The share of wedges with the same name and size; without names, with the same size."""
    near = max(tolerance, 1e-3)
    wedges = (
        [(normal(name), share or 0.0) for name, share in zip(one.names, one.columns[0], strict=True)]
        for one in (gold, answer)
    )
    own, shown = map(sorted, wedges)
    if not any(name for name, _ in shown) or not any(name for name, _ in own):
        own, shown = (sorted(('', share) for _, share in those) for those in (own, shown))
    same = sum(a[0] == b[0] and abs(a[1] - b[1]) <= near for a, b in zip(own, shown, strict=False))
    return same / max(len(own), len(shown))


def spread(axes: PlotAxes, place: int) -> tuple[float, float] | None:
    """Least and greatest x (place 0) or y (1) of what an axes draws; None if not known."""
    values: list[float] = []
    for series in axes.series:
        values += bars.reach(series, place) if series.kind in NAMED else _reach(series, place)
    return (min(values), max(values)) if values else None


def _reach(series: PlotSeries, place: int) -> list[float]:
    if series.kind == 'field':
        return series.extent[2 * place : 2 * place + 2]
    if series.kind in ('image', 'pie', 'level') or place >= len(series.columns):
        return []
    return [value for value in series.columns[place] if value is not None]
