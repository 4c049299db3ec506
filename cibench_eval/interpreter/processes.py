"""Processes of a session, by their folders in /proc: reading them, and stopping them without a control group."""

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
"""Seconds in which all processes of a session must have stopped; on a busy machine, signals take some time."""
PAUSE = 0.001
"""Seconds between two checks of processes that have yet to react to their signal."""


class Process(NamedTuple):
    """What /proc says of a process."""

    state: str
    """A letter of proc_pid_stat(5)."""
    threads: int
    resident: int
    """Bytes of its resident memory."""
    started: int
    """Ticks since the machine's start; together with the pid it is unique."""


def folders_in(proc: Path) -> list[Path]:
    """The folders of the processes in a /proc; none where its session has just ended."""
    try:
        return [folder for folder in proc.iterdir() if folder.name.isdigit()]
    except FileNotFoundError:
        return []


def read_process(folder: Path) -> Process | None:
    """The process with this folder in /proc; None when it is gone."""
    try:
        return _parse((folder / 'stat').read_text(errors='replace'))
    except GONE:
        return None


def _parse(stat: str) -> Process:
    fields = stat.rpartition(')')[2].split()
    return Process(fields[0], int(fields[17]), int(fields[21]) * PAGE, int(fields[19]))


class Stopper:
    """Stops the processes of a session, given by their folders in /proc, and wakes up those that it has stopped."""

    def __init__(self, processes: Callable[[], Iterable[Path]]) -> None:
        self._processes = processes
        self._stopped: dict[tuple[str, int], Path] = {}
        """Folders by the pid inside the session and the time of the start."""
        self._lock = threading.Lock()

    def stop(self) -> bool:
        """Stop all processes; False if some still run after STOP_SECONDS.

        While processes are stopped one by one, others can start new ones and wake stopped ones up. So it goes on until
        it has found nothing that runs twice in a row.
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
        """Wake up the stopped processes, but not those that the code itself had stopped."""
        with self._lock:
            for (_, started), folder in self._stopped.items():
                with contextlib.suppress(*GONE), _held(folder) as descriptor:
                    if _read(descriptor).started == started:
                        signal.pidfd_send_signal(descriptor, signal.SIGCONT)
            self._stopped.clear()

    def _stop(self, folder: Path) -> bool:
        """Send the stop signal to a process that runs; return whether it did."""
        with contextlib.suppress(*GONE), _held(folder) as descriptor:
            process = _read(descriptor)
            key = (folder.name, process.started)
            if _runs(process, key in self._stopped):
                signal.pidfd_send_signal(descriptor, signal.SIGSTOP)
                self._stopped[key] = folder
                return True
        return False


def _runs(process: Process, signalled: bool) -> bool:
    """Whether a process may run, as far as the state of its first thread tells."""
    # Ended (Z), but other threads may live on; or waiting for a child of vfork (D), and then the signal comes first.
    if process.state == 'D' or (process.state == 'Z' and process.threads > 1):
        return not signalled
    return process.state not in STOPPED


@contextlib.contextmanager
def _held(folder: Path) -> Iterator[int]:
    """A descriptor of a process's folder, to send signals to. While it is open, it cannot mean another process."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _read(folder: int) -> Process:
    with os.fdopen(os.open('stat', os.O_RDONLY, dir_fd=folder), errors='replace') as file:
        return _parse(file.read())
