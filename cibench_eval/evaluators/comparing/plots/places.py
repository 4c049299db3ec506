"""Places in a plot, as far as the question fixes them: the order of categories and stacks, the places of panels."""

from __future__ import annotations

import functools
import itertools
import re

import numpy as np

from cibench_eval.evaluators.comparing.plots.bars import NAMED
from cibench_eval.evaluators.comparing.plots.texts import normal
from cibench_eval.evaluators.comparing.questions import Question
from cibench_eval.plots import Plot, PlotAxes, PlotAxis, PlotSeries

AT_END = (
    r'(larg|small|high|low|great|bigg|long|short|old|young|earli|lat)e(st|r)( \w+)? (at|on|to) the|'
    r'\b(most|least) \w+( \w+)? (first\b(?! names?\b)|(at|on|to) the)'
)
"""Words by which a question puts the largest, or the like, at an end."""
GIVEN = r'\bin (the |their |its |this )?(\w+ )?order\b|按[^，。]*[顺次]序'
"""Words by which a question gives the order itself, not only what to sort by."""
HEIGHT = r'\b(at the|on) (top|bottom)\b(?! (of|left|right|cent))|[在从][^，。]{0,4}[上下顶底]'
"""Words by which a question says what stands above."""
LEGEND = r'\blegend\b[^.;,]*|图例[^，。]*'
DIRECTION = r'descend|ascend|decreas|increas|high|low|larg|small|most|least|great|[升降高低大小]'
"""Words that also give the direction."""
UPRIGHT = r'\btop\b|\bbottom\b|\babove\b|\bbelow\b|\bupper|\blower|[上下]'
"""Words that say which end of a vertical order is above."""
STACKED = r'stack[^.;]*\border|\border[^.;]*stack|from (the )?(bottom|below|ground)|自下而上|从下'
"""Words by which a question fixes the order of a stack's parts."""
SHAPE = (
    r'\d\s*[x×]\s*\d+(?! ?(pixel|point|cell|image|matri|px))|\b(\w+) rows? (and|of|by)\b|\brows? and\b|'
    r'side by side|next to each other|beside (each|one)|one (above|below|under|over|on top of)|'
    r'(above|below|under|on top of) (each|one)|vertical(ly)? stack|stacked vertical|'
    r'\b(in|as) (a|one|a single) (single )?(row|column)\b|左右|上下|并排|行\w*列'
)
"""Words by which a question fixes the rows and columns of panels."""
SIDE = (
    r'\b(left|right)\b(?![- ]?(hand )?(\w )?[- ]?(y|axis))|\bupper\b|\blower\b|\btop\b|\bbottom\b|'
    r'\b(first|second|third|last) (panel|subplot|axes|plot|row|column)|左|右|上[图面方边]|下[图面方边]'
)
"""Words by which a question fixes what a panel shows."""
SORTED = 4
"""Fewest bars whose order by size is no chance."""
NEAR = 1e-6


@functools.lru_cache(maxsize=256)
def asks_order(question: str) -> bool:
    """Whether order counts, as it does without any question."""
    return not question or Question(question).asks_order or bool(re.search(AT_END, question))


# Categories.


def in_another_order(gold: PlotAxes, answer: PlotAxes, question: str) -> bool:
    """Whether names on an axis, or bars sorted by size, stand in an order that the question excludes."""
    names = 'xy' if asks_order(question) else 'y' if _says_height(question) else ''
    return any(_turned(gold, answer, name, question) for name in names)


def _says_height(question: str) -> bool:
    """Whether a question says what stands above, apart from a legend."""
    return bool(re.search(HEIGHT, re.sub(LEGEND, '', question)))


def _turned(gold: PlotAxes, answer: PlotAxes, name: str, question: str) -> bool:
    own, shown = (_names(axes, name) for axes in (gold, answer))
    lengths, theirs = (_lengths(axes, name) for axes in (gold, answer))
    if len(lengths) >= SORTED and len(theirs) == len(lengths) and (rises := _monotone(lengths)):
        turned = _loose(name, question, own) and bool(rises & _monotone(theirs[::-1]))
        return not (turned or rises & _monotone(theirs))
    if not question:
        return False  # by name, in any order
    both = set(own) & set(shown)
    order, found = ([one for one in those if one in both] for those in (own, shown))
    turned = _loose(name, question, own) and order == found[::-1]
    return len(both) > 1 and not (turned or order == found)


