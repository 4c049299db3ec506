"""Shapes with a meaning: outlines of histograms, error bars, areas, arrows, box plots. Part of `plot_objects.py`.

matplotlib draws a box plot as lines: boxes with whiskers.
"""

from __future__ import annotations

import itertools
from typing import Any

from plot_points import tints
from plot_values import Series, floats, made, np

PLAIN, NOTCHED = (5, 6), (11, 12)
"""Numbers of points of the outline of a box: its last point may repeat the first."""

Box = tuple[tuple[float, ...], list[int]]


def steps(edges: Any, values: Any, bases: Any) -> list[tuple[float, float, float]]:
    """The centre, length and base of the bars between edges."""
    places = zip(itertools.pairwise(edges), values, bases, strict=True)
    return [((left + right) / 2, value - base, base) for (left, right), value, base in places]


def of_polygon(corners: Any) -> tuple[str, list[tuple[float, float, float]]]:
    """The bars of a polygon of `hist(histtype='step')`; empty for another polygon."""
    corners = corners[:-1] if (corners[0] == corners[-1]).all() and len(corners) % 2 else corners
    for kind, points in (('bar', corners), ('barh', corners[:, ::-1])):
        half = len(points) // 2
        back = half % 2 == 0 and (points[half:, 0] == points[:half, 0][::-1]).all()
        half = half if back else len(points)
        x, y = points[:half, 0], points[:half, 1]
        if half >= 4 and half % 2 == 0 and (x[::2] == x[1::2]).all() and (y[1:-1:2] == y[2::2]).all() and y[0] == y[-1]:
            return kind, steps(x[::2], y[1:-1:2], np.full(half // 2 - 1, y[0]))
    return '', []


def without_idle(corners: list[Any]) -> list[Any]:
    """The corners of a stepped line, without those at which it goes straight on or stays."""
    points = np.stack(corners, axis=1)
    before, after = points[1:-1] - points[:-2], points[2:] - points[1:-1]
    on = ((before == 0) & (after == 0)).any(1) & (before * after >= 0).all(1)
    kept = np.concatenate([[True], ~on, [True]])
    return [column[kept] for column in corners]


def without_feet(corners: list[Any]) -> list[Any]:
    """The corners of a stepped line without a level of 0 at its ends and the length of its last level."""
    there = np.flatnonzero(np.isfinite(corners[0]))
    along, levels = (column[there[0] : there[-1] + 1] if len(there) else column for column in corners)
    first, last = 0, len(levels) - 1
    while first < last and levels[first] == 0 and (along[first] == along[first + 1] or levels[first + 1] == 0):
        first += 1
    while first < last and (levels[last] == levels[last - 1] or (levels[last] == 0 and along[last] == along[last - 1])):
        last -= 1
    return [along[first : last + 1], levels[first : last + 1]]


def upright(along: Any, across: Any) -> tuple[float, float, float] | None:
    """The place and ends of a vertical line, caps included; None for another line."""
    along, across = along[np.isfinite(along)], across[np.isfinite(across)]
    if len(along) < 2 or not len(across) or across.min() == across.max():
        return None
    middle, low, high = float(along.mean()), float(across.min()), float(across.max())
    inner = set(across.tolist()) == {low, high}
    return (middle, low, high) if inner and (abs(along - middle) < 1e-9).sum() >= 2 else None


def on_bars(span: tuple[float, float, float], bars: list[Series], kind: str) -> bool:
    """Whether a vertical line stands at the middle of the end of a bar."""
    middle, low, high = span
    for series in bars:
        if series['kind'] == kind:
            places, lengths, bases = (floats(column) for column in series['columns'])
            near = abs(places - middle) < 1e-6 * max(1.0, abs(middle))
            if (near & (low <= lengths + bases) & (lengths + bases <= high)).any():
                return True
    return False


def on_corners(span: tuple[float, float, float], line: Any, lines: list[Any], kind: str) -> bool:
    """Whether a vertical line goes through a corner of another line, as an interval does."""
    middle, low, high = span
    for other in lines:
        if other is not line and not hasattr(other, 'get_data_3d') and len(other.get_xdata()) > 1:
            x, y = (floats(column) for column in other.get_data(orig=False))
            along, across = (x, y) if kind == 'bar' else (y, x)
            if ((abs(along - middle) < 1e-9) & (low < across) & (across < high)).any():
                return True
    return False


def segments(kind: str, lines: Any, label: str = '') -> Series | None:
    """Straight pieces: both ends of each, the smaller one first."""
    pieces = []
    for line in lines:
        points = floats(line)
        if len(points) > 1:
            pieces.append(np.concatenate([points[:-1], points[1:]], axis=1))
    if not pieces:
        return None
    ends = np.concatenate(pieces)
    width = ends.shape[1] // 2
    first, second = ends[:, :width], ends[:, width:]
    differ = first != second
    at = differ.argmax(1)
    rows = np.arange(len(ends))
    turn = first[rows, at] > second[rows, at]
    ends[turn] = np.concatenate([second, first], axis=1)[turn]
    return made(kind, ends[np.isfinite(ends).all(1)].T, label)


def between(outline: Any, along: int) -> Any:
    """The places, lower and upper ends of an area with two corners at nearly every place, and nowhere more; else None.

    Its outline goes once forth and once back along the axis, whatever it does across.
    """
    if np.unique(np.unique(outline, axis=0)[:, along], return_counts=True)[1].max() > 2:
        return None
    moves = np.sign(np.diff(outline[:, along]))
    moves = moves[moves != 0]
    if (moves != np.roll(moves, 1)).sum() > 2:
        return None
    places, which = np.unique(outline[:, along], return_inverse=True)
    if len(places) < 2 or len(places) > 0.6 * len(outline) + 2:
        return None
    low, high = np.full(len(places), np.inf), np.full(len(places), -np.inf)
    np.minimum.at(low, which.ravel(), outline[:, 1 - along])
    np.maximum.at(high, which.ravel(), outline[:, 1 - along])
    return np.stack([places, low, high], axis=1)


def alone(outline: Any, along: int) -> int:
    """The number of places along an axis with a single corner of an outline."""
    return int((np.unique(outline[:, along], return_counts=True)[1] < 2).sum())


def apart(outlines: list[Any]) -> Any:
    gap = np.full((1, outlines[0].shape[1]), np.nan)
    return np.concatenate([part for outline in outlines for part in (outline, gap)][:-1]).T


def is_hole(disc: Any, wedge: Any) -> bool:
    """Whether a circle, or a whole wedge, covers the tip of a larger wedge."""
    radius = disc.r if hasattr(disc, 'theta1') else disc.radius
    return np.hypot(*np.subtract(disc.center, wedge.center)) < radius < wedge.r


def arrow(patch: Any) -> tuple[float, float, float, float] | None:
    """The start and end of an arrow; None if the patch is no arrow, or one along a path."""
    ends = getattr(patch, '_posA_posB', None)
    if ends is not None:
        return (*ends[0], *ends[1])
    if type(patch).__name__ == 'FancyArrow' and hasattr(patch, '_dx'):
        return patch._x, patch._y, patch._x + patch._dx, patch._y + patch._dy
    return None


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
