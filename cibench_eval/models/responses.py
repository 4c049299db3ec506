"""OpenAI's models behind the Responses API, or any endpoint that speaks it.

Requests and answers are translated from and to the chat completions API; retries, limits on the rate, timeouts and
bounded answers are those of every endpoint (`OpenAICompatible`).

- The endpoint keeps nothing (`store=False`). What a model thought comes encrypted and goes back as it came, in its
  place between what was said and called. Behind the chat completions API a model forgets its thoughts at every call,
  and the latest (GPT-6.1) take no functions there.
- Instructions are `instructions`. There are no texts to stop at: a reply is cut there when it has come.
- A reply that a filter stopped has the finish reason `content_filter`; a refusal is the model's text.

The API: https://platform.openai.com/docs/api-reference/responses, .../docs/guides/reasoning.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import Any

from cibench_eval.models import streaming
from cibench_eval.models.connections import arrived
from cibench_eval.models.endpoint_errors import AnswerError, Refusal
from cibench_eval.models.openai_compatible import Answer, OpenAICompatible
from cibench_eval.models.translation import BLOCKS, call, completion, functions, opened, reading, settings_of
from cibench_eval.schema import CibenchError, GenerationConfig, parts_of

logger = logging.getLogger(__name__)
SETTINGS = {'max_tokens': 'max_output_tokens', 'max_completion_tokens': 'max_output_tokens'}
"""Settings that have another name here; others are sent as they are."""
NOT_TAKEN = {'seed', 'presence_penalty', 'frequency_penalty', 'thinking'}
"""Settings of other APIs that this one does not have."""
ENCRYPTED = 'reasoning.encrypted_content'
NOT_ENCRYPTED = 'Encrypted content is not supported'
"""What it says of `ENCRYPTED` for a model that does not think."""
UNREADABLE = 'invalid_encrypted_content'
"""Code of thoughts that the endpoint cannot read any more."""
ENDED = {'response.completed', 'response.incomplete', 'response.failed'}
"""Events that bring the whole response."""
PIECE = re.compile(rb'"response\.[\w.]+\.delta"')
"""An event with a piece of the reply. Others come before, which say that it is on its way."""
INCOMPLETE = {'max_output_tokens': 'length', 'content_filter': 'content_filter'}


class OpenAIResponses(OpenAICompatible):
    """A model behind the Responses API.

    Args:
        path: the model's name there.
        base_url: up to and including `/v1`.
        key: NAME of the environment variable that holds the API key.
        generation_kwargs: settings of a request, sent as they are (`reasoning_effort`, `max_tokens`,
            `extra_body=dict(reasoning=dict(summary='auto'))`); `temperature` has no default here, since models that
            think take none.
        stream, timeout, retries, retry_wait, requests_per_minute, tokens_per_minute: as those of `OpenAICompatible`.
    """

    def __init__(
        self,
        path: str,
        base_url: str = 'https://api.openai.com/v1',
        key: str | None = 'OPENAI_API_KEY',
        generation_kwargs: GenerationConfig | None = None,
        stream: bool = False,
        timeout: float = 600.0,
        retries: int = 5,
        retry_wait: float = 1.0,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
    ) -> None:
        super().__init__(
            path,
            base_url,
            key,
            generation_kwargs,
            timeout,
            retries,
            retry_wait,
            stream=stream,
            requests_per_minute=requests_per_minute,
            tokens_per_minute=tokens_per_minute,
        )
        if 'temperature' not in (generation_kwargs or {}):
            self.generation.pop('temperature')
        self._dialect.reasoning_field = BLOCKS
        self._encrypted = True
        self._unreadable: set[str] = set()

    def check(self) -> None:
        super().check()
        if taken := sorted(NOT_TAKEN & self.generation.keys()):
            raise CibenchError(f'model {self.path}: generation_kwargs: {taken[0]} is no setting of the Responses API')

    def learn(self, refusal: Refusal, request: dict[str, Any]) -> bool:
        if NOT_ENCRYPTED in refusal.text and self._encrypted:
            self._encrypted = False
            return True
        sent = {item['id'] for item in _thoughts(request)} - self._unreadable
        if UNREADABLE in refusal.codes and sent:
            logger.warning('model %s cannot read %d of its earlier thoughts; they are left out', self.path, len(sent))
            self._unreadable |= sent
            return True
        return super().learn(refusal, request)

    async def post(self, request: dict[str, Any]) -> Answer:
        body = {'model': self.path, **_request(request, self._unreadable), 'store': False}
        body |= {'include': [ENCRYPTED]} if self._encrypted else {}
        body |= {'stream': True} if self._stream else {}
        answer = await self.ask('/responses', body)
        if not streaming.is_stream(answer):
            response = opened(answer.content, 'response')
            with reading('response', answer.content):
                return Answer(_completion(response))
        with reading('stream of a response', answer.content):
            piece = PIECE.search(answer.content)
            return Answer(_completion(_whole(answer.content)), arrived(answer, piece.start() if piece else 0))


def _thoughts(request: dict[str, Any]) -> list[dict[str, Any]]:
    """What the model thought in its turns."""
    items = (item for message in request['messages'] for item in message.get(BLOCKS, []))
    return [item for item in items if item['type'] == 'reasoning']


def _request(request: dict[str, Any], unreadable: set[str]) -> dict[str, Any]:
    """A chat completions request in the words of this API, without the thoughts that are `unreadable`."""
    settings = {SETTINGS.get(name, name): value for name, value in settings_of(request).items()}
    if effort := settings.pop('reasoning_effort', None):
        settings['reasoning'] = {'effort': effort, **settings.get('reasoning', {})}
    said = [message for message in request['messages'] if message['role'] != 'system']
    rules = [part for message in request['messages'] if message['role'] == 'system' for part in _content(message)]
    made = {**settings, 'input': [item for message in said for item in _items(message, unreadable)]}
    made |= {'instructions': '\n\n'.join(part['text'] for part in rules)} if rules else {}
    # Without `strict` the API holds arguments to the letter of a schema, and refuses those that leave something open.
    tools = [{'type': 'function', **function, 'strict': False} for function in functions(request)]
    return made | ({'tools': tools} if tools else {})


def _content(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The texts and images of a message, without texts that say nothing."""
    return [
        {'type': 'input_image', 'image_url': part['image_url']['url'], 'detail': 'auto'}
        if part['type'] == 'image_url'
        else {'type': 'input_text', 'text': part['text']}
        for part in parts_of(message['content'])
        if part['type'] == 'image_url' or part['text']
    ]


