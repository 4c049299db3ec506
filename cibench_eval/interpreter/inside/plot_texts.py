"""Texts inside an axes, and where they stand. Part of `plot_objects.py`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plot_points import seen
from plot_series import days, frequency
from plot_values import floats, np, number, text_of

Written = tuple[str, list[Any], bool]
"""A text, its place ([] if not known), and whether an arrow points to it from the text."""


def written(axes: Any) -> list[Written]:
    """The texts of an axes and the cells of its tables."""
    found = [(text_of(text), _place(axes, text), _arrow(text)) for text in axes.texts if seen(text)]
    found += [(text, [], False) for text in _cells(axes)]
    return [one for one in found if one[0]]


def _cells(axes: Any) -> Iterator[str]:
    for table in axes.tables:
        for cell in table.get_celld().values():
            yield text_of(cell.get_text())


def _arrow(text: Any) -> bool:
    return getattr(text, 'arrow_patch', None) is not None


def _place(axes: Any, text: Any) -> list[Any]:
    """The place that a text is about, in the units of the axes; [] if the code does not give it by the data."""
    at: Any = getattr(text, 'xycoords', 'data')
    if axes.name == '3d' or (at != 'data' and not callable(at) and not hasattr(at, 'get_bbox')):
        return []
    if at != 'data':  # a share of a bar, or of what a function gives, as `bar_label` has it
        box = at(None) if callable(at) else at.get_window_extent()
        x, y = axes.transData.inverted().transform(box.min + np.multiply(text.xy, box.size))
    elif hasattr(text, 'xy'):
        x, y = axes.convert_xunits(text.xy[0]), axes.convert_yunits(text.xy[1])
    elif text.get_transform().contains_branch(axes.transData):
        x, y = text.get_unitless_position()
    else:
        return []
    periods = frequency(axes)
    place = [number(end) for end in floats([x, y] if periods is None else [*days(floats([x]), periods), y])]
    return [] if None in place else place
