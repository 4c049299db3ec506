"""Messages of a kernel -> the outputs of an Execution: what a notebook would show in the end, within limits.

`clear_output` and `update_display_data` work as in a notebook, but never change the outputs of an earlier block.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from cibench_eval.interpreter.messages import KernelMessage
from cibench_eval.interpreter.streams import ANSI, CUT, Stream, shorten_beyond
from cibench_eval.plots import PLOT_MIME, Plot
from cibench_eval.png import MOST_PIXELS, SIGNATURE, png_pixels
from cibench_eval.schema import Execution, ExecutionError, Figure, Output, OutputType

MOST_OUTPUTS = 2000
"""About the most outputs of a code block. Beyond it, only the last result is kept, and text joins the last output of
its stream."""
LONGEST_ID = 1000
"""Most characters of a display id; a longer one is ignored."""
SHOWS = ('stream', 'display_data', 'execute_result', 'error')
"""Messages that show something new."""
FIGURE_SHARE = 3
"""All figures of a code block together may take this many times the bytes of the largest one."""
SHORT_ERROR = 1000
"""Characters kept of an error's name and text when the session has no room left."""


@dataclass
class ShownOutput:
    """An output in its present state."""

    type: OutputType
    display_id: str = ''
    text: str = ''
    html: str | None = None
    figure: Figure | None = None
    taken: int = 0
    """Characters that it takes from the block's budget."""


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


