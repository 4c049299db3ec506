"""Questions that are asked at the same time, answered in one call: for models that take lists and no second thread."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from cibench_eval.schema import HarnessError

logger = logging.getLogger(__name__)
GATHERING = 0.02
"""Seconds that a free model waits for further questions: what sessions do between replies takes longer, what makes
them start together does not."""

Question = TypeVar('Question')
Answer = TypeVar('Answer')


@dataclass(eq=False)
class _Waiting(Generic[Question, Answer]):
    question: Question
    kind: object
    answer: asyncio.Future[Answer] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Batcher(Generic[Question, Answer]):
    """Gathers what waits when the model becomes free into one call, in the order of asking.

    Args:
        name: of the model, for messages.
        call: answers a list of questions of the same kind, in their order. It is called in one thread of its own,
            never twice at a time.
        size: questions of a call, at most.
    """

    def __init__(self, name: str, call: Callable[[list[Question], object], list[Answer]], size: int = 1) -> None:
        self.size = size
        self._name = name
        self._call = call
        self._waiting: deque[_Waiting[Question, Answer]] = deque()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f'model {name}')
        self._worker: asyncio.Task[None] | None = None

    async def ask(self, question: Question, kind: object = None) -> Answer:
        """The answer to a question; only questions of the same kind share a call.

        Raises:
            HarnessError: the call failed; each of its questions gets the same line.
        """
        if self._worker is None or self._worker.done():
            self._waiting.clear()  # of an event loop that is gone
            self._worker = asyncio.create_task(self._work())
        waiting = _Waiting[Question, Answer](question, kind)
        self._waiting.append(waiting)
        return await waiting.answer

    def close(self) -> None:
        """Let go of who still waits; a call that has begun comes to its end in its thread."""
        if self._worker is not None:
            self._worker.cancel()
        self._worker = None

    async def _work(self) -> None:
        while self._waiting:
            if self.size > 1:
                await asyncio.sleep(GATHERING)
            if batch := self._next():
                await self._answer(batch)

    def _next(self) -> list[_Waiting[Question, Answer]]:
        """Who is served next: the first of those that still wait, and what of its kind stands behind it."""
        waiting = [one for one in self._waiting if not one.answer.done()]
        batch = [one for one in waiting if one.kind == waiting[0].kind][: self.size]
        self._waiting = deque(one for one in waiting if one not in batch)
        return batch

    async def _answer(self, batch: list[_Waiting[Question, Answer]]) -> None:
        logger.debug('model %s: %d questions in one call', self._name, len(batch))
        loop = asyncio.get_running_loop()
        call = loop.run_in_executor(self._thread, self._call, [one.question for one in batch], batch[0].kind)
        await asyncio.wait([call])
        error = call.exception()
        answers = [] if error else call.result()
        for index, one in enumerate(batch):
            if one.answer.done():
                continue
            if error or len(answers) != len(batch):
                one.answer.set_exception(self._fault(error, len(batch), len(answers)))
            else:
                one.answer.set_result(answers[index])

    def _fault(self, error: BaseException | None, asked: int, answered: int) -> HarnessError:
        if error is None:
            return HarnessError(f'model {self._name}: asked {asked} questions, it gave {answered} answers')
        said = ' '.join(f'{type(error).__name__}: {error}'.split())[:300]
        fault = HarnessError(f'model {self._name}: a call with {asked} questions failed: {said}')
        fault.__cause__ = error
        return fault
