"""Ask a backend over the wire."""

from __future__ import annotations

import asyncio
from typing import Any

from cibench_eval.models.base import Turn
from cibench_eval.schema import Reply

HELLO: list[Any] = [{'role': 'user', 'content': 'hello'}]
TURN = Turn('e', 0, 0)
IMAGE = {'type': 'image_url', 'image_url': {'url': 'data:image/png;base64,AAAA'}}


def ask(backend: Any, base_url: str, messages: list[Any] = HELLO, stop: Any = (), tools: Any = (), **options: Any) -> Reply:
    """The reply of a new model to one conversation."""
    return ask_each(backend, base_url, [messages], stop, tools, **options)[0]


def ask_each(
    backend: Any,
    base_url: str,
    conversations: list[Any],
    stop: Any = (),
    tools: Any = (),
    *,
    path: str = 'm',
    max_out_len: int | None = None,
    **options: Any,
) -> list[Reply]:
    """The replies of a new model to conversations, one after the other."""

    async def session() -> list[Reply]:
        model = backend(path, base_url, **{'retry_wait': 0, **options})
        model.max_out_len = max_out_len
        async with model:
            return [await model.chat(messages, TURN, list(stop), tools) for messages in conversations]

    return asyncio.run(session())
