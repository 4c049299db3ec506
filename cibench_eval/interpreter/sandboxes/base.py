"""What a sandbox is: what stands around the processes of a session, and how they are started and ended."""

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
from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from cibench_eval.interpreter.cgroup import Cgroup, version
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.inside.seccomp import leave_keyring
from cibench_eval.interpreter.plan import Plan
from cibench_eval.interpreter.processes import Stopper
from cibench_eval.interpreter.session_dirs import INSIDE, Layout, SessionDirs
from cibench_eval.interpreter.variables import variables

Limit = Literal['memory', 'processes', 'disk']
LIMITS: frozenset[Limit] = frozenset({'memory', 'processes', 'disk'})
WATCHDOG = 'watchdog'
"""What stands in a trace where no control group limited its session."""
JOIN = 'set -e; for file in $0; do echo $$ > "$file"; done; exec "$@"'
"""Shell script that becomes a member of control groups and then the command."""


@dataclass(frozen=True)
class SessionSpec:
    """What is asked of the sandbox of one session.

    Args:
        environment: the kernel environment, which must be there to read.
        threads: threads of the libraries, for the environment variables.
        memory: bytes that all processes may take together.
        disk: bytes that the session may write.
        processes: processes and threads.
        network: whether code may reach other machines.
    """

    environment: KernelEnvironment
    threads: int
    memory: int
    disk: int
    processes: int
    network: bool


class Sandbox(BaseModel, ABC):
    """A kind of sandbox. Its fields are what `sandbox_options` of a config may set."""

    model_config = ConfigDict(extra='forbid', frozen=True)
    name: ClassVar[str]
    can_fork: ClassVar[bool] = False
    """Whether a process that was forked outside can enter it (`SandboxedSession.prepare`); else kernels are spawned."""

    @property
    def label(self) -> str:
        """What results say that their code ran in."""
        return self.name

    @abstractmethod
    def problem(self) -> str:
        """Why it cannot be used here; empty where it can."""

    def limiter(self) -> str:
        """What limits the memory of its sessions here: the control groups that there are, or nothing but WATCHDOG."""
        return version() or WATCHDOG

    @abstractmethod
    def open(self, spec: SessionSpec) -> SandboxedSession:
        """The sandbox of a new session, whose first process is yet to be started.

        Raises:
            CibenchError: the session cannot be had as it is asked for.
        """


class SandboxedSession(ABC):
    """The sandbox of one session. A kernel process is started in it once, and it is closed once."""

    layout: Layout = INSIDE
    """Its folders as the code names them."""
    uid: int | None = None
    """User id that its kernel takes; None where it starts with the right one."""
    counts_processes: bool = False
    """Whether a resource limit on processes counts those of this session alone."""
    enforced: frozenset[Limit] = frozenset()
    """Limits that hold by themselves. The others are watched."""
    own_processes: int = 0
    """Processes inside that are the sandbox's own."""
    die_with: int = 0
    """Parent with which a spawned kernel ends by itself; 0 where the sandbox sees to that."""
    cgroup_files: tuple[str, ...] = ()
    """Files into which a forked kernel writes its pid to enter the session's control group."""
    shared_sockets: bool = False
    """Whether the harness reaches the session's sockets as another user."""

    def __init__(self, spec: SessionSpec) -> None:
        self.spec = spec
        self.pid = 0
        """Its kernel or, where that has no pid outside, what ends with it."""
        self.pidfd = -1

    @abstractmethod
    async def spawn(self, plan: Plan, status: int) -> None:
        """Start a kernel process, which tells descriptor `status` when it is ready.

        Raises:
            HarnessError: the sandbox could not be set up.
        """

    async def prepare(self, limits: dict[str, int]) -> int | None:
        """Set the sandbox up for a kernel that is forked outside; the pid of a process whose namespaces it enters.

        Args:
            limits: resource limits of the sandbox's own processes.
        """
        raise NotImplementedError

    def failure(self, output: str) -> str:
        """Why its kernel did not get ready, in one line, from what it wrote to `status` before it ended."""
        return (output.strip().splitlines() or ['it ended without a word'])[-1]

    @abstractmethod
    def reach(self) -> SessionDirs:
        """The session's folders. Its kernel is ready, and no code has run yet.

        Raises:
            HarnessError: they cannot be reached.
        """

    @abstractmethod
    async def kill(self) -> None:
        """End all its processes."""

    async def close(self) -> None:
        """End what is left and let go of everything, also after a start that failed."""
        await self.kill()
        if self.pidfd >= 0:
            os.close(self.pidfd)
            self.pidfd = -1

    def adopt(self, pid: int, pidfd: int) -> None:
        """Take a process for the session's kernel."""
        self.pid, self.pidfd = pid, pidfd

    @property
    def alive(self) -> bool:
        if self.pidfd < 0:
            return False
        ended = select.poll()  # `select` takes no descriptor over 1023
        ended.register(self.pidfd, select.POLLIN)
        return not ended.poll(0)

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables of its processes."""
        return variables(self.spec.environment, self.layout, self.spec.threads)

    def out_of_memory(self) -> bool:
        """Whether a process was ended because the session's memory ran out, as far as the sandbox knows."""
        return False

    # Between two code blocks.

    async def freeze(self) -> bool:
        """Stop all its processes where they are, until `thaw`; they can be killed meanwhile.

        False where some still run, because they start others faster than those can be stopped: the session cannot be
        trusted to be quiet, and should be killed. True, and nothing is done, where the sandbox knows no way.
        """
        return True

    async def thaw(self) -> None:
        """Let its processes go on; nothing is done where they are not frozen."""
        return

    def waited(self) -> float:
        """Seconds, since it started, that the kernel's main thread could have run and others had the processors.

        What other threads and processes of the session used meanwhile is taken off where a control group counts it,
        so that code gets no time for being in its own way; so a difference of two may be negative. 0.0 where the
        system does not tell.
        """
        return 0.0

    # For the watchdog, which asks only about limits that are not enforced.

    def processes(self) -> Iterable[Path]:
        """The folders in /proc of its processes, as the harness reaches them."""
        return ()

    def file_systems(self) -> Iterable[str]:
        """Its file systems that take memory, as the harness reaches them."""
        return ()

    def sockets(self) -> int:
        """How many it has, those on their way between its processes included, as far as the harness can count them."""
        return 0

    def queued(self) -> int:
        """Bytes that wait in its TCP connections, as far as the harness can count them."""
        return 0

    def disk_folder(self) -> Path | None:
        """The folder on a disk of this machine that it may fill."""
        return None


