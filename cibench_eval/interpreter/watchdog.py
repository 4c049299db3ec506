"""Looks at what a session uses where nothing else limits it, and says when it is too much.

A control group, a file system of fixed size or a container limit a session by themselves; it is not watched for that.
"""

from __future__ import annotations

import asyncio
import errno
import os
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cibench_eval.interpreter.processes import GONE, Process, read_process
from cibench_eval.interpreter.sandboxes.base import LIMITS, SandboxedSession
from cibench_eval.interpreter.settings import KernelSettings

INTERVAL = 0.25
"""Seconds between two checks, if a check takes no longer."""
CHECK_SECONDS = 0.5
"""Processor time of one check. Code can make its session as slow to read as it likes."""
DU_SECONDS = 5
"""Seconds that `du` gets for folders that are nested too deep for a path."""
PATIENCE = 8
"""Checks in a row that may run out of time; at the last, what cannot be measured counts as too much."""
INODE = 1024
"""Bytes that a file takes beside its content, in a tmpfs or on a disk."""
SOCKET = 2 * 212_992
"""Bytes that a socket may hold in its buffers, if nobody enlarges them. Linux itself enlarges those of TCP."""


class OutOfTimeError(Exception):
    """A check has taken too much processor time."""


class Watchdog:
    """Watches one session for the limits that are not enforced otherwise.

    Args:
        session: what it watches.
        settings: the limits.
    """

    def __init__(self, session: SandboxedSession, settings: KernelSettings) -> None:
        self.limits = LIMITS - session.enforced
        self._session, self._settings = session, settings
        self._deadline = 0.0
        self._unmeasured = 0
        """Checks in a row that ran out of time."""

    async def wait_for_violation(self) -> str:
        """Return, when the session is over a limit, which one, in words for the model.

        Each session has a thread of its own, so that one that is slow to read holds up no other, and as much rest
        after a check as the check took.

        Raises:
            OSError: the session cannot be watched.
        """
        loop, thread = asyncio.get_running_loop(), ThreadPoolExecutor(1, 'watchdog')
        try:
            while True:
                started = time.monotonic()
                if violation := await loop.run_in_executor(thread, self.check):
                    return violation
                await asyncio.sleep(max(INTERVAL, time.monotonic() - started))
        finally:
            thread.shutdown(wait=False)  # the loop must not wait for a check

    def check(self) -> str:
        """Which limit the session is over now, or nothing."""
        self._deadline = time.thread_time() + CHECK_SECONDS
        try:
            violation = self._violation()
        except OutOfTimeError:
            self._unmeasured += 1
            return 'what the session uses could not be measured in time' if self._unmeasured >= PATIENCE else ''
        self._unmeasured = 0
        return violation

    def _violation(self) -> str:
        settings, most = self._settings, self._settings.processes + self._session.own_processes
        processes: list[tuple[Path, Process]] = []
        threads = 0
        for folder, process in self._running():
            processes.append((folder, process))
            threads += process.threads
            if 'processes' in self.limits and threads > most:
                return f'the session had more than {settings.processes} processes and threads'
        if 'memory' in self.limits and self._is_memory_over(processes):
            return f'the session used more than {settings.memory / 2**30:.3g} GiB of memory'
        disk = self._session.disk_folder()
        if 'disk' in self.limits and disk is not None and self._is_disk_over(disk):
            return f'the session wrote more than {settings.disk / 2**30:.3g} GiB'
        return ''

    def _running(self) -> Iterator[tuple[Path, Process]]:
        for folder in self._session.processes():
            self._go_on()
            if process := read_process(folder):
                yield folder, process

    def _is_memory_over(self, processes: list[tuple[Path, Process]]) -> bool:
        """Whether it is too much. What processes share is first counted for each of them.

        Only if that were too much they are read exactly, which is slow, the largest first, until it is clear.
        """
        left = self._settings.memory - self._session.sockets() * SOCKET
        if left >= 0:  # a list of more sockets than that is long
            left -= self._session.queued()
        left -= sum(_tmpfs(path) for path in self._session.file_systems())
        most = sum(process.resident for _, process in processes)
        for folder, process in sorted(processes, key=lambda pair: -pair[1].resident):
            if most <= left or left < 0:
                break
            self._go_on()
            exact = _proportional(folder, process.resident)
            left, most = left - exact, most - process.resident
        return left < 0

    def _is_disk_over(self, folder: Path) -> bool:
        """Whether the files below a folder take too much."""
        left, folders = self._settings.disk, [str(folder)]
        while folders and left >= 0:
            try:
                with os.scandir(folders.pop()) as entries:
                    for entry in entries:
                        self._go_on()
                        left -= entry.stat(follow_symlinks=False).st_blocks * 512 + INODE
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(entry.path)
            except OSError as error:
                if error.errno == errno.ENAMETOOLONG:
                    return _du(folder) > self._settings.disk
                continue  # gone meanwhile, or closed to us
        return left < 0

    def _go_on(self) -> None:
        """See that there is time left for this check.

        Raises:
            OutOfTimeError: there is none.
        """
        if time.thread_time() > self._deadline:
            raise OutOfTimeError


def _du(folder: Path) -> int:
    """Bytes that the files below a folder take, at any depth.

    Raises:
        OutOfTimeError: they could not be counted in time.
    """
    try:
        done = subprocess.run(['du', '-s', '-B1', '--', str(folder)], capture_output=True, timeout=DU_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise OutOfTimeError from error
    return int((done.stdout.split() or [b'0'])[0])


def _proportional(process: Path, resident: int) -> int:
    """Bytes of a process' memory, what it shares divided among those who do; files of programs left out."""
    try:
        lines = (process / 'smaps_rollup').read_text().splitlines()[1:]
    except GONE:
        return 0
    except PermissionError:
        return resident
    sizes = {line.split()[0]: int(line.split()[1]) for line in lines}
    if 'Pss_Anon:' not in sizes:  # before Linux 5.4
        return 1024 * sizes['Pss:']
    return 1024 * (sizes['Pss_Anon:'] + sizes['Pss_Shmem:'])


def _tmpfs(path: str) -> int:
    """Bytes of memory that a tmpfs takes; 0 when it is gone."""
    try:
        system = os.statvfs(path)
    except FileNotFoundError:
        return 0
    return (system.f_blocks - system.f_bfree) * system.f_frsize + (system.f_files - system.f_ffree) * INODE
