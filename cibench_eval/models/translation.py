"""What backends for other APIs share: their answers become the chat completions that they would be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from cibench_eval.models.endpoint_errors import AnswerError, error_in

BLOCKS = 'reasoning_blocks'
"""Field of a message with what the model thought, as its API wants it back."""


def completion(message: dict[str, Any], finish: object, usage: dict[str, Any] | None) -> bytes:
    """The body of a chat completion. An API that always says why a reply ended, and does not, has not ended it."""
    choice = {'index': 0, 'finish_reason': finish or 'none', 'message': message}
    return json.dumps({'choices': [choice], 'usage': usage}).encode()


def opened(body: bytes, what: str) -> dict[str, Any]:
    """The JSON object that an answer is.

    Raises:
        AnswerError: it is none, or an error.
    """
    with reading(what, body):
        answer = json.loads(body)
        if isinstance(answer, list) and answer:  # Google's errors
            answer = answer[0]
        error = error_in(answer)
    if error:
        raise AnswerError('it answered with an error', error)
    return dict(answer)


def call(identifier: str, name: str, arguments: str) -> dict[str, Any]:
    """A call of a function, as a chat completion has it."""
    return {'id': identifier, 'type': 'function', 'function': {'name': name, 'arguments': arguments}}


@contextmanager
def reading(what: str, body: bytes) -> Iterator[None]:
    """Read an answer as if it were what it should be.

    Raises:
        AnswerError: it is not `what`.
    """
    try:
        yield
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        beginning = body[:200].decode(errors='replace') or '(nothing)'
        raise AnswerError(f'what it answered is no {what} ({type(error).__name__}: {error}): {beginning}') from error


def functions(request: dict[str, Any]) -> list[dict[str, Any]]:
    """The functions that a request offers."""
    return [tool['function'] for tool in request.get('tools', [])]


def settings_of(request: dict[str, Any]) -> dict[str, Any]:
    """The settings of a request: all but what is said, offered and how it is sent."""
    others = ('messages', 'tools', 'stop', 'stream', 'stream_options')
    return {name: value for name, value in request.items() if name not in others}


def image_of(url: str) -> tuple[str, str]:
    """Type and content, in base64, of an image in a `data:` URL."""
    kind, _, data = url.removeprefix('data:').partition(';base64,')
    return kind, data
