"""Plots by their descriptions (`plots.Plot`, made in the kernel). Pixels are left to `figures.py`.

Sizes and places of text are in no description, and neither the order of series nor the order of subplots counts. Each
pair of axes gets

    score = data × view × texts

- data: 1 if the answer draws everything that the gold draws, with the right values and names, and nothing else; else
  0.6 × the share that is right (`data.py`);
- view: a half for each thing that shows the data wrongly: an axis that is inverted, logarithmic, or cuts data off;
- texts: a half for each text that the question names and the answer lacks (`texts.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from cibench_eval.evaluators.comparing.numbers import TOLERANCE
from cibench_eval.evaluators.comparing.plots import colours
from cibench_eval.evaluators.comparing.plots.data import NAMED, AxesPair, shared, spread
from cibench_eval.evaluators.comparing.plots.names import renamed
from cibench_eval.evaluators.comparing.plots.pictures import same_picture
from cibench_eval.evaluators.comparing.plots.places import elsewhere, in_another_order, orders_stacks, unstacked
from cibench_eval.evaluators.comparing.plots.texts import Wanted, factor
from cibench_eval.evaluators.comparing.plots.units import in_gold_units
from cibench_eval.plots import Plot, PlotAxes, PlotAxis

WRONG = 0.6
"""The most that a plot with wrong data gets."""
WHOLE = 0.999
"""Least share of right data of a right plot."""
VIEW = 0.5
"""Factor for each fault of the view."""
SEEN, SMALL = 0.95, 0.2
"""Least share of the gold's data inside the view, and of the view that they fill, as against the gold's view."""
SURPLUS, FEW = 10, 10
"""An answer with over SURPLUS × the gold's series (taken as FEW at least) is not compared."""

GREY = 'grey'
IN_GREY = r'\bgr[ae]y|灰'
TURNED = r'clockwise|north|zero location|direction of the angle|顺时针|逆时针|正北'
"""Words of questions about grey images, and about the turn of polar axes."""

T = TypeVar('T')


def describes(plot: Plot) -> bool:
    """Whether a plot has anything drawn that can be compared."""
    return bool(_drawn(plot))


def similarity(
    golds: list[Plot], answers: list[Plot], tolerance: float = TOLERANCE, question: str = ''
) -> tuple[float, str]:
    """Score the plots of an answer against the gold's.

    Plots, and the axes of two plots, are matched one to one: 2 × the best matching's sum / (golds + answers). The score
    is WRONG at most where the numbers of plots or axes differ.

    Args:
        golds, answers: plots that have something drawn.
        tolerance: relative tolerance of values.
        question: the step's question: the texts that it names have to be there.

    Returns:
        The score, 0 to 1, and what is wrong.
    """
    own, others = _series(golds), _series(answers)
    if others > SURPLUS * max(own, FEW):
        return 0.0, f'{others} series, the gold has {own}'

    said = Wanted.of(golds, question)

    def compare(gold: Plot, answer: Plot) -> tuple[float, str]:
        pairs = gold, renamed(gold, answer)
        return _matched(
            _drawn(pairs[0]), _drawn(pairs[1]), 'axes', lambda one, other: _axes(one, other, pairs, tolerance, said)
        )

    with np.errstate(all='ignore'):  # a description may have any numbers
        return _matched(golds, answers, 'plots', compare)


def _drawn(plot: Plot) -> list[PlotAxes]:
    return [axes for axes in plot.axes if axes.series or axes.picture]


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
    elif (scores[rows, columns] <= WRONG).any():
        score = min(score, WRONG)  # one wrong part makes the whole wrong
    return min(score, 1.0), '; '.join(dict.fromkeys(filter(None, details)))


def _axes(
    gold: PlotAxes, answer: PlotAxes, plots: tuple[Plot, Plot], tolerance: float, wanted: Wanted
) -> tuple[float, str]:
    if gold.kind != answer.kind:
        return 0.0, f'{answer.kind} axes, the gold has {gold.kind} ones'
    moved = elsewhere(gold, answer, plots, wanted.text)
    if not orders_stacks(gold, wanted.text):
        gold, answer = unstacked(gold, answer)
    given = (answer, *in_gold_units(gold, answer, wanted.text))
    ways = [(shared(gold, one, tolerance, wanted.text), one) for one in given]
    (data, faults, named), answer = max(reversed(ways), key=lambda way: way[0][0])
    if gold.picture and not same_picture(gold.picture, answer.picture):
        data, faults = min(data, VIEW), [*faults, 'another picture']
    right = data >= WHOLE
    view = [] if not data else _view(gold, answer, wanted.text)
    view += ['in another place'] if moved else []
    view += ['in another order'] if in_another_order(gold, answer, wanted.text) else []
    if right and wanted.text:
        view += colours.faults(gold, answer, wanted.text, AxesPair(gold, answer, tolerance).one)
    texts, missing = factor(gold, answer, plots, wanted, named)
    score = (1.0 if right else WRONG * data) * VIEW ** len(view) * texts
    return score, ', '.join(filter(None, [*faults, *view, missing]))


# The view.


def _view(gold: PlotAxes, answer: PlotAxes, question: str) -> list[str]:
    """List the faults in how the data are shown."""
    if gold.turn and answer.turn and gold.turn != answer.turn and re.search(TURNED, question):
        return ['angles that run or begin otherwise']
    if re.search(IN_GREY, question) and _grey(gold) and not _grey(answer):
        return ['in colours, the gold is grey']
    if gold.kind != 'rectilinear' or any(series.kind == 'pie' for series in gold.series):
        return []
    image = any(series.kind == 'image' for series in gold.series)
    found = []
    for name, place in (('x', 0), ('y', 1)):
        own, shown = getattr(gold, name), getattr(answer, name)
        if own.scale != shown.scale:
            found.append(f'a {shown.scale} {name} axis, the gold has a {own.scale} one')
        elif len(own.view) == len(shown.view) == 2 and not image and not _of_names(gold, name, own):
            found += _view_of(name, own, shown, spread(gold, place))
    return found


def _grey(axes: PlotAxes) -> bool:
    """Whether all images of an axes are grey or of unknown colours."""
    return all(series.colours in ('', GREY) for series in axes.series if series.kind == 'image')


def _of_names(gold: PlotAxes, name: str, axis: PlotAxis) -> bool:
    """Whether an axis has names, and so no direction."""
    return axis.categorical or any(NAMED.get(series.kind) == name and axis.tick_labels for series in gold.series)


def _view_of(name: str, gold: PlotAxis, answer: PlotAxis, data: tuple[float, float] | None) -> list[str]:
    if (gold.view[0] > gold.view[1]) != (answer.view[0] > answer.view[1]):
        return [f'the {name} axis is inverted']
    if data is None:
        return []
    (low, high), (own_low, own_high) = sorted(answer.view), sorted(gold.view)
    first, last = max(data[0], own_low), min(data[1], own_high)
    if last <= first:
        return []
    if min(last, high) - max(first, low) < SEEN * (last - first):
        return [f'the {name} axis cuts data off']
    if own_high - own_low < SMALL * (high - low):
        return [f'the data fill little of the {name} axis']
    return []
