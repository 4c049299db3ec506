"""Looks at what a running session uses, where the machine itself sets it no limit, and says when it is too much."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from cibench_eval.interpreter.room import Room
from cibench_eval.interpreter.settings import KernelSettings

INTERVAL = 0.25
"""Seconds between two looks."""
INODE = 1024
"""Bytes of memory that a file takes in a tmpfs beside its content."""
PAGE = os.sysconf('SC_PAGE_SIZE')
WALLS = 2
"""Processes behind walls that are ours: bubblewrap, and what keeps it waiting for forked kernels. RLIMIT_NPROC does
not count them either; a session that it has stopped must not be too large for us."""
SHARED = ('/session', '/dev/shm')
"""File systems in memory, as a session behind walls sees them."""


@dataclass(frozen=True)
class Watchdog:
    """Watches one session.

    Args:
        room: its folders; behind walls also the way to its processes.
        pid: its kernel, as the harness sees it; without walls, the session is what descends from it.
        settings: the limits.
    """

    room: Room
    pid: int
    settings: KernelSettings

    async def bark(self) -> str:
        """Return, when the session is over a limit, which one, in words for the one whose code it is."""
        while True:
            await asyncio.sleep(INTERVAL)
            problem = self.look()
            if problem:
                return problem

    def look(self) -> str:
        """Which limit the session is over now, or nothing."""
        processes = [(folder, *_size(folder)) for folder in self._processes()]
        ours = WALLS if self.room.prefix else 0
        if sum(threads for _, threads, _ in processes) > self.settings.processes + ours:
            return f'the session had more than {self.settings.processes} processes and threads'
        if self._memory([(folder, resident) for folder, _, resident in processes]) > self.settings.memory:
            return f'the session used more than {self.settings.memory / 2**30:.3g} GiB of memory'
        if not self.room.prefix and _disk(Path(self.room.layout.work).parent) > self.settings.disk:
            return f'the session wrote more than {self.settings.disk / 2**30:.3g} GiB'
        return ''

    def _processes(self) -> Iterator[Path]:
        """Their folders in /proc."""
        if self.room.prefix:
            proc = Path(f'{self.room.prefix}/proc')
            try:
                yield from [folder for folder in proc.iterdir() if folder.name.isdigit()]
            except FileNotFoundError:  # the session has just ended
                return
        else:
            try:
                kernel = psutil.Process(self.pid)
                yield from [Path(f'/proc/{process.pid}') for process in (kernel, *kernel.children(recursive=True))]
            except psutil.NoSuchProcess:
                return

    def _memory(self, processes: list[tuple[Path, int]]) -> int:
        """Bytes in use. What processes share is first counted for each, and exactly only if that were too much."""
        files = sum(_tmpfs(self.room.prefix + path) for path in SHARED) if self.room.prefix else 0
        upper = files + sum(resident for _, resident in processes)
        if upper <= self.settings.memory:
            return upper
        return files + sum(_proportional(folder, resident) for folder, resident in processes)


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
