"""Bars and boxes, compared by the name or place at which they stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from cibench_eval.evaluators.comparing.numbers import NOISE
from cibench_eval.evaluators.comparing.plots.texts import normal
from cibench_eval.plots import PlotAxes, PlotAxis, PlotSeries

NAMED = {'bar': 'x', 'box': 'x', 'barh': 'y', 'boxh': 'y'}
"""The axis along which each kind of bars and boxes stands; the first column has their places."""
NEAR = 1e-3
"""Largest difference of two equal lengths, as a share of the longest: less cannot be seen."""
BOX_NEAR = 2e-3
"""Likewise for quartiles of boxes, so that ways to compute them do not matter."""
BESIDE = 0.5
"""Largest distance of a bar from its name, or move of a series, as a share of the distance of two places."""


class Bar(NamedTuple):
    """One bar: number and label of its series, its name or '', its place, length and base."""

    series: int
    label: str
    name: str
    place: float
    length: float
    base: float


def has_names(golds: list[PlotSeries], axes: PlotAxes) -> bool:
    """Whether tick labels name the bars or boxes."""
    if axes.kind == 'polar':
        return False
    axis = getattr(axes, NAMED[golds[0].kind])
    rows = [place for one in golds for place in one.columns[0]]
    return tick_names(rows, axis) is not None


def reach(series: PlotSeries, place: int) -> list[float]:
    """The values along the x (place 0) or y axis (1) that bars or boxes reach."""
    along = NAMED[series.kind] == 'xy'[place]
    columns = [[value or 0.0 for value in column] for column in series.columns]
    if along:
        return columns[0]
    if series.kind in ('bar', 'barh'):
        return [end for length, base in zip(columns[1], columns[2], strict=True) for end in (base, base + length)]
    return columns[1] + columns[5]


def tick_names(places: Sequence[float | None], axis: PlotAxis) -> list[str] | None:
    """The label of the tick at each place; None unless every place has one."""
    if not axis.tick_labels or None in places or not places:
        return None
    ticks = np.array(axis.ticks[: len(axis.tick_labels)])
    if not len(ticks):
        return None
    gap = np.diff(np.sort(ticks)).min(initial=np.inf) if len(ticks) > 1 else 1.0
    distances = np.abs(np.subtract.outer(np.array(places, float), ticks))
    if (distances.min(1) > BESIDE * gap + 1e-9).any():
        return None
    return [normal(axis.tick_labels[nearest]) for nearest in distances.argmin(1)]


def _bars(series: list[PlotSeries], axes: PlotAxes) -> list[Bar]:
    axis = getattr(axes, NAMED[series[0].kind])
    names = tick_names([place for one in series for place in one.columns[0]], axis) if axes.kind != 'polar' else None
    found: list[Bar] = []
    for number, one in enumerate(series):
        for place, length, base in zip(*one.columns[:3], strict=False):
            name = names[len(found)] if names else ''
            found.append(Bar(number, normal(one.label), name, place or 0.0, length or 0.0, base or 0.0))
    there = {bar.name for bar in found if bar.length}
    kept = [bar for bar in found if bar.length or bar.name not in there | {''}]  # at a name of its own a 0 is seen
    return kept or found


def shared(
    golds: list[PlotSeries], answers: list[PlotSeries], gold: PlotAxes, answer: PlotAxes, tolerance: float
) -> float:
    """The share of bars that two axes have in common, 0 to 1."""
    own, shown = _bars(golds, gold), _bars(answers, answer)
    if not own or not shown:
        return 0.0
    near = max(max(tolerance, NEAR) * max(abs(bar.length) for bar in own), NOISE)
    labels = bool(gold.legend) and len({bar.label for bar in own}) > 1
    own, shown = _keyed(own, _relabelled(own, shown, near), labels)
    if _single(own) and own[0].name:
        share = _by_name(own, shown, near)
    else:
        share = max(_by_place(own, shown, near), _moved(own, shown, near))
    return share * _same_overlap(own, shown)


def _keyed(own: list[Bar], shown: list[Bar], labels: bool) -> tuple[list[Bar], list[Bar]]:
    """Drop labels that do not count, and take places for names where only one side has names."""
    if not labels or not any(bar.label for bar in shown):
        own, shown = ([bar._replace(label='') for bar in those] for those in (own, shown))
    if own[0].name and not shown[0].name:
        shown = [bar._replace(name=f'{bar.place:g}') for bar in shown]
    if shown[0].name and not own[0].name:
        numbers = [_number(bar.name) for bar in shown]
        if len({bar.name for bar in shown}) == len(shown) and None not in numbers:
            shown = [bar._replace(place=number or 0.0) for bar, number in zip(shown, numbers, strict=True)]
    return own, shown


def _relabelled(own: list[Bar], shown: list[Bar], near: float) -> list[Bar]:
    """Give series whose labels the gold lacks the gold's label of the series with the most equal lengths."""
    ours, theirs = ({bar.label for bar in those if bar.label} for those in (own, shown))
    left, new = sorted(ours - theirs), sorted(theirs - ours)
    if not left or not new:
        return shown
    parts = [
        [[bar for bar in those if bar.label == name] for name in names] for those, names in ((own, left), (shown, new))
    ]
    scores = [[_as_long(one, other, near) for other in parts[1]] for one in parts[0]]
    pairs = zip(*linear_sum_assignment(scores, maximize=True), strict=True)
    names = {new[column]: left[row] for row, column in pairs}
    return [bar._replace(label=names.get(bar.label, bar.label)) for bar in shown]


