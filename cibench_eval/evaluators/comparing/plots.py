"""Plots: what a figure shows, series by series, against what the gold's shows. Pixels are left to `figures.py`.

Descriptions (`schema.Plot`) come from the kernel. Colours, sizes and places of text are in none of them, and neither
the order of series nor that of subplots counts. Per pair of axes:

    score = (KINDS × kinds + DATA × data + WORDS × kinds × words) / (the weights that apply)

- kinds: 2 × series that have one of the same kind in the other axes / (series of the gold + of the answer);
- data: 2 × the best matching of series of one kind, by the share of points that they have in common (of lines: that
  lie on the other, so that the same curve through other points is the same) / the same;
- words: mean over what the gold has of title, labels of the axes, legend, named ticks and scales; WORDS does not apply
  where it has none.

Words count only as far as something of the right kind is drawn, so empty axes are worth nothing, whatever they say.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from cibench_eval.evaluators.comparing.numbers import NOISE, TOLERANCE
from cibench_eval.evaluators.comparing.text import common, rouge_l
from cibench_eval.schema import Plot, PlotAxes, PlotAxis, PlotSeries, plot_file

KINDS, DATA, WORDS = 0.2, 0.6, 0.2
"""Weights of the parts of an axes's score."""
ACROSS = {'bar': 'x', 'box': 'x', 'barh': 'y', 'boxh': 'y'}
"""The axis along which each sort of bars and boxes stands; their places are their first column."""
APART = 10.0
"""Between two places of an order, in tolerances: far enough to be others."""
WITHIN = 1 + 1e-9
"""Tolerances that two values may be apart."""
NEAR = 2.0
"""Tolerances around a piece of a curve within which its points are looked for: WITHIN, and what rounding may add."""
MISSING = -1e12
"""What stands for a missing value among scaled ones."""
LEAST = 11
"""Points that a kernel keeps of a series, at least, where it does not keep all."""
SURPLUS, FEW = 10, 10
"""An answer with over SURPLUS × the series of the gold is not compared; a gold with fewer than FEW counts as FEW."""

Points = Any
"""Array of points × columns."""
T = TypeVar('T')
Found = TypeVar('Found')
Parts = tuple[float, float, float | None]
"""Kinds, data, words of two axes."""


def read_plot(figure: Path) -> Plot | None:
    """The description beside a figure's file; None where there is none, or what is there is none."""
    path = plot_file(figure)
    return Plot.read(path.read_bytes()) if path.exists() else None


def describes(plot: Plot) -> bool:
    """Whether there is anything drawn in a plot to be compared."""
    return bool(_drawn(plot))


def similarity(golds: list[Plot], answers: list[Plot], tolerance: float = TOLERANCE) -> tuple[float, str]:
    """Score the plots of an answer against the gold's; each of both has something drawn.

    Plots are matched one to one: 2 × the best matching's sum / (golds + answers). Of the axes of a plot the same.

    Returns:
        The score, 0 to 1, and the parts of each of the gold's axes.
    """
    own, others = _series(golds), _series(answers)
    if others > SURPLUS * max(own, FEW):
        return 0.0, f'{others} series, the gold has {own}'
    score, details = _matched(golds, answers, lambda gold, answer: _axes_matched(gold, answer, tolerance))
    counts = [] if len(golds) == len(answers) else [f'{len(answers)} plots, the gold has {len(golds)}']
    return score, '; '.join([*counts, *details])


def _axes_matched(gold: Plot, answer: Plot, tolerance: float) -> tuple[float, str]:
    """Score of the axes of two plots and, in words, the parts of those that belong together."""
    golds, answers = _drawn(gold), _drawn(answer)

    def compare(one: PlotAxes, other: PlotAxes) -> tuple[float, Parts]:
        parts = _parts(one, other, gold.title, answer.title, tolerance)
        return _weighed(*parts), parts

    score, found = _matched(golds, answers, compare)
    if len(golds) != len(answers):
        return score, ', '.join([f'{len(answers)} axes with something drawn, the gold has {len(golds)}'])
    return score, ', '.join(_in_words(*one) for one in found)


def _drawn(plot: Plot) -> list[PlotAxes]:
    return [axes for axes in plot.axes if axes.series]


def _series(plots: list[Plot]) -> int:
    return sum(len(axes.series) for plot in plots for axes in plot.axes)


def _matched(
    golds: Sequence[T], answers: Sequence[T], compare: Callable[[T, T], tuple[float, Found]]
) -> tuple[float, list[Found]]:
    """2 × the sum of the best one-to-one matching / (golds + answers), and what was found of each of its pairs."""
    from scipy.optimize import linear_sum_assignment

    found = [[compare(gold, answer) for answer in answers] for gold in golds]
    scores = np.array([[score for score, _ in row] for row in found])
    rows, columns = linear_sum_assignment(scores, maximize=True)
    score = 2 * float(scores[rows, columns].sum()) / (len(golds) + len(answers))
    return min(score, 1.0), [found[row][column][1] for row, column in zip(rows, columns, strict=True)]


