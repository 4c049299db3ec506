"""A control group for a session, where this process may make one: hard limits, a share of the processors, a freezer.

Under version 2 it is one folder. Under version 1 each controller has a hierarchy of its own, and the freezer is that of
version 2, which systems with version 1 nearly always mount beside it: what version 1 has frozen cannot be killed, and
would stay for ever behind a harness that is.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import functools
import itertools
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ROOT = Path('/sys/fs/cgroup')
OWN_GROUPS = Path('/proc/self/cgroup')
PREFIX = 'cibench-'
LEAF = 'cibench_harness'
"""Group into which the harness moves itself, where it is in the way of groups beside it."""
REMOVALS, SWEEPS = 300, 100
SOCKET_MEMORY = 64 * 2**20
"""Bytes that TCP and UDP may hold. Version 1 counts them apart, and not at all without a limit."""
GONE = (errno.ENOENT, errno.ESRCH, errno.ENODEV)
"""What Linux answers where a group or its member is gone, the last where it goes while its file is open."""
MOVES = 10
"""Rounds in which all processes of a group are moved: those may be starting others."""
CONTROLLERS = ('memory', 'pids', 'cpu')
HALF = {'cpu.shares': 512, 'cpu.weight': 50}
"""A session's share of the processors, half of what a group has by default and so of the harness's own: with as many
code blocks at once as two a core, the harness and its model server get at least a third of them."""
_numbers = itertools.count(1)

Kind = Literal['memory', 'processes']
KINDS: dict[str, Kind] = {'memory.limit_in_bytes': 'memory', 'memory.max': 'memory', 'pids.max': 'processes'}
"""What a file of a group sets a limit to."""
Version = Literal['cgroup v1', 'cgroup v2']


@dataclass(frozen=True)
class Cgroup:
    """A session's control group.

    Args:
        folders: one under version 2, one a controller under version 1.
        enforced: what it sets a limit to.
    """

    folders: tuple[Path, ...]
    enforced: frozenset[Kind]

    @classmethod
    def make(cls, memory: int, processes: int) -> Cgroup | None:
        """A group with these limits (bytes, number) as far as that is permitted; None where nothing is."""
        name = f'{PREFIX}{os.getpid()}-{_namespace()}-{next(_numbers)}'
        values = _values(memory, processes)
        made = {parent / name: files for parent in parents() if (files := _make(parent / name, values)) is not None}
        limited = {KINDS[file] for files in made.values() for file in files if file in KINDS}
        return cls(tuple(made), frozenset(limited)) if made else None

    @property
    def version(self) -> Version | None:
        """The version that limits memory; None where none does."""
        files: dict[Version, str] = {'cgroup v2': 'memory.max', 'cgroup v1': 'memory.limit_in_bytes'}
        return next((version for version, file in files.items() if self._file(file)), None)

    @property
    def member_files(self) -> list[str]:
        """Files into which a process writes its pid to become a member."""
        return [str(folder / 'cgroup.procs') for folder in self.folders]

    @property
    def can_freeze(self) -> bool:
        return self._file('cgroup.freeze') is not None

    def freeze(self, frozen: bool) -> None:
        """Stop all members where they are, also those that are just being forked, or let them go on."""
        if file := self._file('cgroup.freeze'):
            file.write_text(str(int(frozen)))

    def cpu_used(self) -> float | None:
        """Seconds of processor time that its members have used, those that have ended included; None if unknown."""
        file = self._file('cpu.stat')
        statistics = dict(line.split() for line in _read(file).splitlines()) if file else {}
        return int(statistics['usage_usec']) / 1e6 if 'usage_usec' in statistics else None

    def kill(self) -> None:
        """End every member."""
        for folder in self.folders:
            _kill(folder)

    def out_of_memory(self) -> bool:
        """Whether a member was killed because memory ran out."""
        file = self._file('memory.events') or self._file('memory.oom_control')
        counts = dict(line.split() for line in _read(file).splitlines()) if file else {}
        return int(counts.get('oom_kill', 0)) > 0

    async def remove(self) -> None:
        """Remove the group as soon as its last process, which has been killed, is gone."""
        for _ in range(REMOVALS):
            self.kill()
            left = [folder for folder in self.folders if not _remove(folder)]
            if not left:
                return
            await asyncio.sleep(0.01)

    def _file(self, name: str) -> Path | None:
        """A file of the group; of several, that of version 2, which comes last."""
        return next((folder / name for folder in reversed(self.folders) if (folder / name).exists()), None)


@functools.cache
def version() -> Version | None:
    """The version of control groups that limits the memory of sessions here; None where none does. Tried once."""
    group = Cgroup.make(2**30, 100)
    if group is None:
        return None
    found = group.version
    for folder in group.folders:
        _remove(folder)
    return found


def _values(memory: int, processes: int) -> dict[str, int]:
    """What is written into the files of a group that it has, in this order."""
    return {
        'memory.limit_in_bytes': memory,
        'memory.memsw.limit_in_bytes': memory,  # memory and swap: never below the line before
        'memory.kmem.tcp.limit_in_bytes': min(memory, SOCKET_MEMORY),
        'memory.max': memory,
        'memory.swap.max': 0,
        'memory.oom.group': 1,
        'pids.max': processes,
        **HALF,
    }


@functools.cache
def parents() -> tuple[Path, ...]:
    """The groups in which this process makes those of sessions, that of version 2 last. Found once a process."""
    found: list[Path] = []
    groups = _own_groups()
    for controller in CONTROLLERS:
        if controller in groups and (parent := _version_1(ROOT / controller, groups[controller])):
            found.append(parent)
    unified = next((root for root in (ROOT, ROOT / 'unified') if (root / 'cgroup.controllers').exists()), None)
    if unified and '' in groups and (parent := _version_2(unified, groups[''])):
        found.append(parent)
    for parent in found:
        _sweep(parent)
    return tuple(found)


def _own_groups() -> dict[str, str]:
    """The path of the group that this process is in, by controller; version 2's has none."""
    lines = [line.split(':', 2)[1:] for line in OWN_GROUPS.read_text().splitlines()]
    return {name: path.lstrip('/') for names, path in lines for name in names.split(',')}


