"""Limits on the outputs of a code block and of a session."""

import json

from cibench_eval.interpreter.streams import CUT
from cibench_eval.png import MOST_PIXELS, SIGNATURE, png_pixels
from cibench_eval.schema import Execution, ExecutionError, Figure, Output

FIGURE_SHARE = 3
"""All figures of a code block together may take this many times the bytes of the largest one."""
SHORT_ERROR = 1000
"""Characters kept of an error's name and text when the session has no room left."""


def clip(text: str, limit: int) -> str:
    """`text` within `limit` characters, with a mark at the cut; empty if the limit is 0."""
    # In halves, as streams are, and not as for models (`rendering`): gold outputs and traces have been cut so.
    if len(text) <= limit or limit <= 0:
        return text if len(text) <= limit else ''
    return f'{text[: limit - limit // 2]}{CUT}{text[len(text) - limit // 2 :]}'


def within(execution: Execution, room: int) -> tuple[Execution, int]:
    """An execution without outputs that do not fit into `room` bytes of files, and the bytes that it takes."""
    left, kept = room, list[Output]()
    for output in execution.outputs:
        size = _written(output.text, output.html or '')
        if figure := output.figure:
            size += len(figure.data) + len(figure.described)
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
    """Bytes of texts in a trace: up to twelve per character."""
    return sum(len(json.dumps(text)) for text in texts if text)


class Budget:
    """Room for further outputs: characters, figures, bytes of one figure. What does not fit is cut or left out."""

    def __init__(self, text: int, figures: int = 0, figure_size: int = 0) -> None:
        self.cut = False
        """Whether anything was cut or left out."""
        self._text, self._figures = text, figures
        self._figure_size, self._figure_bytes = figure_size, FIGURE_SHARE * figure_size

    def keep_text(self, text: str) -> tuple[str, int]:
        """The part of `text` that fits, and the characters that it takes."""
        kept = clip(text, self._text)
        taken = min(len(text), self._text)
        self.cut |= kept is not text
        self._text -= taken
        return kept, taken

    def keep_figure(self, data: bytes | None) -> bool:
        """Take the room for `data`; False if it is no figure or does not fit."""
        if data is None:
            return False
        fits = self._figures and 0 < len(data) <= min(self._figure_size, self._figure_bytes)
        if fits and not data.startswith(SIGNATURE):
            return False
        if not fits or png_pixels(data) > MOST_PIXELS:
            self.cut = True
            return False
        self._figures -= 1
        self._figure_bytes -= len(data)
        return True

    def give_back(self, text: int, figure: Figure | None) -> None:
        """Return the room of a text and a figure that are no longer shown."""
        self._text += text
        if figure is not None:
            self._figures += 1
            self._figure_bytes += len(figure.data)