@functools.cache
def launcher(process: int) -> ThreadPoolExecutor:
    """The thread that starts the processes of sessions; `process` is this one, because a fork has no threads.

    A thread has a session keyring of its own, and what it starts inherits that: this one's is empty. It lives as long
    as the harness, because what is to die with its parent dies with the thread that started it.
    """
    return ThreadPoolExecutor(1, 'launcher', initializer=leave_keyring, initargs=(ctypes.CDLL(None),))


class LocalSession(SandboxedSession):
    """A session whose processes the harness or its fork server starts, in a control group where one can be made."""

    def __init__(self, spec: SessionSpec) -> None:
        super().__init__(spec)
        self._process: subprocess.Popen[bytes] | None = None
        self.cgroup = Cgroup.make(spec.memory, spec.processes)
        if self.cgroup is not None:
            self.enforced |= self.cgroup.enforced
            self.cgroup_files = tuple(self.cgroup.member_files)
        self._stopper = Stopper(self.processes)
        self._schedstat = -1
        """Where Linux counts what the kernel's main thread ran and waited."""

    def popen(
        self, command: list[str], *, stdin: bytes, stdout: int, cwd: str = '/', pass_fds: tuple[int, ...] = ()
    ) -> subprocess.Popen[bytes]:
        """Start a process in the session's control group; its standard input is closed unless `stdout` is a pipe."""
        # Found as `problem` found it: on the harness's PATH, which is not the session's.
        command = [shutil.which(command[0]) or command[0], *command[1:]]
        if self.cgroup_files:
            command = ['/bin/sh', '-c', JOIN, ' '.join(self.cgroup_files), *command]
        piped = stdout == subprocess.PIPE
        started = launcher(os.getpid()).submit(
            subprocess.Popen,
            command,
            env=self.variables,
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=subprocess.DEVNULL if piped else stdout,
            pass_fds=pass_fds,
            start_new_session=True,
            bufsize=0,
        )
        process = self._process = started.result()
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it ended at once; it will be asked why
            process.stdin.write(stdin)
        if not piped:
            process.stdin.close()
        return process

    def count_time_of(self, kernel: Path) -> None:
        """Say by its folder in /proc which process the kernel is; no code has run yet."""
        with contextlib.suppress(FileNotFoundError):  # Linux may be built without it
            self._schedstat = os.open(kernel / 'schedstat', os.O_RDONLY)

    async def freeze(self) -> bool:
        if self.cgroup is None or not self.cgroup.can_freeze:
            return await asyncio.to_thread(self._stopper.stop)
        self.cgroup.freeze(True)
        return True

    async def thaw(self) -> None:
        if self.cgroup is None or not self.cgroup.can_freeze:
            await asyncio.to_thread(self._stopper.go_on)
        else:
            self.cgroup.freeze(False)

    def waited(self) -> float:
        ran, waited = self._main_thread()
        used = self.cgroup.cpu_used() if self.cgroup is not None else None
        return waited - max(0.0, used - ran) if used is not None else waited

    def _main_thread(self) -> tuple[float, float]:
        """Seconds that the kernel's main thread ran, and that it was ready to and waited for a processor."""
        try:
            ran, waited, _ = os.pread(self._schedstat, 100, 0).split()
        except (OSError, ValueError):  # not there, or the process has ended
            return 0.0, 0.0
        return int(ran) / 1e9, int(waited) / 1e9

    def out_of_memory(self) -> bool:
        return self.cgroup is not None and self.cgroup.out_of_memory()

    async def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
        if self.cgroup is not None:
            self.cgroup.kill()

    async def close(self) -> None:
        await super().close()
        if self._process is not None:
            await asyncio.to_thread(self._process.wait)
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process = None
        if self._schedstat >= 0:
            os.close(self._schedstat)
            self._schedstat = -1
        if self.cgroup is not None:
            await self.cgroup.remove()


def encode(plan: Plan) -> bytes:
    """A plan as a process reads it."""
    return json.dumps(plan).encode()


def kill_process(pidfd: int) -> None:
    """End the process behind a pidfd, if there is one."""
    if pidfd >= 0:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)
