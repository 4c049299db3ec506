"""What backends for other APIs share: their answers become the chat completions that they would be."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from cibench_eval.models.endpoint_errors import AnswerError, beginning, error_in
from cibench_eval.schema import parts_of

BLOCKS = 'reasoning_blocks'
"""Field of a message with the model's reasoning in the form in which its API wants it back."""
Block = dict[str, Any]
"""A part of a message, as an API has it."""


def completion(message: Block, finish: object, usage: dict[str, Any] | None, **more: object) -> bytes:
    """The body of a chat completion. An answer that does not say why the reply ended is not a whole reply."""
    choice = {'index': 0, 'finish_reason': finish or 'none', 'message': message, **more}
    return json.dumps({'choices': [choice], 'usage': usage}).encode()


def opened(body: bytes, what: str) -> dict[str, Any]:
    """Parse an answer; an `AnswerError` where it is not a JSON object, or it is an error."""
    with reading(what, body):
        answer = json.loads(body)
        if isinstance(answer, list) and answer:  # Google's errors
            answer = answer[0]
        error = error_in(answer)
    if error:
        raise AnswerError('it answered with an error', error)
    return dict(answer)


def call(identifier: str, name: str, arguments: str) -> Block:
    """A function call, as a chat completion has it."""
    return {'id': identifier, 'type': 'function', 'function': {'name': name, 'arguments': arguments}}


@contextmanager
def reading(what: str, body: bytes) -> Iterator[None]:
    """Read an answer as if it had the expected shape; an `AnswerError` where it is not `what`."""
    try:
        yield
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        cause = f'({type(error).__name__}: {error}): {beginning(body)}'
        raise AnswerError(f'what it answered is no {what} {cause}') from error


def functions(request: dict[str, Any]) -> list[dict[str, Any]]:
    """The functions that a request offers."""
    return [tool['function'] for tool in request.get('tools', [])]


def settings_of(request: dict[str, Any]) -> dict[str, Any]:
    """The sampling settings of a request."""
    others = ('messages', 'tools', 'stop', 'stream', 'stream_options')
    return {name: value for name, value in request.items() if name not in others}


def shown(
    message: dict[str, Any],
    text: Callable[[str], Block],
    image: Callable[[str], Block],
    keep: Callable[[str], object] = bool,
) -> list[Block]:
    """The texts and images of a message as blocks of an API.

    Args:
        message: of a chat completions request.
        text: makes the block of a text.
        image: makes the block of an image from its `data:` URL.
        keep: whether a text is sent; APIs refuse empty ones.
    """
    return [
        image(part['image_url']['url']) if part['type'] == 'image_url' else text(part['text'])
        for part in parts_of(message['content'])
        if part['type'] == 'image_url' or keep(part['text'])
    ]


def image_of(url: str) -> tuple[str, str]:
    """MIME type and base64 content of an image in a `data:` URL."""
    kind, _, data = url.removeprefix('data:').partition(';base64,')
    return kind, data