def _items(message: dict[str, Any], unreadable: set[str]) -> list[dict[str, Any]]:
    """A message as items of the input."""
    if message['role'] == 'tool':
        output = '\n\n'.join(part['text'] for part in _content(message) if part['type'] == 'input_text')
        return [{'type': 'function_call_output', 'call_id': message['tool_call_id'], 'output': output}]
    if message['role'] == 'assistant':
        return _turn(message, unreadable)
    content = _content(message)
    return [{'type': 'message', 'role': 'user', 'content': content}] if content else []


def _turn(message: dict[str, Any], unreadable: set[str]) -> list[dict[str, Any]]:
    """What a model thought, said and called, in the order in which it came.

    Thoughts that nothing follows (a reply that was cut) stay away: the API refuses them.
    """
    text = '\n\n'.join(part['text'] for part in _content(message))
    said = [{'type': 'message', 'role': 'assistant', 'content': text}] if text else []
    calls = [
        {'type': 'function_call', 'call_id': made['id'], **made['function']} for made in message.get('tool_calls', [])
    ]
    items: list[dict[str, Any]] = []
    for block in message.get(BLOCKS, []):
        if block['type'] == 'message' and said:
            items.append(said.pop() | {name: value for name, value in block.items() if name == 'phase'})
        elif block['type'] == 'function_call' and calls:
            items.append(calls.pop(0))
        elif block['type'] == 'reasoning' and block['id'] not in unreadable:
            items.append(block)
    items += [*said, *calls]
    while items and items[-1]['type'] == 'reasoning':
        items.pop()
    return items


def _whole(body: bytes) -> dict[str, Any]:
    """The response that a stream ends with."""
    for event in streaming.chunks(body):
        if event['type'] in ENDED:
            return event['response']
    raise streaming.broken_off()


def _completion(response: dict[str, Any]) -> bytes:
    """A response as the chat completion that it would be."""
    if response.get('error'):
        raise AnswerError('it answered with an error', response['error'])
    items = response['output']
    texts = [part for item in items if item['type'] == 'message' for part in item['content']]
    calls = [item for item in items if item['type'] == 'function_call']
    message = {
        'role': 'assistant',
        'content': ''.join(part['text'] for part in texts if part['type'] == 'output_text'),
        'refusal': ''.join(part['refusal'] for part in texts if part['type'] == 'refusal'),
        'reasoning_content': '\n\n'.join(_summaries(items)),
        BLOCKS: _blocks(items),
        'tool_calls': [call(item['call_id'], item['name'], item['arguments']) for item in calls],
    }
    finish = _end(response) or ('tool_calls' if calls else 'stop')
    return completion(message, finish, _usage(response.get('usage') or {}))


def _end(response: dict[str, Any]) -> str:
    """Why a reply ended, where it did not come to its own end."""
    status, details = response.get('status'), response.get('incomplete_details') or {}
    if status == 'completed':
        return ''
    reason = str(details.get('reason'))
    return INCOMPLETE.get(reason, f'status incomplete, {reason}') if status == 'incomplete' else f'status {status}'


def _summaries(items: list[dict[str, Any]]) -> Iterator[str]:
    """What is told of what the model thought: its text, where a model shows it, else summaries."""
    for item in items:
        if item['type'] == 'reasoning':
            yield from (part['text'] for part in item.get('content') or item.get('summary') or [])


def _blocks(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The items of a reply that has thoughts: those whole, of the others what tells their places and phases.

    A thought that is neither encrypted nor text is but the name of what the endpoint has not kept.
    """
    kept = {'reasoning': ('id', 'type', 'summary', 'content', 'encrypted_content'), 'message': ('type', 'phase')}
    blocks = [
        {name: item[name] for name in kept.get(item['type'], ('type',)) if item.get(name) is not None}
        for item in items
        if item['type'] != 'reasoning' or item.get('encrypted_content') or item.get('content')
    ]
    return blocks if any(block['type'] == 'reasoning' or 'phase' in block for block in blocks) else []


def _usage(usage: dict[str, Any]) -> dict[str, Any]:
    """Tokens by the names of the chat completions API."""
    return {
        'prompt_tokens': usage.get('input_tokens'),
        'completion_tokens': usage.get('output_tokens'),
        'prompt_tokens_details': usage.get('input_tokens_details'),
        'completion_tokens_details': usage.get('output_tokens_details'),
    }
