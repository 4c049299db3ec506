"""Limits the kernels in use at once: to the number asked for, and to fewer while memory is short."""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil

from cibench_eval.interpreter.inside.process_limits import raise_open_files
from cibench_eval.schema import CibenchError, HarnessError

logger = logging.getLogger(__name__)
CGROUP = Path('/sys/fs/cgroup')
PER_SESSION = 256 * 2**20
"""Bytes assumed for a session when the number of sessions is chosen: a forked kernel with some data."""
PER_CORE = 8
"""Sessions per core: most of the time they wait for the model."""
RESERVE = 0.1
"""Share of the machine's memory; while less is free, no further session begins beside others."""
FILES_PER_SESSION = 16
"""Open files assumed for a session: a kernel has 10, its request 1, and a starting kernel more."""
OWN_FILES = 128
"""Open files of a run besides its sessions."""
MEMORY_POLL = 0.5
"""Seconds between two checks of the memory while it is short."""


class SessionSlots:
    """Slots for sessions (in oracle mode, for lanes of steps), handed out first come, first served.

    One slot is handed out however little memory there is, so that a run never stands still.

    Args:
        shared: further slots; each slot here also takes one of those.
        most: number to which slots may be widened while the machine idles; None is `number`.
    """

    def __init__(self, number: int, shared: SessionSlots | None = None, most: int | None = None) -> None:
        self.number = number
        self.most = most or number
        self.taken = 0
        self.shared = shared
        self._free = asyncio.Semaphore(number)
        self._entrance = asyncio.Lock()
        self._warned = False
        self._closed: CibenchError | None = None

    def widen(self, number: int) -> None:
        """Raise the number of slots to `number`."""
        for _ in range(number - self.number):
            self._free.release()
        self.number = max(self.number, number)
        self.most = max(self.most, number)

    def close(self, error: CibenchError) -> None:
        """Hand out no more slots: waiting and later calls raise `error`."""
        self._closed = error

    def check(self) -> None:
        """Raise the error with which the slots were closed, if any."""
        if self._closed:
            raise self._closed
        if self.shared:
            self.shared.check()

    @property
    def spare(self) -> bool:
        """Whether a slot is free and nothing waits for it."""
        waiting = self._free.locked() or self._entrance.locked()
        return not waiting and (self.shared is None or self.shared.spare)

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """A slot, held while the block runs."""
        async with self._free, self.shared.slot() if self.shared else self._enough_memory():
            self.check()
            self.taken += 1
            try:
                yield
            finally:
                self.taken -= 1

    @asynccontextmanager
    async def _enough_memory(self) -> AsyncIterator[None]:
        """Wait until there is memory for one more session, one waiter at a time."""
        async with self._entrance:
            while self.taken and available_memory() < RESERVE * total_memory():
                if not self._warned:
                    self._warned = True
                    logger.warning(
                        'memory is short: %d of %d sessions run until there is more', self.taken, self.number
                    )
                await asyncio.sleep(MEMORY_POLL)
        yield


def default_sessions() -> int:
    """The default number of sessions at once, by cores, memory and open files; at least one."""
    cores = len(os.sched_getaffinity(0))
    return max(1, min(PER_CORE * cores, available_memory() // PER_SESSION, _by_open_files(_most_open_files())))


def room_for(more: int, sessions: int) -> bool:
    """Whether there are memory and open files for `more` sessions beside `sessions`."""
    enough_files = sessions + more <= _by_open_files(_most_open_files())
    return enough_files and available_memory() - more * PER_SESSION > RESERVE * total_memory()


def check_open_files(sessions: int) -> None:
    """Raise this process's limit on open files; a `HarnessError` where it is too low for so many sessions at once."""
    raise_open_files()
    files = _most_open_files()
    if sessions > _by_open_files(files):
        needed = OWN_FILES + FILES_PER_SESSION * sessions
        raise HarnessError(
            f'{sessions} sessions at once need about {needed:,} open files, and this process may have {files:,}: '
            f'raise that (`ulimit -n {needed}`, or LimitNOFILE), or give --max-sessions {_by_open_files(files)}'
        )


def _most_open_files() -> int:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return sys.maxsize if most == resource.RLIM_INFINITY else most


def _by_open_files(files: int) -> int:
    return max(1, (files - OWN_FILES) // FILES_PER_SESSION)


def total_memory() -> int:
    """Bytes of memory of the machine, or of the container of this process."""
    limit = _limit()
    return min(psutil.virtual_memory().total, limit[0]) if limit else psutil.virtual_memory().total


def available_memory() -> int:
    """Bytes of memory that are available now."""
    machine = psutil.virtual_memory().available
    limit = _limit()
    return max(0, min(machine, limit[0] - limit[1])) if limit else machine


def _limit() -> tuple[int, int] | None:
    """Limit and use of the container's memory, without inactive file caches; None without a limit."""
    for limit, used, key in (
        ('memory.max', 'memory.current', 'inactive_file'),
        ('memory/memory.limit_in_bytes', 'memory/memory.usage_in_bytes', 'total_inactive_file'),
    ):
        text = _read(CGROUP / limit)
        if text.isdigit():
            statistics = dict(line.split() for line in _read((CGROUP / used).with_name('memory.stat')).splitlines())
            return int(text), int(_read(CGROUP / used)) - int(statistics.get(key, 0))
    return None


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ''
