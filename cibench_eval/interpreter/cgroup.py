"""A control group for a session, where this process may make one: hard limits, a share of the processors, a freezer.

Under version 2 it is one folder. Under version 1 each controller has its own hierarchy, and the freezer is that of
version 2, which systems with version 1 nearly always mount as well: processes that version 1 has frozen cannot be
killed, and would outlive a harness that is killed.
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
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from cibench_eval.interpreter.limits import Limit

ROOT = Path('/sys/fs/cgroup')
OWN_GROUPS = Path('/proc/self/cgroup')
PREFIX = 'cibench-'
LEAF = 'cibench_harness'
"""Group into which the harness moves itself: version 2 wants no process beside groups with limits."""
KILL_SECONDS = 30.0
"""Seconds in which killed members have to be gone: on a busy machine those with much memory take some."""
PAUSE = 0.01, 0.25
"""Seconds between two looks whether they are, at first and at most."""
SWEEPS = 100
SOCKET_MEMORY = 64 * 2**20
"""Bytes that TCP and UDP may hold. Version 1 counts them separately, and only under a limit."""
GONE = (errno.ENOENT, errno.ESRCH, errno.ENODEV)
"""Errors of Linux where a group or its member is gone; ENODEV if it goes while its file is open."""
MOVES = 10
"""Rounds in which all processes of a group are moved, since they may start others meanwhile."""
CONTROLLERS = ('memory', 'pids', 'cpu')
HALF = {'cpu.shares': 512, 'cpu.weight': 50}
"""A session's share of the processors: half the default, and so half of the harness's share. With two code blocks per
core at once, the harness and its model server still get at least a third of the processors."""
_numbers = itertools.count(1)

LIMITED: dict[str, Limit] = {'memory.limit_in_bytes': 'memory', 'memory.max': 'memory', 'pids.max': 'processes'}
"""The limit that a file of a group sets."""
Version = Literal['cgroup v1', 'cgroup v2']


@dataclass(frozen=True)
class Cgroup:
    """A session's control group."""

    folders: tuple[Path, ...]
    """One under version 2, one per controller under version 1."""
    enforced: frozenset[Limit]
    """The limits that it sets."""

    @classmethod
    def make(cls, memory: int, processes: int) -> Cgroup | None:
        """A group with these limits (bytes, number), as far as this process may set them; None where it may not."""
        name = f'{PREFIX}{os.getpid()}-{_namespace()}-{next(_numbers)}'
        values = _values(memory, processes)
        made = {parent / name: files for parent in parents() if (files := _make(parent / name, values)) is not None}
        limited = {LIMITED[file] for files in made.values() for file in files if file in LIMITED}
        return cls(tuple(made), frozenset(limited)) if made else None

    @classmethod
    def of(cls, pid: int) -> Cgroup:
        """The group that somebody else has made for a process, to be read alone; without folders where it has none."""
        groups = {name: path for name, path in _groups(Path(f'/proc/{pid}/cgroup')).items() if path}
        roots = {'': _unified(), 'pids': ROOT / 'pids', 'cpuacct': ROOT / 'cpuacct'}
        found = [root / groups[name] for name, root in roots.items() if root and name in groups]
        return cls(tuple(folder for folder in found if folder.is_dir()), frozenset())

    @property
    def version(self) -> Version | None:
        """The version that limits memory, or None."""
        files: dict[Version, str] = {'cgroup v2': 'memory.max', 'cgroup v1': 'memory.limit_in_bytes'}
        return next((version for version, file in files.items() if self._file(file)), None)

    @property
    def member_files(self) -> list[str]:
        """Files into which a process writes its pid to join."""
        return [str(folder / 'cgroup.procs') for folder in self.folders]

    @property
    def can_freeze(self) -> bool:
        return self._file('cgroup.freeze') is not None

    def freeze(self, frozen: bool) -> None:
        """Stop all members where they are, also those that are being forked, or let them go on."""
        if file := self._file('cgroup.freeze'):
            file.write_text(str(int(frozen)))

    def cpu_used(self) -> float | None:
        """Seconds of processor time that members have used, also those that have ended; None if unknown."""
        file = self._file('cpu.stat')
        statistics = dict(line.split() for line in _read(file).splitlines()) if file else {}
        if 'usage_usec' in statistics:
            return int(statistics['usage_usec']) / 1e6
        file = self._file('cpuacct.usage')
        return int(_read(file) or 0) / 1e9 if file else None

    def members(self) -> list[int]:
        """The pids of its processes."""
        file = self._file('cgroup.procs')
        return [int(pid) for pid in _words(file)] if file else []

    def kill(self) -> None:
        """End every member."""
        for folder in self.folders:
            _kill(folder)

    def out_of_memory(self) -> bool:
        """Whether Linux killed a member for lack of memory."""
        file = self._file('memory.events') or self._file('memory.oom_control')
        counts = dict(line.split() for line in _read(file).splitlines()) if file else {}
        return int(counts.get('oom_kill', 0)) > 0

    async def remove(self) -> None:
        """Kill all members and remove the group as soon as they are gone."""
        pause, longest = PAUSE
        deadline = time.monotonic() + KILL_SECONDS
        while time.monotonic() < deadline:
            self.kill()
            left = [folder for folder in self.folders if not _remove(folder)]
            if not left:
                return
            await asyncio.sleep(pause)
            pause = min(pause * 1.2, longest)

    def _file(self, name: str) -> Path | None:
        """A file of the group, preferably of version 2, whose folder comes last."""
        return next((folder / name for folder in reversed(self.folders) if (folder / name).exists()), None)


