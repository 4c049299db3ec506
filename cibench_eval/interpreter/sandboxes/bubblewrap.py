"""Bubblewrap: own mount, pid, network, ipc and uts namespaces; no capability; dies with the harness.

A session writes into one tmpfs of limited size, which disappears with it; the rest of the machine is absent or
read-only. Bubblewrap starts a spawned kernel; a forked kernel enters the namespaces of a bubblewrap that runs `cat`.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from cibench_eval.environments import last_line
from cibench_eval.interpreter.host_paths import NETWORK, SYSTEM, TOOLS, TOOLS_HERE, folders_of, hidden
from cibench_eval.interpreter.inside.process_limits import set_limits
from cibench_eval.interpreter.inside.seccomp import PROGRAM
from cibench_eval.interpreter.processes import GONE, folders_in
from cibench_eval.interpreter.sandboxes.base import KernelPlan, LocalSession, Sandbox, SessionSpec, encode, kill_process
from cibench_eval.interpreter.session_dirs import INSIDE, SessionDirs
from cibench_eval.schema import HarnessError

UID_MAP = Path('/proc/self/uid_map')
COUNTS_BY_NAMESPACE = tuple(int(n) for n in re.findall(r'\d+', os.uname().release)[:2]) >= (5, 14)
"""Whether Linux counts a user's processes separately in each user namespace."""
TO_CHANGE_USER = ('CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP')
EMPTY = ('--size', '4096', '--perms', '0555', '--tmpfs')
HIDE_FIRST = (*EMPTY, '/proc/1', '--remount-ro', '/proc/1')
"""bwrap's arguments that hide its own first process behind an empty folder: a process of the same user could write
its memory. Signals would remain, but Linux does not deliver them to it."""
IN_MEMORY = ('/session', '/dev/shm')
"""Paths of the file systems in memory that a session can fill."""


def is_unprivileged() -> bool:
    """Whether a user namespace is needed.

    Root must not use one: a process that is root outside could write settings of the machine in /proc/sys, and limits
    on processes do not bind it. Root's kernels run under user ids of their own instead.
    """
    return os.geteuid() != 0


class Bubblewrap(Sandbox):
    """`bwrap`, as root or as an ordinary user."""

    name: ClassVar[str] = 'bubblewrap'
    can_fork: ClassVar[bool] = True

    def problem(self) -> str:
        return bubblewrap_problem()

    def open(self, spec: SessionSpec) -> BubblewrapSession:
        return BubblewrapSession(spec)


SANDBOX = Bubblewrap


@functools.cache
def bubblewrap_problem() -> str:
    """Why bubblewrap cannot run here, empty where it can; tried once per process."""
    if not shutil.which('bwrap'):
        return 'bwrap is not on PATH (install the package bubblewrap)'
    return try_bubblewrap(BwrapCommand(unprivileged=is_unprivileged(), disk=2**20))


def try_bubblewrap(command: BwrapCommand) -> str:
    """Why this command does not work here, empty where it does."""
    with filter_pipe() as seccomp:
        done = subprocess.run(
            command.line(['true'], info=1, seccomp=seccomp),
            capture_output=True,
            text=True,
            timeout=20,
            stdin=subprocess.DEVNULL,
            pass_fds=(seccomp,),
        )
    return '' if done.returncode == 0 else f'bwrap fails: {done.stderr.strip() or done.returncode}'


@functools.cache
def can_forbid_namespaces() -> bool:
    """Whether bubblewrap can forbid user namespaces inside: since 0.8, where /proc/sys is writable."""
    return not try_bubblewrap(BwrapCommand(unprivileged=True, disk=2**20, forbid_namespaces=True))


@contextlib.contextmanager
def filter_pipe() -> Iterator[int]:
    """A descriptor from which bubblewrap reads the filter of system calls."""
    reading, writing = os.pipe()
    with os.fdopen(reading):
        with os.fdopen(writing, 'wb') as pipe:
            pipe.write(PROGRAM)
        yield reading


