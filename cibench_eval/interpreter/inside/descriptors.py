"""Captures output that C code and child processes write to descriptors 1 and 2, past Python.

Each block has its own pipes, which are emptied before Python prints, so outputs keep their order. A process of an
earlier block still writes into the pipes of that block, so its late output reaches no other block: it is discarded.
"""

import codecs
import contextlib
import ctypes
import os
import select
import sys
import termios
import threading
from typing import Any

libc = ctypes.CDLL(None)
ioctl = ctypes.PyDLL(None).ioctl
"""Keeps the GIL. `fcntl.ioctl` releases it, and every printed line would wait to get it back."""


PLAIN = [stream for stream in (sys.__stdout__, sys.__stderr__) if stream is not None]
"""Python's own streams on the descriptors: code may put others in their place."""


class Capture:
    """Passes what is written to `descriptor` during a block to `stream.take`."""

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
        except OSError:  # no file can be opened: such output is lost
            return
        try:
            self._pipe = Pipe(reading, self._stream)
            os.dup2(writing, self._descriptor)
        except RuntimeError:  # no thread can be started, for instance while a fork bomb dies
            os.close(reading)
        os.close(writing)

    def catch_up(self) -> None:
        """Pass on what has been written so far; a fork of the kernel leaves that to the kernel."""
        if self._pipe is not None and os.getpid() == self._process:
            self._pipe.empty()

    def end_block(self, *_: Any) -> None:
        libc.fflush(None)
        for stream in PLAIN:
            with contextlib.suppress(ValueError, OSError):  # it may be closed
                stream.flush()
        if self._pipe is not None:
            os.dup2(self._null, self._descriptor)
            pipe, self._pipe = self._pipe, None
            pipe.leave()


class Pipe:
    """The reading end of a pipe, with a thread that empties it as long as a process has the other end."""

    def __init__(self, reading: int, stream: Any) -> None:
        self._reading: int | None = reading
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder('utf-8')('replace')
        self._taking = threading.RLock()  # a finaliser may print, and so empty the pipe again
        self._thread = threading.Thread(target=self._run, args=(reading,), daemon=True, name='pipe')
        self._thread.start()

    def _run(self, reading: int) -> None:
        poll = select.poll()
        poll.register(reading, select.POLLIN)
        more = 1
        while more:
            poll.poll()
            with self._taking:
                if poll.poll(0):  # else it has been emptied meanwhile
                    more = self._take(reading)
        with self._taking:
            os.close(reading)
            self._reading = None

    def _take(self, reading: int) -> int:
        """Pass on what is there; return the number of bytes, 0 at the end."""
        chunk = os.read(reading, 2**16)
        text = self._decoder.decode(chunk)
        if text and self._stream is not None:
            self._stream.take(text)
        return len(chunk)

    def empty(self) -> None:
        """Pass on what has been written so far, even if more keeps coming."""
        with self._taking:
            left = self._waiting()
            while left > 0 and self._waiting():
                left -= self._take(self._reading)  # type: ignore[arg-type]  # open, because something waits in it

    def leave(self) -> None:
        """Pass on what has been written so far, and discard what comes later."""
        with self._taking:
            self.empty()
            self._stream = None

    def _waiting(self) -> int:
        count = ctypes.c_int(0)
        if self._reading is not None:
            ioctl(self._reading, termios.FIONREAD, ctypes.byref(count))
        return count.value
