"""One IPython kernel process: start, run code, interrupt, stop. Messages travel over unix sockets."""

from __future__ import annotations

import asyncio
import json
import logging
import queue
import time
from pathlib import Path
from typing import Any, Literal

import zmq
from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager

from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.outputs import OutputCollector
from cibench_eval.interpreter.provisioner import SessionProvisioner
from cibench_eval.interpreter.sandboxes.base import Sandbox
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.interpreter.watchdog import Watchdog
from cibench_eval.schema import Execution, ExecutionError, HarnessError, unicode_text

POLL = 0.2
"""Seconds between looks at whether a silent kernel is still alive."""
QUIET, QUIET_DEAD = 5.0, 0.1
"""Seconds without a message after which a kernel that is done, or gone, has nothing more to say."""
WAITING_MESSAGES = 8
"""Messages that may wait in a socket of the harness; more wait in the kernel, in its own memory."""
NEVER = 10**9
"""Milliseconds. (-1 means never, too, but then libzmq aborts where a connection ends in the middle of a message.)"""
MOST_COMMAS = 3_000_000
"""In a message. JSON of nothing but commas takes thirty times its size when it is read."""
UNREADABLE = (ValueError, KeyError, IndexError, AttributeError, TypeError, RecursionError)
"""What jupyter_client raises at messages with a wrong signature, too few parts, or JSON of another form."""
UNREADABLE_MESSAGE: dict[str, Any] = {}
SILENT = logging.Logger('jupyter_client', logging.CRITICAL)
"""jupyter_client logs what it also raises."""

Message = dict[str, Any]
Ended = Literal['ok', 'error', 'timeout', 'kernel_died']


class KernelDiedError(Exception):
    """The kernel process ended while it was asked for something."""


class _Manager(AsyncKernelManager):
    """Gives jupyter_client our provisioner; the kernel writes its connection file itself, where it lives."""

    def write_connection_file(self, **_: Any) -> None:
        return None


