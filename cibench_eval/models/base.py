"""The contract of a backend (`ChatModel`), and what several backends share.

A new backend is one file with a class that has the members of `ChatModel`, and an entry in `BACKENDS` (`__init__.py`).
Its constructor takes what a config says of the model (`path`, …) and asks for nothing yet. A backend without anything
to open derives from `Stateless`, one behind an HTTP endpoint from `OpenAICompatible` (its `post` is where another API
differs), one whose server the harness starts from `Served`, one that answers from records from `Replay`, and one that
stands before another from `Wrapper`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, Self

from cibench_eval.schema import HarnessError, Message, Reply, joined, parts_of


@dataclass(frozen=True)
class Turn:
    """Where a question stands. Replays answer by it; a served model sees nothing of it but its epoch's seed."""

    experiment: str
    step: int
    attempt: int
    """The number of the attempt at the step, from 0."""
    epoch: int = 1
    """Which run of the session it is. One object answers all of them; each adds one to the sampling seed."""


Tool = dict[str, Any]
"""A function that a model may call, as the OpenAI API describes it."""


class ChatModel(Protocol):
    """A chat model. It is checked, opened once per event loop, asked by many sessions at the same time, and closed."""

    max_out_len: int | None
    """Tokens of a reply, at most; None leaves it to the model. The run sets it before it opens the model."""

    @property
    def window(self) -> int | None:
        """Tokens of a conversation, its reply included, at most; None while the endpoint has not named it.

        Any overflow may make it known. What is certainly longer need not be asked.
        """
        ...

    @property
    def wants_reasoning(self) -> bool:
        """Whether later requests repeat what it thought in its replies, as parts of its turns."""
        ...

    def check(self) -> None:
        """Look for what can be seen to be missing, before anything is started or asked.

        Raises:
            CibenchError: a key, a file, … that the model needs is not there.
        """
        ...

    async def chat(
        self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Sequence[Tool] = ()
    ) -> Reply:
        """Answer `messages`.

        What the model does wrong is a Reply, which `Reply.finish_reason` tells: also one that is cut (`length`), that a
        filter held back (`content_filter`), or that the window leaves no room for (`context_overflow`).

        Args:
            messages: the conversation; user and assistant alternate. Contents are texts or lists of parts; a backend
                that takes no images refuses them (`text_only`). Reasoning is for models that want it back.
            turn: where in a session it stands.
            stop: texts at which the reply ends; they and what follows are left out (`cut`).
            tools: functions that the model may call.

        Raises:
            HarnessError: no answer could be had, by a fault of the endpoint, the machine or the config.
        """
        ...

    async def __aenter__(self) -> Self:
        """Open the model; this may start a server.

        Raises:
            UnreachableError: nothing that is asked of it can succeed.
            HarnessError: it cannot be opened.
        """
        ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the model. It may be opened again in another event loop."""
        ...


class Stateless:
    """Base of backends that have nothing to check, to open or to close; they add `chat`."""

    max_out_len: int | None = None
    window: int | None = None
    wants_reasoning = False

    def check(self) -> None:
        return None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None


class Wrapper:
    """Base of models that stand before another one and pass on to it what they do not do themselves."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    @property
    def innermost(self) -> ChatModel:
        """The model that is asked in the end."""
        return self._model.innermost if isinstance(self._model, Wrapper) else self._model

    @property
    def max_out_len(self) -> int | None:
        return self._model.max_out_len

    @max_out_len.setter
    def max_out_len(self, tokens: int | None) -> None:
        self._model.max_out_len = tokens

    @property
    def window(self) -> int | None:
        return self._model.window

    @property
    def wants_reasoning(self) -> bool:
        return self._model.wants_reasoning

    def check(self) -> None:
        self._model.check()

    async def chat(
        self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Sequence[Tool] = ()
    ) -> Reply:
        return await self._model.chat(messages, turn, stop, tools)

    async def __aenter__(self) -> Self:
        await self._model.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._model.__aexit__(kind, error, trace)


def without_system(messages: Sequence[Message]) -> list[Message]:
    """The same conversation for models that know no system role: its content opens the first turn of the user.

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


def text_only(messages: Sequence[Message], model: str) -> list[Message]:
    """The same conversation with each content as one text, for models that take no parts.

    Raises:
        HarnessError: there is an image in it; `model` is the name by which the text calls the model.
    """
    return [{**message, 'content': _text_of(message, model)} for message in messages]


def _text_of(message: Message, model: str) -> str:
    parts = parts_of(message['content'])
    if any(part['type'] == 'image_url' for part in parts):
        raise HarnessError(
            f'model {model}: it takes no images; ask a vision model behind an endpoint (OpenAICompatible, VLLM), '
            "or set figures='name' or 'describe' in the agent's config"
        )
    return '\n\n'.join(part['text'] for part in parts if part['type'] == 'text')


def cut(text: str, stop: Sequence[str]) -> str:
    """`text` up to the first of `stop`, for backends that do not stop there by themselves."""
    return min((text.partition(word)[0] for word in stop if word), key=len, default=text)
