"""Runs in a kernel: has matplotlib draw other data than it is given. `dress.py` puts this text there as a module.

Patched are the calls by which data come to be drawn, whoever makes them (seaborn and pandas do in the end):
`Axes.plot` (of which `step` is made), `scatter`, `bar` (`barh`, `hist`), `fill_between` (`stackplot`), `errorbar`,
`bxp` (box plots), `pie`, `imshow` (`matshow`), `pcolormesh` (heat maps, `hist2d`) and `add_collection` of lines
(dendrograms). The values are changed and nothing else: neither places and names nor any variable of the code.

    negate    each value is its negative; of images and pies, what it lacks to lowest + highest
    reverse   the values in reverse order: under each other's places and names; rows, of an image
    permute   the values in an order of chance, the same each time
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes

change = ''
"""What is done to the data that are drawn: a name of CHANGES, or nothing."""


def negate(values: Any, mirrored: bool = False) -> Any:
    if not mirrored:
        return -values
    low, high = (0, 255) if values.dtype == np.uint8 else (np.nanmin(values), np.nanmax(values))
    return (low + high - values.astype(float)).astype(values.dtype)


def reverse(values: Any, mirrored: bool = False) -> Any:
    return values[::-1]


def permute(values: Any, mirrored: bool = False) -> Any:
    order = np.random.default_rng(len(values)).permutation(len(values))
    return values[np.roll(order, 1) if (order == np.arange(len(values))).all() else order]


CHANGES: dict[str, Callable[..., Any]] = {'negate': negate, 'reverse': reverse, 'permute': permute}
PLACES: dict[str, tuple[tuple[int, str], ...]] = {
    'scatter': ((1, 'y'),),
    'fill_between': ((1, 'y1'), (2, 'y2')),
    'errorbar': ((1, 'y'),),
    'pie': ((0, 'x'),),
    'imshow': ((0, 'X'),),
}
"""Where each call has its values, as positional arguments or by name."""
MIRRORED = ('pie', 'imshow', 'pcolormesh')
"""Calls whose values have no sign."""


def changed(values: Any, mirrored: bool = False) -> Any:
    """Numbers as `change` has them; what is none stays as it is."""
    array = np.ma.asarray(values) if isinstance(values, np.ma.MaskedArray) else np.asarray(values)
    if array.dtype == bool:
        array = array.astype(np.uint8)
    if array.dtype.kind not in 'iuf' or (array.ndim == 0 and change != 'negate'):
        return values
    return CHANGES[change](array, mirrored)


def at_places(call: str, given: list[Any], named: dict[str, Any]) -> None:
    for place, name in PLACES[call]:
        if len(given) > place:
            given[place] = changed(given[place], call in MIRRORED)
        elif name in named:
            named[name] = changed(named[name], call in MIRRORED)


def of_bar(call: str, given: list[Any], named: dict[str, Any]) -> None:
    """The lengths of bars, standing or lying."""
    place, name = (2, 'width') if named.get('orientation') == 'horizontal' else (1, 'height')
    if name in named:
        named[name] = changed(named[name])
    else:
        given[place] = changed(given[place])


def of_plot(call: str, given: list[Any], named: dict[str, Any]) -> None:
    """`plot(y)`, `plot(x, y)`, `plot(x, y, 'r', x, y, 'k')`: of each two in a row the second."""
    run = 0
    for place, value in enumerate(given):
        run = 0 if isinstance(value, str) else run + 1
        last = place + 1 == len(given) or isinstance(given[place + 1], str)
        if run == 2 or (run == 1 and last):
            given[place] = changed(value)
            run = 0


def of_mesh(call: str, given: list[Any], named: dict[str, Any]) -> None:
    """The values, which are last."""
    given[-1] = changed(given[-1], mirrored=True)


def of_boxes(call: str, given: list[Any], named: dict[str, Any]) -> None:
    """The statistics of boxes. A negative box has its ends exchanged."""
    boxes = named.pop('bxpstats', None) or given.pop(0)
    if change != 'negate':
        order = CHANGES[change](np.arange(len(boxes)))
        boxes = [{**boxes[place], 'label': own.get('label')} for place, own in zip(order, boxes, strict=True)]
    given.insert(0, [_negative(box) for box in boxes] if change == 'negate' else boxes)


def _negative(box: dict[str, Any]) -> dict[str, Any]:
    other = {'q1': 'q3', 'q3': 'q1', 'whislo': 'whishi', 'whishi': 'whislo', 'cilo': 'cihi', 'cihi': 'cilo'}
    kept = {name: value for name, value in box.items() if name in ('label',)}
    return kept | {other.get(name, name): -np.asarray(value) for name, value in box.items() if name not in kept}


def of_lines(call: str, given: list[Any], named: dict[str, Any]) -> None:
    """Heights of the lines of a dendrogram; all other collections come by other calls."""
    if type(given[0]).__name__ == 'LineCollection':
        given[0].set_segments([np.column_stack([s[:, 0], changed(s[:, 1])]) for s in given[0].get_segments()])


CALLS: dict[str, Callable[[str, list[Any], dict[str, Any]], None]] = {
    **dict.fromkeys(PLACES, at_places),
    'bar': of_bar,
    'plot': of_plot,
    'pcolormesh': of_mesh,
    'bxp': of_boxes,
    'add_collection': of_lines,
}


def patch() -> None:
    """Have each call change its data where `change` says so, but for calls that it makes itself."""
    inside = [False]

    def patched(name: str, edit: Callable[[str, list[Any], dict[str, Any]], None]) -> Any:
        original = getattr(Axes, name)

        @functools.wraps(original)
        def call(axes: Any, *given: Any, **named: Any) -> Any:
            if not change or inside[0]:
                return original(axes, *given, **named)
            values = list(given)
            edit(name, values, named)
            inside[0] = True
            try:
                return original(axes, *values, **named)
            finally:
                inside[0] = False

        return call

    for name, edit in CALLS.items():
        setattr(Axes, name, patched(name, edit))


patch()
