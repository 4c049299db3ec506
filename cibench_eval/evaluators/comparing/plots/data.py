"""The data of two axes: the share of the gold's series that the answer draws, kind by kind.

Every line counts as one thing, and so do all bars together, all points and all boxes. Surplus series count against an
answer, except error bars, the band around a line, the edge of an area and straight lines across the axes.
"""

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import linear_sum_assignment

from cibench_eval.evaluators.comparing.plots import bars, curves, fields, points, violins
from cibench_eval.evaluators.comparing.plots.bars import NAMED, Thing
from cibench_eval.evaluators.comparing.plots.places import orders_stacks
from cibench_eval.evaluators.comparing.plots.points import Table
from cibench_eval.evaluators.comparing.plots.texts import alike, normal
from cibench_eval.plots import PlotAxes, PlotSeries

POOLED = ('scatter', 'bar', 'barh', 'box', 'boxh', 'pie', 'error', 'segments', 'arrow')
"""Kinds whose series are compared all together."""
FREE = ('error', 'level')
"""Kinds that an answer may add to what the gold draws."""
BESIDE = {'contour': ('field',), 'patch': ('line', 'pie')}
"""Kinds that it may add beside others: lines over a field, the inside of a curve, the hole of a ring."""
INSIDE = 0.8
"""Least share of a line that lies inside the band around it."""
FIELDS = {'field': fields.shared, 'contour': fields.lines_shared, 'surface': fields.surfaces_shared}
"""Kinds that are values over a plane."""
MOST_FIELDS = 5
"""Most of the answer's fields compared for each of the gold's: one comparison takes a third of a second."""
GREY, MOST_CELLS = 1 / 300, 0.98
"""Largest difference of two values of an image, as a share of its range (one level of grey), and the least share of a
large image's values that are so near; small images need every one."""
GAPS = r'\bgaps?\b|missing|\bnan\b|break|interrupt|缺|间断'
"""Words of questions about missing values."""


def shared(gold: PlotAxes, answer: PlotAxes, tolerance: float, question: str = '') -> tuple[float, list[str], bool]:
    """The share of series in common, what is wrong, and whether tick labels were compared as names."""
    wanted = found = 0.0
    faults, named = [], False
    pair = AxesPair(gold, answer, tolerance, question)
    if all(pair.violins):
        wanted, found = 1.0, bars.in_common(*pair.violins, violins.pairs, labels=True)
        faults += [f'violins {min(round(100 * found), 99)} % right'] if found < 1 else []
        named = all(any(one.name for one in those) for those in pair.violins)
    if not (gold.series or gold.picture):
        wanted, found = 1.0, _words(gold.texts, answer.texts)
        faults += [f'words {min(round(100 * found), 99)} % right'] if found < 1 else []
    for kind in dict.fromkeys(one.kind for those in pair.kept for one in those):
        own, shown = ([one for one in those if one.kind == kind] for those in pair.kept)
        many, share, more = pair.compare(kind, own, shown)
        wanted, found = wanted + many + more, found + share
        if share < many - 1e-9:
            faults.append(f'{kind} {min(round(100 * share / many), 99)} % right')
        if more:
            faults.append(f'{kind} that the gold has not')
        if kind in NAMED and own and shown:
            both = bars.things(own, gold), bars.things(shown, answer)
            named = named or all(any(one.name for one in those) for those in both)
    return (found / wanted if wanted else 1.0), faults, named


def _words(own: list[str], shown: list[str]) -> float:
    """How much of two lists of words is alike, each word counted once: 2 × pairs / all."""
    same = alike(own, shown)
    return 2 * float(same[linear_sum_assignment(same, maximize=True)].sum()) / (len(own) + len(shown))


