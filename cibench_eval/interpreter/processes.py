"""Processes of a session by their folders in /proc: what they use, and how they are stopped without a control group."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

PAGE = os.sysconf('SC_PAGE_SIZE')
GONE = (FileNotFoundError, ProcessLookupError)
STOPPED = 'TtZX'
"""States in which a process does nothing: stopped, traced, ended."""
STOP_SECONDS = 2.0
"""In which all processes of a session must have been stopped. On a busy machine it takes a process some time to take
a signal."""
PAUSE = 0.001
"""Seconds between two looks at processes that have their signal and have not taken it yet."""


class Process(NamedTuple):
    """What /proc says of a process.

    Args:
        state: a letter of proc_pid_stat(5).
        threads: how many it has.
        resident: bytes of memory that it has mapped and that are there.
        started: when, in ticks since the machine's start; with its pid it names a process for ever.
    """

    state: str
    threads: int
    resident: int
    started: int


def read_process(folder: Path) -> Process | None:
    """What is said of the process with this folder in /proc; None when it is gone."""
    try:
        return _parse((folder / 'stat').read_text(errors='replace'))
    except GONE:
        return None


def _parse(stat: str) -> Process:
    fields = stat.rpartition(')')[2].split()
    return Process(fields[0], int(fields[17]), int(fields[21]) * PAGE, int(fields[19]))


class Stopper:
    """Stops the processes of a session by signals, and lets those go on that it has stopped.

    Args:
        processes: gives the folders in /proc of all that there are.
    """

    def __init__(self, processes: Callable[[], Iterable[Path]]) -> None:
        self._processes = processes
        self._stopped: dict[tuple[str, int], Path] = {}
        """By pid, as the session counts, and start."""
        self._lock = threading.Lock()

    def stop(self) -> bool:
        """Whether nothing runs any more: twice in a row nothing was found that did.

        Code that runs may start processes and wake others up while they are stopped one by one.
        """
        deadline, quiet = time.monotonic() + STOP_SECONDS, 0
        with self._lock:
            while quiet < 2 and time.monotonic() < deadline:
                known = len(self._stopped)
                signalled = sum([self._stop(folder) for folder in self._processes()])
                quiet = 0 if signalled else quiet + 1
                if signalled and known == len(self._stopped):
                    time.sleep(PAUSE)
        return quiet == 2

    def go_on(self) -> None:
        """Wake up what was stopped; what the code itself had stopped stays so."""
        with self._lock:
            for (_, started), folder in self._stopped.items():
                with contextlib.suppress(*GONE), _held(folder) as descriptor:
                    if _read(descriptor).started == started:
                        signal.pidfd_send_signal(descriptor, signal.SIGCONT)
            self._stopped.clear()

    def _stop(self, folder: Path) -> bool:
        """Whether a process was found running. It is stopped as soon as it takes its signal."""
        with contextlib.suppress(*GONE), _held(folder) as descriptor:
            process = _read(descriptor)
            key = (folder.name, process.started)
            if _runs(process, key in self._stopped):
                signal.pidfd_send_signal(descriptor, signal.SIGSTOP)
                self._stopped[key] = folder
                return True
        return False


def _runs(process: Process, signalled: bool) -> bool:
    """Whether a process may run, as far as its state tells.

    The state is that of its first thread. Where that has ended, others may live on; where it waits for a child of a
    vfork (`D`), it takes the signal before it does anything else.
    """
    if process.state == 'D' or (process.state == 'Z' and process.threads > 1):
        return not signalled
    return process.state not in STOPPED


@contextlib.contextmanager
def _held(folder: Path) -> Iterator[int]:
    """A descriptor of a process's folder. While it is open, it is no other's, and signals can be sent to it."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _read(folder: int) -> Process:
    with os.fdopen(os.open('stat', os.O_RDONLY, dir_fd=folder), errors='replace') as file:
        return _parse(file.read())
