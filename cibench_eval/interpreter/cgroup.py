"""A control group for a session, where this process may make one: a hard limit on its memory and processes."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import itertools
import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ROOT = Path('/sys/fs/cgroup')
PREFIX = 'cibench-'
REMOVALS = 300
MEMORY_FILES = ('memory.limit_in_bytes', 'memory.memsw.limit_in_bytes')
"""Of version 1, in the order in which they can be set; the second, where it is there, counts swap as well."""
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Cgroup:
    """A session's control group.

    Args:
        folders: one under version 2, one a controller under version 1.
        enforced: what it sets a limit to.
    """

    folders: tuple[Path, ...]
    enforced: frozenset[Literal['memory', 'processes']]

    @classmethod
    def make(cls, memory: int, processes: int) -> Cgroup | None:
        """A group with these limits (bytes, number), None where that is not permitted."""
        name = f'{PREFIX}{os.getpid()}-{next(_numbers)}'
        folders: list[Path] = []
        parents = _parents(memory, processes)
        for parent, limits in parents:
            _sweep(parent)
            folders.append(parent / name)
            if not _make(folders[-1], limits):
                for folder in folders:
                    _remove(folder)
                return None
        files = {name for _, limits in parents for name in limits}
        return cls(tuple(folders), _enforced(files)) if folders else None

    @property
    def member_files(self) -> list[str]:
        """Files into which a process writes its pid to become a member."""
        return [str(folder / 'cgroup.procs') for folder in self.folders]

    def kill(self) -> None:
        """End every member."""
        for folder in self.folders[:1]:
            for pid in _read(folder / 'cgroup.procs').split():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)

    def out_of_memory(self) -> bool:
        """Whether a member was killed because memory ran out."""
        for name in ('memory.events', 'memory.oom_control'):
            for folder in self.folders:
                if (folder / name).exists():
                    counts = dict(line.split() for line in (folder / name).read_text().splitlines())
                    return int(counts.get('oom_kill', 0)) > 0
        return False

    async def remove(self) -> None:
        """Remove the group as soon as its last process, which has been killed, is gone."""
        for _ in range(REMOVALS):
            self.kill()
            left = [folder for folder in self.folders if not _remove(folder)]
            if not left:
                return
            await asyncio.sleep(0.01)


def _parents(memory: int, processes: int) -> list[tuple[Path, dict[str, int]]]:
    """The groups that this process is in, and the limits to set in a child of each."""
    groups = dict(line.split(':', 2)[1:] for line in Path('/proc/self/cgroup').read_text().splitlines())
    if 'memory' in groups:
        return [
            (ROOT / 'memory' / groups['memory'].lstrip('/'), dict.fromkeys(MEMORY_FILES, memory)),
            *([(ROOT / 'pids' / groups['pids'].lstrip('/'), {'pids.max': processes})] if 'pids' in groups else []),
        ]
    own = ROOT / groups.get('', '').lstrip('/')
    parent = next((p for p in (own, own.parent) if 'memory' in _read(p / 'cgroup.subtree_control').split()), None)
    if parent is None:  # under version 2 a group with processes of its own has no children with limits
        return []
    return [(parent, {'memory.max': memory, 'memory.swap.max': 0, 'memory.oom.group': 1, 'pids.max': processes})]


def _enforced(files: set[str]) -> frozenset[Literal['memory', 'processes']]:
    """What the files of a group set limits to."""
    return frozenset({'memory', 'processes'} if 'pids.max' in files else {'memory'})


def _read(path: Path) -> str:
    return path.read_text() if path.exists() else ''


def _make(folder: Path, limits: dict[str, int]) -> bool:
    try:
        folder.mkdir()
        for name, value in limits.items():
            if (folder / name).exists():
                (folder / name).write_text(str(value))
    except OSError:
        return False
    return True


def _remove(folder: Path) -> bool:
    """Whether it is gone; it cannot go before its last member."""
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


@functools.cache
def _sweep(parent: Path) -> None:
    """Remove groups of harnesses that have ended; once a process."""
    for folder in parent.glob(f'{PREFIX}*'):
        owner = folder.name.removeprefix(PREFIX).partition('-')[0]
        if owner != str(os.getpid()) and not Path('/proc', owner).exists():
            _remove(folder)
