"""Figures of a report: each once, in a file named by its hash; figures too large for a browser are reduced."""

import io
from pathlib import Path
from typing import NamedTuple

from cibench_eval.files import write_whole
from cibench_eval.images import DAMAGE, opened, presentable, reason
from cibench_eval.png import MOST_PIXELS, png_pixels, png_size
from cibench_eval.schema import Figure

MOST_DECODED = 80_000_000
"""Pixels (320 MB of memory) up to which a figure is reduced; for a larger one the page names the size."""
MOST_BYTES = 10_000_000
"""Bytes up to which a figure is shown unchanged."""
SIDE = 1_200
"""The longest side of a reduced figure in pixels."""


class ShownFigure(NamedTuple):
    """A figure on a page: a file in the folder of the report, or a note why there is none."""

    src: str = ''
    width: int = 0
    height: int = 0
    note: str = ''


class FigureStore:
    """Writes the figures of a report into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._known: dict[str, ShownFigure] = {}

    def of_file(self, path: Path) -> ShownFigure:
        """A figure that a run has filed under its hash."""
        if path.stem not in self._known:
            self._known[path.stem] = self._filed(path)
        return self._known[path.stem]

    def of(self, figure: Figure) -> ShownFigure:
        """A figure of a gold notebook."""
        if figure.sha256 not in self._known:
            self._known[figure.sha256] = self._taken(figure.data, figure.sha256, 'the gold notebook')
        return self._known[figure.sha256]

    def _filed(self, path: Path) -> ShownFigure:
        try:
            data = path.read_bytes()
        except OSError as error:
            return ShownFigure(note=f'the figure cannot be read: {path.absolute()}: {error.strerror}')
        if _is_small(data):
            return self.of(Figure.of(data))  # an equal figure of the gold is the same file
        return self._taken(data, path.stem, str(path.absolute()))

    def _taken(self, data: bytes, name: str, place: str) -> ShownFigure:
        """A figure from its content: unchanged, reduced, or as a note."""
        width, height = png_size(data)
        if _is_small(data):
            write_whole(self.folder / f'{name}.png', data)
            return ShownFigure(f'{name}.png', width, height)
        smaller, problem = _smaller(data)
        size = f'{width:,} × {height:,} pixels, {len(data):,} bytes'
        if not smaller:
            return ShownFigure(note=f'a figure that is not shown ({problem or size}); the whole is in {place}')
        write_whole(self.folder / f'{name}.png', smaller)
        return ShownFigure(f'{name}.png', *png_size(smaller), f'made smaller from {size}; the whole is in {place}')


def _is_small(data: bytes) -> bool:
    """Whether a browser can show a figure, by its head and its size."""
    return 0 < png_pixels(data) <= MOST_PIXELS and len(data) <= MOST_BYTES


def _smaller(data: bytes) -> tuple[bytes | None, str]:
    """A figure as a small PNG, or None and the reason why it cannot be read."""
    from PIL import Image

    try:
        image, problem = opened(data, MOST_DECODED)
        if image is None:
            return None, problem
        made = io.BytesIO()
        factor = max(1, min(image.size) // SIDE)
        image.reduce(factor).save(made, 'PNG')
    except (*DAMAGE, Image.DecompressionBombError) as error:
        return None, reason(error)
    return presentable(made.getvalue(), SIDE), ''
