"""No model: for agents that bring their own, which a run never asks."""

from __future__ import annotations

from collections.abc import Sequence

from cibench_eval.models.base import Stateless, Tool, Turn
from cibench_eval.schema import HarnessError, Message, Reply


class NoModel(Stateless):
    """A name in results for an agent with a model of its own."""

    async def chat(
        self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Sequence[Tool] = ()
    ) -> Reply:
        raise HarnessError('this run has no model to ask; choose one with --models')
