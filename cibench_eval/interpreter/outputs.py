"""Jupyter messages -> the outputs of an Execution, within caps."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

from cibench_eval.schema import ExecutionError, Figure, Output, OutputType

ANSI = re.compile(r'\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-_]')

PNG = b'\x89PNG\r\n\x1a\n'


class OutputCollector:
    """Takes the iopub messages of one code block, in order.

    The kernel belongs to the model's code, so a message may hold anything: what is not text is taken as such.
    """

    def __init__(self, output_limit: int, figure_limit: int) -> None:
        self.error: ExecutionError | None = None
        self.truncated = False
        self._outputs: list[Output] = []
        self._stream_parts: list[str] = []
        self._stream_name: OutputType = 'stdout'
        self._left = output_limit
        self._figures_left = figure_limit

    @property
    def outputs(self) -> list[Output]:
        """What came so far; adjacent chunks of one stream are one output."""
        self._close_stream()
        return list(self._outputs)

    def take(self, message: dict[str, Any]) -> None:
        content = message['content']
        match message['msg_type']:
            case 'stream':
                self._stream('stderr' if content.get('name') == 'stderr' else 'stdout', str(content.get('text')))
            case 'execute_result' | 'display_data' as kind:
                self._display(kind, content.get('data') or {})
            case 'error':
                self.error = ExecutionError(
                    name=str(content.get('ename')),
                    value=self._keep(str(content.get('evalue'))),
                    traceback=self._keep(ANSI.sub('', '\n'.join(map(str, content.get('traceback') or [])))),
                )

    def _keep(self, text: str) -> str:
        """As much of `text` as the cap leaves; a cut is marked."""
        kept = text[: self._left]
        self._left -= len(kept)
        self.truncated |= len(kept) < len(text)
        return kept

    def _stream(self, name: OutputType, text: str) -> None:
        if name != self._stream_name:
            self._close_stream()
        self._stream_name = name
        self._stream_parts.append(self._keep(text))

    def _close_stream(self) -> None:
        text = ''.join(self._stream_parts)
        self._stream_parts = []
        if text:
            self._outputs.append(Output(type=self._stream_name, text=text))

    def _display(self, kind: OutputType, data: dict[str, Any]) -> None:
        self._close_stream()
        html = data.get('text/html')
        self._outputs.append(
            Output(
                type=kind,
                text=self._keep(str(data.get('text/plain', ''))),
                html=self._keep(str(html)) if html else None,
                figure=self._figure(data.get('image/png')),
            )
        )

    def _figure(self, encoded: object) -> Figure | None:
        if not isinstance(encoded, str):
            return None
        if not self._figures_left:
            self.truncated = True
            return None
        try:
            data = base64.b64decode(encoded)
        except binascii.Error:
            return None
        if not data.startswith(PNG):
            return None
        self._figures_left -= 1
        return Figure.of(data)