def _weighed(kinds: float, data: float, words: float | None) -> float:
    if words is None:
        return (KINDS * kinds + DATA * data) / (KINDS + DATA)
    return KINDS * kinds + DATA * data + WORDS * kinds * words


def _in_words(kinds: float, data: float, words: float | None) -> str:
    said = '' if words is None else f', words {words:.2f}'
    return f'kinds {kinds:.2f}, data {data:.2f}{said}'


def _parts(gold: PlotAxes, answer: PlotAxes, above: str, answer_above: str, tolerance: float) -> Parts:
    """The three parts of two axes; `above` is the title of the whole figure, which counts as part of theirs."""
    own, others = ([_normal(series.label) for series in axes.series if series.label] for axes in (gold, answer))

    def compare(one: PlotSeries, other: PlotSeries) -> tuple[float, None]:
        label, shown = _normal(one.label), _normal(other.label)
        swapped = label != shown and shown in own and label in others
        return 0.0 if swapped or one.kind != other.kind else _shared(one, gold, other, answer, tolerance), None

    kinds = _overlap((series.kind for series in gold.series), (series.kind for series in answer.series))
    data = _matched(gold.series, answer.series, compare)[0] if kinds else 0.0
    words = _words(gold, answer, f'{above} {gold.title}'.strip(), f'{answer_above} {answer.title}'.strip())
    return kinds, data, sum(words) / len(words) if words else None


def _overlap(golds: Iterable[str], answers: Iterable[str]) -> float:
    """F1 of two bags."""
    gold, answer = Counter(golds), Counter(answers)
    return 2 * (gold & answer).total() / (gold.total() + answer.total())


# Words.


def _words(gold: PlotAxes, answer: PlotAxes, title: str, shown: str) -> list[float]:
    """How far the answer says each thing that the gold says."""
    found = [rouge_l(title, shown)] if title else []
    if own := _entries(gold):
        found.append(_overlap(own, _entries(answer)))
    for axis, other in ((gold.x, answer.x), (gold.y, answer.y), (gold.z, answer.z)):
        found += _axis(axis, other or PlotAxis()) if axis else []
    return found


def _entries(axes: PlotAxes) -> set[str]:
    """The texts of the legend and, which says the same of a pie, those of its wedges."""
    names = [name for series in axes.series for name in series.names if name]
    return {_normal(text) for text in [*axes.legend, *names]}


def _axis(gold: PlotAxis, answer: PlotAxis) -> list[float]:
    found = [rouge_l(gold.label, answer.label)] if gold.label else []
    if gold.scale != 'linear':
        found.append(float(gold.scale == answer.scale))
    if gold.tick_labels:
        own, shown = ([_normal(label) for label in axis.tick_labels] for axis in (gold, answer))
        found.append(2 * common(own, shown, TOLERANCE) / (len(own) + len(shown)))
    return found


def _normal(text: str) -> str:
    return ' '.join(unicodedata.normalize('NFKC', text).casefold().split())


# Data.


def _shared(one: PlotSeries, gold: PlotAxes, other: PlotSeries, answer: PlotAxes, tolerance: float) -> float:
    """The share of points that two series of one kind have in common.

    Points that have the same names in both are compared by name, for another order of bars is the same data; else by
    their places.
    """
    if one.shape != other.shape or len(one.columns) != len(other.columns):
        return 0.0
    scales = _scales(one, tolerance)
    one, other = _thinned(one, other), _thinned(other, one)
    column, own, shown = _names(one, gold, other, answer)
    if not own or set(own) != set(shown):
        return _common(_points(one), _points(other), scales, curves=one.kind == 'line')
    numbers = {name: number for number, name in enumerate(own)}
    first, second = (
        _table([*series.columns[:column], [numbers[name] for name in names], *series.columns[column + 1 :]])
        for series, names in ((one, own), (other, shown))
    )
    return _common(first, second, [*scales[:column], 1 / APART, *scales[column + 1 :]])


def _thinned(series: PlotSeries, other: PlotSeries) -> PlotSeries:
    """A series with as many points as were kept of `other`, which is as long: the same ones, then."""
    columns, names, fewer = series.columns, series.names, _length(other)
    if series.size != other.size or fewer < LEAST:
        return series
    while min(map(len, columns)) > fewer:
        columns, names = [column[::2] for column in columns], names[::2]
    kept = series.model_copy(update={'columns': columns, 'names': names})
    return kept if _length(kept) == fewer else series


def _length(series: PlotSeries) -> int:
    return min(map(len, series.columns), default=0)


