"""Docker or Podman: one container per session, which sees this machine's own file system read-only.

The operating system and the kernel environment are mounted at their own paths into an image of links and empty folders,
so outputs are the same as behind bubblewrap, and no image is fetched. The session's folders are one tmpfs. Its sockets
are in a folder of the harness, which the container cannot write to once they are bound. The first process is
`inside/init.py`: when its standard input is closed, it ends, and the container with it.
"""

from __future__ import annotations

import asyncio
import csv
import functools
import hashlib
import io
import os
import pwd
import random
import shutil
import subprocess
import tarfile
import tempfile
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, ClassVar

from cibench_eval.environments import last_line
from cibench_eval.interpreter.host_paths import NETWORK, SYSTEM, TOOLS, TOOLS_HERE, folders_of, hidden
from cibench_eval.interpreter.limits import LIMITS
from cibench_eval.interpreter.plan import KernelPlan
from cibench_eval.interpreter.sandboxes.base import Sandbox, SandboxedSession, SessionSpec, encode
from cibench_eval.interpreter.session_dirs import CONNECTION_FILE, INSIDE, SessionDirs, new_folder
from cibench_eval.schema import HarnessError

ENGINES = ('docker', 'podman')
"""Commands that take the same arguments; the first that works is used."""
ANSWER, END = 30, 10
"""Seconds in which the engine has to answer, and a container to end."""
OUT_OF_MEMORY = 137
"""Exit code of a container whose memory ran out (`inside/init.py`), or that was killed."""
OWN_FILES = ('/etc/hosts', '/etc/resolv.conf')
"""Files that an engine makes for each container."""
FOLDERS = ('dev', 'etc', 'opt', 'proc', 'session', 'sys', 'tmp')
"""The folders of the empty image; the rest are links."""
PROXIES = ('http_proxy', 'https_proxy', 'ftp_proxy', 'all_proxy', 'no_proxy')
"""Variables that engines pass on to containers. They can hold passwords."""
UIDS = range(32768, 65534)
"""User ids of sessions, among the 65,536 that an engine without root rights has."""
EXTRACT = 'import sys, tarfile; tarfile.open(fileobj=sys.stdin.buffer, mode="r|").extractall(sys.argv[1])'


class Docker(Sandbox):
    """A container of Docker or, where that does not work, of Podman."""

    name: ClassVar[str] = 'docker'

    runtime: str | None = None
    """OCI runtime by the engine's name for it: `runsc` is gVisor, to be registered with `--host-uds=create`."""
    image: str | None = None
    """Image whose operating system replaces this machine's. It must have the libraries that the kernel environment's
    Python needs, and the Python itself where that is in /usr."""

    @property
    def label(self) -> str:
        return f'{self.name}-{self.runtime}' if self.runtime else self.name

    def problem(self) -> str:
        engine = find_engine()
        if not isinstance(engine, Engine):
            return engine
        if self.image and engine.run('image', 'inspect', self.image).returncode:
            return f'there is no image {self.image} here (run `{engine.command} pull {self.image}`)'
        return ''

    def limiter(self) -> str:
        return 'container'

    def open(self, spec: SessionSpec) -> DockerSession:
        engine = find_engine()
        assert isinstance(engine, Engine), 'tried before'
        return DockerSession(spec, self, engine)


SANDBOX = Docker


@dataclass(frozen=True)
class Engine:
    """A command that runs containers."""

    command: str

    def run(self, *arguments: str, data: bytes = b'') -> subprocess.CompletedProcess[bytes]:
        """Run one of its commands to the end; a command that does not answer in time has failed."""
        command = [self.command, *arguments]
        try:
            return subprocess.run(command, input=data, capture_output=True, timeout=ANSWER)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, 1, b'', f'no answer in {ANSWER} s'.encode())

    def problem(self) -> str:
        if not shutil.which(self.command):
            return f'{self.command} is not on PATH'
        done = self.run('version')
        return f'{self.command}: {last_line(done.stderr)}' if done.returncode else ''

    def with_runtime(self, runtime: str | None) -> list[str]:
        """The start of a command line that runs a container."""
        if runtime is None:
            return [self.command, 'run']
        if self.command == 'podman':
            return [self.command, '--runtime', runtime, 'run']
        return [self.command, 'run', '--runtime', runtime]


@functools.cache
def find_engine() -> Engine | str:
    """The engine that works here, or why none does; tried once per process."""
    problems = []
    for engine in map(Engine, ENGINES):
        problem = engine.problem()
        if not problem:
            return engine
        problems.append(problem)
    return '; '.join(problems)


