"""A session's interpreter: one kernel, replaced when it dies, with what had succeeded run again in the new one."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.kernel import Kernel
from cibench_eval.interpreter.sandbox import choose
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.schema import Execution


class Interpreter:
    """Runs code blocks one after the other in a state of their own.

    Use it as an async context manager. No two interpreters share a process, a folder or a namespace.
    """

    def __init__(self, settings: KernelSettings) -> None:
        self.settings = settings
        self.environment = KernelEnvironment.find(settings.environment)
        self.sandbox = choose(settings.sandbox)
        self.succeeded: list[tuple[str, Execution]] = []
        """The code blocks that ran without error and what they did, in order: the state of this session."""
        self.clean = True
        """Whether the state is that of `succeeded` alone: no block failed half-way."""
        self._kernel: Kernel | None = None

    async def __aenter__(self) -> Self:
        self._kernel = await self._start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()

    async def run(self, code: str, timeout: float | None = None) -> Execution:
        """Run a code block; after a death of the kernel, in a new one brought to the same state.

        Args:
            code: Python, with IPython's magics and shell escapes as the sandbox allows.
            timeout: wall-clock seconds, by default the settings'.

        Raises:
            HarnessError: a new kernel could not be started.
        """
        if self._kernel is None:
            self._kernel = await self._recover()
        execution, usable = await self._kernel.execute(code, timeout or self.settings.timeout)
        if execution.status == 'ok':
            self.succeeded.append((code, execution))
        elif usable:
            self.clean = False
        else:
            await self._stop()
        return execution

    async def _start(self) -> Kernel:
        kernel = Kernel(self.settings, self.environment, self.sandbox)
        await kernel.start()
        return kernel

    async def _stop(self) -> None:
        kernel, self._kernel = self._kernel, None
        if kernel is not None:
            await kernel.stop()

    async def _recover(self) -> Kernel:
        """A new kernel in which what had succeeded has run again.

        Blocks that had failed are not repeated, so their half-done effects are gone, and a later block that
        stood on one of them may fail now: it is left out of the state, as is one that kills the new kernel.
        """
        self.clean = True
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
        for index, (code, _) in enumerate(self.succeeded):
            execution, usable = await kernel.execute(code, self.settings.timeout)
            if not usable:
                return index
            if execution.status == 'ok':
                replayed.append((code, execution))
        self.clean = len(replayed) == len(self.succeeded)
        self.succeeded = replayed
        return None
