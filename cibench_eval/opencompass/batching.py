"""Requests that come at the same time, answered in one call: for models that take lists and no second thread."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from cibench_eval.schema import HarnessError

logger = logging.getLogger(__name__)
GATHERING = 0.02
"""Seconds that a free model waits for further requests: what sessions do between replies takes longer, what makes
them start together does not."""


@dataclass(eq=False)
class _Waiting:
    request: Any
    kind: object
    reply: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Batcher:
    """Gathers waiting requests into one call when the model becomes free, in the order of asking.

    Args:
        name: of the model, for messages.
        call: answers a list of requests of the same kind, in their order. It is called in one thread of its own,
            never twice at a time.
        size: requests of a call, at most.
    """

    def __init__(self, name: str, call: Callable[[list[Any], Any], list[Any]], size: int = 1) -> None:
        self.size = size
        self._name = name
        self._call = call
        self._queue: deque[_Waiting] = deque()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f'model {name}')
        self._worker: asyncio.Task[None] | None = None

    async def ask(self, request: Any, kind: object = None) -> Any:
        """The reply to a request. Requests of one kind share a call, and its `HarnessError` if it fails."""
        if self._worker is None or self._worker.done():
            self._queue.clear()  # of an event loop that is gone
            self._worker = asyncio.create_task(self._work())
        waiting = _Waiting(request, kind)
        self._queue.append(waiting)
        return await waiting.reply

    def close(self) -> None:
        """Drop waiting requests without a reply; a call that has begun runs to its end in its thread."""
        if self._worker is not None:
            self._worker.cancel()
        self._worker = None

    async def _work(self) -> None:
        while self._queue:
            if self.size > 1:
                await asyncio.sleep(GATHERING)
            if batch := self._next_batch():
                await self._answer(batch)

    def _next_batch(self) -> list[_Waiting]:
        """The first waiting request, and further ones of its kind."""
        waiting = [one for one in self._queue if not one.reply.done()]
        batch = [one for one in waiting if one.kind == waiting[0].kind][: self.size]
        self._queue = deque(one for one in waiting if one not in batch)
        return batch

    async def _answer(self, batch: list[_Waiting]) -> None:
        logger.debug('model %s: %d requests in one call', self._name, len(batch))
        loop = asyncio.get_running_loop()
        call = loop.run_in_executor(self._thread, self._call, [one.request for one in batch], batch[0].kind)
        await asyncio.wait([call])
        error = call.exception()
        replies = [] if error else call.result()
        for index, one in enumerate(batch):
            if one.reply.done():  # it was cancelled
                continue
            if error or len(replies) != len(batch):
                one.reply.set_exception(self._fault(error, len(batch), len(replies)))
            else:
                one.reply.set_result(replies[index])

    def _fault(self, error: BaseException | None, requests: int, replies: int) -> HarnessError:
        if error is None:
            return HarnessError(f'model {self._name}: asked {requests} questions, it gave {replies} answers')
        cause = ' '.join(f'{type(error).__name__}: {error}'.split())[:300]
        fault = HarnessError(f'model {self._name}: a call with {requests} questions failed: {cause}')
        fault.__cause__ = error
        return fault
