"""One IPython kernel process: start, run code, interrupt, stop. Messages travel over unix sockets."""

from __future__ import annotations

import asyncio
import queue
import subprocess
import time
from typing import Any

from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager

from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.outputs import OutputCollector
from cibench_eval.interpreter.sandbox import Sandbox
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.interpreter.workspace import BOOTSTRAP, Workspace, variables
from cibench_eval.schema import Execution, HarnessError

POLL = 0.2
"""Seconds between looks at whether a silent kernel is still alive."""
DRAIN = 2.0
"""Seconds that outputs may arrive after the kernel said that the code block is done."""


class KernelDiedError(Exception):
    """The kernel process ended while it was asked for something."""


class _OneSpec(KernelSpecManager):
    """Gives jupyter_client the one way to start that the sandbox made."""

    spec: KernelSpec

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        return self.spec


class Kernel:
    """A kernel of its own in a workspace of its own. Start it once, stop it once."""

    def __init__(self, settings: KernelSettings, environment: KernelEnvironment, sandbox: Sandbox) -> None:
        self.settings = settings
        self._workspace = Workspace(environment, settings.datasources)
        self._command = str(environment.python)
        self._manager = self._make_manager(environment, sandbox)
        self._env = variables(environment, sandbox.place(self._workspace.room), settings.threads)
        self._client: AsyncKernelClient | None = None

    def _make_manager(self, environment: KernelEnvironment, sandbox: Sandbox) -> AsyncKernelManager:
        room, settings = self._workspace.room, self.settings
        argv = [str(environment.python), str(BOOTSTRAP), '{connection_file}']
        argv += [str(n) for n in (settings.output_limit, settings.memory, settings.file_size)]
        specs = _OneSpec()
        specs.spec = KernelSpec(argv=sandbox.wrap(argv, room), interrupt_mode='message', language='python')
        return AsyncKernelManager(
            kernel_spec_manager=specs,
            transport='ipc',
            ip=str(room.wire / 'k'),
            connection_file=str(room.wire / 'connection.json'),
        )

    async def start(self) -> None:
        """Start the process and wait until it answers on both channels.

        Raises:
            HarnessError: it ended or stayed silent; the text has the tail of what it said.
        """
        ready = False
        try:
            await self._launch()
            ready = True
        except (TimeoutError, KernelDiedError) as error:
            cause = await self._last_words() or f'no answer in {self.settings.startup_timeout:g} s'
            raise HarnessError(f'kernel: {self._command} did not start: {cause}') from error
        finally:
            if not ready:
                await self.stop()

    async def _launch(self) -> None:
        await asyncio.to_thread(self._workspace.fill)
        await self._manager.start_kernel(
            env=self._env,
            cwd=str(self._workspace.room.work),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        self._client = self._manager.client()
        self._client.start_channels()
        async with asyncio.timeout(self.settings.startup_timeout):
            await self._answer()

    async def _answer(self) -> None:
        """Ask until a reply and an output message have come: only then are both channels connected."""
        while True:
            request = self.client.kernel_info()
            await self._shell_reply(request)
            try:
                while (await self.client.get_iopub_msg(timeout=0.2))['parent_header'].get('msg_id') != request:
                    pass
                return
            except queue.Empty:
                continue

    async def _last_words(self) -> str:
        """Last line of the standard error of a process that ended before it was ready."""
        process = getattr(self._manager.provisioner, 'process', None)
        if process is None or process.poll() is None or process.stderr is None:
            return ''
        text = await asyncio.to_thread(process.stderr.read)
        return (text.decode(errors='replace').strip().splitlines() or [''])[-1]

    @property
    def client(self) -> AsyncKernelClient:
        if self._client is None:
            raise HarnessError('kernel: used before start()')
        return self._client

    async def execute(self, code: str, timeout: float) -> tuple[Execution, bool]:
        """Run one code block; the flag says whether the kernel can be used afterwards.

        A block over `timeout` seconds is interrupted, and where that does not end it within the grace
        period, its kernel is killed. Nothing that another block printed is ever taken for its output.
        """
        started = time.monotonic()
        request = self.client.execute(code, allow_stdin=False, stop_on_error=False)
        collector = OutputCollector(self.settings.output_limit, self.settings.figure_limit)
        reader = asyncio.create_task(self._collect(request, collector))
        status, usable = 'ok', True
        try:
            status, usable = await self._finish(request, timeout)
            await asyncio.wait([reader], timeout=DRAIN if usable else 0.1)
        finally:
            reader.cancel()
            await asyncio.wait([reader])
        execution = Execution(
            status=status if status != 'ok' or collector.error is None else 'error',
            outputs=collector.outputs,
            error=collector.error,
            seconds=time.monotonic() - started,
            truncated=collector.truncated,
        )
        return execution, usable

    async def _finish(self, request: str, timeout: float) -> tuple[Any, bool]:
        """Wait for the end of a request, by itself or by force: (status, whether the kernel is usable)."""
        try:
            async with asyncio.timeout(timeout):
                reply = await self._shell_reply(request)
            return ('ok' if reply['content']['status'] == 'ok' else 'error'), True
        except KernelDiedError:
            return 'kernel_died', False
        except TimeoutError:
            if not await self._manager.is_alive():
                return 'kernel_died', False
            return 'timeout', await self._interrupt(request)

    async def _interrupt(self, request: str) -> bool:
        """Interrupt a running block; True if it stopped and the kernel kept its state."""
        try:
            async with asyncio.timeout(self.settings.grace):
                await self._manager.interrupt_kernel()
                await self._shell_reply(request)
            return True
        except (TimeoutError, KernelDiedError):
            return False

    async def _shell_reply(self, request: str) -> dict[str, Any]:
        """The reply to `request`; replies to others are left behind.

        Raises:
            KernelDiedError: the process is gone.
        """
        while True:
            try:
                reply = await self.client.get_shell_msg(timeout=POLL)
            except queue.Empty:
                if not await self._manager.is_alive():
                    raise KernelDiedError from None
                continue
            if reply['parent_header'].get('msg_id') == request:
                return dict(reply)

    async def _collect(self, request: str, collector: OutputCollector) -> None:
        """Hand the outputs of `request` to the collector until the kernel says that it is idle again."""
        while True:
            message = await self.client.get_iopub_msg(timeout=None)
            if message['parent_header'].get('msg_id') != request:
                continue
            if message['msg_type'] == 'status' and message['content']['execution_state'] == 'idle':
                return
            collector.take(message)

    async def stop(self) -> None:
        """Kill the process and whatever it started, close the channels, delete the workspace."""
        if self._client is not None:
            self._client.stop_channels()
        if self._manager.has_kernel:
            await self._manager.shutdown_kernel(now=True)
        self._manager.context.destroy(linger=0)
        await asyncio.to_thread(self._workspace.remove)