@functools.cache
def version() -> Version | None:
    """The version of control groups that limits the memory of sessions here, or None; tried once."""
    group = Cgroup.make(2**30, 100)
    if group is None:
        return None
    found = group.version
    for folder in group.folders:
        _remove(folder)
    return found


def _values(memory: int, processes: int) -> dict[str, int]:
    """Values for the files of a group, as far as it has them, in the order of writing."""
    return {
        'memory.limit_in_bytes': memory,
        'memory.memsw.limit_in_bytes': memory,  # memory and swap: Linux refuses less than the line before
        'memory.kmem.tcp.limit_in_bytes': min(memory, SOCKET_MEMORY),
        'memory.max': memory,
        'memory.swap.max': 0,
        'memory.oom.group': 1,
        'pids.max': processes,
        **HALF,
    }


@functools.cache
def parents() -> tuple[Path, ...]:
    """The groups in which this process makes groups for sessions, version 2 last; found once per process."""
    found: list[Path] = []
    groups = _groups(OWN_GROUPS)
    for controller in CONTROLLERS:
        if controller in groups and (parent := _version_1(ROOT / controller, groups[controller])):
            found.append(parent)
    unified = _unified()
    if unified and '' in groups and (parent := _version_2(unified, groups[''])):
        found.append(parent)
    for parent in found:
        _sweep(parent)
    return tuple(found)


def _unified() -> Path | None:
    """Where version 2 is mounted."""
    return next((root for root in (ROOT, ROOT / 'unified') if (root / 'cgroup.controllers').exists()), None)


def _groups(file: Path) -> dict[str, str]:
    """The path of a process's group by controller, from its file in /proc; version 2 has the controller ''."""
    lines = [line.split(':', 2)[1:] for line in file.read_text().splitlines()]
    return {name: path.lstrip('/') for names, path in lines for name in names.split(',')}


def _version_1(hierarchy: Path, path: str) -> Path | None:
    """This process's group of a controller, if it may make groups there."""
    own = hierarchy / path
    if not own.exists():
        own = hierarchy  # a container mounts its own group there; the path is the one outside
    return own if _is_writable(own) else None


def _version_2(unified: Path, path: str) -> Path | None:
    """A group in which this process may make others: with limits if possible, else with a freezer alone."""
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
    return all(os.access(path, os.W_OK) for path in (group, group / 'cgroup.procs'))


def _is_delegated(group: Path, unified: Path) -> bool:
    """Whether this process may rearrange a group. Writable files are not enough: root can write them all.

    It may if systemd marked the group (`Delegate=yes`), if the group is the whole visible tree (as in a container), or
    if it belongs to an ordinary user and only this process's descendants are in it. Never if other groups with
    processes are in it.
    """
    if group.stat().st_uid != os.geteuid() or any(_words(procs) for procs in group.glob('*/cgroup.procs')):
        return False
    if group == unified or _is_marked(group):
        return True
    return os.geteuid() != 0 and all(_descends(int(pid)) for pid in _words(group / 'cgroup.procs'))


def _is_marked(group: Path) -> bool:
    for name in ('user.delegate', 'trusted.delegate'):  # the second is of older versions of systemd; only root sees it
        with contextlib.suppress(OSError):
            if os.getxattr(group, name) == b'1':
                return True
    return False


def _descends(pid: int) -> bool:
    while pid > 1 and pid != os.getpid():
        stat = _read(Path('/proc', str(pid), 'stat')).rpartition(')')[2].split()
        pid = int(stat[1]) if stat else 0
    return pid == os.getpid()


def _make_room(own: Path) -> None:
    """Pass the controllers of a group on to the groups in it; its processes move into LEAF."""
    leaf = own / LEAF
    try:
        if (own / 'cgroup.type').exists():  # without it this is the machine's root group, which may have processes
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
    for _ in range(MOVES):
        pids = _words(source / 'cgroup.procs')
        if not pids:
            return
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                write(target / 'cgroup.procs', pid)


def write(file: Path, text: str) -> None:
    """Write a file of a group; Linux takes one word at a time."""
    file.write_text(text)


def _read(file: Path) -> str:
    """A file's text; empty if the file, or its group or process, is gone."""
    try:
        return file.read_text()
    except OSError as error:
        if error.errno in GONE:
            return ''
        raise


def _words(file: Path) -> list[str]:
    return _read(file).split()


def _make(folder: Path, values: dict[str, int]) -> set[str] | None:
    """Make a group and write the values for which it has files; return their names, None if that fails."""
    try:
        folder.mkdir()
        files = values.keys() & set(os.listdir(folder))  # noqa: PTH208  (faster, and done for every session)
        for name in values:
            if name in files:
                write(folder / name, str(values[name]))
    except OSError:
        _remove(folder)
        return None
    return files


def _kill(folder: Path) -> None:
    """Kill the members of a group: together where Linux can (5.14, version 2), else one by one."""
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
    """Remove a group; False while it still has members."""
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _sweep(parent: Path) -> None:
    """Kill and remove groups that killed harnesses left behind, if those harnesses would be visible here alive."""
    for folder in parent.glob(f'{PREFIX}*'):
        owner, _, rest = folder.name.removeprefix(PREFIX).partition('-')
        if rest.partition('-')[0] == str(_namespace()) and not Path('/proc', owner).exists():
            _kill(folder)
            for _ in range(SWEEPS):
                if _remove(folder):
                    break
                time.sleep(0.001)


def _namespace() -> int:
    return Path('/proc/self/ns/pid').stat().st_ino
