"""Plots by their descriptions (`plots.Plot`, made in the kernel). Pixels are left to `figures.py`.

Sizes and places of text are in no description, and neither the order of series nor the order of subplots counts. Each
pair of axes gets

    score = data × view × texts

- data: 1 if the answer draws everything that the gold draws, with the right values and names, and nothing else; else
  0.6 × the share that is right (`data.py`);
- view: a half for each thing that shows the data wrongly: an axis that is inverted, logarithmic, or cuts data off;
- texts: a half for each text that the question names and the answer lacks (`texts.py`).
"""

import base64
import binascii
import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from cibench_eval.evaluators.comparing.numbers import TOLERANCE
from cibench_eval.evaluators.comparing.plots import colours
from cibench_eval.evaluators.comparing.plots.bars import NAMED
from cibench_eval.evaluators.comparing.plots.curves import with_markers
from cibench_eval.evaluators.comparing.plots.data import AxesPair, shared
from cibench_eval.evaluators.comparing.plots.places import either_end, elsewhere, in_another_order
from cibench_eval.evaluators.comparing.plots.texts import Wanted, factor, renamed
from cibench_eval.evaluators.comparing.plots.units import in_one_unit, spread, with_names
from cibench_eval.evaluators.comparing.plots.written import arrows_agree, misplaced
from cibench_eval.images import read_image
from cibench_eval.plots import Plot, PlotAxes

WRONG, WHOLE = 0.6, 0.999
"""The most that a plot with wrong data gets, and the least share of right data of a right plot."""
VIEW = 0.5
"""Factor for each fault of the view."""
SEEN, SMALL = 0.95, 0.2
"""Least share of the gold's data inside the view, and of the view that they fill, as against the gold's view."""
CUT_OFF, RIM = 'cuts data off', 0.02
"""The fault of an axis, and the share of a view that is empty at both ends if it shows the data whole: of two equal
densities one may have longer tails."""
AXES = {'rectilinear': 'xy', 'polar': 'y'}
"""The axes of a projection whose ends are compared."""
SURPLUS, FEW = 10, 10
"""An answer with over SURPLUS × the gold's series (taken as FEW at least) is not compared."""
MOST_PIXELS, SAME_PICTURE = 100_000, 0.9
"""Most pixels of the picture of an axes (the kernel's have 30,000), and least similarity of two equal ones."""
TURNED = r'clockwise|startangle|north|zero location|direction of the angle|顺时针|逆时针|正北'
"""Words of questions about the turn of polar axes and pies."""
ARROW = r'\barrow|箭头'
"""Words by which a question asks for an arrow from a text."""

T = TypeVar('T')


def describes(plot: Plot) -> bool:
    """Whether a plot has anything drawn that can be compared."""
    return bool(_drawn(plot))


def similarity(
    golds: list[Plot], answers: list[Plot], tolerance: float = TOLERANCE, question: str = ''
) -> tuple[float, str]:
    """Score the plots of an answer against the gold's.

    Plots, and the axes of two plots, are matched one to one: 2 × the best matching's sum / (golds + answers). The score
    is WRONG at most where the numbers of plots or axes differ. All plots given must have something drawn. The texts
    that the step's `question` names have to be there. Returns the score, 0 to 1, and what is wrong.
    """
    own, others = _series(golds), _series(answers)
    if others > SURPLUS * max(own, FEW):
        return 0.0, f'{others} series, the gold has {own}'

    said = Wanted(question, golds)

    def compare(gold: Plot, answer: Plot) -> tuple[float, str]:
        pair = gold, renamed(gold, answer)
        drawn = _drawn(gold), _drawn(pair[1])
        return _matched(*drawn, 'axes', lambda one, other: _axes(one, other, pair, tolerance, said))

    with np.errstate(all='ignore'):  # a description may have any numbers
        return _matched(golds, answers, 'plots', compare)


def _drawn(plot: Plot) -> list[PlotAxes]:
    """The axes with something in them; of a plot of words alone, as a decision tree is, those with words."""
    return [axes for axes in plot.axes if axes.series or axes.picture] or [axes for axes in plot.axes if axes.texts]


def _series(plots: list[Plot]) -> int:
    return sum(len(axes.series) for plot in plots for axes in plot.axes)


def _matched(
    golds: Sequence[T], answers: Sequence[T], what: str, compare: Callable[[T, T], tuple[float, str]]
) -> tuple[float, str]:
    """The score of the best one-to-one matching, and the faults of its pairs."""
    from scipy.optimize import linear_sum_assignment

    found = [[compare(gold, answer) for answer in answers] for gold in golds]
    scores = np.nan_to_num([[score for score, _ in row] for row in found])
    rows, columns = linear_sum_assignment(scores, maximize=True)
    details = [found[row][column][1] for row, column in zip(rows, columns, strict=True)]
    score = 2 * float(scores[rows, columns].sum()) / (len(golds) + len(answers))
    if len(golds) != len(answers):
        details = [f'{len(answers)} {what}, the gold has {len(golds)}', *details]
        score = WRONG * score
    elif score > WRONG and (scores[rows, columns] <= WRONG).any():
        details = [f'at most {WRONG}, because one of the {what} is wrong', *details]
        score = WRONG
    return min(score, 1.0), '; '.join(dict.fromkeys(filter(None, details)))


