"""Base of backends whose server the harness starts: the client of any endpoint, and a watch on the server."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Self

import httpx

from cibench_eval.models.base import Tools, Turn, Wrapper
from cibench_eval.models.connections import TIMEOUT
from cibench_eval.models.http_model import OpenAICompatible
from cibench_eval.models.servers import Server, serve
from cibench_eval.schema import GenerationConfig, HarnessError, Message, Reply

CHECK_INTERVAL = 1.0
"""Seconds between two checks that the server of a request still runs."""
ENDING = 10.0
"""Seconds that a server gets to end after its connection was lost; if it ends, that was the cause."""


@dataclass(eq=False)
class Served(Wrapper, ABC):
    """Base of backends with a server of their own; a subclass adds its `command`."""

    path: str
    """The model's name at the server."""
    _: KW_ONLY
    generation_kwargs: GenerationConfig | None = None
    """Sampling settings."""
    startup_timeout: float = 60.0
    """Seconds that the server may take to load the model."""
    timeout: float = TIMEOUT
    """Seconds that one try of a request may take."""

    def __post_init__(self) -> None:
        settings, timeout = self.generation_kwargs, self.timeout
        self._client = OpenAICompatible(self.path, 'http://127.0.0.1', generation_kwargs=settings, timeout=timeout)
        super().__init__(self._client)
        self._server: Server | None = None

    @abstractmethod
    def command(self) -> list[str]:
        """The command of the server, with `{port}` for its port; a `CibenchError` where what it needs is missing."""

    def environment(self) -> Mapping[str, str] | None:
        """The environment variables of the server; None gives the variables of the harness."""
        return None

    def check(self) -> None:
        super().check()
        self.command()

    async def __aenter__(self) -> Self:
        self._server = await serve(self.path, self.command(), self.startup_timeout, self.environment())
        self._client.base_url = self._server.base_url
        return await super().__aenter__()

    async def chat(self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Tools = ()) -> Reply:
        asking = asyncio.create_task(super().chat(messages, turn, stop, tools))
        try:
            while not asking.done() and self._may_answer():
                await asyncio.wait([asking], timeout=CHECK_INTERVAL)
            if asking.done():
                return asking.result()
        except HarnessError as error:
            if isinstance(error.__cause__, httpx.RequestError) and self._server:
                await self._server.end(ENDING)
            if self._may_answer():
                raise
        finally:
            asking.cancel()
        assert self._server is not None
        raise HarnessError(f'model {self.path}: {self._server.exit_message()}')

    def _may_answer(self) -> bool:
        """Whether the server runs, or was never started: then the request itself raises the error."""
        return self._server is None or self._server.running
