"""Things with a few numbers each (bars, boxes, wedges, violins), compared by the name or place at which they stand."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from cibench_eval.evaluators.comparing.numbers import NOISE
from cibench_eval.evaluators.comparing.plots.texts import normal
from cibench_eval.plots import PlotAxes, PlotAxis, PlotSeries

NAMED = {'bar': 'x', 'box': 'x', 'barh': 'y', 'boxh': 'y'}
"""The axis along which each kind of bars and boxes stands; the first column has their places."""
NEAR, BOX_NEAR = 1e-3, 2e-3
"""Largest difference of two equal lengths, and of quartiles (so that ways to compute them do not matter), as a share of
the range: less cannot be seen."""
BESIDE = 0.5
"""Largest distance of a thing from its name, as a share of the distance of two places."""
APART = 0.05
"""Largest distance of two places that are equal, as a share of the distance of two neighbours."""


class Thing(NamedTuple):
    """A bar, box, wedge or violin: the names of its series and at its tick ('' for none), its place and its numbers."""

    label: str
    name: str
    place: float
    numbers: Any
    """Length and base, five numbers of a box and the ends with its outliers, a share, or an outline."""


def tick_names(places: Sequence[float], axis: PlotAxis) -> list[str]:
    """The label of the tick at each place; all '' unless every place has one."""
    if not axis.tick_labels:
        return [''] * len(places)
    ticks = np.array(axis.ticks)
    gap = np.diff(np.sort(ticks)).min() if len(ticks) > 1 else 1.0
    distances = np.abs(np.subtract.outer(np.array(places), ticks))
    there = (distances.min(1) <= BESIDE * gap + 1e-9).all()
    return [normal(axis.tick_labels[nearest]) if there else '' for nearest in distances.argmin(1)]


def things(series: list[PlotSeries], axes: PlotAxes) -> list[Thing]:
    """The bars, boxes or wedges of an axes from left to right, without bars of no length that nothing names."""
    if series[0].kind == 'pie':
        pairs = [pair for one in series for pair in zip(one.names, one.columns[0], strict=True)]
        return [Thing('', normal(name), 0.0, (share or 0.0,)) for name, share in pairs]
    rows = [[value or 0.0 for value in row] for one in series for row in zip(*one.columns, strict=True)]
    boxes, axis = series[0].kind.startswith('box'), getattr(axes, NAMED[series[0].kind])
    labels = [normal(label) for one in series for label in (boxes and one.names) or [one.label] * len(one.columns[0])]
    names = tick_names([row[0] for row in rows], axis if axes.kind != 'polar' else PlotAxis())
    numbers = [number for number, one in enumerate(series) for _ in one.columns[0]]
    if not boxes and len({*zip(numbers, names, strict=True)}) < len(names):  # many bars of a histogram at one tick
        names = [''] * len(names)
    parts = sorted(zip(labels, names, rows, strict=True), key=lambda part: part[2][0])
    found = [Thing(label, name, row[0], row[1:]) for label, name, row in parts]
    there = {bar.name for bar in found if bar.numbers[0]}
    seen = [bar for bar in found if bar.numbers[0] or bar.name not in there | {''}]
    return found if boxes else seen or found


def shared(
    golds: list[PlotSeries],
    answers: list[PlotSeries],
    gold: PlotAxes,
    answer: PlotAxes,
    tolerance: float,
    in_order: bool = False,
) -> float:
    """The share of bars, boxes or wedges that two axes have in common, 0 to 1.

    `in_order`: whether it counts which part of a stack lies below.
    """
    own, shown = things(golds, gold), things(answers, answer)
    boxes = golds[0].kind.startswith('box')
    if boxes and not (own[0].name and shown[0].name):  # their rank from the left stands for a name
        own, shown = ([box._replace(name=str(rank)) for rank, box in enumerate(those)] for those in (own, shown))
    said = min(len(one.numbers) for one in (*own, *shown))  # descriptions of former versions have no outliers
    own, shown = ([one._replace(numbers=one.numbers[:said]) for one in those] for those in (own, shown))
    reach = [number for one in own for number in (one.numbers[:5] if boxes else (0.0, one.numbers[0]))]
    near = max(max(tolerance, BOX_NEAR if boxes else NEAR) * (float(np.ptp(reach)) or 1.0), NOISE)
    if golds[0].kind in ('bar', 'barh') and gold.legend and answer.legend and not in_order:
        own, shown = _by_top(own), _by_top(shown)
    apart = APART * np.diff(sorted({round(one.place, 6) for one in own})).min(initial=1.0)

    def pairs(ours: list[Thing], theirs: list[Thing]) -> int:
        """The number of things that are the same, and at the same place where they have no names."""
        limits = [near] * len(ours[0].numbers) + [np.inf if ours[0].name and theirs[0].name else apart]
        rows = np.array([[*one.numbers, one.place] for one in theirs])
        left = np.ones(len(rows), bool)
        for one in ours:
            same = left & (np.abs(rows - [*one.numbers, one.place]) <= limits).all(1)
            left[np.flatnonzero(same)[:1]] = False
        return int((~left).sum())

    return in_common(own, shown, pairs, labels=bool(gold.legend))


def _by_top(bars: list[Thing]) -> list[Thing]:
    """Bars with the top of all bars at their place for their base, so that parts of a stack may lie in any order."""
    tops: dict[float, float] = {}
    for bar in bars:
        tops[round(bar.place, 6)] = max(tops.get(round(bar.place, 6), 0.0), sum(bar.numbers))
    return [bar._replace(numbers=(bar.numbers[0], tops[round(bar.place, 6)])) for bar in bars]


def in_common(own: list[Thing], shown: list[Thing], pairs: Callable[..., int], labels: bool) -> float:
    """The share of things that `pairs` finds under the same names; names that only one side has do not count."""
    known = {one.label for one in own} & {one.label for one in shown} if labels else set()
    named = any(one.name for one in own) and any(one.name for one in shown)
    groups: dict[tuple[str, str], tuple[list[Thing], list[Thing]]] = {}
    for side, those in enumerate((own, shown)):
        for one in those:
            key = (one.label if one.label in known else '', one.name if named else '')
            groups.setdefault(key, ([], []))[side].append(one)
    found = sum(pairs(*those) for those in groups.values() if all(those))
    return 2 * found / (len(own) + len(shown)) if own and shown else 0.0
