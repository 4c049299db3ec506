"""How a kernel process comes into being and ends: a provisioner for `jupyter_client`.

Two ways to start and two kinds of place give four paths through `launch_kernel`, with one outcome: a process behind
a pidfd, in a Room, with its sockets bound. A process that is spawned behind walls is bubblewrap itself, with the
kernel inside; one that is forked enters the walls that a bubblewrap around nothing but `cat` has raised.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import select
import signal
import subprocess
from collections.abc import Coroutine
from typing import Any, cast

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning.provisioner_base import KernelProvisionerBase

from cibench_eval.interpreter.cgroup import Cgroup
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.forkserver import fork_server
from cibench_eval.interpreter.room import Room
from cibench_eval.interpreter.sandbox import INSIDE, TOOLS, TOOLS_HERE, Bubblewrap, NoSandbox, Sandbox, folders_of
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.interpreter.variables import variables
from cibench_eval.schema import HarnessError

READY = b'ready\n'
COUNTS_BY_NAMESPACE = tuple(int(n) for n in re.findall(r'\d+', os.uname().release)[:2]) >= (5, 14)
"""Whether Linux counts the processes of a user in each user namespace apart."""
LAST_WORDS = 100_000
"""Bytes read of what a process says before it is ready."""
JOIN = 'for entrance in $0; do echo $$ > "$entrance"; done; exec "$@"'
"""Shell script that becomes a member of control groups and then the command."""


class SessionProvisioner(KernelProvisionerBase):
    """One kernel process in a room of its own."""

    def __init__(self, settings: KernelSettings, environment: KernelEnvironment, sandbox: Sandbox, key: bytes) -> None:
        super().__init__()
        self.settings, self.environment, self.sandbox, self.key = settings, environment, sandbox, key
        self.room: Room | None = None
        self.pid = 0
        self.cgroup = Cgroup.make(settings.memory, settings.processes)
        self._uid = sandbox.uid() if isinstance(sandbox, Bubblewrap) else None
        self._pidfd = -1
        self._process: subprocess.Popen[bytes] | None = None
        """Bubblewrap or, without walls, a spawned kernel."""
        self._walls: int | None = None
        """Pid of the first process behind the walls, with which all others end."""
        self._first_inside = -1
        """pidfd of the same."""
        self._root = -1
        """The root folder behind the walls, held, so that nothing done inside can put another in its place."""

    # What jupyter_client asks for.

    @property
    def has_process(self) -> bool:
        return self._pidfd >= 0

    async def poll(self) -> int | None:
        """None while the process runs, else 0: of a forked one, no exit code is known."""
        return None if self.alive else 0

    @property
    def alive(self) -> bool:
        if not self.has_process:
            return False
        ended = select.poll()  # `select` takes no descriptor over 1023
        ended.register(self._pidfd, select.POLLIN)
        return not ended.poll(0)

    async def wait(self) -> int | None:
        if self.has_process:
            await _readable(self._pidfd)
        return 0

    async def send_signal(self, signum: int) -> None:
        if self.alive:
            signal.pidfd_send_signal(self._pidfd, signum)

    async def kill(self, restart: bool = False) -> None:
        """End the process and all that it started; without walls, what left its process group only by its cgroup."""
        if self._first_inside >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._first_inside, signal.SIGKILL)
        if self._process is not None:
            self._process.kill()
        if isinstance(self.sandbox, NoSandbox) and self.pid:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        if self.alive and isinstance(self.sandbox, NoSandbox):  # it may have yet to make its group
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        if self.cgroup is not None:
            self.cgroup.kill()
        await self.wait()

    async def terminate(self, restart: bool = False) -> None:
        await self.kill(restart)

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        return {'cmd': [], 'env': {}}

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Start the process and wait until its sockets are bound.

        Raises:
            HarnessError: it ended before; the text is the last that it said.
        """
        reading, writing = os.pipe()
        try:
            await _whole(self._fork(writing) if self.settings.start == 'fork' else self._spawn(writing))
        except BaseException:
            os.close(reading)
            raise
        finally:
            os.close(writing)
        words = await _until_ready(reading)
        if words:
            raise HarnessError(f'kernel: {self.environment.python} did not start: {words}')
        if self._walls:
            self.room = self._room_within(self._walls)
        wire = self._made_room.outside(self._made_room.layout.wire)
        return cast(KernelConnectionInfo, self._connection(str(wire)) | {'key': self.key})

    async def cleanup(self, restart: bool = False) -> None:
        """Let go of everything; the process has ended or never started."""
        if self._process is not None:
            await self.kill()
            await asyncio.to_thread(self._process.wait)
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process = None
        for descriptor in (self._pidfd, self._first_inside, self._root):
            if descriptor >= 0:
                os.close(descriptor)
        self._pidfd = self._first_inside = self._root = -1
        if self.room is not None:
            await asyncio.to_thread(self.room.remove)
        if self.cgroup is not None:
            await self.cgroup.remove()

    # How a process starts.

    @property
    def _made_room(self) -> Room:
        assert self.room is not None, 'a process has started'
        return self.room

    async def _spawn(self, status: int) -> None:
        kernel = [str(self.environment.python), f'{TOOLS}/bootstrap.py']
        if isinstance(self.sandbox, Bubblewrap):
            plan = json.dumps(self._plan(INSIDE_ROOM)).encode()
            self._walls = await self._raise_walls(self.sandbox, kernel, stdout=status, stdin=plan)
        else:
            self.room = Room.on_host()
            plan = json.dumps(self._plan(self.room, die_with=os.getpid())).encode()
            kernel[1] = str(TOOLS_HERE / 'bootstrap.py')
            self._popen(kernel, stdout=status, stdin=plan)
        assert self._process is not None
        self.pid = self._process.pid
        self._pidfd = os.pidfd_open(self.pid)

    async def _fork(self, status: int) -> None:
        server = await asyncio.to_thread(fork_server, self.environment, self.settings.threads, self.settings.preload)
        if isinstance(self.sandbox, Bubblewrap):
            self._walls = await self._raise_walls(self.sandbox, ['cat'], stdout=subprocess.PIPE, stdin=b'.')
            assert self._process is not None and self._process.stdout is not None
            await asyncio.to_thread(self._process.stdout.read, 1)  # when `cat` runs, the walls stand
        else:
            self.room = Room.on_host()
        plan = self._plan(self.room or INSIDE_ROOM, walls=self._walls)
        self.pid, self._pidfd = await asyncio.to_thread(server.fork, plan, status)

    async def _raise_walls(self, sandbox: Bubblewrap, argv: list[str], *, stdout: int, stdin: bytes) -> int:
        """Start bubblewrap around `argv`; the pid of the first process inside."""
        reading, writing = os.pipe()
        try:
            command = sandbox.command(
                argv,
                info=writing,
                readable=folders_of(self.environment),
                disk=self.settings.disk,
                network=self.settings.network,
            )
            self._popen(command, stdout=stdout, stdin=stdin, pass_fds=(writing,))
        finally:
            os.close(writing)
        with os.fdopen(reading, 'rb') as info:
            told = await asyncio.to_thread(info.read)
        if not told:
            raise HarnessError('kernel: bubblewrap does not start (`cibench doctor` tries it)')
        pid = int(json.loads(told)['child-pid'])
        try:
            self._first_inside = os.pidfd_open(pid)
        except ProcessLookupError as error:
            raise HarnessError('kernel: bubblewrap ended at once (`cibench doctor` tries it)') from error
        return pid

    def _room_within(self, pid: int) -> Room:
        """The folders behind the walls that stand around `pid`; no code has run there yet."""
        try:
            self._root = os.open(f'/proc/{pid}/root', os.O_PATH | os.O_DIRECTORY)
        except FileNotFoundError as error:
            raise HarnessError('kernel: its sandbox ended while it was started') from error
        return Room.within(INSIDE, self._root, self._uid)

    def _popen(self, command: list[str], *, stdout: int, stdin: bytes, pass_fds: tuple[int, ...] = ()) -> None:
        if self.cgroup is not None:
            command = ['/bin/sh', '-c', JOIN, ' '.join(self.cgroup.entrances), *command]
        layout = self.room.layout if self.room else INSIDE
        self._process = subprocess.Popen(
            command,
            env=variables(self.environment, layout, self.settings.threads),
            cwd=layout.work if self.room else '/',
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=stdout if stdout != subprocess.PIPE else subprocess.DEVNULL,
            pass_fds=pass_fds,
            start_new_session=True,
            bufsize=0,
        )
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it ended at once; it will be asked why
            self._process.stdin.write(stdin)
        if stdout != subprocess.PIPE:
            self._process.stdin.close()

    def _plan(self, room: Room, *, walls: int | None = None, die_with: int = 0) -> dict[str, Any]:
        """What the process reads before it becomes a kernel (`inside/bootstrap.py`)."""
        settings = self.settings
        return {
            'variables': variables(self.environment, room.layout, settings.threads),
            'cwd': room.layout.work,
            'connection': self._connection(room.layout.wire),
            'connection_file': f'{room.layout.wire}/connection.json',
            'uid': self._uid,
            'walls': walls,
            'die_with': die_with,
            'cgroups': self.cgroup.entrances if self.cgroup else [],
            'threads': settings.threads,
            'limits': self._limits(),
            **settings.model_dump(include={'output_limit', 'figure_size', 'stdin', 'magics', 'shell_escapes'}),
        }

    def _limits(self) -> dict[str, int]:
        """Limits of a process, by the names of `resource`. Processes are counted only where just this session's are."""
        settings = self.settings
        limits = {
            'AS': settings.address_space,
            'FSIZE': settings.disk,
            'NOFILE': settings.open_files,
            'CPU': settings.cpu_seconds,
            'CORE': 0,
        }
        own_count = self._uid is not None or (isinstance(self.sandbox, Bubblewrap) and COUNTS_BY_NAMESPACE)
        return limits | ({'NPROC': settings.processes} if own_count else {})

    def _connection(self, wire: str) -> dict[str, Any]:
        """Connection information with the sockets in folder `wire`."""
        ports = {name: number for number, name in enumerate(PORTS, 1)}
        return {
            'transport': 'ipc',
            'ip': f'{wire}/k',
            'key': self.key.decode(),
            'signature_scheme': 'hmac-sha256',
            **{f'{name}_port': number for name, number in ports.items()},
        }


PORTS = ('shell', 'iopub', 'stdin', 'control', 'hb')
INSIDE_ROOM = Room(INSIDE)


async def _whole(work: Coroutine[Any, Any, None]) -> None:
    """Do `work` to its end even if the caller is cancelled meanwhile: what it waits for in threads goes on anyway."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.gather(task, return_exceptions=True)
        raise


async def _readable(descriptor: int) -> None:
    """Wait until `descriptor` can be read; a pidfd can when its process has ended.

    Each waiter has a copy: an event loop keeps one reader a descriptor.
    """
    loop, ready, own = asyncio.get_running_loop(), asyncio.Event(), os.dup(descriptor)
    loop.add_reader(own, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(own)
        os.close(own)


async def _until_ready(descriptor: int) -> str:
    """Read a status pipe until it says ready (nothing is returned) or ends (the last line it said)."""
    said = b''
    with os.fdopen(descriptor, 'rb', buffering=0) as pipe:
        while not said.endswith(READY):
            await _readable(descriptor)
            chunk = pipe.read(LAST_WORDS)
            if not chunk:
                return (said.decode(errors='replace').strip().splitlines() or ['it ended without a word'])[-1]
            said = (said + chunk)[-LAST_WORDS:]
    return ''