def _axes(
    gold: PlotAxes, answer: PlotAxes, plots: tuple[Plot, Plot], tolerance: float, wanted: Wanted
) -> tuple[float, str]:
    if gold.kind != answer.kind:
        return 0.0, f'{answer.kind} axes, the gold has {gold.kind} ones'
    view = ['in another place'] if elsewhere(gold, answer, plots, wanted.text) else []
    gold, answer = with_markers(gold, with_names(gold, answer))
    view += _cut_off(gold, answer)
    pairs = {id(pair[1]): pair for pair in (in_one_unit(gold, answer, either_end(wanted.text)), (gold, answer))}
    ways = [(shared(*pair, tolerance, wanted.text), pair) for pair in pairs.values()]
    (data, faults, named), (gold, answer) = max(ways, key=lambda way: way[0][0])
    if gold.picture and not same_picture(gold.picture, answer.picture):
        data, faults = min(data, VIEW), [*faults, 'another picture']
    right = data >= WHOLE
    view += _view(gold, answer, right, wanted.text) if data else []
    if not gold.series or not wanted.text or wanted.asks('text') or wanted.asks('value'):
        view += ['texts in other places'] if misplaced(gold, answer) else []
    if re.search(ARROW, wanted.text) and gold.arrows and answer.text_places and not arrows_agree(gold, answer):
        view += ['no arrow to the same place' if answer.arrows else 'no arrow']
    view += ['in another order'] if in_another_order(gold, answer, wanted.text) else []
    if right and wanted.text:
        view += colours.faults(gold, answer, wanted.text, AxesPair(gold, answer, tolerance).one)
    texts, missing = factor(gold, answer, plots, wanted, named)
    factors = (1.0 if right else WRONG * data, VIEW ** len(view), texts)
    return math.prod(factors), _in_words(*zip(('data', 'view', 'texts'), factors, (faults, view, missing), strict=True))


def _in_words(*parts: tuple[str, float, list[str]]) -> str:
    """The factors of an axes, and what is wrong with each; empty if nothing is."""
    said = [
        f'{name} × {factor:.2f} ({", ".join(faults)})' if faults else f'{name} right' for name, factor, faults in parts
    ]
    return ', '.join(said) if any(faults for *_, faults in parts) else ''


def same_picture(gold: str, answer: str) -> bool:
    """Whether two pictures in base64 show the same; an unreadable one shows nothing."""
    from cibench_eval.evaluators.comparing.figures import Target

    try:
        own, shown = (base64.b64decode(text, validate=True) for text in (gold, answer))
        target = Target.of(own)
    except (ValueError, binascii.Error):
        return False
    image, _ = read_image(shown, MOST_PIXELS)
    return image is not None and target.score(image)[0] >= SAME_PICTURE


# The view.


def _view(gold: PlotAxes, answer: PlotAxes, right: bool, question: str) -> list[str]:
    if gold.turn and answer.turn and gold.turn != answer.turn and re.search(TURNED, question):
        return ['angles that run or begin otherwise']
    if gold.kind not in AXES or any(series.kind == 'pie' for series in gold.series):
        return []
    found = []
    for name in AXES[gold.kind]:
        own, shown = getattr(gold, name), getattr(answer, name)
        if own.scale != shown.scale:
            found.append(f'a {shown.scale} {name} axis, the gold has a {own.scale} one')
        elif own.view and shown.view and not _at_places(gold, name):
            data = spread(gold, name), spread(answer, name) if right else []
            found += [f'the {name} axis {fault}' for fault in _view_of(name, own.view, shown.view, *data)]
    return found


def _at_places(axes: PlotAxes, name: str) -> bool:
    """Whether names, or the cells of an image, stand at the places of an axis: equal data may stand elsewhere."""
    axis = getattr(axes, name)
    kinds = {series.kind for series in axes.series}
    return 'image' in kinds or axis.categorical or any(NAMED.get(kind) == name and axis.tick_labels for kind in kinds)


def _cut_off(gold: PlotAxes, answer: PlotAxes) -> list[str]:
    """List the axes of names or cells that show less of what an answer draws than the gold's do of the gold."""
    return [
        f'the {name} axis {CUT_OFF}'
        for name in 'xy'
        if gold.kind == 'rectilinear' and _at_places(gold, name) and _seen(answer, name) < SEEN * _seen(gold, name)
    ]


def _seen(axes: PlotAxes, name: str) -> float:
    """The share of what an axes draws along an axis that is inside the view; nan if not known."""
    values, view = spread(axes, name), getattr(axes, name).view
    first, last = min(values, default=math.nan), max(values, default=math.nan)
    return (min(last, max(view)) - max(first, min(view))) / (last - first) if view and last > first else math.nan


def _view_of(name: str, gold: list[float], answer: list[float], data: list[float], drawn: list[float]) -> Iterator[str]:
    """Yield what is wrong with the ends of an axis, by the ends of the gold's and of its data.

    Args:
        drawn: the answer's data, if they are right: what their axes show whole, they do not cut off. Of a long line
            only what is in view along x is known, so that one that is cut ends within a step of the end of the axis.
    """
    (low, high), (own_low, own_high) = sorted(answer), sorted(gold)
    rim = max(RIM * (high - low), float(np.diff(np.unique(drawn)).max(initial=0)) if name == 'x' else 0.0)
    inside = low + rim < min(drawn, default=low) and max(drawn, default=high) < high - rim
    first, last = max(min(data, default=own_low), own_low), min(max(data, default=own_high), own_high)
    if (gold[0] > gold[1]) != (answer[0] > answer[1]):
        yield 'is inverted'
    elif first <= last and min(last, high) - max(first, low) < SEEN * (last - first) and not inside:
        yield CUT_OFF
    elif own_high - own_low < SMALL * (high - low):
        yield 'is filled little by the data'
