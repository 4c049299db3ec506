"""Curves: whether two lines look the same, whatever points they were drawn through."""

from __future__ import annotations

import numpy as np

from cibench_eval.evaluators.comparing.plots.points import Table

VISIBLE = 0.003
"""Largest distance of two equal curves, as a share of the view: about one pixel."""
SAMPLES = 300
"""Places at even distances along a curve that are looked for on the other."""
COVERED = 0.97
"""Least share of them on the other curve: a step or a gap at an end may differ."""
TINY = 1e-12


def shared(gold: Table, answer: Table, view: Table) -> float:
    """The share that two curves have in common: 1 where they look the same.

    Args:
        gold, answer: points of the curves.
        view: the lengths of the axes, by coordinate.
    """
    if not len(gold) or not len(answer):
        return 0.0
    if same_points(gold, answer, view) or same_points(gold, answer[::-1], view):
        return 1.0
    first, second = gold / (VISIBLE * view), answer / (VISIBLE * view)
    recall, precision = _found(first, second), _found(second, first)
    if min(recall, precision) >= COVERED and _corners_on(first, second) and _corners_on(second, first):
        return 1.0
    return min(recall, precision, 0.99)


def same_points(gold: Table, answer: Table, view: Table) -> bool:
    """Whether both go through the same points."""
    return gold.shape == answer.shape and bool(
        np.isclose(gold / view, answer / view, rtol=0, atol=VISIBLE, equal_nan=True).all()
    )


def _found(points: Table, curve: Table) -> float:
    """The share of a curve that lies on another."""
    places = _along(points)
    return float(on_curve(places, curve).mean()) if len(places) else 0.0


def _corners_on(points: Table, curve: Table) -> bool:
    """Whether all corners of a curve but one at either end lie on another curve."""
    on = on_curve(points, curve) | np.isnan(points).any(1)
    return bool(on[1:-1].all()) if len(on) > 2 else bool(on.any())


def _along(points: Table) -> Table:
    """Sample places at even distances along a curve."""
    pieces = np.abs(np.diff(points, axis=0)).max(1) if len(points) > 1 else np.zeros(0)
    pieces = np.nan_to_num(pieces)
    reached = np.concatenate([[0.0], np.cumsum(pieces)])
    if reached[-1] < TINY:
        return points[~np.isnan(points).any(1)][:1]
    at = np.linspace(0, reached[-1], SAMPLES)
    begin = np.clip(np.searchsorted(reached, at, side='right') - 1, 0, len(pieces) - 1)
    part = (at - reached[begin]) / np.maximum(pieces[begin], TINY)
    places = points[begin] + np.clip(part, 0, 1)[:, None] * (points[begin + 1] - points[begin])
    return places[~np.isnan(places).any(1)]


def on_curve(points: Table, curve: Table) -> Table:
    """Which points are within 1, in each coordinate, of a straight piece of a curve."""
    if len(curve) == 1:
        return (np.abs(points - curve) <= 1).all(1)
    begin, along = curve[:-1], np.diff(curve, axis=0)
    there = ~np.isnan(along).any(1)
    begin, along = begin[there], along[there]
    which, piece = _beside(points, begin, begin + along).nonzero()
    found = _on_piece(points[which], begin[piece], along[piece])
    on = np.zeros(len(points), bool)
    on[which[found]] = True
    return on


def _on_piece(points: Table, begin: Table, along: Table) -> Table:
    square = np.maximum((along**2).sum(1), TINY)
    part = np.clip(((points - begin) * along).sum(1) / square, 0, 1)
    return (np.abs(begin + part[:, None] * along - points) <= 1 + 1e-9).all(1)


def _beside(points: Table, begin: Table, end: Table) -> Table:
    """Whether each point is so near to the box around each piece that it can lie on the piece."""
    beside = np.ones((len(points), len(begin)), bool)
    for own, low, high in zip(points.T, np.minimum(begin, end).T, np.maximum(begin, end).T, strict=True):
        beside &= (own[:, None] >= low - 2) & (own[:, None] <= high + 2)
    return beside