@dataclass(frozen=True)
class AxesPair:
    """An axes of the gold and one of an answer."""

    gold: PlotAxes
    answer: PlotAxes
    tolerance: float
    question: str = ''

    @cached_property
    def violins(self) -> tuple[list[Thing], list[Thing]]:
        return violins.violins(self.gold), violins.violins(self.answer)

    @cached_property
    def kept(self) -> list[list[PlotSeries]]:
        """The series of both that are compared one by one, without violins and the marks inside them."""
        sides = [(self.gold.series, self.answer.series), (self.answer.series, self.gold.series)]
        if all(self.violins):
            return [[one for one in own if one.kind not in ('fill', *violins.INNER)] for own, _ in sides]
        return [violins.as_curves(curves.as_bars(own, other), other) for own, other in sides]

    def compare(self, kind: str, own: list[PlotSeries], shown: list[PlotSeries]) -> tuple[int, float, int]:
        """The number of things of a kind in the gold, how many the answer has of them, and its surplus."""
        if kind in POOLED:
            share = self.pooled(kind, own, shown) if own and shown else 0.0
            return min(len(own), 1), share, int(not own and not all(map(self.free, shown)))
        if not own or not shown:
            return len(own), 0.0, sum(not self.free(one) for one in shown)
        near = shown[: MOST_FIELDS * len(own)] if kind in FIELDS else shown
        scores = np.nan_to_num([[self.alone(one, other) for other in near] for one in own])
        rows, columns = linear_sum_assignment(scores, maximize=True)
        found = [shown[place] for place in columns]
        left = [one for one in shown if not any(one is other or _repeats(one, other) for other in found)]
        return len(own), float(scores[rows, columns].sum()), sum(not self.free(one) for one in left)

    def pooled(self, kind: str, own: list[PlotSeries], shown: list[PlotSeries]) -> float:
        """The share in common of all series of a kind, taken together; 0 for a single one under the name of another."""
        if len(own) == len(shown) == 1 and self.misnamed(own[0], shown[0]):
            return 0.0
        if kind in ('error', 'segments', 'arrow'):
            return points.rows_shared(own, shown, self.tolerance)
        if kind == 'scatter':
            return points.shared(own[0], shown[0], self.gold, self.answer, self.tolerance)
        return bars.shared(own, shown, self.gold, self.answer, self.tolerance, orders_stacks(self.question))

    def alone(self, one: PlotSeries, other: PlotSeries) -> float:
        """The share in common of two series; 0 for a series under the name of another one."""
        return 0.0 if self.misnamed(one, other) else self.one(one, other)

    def misnamed(self, one: PlotSeries, other: PlotSeries) -> bool:
        """Whether the answer's series has the name of another one of the gold's, or the legends exchange both names."""
        name, label = normal(one.label), normal(other.label)
        if not (self.gold.legend and self.answer.legend and name and label and name != label):
            return False
        entries, others = ({*map(normal, axes.legend)} for axes in (self.gold, self.answer))
        return label in {normal(series.label) for series in self.kept[0]} or (label in entries and name in others)

    def one(self, one: PlotSeries, other: PlotSeries) -> float:
        """The share in common of two series of a kind that is not pooled, whatever their names."""
        if one.shape[2:] != other.shape[2:]:
            return 0.0
        if one.kind in FIELDS and not (one.kind == 'contour' and len(one.columns) == 2):
            return FIELDS[one.kind](one, other)
        if len(one.columns) != len(other.columns):
            return 0.0
        if one.kind == 'image':
            return min(_images(one, other), 0.5 if self.elsewhere(one, other) else 1.0)
        if one.kind in ('line', 'fill', 'patch', 'contour'):
            share = _curves(one, other, self.gold, self.question)
            lacks = share == 1 and one.kind in ('line', 'fill') and self.lacks_points(one, other)
            return 0.99 if lacks else share
        return points.rows_shared([one], [other], self.tolerance)

    def elsewhere(self, one: PlotSeries, other: PlotSeries) -> bool:
        """Whether an image lies over other numbers than the gold's, whose axes do not only count or name its cells.

        Pictures with channels have no numbers.
        """
        if one.shape[2:]:
            return False
        ends = [np.reshape(image.extent, (-1, 2)) for image in (one, other)]
        for name, cells, own, shown in zip('xy', one.shape[1::-1], *ends, strict=False):
            numbers = not any(getattr(axes, name).tick_labels for axes in (self.gold, self.answer))
            beside = np.abs(own - shown).max() / np.ptp(own) * cells
            if numbers and np.ptp(own) != cells and beside > bars.BESIDE * curves.ONE:
                return True
        return False

    def lacks_points(self, one: PlotSeries, other: PlotSeries) -> bool:
        """Whether one of two equal curves lacks points of the other that its axes would show, or marks other points."""
        (short, axes), (long, _) = sorted(((one, self.gold), (other, self.answer)), key=lambda side: side[0].size)
        first, second = points.table(short), points.table(long)
        if long.size != len(second) or any(curves.steps(those) is not None for those in (first, second)):
            return False
        view = np.array([_width(self.gold, name, column) for name, column in zip(one.fields, first.T, strict=True)])
        place = curves.run(first, second, view)
        if place is None:
            return one.marked and other.marked
        rest, ends = np.delete(second[:, 0], place), _view(axes, short.fields[0])
        there = first[~np.isnan(first[:, 0]), 0]
        apart = np.abs(rest - np.clip(rest, min(there, default=-np.inf), max(there, default=np.inf)))
        apart = apart > curves.VISIBLE * view[0]
        return bool((apart & (rest >= min(ends, default=-np.inf)) & (rest <= max(ends, default=np.inf))).any())

    def free(self, series: PlotSeries) -> bool:
        """Whether an answer may draw a series besides, because it says nothing new."""
        if series.kind in BESIDE:
            return any(one.kind in BESIDE[series.kind] for one in self.kept[1])
        if series.kind == 'line':
            diagonal = self.gold.kind == 'rectilinear' and series.columns[0] == series.columns[-1]
            guide = series.size == 2 or series.style not in ('', 'solid')  # a solid line of more points may be data
            if diagonal and (guide or all(one.kind == 'scatter' for one in self.kept[0])):
                return True
            areas = [area.columns for area in self.kept[1] if area.kind == 'fill']
            return any(series.columns == [area[0], end] for area in areas for end in area[1:])
        if series.kind == 'scatter':
            return self.at_texts(series)
        if series.kind == 'fill':
            return any(_is_around(series, line) for line in self.kept[1] if line.kind == 'line')
        return series.kind in FREE

    def at_texts(self, cloud: PlotSeries) -> bool:
        """Whether all points mark places that the gold's texts are about."""
        places = np.array([place for place in self.gold.text_places if place]).reshape(-1, 2)
        view = [_width(self.gold, name, column) for name, column in zip('xy', places.T, strict=True)]
        apart = np.abs(points.table(cloud)[:, None, :2] - places)
        return bool((apart <= curves.VISIBLE * np.array(view)).all(2).any(1).all())


