"""Ask a backend over the wire."""

import asyncio
from typing import Any

from cibench_eval.agents import AgentSettings, Session, SessionSettings, ToolCalls
from cibench_eval.models.base import Turn
from cibench_eval.schema import HarnessError, Reply, Trace
from tests.support.sessions import KERNELS, experiment

HELLO: list[Any] = [{'role': 'user', 'content': 'hello'}]
TURN = Turn('e', 0, 0)
TEXT = {'type': 'text', 'text': 'look'}
IMAGE = {'type': 'image_url', 'image_url': {'url': 'data:image/png;base64,AAAA'}}
CONVERSATION: list[Any] = [
    {'role': 'system', 'content': 'rules'},
    {'role': 'user', 'content': 'q'},
    {'role': 'assistant', 'content': 'a'},
    {'role': 'user', 'content': [TEXT, IMAGE]},
]
FUNCTION = {'name': 'f', 'description': 'd', 'parameters': {'type': 'object', 'properties': {}}}
TOOL = {'type': 'function', 'function': FUNCTION}


def ask(backend: Any, base_url: str, messages: list[Any] = HELLO, *details: Any, **options: Any) -> Reply:
    """The reply of a new model to one conversation; see `ask_each`."""
    return ask_each(backend, base_url, [messages], *details, **options)[0]


def ask_each(backend: Any, base_url: str, conversations: list[Any], *details: Any, **options: Any) -> list[Reply]:
    """The replies of a new model to conversations, one after the other.

    Args:
        backend: class of the model.
        base_url: of the endpoint.
        conversations: lists of messages.
        details: texts to stop at, and tools.
        options: of the model, and its `max_out_len`.
    """
    replies = []
    for reply in replies_and_faults(backend, base_url, conversations, *details, **options):
        if isinstance(reply, HarnessError):
            raise reply
        replies.append(reply)
    return replies


def replies_and_faults(
    backend: Any,
    base_url: str,
    conversations: list[Any],
    stop: Any = (),
    tools: Any = (),
    *,
    path: str = 'm',
    max_out_len: int | None = None,
    **options: Any,
) -> list[Reply | HarnessError]:
    """The replies of a new model, and its errors where it has none."""

    async def session() -> list[Reply | HarnessError]:
        model = backend(path, base_url, **{'retry_wait': 0, **options})
        model.max_out_len = max_out_len
        async with model:
            return [await said(model, messages) for messages in conversations]

    async def said(model: Any, messages: list[Any]) -> Reply | HarnessError:
        try:
            return await model.chat(messages, TURN, list(stop), tools)
        except HarnessError as error:
            return error

    return asyncio.run(session())


CODES = ['x = 6', 'import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()', 'print(x * 7)']
"""What the model of `session` may run: a value, a figure, and a text."""


def session(model: Any, codes: list[str] = CODES) -> Trace:
    """A session whose steps are these codes, by function calls; the model sees figures."""

    async def run() -> Trace:
        async with model:
            settings = SessionSettings(AgentSettings(ToolCalls(figures='image')), KERNELS)
            return await Session(experiment(*codes), model, settings).run()

    return asyncio.run(run())
