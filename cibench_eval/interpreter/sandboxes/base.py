"""What a sandbox is: it isolates the processes of a session, starts them and ends them."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import functools
import json
import os
import select
import shutil
import signal
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypedDict

from pydantic import BaseModel, ConfigDict

from cibench_eval.environments import last_line
from cibench_eval.interpreter.cgroup import Cgroup, version
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.inside.seccomp import leave_keyring
from cibench_eval.interpreter.limits import Limit, ResourceLimits
from cibench_eval.interpreter.processes import Stopper
from cibench_eval.interpreter.session_dirs import INSIDE, Layout, SessionDirs, environ_of
from cibench_eval.schema import HarnessError

WATCHDOG = 'watchdog'
"""What a trace says of a session that no control group limited."""
JOIN = 'set -e; for file in $0; do echo $$ > "$file"; done; exec "$@"'
"""Shell script that joins control groups and then becomes the command."""


class KernelPlan(TypedDict):
    """The plan of a kernel, in JSON: `inside/bootstrap.py` reads it from standard input, the fork server from its
    socket.
    """

    variables: dict[str, str]
    """All environment variables of the kernel."""
    cwd: str
    connection: dict[str, Any]
    """Jupyter's connection information, with the paths of the sockets inside the session."""
    connection_file: str
    uid: int | None
    """User id that the process takes; None keeps its own."""
    sandbox_pid: int | None
    """Process whose namespaces a forked kernel enters; None without namespaces."""
    die_with: int
    """Parent whose end ends the kernel; 0 where the sandbox sees to that."""
    cgroup_files: list[str]
    """Files into which a forked kernel writes its pid to enter the session's control group."""
    shared_sockets: bool
    """Whether other users must be able to connect: the harness is one of them."""
    threads: int
    limits: dict[str, int]
    """The limits of each process (`ResourceLimits.of_process`)."""
    output_limit: int
    cut_mark: str
    """What stands where text was left out."""
    figure_size: int


@dataclass(frozen=True)
class SessionSpec:
    """What one session asks of its sandbox; the fields are as in `KernelSettings`."""

    environment: KernelEnvironment
    threads: int
    network: bool
    limits: ResourceLimits


class Sandbox(BaseModel, ABC):
    """A kind of sandbox. Its fields are what `sandbox_options` of a config may set."""

    model_config = ConfigDict(extra='forbid', frozen=True)
    name: ClassVar[str]
    can_fork: ClassVar[bool] = False
    """Whether a process that was forked outside can enter it (`SandboxedSession.prepare`); else kernels are spawned."""

    @property
    def label(self) -> str:
        """Its name in results."""
        return self.name

    @abstractmethod
    def problem(self) -> str:
        """Why it cannot be used here; empty where it can."""

    def limiter(self) -> str:
        """What limits the memory of its sessions here: a version of control groups, or WATCHDOG alone."""
        return version() or WATCHDOG

    @abstractmethod
    def open(self, spec: SessionSpec) -> SandboxedSession:
        """The sandbox of a new session, without processes yet; a `CibenchError` where there can be none here."""


