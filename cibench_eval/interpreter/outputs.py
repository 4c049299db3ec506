"""Jupyter messages -> the outputs of an Execution, within caps."""

from __future__ import annotations

import base64
import re
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from cibench_eval.schema import PLOT_MIME, ExecutionError, Figure, Output, OutputType, Plot

ANSI = re.compile(r'\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-_]')
PNG = b'\x89PNG\r\n\x1a\n'
FIGURE_SHARE = 3
"""All figures of a code block together may have as many bytes as so many of the largest."""
MOST_OUTPUTS = 2000
"""Outputs of a code block; further ones are left out, and further text goes to the last of its stream."""
CUT = '\n[… output cut here …]\n'


class Stream:
    """The text of one stream of a code block within `limit` characters: half from its head, half from its tail.

    It comes in pieces, each of which belongs to an output by its number.
    """

    def __init__(self, limit: int) -> None:
        self.truncated = False
        self._head = self._tail_limit = limit // 2
        self._head += limit % 2
        self._tail: deque[tuple[int, str]] = deque()
        self._size = 0
        self._texts: dict[int, list[str]] = {}

    def add(self, number: int, text: str) -> None:
        head, rest = text[: self._head], text[self._head :]
        if head:
            self._head -= len(head)
            self._texts.setdefault(number, []).append(head)
        if rest:
            self._tail.append((number, rest))
            self._size += len(rest)
        while self._size > self._tail_limit:
            self._drop(self._size - self._tail_limit)

    def _drop(self, surplus: int) -> None:
        number, text = self._tail.popleft()
        self.truncated = True
        self._size -= min(surplus, len(text))
        if len(text) > surplus:
            self._tail.appendleft((number, text[surplus:]))

    def texts(self) -> dict[int, str]:
        """The text of each output; where something is missing, it says so."""
        texts = {number: list(parts) for number, parts in self._texts.items()}
        mark = CUT if self.truncated else ''
        for number, text in self._tail:
            texts.setdefault(number, []).append(mark + text)
            mark = ''
        return {number: ''.join(parts) for number, parts in texts.items()}


def clip(text: str, limit: int) -> str:
    """`text` within `limit` characters, and the mark where it is cut; nothing where there is no room."""
    if len(text) <= limit or limit <= 0:
        return text if len(text) <= limit else ''
    return f'{text[: limit - limit // 2]}{CUT}{text[len(text) - limit // 2 :]}'


@dataclass
class OutputCollector:
    """Takes the iopub messages of one code block, in order.

    The kernel belongs to the model's code, so a message may hold anything: what is not text is taken as such.

    Args:
        output_limit: characters kept of stdout, of stderr, and of all other text together.
        figure_limit: figures kept.
        figure_size: bytes of the largest figure that is kept.
    """

    output_limit: int
    figure_limit: int
    figure_size: int
    error: ExecutionError | None = None
    _shown: list[Output] = field(default_factory=list)
    _cut: bool = False

    def __post_init__(self) -> None:
        self._streams = {'stdout': Stream(self.output_limit), 'stderr': Stream(self.output_limit)}
        self._latest: dict[OutputType, int] = {}
        self._left = self.output_limit
        self._figure_bytes = FIGURE_SHARE * self.figure_size

    @property
    def truncated(self) -> bool:
        """Whether something is missing; may be set, by who has lost a message."""
        return self._cut or any(stream.truncated for stream in self._streams.values())

    @truncated.setter
    def truncated(self, value: bool) -> None:
        self._cut = value

    @property
    def outputs(self) -> list[Output]:
        """What came so far; adjacent chunks of one stream are one output."""
        texts = {number: text for stream in self._streams.values() for number, text in stream.texts().items()}
        filled = [
            Output(type=output.type, text=texts.get(number, '')) if output.type in self._streams else output
            for number, output in enumerate(self._shown)
        ]
        return [output for output in filled if output.type not in self._streams or output.text]

    def take(self, message: dict[str, Any]) -> None:
        content = message['content']
        match message['msg_type']:
            case 'stream':
                self._stream('stderr' if content.get('name') == 'stderr' else 'stdout', str(content.get('text')))
            case 'execute_result' | 'display_data' as kind:
                data = content.get('data')
                self._display(kind, data if isinstance(data, dict) else {})
            case 'error':
                lines = content.get('traceback')
                self.error = ExecutionError(
                    name=self._keep(str(content.get('ename'))),
                    value=self._keep(str(content.get('evalue'))),
                    traceback=self._keep(ANSI.sub('', '\n'.join(map(str, lines if isinstance(lines, list) else [])))),
                )

    def _keep(self, text: str) -> str:
        """`text` as far as the cap leaves room for it."""
        kept = clip(text, self._left)
        self._cut |= kept is not text
        self._left = max(0, self._left - len(kept))
        return kept

    def _stream(self, name: OutputType, text: str) -> None:
        full = len(self._shown) >= MOST_OUTPUTS and name in self._latest
        if not full and (not self._shown or self._shown[-1].type != name):
            self._latest[name] = len(self._shown)
            self._shown.append(Output(type=name))
        self._streams[name].add(self._latest[name], text)

    def _display(self, kind: OutputType, data: dict[str, Any]) -> None:
        if len(self._shown) >= MOST_OUTPUTS:
            self._cut = True
            return
        html = data.get('text/html')
        self._shown.append(
            Output(
                type=kind,
                text=self._keep(str(data.get('text/plain', ''))),
                html=self._keep(str(html)) if html else None,
                figure=self._figure(data.get('image/png'), data.get(PLOT_MIME)),
            )
        )

    def _figure(self, encoded: object, plot: object) -> Figure | None:
        if not isinstance(encoded, str):
            return None
        size = len(encoded) * 3 // 4
        if not encoded or size > self.figure_size or size > self._figure_bytes or not self.figure_limit:
            self._cut = True
            return None
        try:
            data = base64.b64decode(encoded)
        except ValueError:  # not base64, or not even ASCII
            return None
        if not data.startswith(PNG):
            return None
        self.figure_limit -= 1
        self._figure_bytes -= size
        return Figure.of(data, Plot.read(plot))
