"""Where texts stand inside the axes: an answer's texts that stand at the places of other texts of the gold."""

from typing import Any

import numpy as np

from cibench_eval.evaluators.comparing.plots.bars import NAMED, Thing, things
from cibench_eval.evaluators.comparing.plots.points import NEAR as POINT_NEAR
from cibench_eval.evaluators.comparing.plots.points import extent, logs, table
from cibench_eval.evaluators.comparing.plots.texts import BESIDE, ROUNDING, alike, labelled
from cibench_eval.plots import PlotAxes

NEAR = 0.1
"""Largest distance of two equal places, as a share of the axis; half the distance of two cells or of two named bars."""

Places = Any
"""Places along an axis; nan where not known."""


def misplaced(gold: PlotAxes, answer: PlotAxes) -> list[str]:
    """List the texts of an answer that the gold has elsewhere: with others at their places, with arrows, or at points.

    Places count where both say them, but not beside pies.
    """
    if not (gold.text_places and answer.text_places) or any(one.kind == 'pie' for one in gold.series):
        return []
    placed, known = (np.array([bool(place) for place in axes.text_places]) for axes in (gold, answer))
    pointed = np.isin(np.arange(len(placed)), gold.arrows) | _at_points(gold, gold).any(1)
    same, near = alike(answer.texts, gold.texts), _near(gold, answer)
    elsewhere = known & same.any(1) & ~(same & (near | ~placed)).any(1)
    wrong = elsewhere & (near.any(1) | (pointed | ~same).all(1))
    return [text for text, there in zip(answer.texts, wrong, strict=True) if there]


def arrows_agree(gold: PlotAxes, answer: PlotAxes) -> bool:
    """Whether an arrow of the answer points to the place of each arrow of the gold, where both say places."""
    own, shown = (
        [at for at, place in enumerate(axes.text_places) if place and at in axes.arrows] for axes in (gold, answer)
    )
    if not (own and shown):
        return bool(answer.arrows)
    return bool(_near(gold, answer)[np.ix_(shown, own)].any(0).all())


def _near(gold: PlotAxes, answer: PlotAxes) -> Any:
    """Which texts of an answer are at the places of which of the gold's, as an array of the answer's × the gold's.

    How high a text stands at a bar or box does not matter, but which part of a stack it names.
    """
    near = _together(_at_points(gold, gold), _at_points(gold, answer))
    for name, along in zip('xy', 'yx', strict=True):
        if any(NAMED.get(one.kind, name) == along for one in gold.series):
            near &= _together(*(_at_parts(gold, axes, along) for axes in (gold, answer)))
            continue
        own, shown = (_scaled(gold, name, those) for those in (_places(gold, name), _moved(gold, answer, name)))
        near &= np.abs(np.subtract.outer(shown, own)) <= _far(gold, name) * (1 + ROUNDING)
    return near


def _together(own: Any, shown: Any) -> Any:
    """Which texts, by what they stand at, stand at the same; those that stand at nothing may be anywhere."""
    return (shown @ own.T) | ~np.logical_and.outer(shown.any(1), own.any(1))


def _at_points(gold: PlotAxes, axes: PlotAxes) -> Any:
    """Which texts of an axes stand at which points of the gold, as an array."""
    cloud = np.concatenate([np.zeros((0, 2)), *(table(one)[:, :2] for one in gold.series if one.kind == 'scatter')])
    near = np.ones((len(axes.text_places), len(cloud)), bool)
    for name, column in zip('xy', cloud.T, strict=True):
        points, at = (_scaled(gold, name, those) for those in (column, _moved(gold, axes, name)))
        near &= np.abs(np.subtract.outer(at, points)) <= POINT_NEAR * extent(points)
    return near


def _at_parts(gold: PlotAxes, axes: PlotAxes, along: str) -> Any:
    """Which texts of an axes name which of the gold's parts of stacks: by their order, where each part has one."""
    bars, heights = _bars(axes, along), _places(axes, 'xy'.replace(along, ''))
    spots = np.unique([bar.place for bar in bars])
    apart = np.abs(np.subtract.outer(_places(axes, along), spots))
    labels = sorted({bar.label for bar in _bars(gold, along)} - {''})
    found = np.zeros((len(heights), len(labels)), bool)
    for spot, there in zip(spots, (apart == apart.min(1, initial=np.inf, keepdims=True)).T, strict=True):
        texts = np.flatnonzero(there)[np.argsort(heights[there])]
        parts = [bar for bar in bars if bar.place == spot] if len(texts) > 1 else []
        if parts and len(parts) == len(texts):
            parts.sort(key=lambda bar: bar.numbers[1] + bar.numbers[0] / 2)
            found[texts] = [[part.label == label for label in labels] for part in parts]
    return found


def _scaled(gold: PlotAxes, name: str, places: Places) -> Places:
    """Places along an axis of the gold, as far apart as they look."""
    return logs(places) if getattr(gold, name).scale == 'log' else places


def _places(axes: PlotAxes, name: str) -> Places:
    return np.array([place['xy'.index(name)] if place else np.nan for place in axes.text_places])


def _far(gold: PlotAxes, name: str) -> float:
    """The largest distance of two equal places along an axis."""
    axis, bars = getattr(gold, name), _bars(gold, name)
    for image in gold.series:
        if image.kind == 'image' and image.extent:
            return BESIDE * float(np.ptp(image.extent[2 * 'xy'.index(name) :][:2])) / image.shape['yx'.index(name)]
    if any(bar.name for bar in bars):
        return BESIDE * float(np.diff(sorted({round(bar.place, 6) for bar in bars})).min(initial=1.0))
    ends = np.array(axis.view or [0.0, 1.0])
    return NEAR * float(np.ptp(logs(ends) if axis.scale == 'log' else ends))


def _bars(axes: PlotAxes, name: str) -> list[Thing]:
    """The bars or boxes along an axis."""
    those = [one for one in axes.series if NAMED.get(one.kind) == name]
    return things([one for one in those if one.kind == those[0].kind], axes) if those else []


def _moved(gold: PlotAxes, answer: PlotAxes, name: str) -> Places:
    """The places of an answer's texts, moved with the bar or name nearest to each to where the gold has the same."""
    own, shown = _bars(gold, name), _bars(answer, name)
    labels = {one.label for one in own} & {one.label for one in shown}

    def key(bar: Thing) -> tuple[str, str]:
        return bar.label if bar.label in labels else '', bar.name

    homes: dict[Any, float] = {key(one): one.place for one in own if one.name}
    ends: list[tuple[Any, float]] = [(key(one), one.place) for one in shown]
    if not homes:
        homes, ends = dict(labelled(getattr(gold, name))), [*labelled(getattr(answer, name))]
    places = _places(answer, name)
    if not ends:
        return places
    nearest = np.abs(np.subtract.outer(places, [place for _, place in ends])).argmin(1)
    return places + np.array([homes.get(key, place) - place for key, place in ends])[nearest]