def _as_long(own: list[Bar], shown: list[Bar], near: float) -> float:
    pairs = zip(sorted(bar.length for bar in own), sorted(bar.length for bar in shown), strict=False)
    return sum(abs(one - other) <= near for one, other in pairs)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _single(bars: list[Bar]) -> bool:
    """Whether no tick names several bars of one series."""
    return max(Counter((bar.series, bar.name) for bar in bars).values()) == 1


def _by_name(own: list[Bar], shown: list[Bar], near: float) -> float:
    """The share of bars with the same name, label and ends."""
    groups: dict[tuple[str, str], list[Bar]] = {}
    for bar in shown:
        groups.setdefault((bar.label, bar.name), []).append(bar)
    found = 0
    for bar in own:
        those = groups.get((bar.label, bar.name), [])
        match = next((one for one in those if _same(bar, one, near)), None)
        if match is not None:
            those.remove(match)
            found += 1
    return 2 * found / (len(own) + len(shown))


def _same(one: Bar, other: Bar, near: float) -> bool:
    return abs(one.length - other.length) <= near and abs(one.base - other.base) <= near


def _by_place(own: list[Bar], shown: list[Bar], near: float) -> float:
    """The share of bars with the same place, label and ends."""
    gap = _gap(own)
    left = list(shown)
    found = 0
    for bar in own:
        those = [one for one in left if abs(one.place - bar.place) <= 0.05 * gap and _same(bar, one, near)]
        match = next((one for one in those if one.label == bar.label), None)
        if match is not None:
            left.remove(match)
            found += 1
    return 2 * found / (len(own) + len(shown))


def _gap(bars: list[Bar]) -> float:
    """The least distance between two bars of a series."""
    places: dict[int, list[float]] = {}
    for bar in bars:
        places.setdefault(bar.series, []).append(bar.place)
    gaps = [gap for those in places.values() for gap in np.diff(np.sort(those)).tolist() if gap > 1e-9]
    return min(gaps, default=1.0)


def _moved(own: list[Bar], shown: list[Bar], near: float) -> float:
    """The share of bars at the same places after each series is moved by less than half the distance of its bars."""
    series = sorted({bar.series for bar in own})
    if len(series) < 2 or len(series) != len({bar.series for bar in shown}):
        return 0.0
    gap = _gap(own)
    moved: list[Bar] = []
    for number in sorted({bar.series for bar in shown}):
        theirs = [bar for bar in shown if bar.series == number]
        ours = _partner(theirs, own, near)
        by = _middle(ours) - _middle(theirs) if len(ours) == len(theirs) else 0.0
        by = by if abs(by) < BESIDE * gap else 0.0
        moved += [bar._replace(place=bar.place + by) for bar in theirs]
    return _by_place(own, moved, near)


