"""Points of a plot: all points of an axes are one cloud, whichever calls drew them. Part of `plot_objects.py`.

Points of one call and one colour are a group, which a legend may name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plot_values import Series, finite_rows, floats, made, np

MOST_TINTS = 400
"""Most artists of a series whose colours are told apart."""
GROUPS = 50
"""Most colours of points that are told apart; with more, colour counts as a scale."""

COLOURS = ('get_facecolor', 'get_edgecolor', 'get_color', 'get_markerfacecolor', 'get_markeredgecolor')
"""The methods of artists that give their colours."""

Dated = Callable[[Any], Any]
"""Turns numbers of periods on the x axis into days."""
Names = dict[tuple[float, ...], str]
"""The text in a legend for each colour."""


def cloud(axes: Any, parts: list[Any], labels: dict[int, str], names: Names, dated: Dated) -> Series | None:
    """All points of an axes; the columns are x, y, (z,) values shown by a colour map, and areas."""
    tables = [_table(part) for part in parts]
    rows = [finite_rows(table[:-2]) & (np.nan_to_num(table[-1]) > 0) & _in_view(axes, table) for table in tables]
    tables = [[column[kept] for column in table] for table, kept in zip(tables, rows, strict=True)]
    width = min((len(table) for table in tables), default=0)
    if not width or not sum(len(table[0]) for table in tables):
        return None
    columns = [np.concatenate([table[place] for table in tables if len(table) == width]) for place in range(width)]
    columns[0] = dated(columns[0])
    groups, group_labels, tints = _groups(parts, rows, labels, names)
    if len(groups) != len(columns[0]) and groups:
        groups, group_labels, tints = [], [], []
    kept = dict(zip([*'xyz'[: width - 2], 'value', 'area'], columns, strict=True))
    if not np.isfinite(kept['value']).any():
        del kept['value']
    if not np.ptp(kept['area']) > 0:
        del kept['area']
    return made('scatter', kept.values(), fields=[*kept], groups=groups, group_labels=group_labels, tints=tints)


def _table(part: Any) -> list[Any]:
    """The coordinates, value and area of each point."""
    if hasattr(part, 'get_marker'):
        data = part.get_data_3d() if hasattr(part, 'get_data_3d') else part.get_data(orig=False)
        places = [floats(column) for column in data]
        return [*places, np.full(len(places[0]), np.nan), np.full(len(places[0]), part.get_markersize() ** 2)]
    places = _places(part)
    size, array, areas = len(places[0]), part.get_array(), part.get_sizes()
    values = floats(array).ravel() if array is not None and np.size(array) == size else np.full(size, np.nan)
    return [*places, values, np.resize(floats(areas), size) if len(areas) else np.full(size, 1.0)]


def _places(part: Any) -> list[Any]:
    if hasattr(part, '_offsets3d'):
        return [floats(column) for column in part._offsets3d]
    offsets = part.get_offsets()
    return [floats(offsets[:, 0]), floats(offsets[:, 1])]


def _in_view(axes: Any, table: list[Any]) -> Any:
    """Which points are inside the view."""
    inside = np.ones(len(table[0]), bool)
    if len(table) == 4 and axes.name == 'rectilinear':
        for column, view in zip(table, (axes.get_xlim(), axes.get_ylim()), strict=False):
            slack = 1e-6 * abs(view[1] - view[0])
            inside &= (column >= min(view) - slack) & (column <= max(view) + slack)
    return inside


def _groups(parts: list[Any], rows: list[Any], labels: dict[int, str], names: Names) -> tuple[list[Any], ...]:
    """The group of each point, and the name and colour of each group; for a single group, its colour alone."""
    numbered: dict[Any, int] = {}
    found: list[int] = []
    for part, kept in zip(parts, rows, strict=True):
        own = labels.get(id(part), '')
        keys = [(own, colour) for colour in _colours(part, len(kept))]
        for key, there in zip(keys, kept.tolist(), strict=True):
            if there:
                found.append(numbered.setdefault(key, len(numbered)))
        if len(numbered) > GROUPS:
            return [], [], []
    hues = [tint(colour) for _, colour in numbered]
    tints = hues if all(hues) else []
    known = [names.get(colour, '') or own for own, colour in numbered]
    return (found, known, tints) if len(numbered) > 1 else ([], [], tints)


def _colours(part: Any, size: int) -> list[Any]:
    """The colour of each point, as a key."""
    if hasattr(part, 'get_marker'):
        face = colour_key(part.get_markerfacecolor())
        return [face if face and face[3] else colour_key(part.get_markeredgecolor())] * size
    if part.get_array() is not None:
        array = floats(part.get_array()).ravel()
        if len(array) != size or len(np.unique(array[np.isfinite(array)])) > GROUPS:
            return [None] * size
        return [tuple(row) for row in part.to_rgba(array).round(3).tolist()]
    faces = part.get_facecolor()
    faces = faces if len(faces) else part.get_edgecolor()
    if not len(faces):
        return [None] * size
    keys = [tuple(row) for row in np.asarray(faces).round(3).tolist()]
    return [keys[place % len(keys)] for place in range(size)] if len(keys) > 1 else keys * size


def seen(artist: Any) -> bool:
    """Whether an artist is drawn: it is visible, and not transparent; pieces of lines have a width."""
    from matplotlib.collections import LineCollection
    from matplotlib.colors import to_rgba_array

    if isinstance(artist, LineCollection) and not np.any(np.asarray(artist.get_linewidth()) > 0):
        return False
    if not artist.get_visible() or (artist.get_alpha() is not None and not np.max(artist.get_alpha()) > 0):
        return False
    if getattr(artist, 'get_array', lambda: None)() is not None:  # colours that follow from values
        return True
    hues = [getattr(artist, name)() for name in COLOURS if hasattr(artist, name)]
    return not hues or any((to_rgba_array(hue)[:, 3] > 0).any() for hue in hues)


def colour_key(colour: Any) -> Any:
    """A colour as a key of `Names`; None if it is no colour."""
    from matplotlib.colors import to_rgba

    try:
        return tuple(round(part, 3) for part in to_rgba(colour))
    except ValueError:
        return None


def colour_names(legends: list[Any]) -> Names:
    """The texts of the legends of an axes for each colour that occurs once."""
    found: Names = {}
    for legend in legends:
        handles = getattr(legend, 'legend_handles', None) or getattr(legend, 'legendHandles', [])
        for handle, text in zip(handles, legend.get_texts(), strict=False):
            key = colour_key(_colour(handle))
            if key is not None:
                found[key] = '' if key in found else text.get_text()
    return found


def _colour(handle: Any) -> Any:
    """The main visible colour of an artist."""
    if hasattr(handle, 'get_markerfacecolor'):
        bare = handle.get_linestyle() in ('None', ' ', '')
        return handle.get_markerfacecolor() if bare else handle.get_color()
    for name in ('get_facecolor', 'get_color', 'get_edgecolor'):
        colour = getattr(handle, name, lambda: None)()
        if colour is not None and len(colour) and not isinstance(colour, str):
            first = np.atleast_2d(colour)[0]
            if first[-1] > 0:
                return tuple(first)
    return None


def tint(colour: Any) -> str:
    """A colour as `#rrggbb`; empty if it is no visible colour."""
    key = colour_key(colour) if colour is not None else None
    return '#' + ''.join(f'{round(255 * part):02x}' for part in key[:3]) if key and key[3] else ''


def tints(artists: Any) -> list[str]:
    """The common colour of these artists, or one per artist; empty if one is unknown or there are too many."""
    found = [tint(_colour(artist)) for artist in artists[: MOST_TINTS + 1]]
    if not all(found):
        return []
    return found[:1] if len(set(found)) == 1 else found if len(found) <= MOST_TINTS else []


def colour_of(artist: Any) -> Any:
    """The key of an artist's colour in `Names`."""
    return colour_key(_colour(artist))
