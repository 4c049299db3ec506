"""Our sandbox as the environment `cibench` of AgentCompass: commands and files of its harnesses in a kernel's sandbox.

Files go through the kernel: a path that the host opened could be a link that hostile code has set. What comes out of it
is files and folders alone: a link would be followed on the host.
"""

import asyncio
import inspect
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agentcompass.errors import EnvironmentInteractionError
from agentcompass.runtime import ENVIRONMENTS, BaseEnvironment, EnvironmentSession, EnvRecord, ExecResult, RunRequest
from agentcompass.runtime.config import RuntimeEnvironmentConfig
from agentcompass.runtime.network import NetworkMode

from cibench_eval.interpreter import Interpreter, KernelSettings
from cibench_eval.rendering import failure_of
from cibench_eval.schema import Execution

OVER = 124
"""Return code of a command that took too long, as `timeout` has it."""
COMMAND_SECONDS = 3600.0
"""Seconds of a command for which the harness names no limit."""
FUTURE = 'from __future__ import annotations\n'
ROOM = 2**28
"""Most characters of a command's output, and of a file's content in base64."""
UNREADABLE = (tarfile.TarError, zlib.error, EOFError, OSError, OverflowError, RecursionError, ValueError)
"""What reading an archive raises that hostile code has made."""
DOWNLOAD = 2**30
"""Most bytes of a download, unpacked; it has at most 262,144 files and folders."""


def execute(command: list[str] | str, shell: bool, cwd: str | None, env: dict[str, str] | None, detach: bool) -> int:
    """Run a command inside the sandbox: print its output, and return its return code."""
    import os
    import subprocess
    import sys

    options: dict[str, Any] = {'shell': shell, 'cwd': cwd, 'env': {**os.environ, **(env or {})}}
    kept = subprocess.DEVNULL if detach else subprocess.PIPE
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=kept, stderr=kept, start_new_session=True, **options
    )
    if detach:
        return 0
    try:
        out, err = process.communicate()
    except KeyboardInterrupt:  # the time of the code block is over
        os.killpg(process.pid, 9)
        sys.stdout.write(process.communicate()[0].decode(errors='replace'))
        raise
    sys.stdout.write(out.decode(errors='replace'))
    sys.stderr.write(err.decode(errors='replace'))
    return process.returncode


def pack(path: str) -> str:
    """A file or folder as an archive in base64."""
    import base64
    import io
    import tarfile

    def apart(one: tarfile.TarInfo) -> tarfile.TarInfo:
        archive.inodes.clear()  # type: ignore[attr-defined]  # a second name of a file is another file, and no link
        return one

    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode='w:gz') as archive:
        archive.add(path, arcname='content', filter=apart)
    return base64.b64encode(content.getvalue()).decode()


