"""Base of backends whose server the harness starts: the client of any endpoint, and a watch on the server."""

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

CHECK_INTERVAL = 1.0
"""Seconds between two checks whether the server of a request still runs."""
ENDING = 10.0
"""Seconds within which a server whose connection was lost ends, if it is ending."""


class Served(OpenAICompatible):
    """Base of backends with a server of their own; a subclass adds its `command`.

    Args:
        path: the model's name at the server.
        startup_timeout: seconds the server may take to load the model.
        options: those of OpenAICompatible.
    """

    remote = False

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
            while not asking.done() and self._may_answer():
                await asyncio.wait([asking], timeout=CHECK_INTERVAL)
            if asking.done():
                return asking.result()
        except HarnessError as error:
            if isinstance(error.__cause__, openai.APIConnectionError) and self._server:
                await self._server.end(ENDING)
            if self._may_answer():
                raise
        finally:
            asking.cancel()
        assert self._server is not None
        raise HarnessError(f'model {self.path}: {self._server.exit_message()}')

    def _may_answer(self) -> bool:
        """Whether the server runs, or was never started: then asking raises what is to be said."""
        return self._server is None or self._server.running
