"""One IPython kernel process: start, run code, interrupt, stop. Messages travel over unix sockets."""

from __future__ import annotations

import asyncio
import json
import logging
import queue
import time
from pathlib import Path
from typing import Any

import zmq
from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager

from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.outputs import OutputCollector
from cibench_eval.interpreter.provisioner import SessionProvisioner
from cibench_eval.interpreter.sandbox import Sandbox
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.interpreter.watchdog import Watchdog
from cibench_eval.schema import Execution, ExecutionError, HarnessError, unicode_text

POLL = 0.2
"""Seconds between looks at whether a silent kernel is still alive."""
DRAIN = 2.0
"""Seconds that outputs may arrive after the kernel said that the code block is done."""
WAITING_MESSAGES = 8
"""Messages that may wait in a socket of the harness; more wait in the kernel, in its own memory."""
NEVER = 10**9
"""Milliseconds. (-1 means never, too, but then libzmq aborts where a connection ends in the middle of a message.)"""
MOST_COMMAS = 3_000_000
"""In a message. JSON of nothing but commas takes thirty times its size when it is read."""


UNREADABLE = (ValueError, KeyError, IndexError, AttributeError, TypeError, RecursionError)
"""What jupyter_client raises at messages with a wrong signature, too few parts, or JSON of another form."""
UNREADABLE_MESSAGE: dict[str, Any] = {}


def parent_of(message: dict[str, Any]) -> object:
    """The id of the request that a message answers, as far as it says."""
    parent = message.get('parent_header')
    return parent.get('msg_id') if isinstance(parent, dict) else None


class KernelDiedError(Exception):
    """The kernel process ended while it was asked for something."""


class _Manager(AsyncKernelManager):
    """Gives jupyter_client our provisioner; the kernel writes its connection file itself, where it lives."""

    def write_connection_file(self, **_: Any) -> None:
        return None


SILENT = logging.Logger('jupyter_client', logging.CRITICAL)
"""jupyter_client logs what it also raises."""


def _read(message: bytes) -> Any:
    """The content of a message.

    Raises:
        ValueError: it is no JSON, or made to fill the memory of who reads it.
    """
    if message.count(b',') > MOST_COMMAS:
        raise ValueError('too many commas')
    return json.loads(message)