def _repeats(series: PlotSeries, other: PlotSeries) -> bool:
    """Whether a line draws another once more, under no other name: as the edge of the area below it does."""
    names = {normal(series.label), normal(other.label)} - {''}
    return series.kind == 'line' and series.columns == other.columns and len(names) < 2


def _is_around(area: PlotSeries, line: PlotSeries) -> bool:
    """Whether an area lies on both sides of a line, as an interval does."""
    if area.fields[:1] != ['x'] or 'low' not in area.fields or len(line.fields) != 2:
        return False
    places, lows, highs = points.table(area).T
    x, y = points.table(line).T
    low, high = (np.interp(x, places, ends) for ends in (lows, highs))
    slack = 0.01 * (high - low)
    return bool(((y > low + slack) & (y < high - slack)).mean() > INSIDE)


# Lines and areas.


def _curves(gold: PlotSeries, answer: PlotSeries, axes: PlotAxes, question: str) -> float:
    """The share in common of two lines, outlines, or areas between two lines."""
    if 'low' in gold.fields:
        if gold.fields != answer.fields:
            return 0.0
        return min(_curves(_part(gold, place), _part(answer, place), axes, question) for place in (1, 2))
    first, second = points.table(gold), points.table(answer)
    view = np.array([_width(axes, name, column) for name, column in zip(gold.fields, first.T, strict=True)])
    if not _same_stats(gold, answer, view):
        return 0.0
    for place, axis in enumerate((axes.x, axes.y)):
        if axis.scale == 'log' and gold.fields[place] in 'xy':
            first[:, place], second[:, place] = (points.logs(table[:, place]) for table in (first, second))
            view[place] = points.extent(first[:, place]) or 1.0
    return max(curves.shared(*way, view) for way in _ways(first, second, question))


