"""The clean state after gold steps 0..i-1, for any number of attempts at step i."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Self

from cibench_eval.interpreter.interpreter import Interpreter
from cibench_eval.interpreter.pool import KernelPool
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.schema import Execution, HarnessError

IDLE = 2
"""Most kernels that are kept for later steps."""


class GoldFailsError(HarnessError):
    """Gold code fails here: the notebook and the kernel environment do not fit."""


class GoldStates:
    """Provides interpreters in gold states, any number at a time, by running the gold code in fresh kernels.

    A kernel is used again only while everything that ran in it is a prefix of the gold code, as after a model that
    answers like the gold.
    """

    def __init__(self, settings: KernelSettings, codes: list[str], pool: KernelPool | None = None) -> None:
        self._settings = settings
        self._pool = pool
        self._codes = [code.strip() for code in codes]
        self._idle: list[Interpreter] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        while self._idle:
            await self._idle.pop().__aexit__(None, None, None)

    @asynccontextmanager
    async def at(self, index: int) -> AsyncIterator[tuple[Interpreter, list[Execution]]]:
        """An interpreter in the state before gold step `index`, and the executions of the gold steps before it.

        Raises:
            GoldFailsError: gold code fails here.
            HarnessError: no kernel could be started.
        """
        fit = [interpreter for interpreter in self._idle if len(interpreter.succeeded) <= index]
        if fit:  # the one with the least left to replay
            interpreter = max(fit, key=lambda one: len(one.succeeded))
            self._idle.remove(interpreter)
        else:
            interpreter = await Interpreter(self._settings, self._pool, keep_outputs=True).__aenter__()
        try:
            await self._advance(interpreter, index)
            yield interpreter, [execution for _, execution in interpreter.succeeded]
        finally:
            if self._golden(interpreter) and len(self._idle) < IDLE:
                self._idle.append(interpreter)
            else:
                await interpreter.__aexit__(None, None, None)

    async def _advance(self, interpreter: Interpreter, index: int) -> None:
        for position in range(len(interpreter.succeeded), index):
            execution = await interpreter.run(self._codes[position])
            if execution.status != 'ok':
                why = execution.error.summary if execution.error else execution.status
                raise GoldFailsError(f'gold step {position + 1} fails in this kernel environment: {why[:300]}')

    def _golden(self, interpreter: Interpreter) -> bool:
        """Whether another step can go on from its state."""
        done = [code.strip() for code, _ in interpreter.succeeded]
        usable = interpreter.clean and interpreter.intact and len(done) < len(self._codes)
        return usable and done == self._codes[: len(done)]