@dataclass(frozen=True)
class BwrapCommand:
    """The command line that puts bubblewrap around a session."""

    unprivileged: bool
    """Whether the session is in a user namespace."""
    disk: int
    """Bytes that the session may write."""
    readable: tuple[Path, ...] = ()
    """Paths that it sees read-only, besides the operating system."""
    network: bool = False
    """Whether it has the machine's network."""
    forbid_namespaces: bool = False
    """Whether bubblewrap, too, forbids new user namespaces (the filter of system calls does)."""

    def line(
        self,
        argv: list[str],
        *,
        info: int,
        seccomp: int | None = None,
        wait: int | None = None,
        changes_user: bool = False,
    ) -> list[str]:
        """The command line that runs `argv` inside.

        Args:
            info: descriptor to which bubblewrap writes the `child-pid`, as JSON.
            seccomp: descriptor from which it reads the filter of system calls.
            wait: descriptor whose end it waits for before the first process inside forks.
            changes_user: whether `argv` starts as root and takes another user id.
        """
        shown = (*SYSTEM, *(NETWORK if self.network else ()), *map(str, self.readable))
        folders = [INSIDE.work, INSIDE.home, INSIDE.tmp, INSIDE.sockets]
        size = ('--size', str(self.disk))
        below_tmp = any(path.startswith('/tmp/') for path in shown)  # else /tmp is a link to the session's own folder
        tmp = (*size, '--perms', '1777', '--tmpfs', '/tmp') if below_tmp else ('--symlink', INSIDE.tmp, '/tmp')
        return [
            'bwrap',
            *('--info-fd', str(info), *self._identity(changes_user)),
            *(() if seccomp is None or not PROGRAM else ('--seccomp', str(seccomp))),
            *(() if wait is None else ('--block-fd', str(wait))),
            *('--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'),
            *(() if self.network else ('--unshare-net',)),
            *('--die-with-parent', '--new-session', '--hostname', 'sandbox'),
            *('--proc', '/proc', *HIDE_FIRST, '--dev', '/dev'),
            *(*size, '--perms', '1777', '--tmpfs', '/dev/shm', '--remount-ro', '/dev'),
            *(*size, '--perms', '0755', '--tmpfs', '/session', *tmp),
            *(word for folder in folders for word in ('--perms', '0777', '--dir', folder)),
            *_read_only([Path(path) for path in shown]),
            *(() if self.network else ('--ro-bind', str(TOOLS_HERE / 'hosts.txt'), '/etc/hosts')),
            *(word for path in hidden(shown) for word in (*EMPTY, path, '--remount-ro', path)),
            *('--perms', '0755', '--dir', str(Path(TOOLS).parent), '--ro-bind', str(TOOLS_HERE), TOOLS),
            *('--remount-ro', '/', '--chdir', INSIDE.work, '--', *argv),
        ]

    def _identity(self, changes_user: bool) -> list[str]:
        if self.unprivileged:
            forbidden = ['--disable-userns'] if self.forbid_namespaces else []
            return ['--unshare-user', *forbidden, '--uid', '1000', '--gid', '1000', '--cap-drop', 'ALL']
        kept = TO_CHANGE_USER if changes_user else ()
        return ['--cap-drop', 'ALL', *(word for capability in kept for word in ('--cap-add', capability))]


def _read_only(paths: list[Path]) -> list[str]:
    """bwrap's arguments that show `paths` read-only, links as links, below folders that everybody can enter."""
    arguments: list[str] = []
    made: set[Path] = set()
    for path in paths:
        for parent in reversed(path.parents[:-1]):
            if parent not in made and not any(shown in (parent, *parent.parents) for shown in paths):
                made.add(parent)
                arguments += ['--perms', '0755', '--dir', str(parent)]
        if path.is_symlink():
            arguments += ['--symlink', str(path.readlink()), str(path)]
        elif path.exists():
            arguments += ['--ro-bind', str(path), str(path)]
    return arguments


