"""How much the outputs of a code block may hold."""

from __future__ import annotations

from cibench_eval.interpreter.streams import CUT
from cibench_eval.schema import Figure, Plot

PNG = b'\x89PNG\r\n\x1a\n'
FIGURE_SHARE = 3
"""All figures of a code block together may have as many bytes as so many of the largest."""


def clip(text: str, limit: int) -> str:
    """`text` within `limit` characters, and the mark where it is cut; nothing where the limit is 0."""
    # Not the cut for models (`rendering`): gold outputs and recorded traces have been cut in halves, as streams are.
    if len(text) <= limit or limit <= 0:
        return text if len(text) <= limit else ''
    return f'{text[: limit - limit // 2]}{CUT}{text[len(text) - limit // 2 :]}'


class Budget:
    """What is left for further outputs. What is over it is cut or left out.

    Args:
        text: characters of all outputs together.
        figures: how many.
        figure_size: bytes of the largest figure.
    """

    def __init__(self, text: int, figures: int = 0, figure_size: int = 0) -> None:
        self.cut = False
        """Whether anything was over it."""
        self._text, self._figures = text, figures
        self._figure_size, self._figure_bytes = figure_size, FIGURE_SHARE * figure_size

    def keep_text(self, text: str) -> tuple[str, int]:
        """`text` as far as there is room, and the room that it takes."""
        kept = clip(text, self._text)
        taken = min(len(text), self._text)
        self.cut |= kept is not text
        self._text -= taken
        return kept, taken

    def keep_figure(self, data: bytes | None, plot: bytes | None) -> Figure | None:
        """The figure that `data` is, None where it is none or there is no room for it; `plot` says what it shows."""
        if data is None:
            return None
        if not data or len(data) > min(self._figure_size, self._figure_bytes) or not self._figures:
            self.cut = True
            return None
        if not data.startswith(PNG):
            return None
        self._figures -= 1
        self._figure_bytes -= len(data)
        return Figure.of(data, Plot.read(plot))

    def give_back(self, text: int, figure: Figure | None) -> None:
        """Make room again: this many characters, and a figure, are shown no more."""
        self._text += text
        if figure is not None:
            self._figures += 1
            self._figure_bytes += len(figure.data)
