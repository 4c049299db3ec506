"""A model behind a server that the harness starts: the client of any endpoint, and what the server has to say."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Self

import openai

from cibench_eval.models.base import Tool, Turn
from cibench_eval.models.openai_compatible import OpenAICompatible
from cibench_eval.models.servers import Server, serve
from cibench_eval.schema import HarnessError, Message, Reply

LOOK = 1.0
"""Seconds between two looks at whether the server of a request still runs."""
LAST_BREATH = 10.0
"""Seconds in which a server ends whose connection was lost, if it is ending."""


class Served(OpenAICompatible):
    """What backends with a server of their own share; a subclass says how it is started.

    Args:
        path: the model's name at the server.
        startup_timeout: seconds the server may take to load the model.
        options: those of OpenAICompatible.
    """

    def __init__(self, path: str, startup_timeout: float, **options: Any) -> None:
        super().__init__(path, 'http://127.0.0.1', **options)
        self._startup_timeout = startup_timeout
        self._server: Server | None = None

    @abstractmethod
    def command(self) -> list[str]:
        """The command of the server; `{port}` in it stands for its port.

        Raises:
            CibenchError: something that it needs is not there.
        """

    def variables(self) -> Mapping[str, str] | None:
        """The environment of the server; None is that of the harness."""
        return None

    def check(self) -> None:
        super().check()
        self.command()

    async def __aenter__(self) -> Self:
        self._server = await serve(self.path, self.command(), self._startup_timeout, self.variables())
        self.base_url = self._server.base_url
        return await super().__aenter__()

    async def chat(
        self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Sequence[Tool] = ()
    ) -> Reply:
        asking = asyncio.create_task(super().chat(messages, turn, stop, tools))
        try:
            while not asking.done() and self._lives():
                await asyncio.wait([asking], timeout=LOOK)
            if asking.done():
                return asking.result()
        except HarnessError as error:
            if isinstance(error.__cause__, openai.APIConnectionError) and self._server:
                await self._server.end(LAST_BREATH)
            if self._lives():
                raise
        finally:
            asking.cancel()
        assert self._server is not None
        raise HarnessError(f'model {self.path}: {self._server.obituary()}')

    def _lives(self) -> bool:
        """Whether it makes sense to go on asking; a model that was not opened says so itself."""
        return self._server is None or self._server.running