class BubblewrapSession(LocalSession):
    """A session behind bubblewrap's namespaces."""

    own_processes = 2  # bubblewrap and `cat`

    def __init__(self, spec: SessionSpec) -> None:
        unprivileged = is_unprivileged()
        folders = folders_of(spec.environment, by_others=not unprivileged)
        forbid = unprivileged and can_forbid_namespaces()
        self._bwrap = BwrapCommand(unprivileged, spec.limits.disk, folders, spec.network, forbid)
        self.uid = None if unprivileged else spare_uid()
        self.counts_processes = self.uid is not None or COUNTS_BY_NAMESPACE
        self.enforced = frozenset({'disk', 'processes'} if self.counts_processes else {'disk'})
        self._inside = 0
        """Pid of the first process inside; all others end with it."""
        self._inside_pidfd = -1
        self._root = -1
        """Descriptor of the root folder inside: code cannot put another folder in its place."""
        super().__init__(spec)

    async def spawn(self, plan: KernelPlan, status: int) -> None:
        command = [str(self.spec.environment.python), f'{TOOLS}/bootstrap.py']
        process = await self._start(
            command, plan['limits'], stdin=encode(plan), stdout=status, changes_user=self.uid is not None
        )
        self.adopt(process.pid, os.pidfd_open(process.pid))

    async def prepare(self, limits: dict[str, int]) -> int:
        process = await self._start(['cat'], limits, stdin=b'.', stdout=subprocess.PIPE)
        assert process.stdout is not None
        await asyncio.to_thread(process.stdout.read, 1)  # when `cat` runs, the namespaces are complete
        return self._inside

    async def _start(
        self, argv: list[str], limits: dict[str, int], *, stdin: bytes, stdout: int, changes_user: bool = False
    ) -> subprocess.Popen[bytes]:
        """Start bubblewrap around `argv`, and limit the first process inside; all others inherit its limits."""
        (reading, writing), (held, go) = os.pipe(), os.pipe()
        # Both ends in one: if the harness is killed now, bubblewrap is its own reader. Else it would fail to write, and
        # its child would wait for it for ever.
        info = os.open(f'/proc/self/fd/{writing}', os.O_RDWR | os.O_CLOEXEC)
        try:
            with filter_pipe() as seccomp, os.fdopen(writing), os.fdopen(info), os.fdopen(held):
                command = self._bwrap.line(argv, info=info, seccomp=seccomp, wait=held, changes_user=changes_user)
                process = self.popen(command, stdin=stdin, stdout=stdout, pass_fds=(info, held, seccomp))
            with os.fdopen(reading, 'rb') as pipe:
                self._find_first(await asyncio.to_thread(pipe.read))
            self._limit_first(limits)
        finally:
            os.close(go)
        return process

    def _find_first(self, info: bytes) -> None:
        if not info:
            raise HarnessError('kernel: bubblewrap does not start (`cibench doctor` tries it)')
        self._inside = int(json.loads(info)['child-pid'])
        try:
            self._inside_pidfd = os.pidfd_open(self._inside)
        except ProcessLookupError as error:
            raise HarnessError('kernel: bubblewrap ended at once (`cibench doctor` tries it)') from error

    def _limit_first(self, limits: dict[str, int]) -> None:
        if self.uid is not None:  # it is root's, and root's processes outside would count
            limits = {name: value for name, value in limits.items() if name != 'NPROC'}
        try:
            set_limits(limits, self._inside)
        except OSError as error:
            raise HarnessError(f'kernel: limits of bubblewrap cannot be set: {error.strerror}') from error

    def reach(self) -> SessionDirs:
        try:
            self._root = os.open(f'/proc/{self._inside}/root', os.O_PATH | os.O_DIRECTORY)
        except FileNotFoundError as error:
            raise HarnessError('kernel: its sandbox ended while it was started') from error
        if self._spawned:  # a forked kernel limits its terminals itself
            command = [sys.executable, '-IS', str(TOOLS_HERE / 'namespaces.py'), str(self._inside)]
            done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL)
            if done.returncode:
                raise HarnessError(f'kernel: its terminals cannot be limited: {last_line(done.stderr)}')
        self.count_time_of(self._kernel_folder())
        return SessionDirs(self.layout, f'/proc/self/fd/{self._root}', self.uid)

    @property
    def _spawned(self) -> bool:
        return self._process is not None and self.pid == self._process.pid

    def _kernel_folder(self) -> Path:
        """The kernel's folder in /proc. A spawned kernel, whose pid is unknown here, is the second process inside."""
        if not self._spawned:
            return Path(f'/proc/{self.pid}')
        others = sorted(self.processes(), key=lambda folder: int(folder.name))
        return others[min(1, len(others) - 1)]

    async def kill(self) -> None:
        kill_process(self._inside_pidfd)
        await super().kill()

    async def close(self) -> None:
        await super().close()
        for descriptor in (self._inside_pidfd, self._root):
            if descriptor >= 0:
                os.close(descriptor)
        self._inside_pidfd = self._root = -1

    def processes(self) -> Iterable[Path]:
        return folders_in(Path(f'/proc/self/fd/{self._root}/proc'))

    def file_systems(self) -> Iterable[str]:
        return [f'/proc/self/fd/{self._root}{path}' for path in IN_MEMORY]

    def sockets(self) -> int:
        """Sockets in its network namespace; 0 where it has the machine's, in which they cannot be told apart."""
        if self.spec.network:
            return 0
        try:
            first, *_ = Path(f'/proc/{self._inside}/net/sockstat').read_text().splitlines()
        except GONE:  # the session has just ended
            return 0
        return int(first.rpartition(' ')[2])

    def queued(self) -> int:
        if self.spec.network:
            return 0
        return sum(_queued(Path(f'/proc/{self._inside}/net/{name}')) for name in ('tcp', 'tcp6'))


def _queued(connections: Path) -> int:
    """Bytes that wait in connections to be sent or read, by a list in /proc; 0 when it is gone."""
    try:
        queues = [line.split()[4].split(':') for line in connections.read_text().splitlines()[1:]]
    except GONE:
        return 0
    return sum(int(sent, 16) + int(received, 16) for sent, received in queues)


def spare_uid() -> int:
    """A random user id for a new session; other sessions are unlikely to have it."""
    return random.SystemRandom().choice(spare_uids())


def spare_uids() -> range:
    """High user ids of this user namespace, which no account has."""
    blocks = [[int(number) for number in line.split()] for line in UID_MAP.read_text().splitlines()]
    first, _, count = max(blocks, key=lambda block: block[2])
    return range(2**30, 2**31 - 1) if count > 2**31 else range(first + count // 2, first + count)
