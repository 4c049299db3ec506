"""No model: for agents that bring their own."""

from __future__ import annotations

from collections.abc import Sequence

from cibench_eval.models.base import Stateless, Tools, Turn
from cibench_eval.schema import HarnessError, Message, Reply


class NoModel(Stateless):
    """Gives the results of an agent with its own model a name."""

    async def chat(self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Tools = ()) -> Reply:
        raise HarnessError('this run has no model to ask; choose one with --models')
