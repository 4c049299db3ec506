"""A session turned inside out, for frameworks that ask the model themselves: requests come out, replies go in."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from cibench_eval.agents.session import Session
from cibench_eval.agents.settings import SessionSettings
from cibench_eval.agents.slots import SessionSlots
from cibench_eval.interpreter.pool import KernelPool
from cibench_eval.models.base import Stateless, Tool, Turn
from cibench_eval.schema import Experiment, Message, Reply, Trace

SILENCE = Reply(text='', finish_reason='length')
"""The reply to every request of a session that is ended early: the steps that are left are not done."""


@dataclass(frozen=True)
class Request:
    """What a model is asked, with the place of the question in its session."""

    messages: list[Message]
    turn: Turn
    stop: list[str]
    tools: list[Tool]
    reply: asyncio.Future[Reply]
    """Where the answer goes."""


class ExternalModelSession:
    """A session whose model is whoever takes its requests.

    Args:
        experiment: what is asked.
        settings: how.
        slots: shared with other sessions; one waits here for its kernel before it asks anything.
        pool: kernels that are ready.
    """

    def __init__(
        self,
        experiment: Experiment,
        settings: SessionSettings,
        slots: SessionSlots | None = None,
        pool: KernelPool | None = None,
    ) -> None:
        self._asker = _Asker()
        session = Session(experiment, self._asker, settings, slots=slots, pool=pool)
        self._session = asyncio.create_task(session.run())

    async def next(self) -> Request | None:
        """The next request; None once the session is over.

        Raises:
            HarnessError: a fault of the machine or of ours.
        """
        waiting = asyncio.create_task(self._asker.requests.get())
        await asyncio.wait({waiting, self._session}, return_when=asyncio.FIRST_COMPLETED)
        if waiting.done():
            return waiting.result()
        waiting.cancel()
        self._session.result()
        return None

    async def end(self) -> Trace:
        """The session's trace. Steps that are not over by then get no further replies.

        Raises:
            HarnessError: a fault of the machine or of ours.
        """
        self._asker.hush()
        return await self._session


class _Asker(Stateless):
    """The model of such a session: it passes on what it is asked."""

    wants_reasoning = True

    def __init__(self) -> None:
        self.requests = asyncio.Queue[Request]()
        self._open: set[asyncio.Future[Reply]] = set()
        self._silent = False

    async def chat(
        self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Sequence[Tool] = ()
    ) -> Reply:
        if self._silent:
            return SILENCE
        reply = asyncio.get_running_loop().create_future()
        self._open.add(reply)
        self.requests.put_nowait(Request(messages, turn, list(stop), list(tools), reply))
        try:
            return await reply
        finally:
            self._open.discard(reply)

    def hush(self) -> None:
        """Answer nothing any more."""
        self._silent = True
        for reply in self._open:
            if not reply.done():
                reply.set_result(SILENCE)
