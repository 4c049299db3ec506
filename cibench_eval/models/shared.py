"""A model that sessions of several datasets ask: it is opened once and closed once."""

from typing import Any, Self

from cibench_eval.models.base import ChatModel, Wrapper


class SharedModel(Wrapper):
    """A chat model that several users may open at the same time: the first opens it, the last closes it."""

    def __init__(self, model: ChatModel) -> None:
        super().__init__(model)
        self._users = 0

    async def __aenter__(self) -> Self:
        self._users += 1
        try:
            await self.open_once()
        except BaseException:
            self._users -= 1
            raise
        return self

    async def __aexit__(self, *error: Any) -> None:
        self._users -= 1
        if not self._users:
            self._opening = None
            await self._model.__aexit__(*error)
