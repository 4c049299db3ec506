"""Pictures of a single axes in a fixed layout, for content that no series describes. Part of `plot_objects.py`.

The content of the axes is drawn once more onto a canvas of its own, which the axes fills: no title, ticks, labels,
legend or frame. The figure stays unchanged.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from plot_values import np

WIDTH, HEIGHT = 200, 150
"""Pixels of a picture."""
LETTERS = 20_000
"""Most characters of a picture in base64; a longer one is left out."""
FRAME = ('Spine', 'Axis', 'XAxis', 'YAxis', 'ZAxis', 'ThetaAxis', 'RadialAxis', 'Text', 'Annotation', 'Legend')
"""Classes of artists that are no content of an axes, or are described as text."""


def others(axes: Any) -> list[Any]:
    """Artists of an axes that no series describes: tables, insets, artists of the code's own."""
    known = {id(one) for one in (axes.patch, *axes.lines, *axes.patches, *axes.collections, *axes.images, *axes.texts)}
    found = [one for one in axes.get_children() if id(one) not in known and one.get_visible()]
    return [one for one in found if not set(FRAME) & {kind.__name__ for kind in type(one).__mro__}]


def picture(axes: Any) -> str:
    """An axes alone as a grey PNG in base64; empty if it is longer than LETTERS."""
    from matplotlib.backends.backend_agg import RendererAgg
    from PIL import Image

    drawn = [*axes.lines, *axes.patches, *axes.collections, *axes.images, *others(axes)]
    renderer = RendererAgg(WIDTH, HEIGHT, axes.figure.dpi)
    with _filling(axes), _as_they_were(drawn):
        for artist in sorted(drawn, key=lambda one: float(one.get_zorder())):
            artist.draw(renderer)
    pixels = Image.fromarray(np.asarray(renderer.buffer_rgba()), 'RGBA')
    flat = Image.alpha_composite(Image.new('RGBA', pixels.size, 'white'), pixels).convert('L')
    file = io.BytesIO()
    flat.save(file, 'PNG', optimize=True)
    text = base64.b64encode(file.getvalue()).decode()
    return text if len(text) <= LETTERS else ''


@contextmanager
def _filling(axes: Any) -> Iterator[None]:
    """Let the axes fill a canvas of the size of a picture."""
    figure, before = axes.figure.bbox, axes._position.frozen()
    left, bottom = -figure.x0 / figure.width, -figure.y0 / figure.height  # a subfigure has its corner elsewhere
    axes._position.bounds = left, bottom, WIDTH / figure.width, HEIGHT / figure.height
    try:
        yield
    finally:
        axes._position.set(before)


@contextmanager
def _as_they_were(artists: list[Any]) -> Iterator[None]:
    """Restore whether artists are marked as stale, which drawing changes."""
    before = [artist.stale for artist in artists]
    try:
        yield
    finally:
        for artist, stale in zip(artists, before, strict=True):
            artist._stale = stale
