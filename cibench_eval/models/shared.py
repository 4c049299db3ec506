"""A model that sessions of several datasets ask: it is opened once and closed once."""

from __future__ import annotations

import asyncio
from typing import Any, Self

from cibench_eval.models.base import ChatModel, Wrapper


class SharedModel(Wrapper):
    """A chat model that may be opened by several users at the same time: the first opens it, the last closes it.

    Where it cannot be opened, everybody is told so and nobody tries again.
    """

    def __init__(self, model: ChatModel) -> None:
        super().__init__(model)
        self._users = 0
        self._opening: asyncio.Task[Any] | None = None

    async def __aenter__(self) -> Self:
        self._users += 1
        self._opening = self._opening or asyncio.create_task(self._model.__aenter__())
        opened = False
        try:
            await asyncio.shield(self._opening)
            opened = True
        finally:
            if not opened:
                self._users -= 1
        return self

    async def __aexit__(self, *error: Any) -> None:
        self._users -= 1
        if not self._users:
            self._opening = None
            await self._model.__aexit__(*error)
