"""Finds box plots, which matplotlib draws as lines: boxes with whiskers. Part of `plot_objects.py`."""

from __future__ import annotations

from typing import Any

from plot_points import tints
from plot_values import Series, made, np

PLAIN, NOTCHED = (5, 6), (11, 12)
"""Numbers of points of the outline of a box: its last point may repeat the first."""

Box = tuple[tuple[float, ...], list[int]]


def boxes(lines: list[Any], patches: list[Any], label: Any) -> tuple[list[Series], list[Any], list[Any]]:
    """The box plots, with a `label` for each box, and the lines and patches that are no part of them."""
    artists = {id(part): part for part in (*lines, *patches)}
    found: list[Series] = []
    for kind, turn in (('box', 1), ('boxh', -1)):
        shapes = {id(line): line.get_xydata()[:, ::turn] for line in lines if len(line.get_xydata())}
        paths = {id(patch): patch.get_path().vertices for patch in patches if type(patch).__name__ == 'PathPatch'}
        shapes |= {key: points[:, ::turn] for key, points in paths.items() if len(points) in PLAIN + NOTCHED}
        likely = {key: shape for key, shape in shapes.items() if len(shape) in PLAIN + NOTCHED}
        spans = {key: (*shape.min(0), *shape.max(0)) for key, shape in shapes.items()} if likely else {}
        those = [_box(key, shape, spans) for key, shape in likely.items()]
        known = sorted((box for box in those if box is not None), key=lambda box: box[0])
        if known:
            names = [label(artists[own[0]]) for _, own in known]
            tinted = tints([artists[own[0]] for _, own in known])
            found.append(made(kind, list(zip(*(row for row, _ in known), strict=True)), names=names, tints=tinted))
            parts = {part for _, own in known for part in own}
            lines = [line for line in lines if id(line) not in parts]
            patches = [patch for patch in patches if id(patch) not in parts]
    return found, lines, patches


def _box(key: int, shape: Any, spans: dict[int, tuple[float, ...]]) -> Box | None:
    """Place, lower end, quartiles, upper end, least and greatest value of a vertical box, with the ids of its parts.

    None if it is no box.
    """
    left, _, right, _ = spans[key]
    ends = _quartiles(shape, left, right)
    if ends is None:
        return None
    low, high = ends
    slack = 1e-6 * (right - left)
    parts = {one: s for one, s in spans.items() if s[0] >= left - slack and s[2] <= right + slack and one != key}
    whiskers = [s for s in parts.values() if s[2] - s[0] <= slack and (s[1] == high or s[3] == low)]
    waist = abs(shape[3, 0] - shape[8, 0]) if len(shape) in NOTCHED else np.ptp(shape[:, 0])
    across = [s[1] for s in parts.values() if s[1] == s[3] and s[2] - s[0] >= waist - 2 * slack]
    medians = [place for place in across if low <= place <= high]
    if len(whiskers) < 2 or not medians:
        return None
    outer = min(s[1] for s in whiskers), max(s[3] for s in whiskers)
    extremes = min(s[1] for s in parts.values()), max(s[3] for s in parts.values())  # with outliers
    return ((left + right) / 2, outer[0], low, medians[0], high, outer[1], *extremes), [key, *parts]


def _quartiles(shape: Any, left: float, right: float) -> tuple[float, float] | None:
    """The lower and upper end of a box; None if the shape is no box."""
    if right <= left:
        return None
    if len(shape) in NOTCHED:
        ends = shape[0, 1], shape[5, 1]
        return ends if shape[1, 1] == ends[0] and shape[6, 1] == ends[1] and ends[0] <= ends[1] else None
    slack = 1e-6 * (right - left)
    upright = all(min(abs(x - left), abs(x - right)) <= slack for x in shape[:, 0])
    low, high = shape[:, 1].min(), shape[:, 1].max()
    return (low, high) if upright and len(set(shape[:, 1])) <= 2 else None