class SandboxedSession(ABC):
    """The sandbox of one session. Start one kernel process in it, and close it once."""

    layout: Layout = INSIDE
    """Its folders, by their paths inside."""
    # As in KernelPlan; die_with is for a spawned kernel, cgroup_files for a forked one.
    uid: int | None = None
    die_with: int = 0
    cgroup_files: tuple[str, ...] = ()
    shared_sockets: bool = False
    counts_processes: bool = False
    """Whether RLIMIT_NPROC counts the processes of this session alone."""
    enforced: frozenset[Limit] = frozenset()
    """Limits that the sandbox enforces. The watchdog watches the others."""
    own_processes: int = 0
    """Processes inside that belong to the sandbox itself."""

    def __init__(self, spec: SessionSpec) -> None:
        self.spec = spec
        self.pid = 0
        """The kernel or, where that has no pid outside, a process that ends with it."""
        self.pidfd = -1
        self.cgroup = Cgroup((), frozenset())
        """The control group of the session's processes; it has no folders where none could be made or seen."""
        self._schedstat = -1
        """Descriptor of the file in which Linux counts the running and waiting time of the kernel's main thread."""
        self._stopper = Stopper(self.processes)

    @abstractmethod
    async def spawn(self, plan: KernelPlan, status: int) -> None:
        """Start a kernel process, which writes to descriptor `status` when it is ready.

        Raises:
            HarnessError: the sandbox could not be set up.
        """

    async def prepare(self, limits: dict[str, int]) -> int | None:
        """Set the sandbox up for a kernel that is forked outside; return the process whose namespaces it enters.

        The sandbox's own processes get the resource `limits`.
        """
        raise NotImplementedError

    def failure(self, output: str) -> str:
        """Why the kernel did not get ready, in one line, from what it wrote to `status` before it ended."""
        return last_line(output, 'it ended without a word')

    @abstractmethod
    def reach(self) -> SessionDirs:
        """The session's folders, asked for before any code runs; a `HarnessError` where they cannot be reached."""

    @abstractmethod
    async def kill(self) -> None:
        """End all its processes."""

    async def close(self) -> None:
        """End what is left and release everything, also after a failed start."""
        await self.kill()
        for descriptor in (self.pidfd, self._schedstat):
            if descriptor >= 0:
                os.close(descriptor)
        self.pidfd = self._schedstat = -1

    def adopt(self, pid: int, pidfd: int) -> None:
        """Make a process the session's kernel."""
        self.pid, self.pidfd = pid, pidfd

    @property
    def alive(self) -> bool:
        if self.pidfd < 0:
            return False
        ended = select.poll()  # `select` takes no descriptor over 1023
        ended.register(self.pidfd, select.POLLIN)
        return not ended.poll(0)

    @property
    def environ(self) -> dict[str, str]:
        """The environment variables of the processes."""
        return environ_of(self.spec.environment, self.layout, self.spec.threads)

    def out_of_memory(self) -> bool:
        """Whether Linux ended a process for lack of the session's memory, as far as the sandbox knows."""
        return self.cgroup.out_of_memory()

    # Between two code blocks.

    async def freeze(self) -> bool:
        """Stop all processes where they are, until `thaw`; they can still be killed.

        False if some still run, because they start others faster than those can be stopped: then the caller should kill
        the session. A sandbox that sees no `processes` stops none, and returns True.
        """
        return await asyncio.to_thread(self._stopper.stop)

    async def thaw(self) -> None:
        """Let the processes go on, if they are stopped."""
        await asyncio.to_thread(self._stopper.go_on)

    def count_time_of(self, kernel: Path) -> None:
        """Count the time of the kernel, given its folder in /proc; called before any code runs."""
        with contextlib.suppress(FileNotFoundError):  # Linux can be built without it
            self._schedstat = os.open(kernel / 'schedstat', os.O_RDONLY)

    def waited(self) -> float:
        """Seconds since its start in which the kernel's main thread was ready to run and others had the processors.

        Where a control group counts what the session's other threads and processes used, that is subtracted: code gets
        no time for being in its own way, and the value can fall. 0.0 where the system does not tell.
        """
        ran, waited = self._main_thread()
        used = self.cgroup.cpu_used()
        return waited - max(0.0, used - ran) if used is not None else waited

    def _main_thread(self) -> tuple[float, float]:
        """Seconds that the kernel's main thread ran, and seconds that it waited for a processor."""
        try:
            ran, waited, _ = os.pread(self._schedstat, 100, 0).split()
        except (OSError, ValueError):  # the file is not there, or the process has ended
            return 0.0, 0.0
        return int(ran) / 1e9, int(waited) / 1e9

    # What the watchdog asks, about limits that are not enforced.

    def processes(self) -> Iterable[Path]:
        """The folders of its processes in /proc, by paths that the harness can read."""
        return ()

    def file_systems(self) -> Iterable[str]:
        """Its file systems in memory, by paths that the harness can read."""
        return ()

    def sockets(self) -> int:
        """How many sockets it has, also those in transit between its processes, as far as the harness can count."""
        return 0

    def queued(self) -> int:
        """Bytes that wait in its TCP connections, as far as the harness can count."""
        return 0

    def disk_folder(self) -> Path | None:
        """The folder on a disk of this machine that the session can fill."""
        return None


@functools.cache
def launcher(process: int) -> ThreadPoolExecutor:
    """The thread of `process` (this one: a fork has no threads) that starts the processes of sessions.

    Processes inherit the session keyring of the thread that starts them; this thread's is empty. It lives as long as
    the harness, because `die_with` ends a process with the thread that started it.
    """
    return ThreadPoolExecutor(1, 'launcher', initializer=leave_keyring, initargs=(ctypes.CDLL(None),))


class LocalSession(SandboxedSession):
    """A session whose processes the harness or the fork server starts, in a control group where one can be made."""

    def __init__(self, spec: SessionSpec) -> None:
        super().__init__(spec)
        self._process: subprocess.Popen[bytes] | None = None
        self.cgroup = Cgroup.make(spec.limits.memory, spec.limits.processes) or self.cgroup
        self.enforced |= self.cgroup.enforced
        self.cgroup_files = tuple(self.cgroup.member_files)

    def popen(
        self, command: list[str], *, stdin: bytes, stdout: int, cwd: str = '/', pass_fds: tuple[int, ...] = ()
    ) -> subprocess.Popen[bytes]:
        """Start a process in the session's control group; its standard input is closed unless `stdout` is a pipe."""
        # The harness's PATH, on which `problem` looked, and not the session's.
        command = [shutil.which(command[0]) or command[0], *command[1:]]
        if self.cgroup_files:
            command = ['/bin/sh', '-c', JOIN, ' '.join(self.cgroup_files), *command]
        piped = stdout == subprocess.PIPE
        started = launcher(os.getpid()).submit(
            subprocess.Popen,
            command,
            env=self.environ,
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=subprocess.DEVNULL if piped else stdout,
            pass_fds=pass_fds,
            start_new_session=True,
            bufsize=0,
        )
        try:
            process = self._process = started.result()
        except OSError as error:
            raise HarnessError(f'kernel: {command[0]} does not start: {error.strerror}') from error
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # the process ended at once; `failure` says why
            process.stdin.write(stdin)
        if not piped:
            process.stdin.close()
        return process

    async def freeze(self) -> bool:
        if not self.cgroup.can_freeze:
            return await super().freeze()
        self.cgroup.freeze(True)
        return True

    async def thaw(self) -> None:
        if not self.cgroup.can_freeze:
            await super().thaw()
        else:
            self.cgroup.freeze(False)

    async def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
        self.cgroup.kill()

    async def close(self) -> None:
        await super().close()
        if self._process is not None:
            await asyncio.to_thread(self._process.wait)
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process = None
        await self.cgroup.remove()


def encode(plan: KernelPlan) -> bytes:
    """The bytes from which a process reads its plan."""
    return json.dumps(plan).encode()


def kill_process(pidfd: int) -> None:
    """End the process behind a pidfd, if there is one."""
    if pidfd >= 0:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)
