"""Values over a plane: filled contours, meshes, images over coordinates, contour lines. Part of `plot_objects.py`."""

from __future__ import annotations

from typing import Any

from plot_shapes import apart
from plot_values import Series, floats, made, np, number

SIDE, COLUMNS = 48, 6
"""A field has SIDE × SIDE values, row by row from the lower left, split into COLUMNS columns."""
DIGITS = 5
"""Significant digits of a value of a field."""
LEVELS = 100
"""Most levels of filled contours that are kept."""
POLYGONS = 1000
"""Most polygons of filled contours that are read."""
LIMIT = 1e200
"""Larger levels of filled contours are open ends and no values."""


def field(value_at: Any, extent: tuple[float, float, float, float], levels: Any, label: str) -> Series:
    """The values of a function of x and y at the centres of the cells of a grid over an extent."""
    left, right, bottom, top = extent
    parts = (np.arange(SIDE) + 0.5) / SIDE
    x, y = np.meshgrid(left + parts * (right - left), bottom + parts * (top - bottom))
    values = [float(f'{value:.{DIGITS}g}') for value in floats(value_at(x.ravel(), y.ravel()))]
    found = made('field', np.reshape(values, (COLUMNS, -1)), label, shape=[SIDE, SIDE])
    ends, between = ([number(value) for value in those] for those in (extent, levels[:LEVELS]))
    return found | {'size': SIDE * SIDE, 'extent': ends, 'levels': between}


def of_cells(xs: Any, ys: Any, array: Any, label: str) -> Series:
    """The field of cells whose borders are xs and ys, in rising or falling order."""
    xs, ys, array = floats(xs), floats(ys), floats(array)
    if xs[0] > xs[-1]:
        xs, array = xs[::-1], array[:, ::-1]
    if ys[0] > ys[-1]:
        ys, array = ys[::-1], array[::-1]

    def value_at(x: Any, y: Any) -> Any:
        places = [
            np.clip(np.searchsorted(ends, at, side='right') - 1, 0, len(ends) - 2) for ends, at in ((ys, y), (xs, x))
        ]
        return array[tuple(places)]

    return field(value_at, (xs[0], xs[-1], ys[0], ys[-1]), [], label)


def contours(part: Any, label: str) -> Series | None:
    """Filled contours as a field; contour lines as points with their values."""
    paths = part.get_paths()
    if not any(len(path.vertices) for path in paths):
        return None
    if part.filled:
        outlines = [path.vertices for path in paths if len(path.vertices)]
        return _filled(part, paths, label) or made('contour', apart(outlines), label, fields=['x', 'y'])
    kept = [(path, level) for path, level in zip(paths, part.levels, strict=False) if len(path.vertices)]
    rows = [
        np.column_stack([piece, np.full(len(piece), level)])
        for path, level in kept
        for piece in path.to_polygons(closed_only=False)
    ]
    return made('contour', apart(rows), label, fields=['x', 'y', 'value']) if rows else None


def _filled(part: Any, paths: list[Any], label: str) -> Series | None:
    polygons = [path.to_polygons() if len(path.vertices) else [] for path in paths]
    if not 0 < sum(map(len, polygons)) <= POLYGONS or len(part.layers) != len(paths):
        return None
    corners = np.concatenate([polygon for those in polygons for polygon in those])
    levels = floats(part.levels)
    layers = np.where(np.abs(part.layers) < LIMIT, part.layers, np.where(part.layers < 0, levels[0], levels[-1]))

    def value_at(x: Any, y: Any) -> Any:
        points, values = np.column_stack([x, y]), np.full(len(x), np.nan)
        for those, value in zip(polygons, layers, strict=True):
            values[_inside(those, points)] = value
        return values

    (left, bottom), (right, top) = corners.min(0), corners.max(0)
    return field(value_at, (left, right, bottom, top), levels, label)


def _inside(polygons: list[Any], points: Any) -> Any:
    """Which points are inside an odd number of polygons: a polygon inside another one is a hole."""
    from matplotlib.path import Path

    inside = np.zeros(len(points), bool)
    for polygon in polygons:
        near = ((points >= polygon.min(0)) & (points <= polygon.max(0))).all(1)
        inside[near] ^= Path(polygon).contains_points(points[near])
    return inside
