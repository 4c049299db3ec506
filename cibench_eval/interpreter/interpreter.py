"""A session's interpreter: one kernel, replaced when it dies, with what had succeeded run again in the new one.

async with Interpreter(settings) as interpreter:
    execution = await interpreter.run('1 + 1')

with BlockingInterpreter(settings) as interpreter:
    execution = interpreter.run('1 + 1')
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, Self, TypeVar

from cibench_eval.interpreter.budget import within
from cibench_eval.interpreter.kernel import Kernel
from cibench_eval.interpreter.pool import KernelPool, abandon, finish
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.schema import Execution
from cibench_eval.states import States

T = TypeVar('T')
PATIENCE = 20
"""How many times as long as all new blocks of a session its repeated ones may take. What is left then is left out."""


class Interpreter:
    """Runs code blocks one after the other in a state of their own.

    Use it as an async context manager. No two interpreters share a process, a folder or a namespace.

    Args:
        settings: how code is run.
        pool: where kernels come from, made with the same settings (`datasources` may differ); None starts them
            when they are needed.
        keep_outputs: whether `succeeded` tells what its blocks showed.
    """

    def __init__(self, settings: KernelSettings, pool: KernelPool | None = None, *, keep_outputs: bool = False) -> None:
        self.settings = settings
        self._pool = pool or KernelPool(settings)
        self._keep_outputs = keep_outputs
        self.succeeded: list[tuple[str, Execution]] = []
        """The code blocks that ran without error and what they did, in order: the state of this session."""
        self.clean = True
        """Whether the state is that of `succeeded` alone: no block failed half-way."""
        self._room = settings.session_output
        """Bytes that are left for outputs."""
        self._recovery = 0.0
        """Seconds of blocks that were repeated since the last new one."""
        self._patience = settings.timeout
        """Seconds that are left for repeated blocks."""
        self._kernel: Kernel | None = None
        self._start_of_first: asyncio.Task[Kernel] | None = None

    async def __aenter__(self) -> Self:
        """Begin to start a kernel; whoever has something else to do meanwhile (ask a model, say) need not wait."""
        self._start_of_first = asyncio.create_task(self._start())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._start_of_first is not None:
            await abandon(self._start_of_first)
        await self._stop()

    async def ready(self) -> Kernel:
        """Wait until there is a kernel to take code; in the place of a dead one, a new one in the same state.

        Raises:
            HarnessError: it could not be started.
        """
        start, self._start_of_first = self._start_of_first, None
        if start is not None:
            self._kernel = await finish(start)
        if self._kernel is not None and not self._kernel.alive:
            await self._stop()
        if self._kernel is None:
            self._kernel = await self._recover()
        return self._kernel

    @property
    def intact(self) -> bool:
        """Whether its kernel is there or on its way: nothing has to be recovered."""
        return self._start_of_first is not None or (self._kernel is not None and self._kernel.alive)

    async def run(self, code: str, timeout: float | None = None) -> Execution:
        """Run a code block; after a death of the kernel, in a new one brought to the same state.

        Args:
            code: Python, with IPython's magics and shell escapes as the sandbox allows.
            timeout: wall-clock seconds, by default the settings'.

        Raises:
            HarnessError: a new kernel could not be started.
        """
        kernel = await self.ready()
        execution, usable = await self._execute(kernel, code, timeout or self.settings.timeout)
        execution, taken = within(execution, self._room)
        self._room -= taken
        self._patience += PATIENCE * execution.seconds
        execution, self._recovery = execution.model_copy(update={'recovery': self._recovery}), 0.0
        if execution.status == 'ok':
            kept = execution if self._keep_outputs else execution.model_copy(update={'outputs': []})
            self.succeeded.append((code, kept))
        elif usable:
            self.clean = False
        else:
            await self._stop()
            execution = self._with_consequence(execution)
        return execution

    async def describe(self, names: list[str]) -> States:
        """What variables hold now, by name: only those that are there, so none where there is no kernel.

        A kernel that does not answer is stopped; the next block finds what it finds after any death of a kernel.
        """
        kernel = self._kernel
        if not names or kernel is None or not kernel.alive:
            return {}
        async with self._pool.running:
            states, usable = await kernel.describe(names)
        if not usable:
            await self._stop()
        return states

    async def _execute(self, kernel: Kernel, code: str, timeout: float) -> tuple[Execution, bool]:
        async with self._pool.running:
            return await kernel.execute(code, timeout)

    def _with_consequence(self, execution: Execution) -> Execution:
        """An execution that cost the kernel, which says in what state the next one finds the session."""
        if execution.error is None or execution.status != 'kernel_died':
            return execution
        then = (
            'starts empty' if self.settings.recover == 'fresh' else 'takes its place, with what had run without error'
        )
        error = execution.error.model_copy(update={'value': f'{execution.error.value}; a new kernel {then}'})
        return execution.model_copy(update={'error': error})

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

    async def _recover(self) -> Kernel:
        """A new kernel, in which what had succeeded has run again unless the settings say otherwise.

        Blocks that had failed are not repeated, so their half-done effects are gone, and a later block that
        stood on one of them may fail now: it is left out of the state, as is one that kills the new kernel, and what
        there is no more time for.
        """
        self.clean = True
        if self.settings.recover == 'fresh':
            self.succeeded.clear()
        while True:
            kernel = await self._start()
            broken = await self._replay(kernel)
            if broken is None:
                return kernel
            self.succeeded.pop(broken)
            await kernel.stop()

    async def _replay(self, kernel: Kernel) -> int | None:
        """Run the state's blocks in `kernel`; the index of one that cost the kernel, None if it lives."""
        replayed: list[tuple[str, Execution]] = []
        for index, (code, first) in enumerate(self.succeeded):
            if self._patience <= 0:
                break
            execution, usable = await self._execute(kernel, code, min(self.settings.timeout, self._patience))
            self._recovery += execution.seconds
            self._patience -= execution.seconds
            if not usable:
                return index
            if execution.status == 'ok':
                replayed.append((code, first))
        self.clean = len(replayed) == len(self.succeeded)
        self.succeeded = replayed
        return None


class BlockingInterpreter:
    """An Interpreter for code without an event loop, or inside someone else's (a notebook's, say).

    Use it as a context manager, or call `start` and `close`. It may be used from any one thread at a time.
    """

    def __init__(self, settings: KernelSettings) -> None:
        self.settings = settings
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name='interpreter', daemon=True)
        self._interpreter = Interpreter(settings)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start the kernel.

        Raises:
            HarnessError: it could not be started.
        """
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
        return self._wait(self._interpreter.run(code, timeout))

    def close(self) -> None:
        """End the session."""
        try:
            self._wait(self._interpreter.__aexit__(None, None, None))
        finally:
            self._end()

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _end(self) -> None:
        self._wait(self._loop.shutdown_default_executor())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
