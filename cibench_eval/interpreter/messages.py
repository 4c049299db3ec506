"""Jupyter's messages, as this harness and its kernels speak: https://jupyter-client.readthedocs.io/en/stable/messaging.html

Two things differ from Jupyter. Texts and images of an output are not in the JSON content: they follow it as bytes
(Jupyter's buffers), which `parts` names in order. So the size of a message bounds the time of reading it, and images
need no base64. And messages are not signed, since only the harness reaches the sockets, and code would know the key.
"""

import json
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from cibench_eval.interpreter.zmtp import Connection

DELIMITER = b'<IDS|MSG>'
PROTOCOL_VERSION = '5.4'
JSON_LIMIT = 2**13
"""Most bytes of each JSON part of a message; this bounds its structure as well."""
UNREADABLE = (ValueError, KeyError, IndexError, AttributeError, TypeError, RecursionError)
"""Errors at bytes that are no message of our form."""


@dataclass(frozen=True)
class KernelMessage:
    """A message of a kernel. Code can send its own, so any value may have any type."""

    kind: str
    content: dict[str, Any]
    parts: dict[str, bytes] = field(default_factory=dict)
    """Texts and images, by type (`text/plain`, `image/png`) or as `text`, `ename`, `evalue`, `traceback`."""


def read_message(frames: list[bytes], request: str) -> KernelMessage | None:
    """The message in `frames`; None, the rest unread, if it answers another request. What is none raises UNREADABLE."""
    start = frames.index(DELIMITER) + 2
    if _parse(frames[start + 1]).get('msg_id') != request:
        return None
    header, content = _parse(frames[start]), _parse(frames[start + 3])
    names = content.get('parts', [])
    buffers = frames[start + 4 :]
    if len(names) != len(buffers):
        raise ValueError('other parts than it names')
    return KernelMessage(str(header['msg_type']), content, dict(zip(names, buffers, strict=True)))


def _parse(part: bytes) -> dict[str, Any]:
    if len(part) > JSON_LIMIT:
        raise ValueError('too much JSON')
    made = json.loads(part)
    if not isinstance(made, dict):
        raise TypeError('no object')
    return made


class Requests:
    """Sends the requests of one client, each with its own id."""

    def __init__(self) -> None:
        self._session = uuid.uuid4().hex
        self._count = 0

    def send(self, connection: Connection, kind: str, **content: Any) -> str:
        """Send a request, and return its id."""
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
        connection.send([DELIMITER, b'', *(json.dumps(part).encode() for part in (header, {}, {}, content))])
        return number