def _partner(theirs: list[Bar], own: list[Bar], near: float) -> list[Bar]:
    """The gold's series for one of the answer's: the one of its label, else the one with the most equal lengths."""
    groups = [[bar for bar in own if bar.series == number] for number in sorted({bar.series for bar in own})]
    named = [those for those in groups if those[0].label and those[0].label == theirs[0].label]
    if named:
        return named[0]
    lengths = [bar.length for bar in theirs]
    return max(groups, key=lambda those: sum(abs(a.length - b) <= near for a, b in zip(those, lengths, strict=False)))


def _middle(bars: list[Bar]) -> float:
    return float(np.mean([bar.place for bar in bars])) if bars else 0.0


def _same_overlap(own: list[Bar], shown: list[Bar]) -> float:
    """A half if series are stacked in one axes and stand side by side in the other, else 1."""
    gold, answer = _overlaps(own), _overlaps(shown)
    return 0.5 if gold is not None and answer is not None and gold != answer else 1.0


def _overlaps(bars: list[Bar]) -> bool | None:
    """Whether the first two series have bars at one place; None for a single series."""
    series = sorted({bar.series for bar in bars})
    if len(series) < 2:
        return None
    gap = _gap(bars)
    first, second = (np.array([bar.place for bar in bars if bar.series == number]) for number in series[:2])
    return bool((np.abs(np.subtract.outer(first, second)) < 0.02 * gap).any())


# Boxes.


def boxes_shared(
    golds: list[PlotSeries], answers: list[PlotSeries], gold: PlotAxes, answer: PlotAxes, tolerance: float
) -> float:
    """The share of boxes with the same name (without names: the same rank from the left), ends and quartiles."""
    own, shown = (_boxes(those, axes) for those, axes in ((golds, gold), (answers, answer)))
    if bool(own[0].name) != bool(shown[0].name):
        own, shown = ([box._replace(name='') for box in those] for those in (own, shown))
    if not (gold.legend and answer.legend):
        own, shown = ([box._replace(label='') for box in those] for those in (own, shown))
    near = max(tolerance, BOX_NEAR) * (np.ptp([box.ends for box in own]) or 1.0)
    if not (own[0].name or own[0].label):
        pairs = list(zip(own, shown, strict=False))
        return 2 * sum(_same_box(one, other, near) for one, other in pairs) / (len(own) + len(shown))
    left = list(shown)
    for box in own:
        those = [one for one in left if (one.name, one.label) == (box.name, box.label) and _same_box(box, one, near)]
        if those:
            left.remove(those[0])
    return 2 * (len(shown) - len(left)) / (len(own) + len(shown))


class Box(NamedTuple):
    """One box: its name, the name of its colour ('' for none), its place, and its five numbers."""

    name: str
    label: str
    place: float
    ends: tuple[float, ...]


def _same_box(one: Box, other: Box, near: float) -> bool:
    return bool(np.allclose(one.ends, other.ends, rtol=0, atol=near))


def _boxes(series: list[PlotSeries], axes: PlotAxes) -> list[Box]:
    """All boxes of an axes, from left to right."""
    places = [place for one in series for place in one.columns[0]]
    rows = [tuple(value or 0.0 for value in row) for one in series for row in zip(*one.columns[1:6], strict=False)]
    labels = [normal(label) for one in series for label in one.names or [''] * len(one.columns[0])]
    names = tick_names(places, getattr(axes, NAMED[series[0].kind])) or [''] * len(rows)
    found = zip(names, labels, (place or 0.0 for place in places), rows, strict=False)
    return sorted((Box(*one) for one in found), key=lambda box: box.place)