@dataclass
class OutputCollector:
    """Takes the iopub messages of one code block, in order. Hostile code can send messages with any content."""

    output_limit: int
    """Characters kept of each of: stdout, stderr, the last result, an error, all other text."""
    figure_limit: int
    figure_size: int
    error: ExecutionError | None = None
    lost: bool = False
    """Whether a message was lost on its way; the caller sets it."""

    def __post_init__(self) -> None:
        self._results = 0
        self._clear()

    def _clear(self) -> None:
        self._cut = False
        self._shown: dict[int, ShownOutput] = {}
        self._next_number = 0
        self._result: ShownOutput | None = None
        """The last result."""
        self._streams: dict[OutputType, Stream] = {
            'stdout': Stream(self.output_limit),
            'stderr': Stream(self.output_limit),
        }
        self._latest: dict[OutputType, int] = {}
        """The number of the last output of each stream."""
        self._budget = Budget(self.output_limit, self.figure_limit, self.figure_size)
        self._clears_next = False

    @property
    def truncated(self) -> bool:
        """Whether anything that a notebook would show is missing; read it after `outputs`."""
        return self.lost or self._cut or self._budget.cut or any(stream.truncated for stream in self._streams.values())

    @property
    def outputs(self) -> list[Output]:
        """What the block shows in the end: between displays and results, all of stdout, then all of stderr.

        The kernel sends each stream's text when a timer ends, so how the chunks of both follow each other says nothing.
        Take no message afterwards.
        """
        for stream in self._streams.values():
            for number, text in stream.texts().items():
                self._shown[number].text = text
        return [
            Output(type=shown.type, text=shown.text, html=shown.html, figure=shown.figure)
            for shown in self._shown.values()
            if shown.text or shown.type not in self._streams
        ]

    def steps(self, message: KernelMessage) -> Iterator[None]:
        """Take a message, a long text in steps, so that the caller can let others run in between."""
        content, parts = message.content, message.parts
        if self._clears_next and message.kind in SHOWS:
            self._clear()
        match message.kind:
            case 'stream':
                name: OutputType = 'stderr' if content.get('name') == 'stderr' else 'stdout'
                yield from self._stream(name, _text(parts, 'text'))
            case 'display_data' | 'execute_result' | 'update_display_data':
                self._display(message.kind, _name(content.get('display_id')), ShownData(parts, self.output_limit))
            case 'clear_output' if content.get('wait'):
                self._clears_next = True
            case 'clear_output':
                self._clear()
            case 'error':
                self._error(parts)

    def finish(self, reply: KernelMessage, complete: bool) -> None:
        """Take the reply to the block, after its last message.

        The reply repeats the last result, which is taken from it unless all messages came (`complete`).
        """
        self.lost |= not complete
        self._cut |= bool(reply.content.get('cut'))
        if not complete and reply.content.get('results') != self._results and reply.parts:
            self._display('execute_result', '', ShownData(reply.parts, self.output_limit))

    def _stream(self, name: OutputType, text: str) -> Iterator[None]:
        full = len(self._shown) >= MOST_OUTPUTS and self._latest
        last = next(reversed(self._shown.values()), None)
        if not full and (last is None or last.type not in self._streams):
            self._latest = {stream: self._add(ShownOutput(stream)) for stream in self._streams}
        yield from self._streams[name].steps(self._latest[name], text)

    def _add(self, shown: ShownOutput) -> int:
        self._next_number += 1
        self._shown[self._next_number] = shown
        return self._next_number

    def _display(self, kind: str, name: str, data: ShownData) -> None:
        if name:
            for shown in self._shown.values():
                if shown.display_id == name:
                    self._fill(shown, data)
        if kind == 'execute_result':
            self._results += 1
            self._show_result(ShownOutput('execute_result', name), data)
        elif kind == 'display_data' and len(self._shown) < MOST_OUTPUTS:
            shown = ShownOutput('display_data', name)
            self._add(shown)
            self._fill(shown, data)
        elif kind == 'display_data':
            self._cut = True

    def _show_result(self, shown: ShownOutput, data: ShownData) -> None:
        """Show a result, for which there is always room; the result before becomes an ordinary output."""
        earlier, self._result = self._result, shown
        if earlier is not None and len(self._shown) > MOST_OUTPUTS:
            self._cut = True
            self._shown = {number: other for number, other in self._shown.items() if other is not earlier}
        elif earlier is not None:
            earlier.text, earlier.html, earlier.taken = self._keep(self._budget, earlier.text, earlier.html)
        self._add(shown)
        self._fill(shown, data)

    def _fill(self, shown: ShownOutput, data: ShownData) -> None:
        self._budget.give_back(shown.taken, shown.figure)
        last = shown is self._result
        budget = Budget(self.output_limit) if last else self._budget
        shown.text, shown.html, taken = self._keep(budget, data.text, data.html)
        shown.taken = 0 if last else taken
        shown.figure = data.figure if self._budget.keep_figure(data.image) else None

    def _keep(self, budget: Budget, text: str, html: str | None) -> tuple[str, str | None, int]:
        """The parts of both that fit, and the characters that they take."""
        kept, taken = budget.keep_text(text)
        kept_html, taken_by_html = budget.keep_text(html) if html else (html, 0)
        self._cut |= budget.cut
        return kept, kept_html, taken + taken_by_html

    def _error(self, parts: dict[str, bytes]) -> None:
        budget = Budget(self.output_limit)
        name, value, text = (
            budget.keep_text(_plain(parts, part, self.output_limit))[0] for part in ('ename', 'evalue', 'traceback')
        )
        self.error = ExecutionError(name=name, value=value, traceback=text)
        self._cut |= budget.cut


class ShownData:
    """Texts and image of a message, read once even if they update many outputs."""

    def __init__(self, parts: dict[str, bytes], limit: int) -> None:
        self._parts = parts
        self.text = _plain(parts, 'text/plain', limit)
        self.html = _text(parts, 'text/html') or None
        self.image = parts.get('image/png')

    @cached_property
    def figure(self) -> Figure:
        return Figure.of(self.image or b'', Plot.read(self._parts.get(PLOT_MIME)))


def _name(display_id: object) -> str:
    return display_id if isinstance(display_id, str) and len(display_id) <= LONGEST_ID else ''


def _plain(parts: dict[str, bytes], name: str, limit: int) -> str:
    """A text without escape sequences; only head and tail of one that is far too long."""
    return ANSI.sub('', shorten_beyond(_text(parts, name), limit))


def _text(parts: dict[str, bytes], name: str) -> str:
    return parts.get(name, b'').decode(errors='replace')


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
