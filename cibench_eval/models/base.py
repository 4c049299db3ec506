"""The contract of a backend (`ChatModel`), base classes, and what several backends do with messages.

A new backend is one file with a class that has the members of `ChatModel`, and an entry in `BACKENDS` (`__init__.py`).
Its constructor takes the options that a config gives (`path`, …) and opens nothing. Base classes: `Stateless` where
there is nothing to open, `HttpModel` behind an HTTP API, `Served` where the harness starts a server, `Replay` for
recorded answers, `Wrapper` around another model.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

from cibench_eval.schema import Content, HarnessError, Message, Reply, images_of, joined, parts_of


@dataclass(frozen=True)
class Turn:
    """Position of a question in its session. Replays answer by it; other models see only the seed of its epoch."""

    experiment: str
    step: int
    attempt: int
    """Attempt at the step, from 0."""
    epoch: int = 1
    """Run of the session, from 1. Each later one adds one to the sampling seed."""


TRIED_AGAIN: Counter[str] = Counter()
"""Requests that this process has sent again, by what the endpoint answered: `HTTP 429`, `no reply`."""
Tool = dict[str, Any]
"""A function that a model may call, in the form of the OpenAI API."""
Tools = Sequence[Tool]


class ChatModel(Protocol):
    """A chat model: checked, opened once per event loop, asked by many sessions at the same time, and closed."""

    max_out_len: int | None
    """Most tokens of a reply; None leaves it to the model. The run sets it before it opens the model."""

    @property
    def wants_reasoning(self) -> bool:
        """Whether later requests repeat the reasoning of its replies, as parts of its turns."""

    def check(self) -> None:
        """Check what can be checked before anything is started or asked.

        Raises:
            CibenchError: a key, a file, … that the model needs is missing.
        """

    async def chat(self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Tools = ()) -> Reply:
        """Answer `messages`.

        A failure of the model is a Reply too, and its `finish_reason` names it: cut off (`length`), held back by a
        filter (`content_filter`), no room in the window (`context_overflow`).

        Args:
            messages: the conversation; user and assistant alternate. Contents are texts or lists of parts. A backend
                that accepts no images refuses them (`text_only`); reasoning is for models that want it back.
            turn: position of the question.
            stop: texts at which the reply ends; the reply does not contain them (`cut`).
            tools: functions that the model may call.

        Raises:
            HarnessError: there is no answer, through a fault of the endpoint, the machine or the config.
        """

    async def __aenter__(self) -> Self:
        """Open the model; this may start a server.

        Raises:
            UnreachableError: no request to it can succeed.
            HarnessError: it cannot be opened.
        """

    async def __aexit__(self, *error: Any) -> None:
        """Close the model. It may be opened again in another event loop."""


class Stateless:
    """Base of backends that have nothing to check, open or close; a subclass adds `chat`."""

    max_out_len: int | None = None
    wants_reasoning = False

    def check(self) -> None:
        return None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: Any) -> None:
        return None


class Wrapper:
    """Base of models around another one, which does all that the subclass does not do."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._opening: asyncio.Task[Any] | None = None

    async def open_once(self) -> None:
        """Open the model inside, once for all callers. If that fails, all of them get the error, and it is final."""
        self._opening = self._opening or asyncio.create_task(self._model.__aenter__())
        await asyncio.shield(self._opening)

    @property
    def max_out_len(self) -> int | None:
        return self._model.max_out_len

    @max_out_len.setter
    def max_out_len(self, tokens: int | None) -> None:
        self._model.max_out_len = tokens

    @property
    def wants_reasoning(self) -> bool:
        return self._model.wants_reasoning

    def check(self) -> None:
        self._model.check()

    async def chat(self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Tools = ()) -> Reply:
        return await self._model.chat(messages, turn, stop, tools)

    async def __aenter__(self) -> Self:
        await self._model.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self._model.__aexit__(*error)


def innermost(model: ChatModel) -> ChatModel:
    """The model inside all wrappers."""
    return innermost(model._model) if isinstance(model, Wrapper) else model


def without_system(messages: Sequence[Message]) -> list[Message]:
    """Move system messages into the first turn of the user, which is made where there is none."""
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
    """Make each content one text, for models that accept no parts.

    Raises:
        HarnessError: there is an image; the text names `model`.
    """
    if any(map(images_of, messages)):
        raise HarnessError(
            f'model {model}: it takes no images; ask a vision model behind an endpoint (OpenAICompatible, VLLM), '
            "or set figures='name' or 'describe' in the agent's config"
        )
    return [{**message, 'content': text_of(message['content'])} for message in messages]


def text_of(content: Content) -> str:
    """The texts of a content, without images and reasoning."""
    return '\n\n'.join(part['text'] for part in parts_of(content) if part['type'] == 'text')


def together(replies: Sequence[Reply]) -> Reply:
    """The last of several replies, with the number, tokens and seconds of all."""
    if len(replies) == 1:
        return replies[0]
    used = {
        name: sum(getattr(reply, name) or 0 for reply in replies) or None
        for name in ('tokens_in', 'tokens_out', 'cached_tokens', 'reasoning_tokens')
    }
    counts = {name: sum(getattr(reply, name) for reply in replies) for name in ('replies', 'seconds', 'waited')}
    return replies[-1].model_copy(update={**used, **counts, 'cached': all(reply.cached for reply in replies)})


def cut(text: str, stop: Sequence[str]) -> str:
    """Cut `text` before the first of `stop`, for backends that do not stop there by themselves."""
    return min((text.partition(word)[0] for word in stop if word), key=len, default=text)
