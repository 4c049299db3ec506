"""How a kernel process starts and ends: spawned or forked, in any sandbox.

Either way there is then a process behind a pidfd, in a sandbox and folders of its own, with its sockets bound.
"""

import asyncio
import functools
import logging
import os
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.forkserver import fork_server
from cibench_eval.interpreter.sandboxes.base import KernelPlan, Sandbox, SessionSpec
from cibench_eval.interpreter.session_dirs import CONNECTION_FILE, SessionDirs
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.interpreter.streams import CUT
from cibench_eval.schema import HarnessError

logger = logging.getLogger(__name__)

READY = b'ready\n'
STATUS_LIMIT = 100_000
"""Bytes of a process's output before it is ready that are kept: the last ones."""
Channel = Literal['shell', 'iopub', 'stdin', 'control', 'hb']
CHANNELS: tuple[Channel, ...] = get_args(Channel)
ResultT = TypeVar('ResultT')


class KernelProcess:
    """One kernel process in a sandbox of its own."""

    dirs: SessionDirs
    """Its folders, once it has started."""

    def __init__(self, settings: KernelSettings, environment: KernelEnvironment, sandbox: Sandbox) -> None:
        self.settings, self.environment, self.sandbox = settings, environment, sandbox
        self.session = sandbox.open(SessionSpec(environment, settings.threads, settings.network, settings))

    async def start(self) -> None:
        """Start the process and wait until its sockets are bound.

        Raises:
            HarnessError: it ended before; the message has its last line of output.
        """
        session, start = self.session, self.settings.start_in(self.sandbox)
        if start != self.settings.start:
            _warn_of_spawn(self.sandbox.label)
        reading, writing = os.pipe()
        problem: HarnessError | None = None
        try:
            await _finish(self._fork(writing) if start == 'fork' else session.spawn(self._plan(None), writing))
        except HarnessError as error:
            problem = error  # raised below only if the process itself said nothing: its own words tell more
        except BaseException:
            os.close(reading)
            raise
        finally:
            os.close(writing)
        output = await _until_ready(reading)
        if problem and not output.strip():
            raise problem
        if not output.endswith(READY):
            why = session.failure(output.decode(errors='replace'))
            raise HarnessError(f'kernel: {self.environment.python} did not start: {why}')
        self.dirs = await _finish(asyncio.to_thread(self.session.reach))

    def socket(self, channel: Channel) -> Path:
        """The path by which the harness reaches a socket of the kernel."""
        return self.dirs.sockets / f'k-{CHANNELS.index(channel) + 1}'

    async def wait(self) -> None:
        """Wait until it has ended."""
        if self.session.pidfd >= 0:
            await _readable(self.session.pidfd)

    async def kill(self) -> None:
        """End the process and all that it started, as far as the sandbox can."""
        await self.session.kill()
        await self.wait()

    async def _fork(self, status: int) -> None:
        server = await asyncio.to_thread(fork_server, self.environment, self.settings.threads, self.settings.preload)
        plan = self._plan(await self.session.prepare(self._limits()))
        self.session.adopt(*await asyncio.to_thread(server.fork, plan, status))

    def _plan(self, sandbox_pid: int | None) -> KernelPlan:
        settings, session = self.settings, self.session
        ports = {f'{name}_port': number for number, name in enumerate(CHANNELS, 1)}
        address = {'transport': 'ipc', 'ip': f'{session.layout.sockets}/k', **ports}
        return {
            'variables': session.environ,
            'cwd': session.layout.work,
            'connection': {**address, 'key': '', 'signature_scheme': 'hmac-sha256'},
            'connection_file': f'{session.layout.sockets}/{CONNECTION_FILE}',
            'uid': session.uid,
            'sandbox_pid': sandbox_pid,
            'die_with': session.die_with,
            'cgroup_files': list(session.cgroup_files),
            'shared_sockets': session.shared_sockets,
            'threads': settings.threads,
            'limits': self._limits(),
            'output_limit': settings.output_limit,
            'cut_mark': CUT,
            'figure_size': settings.figure_size,
        }

    def _limits(self) -> dict[str, int]:
        return self.settings.of_process(count_processes=self.session.counts_processes)


@functools.cache
def _warn_of_spawn(sandbox: str) -> None:
    logger.warning("kernels: a fork cannot enter sandbox %r, so they are spawned (start='spawn')", sandbox)


async def _finish(work: Coroutine[Any, Any, ResultT]) -> ResultT:
    """Finish `work` even if the caller is cancelled: its threads go on in any case."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.gather(task, return_exceptions=True)
        raise


async def _readable(descriptor: int) -> None:
    """Wait until `descriptor` can be read; a pidfd can when its process has ended."""
    # Each waiter has a copy of the descriptor, because an event loop keeps one reader per descriptor.
    loop, ready, own = asyncio.get_running_loop(), asyncio.Event(), os.dup(descriptor)
    loop.add_reader(own, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(own)
        os.close(own)


async def _until_ready(descriptor: int) -> bytes:
    """Read a status pipe until it says `ready` or is closed; return the end of what it said."""
    output = b''
    with os.fdopen(descriptor, 'rb', buffering=0) as pipe:
        while not output.endswith(READY):
            await _readable(descriptor)
            chunk = pipe.read(STATUS_LIMIT)
            if not chunk:
                break
            output = (output + chunk)[-STATUS_LIMIT:]
    return output