class Kernel:
    """A kernel in a sandbox of its own. Start it once, copy data into it once, stop it once."""

    def __init__(self, settings: KernelSettings, environment: KernelEnvironment, sandbox: Sandbox) -> None:
        self.settings = settings
        self._environment = environment
        self._manager = _Manager(transport='ipc', log=SILENT)
        self._manager.session.unpack = parse_json
        for option, value in self._socket_options().items():
            self._manager.context.setsockopt(option, value)
        self._manager._kernel_spec = KernelSpec(interrupt_mode='message', language='python')
        self._process = SessionProvisioner(settings, environment, sandbox, self._manager.session.key)
        self._manager.provisioner = self._process
        self._client: AsyncKernelClient | None = None
        self._watch: asyncio.Task[None] | None = None
        self._violation = ''
        """The limit for which it was ended."""
        self._received = 0
        """Messages read of the iopub channel."""

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
        await asyncio.to_thread(self._process.dirs.write_config, self._environment)
        self._client = self._manager.client(context=self._manager.context)
        self._client.start_channels(stdin=False, hb=False)
        await self._connect()
        watchdog = Watchdog(self._process.session, self.settings)
        if watchdog.limits:
            self._watch = asyncio.create_task(self._enforce(watchdog))

    async def _connect(self) -> None:
        """Ask until a reply and an output message have come: only then are both channels connected."""
        while True:
            request = self.client.kernel_info()
            await self._shell_reply(request)
            while message := await self._next('iopub', 0.05):
                if parent_of(message) == request:
                    return

    async def _next(self, channel: str, timeout: float | None) -> Message | None:
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

    async def _enforce(self, watchdog: Watchdog) -> None:
        """End the session when it is over a limit, or when it can no longer be watched."""
        try:
            self._violation = await watchdog.wait_for_violation()
        except OSError as error:
            self._violation = f'the session could not be watched: {error.strerror}'
        await self._process.kill()

    async def copy_data(self, datasources: Path | None) -> None:
        """Copy a session's data into its working directory."""
        if datasources is not None:
            await asyncio.to_thread(self._process.dirs.copy_data, datasources)

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
        try:
            status, reply = await self._finish(request, timeout)
            complete = await self._drain(reader, timeout, QUIET_DEAD if reply is None else QUIET)
        finally:
            reader.cancel()
            await asyncio.wait([reader])
        if complete:
            reader.result()  # raises what went wrong in it
        if reply is not None:
            collector.finish(reply['content'], complete)
        execution = Execution(
            status='error' if status == 'ok' and collector.error else status,
            outputs=collector.outputs,
            error=self._death() if status == 'kernel_died' else collector.error,
            seconds=time.monotonic() - started,
            truncated=collector.truncated,
        )
        return execution, reply is not None

    def _death(self) -> ExecutionError:
        """Why the kernel died, as far as it is known."""
        if not self._violation and self._process.session.out_of_memory():
            self._violation = f'the session used more than {self.settings.memory / 2**30:.3g} GiB of memory'
        return ExecutionError(name='KernelDied', value=self._violation or 'the kernel process ended')

    async def _finish(self, request: str, timeout: float) -> tuple[Ended, Message | None]:
        """Wait for the end of a request, by itself or by force: how it ended, and its reply if the kernel is usable."""
        try:
            async with asyncio.timeout(timeout):
                reply = await self._shell_reply(request)
            return ('ok' if reply['content'].get('status') == 'ok' else 'error'), reply
        except KernelDiedError:
            return 'kernel_died', None
        except TimeoutError:
            return ('timeout', await self._interrupt(request)) if self.alive else ('kernel_died', None)

    async def _interrupt(self, request: str) -> Message | None:
        """Interrupt a running block; its reply if it stopped and the kernel kept its state."""
        try:
            async with asyncio.timeout(self.settings.grace):
                await self._manager.interrupt_kernel()
                return await self._shell_reply(request)
        except (TimeoutError, KernelDiedError):
            return None

    async def _shell_reply(self, request: str) -> Message:
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
            self._received += 1
            if not message:
                collector.lost = True
                continue
            if parent_of(message) != request:
                continue
            if message['msg_type'] == 'status' and message['content'].get('execution_state') == 'idle':
                return
            try:
                collector.take(message)
            except UNREADABLE:
                collector.lost = True

    async def _drain(self, reader: asyncio.Task[None], timeout: float, quiet: float) -> bool:
        """Wait for outputs that are on their way, as long as messages keep coming; whether all came.

        It takes no longer than the block was allowed to: a thread of the block may go on for ever.
        """
        deadline = time.monotonic() + max(timeout, quiet)
        while not reader.done() and time.monotonic() < deadline:
            received = self._received
            await asyncio.wait([reader], timeout=quiet)
            if self._received == received and not self._message_waits():
                break
        return reader.done()

    def _message_waits(self) -> bool:
        """Whether an output has come that nobody had time to read."""
        return bool(self.client.iopub_channel.socket.get(zmq.EVENTS) & zmq.POLLIN)

    async def stop(self) -> None:
        """Kill the process and whatever it started, close the channels, delete its folders."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.wait([self._watch])
        if self._client is not None:
            client = self._client  # whose `stop_channels` connects those that were never started
            for channel in (client.shell_channel, client.iopub_channel, client.control_channel):
                channel.stop()
        await self._process.kill()
        await self._process.cleanup()
        self._manager._close_control_socket()
        self._manager.context.destroy(linger=0)


def parent_of(message: Message) -> object:
    """The id of the request that a message answers, as far as it says."""
    parent = message.get('parent_header')
    return parent.get('msg_id') if isinstance(parent, dict) else None


def parse_json(message: bytes) -> Any:
    """The content of a message.

    Raises:
        ValueError: it is no JSON, or made to fill the memory of who reads it.
    """
    if message.count(b',') > MOST_COMMAS:
        raise ValueError('too many commas')
    return json.loads(message)
