"""Docker and Podman: one container per session, which sees this machine's own file system read-only.

The operating system and the kernel environment are mounted at their own paths into an image of links and empty folders,
so outputs are the same as behind bubblewrap, and no image is fetched. The session's folders are one tmpfs. Its sockets
are in a folder of the harness, which the container cannot write to once they are bound. The first process is
`inside/init.py`: when its standard input is closed, it ends, and the container with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pwd
import random
import shutil
import socket
import struct
import subprocess
import tarfile
import tempfile
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, ClassVar

import psutil

from cibench_eval.environments import last_line
from cibench_eval.interpreter.cgroup import Cgroup
from cibench_eval.interpreter.container_engine import EMPTY, Command, Engine, engine_problem, mended, mount
from cibench_eval.interpreter.container_image import empty_image
from cibench_eval.interpreter.host_paths import NETWORK, TOOLS, TOOLS_HERE, folders_of, hidden, system_folders
from cibench_eval.interpreter.limits import LIMITS
from cibench_eval.interpreter.processes import folders_in
from cibench_eval.interpreter.sandboxes.base import KernelPlan, Sandbox, SandboxedSession, SessionSpec, encode
from cibench_eval.interpreter.session_dirs import CONNECTION_FILE, INSIDE, SessionDirs, new_folder
from cibench_eval.schema import HarnessError

END = 10
"""Seconds in which a container has to end."""
OUT_OF_MEMORY = 137
"""Exit code of a container whose memory ran out (`inside/init.py`), or that was killed."""
CLEAN = (0, 1, OUT_OF_MEMORY)
"""Exit codes with which a container ends (`inside/init.py`)."""
OWN_FILES = ('/etc/hosts', '/etc/resolv.conf')
"""Files that an engine makes for each container."""
PROXIES = ('http_proxy', 'https_proxy', 'ftp_proxy', 'all_proxy', 'no_proxy')
"""Variables that engines pass on to containers. They can hold passwords."""
CREDENTIALS = struct.Struct('3i')
"""Pid, user and group of unix(7)."""
UIDS = range(32768, 65534)
"""User ids of sessions, among the 65,536 that an engine without root rights has."""
EXTRACT = """
import sys, tarfile
try:
    tarfile.open(fileobj=sys.stdin.buffer, mode='r|').extractall(sys.argv[1])
except OSError as error:
    sys.exit(error.errno or 1)
"""
"""Its exit status is the error's number: an engine may lose the end of a command's output."""
ERRNOS = range(2, 125)
"""Exit statuses that are error numbers: Python itself ends with 1, an engine with 125 and more."""


class Docker(Sandbox):
    """A container of Docker or of Podman."""

    name: ClassVar[str] = 'docker'

    command: Command = 'docker'
    """The engine. One that does not work is never replaced by the other."""

    runtime: str | None = None
    """OCI runtime by the engine's name for it: `runsc` is gVisor, to be registered with `--host-uds=create`."""
    image: str | None = None
    """Image whose operating system replaces this machine's. It must have the libraries that the kernel environment's
    Python needs, and the Python itself where that is in /usr."""

    @property
    def label(self) -> str:
        return f'{self.command}-{self.runtime}' if self.runtime else self.command

    def problem(self) -> str:
        engine = Engine(self.command)
        if problem := engine_problem(self.command):
            return problem
        if self.image and engine.run('image', 'inspect', self.image).returncode:
            return f'there is no image {self.image} here (run `{engine.command} pull {self.image}`)'
        return ''

    def limiter(self) -> str:
        return 'container'

    def open(self, spec: SessionSpec) -> DockerSession:
        return DockerSession(spec, self, Engine(self.command))


SANDBOX = Docker