def unpack(packed: str, path: str, most: int | None = None) -> None:
    """Write what `pack` has packed to a path; folders that exist are kept.

    Args:
        most: bytes that a stranger's archive may have, unpacked; it has no links then, and no more than one file or
            folder for each 4 KiB of them. None is for one's own.
    """
    import base64
    import gzip
    import io
    import shutil
    import tarfile
    import tempfile
    from pathlib import Path

    class Stream(gzip.GzipFile):
        def read(self, size: int | None = -1) -> bytes:
            if most is not None and self.tell() + (size or 0) > most:
                raise tarfile.TarError(f'it has more than {most} bytes')
            return super().read(size)

    def members(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
        for number, one in enumerate(archive, 1):
            if most is not None and (one.issparse() or one.size < 0 or not (one.isreg() or one.isdir())):
                raise tarfile.TarError(f'{one.name} is a link, or neither file nor folder')
            if most is not None and 4096 * number > most:
                raise tarfile.TarError(f'it has more than {number - 1} files and folders')
            if most is not None and not Path(folder, one.name).parent.is_dir():  # unpacking would make all above it
                raise tarfile.TarError(f'{one.name} comes before its folder')
            yield one

    with tempfile.TemporaryDirectory() as folder:
        stream = Stream(fileobj=io.BytesIO(base64.b64decode(packed)))
        with tarfile.open(fileobj=stream, mode='r:') as archive:
            archive.extractall(folder, members(archive), filter='data')  # no file or link leads out of the folder
        content = Path(folder, 'content')
        if content.is_dir():
            shutil.copytree(content, path, symlinks=True, dirs_exist_ok=True)
        else:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(content, path)


class SandboxSession(EnvironmentSession):
    """A session: one kernel, whose sandbox is the machine that a harness sees."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter, self._lock = interpreter, asyncio.Lock()

    async def exec(
        self,
        command: list[str] | str,
        *,
        shell: bool = False,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        required_env: dict[str, str] | None = None,
        timeout: float | None = None,
        detach: bool = False,
        flags: dict[str, Any] | None = None,
    ) -> ExecResult:
        given = self._validate_exec_command(command, shell=shell)
        variables = self._merge_exec_env(env, required_env=required_env)
        done = await self._call(execute, given, shell, cwd or self.default_workdir, variables, detach, timeout=timeout)
        if done.status == 'ok':
            return ExecResult(int(done.result or 0), done.stdout, done.stderr)
        late = done.status == 'timeout'
        return ExecResult(OVER if late else 127, done.stdout, f'{done.stderr}{failure_of(done)}', timed_out=late)

    async def upload(self, src: str, dst: str) -> None:
        self._worked(await self._call(unpack, await asyncio.to_thread(pack, src), dst), dst)

    async def download(self, src: str, dst: str) -> None:
        done = self._worked(await self._call(pack, src, show='print({})'), src)
        try:
            await asyncio.to_thread(unpack, done.stdout, dst, DOWNLOAD)
        except UNREADABLE as error:
            raise EnvironmentInteractionError(f'{src}: cannot be downloaded: {error}') from error

    async def upload_dir(self, src: Path | str, dst: str) -> None:
        await self.upload(str(src), dst)

    async def download_dir(self, src: str, dst: Path | str) -> None:
        await self.download(src, str(dst))

    async def write_text(self, path: str, content: str) -> None:
        with tempfile.NamedTemporaryFile() as file:
            Path(file.name).write_text(content, encoding='utf-8')
            await self.upload(file.name, path)

    async def read_text(self, path: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            await self.download(path, f'{folder}/text')
            return Path(folder, 'text').read_text(encoding='utf-8')

    async def endpoint(self) -> str | None:
        return None

    async def close(self) -> bool:
        await asyncio.shield(self._interpreter.__aexit__(None, None, None))
        return True

    async def _call(
        self, function: Callable[..., object], *arguments: object, show: str = '{}', timeout: float | None = None
    ) -> Execution:
        """Call a function of this module inside the sandbox, one at a time."""
        call = show.format(f'{function.__name__}(*{arguments!r})')
        async with self._lock:
            return await self._interpreter.run(f'{FUTURE}{inspect.getsource(function)}\n{call}', timeout)

    @staticmethod
    def _worked(done: Execution, path: str) -> Execution:
        if done.error and done.error.name == 'FileNotFoundError':
            raise FileNotFoundError(path)
        if done.status != 'ok' or done.truncated:
            why = done.error.value if done.error else 'it is too large'
            raise EnvironmentInteractionError(f'{path}: {why}')
        return done


@dataclass(slots=True)
class SandboxConfig(RuntimeEnvironmentConfig):
    """Parameters of the environment."""

    kernel: dict[str, Any] = field(
        default_factory=dict,
        metadata={'description': 'Fields of KernelSettings: environment, sandbox, memory, datasources, …'},
    )


@ENVIRONMENTS.register()
class SandboxEnvironment(BaseEnvironment):
    """A kernel in its sandbox, without network unless the network policy is public."""

    id = 'cibench'
    config_class = SandboxConfig
    supports_task_env = True
    supported_operating_systems = frozenset({'linux'})
    supported_network_modes = frozenset({NetworkMode.PUBLIC, NetworkMode.NO_NETWORK})

    async def open(self, req: RunRequest, plan: Any) -> SandboxSession:
        config = self.build_config(req, plan)
        public = plan.environment.baseline_network_policy.network_mode == NetworkMode.PUBLIC
        known = {'timeout': COMMAND_SECONDS, 'output_limit': ROOM, 'session_output': ROOM, 'network': public}
        interpreter = Interpreter(KernelSettings(**{**known, **config.kernel}))
        await interpreter.__aenter__()
        session = SandboxSession(interpreter)
        session.env_record = EnvRecord(provider=self.id, close_params={}, environment=self)
        return session

    async def close(self, **close_params: Any) -> None:
        """Nothing outlives its session: a kernel ends with it, or with this process."""
