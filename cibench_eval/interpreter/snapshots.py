"""The state after gold steps 0..i-1, clean, for any number of attempts at step i."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from cibench_eval.interpreter.interpreter import Interpreter
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.schema import Execution, HarnessError


class GoldStates:
    """Gives interpreters in gold states, by replaying the gold code into a fresh kernel.

    A kernel is used on only while everything that ever ran in it is a prefix of the gold code (which is
    what a model that answers like the gold leaves behind); after anything else it is thrown away.
    """

    def __init__(self, settings: KernelSettings, codes: list[str]) -> None:
        self._settings = settings
        self._codes = [code.strip() for code in codes]
        self._interpreter: Interpreter | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._close()

    async def at(self, index: int) -> tuple[Interpreter, list[Execution]]:
        """An interpreter in the state before gold step `index`, and what the gold steps before it did.

        The interpreter given before is no longer valid.

        Raises:
            HarnessError: gold code fails here, so the notebook and the kernel environment do not fit.
        """
        interpreter = await self._reusable(index) or await self._fresh()
        for position in range(len(interpreter.succeeded), index):
            execution = await interpreter.run(self._codes[position])
            if execution.status != 'ok':
                why = f'{execution.error.name}: {execution.error.value}' if execution.error else execution.status
                raise HarnessError(f'gold step {position + 1} fails in this kernel environment: {why[:300]}')
        return interpreter, [execution for _, execution in interpreter.succeeded]

    async def _reusable(self, index: int) -> Interpreter | None:
        interpreter = self._interpreter
        if interpreter is None:
            return None
        done = [code.strip() for code, _ in interpreter.succeeded]
        if interpreter.clean and len(done) <= index and done == self._codes[: len(done)]:
            return interpreter
        await self._close()
        return None

    async def _fresh(self) -> Interpreter:
        self._interpreter = await Interpreter(self._settings).__aenter__()
        return self._interpreter

    async def _close(self) -> None:
        interpreter, self._interpreter = self._interpreter, None
        if interpreter is not None:
            await interpreter.__aexit__(None, None, None)