class DockerSession(SandboxedSession):
    """A session in a container.

    Between code blocks its processes are stopped one by one, but not the first, which ends the others: `docker pause`
    would stop that, too, and a paused container would stay for ever if its harness were killed.
    """

    enforced = LIMITS
    shared_sockets = True

    def __init__(self, spec: SessionSpec, sandbox: Docker, engine: Engine) -> None:
        super().__init__(spec)
        self._sandbox, self._engine = sandbox, engine
        self._container = f'cibench-{uuid.uuid4().hex}'
        self._process: subprocess.Popen[bytes] | None = None
        """The engine's command; it ends with the container."""
        self._killed = False
        self._proc = -1
        """Descriptor of its /proc, where this process may stop what runs there."""
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  (closed in close)
        self._folder = new_folder()
        self._sockets = self._folder / 'sockets'
        self._sockets.mkdir()
        self._sockets.chmod(0o777)  # other users cannot enter the folder around it

    async def spawn(self, plan: KernelPlan, status: int) -> None:
        image = self._sandbox.image or await asyncio.to_thread(empty_image, self._engine)
        self._process = subprocess.Popen(
            self._command(str(image)),
            cwd=self._folder,  # Podman's monitor leaves a file `oom` where it stands
            stdin=subprocess.PIPE,
            stdout=status,
            stderr=self._stderr,
            start_new_session=True,
            bufsize=0,
        )
        self.adopt(self._process.pid, os.pidfd_open(self._process.pid))
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # the container ended at once; `failure` says why
            self._process.stdin.write(encode(plan) + b'\n')

    def _command(self, image: str) -> list[str]:
        spec, limits, uid, shown = self.spec, self.spec.limits, spare_uid(), self._shown()
        mounts = [mount(path, path, 'readonly') for path in shown]
        mounts += [mount(str(TOOLS_HERE), TOOLS, 'readonly'), mount(str(self._sockets), INSIDE.sockets)]
        tmpfs = f'rw,exec,nosuid,nodev,mode=1777,size={limits.disk}'
        environ = self.environ | dict.fromkeys((*PROXIES, *map(str.upper, PROXIES)), '')
        return [
            *self._engine.with_runtime(self._sandbox.runtime, network=spec.network),
            *('--interactive', '--rm', '--name', self._container, '--pull', 'never', '--log-driver', 'none'),
            *('--hostname', 'sandbox', '--workdir', '/', '--no-healthcheck'),
            *(() if spec.network else ('--network', 'none')),
            *('--user', f'{uid}:{uid}', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--read-only'),
            *self._engine.ulimits(),
            *('--memory', str(limits.memory), '--memory-swap', str(limits.memory)),
            *('--pids-limit', str(limits.processes)),
            *('--tmpfs', f'/session:{tmpfs}', '--tmpfs', f'/tmp:{tmpfs}', '--shm-size', str(limits.disk)),
            *(word for name, value in environ.items() for word in ('--env', f'{name}={value}')),
            *(word for one in mounts for word in ('--mount', one)),
            *(word for path in hidden(shown) for word in ('--tmpfs', f'{path}:{EMPTY}')),
            *('--entrypoint', str(spec.environment.python), image, f'{TOOLS}/init.py'),
        ]

    def _shown(self) -> list[str]:
        system = [] if self._sandbox.image else system_folders()
        network = [path for path in NETWORK if path not in OWN_FILES] if self.spec.network else []
        folders = folders_of(self.spec.environment, by_others=True)
        return [path for path in dict.fromkeys((*system, *network, *map(str, folders))) if Path(path).exists()]

    def failure(self, output: str) -> str:
        """The cause of a failed start, from inside; where nothing there said anything, the engine's own error."""
        if output.strip():
            return super().failure(output)
        self._stderr.seek(0)
        lines = [line for line in self._stderr.read().decode(errors='replace').splitlines() if line.strip()]
        error = next((line for line in lines if 'error' in line.lower()), lines[-1] if lines else super().failure(''))
        return mended(error)

    def reach(self) -> SessionDirs:
        if not (self._sockets / 'k-1').is_socket():
            raise HarnessError(
                f'kernel: the sockets of its container do not appear in {self._sockets}: {self._engine.command} has to '
                'run on this machine, and gVisor needs to be registered with --host-uds=create'
            )
        # The folder is on a disk of this machine, so from now on the code can write to its sockets alone.
        (self._sockets / CONNECTION_FILE).unlink()
        self._sockets.chmod(0o555)
        self._look_at(listener(self._sockets / 'k-1'))
        return ContainerDirs(
            self.layout,
            host_folder=self._folder,
            run=(self._engine.command, 'exec', '--interactive', self._container, str(self.spec.environment.python)),
        )

    def _look_at(self, kernel: int) -> None:
        """Find out what can be seen of the container from here, by the pid that its kernel has outside."""
        if not kernel or self._sandbox.runtime:  # gVisor's processes are none of Linux's
            return
        self.count_time_of(Path(f'/proc/{kernel}'))
        group = Cgroup.of(kernel)
        if kernel in (members := group.members()) and os.getpid() not in members:
            self.cgroup = group
        if os.geteuid() == 0:  # it may look there, and stop what it finds
            first = psutil.Process(kernel).ppid()
            self._proc = os.open(f'/proc/{first}/root/proc', os.O_RDONLY | os.O_DIRECTORY)

    def processes(self) -> Iterable[Path]:
        return [folder for folder in folders_in(Path(f'/proc/self/fd/{self._proc}')) if folder.name != '1']

    async def kill(self) -> None:
        if self._process is None or self._process.poll() is not None:
            return
        self._killed = True
        await asyncio.to_thread(self._kill, self._process)

    def _kill(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdin is not None:
            process.stdin.close()  # this also ends a container that is still starting
        self._engine.run('kill', self._container)
        try:
            process.wait(END)
        except subprocess.TimeoutExpired:
            process.kill()
            self._engine.run('rm', '--force', self._container)

    async def close(self) -> None:
        await super().close()
        if self._proc >= 0:
            os.close(self._proc)
            self._proc = -1
        if self._process is not None:
            code = await asyncio.to_thread(self._process.wait)
            if code not in CLEAN:  # the engine's own processes were killed, and so nothing removes the container
                await asyncio.to_thread(self._engine.run, 'rm', '--force', self._container)
            if self._process.stdin is not None:
                self._process.stdin.close()
        self._stderr.close()
        if self._sockets.exists():
            self._sockets.chmod(0o777)
        await asyncio.to_thread(SessionDirs(self.layout, host_folder=self._folder).remove)

    def out_of_memory(self) -> bool:
        return self._process is not None and self._process.poll() == OUT_OF_MEMORY and not self._killed


@dataclass(frozen=True)
class ContainerDirs(SessionDirs):
    """The folders of a container; files are sent as a tar archive to a Python inside, which `run` starts."""

    run: tuple[str, ...] = ()

    @property
    def sockets(self) -> Path:
        assert self.host_folder is not None
        return self.host_folder / 'sockets'

    def copy(self, source: Path, target: str) -> None:
        command = [*self.run, '-I', '-c', EXTRACT, target]
        with tempfile.TemporaryFile() as archive:
            with tarfile.open(fileobj=archive, mode='w', dereference=True) as tar:
                tar.add(source, arcname='.')
            archive.seek(0)
            done = subprocess.run(command, stdin=archive, capture_output=True)
        if code := done.returncode:
            raise shutil.Error([(str(source), target, os.strerror(code) if code in ERRNOS else last_line(done.stderr))])


def listener(path: Path) -> int:
    """The pid of the process that listens on a unix socket; 0 where it has none here."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path))
        credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
    return CREDENTIALS.unpack(credentials)[0]


def spare_uid() -> int:
    """A random user id that no account of this machine has; other sessions are unlikely to have it."""
    while True:
        uid = random.SystemRandom().choice(UIDS)
        try:
            pwd.getpwuid(uid)
        except KeyError:
            return uid
