"""Backends that answer from what is known: the gold code."""

from __future__ import annotations

from cibench_eval.models.base import Stateless, Turn
from cibench_eval.schema import Message, Reply


class GoldReplay(Stateless):
    """Answers every question with its gold code: the ceiling of this machine, and the check of the whole path."""

    async def chat(self, messages: list[Message], turn: Turn, stop: list[str]) -> Reply:
        return Reply(text=turn.gold)
