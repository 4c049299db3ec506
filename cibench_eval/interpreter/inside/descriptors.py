"""What is written to descriptors 1 and 2 past Python: by C code, and by processes that a code block starts.

Each block has pipes of its own, and they are emptied before Python prints, so that outputs keep their order. A process
that an earlier block started still writes into that block's, where nobody takes it any more; so what it prints late is
in no other block's output.
"""

import codecs
import ctypes
import os
import select
import termios
import threading
from typing import Any

libc = ctypes.CDLL(None)
ioctl = ctypes.PyDLL(None).ioctl
"""Keeps Python's lock. `fcntl.ioctl` gives it away, and every line that is printed would wait to get it back."""


class Capture:
    """Hands what is written to `descriptor` during a block to `stream.take`."""

    def __init__(self, descriptor: int, stream: Any) -> None:
        self._descriptor = descriptor
        self._stream = stream
        self._pipe: Pipe | None = None
        self._null = os.open(os.devnull, os.O_RDWR)
        self._process = os.getpid()

    def begin_block(self, *_: Any) -> None:
        self.end_block()
        try:
            reading, writing = os.pipe()
        except OSError:  # the code has opened all files that it may: what goes past Python is lost
            return
        try:
            self._pipe = Pipe(reading, self._stream)
            os.dup2(writing, self._descriptor)
        except RuntimeError:  # nor is there room for a thread, while a fork bomb dies say
            os.close(reading)
        os.close(writing)

    def catch_up(self) -> None:
        """Hand on what has been written so far; a fork of the kernel leaves it to the kernel."""
        if self._pipe is not None and os.getpid() == self._process:
            self._pipe.empty()

    def end_block(self, *_: Any) -> None:
        if self._pipe is not None:
            libc.fflush(None)
            os.dup2(self._null, self._descriptor)
            pipe, self._pipe = self._pipe, None
            pipe.leave()


class Pipe:
    """The reading end of a pipe, and a thread that empties it for as long as anybody has the other end."""

    def __init__(self, reading: int, stream: Any) -> None:
        self._reading: int | None = reading
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder('utf-8')('replace')
        self._taking = threading.RLock()  # what is printed while a pipe is emptied, by a finaliser say, empties it too
        self._thread = threading.Thread(target=self._run, args=(reading,), daemon=True, name='pipe')
        self._thread.start()

    def _run(self, reading: int) -> None:
        poll = select.poll()
        poll.register(reading, select.POLLIN)
        more = 1
        while more:
            poll.poll()
            with self._taking:
                if poll.poll(0):  # else somebody has emptied it meanwhile
                    more = self._take(reading)
        with self._taking:
            os.close(reading)
            self._reading = None

    def _take(self, reading: int) -> int:
        """Hand on what is there; how many bytes that was, none at the end."""
        chunk = os.read(reading, 2**16)
        text = self._decoder.decode(chunk)
        if text and self._stream is not None:
            self._stream.take(text)
        return len(chunk)

    def empty(self) -> None:
        """Hand on what has been written so far, however fast somebody writes more."""
        with self._taking:
            left = self._waiting()
            while left > 0 and self._waiting():
                left -= self._take(self._reading)  # type: ignore[arg-type]  # open, for something waits in it

    def leave(self) -> None:
        """Hand on what has been written so far, and nothing that is written later."""
        with self._taking:
            self.empty()
            self._stream = None

    def _waiting(self) -> int:
        """Bytes in the pipe."""
        count = ctypes.c_int(0)
        if self._reading is not None:
            ioctl(self._reading, termios.FIONREAD, ctypes.byref(count))
        return count.value