def _version_1(hierarchy: Path, path: str) -> Path | None:
    """This process's group of a controller, if it may make others in it."""
    own = hierarchy / path
    if not own.exists():
        own = hierarchy  # a container shows its own group there, and says what that is called outside
    return own if _is_writable(own) else None


def _version_2(unified: Path, path: str) -> Path | None:
    """A group in which this process may make others: with limits if possible, else such as can be frozen."""
    own = unified / path
    candidates = [own] if own == unified else [own, own.parent]
    for folder in candidates:
        if 'memory' in _words(folder / 'cgroup.subtree_control') and _is_writable(folder):
            return folder
    if not _is_writable(own):
        return None
    if 'memory' in _words(own / 'cgroup.controllers') and _is_delegated(own, unified):
        _make_room(own)
    return own


def _is_writable(group: Path) -> bool:
    """Whether this process may make groups there and move processes into them."""
    return all(os.access(path, os.W_OK) for path in (group, group / 'cgroup.procs'))


def _is_delegated(group: Path, unified: Path) -> bool:
    """Whether a group is this process's to arrange. That its files can be written is not enough: root can write all.

    It is if systemd says so (a mark that it puts on what has `Delegate=yes`), if it is the whole tree that can be seen
    (as in a container), or if it is the user's own with no process in it but this one's. Never if it has other groups
    with processes in it.
    """
    if group.stat().st_uid != os.geteuid() or any(_words(procs) for procs in group.glob('*/cgroup.procs')):
        return False
    if group == unified or _is_marked(group):
        return True
    return os.geteuid() != 0 and all(_descends(int(pid)) for pid in _words(group / 'cgroup.procs'))


def _is_marked(group: Path) -> bool:
    for name in ('user.delegate', 'trusted.delegate'):  # the second is for root to see, and for older systemds
        with contextlib.suppress(OSError):
            if os.getxattr(group, name) == b'1':
                return True
    return False


def _descends(pid: int) -> bool:
    """Whether a process is this one, or below it."""
    while pid > 1 and pid != os.getpid():
        stat = _read(Path('/proc', str(pid), 'stat')).rpartition(')')[2].split()
        pid = int(stat[1]) if stat else 0
    return pid == os.getpid()


def _make_room(own: Path) -> None:
    """Hand the controllers of a group on to those in it. Version 2 wants no process to be beside them."""
    leaf = own / LEAF
    try:
        if (own / 'cgroup.type').exists():  # the machine's root group has none, and may have processes
            leaf.mkdir(exist_ok=True)
            _move(own, leaf)
        for controller in CONTROLLERS:
            if controller in _words(own / 'cgroup.controllers'):
                write(own / 'cgroup.subtree_control', f'+{controller}')
    except OSError:
        with contextlib.suppress(OSError):
            _move(leaf, own)
        _remove(leaf)


def _move(source: Path, target: Path) -> None:
    """Move all processes of a group."""
    for _ in range(MOVES):
        pids = _words(source / 'cgroup.procs')
        if not pids:
            return
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                write(target / 'cgroup.procs', pid)


def write(file: Path, text: str) -> None:
    """Write a file of a group. The kernel takes one word at a time."""
    file.write_text(text)


def _read(file: Path) -> str:
    """A file's text; nothing where it, or what it tells of, is gone."""
    try:
        return file.read_text()
    except OSError as error:
        if error.errno in GONE:
            return ''
        raise


def _words(file: Path) -> list[str]:
    return _read(file).split()


def _make(folder: Path, values: dict[str, int]) -> set[str] | None:
    """Make a group and write the values that it has files for: which those are; None if it could not be made so."""
    try:
        folder.mkdir()
        files = values.keys() & set(os.listdir(folder))  # noqa: PTH208  (names; it is done for every session)
        for name in values:
            if name in files:
                write(folder / name, str(values[name]))
    except OSError:
        _remove(folder)
        return None
    return files


def _kill(folder: Path) -> None:
    """End the members of a group: at once where Linux can (5.14, version 2), else one by one."""
    if (folder / 'cgroup.kill').exists():
        try:
            write(folder / 'cgroup.kill', '1')
        except OSError as error:
            if error.errno not in GONE:
                raise
        return
    for pid in _words(folder / 'cgroup.procs'):
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)


def _remove(folder: Path) -> bool:
    """Whether it is gone; it cannot go before its last member."""
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _sweep(parent: Path) -> None:
    """End and remove what harnesses have left that were killed: groups and, without a sandbox, processes in them.

    Only those whose harness would be seen here if it were alive.
    """
    for folder in parent.glob(f'{PREFIX}*'):
        owner, namespace, *_ = [*folder.name.removeprefix(PREFIX).split('-'), '', '']
        if namespace == str(_namespace()) and not Path('/proc', owner).exists():
            _kill(folder)
            for _ in range(SWEEPS):
                if _remove(folder):
                    break
                time.sleep(0.001)


def _namespace() -> int:
    """The number of the namespace in which this process has its pid."""
    return Path('/proc/self/ns/pid').stat().st_ino
