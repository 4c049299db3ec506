"""What every backend is to an agent: a thing that is opened, asked, and closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, Self

from cibench_eval.schema import Message, Reply, joined


@dataclass(frozen=True)
class Turn:
    """Where in a session a question stands. Replays answer from it; it is never sent to a served model."""

    experiment: str
    step: int
    attempt: int
    gold: Reply
    """The reply that carries the gold code, as the protocol in use writes it."""


Tool = dict[str, Any]
"""A function that a model may call, as the OpenAI API describes it."""


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

    async def chat(
        self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Sequence[Tool] = ()
    ) -> Reply:
        """Answer `messages`.

        Args:
            messages: the conversation; user and assistant alternate.
            turn: where in a session it stands.
            stop: texts at which the reply ends; they and what follows are left out.
            tools: functions that the model may call.

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


def without_system(messages: Sequence[Message]) -> list[Message]:
    """The same conversation for models that know no system role: its text opens the first turn of the user.

    Where no user speaks, it becomes a user's turn at the beginning.
    """
    instructions = [message['content'] for message in messages if message['role'] == 'system']
    others = [message for message in messages if message['role'] != 'system']
    if not instructions:
        return others
    first = next((index for index, message in enumerate(others) if message['role'] == 'user'), None)
    if first is None:
        return [{'role': 'user', 'content': joined(*instructions)}, *others]
    content = joined(*instructions, others[first]['content'])
    return [*others[:first], {**others[first], 'content': content}, *others[first + 1 :]]


def cut(text: str, stop: Sequence[str]) -> str:
    """`text` up to the first of `stop`, for backends that do not stop there by themselves."""
    return min((text.partition(word)[0] for word in stop if word), key=len, default=text)
