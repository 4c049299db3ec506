"""Looks at what a session uses where nothing else limits it, and says when it is too much.

A control group, a file system of fixed size or a container limit a session by themselves; it is not watched for that.
"""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cibench_eval.interpreter.sandboxes.base import LIMITS, SandboxedSession
from cibench_eval.interpreter.settings import KernelSettings

INTERVAL = 0.25
"""Seconds between two checks."""
INODE = 1024
"""Bytes of memory that a file takes in a tmpfs beside its content."""
PAGE = os.sysconf('SC_PAGE_SIZE')
THREADS = ThreadPoolExecutor(4, 'watchdog')
"""Where checks run: what hostile code has made slow to read must not stop other sessions."""


class Watchdog:
    """Watches one session for the limits that are not enforced otherwise.

    Args:
        session: what it watches.
        settings: the limits.
    """

    def __init__(self, session: SandboxedSession, settings: KernelSettings) -> None:
        self.limits = LIMITS - session.enforced
        self._session, self._settings = session, settings

    async def wait_for_violation(self) -> str:
        """Return, when the session is over a limit, which one, in words for the model.

        Raises:
            OSError: the session cannot be watched.
        """
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(INTERVAL)
            if violation := await loop.run_in_executor(THREADS, self.check):
                return violation

    def check(self) -> str:
        """Which limit the session is over now, or nothing."""
        settings = self._settings
        processes = [(folder, *_size(folder)) for folder in self._session.processes()]
        threads = sum(threads for _, threads, _ in processes)
        if 'processes' in self.limits and threads > settings.processes + self._session.own_processes:
            return f'the session had more than {settings.processes} processes and threads'
        if 'memory' in self.limits and self._memory([(folder, size) for folder, _, size in processes]):
            return f'the session used more than {settings.memory / 2**30:.3g} GiB of memory'
        disk = self._session.disk_folder()
        if 'disk' in self.limits and disk is not None and _disk(disk) > settings.disk:
            return f'the session wrote more than {settings.disk / 2**30:.3g} GiB'
        return ''

    def _memory(self, processes: list[tuple[Path, int]]) -> bool:
        """Whether it is too much. What processes share is first counted for each, and exactly only if that were."""
        left = self._settings.memory - sum(_tmpfs(path) for path in self._session.file_systems())
        if sum(resident for _, resident in processes) <= left:
            return False
        return sum(_proportional(folder, resident) for folder, resident in processes) > left


def _size(process: Path) -> tuple[int, int]:
    """Threads of a process, and bytes of memory that it has mapped; zeros when it is gone."""
    try:
        fields = (process / 'stat').read_text(errors='replace').rpartition(')')[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0, 0
    return int(fields[17]), int(fields[21]) * PAGE


def _proportional(process: Path, resident: int) -> int:
    """Bytes of a process' memory, what it shares divided among those who do; files of programs left out."""
    try:
        lines = (process / 'smaps_rollup').read_text().splitlines()[1:]
    except (FileNotFoundError, ProcessLookupError):
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


def _disk(folder: Path) -> int:
    """Bytes that the files below a folder take; what is nested too deep for a path is not seen."""
    total, folders = 0, [str(folder)]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
        except OSError:  # gone meanwhile, closed to us, or nested too deep
            continue
    return total
