"""Images in a plot: their arrays, oriented as on the screen; small ones as a whole. Part of `plot_objects.py`."""

from __future__ import annotations

import itertools
from typing import Any

from plot_fields import of_cells
from plot_values import Series, floats, made, np, number, numbers, unmasked

WHOLE = 400
"""Most cells of an image that is kept as a whole. Larger ones keep PIXELS cells, and the mean and deviation of BLOCKS ×
BLOCKS blocks."""
BLOCKS, PIXELS = 12, 200
GREY, SHADE = 'grey', 0.02
"""The name of grey images, and the largest difference between the channels of a shade of grey."""


def image(axes: Any, artist: Any, label: str) -> Series | None:
    array = artist.get_array()
    if array is None:
        return None
    left, right, bottom, top = artist.get_extent()
    upper = getattr(artist, 'origin', 'upper') == 'upper'
    first, last = (top, bottom) if upper else (bottom, top)
    if _over_coordinates(array, (left, right), (bottom, top)):
        rows, columns = array.shape
        xs, ys = np.linspace(left, right, columns + 1), np.linspace(first, last, rows + 1)
        return of_cells(xs, ys, array, label)
    return _turned(axes, artist, array, (left, right), (first, last), label)


def mesh(axes: Any, artist: Any, label: str) -> Series | None:
    corners, array = artist._coordinates, artist.get_array()
    if array is None:
        return None
    if array.size == corners[..., 0].size:  # a value at each corner, for smooth shading
        values = array.reshape(corners.shape[:2])
        return of_cells(_halfway(corners[0, :, 0]), _halfway(corners[:, 0, 1]), values, label)
    rows, columns = (size - 1 for size in corners.shape[:2])
    shaped = array.reshape(rows, columns, *array.shape[2:]) if array.size >= rows * columns else array
    xs, ys = corners[0, :, 0], corners[:, 0, 1]
    if shaped.shape == (rows, columns) and _over_coordinates(shaped, (xs[0], xs[-1]), (ys[0], ys[-1])):
        return of_cells(xs, ys, shaped, label)
    return _turned(axes, artist, shaped, (xs[0], xs[-1]), (ys[0], ys[-1]), label)


def _halfway(places: Any) -> Any:
    """The borders of cells around places; cells at the rim are cut in half."""
    return np.concatenate([places[:1], (places[1:] + places[:-1]) / 2, places[-1:]])


def _over_coordinates(array: Any, *spans: tuple[float, float]) -> bool:
    """Whether a large array spans coordinates other than the numbers of its rows and columns."""
    if array.ndim != 2 or array.size <= WHOLE:
        return False
    return any(abs(span[1] - span[0]) != cells for span, cells in zip(spans, array.shape[::-1], strict=True))


def _turned(axes: Any, artist: Any, array: Any, across: Any, down: Any, label: str) -> Series | None:
    """The image, turned so that its first row is at the top of the screen and its first column at the left."""
    if array.ndim not in (2, 3) or not array.size:
        return None
    if (across[0] > across[1]) != axes.xaxis_inverted():
        array = array[:, ::-1]
    if (down[0] > down[1]) == axes.yaxis_inverted():
        array = array[::-1]
    found = described(array, label)
    found['colours'] = colours(artist) if array.ndim == 2 else GREY if len(found['columns']) == 1 else ''
    if not axes.axison or not (len(axes.get_xticks()) or len(axes.get_yticks())):  # no numbers beside it
        return found
    return found | {'extent': [number(end) for end in (*sorted(across), *sorted(down))]}


def colours(artist: Any) -> str:
    """The name of a colour map; GREY if it goes from black to white."""
    shades = artist.get_cmap()([0.0, 0.25, 0.5, 0.75, 1.0])[:, :3]
    grey = float(np.ptp(shades, axis=1).max()) < SHADE and bool((shades[1:] > shades[:-1]).all())
    return GREY if grey else artist.get_cmap().name


def described(array: Any, label: str = '') -> Series:
    """An array as a series with one column per channel; grey pictures have one column."""
    channels = _channels(unmasked(array))
    columns = [_cells(channel) for channel in channels]
    shape = [*map(int, array.shape[:2]), *([len(channels)] if len(channels) > 1 else [])]
    stats = [[number(np.nanmin(channel)), number(np.nanmax(channel))] for channel in channels]
    return made('image', columns, label, shape=shape, stats=stats) | {'size': int(array.shape[0] * array.shape[1])}


def _channels(array: Any) -> list[Any]:
    if array.ndim == 2:
        return [array]
    channels = [array[..., place] for place in range(array.shape[2])]
    if len(channels) == 4 and np.ptp(channels[3]) == 0:
        channels = channels[:3]
    grey = len(channels) == 3 and all(np.array_equal(channels[0], other) for other in channels[1:])
    return channels[:1] if grey or len(channels) == 1 else channels


def _cells(channel: Any) -> list[Any]:
    if channel.size <= WHOLE:
        return numbers(channel.ravel())
    taken = np.linspace(0, channel.size - 1, PIXELS).round().astype(int)
    pixels = channel[np.unravel_index(taken, channel.shape)]
    rows, columns = (np.linspace(0, size, BLOCKS + 1).round().astype(int) for size in channel.shape)
    blocks = [
        channel[top : max(below, top + 1), left : max(right, left + 1)]
        for top, below in itertools.pairwise(rows)
        for left, right in itertools.pairwise(columns)
    ]
    parts = [_of_block(block) for block in blocks]
    return [*numbers([mean for mean, _ in parts]), *numbers([spread for _, spread in parts]), *numbers(pixels)]


def _of_block(block: Any) -> tuple[float, float]:
    values = floats(block)
    values = values[np.isfinite(values)]
    return (float(values.mean()), float(values.std())) if values.size else (float('nan'), float('nan'))