def _monotone(values: list[float]) -> set[str]:
    """`rise`, `fall`, both where all values are equal, or neither."""
    steps = np.diff(values)
    return {what for what, signed in (('rise', steps), ('fall', -steps)) if (signed >= 0).all()}


def _loose(name: str, question: str, names: list[str]) -> bool:
    """Whether a question leaves open at which end an order begins."""
    if name == 'y' and not re.search(UPRIGHT, question):
        return True
    if re.search(GIVEN, question) if name == 'x' else _says_height(question):
        return False
    return bool(question) and not re.search(DIRECTION, question) and not all(one in question for one in names)


def _names(axes: PlotAxes, name: str) -> list[str]:
    """The names on a categorical axis as seen on the screen, from left to right or upwards."""
    axis: PlotAxis = getattr(axes, name)
    areas = any(one.kind == 'fill' and one.fields[:1] == ['xy'.replace(name, '')] for one in axes.series)
    bars = any(NAMED.get(one.kind) == name for one in axes.series)
    if not (axis.categorical or areas or bars):
        return []
    pairs = sorted(zip(axis.ticks, map(normal, axis.tick_labels), strict=False), reverse=_inverted(axis))
    return [label for _, label in pairs]


def _lengths(axes: PlotAxes, name: str) -> list[float]:
    """The lengths of one series of bars as seen on the screen."""
    series = [one for one in axes.series if NAMED.get(one.kind) == name and one.kind in ('bar', 'barh')]
    axis: PlotAxis = getattr(axes, name)
    if not axis.tick_labels or any(len(set(one.columns[0])) < len(one.columns[0]) for one in series):
        return []
    rows = sorted(
        (place or 0.0, length or 0.0) for one in series for place, length in zip(*one.columns[:2], strict=True)
    )
    alone = len({place for place, _ in rows}) == len(rows) and (len(series) == 1 or len(series) == len(rows))
    found = [length for _, length in rows] if alone else []
    return found[::-1] if _inverted(axis) else found


def _inverted(axis: PlotAxis) -> bool:
    return len(axis.view) == 2 and axis.view[0] > axis.view[1]


# Stacks.


def orders_stacks(gold: PlotAxes, question: str) -> bool:
    """Whether a question fixes the order of a stack's parts, and not that of the categories."""
    if not asks_order(question) or re.search(STACKED, question):
        return asks_order(question)
    parts = [normal(one.label) for one in gold.series if one.label]
    names = [name for axis in 'xy' for name in _names(gold, axis)]
    said = [bool(those) and all(one in question for one in those) for those in (parts, names)]
    return said[0] and not said[1]


def unstacked(gold: PlotAxes, answer: PlotAxes) -> tuple[PlotAxes, PlotAxes]:
    """Move the parts of stacks to the ground, where both axes have stacks of the same kind."""
    for kind in ('bar', 'barh', 'fill'):
        stacks = [[one for one in axes.series if one.kind == kind] for axes in (gold, answer)]
        if all(_is_stack(those) for those in stacks):
            gold, answer = (_on_the_ground(axes, kind) for axes in (gold, answer))
    return gold, answer


def _is_stack(series: list[PlotSeries]) -> bool:
    """Whether named series are stacked from 0 on; unnamed ones are told apart by their order alone."""
    if (
        len(series) < 2
        or not all(one.label for one in series)
        or any(one.kind == 'fill' and one.fields[1:] != ['low', 'high'] for one in series)
    ):
        return False
    spans: dict[float, list[tuple[float, float]]] = {}
    for one in series:
        for row in zip(*one.columns[:3], strict=True):
            place, low, high = (value or 0.0 for value in row)
            low, high = (low, high) if one.kind == 'fill' else (high, low + high)
            if one.kind == 'fill' or low != high:
                spans.setdefault(round(place, 6), []).append((low, high))
    top = max((abs(high) for those in spans.values() for _, high in those), default=0.0)
    return max(map(len, spans.values()), default=0) > 1 and all(_is_pile(those, NEAR * top) for those in spans.values())