class Kernel:
    """A kernel of its own in a room of its own. Start it once, fill it once, stop it once."""

    def __init__(self, settings: KernelSettings, environment: KernelEnvironment, sandbox: Sandbox) -> None:
        self.settings = settings
        self._environment = environment
        self._manager = _Manager(transport='ipc', log=SILENT)
        self._manager.session.unpack = _read
        for option, value in self._socket_options().items():
            self._manager.context.setsockopt(option, value)
        self._manager._kernel_spec = KernelSpec(interrupt_mode='message', language='python')
        self._process = SessionProvisioner(settings, environment, sandbox, self._manager.session.key)
        self._manager.provisioner = self._process
        self._client: AsyncKernelClient | None = None
        self._watch: asyncio.Task[None] | None = None
        self._cause = ''

    def _socket_options(self) -> dict[int, int]:
        """What every socket of the harness is made with: the kernel's code may send it anything."""
        settings = self.settings
        return {
            zmq.MAXMSGSIZE: settings.figure_size * 4 // 3 + 20 * settings.output_limit + 2**20,
            zmq.RCVHWM: WAITING_MESSAGES,
            zmq.RECONNECT_IVL: NEVER,  # code could have put another socket in the place of its own
        }

    async def start(self) -> None:
        """Start the process and wait until it answers on both channels.

        Raises:
            HarnessError: it ended or stayed silent; the text has the last line of what it said.
        """
        ready = False
        try:
            async with asyncio.timeout(self.settings.startup_timeout):
                await self._launch()
            ready = True
        except (TimeoutError, KernelDiedError) as error:
            cause = (
                f'no answer in {self.settings.startup_timeout:g} s' if isinstance(error, TimeoutError) else 'it died'
            )
            raise HarnessError(f'kernel: {self._environment.python} did not start: {cause}') from error
        finally:
            if not ready:
                await self.stop()

    async def _launch(self) -> None:
        await self._manager.start_kernel()
        assert self._process.room is not None
        await asyncio.to_thread(self._process.room.furnish, self._environment)
        self._client = self._manager.client(context=self._manager.context)
        self._client.start_channels(stdin=False, hb=False)
        await self._answer()
        watchdog = Watchdog(self._process.room, self._process.pid, self.settings)
        self._watch = asyncio.create_task(self._guard(watchdog))

    async def _answer(self) -> None:
        """Ask until a reply and an output message have come: only then are both channels connected."""
        while True:
            request = self.client.kernel_info()
            await self._shell_reply(request)
            while message := await self._next('iopub', 0.05):
                if parent_of(message) == request:
                    return

    async def _next(self, channel: str, timeout: float | None) -> dict[str, Any] | None:
        """The next message of a channel, None where none comes in time.

        The kernel belongs to the model's code: a message that cannot be read, or is not of the protocol's form, is
        an empty dict.
        """
        receive = self.client.get_shell_msg if channel == 'shell' else self.client.get_iopub_msg
        try:
            message = await receive(timeout=timeout)
        except queue.Empty:
            return None
        except UNREADABLE:
            await asyncio.sleep(0)  # a flood of them must not stop everything else
            return UNREADABLE_MESSAGE
        well_formed = isinstance(message.get('content'), dict) and isinstance(message.get('msg_type'), str)
        return message if well_formed else UNREADABLE_MESSAGE

    async def _guard(self, watchdog: Watchdog) -> None:
        """End the session when it is over a limit, or when it can no longer be watched."""
        try:
            self._cause = await watchdog.bark()
        except OSError as error:
            self._cause = f'the session could not be watched: {error.strerror}'
        await self._process.kill()

    async def fill(self, datasources: Path | None) -> None:
        """Copy a session's data into its working directory."""
        assert self._process.room is not None, 'started'
        if datasources is not None:
            await asyncio.to_thread(self._process.room.fill, datasources)

    @property
    def alive(self) -> bool:
        return self._process.alive

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
        request = self.client.execute(unicode_text(code), allow_stdin=False, stop_on_error=False)
        settings = self.settings
        collector = OutputCollector(settings.output_limit, settings.figure_limit, settings.figure_size)
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
            error=self._death() if status == 'kernel_died' else collector.error,
            seconds=time.monotonic() - started,
            truncated=collector.truncated,
        )
        return execution, usable

    def _death(self) -> ExecutionError:
        """Why the kernel died, as far as it is known."""
        if not self._cause and self._process.cgroup and self._process.cgroup.out_of_memory():
            self._cause = f'the session used more than {self.settings.memory / 2**30:.3g} GiB of memory'
        return ExecutionError(name='KernelDied', value=self._cause or 'the kernel process ended')

    async def _finish(self, request: str, timeout: float) -> tuple[Any, bool]:
        """Wait for the end of a request, by itself or by force: (status, whether the kernel is usable)."""
        try:
            async with asyncio.timeout(timeout):
                reply = await self._shell_reply(request)
            return ('ok' if reply['content'].get('status') == 'ok' else 'error'), True
        except KernelDiedError:
            return 'kernel_died', False
        except TimeoutError:
            if not self.alive:
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
            reply = await self._next('shell', POLL)
            if reply is None and not self.alive:
                raise KernelDiedError
            if reply and parent_of(reply) == request and reply['msg_type'].endswith('_reply'):
                return reply

    async def _collect(self, request: str, collector: OutputCollector) -> None:
        """Hand the outputs of `request` to the collector until the kernel says that it is idle again."""
        while True:
            message = await self._next('iopub', None)
            if not message:
                collector.truncated = True
                continue
            if parent_of(message) != request:
                continue
            if message['msg_type'] == 'status' and message['content'].get('execution_state') == 'idle':
                return
            collector.take(message)

    async def stop(self) -> None:
        """Kill the process and whatever it started, close the channels, delete the room."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.wait([self._watch])
        if self._client is not None:
            client = self._client  # whose `stop_channels` connects those that were never started
            for channel in (client.shell_channel, client.iopub_channel, client.control_channel):
                channel.stop()
        if self._process.has_process:
            await self._process.kill()
        await self._process.cleanup()
        self._manager._close_control_socket()
        self._manager.context.destroy(linger=0)