def _ways(first: Table, second: Table, question: str) -> list[tuple[Table, Table]]:
    """Pairs of lines to compare: as they are, by their steps, on the range of both, and across gaps."""
    found = [(first, second)]
    steps = [curves.steps(points) for points in (first, second)]
    if steps[0] is not None and steps[1] is not None:
        found.append((steps[0], steps[1]))
    if first.shape[1] == 2:
        found.append(violins.on_common_range(first, second))
    there = [points[np.isfinite(points).all(1)] for points in (first, second)]
    if question and not re.search(GAPS, question) and len(there[0]) == len(there[1]):
        found.append((there[0], there[1]))
    return found


def _part(area: PlotSeries, place: int) -> PlotSeries:
    """The lower or the upper end of an area, as a line."""
    along = area.fields[0]
    stats = [area.stats[0], area.stats[place]] if area.stats else []
    fields = [along, 'xy'.replace(along, '')]
    return area.model_copy(update={'columns': [area.columns[0], area.columns[place]], 'fields': fields, 'stats': stats})


def _view(axes: PlotAxes, name: str) -> list[float]:
    """The ends of the axis of a column; empty if not known."""
    axis = {'x': axes.x, 'period': axes.x, 'y': axes.y}.get(name)
    return axis.view if axis else []


def _width(axes: PlotAxes, name: str, column: Table) -> float:
    """The length of an axis, or else the range of the values."""
    return float(np.ptp(_view(axes, name) or [0.0])) or points.extent(column) or 1.0


def _same_stats(gold: PlotSeries, answer: PlotSeries, view: Table) -> bool:
    """Whether least and greatest values are the same, where the kept points stand for many."""
    if gold.size == len(gold.columns[0]) or not gold.stats or len(gold.stats) != len(answer.stats):
        return True
    ends = [np.array([one[:2] for one in series.stats], float) for series in (gold, answer)]
    return not (np.abs(ends[0] - ends[1]) > 10 * curves.VISIBLE * view[:, None]).any()


# Images.


def _images(gold: PlotSeries, answer: PlotSeries) -> float:
    """The share of equal cells; of a large image, of equal means, deviations and sampled cells."""
    own, shown = points.table(gold), points.table(answer)
    if gold.shape != answer.shape or own.shape != shown.shape:
        return 0.0
    if _in_shares(gold) != _in_shares(answer):
        own, shown = (table / (1 if _in_shares(one) else 255) for table, one in ((own, gold), (shown, answer)))
    near = np.isclose(np.nan_to_num(own), np.nan_to_num(shown), rtol=0, atol=GREY * points.extent(own) + 1e-12)
    share = float(near.mean())
    return 1.0 if share >= (MOST_CELLS if gold.size > len(own) else 1.0) else min(share, MOST_CELLS)


def _in_shares(series: PlotSeries) -> bool:
    """Whether the values of an image lie between 0 and 1."""
    return all((one[0] or 0) >= 0 and (one[1] or 0) <= 1 for one in series.stats)
