"""The chat completions API on the wire: requests as an endpoint takes them, answers read with tolerance."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import openai
from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from cibench_eval.models.base import Tool, cut, without_system
from cibench_eval.models.endpoint_errors import AnswerError, Refusal
from cibench_eval.schema import Message, Reply, ToolCall, problem, unicode_text

logger = logging.getLogger(__name__)
MOST_BYTES = 16 * 2**20
"""Of an answer. A longer one is the endpoint's fault: no text below `MOST_TEXT` is that long."""
MOST_TEXT = 1_000_000
"""Characters of a reply, and of the arguments of a tool call; what is above is cut off, as at the limit of tokens."""
DROPPED = {'temperature', 'top_p', 'seed', 'stop', 'presence_penalty', 'frequency_penalty'}
"""Settings that are left out for a model that does not take them; `stop` is then done here."""
RENAMED = {'max_tokens': 'max_completion_tokens'}
FINISHED = {
    **dict.fromkeys(('stop', 'eos', 'eos_token', 'stop_sequence', 'end_turn'), 'stop'),
    **dict.fromkeys(('length', 'max_tokens', 'model_length'), 'length'),
    **dict.fromkeys(('tool_calls', 'tool_use', 'function_call'), 'tool_calls'),
}
"""Finish reasons by the names that servers give them. Others, like `content_filter`, are kept."""
BROKEN_OFF = {'abort', 'error', 'insufficient_system_resource'}
"""Finish reasons of a server that did not finish the reply."""
CODING = {'content-encoding', 'content-length', 'transfer-encoding'}
"""Headers that say how a body was sent, and are not true of it once it is read."""


@dataclass
class Dialect:
    """What an endpoint's model takes, as far as its refusals have told.

    Args:
        model: its name at the endpoint.
        system_role: whether it takes system messages; None until it refuses one.
        refused: settings that it has refused.
    """

    model: str
    system_role: bool | None = None
    refused: set[str] = field(default_factory=set)

    def request(
        self, messages: Sequence[Message], settings: dict[str, Any], stop: Sequence[str], tools: Sequence[Tool]
    ) -> dict[str, Any]:
        """The request in words that this model takes."""
        said = without_system(messages) if self.system_role is False else list(messages)
        request = {'messages': said, **settings}
        request |= {'stop': list(stop)} if stop else {}
        request |= {'tools': list(tools)} if tools else {}
        for name in self.refused & request.keys():
            value = request.pop(name)
            if name in RENAMED:
                request[RENAMED[name]] = value
        return request

    def learn(self, refusal: Refusal, request: dict[str, Any]) -> bool:
        """Take in a refusal, and return whether the next request will be another."""
        sent = any(message['role'] == 'system' for message in request['messages'])
        if refusal.no_system and sent and self.system_role is not True:
            if self.system_role is None:
                logger.warning('model %s takes no system message; it opens the first question from now on', self.model)
            self.system_role = False
            return True
        name = refusal.unsupported
        if name not in DROPPED | RENAMED.keys() or name not in request:
            return False
        if name not in self.refused:
            done = f'sent as {RENAMED[name]}' if name in RENAMED else 'left out'
            logger.warning('model %s does not take %s; it is %s from now on', self.model, name, done)
            self.refused.add(name)
        return True


def _text(said: object) -> object:
    """Text as any file can hold it; null is none, and arguments that were sent as an object become JSON again."""
    if said is None:
        return ''
    return unicode_text(said if isinstance(said, str) else json.dumps(said, ensure_ascii=False))


def _content(said: object) -> object:
    """The text of a message: a string, or a list of parts of which those count that are text."""
    if said is not None and not isinstance(said, str | list):
        raise ValueError('neither text nor a list of parts')
    parts = said if isinstance(said, list) else [said]
    texts = [part.get('text') if isinstance(part, dict) else part for part in parts]
    return unicode_text(''.join(text for text in texts if isinstance(text, str)))


