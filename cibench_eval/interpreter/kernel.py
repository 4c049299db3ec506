"""One IPython kernel process: start, run code, interrupt, stop. Messages travel over unix sockets."""

import asyncio
import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.messages import JSON_LIMIT, UNREADABLE, KernelMessage, Requests, read_message
from cibench_eval.interpreter.outputs import OutputCollector
from cibench_eval.interpreter.process import Channel, KernelProcess
from cibench_eval.interpreter.sandboxes.base import Sandbox
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.interpreter.watchdog import Watchdog
from cibench_eval.interpreter.zmtp import MOST_FRAMES, Connection, ConnectionEndedError
from cibench_eval.plots import PLOT_SIZE
from cibench_eval.schema import Execution, ExecutionError, HarnessError, unicode_text
from cibench_eval.states import States, read_states, unread

QUIET, QUIET_DEAD = 5.0, 0.1
"""Seconds without a message after which no more outputs are expected of a kernel that is done, or dead."""
MOST_WAITED = 3.0
"""Most waiting for a processor that a block is granted, as a multiple of its limit: its own children can make it wait
as well."""
DYING = 1.0
"""Seconds to wait for the death of a kernel that has closed its connections."""
DESCRIBING = 5.0
"""Time limit for describing variables. It takes milliseconds, more on a busy machine; only code that blocks the
description takes all of it."""
UNREADABLE_MESSAGE = KernelMessage('unreadable', {})

Ended = Literal['ok', 'error', 'timeout', 'kernel_died']


class KernelDiedError(Exception):
    """The kernel process ended during a request."""