def _names(one: PlotSeries, gold: PlotAxes, other: PlotSeries, answer: PlotAxes) -> tuple[int, list[str], list[str]]:
    """The names of the points of two series and the column that they stand for; nothing where they have none."""
    if one.names and other.names:
        return len(one.columns), [*map(_normal, one.names)], [*map(_normal, other.names)]
    along = ACROSS.get(one.kind)
    for column, axis in enumerate('xy'):
        mine, theirs = getattr(gold, axis), getattr(answer, axis)
        if along == axis or (along is None and mine.categorical and theirs.categorical):
            place = 0 if along else column
            own, shown = _named(one, place, mine), _named(other, place, theirs)
            single = len(set(own)) == len(own)  # else a tick is there for several bars of a histogram
            return (place, own, shown) if single or one.kind not in ('bar', 'barh') else (0, [], [])
    return 0, [], []


def _named(series: PlotSeries, column: int, axis: PlotAxis) -> list[str]:
    """The label of the tick that is next to each point."""
    places = series.columns[column] if column < len(series.columns) else []
    ticks = list(zip(axis.ticks, axis.tick_labels, strict=False))
    if not ticks or None in places:
        return []
    distances = np.abs(np.subtract.outer(np.array(places, float), np.array([place for place, _ in ticks])))
    return [_normal(ticks[nearest][1]) for nearest in distances.argmin(1)]


def _points(series: PlotSeries) -> Points:
    """The points of a series: of an image each with its number, of a pie the shares by size."""
    if series.kind == 'image':
        return _table([range(len(series.columns[0])), *series.columns])
    if series.kind == 'pie':
        return _table([sorted(value or 0.0 for value in series.columns[0]), range(len(series.columns[0]))])
    return _table(series.columns)


def _table(columns: Sequence[Sequence[float | None]]) -> Points:
    length = min((len(column) for column in columns), default=0)
    return np.array([list(column[:length]) for column in columns], float).reshape(len(columns), length).T


def _scales(gold: PlotSeries, tolerance: float) -> list[float]:
    """What may be between two values of each column: `tolerance` of the range of the gold's, else of its value."""
    scales = [_scale(column, tolerance) for column in gold.columns]
    if gold.kind == 'image':
        return [1 / APART, *scales]
    return [*scales, 1 / APART] if gold.kind == 'pie' else scales  # the rank or the name


def _scale(column: Sequence[float | None], tolerance: float) -> float:
    values = np.array([value for value in column if value is not None], float)
    if not values.size:
        return 1.0
    width = float(np.ptp(values)) or float(np.abs(values).max())
    return max(tolerance * width, NOISE)


def _common(gold: Points, answer: Points, scales: Sequence[float], curves: bool = False) -> float:
    """F1 of the points of two tables that have one in the other within `scales`, or lie on the other as a curve."""
    if not len(gold) or not len(answer):
        return 0.0
    if len(gold) == len(answer) and np.array_equal(gold, answer, equal_nan=True):
        return 1.0
    first, second = (np.nan_to_num(np.clip(table / scales, -1e15, 1e15), nan=MISSING) for table in (gold, answer))
    close = np.ones((len(first), len(second)), bool)
    for own, others in zip(first.T, second.T, strict=True):
        close &= np.abs(np.subtract.outer(own, others)) <= WITHIN
    own, others = close.any(1), close.any(0)
    if curves:
        own, others = own | _on_curve(first, second), others | _on_curve(second, first)
    recall, precision = own.mean(), others.mean()
    if not recall or not precision:
        return 0.0
    fewer = 1.0 if curves else 2 * min(len(gold), len(answer)) / (len(gold) + len(answer))
    return float(min(2 * recall * precision / (recall + precision), fewer))


def _on_curve(points: Points, curve: Points) -> Points:
    """Which points lie on one of the straight pieces between the points of a curve; a missing value is a gap."""
    begin, along = curve[:-1], np.diff(curve, axis=0)
    there = (curve[:-1] != MISSING).all(1) & (curve[1:] != MISSING).all(1)
    begin, along = begin[there], along[there]
    which, piece = _beside(points, begin, begin + along).nonzero()
    points_there, begin, along = points[which], begin[piece], along[piece]
    square = np.maximum((along**2).sum(1), NOISE)
    part = np.clip(((points_there - begin) * along).sum(1) / square, 0, 1)
    on = np.zeros(len(points), bool)
    on[which[(np.abs(begin + part[:, None] * along - points_there) <= WITHIN).all(1)]] = True
    return on


def _beside(points: Points, begin: Points, end: Points) -> Points:
    """Whether each point is so near to the box around each piece that it may lie on it."""
    beside = np.ones((len(points), len(begin)), bool)
    for own, low, high in zip(points.T, np.minimum(begin, end).T, np.maximum(begin, end).T, strict=True):
        beside &= (own[:, None] >= low - NEAR) & (own[:, None] <= high + NEAR)
    return beside