def _is_pile(spans: list[tuple[float, float]], near: float) -> bool:
    ends = [0.0, *(high for _, high in sorted(spans))]
    return all(abs(low - end) <= near for (low, _), end in zip(sorted(spans), ends, strict=False))


def _on_the_ground(axes: PlotAxes, kind: str) -> PlotAxes:
    areas = [one for one in axes.series if one.kind == 'fill' == kind]
    edges = [[area.columns[0], area.columns[place]] for area in areas for place in (1, 2)]
    series = [one for one in axes.series if one.kind != 'line' or one.columns not in edges]
    return axes.model_copy(update={'series': [_lowered(one) if one.kind == kind else one for one in series]})


def _lowered(one: PlotSeries) -> PlotSeries:
    ground: list[float | None] = [0.0] * len(one.columns[0])
    if one.kind != 'fill':
        return one.model_copy(update={'columns': [*one.columns[:2], ground]})
    place, low, high = one.columns[:3]
    heights = [(above or 0.0) - (below or 0.0) for below, above in zip(low, high, strict=True)]
    return one.model_copy(update={'columns': [place, ground, heights], 'stats': []})


# Panels.


def elsewhere(gold: PlotAxes, answer: PlotAxes, plots: tuple[Plot, Plot], question: str) -> bool:
    """Whether an axes is in a place, or the panels in an arrangement, that the question excludes."""
    shape, side = (bool(re.search(words, question)) for words in (SHAPE, SIDE))
    order = bool(question) and asks_order(question)
    cells = [_cells(plot) for plot in plots]
    if not (shape or side or order) or not all(cells) or len(set(cells[0].values())) < 2:
        return False
    if (shape or side) and _shape(cells[0]) != _shape(cells[1]):
        return True
    own, shown = (those.get(id(axes)) for those, axes in zip(cells, (gold, answer), strict=True))
    if len(set(cells[0].values())) != len(set(cells[1].values())) or own is None or shown is None:
        return False
    ranks = [sorted(set(those.values())).index(cell) for those, cell in zip(cells, (own, shown), strict=True)]
    return (side and own != shown) or (order and ranks[0] != ranks[1])


def _shape(cells: dict[int, tuple[int, int]]) -> tuple[int, int]:
    rows, columns = zip(*cells.values(), strict=True)
    return max(rows) + 1, max(columns) + 1


def _cells(plot: Plot) -> dict[int, tuple[int, int]]:
    """Map the id of each axes with content to its row and column; empty where places are not known."""
    drawn = [axes for axes in plot.axes if axes.series or axes.picture]
    if any(len(axes.place) != 4 for axes in drawn):
        return {}
    places = np.array([axes.place for axes in drawn]).reshape(-1, 4)
    if _one_in_another(places):
        return {}
    columns, rows = (_numbered(places[:, side], places[:, side + 2]) for side in (0, 1))
    last = max(rows, default=0)
    return {id(axes): (last - row, column) for axes, row, column in zip(drawn, rows, columns, strict=True)}


def _one_in_another(places: np.ndarray) -> bool:
    """Whether one axes lies inside another, as an inset does."""
    low, high = places[:, None, :2], places[:, None, 2:]
    inside = (places[None, :, :2] >= low - NEAR) & (places[None, :, 2:] <= high + NEAR)
    same = np.abs(places[:, None] - places[None]).max(2, initial=0) <= NEAR
    return bool((inside.all(2) & ~same).any())


def _numbered(low: np.ndarray, high: np.ndarray) -> list[int]:
    """Number the row or column of each span; spans that contain each other's middle share one."""
    middles = (low + high) / 2
    order = np.argsort(middles)
    found, number = [0] * len(middles), 0
    for before, place in itertools.pairwise(order):
        apart = min(high[before] - low[before], high[place] - low[place]) / 2
        number += int(middles[place] - middles[before] > apart)
        found[place] = number
    return found
