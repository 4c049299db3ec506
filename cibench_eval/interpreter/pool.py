"""A pool of started kernels: each is handed out once, and a new one starts in its place."""

import asyncio
import contextlib
import os
from collections import deque
from typing import Self

from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.kernel import Kernel
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.schema import HarnessError


class KernelPool:
    """Keeps `settings.pool_size` kernels ready, without data; for use within one event loop.

    Use it as an async context manager; at its end it stops the kernels that were not handed out.
    """

    def __init__(self, settings: KernelSettings) -> None:
        self.settings = settings
        self.environment = KernelEnvironment.find(settings.environment)
        self.sandbox = settings.chosen_sandbox()
        self.running = asyncio.Semaphore(settings.max_concurrent_cells or 2 * len(os.sched_getaffinity(0)))
        """Held by each running code block. The time limit of a block starts when it has it."""
        self._starting: deque[asyncio.Task[Kernel]] = deque()
        self._open = False

    async def __aenter__(self) -> Self:
        self._open = True
        self._refill()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._open = False
        starts, self._starting = list(self._starting), deque()
        await abandon(*starts)

    async def take(self) -> Kernel:
        """A fresh kernel, which the caller has to stop; a `HarnessError` where it could not be started.

        A failed start is repeated once: the machine may have ended it. One that had failed before its kernel was wanted
        does not count.
        """
        with contextlib.suppress(HarnessError):
            return await self._first()
        return await self._start()

    async def _first(self) -> Kernel:
        while self._starting:
            task = self._starting.popleft()
            self._refill()
            if task.done() and task.exception():
                continue
            kernel = await finish(task)
            if kernel.alive:
                return kernel
            await kernel.stop()
        return await self._start()

    def _refill(self) -> None:
        while self._open and len(self._starting) < self.settings.pool_size:
            self._starting.append(asyncio.create_task(self._start()))

    async def _start(self) -> Kernel:
        kernel = Kernel(self.settings, self.environment, self.sandbox)
        await kernel.start()
        return kernel


async def finish(start: asyncio.Task[Kernel]) -> Kernel:
    """Await a start; on cancellation stop its kernel."""
    try:
        return await start
    except asyncio.CancelledError:
        await abandon(start)
        raise


async def abandon(*starts: asyncio.Task[Kernel]) -> None:
    """Cancel starts, and stop the kernels that they have already started."""
    for start in starts:
        start.cancel()
    for outcome in await asyncio.gather(*starts, return_exceptions=True):
        if isinstance(outcome, Kernel):
            await outcome.stop()
