"""A session for frameworks that ask the model themselves: requests come out, replies go in."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from cibench_eval.agents.session import Session
from cibench_eval.agents.settings import SessionSettings
from cibench_eval.agents.slots import SessionSlots
from cibench_eval.interpreter.pool import KernelPool
from cibench_eval.models.base import Stateless, Tool, Tools, Turn
from cibench_eval.schema import Experiment, Message, Reply, Trace
from cibench_eval.traces import Journal

SILENCE = Reply(text='', finish_reason='length')
"""The reply to every request after a session was ended early, so that its remaining steps are not done."""


@dataclass(frozen=True)
class Request:
    """A question to the model, with its position in the session."""

    messages: list[Message]
    turn: Turn
    stop: list[str]
    tools: list[Tool]
    reply: asyncio.Future[Reply]
    """Takes the answer."""


class ExternalModelSession(Stateless):
    """A session whose caller is the model: it is asked by the session, and hands the questions out.

    Args:
        slots: shared with other sessions; a session waits for its slot before it asks anything.
        pool: kernels that are ready.
        journal: is told of each finished step.
        wants_reasoning: whether later requests repeat the reasoning of replies.
    """

    def __init__(
        self,
        experiment: Experiment,
        settings: SessionSettings,
        slots: SessionSlots | None = None,
        pool: KernelPool | None = None,
        journal: Journal | None = None,
        wants_reasoning: bool = True,
    ) -> None:
        self.wants_reasoning = wants_reasoning
        self._requests = asyncio.Queue[Request | None]()
        """Requests that no caller has taken yet; None comes last, when the session is over."""
        self._open: set[asyncio.Future[Reply]] = set()
        self._silent = False
        session = Session(experiment, self, settings, slots=slots, pool=pool, journal=journal)
        self._session = asyncio.create_task(session.run())
        self._session.add_done_callback(lambda _: self._requests.put_nowait(None))

    async def chat(self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Tools = ()) -> Reply:
        """Hand a question of the session out, and wait for the caller's answer."""
        if self._silent:
            return SILENCE
        reply = asyncio.get_running_loop().create_future()
        self._open.add(reply)
        self._requests.put_nowait(Request(messages, turn, list(stop), list(tools), reply))
        try:
            return await reply
        finally:
            self._open.discard(reply)

    async def next(self) -> Request | None:
        """The next request; None once the session is over; a `HarnessError` where the harness or the machine failed."""
        request = await self._requests.get()
        if request is None:
            self._requests.put_nowait(None)
            self._session.result()
        return request

    async def end(self) -> Trace:
        """End the session, and return its trace. Unfinished steps get no further replies.

        Raises:
            HarnessError: the harness or the machine failed.
        """
        self._silent = True
        for reply in self._open:
            if not reply.done():
                reply.set_result(SILENCE)
        return await self._session

    async def close(self) -> None:
        """Stop the session wherever it is; there is no trace of it."""
        self._session.cancel()
        await asyncio.wait({self._session})