class Kernel:
    """A kernel in a sandbox of its own. Start it once, copy data into it once, stop it once."""

    def __init__(self, settings: KernelSettings, environment: KernelEnvironment, sandbox: Sandbox) -> None:
        self.settings = settings
        self._environment = environment
        self._process = KernelProcess(settings, environment, sandbox)
        self._requests = Requests()
        self._connections: list[Connection] = []
        self._ending: asyncio.Task[None] | None = None
        self._watch: asyncio.Task[None] | None = None
        self._violation = ''
        """Why the harness ended it, in words."""
        self._received = 0
        """Messages received so far, plus steps of long ones."""

    async def start(self) -> None:
        """Start the process and wait until it answers on both channels.

        Raises:
            HarnessError: it ended or stayed silent; the message has its last line of output.
        """
        ready = False
        try:
            async with asyncio.timeout(self.settings.startup_timeout):
                await self._launch()
            ready = True
        except (TimeoutError, KernelDiedError, ConnectionEndedError) as error:
            cause = (
                f'no answer in {self.settings.startup_timeout:g} s' if isinstance(error, TimeoutError) else 'it died'
            )
            raise HarnessError(f'kernel: {self._environment.python} did not start: {cause}') from error
        finally:
            if not ready:
                await self.stop()

    async def _launch(self) -> None:
        await self._process.start()
        await asyncio.to_thread(self._process.dirs.write_config, self._environment)
        self._shell = await self._open('shell', 'DEALER')
        self._iopub = await self._open('iopub', 'SUB')
        self._control = await self._open('control', 'DEALER')
        self._ending = asyncio.create_task(self._note_end())
        await self._connect()
        watchdog = Watchdog(self._process.session, self.settings)
        if watchdog.watched:
            self._watch = asyncio.create_task(self._enforce(watchdog))

    async def _open(self, channel: Channel, kind: Literal['DEALER', 'SUB']) -> Connection:
        try:
            made = await Connection.open(self._process.socket(channel), kind, message_limit(self.settings))
        except OSError as error:  # it has ended since it began to listen
            raise ConnectionEndedError('') from error
        self._connections.append(made)
        return made

    async def _note_end(self) -> None:
        """Close the shell channel when the process ends: its children may still hold its sockets."""
        await self._process.wait()
        self._shell.close()

    async def _connect(self) -> None:
        """Ask until both a reply and an output message have come: then both channels are connected."""
        while True:
            request = self._requests.send(self._shell, 'kernel_info_request')
            await self._shell_reply(request)
            try:
                async with asyncio.timeout(0.05):
                    await self._message(self._iopub, request)
                return
            except TimeoutError:
                continue

    async def _message(self, connection: Connection, request: str) -> KernelMessage:
        """The next answer to a request; UNREADABLE_MESSAGE if it is malformed: code can send anything."""
        while True:
            frames = await connection.receive()
            self._received += 1
            try:
                message = read_message(frames, request)
            except UNREADABLE:
                return UNREADABLE_MESSAGE
            if message is not None:
                return message

    async def _enforce(self, watchdog: Watchdog) -> None:
        """End the session when it is over a limit or can no longer be watched."""
        try:
            violation = await watchdog.wait_for_violation()
        except OSError as error:
            violation = f'the session could not be watched: {error.strerror}'
        await self._end_for(violation)

    async def _end(self, error: ConnectionEndedError) -> None:
        """End a session whose kernel has ended its connection; if the kernel dies by itself, the sandbox knows why."""
        if not str(error):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(DYING):
                    await self._process.wait()
        await self._end_for(str(error))

    async def _end_for(self, violation: str) -> None:
        self._violation = self._violation or violation
        await self._process.kill()

    async def copy_data(self, datasources: Path | None) -> None:
        """Copy a session's data into its working directory."""
        if datasources is not None:
            await asyncio.to_thread(self._process.dirs.copy_data, datasources)

    @property
    def alive(self) -> bool:
        return self._process.session.alive

    @property
    def over_limit(self) -> str:
        """The limit that ended the session, in words; empty if it lives or the cause is unknown."""
        if not self._violation and not self.alive and self._process.session.out_of_memory():
            self._violation = self.settings.exceeded('memory')
        return self._violation

    async def execute(self, code: str, timeout: float) -> tuple[Execution, bool]:
        """Run one code block; the flag says whether the kernel can be used afterwards.

        A block over `timeout` seconds is interrupted; if it does not end within the grace period, its kernel is killed.
        Output of another block never counts as its output.
        """
        started = time.monotonic()
        await self._process.session.thaw()
        settings = self.settings
        collector = OutputCollector(settings.output_limit, settings.figure_limit, settings.figure_size)
        content = {'code': unicode_text(code), 'silent': False, 'allow_stdin': False, 'stop_on_error': False}
        request = self._requests.send(self._shell, 'execute_request', **content)
        reader = asyncio.create_task(self._collect(request, collector))
        try:
            status, reply = await self._finish(request, timeout)
            complete = await self._drain(reader, timeout, QUIET_DEAD if reply is None else QUIET)
        finally:
            reader.cancel()
            await asyncio.wait([reader])
        if complete:
            reader.result()  # raises its exception, if any
        if reply is not None:
            collector.finish(reply, complete)
        died = ExecutionError(name='KernelDied', value=self.over_limit or 'the kernel process ended')
        execution = Execution(
            status='error' if status == 'ok' and collector.error else status,
            outputs=collector.outputs,
            error=died if status == 'kernel_died' else collector.error,
            seconds=time.monotonic() - started,
            truncated=collector.truncated,
        )
        return execution, await self._freeze(reply)

    async def describe(self, names: list[str], *, hashed: bool = False) -> tuple[States, bool]:
        """What existing variables among `names` hold, or hashes of it; and whether the kernel answered in time.

        Code blocks do not notice. Code can forge the answer, so malformed or unasked entries are left out.
        """
        await self._process.session.thaw()
        # Our kernels know this request; Jupyter's do not.
        request = self._requests.send(self._shell, 'describe_request', names=names, hashed=hashed)
        ended, reply = await self._finish(request, DESCRIBING)
        await self._freeze(reply)
        if reply is None:
            await self._process.kill()
            return unread(names, 'KernelDied' if ended == 'kernel_died' else 'TimeoutError'), False
        found = read_states(reply.parts.get('variables', b'')) or {}
        return {name: state for name, state in found.items() if name in names}, ended in ('ok', 'error')

    async def _freeze(self, reply: KernelMessage | None) -> bool:
        """Stop the session until the next request; return whether its kernel can be used then."""
        if reply is not None and not await self._process.session.freeze():
            await self._end_for('the session starts processes faster than they can be stopped')
        return reply is not None and self.alive

    async def _finish(self, request: str, timeout: float) -> tuple[Ended, KernelMessage | None]:
        """Wait for the end of a request, or force it: how it ended, and the reply if the kernel is usable."""
        waiting = asyncio.create_task(self._shell_reply(request))
        try:
            if not await overruns(waiting, timeout, self._process.session.waited):
                reply = waiting.result()
                return ('ok' if reply.content.get('status') == 'ok' else 'error'), reply
            return ('timeout', await self._interrupt(waiting)) if self.alive else ('kernel_died', None)
        except KernelDiedError:
            return 'kernel_died', None
        finally:
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)

    async def _interrupt(self, waiting: asyncio.Task[KernelMessage]) -> KernelMessage | None:
        """Interrupt a running block; its reply if it stopped, so that the kernel kept its state.

        The interrupt has to be over, too: it would meet the next block where this one has ended by itself meanwhile.
        """
        request = self._requests.send(self._control, 'interrupt_request')
        over = asyncio.create_task(self._message(self._control, request))
        both = asyncio.gather(waiting, over, return_exceptions=True)
        await overruns(both, self.settings.grace, self._process.session.waited)
        over.cancel()
        failed = [one for one in (waiting, over) if not one.done() or one.exception()]
        return None if failed else waiting.result()

    async def _shell_reply(self, request: str) -> KernelMessage:
        """The reply to `request`; other replies are skipped; a `KernelDiedError` where the process is gone."""
        while True:
            try:
                reply = await self._message(self._shell, request)
            except ConnectionEndedError as error:
                await self._end(error)
                raise KernelDiedError from error
            if reply.kind.endswith('_reply'):
                return reply

    async def _collect(self, request: str, collector: OutputCollector) -> None:
        """Hand the outputs of `request` to the collector until the kernel is idle again."""
        while True:
            try:
                message = await self._message(self._iopub, request)
            except ConnectionEndedError as error:
                collector.lost = True
                await self._end(error)
                return
            if message is UNREADABLE_MESSAGE:
                collector.lost = True
                continue
            if message.kind == 'status' and message.content.get('execution_state') == 'idle':
                return
            for _ in collector.steps(message):
                self._received += 1
                await asyncio.sleep(0)

    async def _drain(self, reader: asyncio.Task[None], timeout: float, quiet: float) -> bool:
        """Wait for late outputs as long as messages keep coming; return whether all came."""
        deadline = time.monotonic() + max(timeout, quiet)  # a thread of the block may show something for ever
        while not reader.done() and time.monotonic() < deadline:
            received = self._received
            await asyncio.wait([reader], timeout=quiet)
            if self._received == received:
                break
        return reader.done()

    async def stop(self) -> None:
        """Kill the process and its descendants, close the channels, delete the folders."""
        for task in (self._ending, self._watch):
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
        for connection in self._connections:
            connection.close()
        await self._process.kill()
        await self._process.session.close()


async def overruns(task: asyncio.Future[Any], timeout: float, waited: Callable[[], float]) -> bool:
    """Wait for a task, or until its `timeout` in seconds is over; return whether that was first.

    A task can be late by itself, or because its process `waited` so many seconds for a processor since its start, or
    because the harness had no time to check. Only the first counts.
    """
    started, waited_before = time.monotonic(), waited()
    while not task.done():
        due = started + timeout + min(waited() - waited_before, MOST_WAITED * timeout)
        left = due - time.monotonic()
        if left <= 0:
            return True
        await asyncio.wait([task], timeout=left)
        late = max(0.0, time.monotonic() - due)
        await asyncio.wait([task], timeout=late)  # read what came while this process stood still
    return False


def message_limit(settings: KernelSettings) -> int:
    """Bytes of the largest message that our kernels send: an image with its description, and two texts."""
    return settings.figure_size + PLOT_SIZE + 2 * (4 * settings.output_limit + 100) + MOST_FRAMES // 2 * JSON_LIMIT