def _count(said: object) -> object:
    return said if isinstance(said, int) and said >= 0 else None


_Text = Annotated[str, BeforeValidator(_text)]
_Content = Annotated[str, BeforeValidator(_content)]
_Count = Annotated[int | None, BeforeValidator(_count)]


class _Function(BaseModel):
    name: _Text = ''
    arguments: _Text = ''


class _Call(BaseModel):
    id: _Text = ''
    function: _Function


class _Message(BaseModel):
    """`reasoning_content` and `reasoning`, where reasoning models think, are no part of the reply."""

    content: _Content = ''
    refusal: _Text = ''
    tool_calls: list[_Call] | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: _Count = None
    completion_tokens: _Count = None


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None


def read(body: bytes, stop: Sequence[str] = ()) -> Reply:
    """The reply that an answer holds.

    Args:
        body: a chat completion, JSON in UTF-8.
        stop: texts at which the reply ends, also where the endpoint went on.

    Raises:
        AnswerError: it holds none. What the model itself did wrong is a reply.
    """
    completion = _completion(body)
    choice = completion.choices[0]
    if choice.finish_reason in BROKEN_OFF:
        raise AnswerError(f'broke the reply off (finish_reason {choice.finish_reason})')
    calls = [_call(call, index) for index, call in enumerate(choice.message.tool_calls or [])]
    text, finish = _finish(choice, bool(calls), stop)
    usage = completion.usage or _Usage()
    return Reply(
        text=text,
        tool_calls=calls,
        finish_reason=finish,
        tokens_in=usage.prompt_tokens,
        tokens_out=usage.completion_tokens,
    )


def _completion(body: bytes) -> _Completion:
    try:
        data = json.loads(body.decode())
    except (ValueError, RecursionError) as error:
        raise AnswerError(f'what it answered is not JSON ({error}): {_beginning(body)}') from error
    if isinstance(data, dict) and data.get('error') and not data.get('choices'):
        raise AnswerError('it answered with an error', data['error'])
    try:
        return _Completion.model_validate(data)
    except (ValidationError, RecursionError) as error:
        said = f'({problem(error)}): {_beginning(body)}'
        raise AnswerError(f'what it answered is not a chat completion {said}') from error


def _beginning(body: bytes) -> str:
    return body[:200].decode(errors='replace') or '(nothing)'


def _call(call: _Call, index: int) -> ToolCall:
    return ToolCall(
        id=call.id or f'call_{index}', name=call.function.name, arguments=call.function.arguments[:MOST_TEXT]
    )


def _finish(choice: _Choice, called: bool, stop: Sequence[str]) -> tuple[str, str]:
    """The text of a reply, and why it ended."""
    said = choice.message.content or choice.message.refusal
    reason = choice.finish_reason or ('tool_calls' if called else 'stop')
    reason = FINISHED.get(reason, reason)
    text = cut(said, stop)
    if len(text) > MOST_TEXT:
        return text[:MOST_TEXT], 'length'
    return text, 'stop' if len(text) < len(said) and reason == 'length' else reason


class BoundedClient(openai.DefaultAsyncHttpxClient):
    """The SDK's HTTP client, which reads no more than `MOST_BYTES` of an answer and follows no redirects."""

    def __init__(self, **options: Any) -> None:
        super().__init__(follow_redirects=False, headers={'Accept-Encoding': 'identity'}, **options)

    async def send(self, request: Any, *, stream: bool = False, **options: Any) -> Any:
        """Send a request and return its answer, read whole.

        Raises:
            AnswerError: the answer is too long.
        """
        response = await super().send(request, stream=True, **options)
        body = bytearray()
        try:
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > MOST_BYTES:
                    raise AnswerError(f'its answer is longer than {MOST_BYTES // 2**20} MiB', passing=False)
        finally:
            await response.aclose()
        headers = [(name, value) for name, value in response.headers.items() if name not in CODING]
        return type(response)(response.status_code, headers=headers, content=bytes(body), request=request)
