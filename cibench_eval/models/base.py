"""What every backend is to an agent: a thing that is opened, asked, and closed."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from cibench_eval.schema import Message, Reply


@dataclass(frozen=True)
class Turn:
    """Where in a session a question stands. Replays answer from it; it is never sent to a served model."""

    experiment: str
    step: int
    attempt: int
    gold: str
    """The reply that carries the gold code, as the protocol in use writes it."""


class ChatModel(Protocol):
    """A chat model. Opening it may start a server; it is opened once per event loop."""

    max_out_len: int | None
    """Tokens of a reply, at most; None leaves it to the model."""

    def check(self) -> None:
        """Look for what can be seen to be missing before anything is started.

        Raises:
            CibenchError: a key, a file, … that the model needs is not there.
        """
        ...

    async def chat(self, messages: list[Message], turn: Turn, stop: list[str]) -> Reply:
        """Answer `messages`; text from one of `stop` on is left out of the reply.

        Raises:
            HarnessError: no answer could be had. What the model itself did wrong is a Reply.
        """
        ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Stateless:
    """For backends that have nothing to open or close."""

    max_out_len: int | None = None

    def check(self) -> None:
        return None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None
