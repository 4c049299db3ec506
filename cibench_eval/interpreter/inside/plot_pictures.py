"""A picture of one axes alone, under one layout for all: for what no series describes. Part of `plot_objects.py`.

What is drawn in the axes is drawn once more onto a canvas of its own, the axes filling it: no title, no ticks, no
labels, no legend, no frame. Of the figure nothing stays changed.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

WIDTH, HEIGHT = 200, 150
"""Pixels of a picture."""
LETTERS = 20_000
"""Characters of it in base64; one that is longer is none."""
FRAME = ('Spine', 'Axis', 'XAxis', 'YAxis', 'ZAxis', 'ThetaAxis', 'RadialAxis', 'Text', 'Annotation', 'Legend')
"""What belongs to an axes and is no part of what it shows, or is described as text."""


def others(axes: Any) -> list[Any]:
    """What is drawn in an axes and is of no kind that is described: tables, insets, artists of one's own."""
    known = {id(one) for one in (axes.patch, *axes.lines, *axes.patches, *axes.collections, *axes.images, *axes.texts)}
    found = [one for one in axes.get_children() if id(one) not in known and one.get_visible()]
    return [one for one in found if not set(FRAME) & {kind.__name__ for kind in type(one).__mro__}]


def picture(axes: Any) -> str:
    """An axes alone as a grey PNG in base64; nothing where it is longer than LETTERS."""
    from matplotlib.backends.backend_agg import RendererAgg
    from PIL import Image

    drawn = [*axes.lines, *axes.patches, *axes.collections, *axes.images, *others(axes)]
    renderer = RendererAgg(WIDTH, HEIGHT, axes.figure.dpi)
    with _filling(axes), _as_they_were(drawn):
        for artist in sorted(drawn, key=lambda one: float(one.get_zorder())):
            artist.draw(renderer)
    pixels = Image.fromarray(bytes_of(renderer), 'RGBA')
    flat = Image.alpha_composite(Image.new('RGBA', pixels.size, 'white'), pixels).convert('L')
    file = io.BytesIO()
    flat.save(file, 'PNG', optimize=True)
    text = base64.b64encode(file.getvalue()).decode()
    return text if len(text) <= LETTERS else ''


def bytes_of(renderer: Any) -> Any:
    from numpy import asarray

    return asarray(renderer.buffer_rgba())


@contextmanager
def _filling(axes: Any) -> Iterator[None]:
    """Have the axes fill a canvas of the size of a picture."""
    figure, before = axes.figure.bbox, axes._position.frozen()
    left, bottom = -figure.x0 / figure.width, -figure.y0 / figure.height  # of a subfigure, whose corner is elsewhere
    axes._position.bounds = left, bottom, WIDTH / figure.width, HEIGHT / figure.height
    try:
        yield
    finally:
        axes._position.set(before)


@contextmanager
def _as_they_were(artists: list[Any]) -> Iterator[None]:
    """Leave it unsaid that artists have been drawn."""
    before = [artist.stale for artist in artists]
    try:
        yield
    finally:
        for artist, stale in zip(artists, before, strict=True):
            artist._stale = stale
