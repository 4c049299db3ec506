"""How many kernels are in use at once: as many as asked for, fewer while memory is short."""

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
"""Bytes that a session is reckoned to take when the number of sessions is chosen: a forked kernel with some data."""
PER_CORE = 8
"""Sessions a core: most of the time they wait for the model."""
RESERVE = 0.1
"""Part of the machine's memory below which no further session begins while another one can end."""
FILES_PER_SESSION = 16
"""Open files that a session is reckoned to take: a kernel 10, its request 1, more while a kernel starts."""
OWN_FILES = 128
"""Open files that a run takes whatever its sessions."""
MEMORY_POLL = 0.5
"""Seconds between two looks at the memory while it is short."""


class SessionSlots:
    """Slots for sessions (oracle mode: lanes of steps), handed out in the order in which they were asked for.

    One is always handed out, however little memory there is, so that a run never stands still.

    Args:
        number: slots at the same time.
        shared: slots of which these are a part: who gets one of these has one of those, too.
        most: how many there may become while the machine idles; None is as many as there are.
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
        """Have at least `number` slots."""
        for _ in range(number - self.number):
            self._free.release()
        self.number = max(self.number, number)
        self.most = max(self.most, number)

    def close(self, error: CibenchError) -> None:
        """Give out no more slots; who waits for one, or asks for one later, gets `error`."""
        self._closed = error

    def check(self) -> None:
        """Raise what the slots were closed with."""
        if self._closed:
            raise self._closed

    @property
    def spare(self) -> bool:
        """Whether a slot is free that nobody waits for."""
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
        """Wait until there is memory for one more, one after the other."""
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
    """Sessions at once where nobody said how many: by cores, memory and open files, at least one."""
    cores = len(os.sched_getaffinity(0))
    return max(1, min(PER_CORE * cores, available_memory() // PER_SESSION, _by_open_files(_most_open_files())))


def room_for(more: int, sessions: int) -> bool:
    """Whether there are memory and open files for `more` sessions beside those that there are."""
    enough_files = sessions + more <= _by_open_files(_most_open_files())
    return enough_files and available_memory() - more * PER_SESSION > RESERVE * total_memory()


def check_open_files(sessions: int) -> None:
    """Let this process have as many open files as it may, and see that they are enough for so many sessions at once.

    Raises:
        HarnessError: they are not.
    """
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
    """Bytes that this process could use: of the machine, or of the container that it is in."""
    limit = _limit()
    return min(psutil.virtual_memory().total, limit[0]) if limit else psutil.virtual_memory().total


def available_memory() -> int:
    """Bytes that are free for use now."""
    machine = psutil.virtual_memory().available
    limit = _limit()
    return max(0, min(machine, limit[0] - limit[1])) if limit else machine


def _limit() -> tuple[int, int] | None:
    """Limit and use of the container's memory, what files can give back left out; None without a limit."""
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
