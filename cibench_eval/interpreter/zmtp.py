"""A connection to a socket of a kernel: ZeroMQ's wire protocol (ZMTP 3.0, https://rfc.zeromq.org/spec/23).

libzmq bounds the parts of a message but not the message, so hostile code could fill the memory of a receiver that uses
it. Here every message is bounded, and messages that nobody asks for stay in the kernel.
"""

import asyncio
import time
from pathlib import Path
from typing import Literal, Self

GREETING = b'\xff' + bytes(8) + b'\x7f' + bytes((3, 0)) + b'NULL'.ljust(20, b'\0') + bytes(32)
"""Signature, version, mechanism, and a zero: this is no server."""
MAJOR_VERSION = 10
"""Index of the version in a greeting."""
MORE, LONG, COMMAND = 1, 2, 4
"""Flags of a frame."""
SUBSCRIBE_TO_ALL = b'\1'
MOST_FRAMES = 16
"""Most frames of a message. A kernel sends up to eleven: a topic, six of Jupyter's and the parts of an output."""
READ_AHEAD = 2**16
"""Bytes that are read in advance; asyncio reads a little more than twice as many."""
SLICE = 0.005
"""Seconds of uninterrupted receiving after which the event loop gets a turn."""


class ConnectionEndedError(Exception):
    """The other side is gone (an empty text), or sent something that is not from a kernel (the text says what)."""


class Connection:
    """A connection over a unix socket, made by `open`. It is never made again: code could replace the socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limit: int) -> None:
        self._reader, self._writer, self._limit = reader, writer, limit
        # State of a half-read message, so that `receive` can be cancelled at any moment.
        self._frames: list[bytes] = []
        self._left = limit
        self._flags: int | None = None
        self._length: int | None = None
        self._began = 0.0

    @classmethod
    async def open(cls, path: Path, kind: Literal['DEALER', 'SUB'], limit: int) -> Self:
        """Connect to the socket at `path`; a SUB gets all messages. Messages may have up to `limit` bytes.

        Raises:
            ConnectionEndedError: what listens there does not speak the protocol.
            OSError: nothing listens there.
        """
        connection = cls(*await asyncio.open_unix_connection(path, limit=READ_AHEAD), limit)
        connection._writer.write(GREETING)
        greeting = await connection._read(len(GREETING))
        if greeting[0] != GREETING[0] or greeting[MAJOR_VERSION] < GREETING[MAJOR_VERSION]:
            raise ConnectionEndedError('the kernel does not speak ZMTP 3')
        connection._write(COMMAND, b'\5READY' + _property(b'Socket-Type', kind.encode()) + _property(b'Identity', b''))
        await connection._frame()  # the READY of the other side
        if kind == 'SUB':
            connection.send([SUBSCRIBE_TO_ALL])
        return connection

    def send(self, frames: list[bytes]) -> None:
        """Send a message; it waits here until the kernel takes it."""
        for frame in frames[:-1]:
            self._write(MORE, frame)
        self._write(0, frames[-1])

    async def receive(self) -> list[bytes]:
        """The frames of the next message; a `ConnectionEndedError` at the end, or where it is over a bound."""
        if time.monotonic() - self._began > SLICE:
            await asyncio.sleep(0)
            self._began = time.monotonic()
        while True:
            flags, frame = await self._frame()
            if flags & COMMAND or len(self._frames) == MOST_FRAMES:
                raise ConnectionEndedError('the kernel sent what is no message')
            self._frames.append(frame)
            self._left -= len(frame)
            if not flags & MORE:
                frames, self._frames, self._left = self._frames, [], self._limit
                return frames

    def close(self) -> None:
        """End the connection; a waiting `receive` ends with an error."""
        self._writer.transport.abort()

    async def _frame(self) -> tuple[int, bytes]:
        if self._flags is None:
            self._flags = (await self._read(1))[0]
        if self._length is None:
            self._length = int.from_bytes(await self._read(8 if self._flags & LONG else 1))
        if self._length > self._left:
            raise ConnectionEndedError(f'the kernel sent a message of over {self._limit:,} bytes')
        body = await self._read(self._length)
        flags, self._flags, self._length = self._flags, None, None
        return flags, body

    async def _read(self, count: int) -> bytes:
        try:
            return await self._reader.readexactly(count)
        except (asyncio.IncompleteReadError, OSError) as error:
            raise ConnectionEndedError from error

    def _write(self, flags: int, body: bytes) -> None:
        long = len(body) > 255
        length = len(body).to_bytes(8 if long else 1)
        self._writer.write(bytes((flags | LONG * long,)) + length + body)


def _property(name: bytes, value: bytes) -> bytes:
    return bytes((len(name),)) + name + len(value).to_bytes(4) + value
