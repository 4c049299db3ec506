"""Places in a plot, as far as the question fixes them: the order of categories and stacks, the places of panels."""

import functools
import itertools
import re

import numpy as np

from cibench_eval.evaluators.comparing import questions
from cibench_eval.evaluators.comparing.plots.bars import NAMED
from cibench_eval.evaluators.comparing.plots.texts import normal
from cibench_eval.plots import Plot, PlotAxes, PlotAxis

AT_END = (
    r'(larg|small|high|low|great|bigg|long|short|old|young|earli|lat)e(st|r)( \w+)? (at|on|to) the|'
    r'\b(most|least) \w+( \w+)? (first\b(?! names?\b)|(at|on|to) the)'
)
"""Words by which a question puts the largest, or the like, at an end."""
HEIGHT = (
    r'\b(at the|on) (top|bottom)\b(?! (of|left|right|cent))|\b(upper|lower)most\b|'
    r'\bfrom (the )?(top|bottom) (down|up|to (the )?(top|bottom))\b|'
    r'[在从][^，。柱条]{0,4}[上下顶底][方面边端部侧]|[在从]最?[上下顶底](?=[方面边端部侧层往到至而，。；）,;)]|$)|'
    r'最[上下顶底](?!游)'
)
"""Words by which a question says what stands above."""
LEGEND = r'\blegend\b[^.;,]*|图例[^，。]*'
STACKED = (
    r'stack[^.;]*\border(?:ed)?\b|\border(?:ed)?\b[^.;]*stack|from (the )?(bottom|below|ground)|自下而上|从下|'
    r'顺序[^。；]*堆[叠积]|堆[叠积][^。；]*顺序'
)
"""Words by which a question fixes the order of a stack's parts."""
SHAPE = (
    r'\d\s*[x×]\s*\d+(?! ?(pixel|point|cell|image|matri|px))|\b(\w+) rows? (and|of|by)\b|\brows? and\b|'
    r'side by side|next to each other|beside (each|one)|one (above|below|under|over|on top of)|'
    r'(above|below|under|on top of) (each|one)|vertical(ly)? stack|stacked vertical|'
    r'\b(in|as) (a|one|a single) (single )?(row|column)\b|左右|上下|并排|'
    r'[\d一二两三四五六] ?行[×x和、，,（( 每行]*[\d一二两三四五六] ?列'
)
"""Words by which a question fixes the rows and columns of panels."""
SIDE = (
    r'\b(left|right)\b(?![- ]?(hand )?(\w )?[- ]?(y|axis))|\bupper\b|\blower\b|\btop\b|\bbottom\b|'
    r'\b(first|second|third|last) (panel|subplot|axes|plot|row|column)|\babove,? and\b[^.;]*\bbelow\b|'
    r'左|右|上[图面方边]|下[图面方边]'
)
"""Words by which a question fixes what a panel shows."""
NEAR = 1e-6


@functools.lru_cache(maxsize=256)
def asks_order(question: str) -> bool:
    """Whether a question speaks of an order."""
    return bool(question) and (questions.asks_order(question) or bool(re.search(AT_END, question)))


def orders_stacks(question: str) -> bool:
    """Whether the order of a stack's parts counts, as it does without any question."""
    return not question or bool(re.search(STACKED, question))


def _says_above(question: str) -> bool:
    """Whether a question says what stands above."""
    return bool(re.search(HEIGHT, re.sub(LEGEND, '', question)))


def either_end(question: str) -> bool:
    """Whether a vertical axis of names may begin above or below."""
    return bool(question) and not (asks_order(question) or _says_above(question))


def in_another_order(gold: PlotAxes, answer: PlotAxes, question: str) -> bool:
    """Whether names on an axis stand in an order that the question excludes."""
    above = _says_above(question)
    for name in 'xy' if asks_order(question) else 'y' if above else '':
        own, shown = (_names(axes, name) for axes in (gold, answer))
        order, found = ([one for one in those if one in {*own} & {*shown}] for those in (own, shown))
        if order not in ((found,) if name == 'x' or above else (found, found[::-1])):
            return True
    return False


def _names(axes: PlotAxes, name: str) -> list[str]:
    """The names on a categorical axis as seen on the screen, from left to right or upwards."""
    axis: PlotAxis = getattr(axes, name)
    across = 'xy'.replace(name, '')
    stand = any(NAMED.get(one.kind) == name or one.fields == [across, 'low', 'high'] for one in axes.series)
    pairs = zip(axis.ticks, map(normal, axis.tick_labels), strict=True) if axis.categorical or stand else ()
    return [label for _, label in sorted(pairs, reverse=axis.view != sorted(axis.view))]


# Panels.


def elsewhere(gold: PlotAxes, answer: PlotAxes, plots: tuple[Plot, Plot], question: str) -> bool:
    """Whether an axes is in a place, or the panels in an arrangement, that the question excludes."""
    shape, side = (bool(re.search(words, question)) for words in (SHAPE, SIDE))
    if not (shape or side or asks_order(question)):
        return False
    cells = [_cells(plot) for plot in plots]
    own, shown = (sorted(set(those.values())) for those in cells)
    if len(own) < 2 or not shown:
        return False
    if (shape or side) and (np.max(own, axis=0) != np.max(shown, axis=0)).any():
        return True
    place, found = (those[id(axes)] for those, axes in zip(cells, (gold, answer), strict=True))
    if side and place != found:
        return True
    return asks_order(question) and len(own) == len(shown) and own.index(place) != shown.index(found)


def _cells(plot: Plot) -> dict[int, tuple[int, int]]:
    """Row and column of each axes with content, by its id; none where one lies in another, or places are not known."""
    drawn = [axes for axes in plot.axes if axes.series or axes.picture]
    if any(len(axes.place) != 4 for axes in drawn):
        return {}
    places = np.array([axes.place for axes in drawn])
    inside = (places[:, None, :2] <= places[None, :, :2] + NEAR) & (places[None, :, 2:] <= places[:, None, 2:] + NEAR)
    within = inside.all(2)
    if (within & ~within.T).any():
        return {}
    columns, rows = (_numbered(places[:, side], places[:, side + 2]) for side in (0, 1))
    return {id(axes): (max(rows) - row, column) for axes, row, column in zip(drawn, rows, columns, strict=True)}


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
