"""Checks what a session uses, and reports a session over a limit.

It checks only the limits that neither a control group, nor a file system of fixed size, nor a container enforces.
"""

import asyncio
import errno
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cibench_eval.interpreter.limits import LIMITS, ResourceLimits
from cibench_eval.interpreter.processes import GONE, Process, read_process
from cibench_eval.interpreter.sandboxes.base import SandboxedSession

INTERVAL = 0.25
"""Seconds between two checks, unless a check takes longer."""
CHECK_SECONDS = 0.5
"""Processor time of one check: code can make its session slow to read."""
DU_SECONDS = 5
"""Time limit of `du`, which is used where folders are nested too deep for a path."""
TOO_MANY_UNMEASURED = 8
"""Consecutive checks out of time after which the session counts as over a limit."""
INODE = 1024
"""Bytes that a file takes besides its content, in a tmpfs or on a disk."""
SOCKET = 2 * 212_992
"""Bytes that the buffers of a socket can hold by default. Linux enlarges only the buffers of TCP by itself."""


class OutOfTimeError(Exception):
    """A check took too much processor time."""


class Watchdog:
    """Watches one session for the limits that its sandbox does not enforce."""

    def __init__(self, session: SandboxedSession, limits: ResourceLimits) -> None:
        self.watched = LIMITS - session.enforced
        self._session, self._limits = session, limits
        self._deadline = 0.0
        self._unmeasured = 0
        """Consecutive checks that ran out of time."""

    async def wait_for_violation(self) -> str:
        """Wait until the session is over a limit, and say so for the model; an `OSError` where it cannot be watched."""
        # A thread of its own: a session that is slow to read delays no other one.
        loop, thread = asyncio.get_running_loop(), ThreadPoolExecutor(1, 'watchdog')
        try:
            while True:
                started = time.monotonic()
                if violation := await loop.run_in_executor(thread, self.check):
                    return violation
                await asyncio.sleep(max(INTERVAL, time.monotonic() - started))
        finally:
            thread.shutdown(wait=False)  # do not block the event loop until a check ends

    def check(self) -> str:
        """The message if the session is over a limit now, else an empty string."""
        self._deadline = time.thread_time() + CHECK_SECONDS
        try:
            violation = self._violation()
        except OutOfTimeError:
            self._unmeasured += 1
            too_many = self._unmeasured >= TOO_MANY_UNMEASURED
            return 'what the session uses could not be measured in time' if too_many else ''
        self._unmeasured = 0
        return violation

    def _violation(self) -> str:
        limits, most = self._limits, self._limits.processes + self._session.own_processes
        processes: list[tuple[Path, Process]] = []
        threads = 0
        for folder in self._session.processes():
            self._check_time()
            if not (process := read_process(folder)):
                continue
            processes.append((folder, process))
            threads += process.threads
            if 'processes' in self.watched and threads > most:
                return limits.exceeded('processes')
        if 'memory' in self.watched and self._is_memory_over(processes):
            return limits.exceeded('memory')
        disk = self._session.disk_folder()
        if 'disk' in self.watched and disk is not None and self._is_disk_over(disk):
            return limits.exceeded('disk')
        return ''

    def _is_memory_over(self, processes: list[tuple[Path, Process]]) -> bool:
        """Whether the processes use too much memory.

        First, shared memory counts for each process. Only if that sum is too large are the processes read exactly,
        which is slow, the largest first, until the answer is clear.
        """
        left = self._limits.memory - self._session.sockets() * SOCKET
        if left >= 0:  # else the list of connections is long, and the answer clear
            left -= self._session.queued()
        left -= sum(_tmpfs(path) for path in self._session.file_systems())
        most = sum(process.resident for _, process in processes)
        for folder, process in sorted(processes, key=lambda pair: -pair[1].resident):
            if most <= left or left < 0:
                break
            self._check_time()
            exact = _proportional(folder, process.resident)
            left, most = left - exact, most - process.resident
        return left < 0

    def _is_disk_over(self, folder: Path) -> bool:
        left, folders = self._limits.disk, [str(folder)]
        while folders and left >= 0:
            try:
                with os.scandir(folders.pop()) as entries:
                    for entry in entries:
                        self._check_time()
                        left -= entry.stat(follow_symlinks=False).st_blocks * 512 + INODE
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(entry.path)
            except OSError as error:
                if error.errno == errno.ENAMETOOLONG:
                    return _du(folder) > self._limits.disk
                continue  # it is gone, or not readable for this user
        return left < 0

    def _check_time(self) -> None:
        """Raise OutOfTimeError when the time of this check is used up."""
        if time.thread_time() > self._deadline:
            raise OutOfTimeError


def _du(folder: Path) -> int:
    """Bytes that the files below a folder take, at any depth; OutOfTimeError after DU_SECONDS."""
    try:
        done = subprocess.run(['du', '-s', '-B1', '--', str(folder)], capture_output=True, timeout=DU_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise OutOfTimeError from error
    return int((done.stdout.split() or [b'0'])[0])


def _proportional(process: Path, resident: int) -> int:
    """Bytes of a process's memory without program files; shared memory is divided among its processes."""
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
