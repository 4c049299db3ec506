"""How much the outputs of a code block, and of a session, may hold."""

from __future__ import annotations

import json

from cibench_eval.interpreter.streams import CUT
from cibench_eval.png import MOST_PIXELS, SIGNATURE, png_pixels
from cibench_eval.schema import Execution, ExecutionError, Figure, Output

FIGURE_SHARE = 3
"""All figures of a code block together may have as many bytes as so many of the largest."""
SHORT_ERROR = 1000
"""Characters of an error's name and of its text that are kept when the session's room is used up."""


def clip(text: str, limit: int) -> str:
    """`text` within `limit` characters, and the mark where it is cut; nothing where the limit is 0."""
    # Not the cut for models (`rendering`): gold outputs and recorded traces have been cut in halves, as streams are.
    if len(text) <= limit or limit <= 0:
        return text if len(text) <= limit else ''
    return f'{text[: limit - limit // 2]}{CUT}{text[len(text) - limit // 2 :]}'


def within(execution: Execution, room: int) -> tuple[Execution, int]:
    """An execution without the outputs that do not fit into `room` bytes of files, and the bytes of what does."""
    left, kept = room, list[Output]()
    for output in execution.outputs:
        size = _written(output.text, output.html or '') + _size(output.figure)
        fits = size <= left
        kept.append(output if fits else Output(type=output.type, text=CUT))
        left -= size if fits else 0
    error = execution.error
    if error and _written(error.name, error.value, error.traceback) > max(left, SHORT_ERROR):
        error = ExecutionError(name=clip(error.name, SHORT_ERROR), value=clip(error.value, SHORT_ERROR))
    left = max(0, left - (_written(error.name, error.value, error.traceback) if error else 0))
    if kept == execution.outputs and error is execution.error:
        return execution, room - left
    return execution.model_copy(update={'outputs': kept, 'error': error, 'truncated': True}), room - left


def _written(*texts: str) -> int:
    """Bytes of texts in a trace: up to twelve a character."""
    return sum(len(json.dumps(text)) for text in texts if text)


def _size(figure: Figure | None) -> int:
    return len(figure.data) + len(figure.described) if figure else 0


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

    def keep_figure(self, data: bytes | None) -> bool:
        """Whether `data` is a figure and there is room for it."""
        if data is None:
            return False
        if not data or len(data) > min(self._figure_size, self._figure_bytes) or not self._figures:
            self.cut = True
            return False
        if not data.startswith(SIGNATURE):
            return False
        if png_pixels(data) > MOST_PIXELS:
            self.cut = True
            return False
        self._figures -= 1
        self._figure_bytes -= len(data)
        return True

    def give_back(self, text: int, figure: Figure | None) -> None:
        """Make room again: this many characters, and a figure, are shown no more."""
        self._text += text
        if figure is not None:
            self._figures += 1
            self._figure_bytes += len(figure.data)