class DockerSession(SandboxedSession):
    """A session in a container.

    It is not stopped between code blocks: `docker pause` is slow, and a paused container would stay for ever if its
    harness were killed.
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
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  (closed in close)
        self._folder = new_folder('sockets/k-5')
        self._sockets = self._folder / 'sockets'
        self._sockets.mkdir()
        self._sockets.chmod(0o777)  # other users cannot enter the folder around it

    async def spawn(self, plan: KernelPlan, status: int) -> None:
        image = self._sandbox.image or await asyncio.to_thread(empty_image, self._engine)
        command = self._command(str(image))
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=status, stderr=self._stderr, start_new_session=True, bufsize=0
        )
        self.adopt(self._process.pid, os.pidfd_open(self._process.pid))
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(encode(plan) + b'\n')
        except BrokenPipeError:  # the container ended at once; `failure` says why
            return

    def _command(self, image: str) -> list[str]:
        spec, limits, uid = self.spec, self.spec.limits, spare_uid()
        tmpfs = f'rw,exec,nosuid,nodev,mode=1777,size={limits.disk}'
        variables = self.variables | dict.fromkeys((*PROXIES, *map(str.upper, PROXIES)), '')
        return [
            *self._engine.with_runtime(self._sandbox.runtime),
            *('--interactive', '--rm', '--name', self._container, '--pull', 'never', '--log-driver', 'none'),
            *('--hostname', 'sandbox', '--workdir', '/', '--no-healthcheck'),
            *(() if spec.network else ('--network', 'none')),
            *('--user', f'{uid}:{uid}', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--read-only'),
            *('--memory', str(limits.memory), '--memory-swap', str(limits.memory)),
            *('--pids-limit', str(limits.processes)),
            *('--tmpfs', f'/session:{tmpfs}', '--tmpfs', f'/tmp:{tmpfs}', '--shm-size', str(limits.disk)),
            *(word for name, value in variables.items() for word in ('--env', f'{name}={value}')),
            *(word for mount in self._mounts() for word in ('--mount', mount)),
            *(word for path in hidden(self._shown()) for word in ('--tmpfs', f'{path}:ro,size=4096')),
            *('--entrypoint', str(spec.environment.python), image, f'{TOOLS}/init.py'),
        ]

    def _shown(self) -> list[str]:
        system = [] if self._sandbox.image else [path for path in SYSTEM if not Path(path).is_symlink()]
        network = [path for path in NETWORK if path not in OWN_FILES] if self.spec.network else []
        folders = folders_of(self.spec.environment, by_others=True)
        return [path for path in dict.fromkeys((*system, *network, *map(str, folders))) if Path(path).exists()]

    def _mounts(self) -> Iterator[str]:
        for path in self._shown():
            yield mount(path, path, 'readonly')
        yield mount(str(TOOLS_HERE), TOOLS, 'readonly')
        yield mount(str(self._sockets), INSIDE.sockets)

    def failure(self, output: str) -> str:
        """The cause of a failed start, from inside; where nothing there said anything, the engine's own error."""
        if output.strip():
            return super().failure(output)
        self._stderr.seek(0)
        lines = [line for line in self._stderr.read().decode(errors='replace').splitlines() if line.strip()]
        return next((line for line in lines if 'error' in line.lower()), lines[-1] if lines else super().failure(''))

    def reach(self) -> SessionDirs:
        if not (self._sockets / 'k-1').is_socket():
            raise HarnessError(
                f'kernel: the sockets of its container do not appear in {self._sockets}: {self._engine.command} has to '
                'run on this machine, and gVisor needs to be registered with --host-uds=create'
            )
        # The folder is on a disk of this machine, so from now on the code can write to its sockets alone.
        (self._sockets / CONNECTION_FILE).unlink()
        self._sockets.chmod(0o555)
        return ContainerDirs(
            self.layout,
            host_folder=self._folder,
            run=(self._engine.command, 'exec', '--interactive', self._container, str(self.spec.environment.python)),
        )

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
        if self._process is not None:
            await asyncio.to_thread(self._process.wait)
            if self._process.stdin is not None:
                self._process.stdin.close()
        self._stderr.close()
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
        if done.returncode:
            raise shutil.Error([(str(source), target, last_line(done.stderr))])


def mount(source: str, target: str, *options: str) -> str:
    """A value of `--mount`, a line of CSV."""
    line = io.StringIO()
    csv.writer(line, lineterminator='').writerow(['type=bind', f'source={source}', f'target={target}', *options])
    return line.getvalue()


@functools.cache
def empty_image(engine: Engine) -> str:
    """The image of links and empty folders into which the operating system is mounted; made if it is missing.

    Raises:
        HarnessError: the engine does not make it.
    """
    content = image_content()
    name = f'cibench-eval/empty:{hashlib.sha256(content).hexdigest()[:12]}'
    if engine.run('image', 'inspect', name).returncode:
        done = engine.run('import', '-', name, data=content)
        if done.returncode:
            raise HarnessError(f'kernel: {engine.command} does not import an image: {last_line(done.stderr)}')
    return name


def image_content() -> bytes:
    """The image as a tar archive, always the same bytes."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode='w') as tar:
        for name in FOLDERS:
            folder = tarfile.TarInfo(name)
            folder.type, folder.mode = tarfile.DIRTYPE, 0o755
            tar.addfile(folder)
        for path in map(Path, SYSTEM):
            if path.is_symlink():
                link = tarfile.TarInfo(str(path.relative_to('/')))
                link.type, link.linkname = tarfile.SYMTYPE, str(path.readlink())
                tar.addfile(link)
    return archive.getvalue()


def spare_uid() -> int:
    """A random user id that no account of this machine has; other sessions are unlikely to have it."""
    while True:
        uid = random.SystemRandom().choice(UIDS)
        try:
            pwd.getpwuid(uid)
        except KeyError:
            return uid
