"""Jupyter's messages, as this harness and its kernels speak: https://jupyter-client.readthedocs.io/en/stable/messaging.html

Two things differ. Text and images of an output do not travel in the JSON of its content but as bytes behind it
(Jupyter's buffers), named in order by `parts`: so what a kernel sends is read in a time that its size bounds, and no
image is ever base64. And messages are not signed: nobody but the harness reaches the sockets, and code that owns a
kernel has its key.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

DELIMITER = b'<IDS|MSG>'
PROTOCOL_VERSION = '5.4'
JSON_LIMIT = 2**13
"""Bytes of each of the parts of a message that are JSON. Their structure is bounded by their size."""
UNREADABLE = (ValueError, KeyError, IndexError, AttributeError, TypeError, RecursionError)
"""What is raised at bytes that are no message, or hold what none holds."""


@dataclass(frozen=True)
class Message:
    """A message of a kernel. It belongs to the code that runs there, so any value may be of any type."""

    kind: str
    content: dict[str, Any]
    parts: dict[str, bytes] = field(default_factory=dict)
    """What it shows: by type (`text/plain`, `image/png`) or as `text`, `ename`, `evalue`, `traceback`."""


def read_message(frames: list[bytes], request: str) -> Message | None:
    """The message that `frames` are, None if it answers another request than this: no more is read of it.

    Raises:
        ValueError, KeyError, IndexError, AttributeError, TypeError, RecursionError: they are none.
    """
    start = frames.index(DELIMITER) + 2
    if _parse(frames[start + 1]).get('msg_id') != request:
        return None
    header, content = _parse(frames[start]), _parse(frames[start + 3])
    names = content.get('parts', [])
    buffers = frames[start + 4 :]
    if len(names) != len(buffers):
        raise ValueError('other parts than it names')
    return Message(str(header['msg_type']), content, dict(zip(names, buffers, strict=True)))


def _parse(part: bytes) -> dict[str, Any]:
    if len(part) > JSON_LIMIT:
        raise ValueError('too much JSON')
    made = json.loads(part)
    if not isinstance(made, dict):
        raise TypeError('no object')
    return made


class Requests:
    """Makes the requests of one client, each with an id of its own."""

    def __init__(self) -> None:
        self._session = uuid.uuid4().hex
        self._count = 0

    def make(self, kind: str, **content: Any) -> tuple[str, list[bytes]]:
        """A request: its id and its frames."""
        self._count += 1
        number = f'{self._session}_{self._count}'
        header = {
            'msg_id': number,
            'msg_type': kind,
            'session': self._session,
            'username': 'harness',
            'date': datetime.now(UTC).isoformat(),
            'version': PROTOCOL_VERSION,
        }
        return number, [DELIMITER, b'', *(json.dumps(part).encode() for part in (header, {}, {}, content))]

    def execute(self, code: str) -> tuple[str, list[bytes]]:
        """The request to run a code block."""
        return self.make(
            'execute_request',
            code=code,
            silent=False,
            store_history=True,
            user_expressions={},
            allow_stdin=False,
            stop_on_error=False,
        )

    def describe(self, names: list[str]) -> tuple[str, list[bytes]]:
        """The request to say what variables hold; our kernels answer it beside those of Jupyter."""
        return self.make('describe_request', names=names)
