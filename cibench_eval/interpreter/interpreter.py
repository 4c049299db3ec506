"""A session's interpreter: one kernel, replaced when it dies.

A kernel can die of its code or of the machine (a kill from outside, a lack of memory). Code can forge what a kernel
says about its end, so only a second try tells the two apart: everything that ran in the kernel runs again in a new one,
and then the block at which it died. If that works, the machine was to blame, and the session goes on as if nothing had
happened. If the new kernel dies too, the code is to blame: the block has cost its kernel, and the next kernel repeats
the blocks that had succeeded.
"""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, Self, TypeVar

from cibench_eval.interpreter.kernel import Kernel
from cibench_eval.interpreter.outputs import within
from cibench_eval.interpreter.pool import KernelPool, abandon, finish
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.schema import CibenchError, Execution
from cibench_eval.states import States, unread

T = TypeVar('T')
REPLAY_FACTOR = 20
"""Replay budget of a session, as a multiple of the time of its new code. Beyond it, blocks are not repeated."""


class Interpreter:
    """Runs code blocks one after the other in a state of their own.

    Use it as an async context manager. No two interpreters share a process, a folder or a namespace.

    Args:
        pool: where kernels come from, made with the same settings (`datasources` may differ); None starts each kernel
            when it is needed.
        keep_outputs: whether `succeeded` keeps the outputs of its blocks.
    """

    def __init__(self, settings: KernelSettings, pool: KernelPool | None = None, *, keep_outputs: bool = False) -> None:
        self.settings = settings
        self._pool = pool or KernelPool(settings)
        self._keep_outputs = keep_outputs
        self.succeeded: list[tuple[str, Execution]] = []
        """The code blocks that ran without error, with their executions, in order: the state of this session."""
        self.clean = True
        """Whether `succeeded` alone explains the state: no block failed half-way."""
        self._ran: list[tuple[str, Execution]] = []
        """Every block that has ended in this kernel, failed or not."""
        self._room = settings.session_output
        """Bytes left for outputs."""
        self._recovery = 0.0
        """Seconds of blocks repeated since the last new block."""
        self._replay_seconds_left = settings.timeout
        """Seconds left for repeated blocks."""
        self._kernel: Kernel | None = None
        self._start_of_first: asyncio.Task[Kernel] | None = None

    async def __aenter__(self) -> Self:
        """Begin to start a kernel, without waiting for it: `ready` does."""
        self._start_of_first = asyncio.create_task(self._start())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._start_of_first is not None:
            await abandon(self._start_of_first)
        await self._stop()

    async def ready(self) -> Kernel:
        """Wait for a kernel that takes code; a dead one is replaced by a new one in its state.

        Raises:
            HarnessError: it could not be started.
        """
        start, self._start_of_first = self._start_of_first, None
        if start is not None:
            self._kernel = await finish(start)
        kernel = self._kernel
        if kernel is not None and not kernel.alive:
            kernel = await self._restore()
        if kernel is None:
            kernel = await self._recover()
        return kernel

    @property
    def intact(self) -> bool:
        """Whether its kernel lives or is being started: nothing has to be recovered."""
        return self._start_of_first is not None or (self._kernel is not None and self._kernel.alive)

    async def run(self, code: str, timeout: float | None = None) -> Execution:
        """Run a code block; if its kernel dies of no limit, run it once more in a new kernel in the same state.

        Args:
            code: Python, with IPython's magics and shell escapes as the sandbox allows.
            timeout: wall-clock seconds, by default the settings'.

        Raises:
            HarnessError: a new kernel could not be started.
        """
        timeout = timeout or self.settings.timeout
        execution, usable = await self._execute(await self.ready(), code, timeout)
        if execution.status == 'kernel_died' and (kernel := await self._restore()):
            self._charge_replay(execution)
            execution, usable = await self._execute(kernel, code, timeout)
        execution, taken = within(execution, self._room)
        self._room -= taken
        self._replay_seconds_left += REPLAY_FACTOR * execution.seconds
        execution, self._recovery = execution.model_copy(update={'recovery': self._recovery}), 0.0
        if not usable and execution.status not in ('ok', 'error'):
            await self._stop()
            if execution.status == 'kernel_died' and (error := execution.error):
                then = f'{error.value}; a new kernel takes its place, with what had run without error'
                execution = execution.model_copy(update={'error': error.model_copy(update={'value': then})})
            return execution
        kept = execution if self._keep_outputs else execution.model_copy(update={'outputs': []})
        self._ran.append((code, kept))
        if execution.status == 'ok':
            self.succeeded.append((code, kept))
        else:
            self.clean = False
        return execution

    async def describe(self, names: list[str], *, hashed: bool = False) -> States:
        """What variables hold now, by name. Missing variables are left out; without a kernel, all are missing.

        Of `hashed` ones the description is a hash alone, of the kind `hash`.

        If the kernel has died or does not answer in time, a new kernel in the same state is asked. Variables that this
        one cannot tell either are `unknown`: the code keeps them from being read.

        Raises:
            HarnessError: a new kernel could not be started.
        """
        kernel = self._kernel
        if not names or kernel is None:
            return {}
        states, answered = await self._ask(kernel, names, hashed)
        if not answered and (again := await self._restore()):
            states, answered = await self._ask(again, names, hashed)
        return states

    async def _ask(self, kernel: Kernel, names: list[str], hashed: bool) -> tuple[States, bool]:
        """What a kernel says of variables, and whether it answered in time."""
        if not kernel.alive:
            return unread(names, 'KernelDied'), False
        async with self._pool.running:
            return await kernel.describe(names, hashed=hashed)

    async def _execute(self, kernel: Kernel, code: str, timeout: float) -> tuple[Execution, bool]:
        async with self._pool.running:
            return await kernel.execute(code, timeout)

    async def _start(self) -> Kernel:
        kernel = await self._pool.take()
        copied = False
        try:
            await kernel.copy_data(self.settings.datasources)
            copied = True
        finally:
            if not copied:
                await kernel.stop()
        return kernel

    async def _stop(self) -> None:
        kernel, self._kernel = self._kernel, None
        if kernel is not None:
            await kernel.stop()

    async def _restore(self) -> Kernel | None:
        """Replace the kernel by a new one in which all its blocks have run again.

        None if it was over a limit, if there is no time left, or if a block ends in another way than before.
        """
        over = self._kernel is None or self._kernel.over_limit
        await self._stop()
        if over:
            return None
        self._kernel = await self._start()
        again, usable = await self._repeat(self._kernel, self._ran)
        if not usable or [one.status for one in again] != [one.status for _, one in self._ran]:
            await self._stop()
        return self._kernel

    async def _recover(self) -> Kernel:
        """Start a new kernel and repeat the blocks that had succeeded.

        Failed blocks are not repeated, so their half-done effects are gone, and a later block that needed one may fail
        now. A block that kills the new kernel is left out, too (after the first death it is tried once more), and so
        are those for which no time is left.
        """
        tried_again = False
        while True:
            kernel = self._kernel = await self._start()
            again, usable = await self._repeat(kernel, self.succeeded)
            if usable:
                break
            await self._stop()
            if tried_again:
                self.succeeded.pop(len(again))
            tried_again = True
        replayed = [block for block, one in zip(self.succeeded, again, strict=False) if one.status == 'ok']
        self.clean = len(replayed) == len(self.succeeded)
        self.succeeded, self._ran = replayed, list(replayed)
        return kernel

    async def _repeat(self, kernel: Kernel, blocks: list[tuple[str, Execution]]) -> tuple[list[Execution], bool]:
        """Run blocks again while there is time: their executions, and False if the next one has cost the kernel."""
        done: list[Execution] = []
        for code, _ in blocks:
            if self._replay_seconds_left <= 0:
                break
            execution, usable = await self._execute(kernel, code, min(self.settings.timeout, self._replay_seconds_left))
            self._charge_replay(execution)
            if not usable:
                return done, False
            done.append(execution)
        return done, True

    def _charge_replay(self, repeated: Execution) -> None:
        self._recovery += repeated.seconds
        self._replay_seconds_left -= repeated.seconds


class BlockingInterpreter:
    """An Interpreter for code without an event loop of its own, in a notebook for example.

    Use it as a context manager, or call `start` and `close`. Runs at the same time wait for each other.
    """

    def __init__(self, settings: KernelSettings) -> None:
        self.settings = settings
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name='interpreter', daemon=True)
        self._interpreter = Interpreter(settings)
        self._turn = threading.Lock()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the kernel; a `HarnessError` where it could not be started."""
        self._thread.start()
        started = False
        try:
            self._wait(self._interpreter.__aenter__())
            self._wait(self._interpreter.ready())
            started = True
        finally:
            if not started:
                self.close()

    def run(self, code: str, timeout: float | None = None) -> Execution:
        """Run a code block, as `Interpreter.run` does."""
        with self._turn:
            return self._wait(self._interpreter.run(code, timeout))

    def close(self) -> None:
        """End the session, unless it has ended."""
        if not self._thread.is_alive():
            return
        try:
            self._wait(self._interpreter.__aexit__(None, None, None))
        finally:
            self._wait(self._loop.shutdown_default_executor())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        if not self._thread.is_alive():
            work.close()
            raise CibenchError('the interpreter does not run: use it in its `with` block, or between start and close')
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()
