"""OpenAI's models behind the Responses API, or any endpoint that speaks it.

- The endpoint keeps nothing (`store=False`). Reasoning comes encrypted and goes back as it came, in its place between
  texts and calls. Behind the chat completions API a model forgets its reasoning at every call, and the latest models
  (GPT-6.1) accept no functions there.
- Instructions are `instructions`. The API has no stop texts: replies are cut at them here.
- A reply that a filter stopped has the finish reason `content_filter`; a refusal is the model's text.

The API: https://platform.openai.com/docs/api-reference/responses, .../docs/guides/reasoning.
"""

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from cibench_eval.models import streaming, translation
from cibench_eval.models.base import text_of
from cibench_eval.models.connections import arrived
from cibench_eval.models.endpoint_errors import AnswerError, Refusal
from cibench_eval.models.http_model import Completion, HttpModel
from cibench_eval.models.translation import BLOCKS, Block

logger = logging.getLogger(__name__)
SETTINGS = {'max_tokens': 'max_output_tokens', 'max_completion_tokens': 'max_output_tokens'}
"""Settings that have another name in this API; others are sent as they are."""
ENCRYPTED = 'reasoning.encrypted_content'
NOT_ENCRYPTED = 'Encrypted content is not supported'
"""The complaint about `ENCRYPTED` of a model that does not reason."""
UNREADABLE = 'invalid_encrypted_content'
"""Error code of reasoning that the endpoint can no longer read."""
ENDED = {'response.completed', 'response.incomplete', 'response.failed'}
"""Events that hold the whole response."""
PIECE = re.compile(rb'"response\.[\w.]+\.delta"')
"""An event with a piece of the reply. Events before it only announce the reply."""
INCOMPLETE = {'max_output_tokens': 'length', 'content_filter': 'content_filter'}


@dataclass(eq=False)
class OpenAIResponses(HttpModel):
    """A model behind the Responses API.

    `generation_kwargs` goes as it is (`reasoning_effort`, `max_tokens`,
    `extra_body=dict(reasoning=dict(summary='auto'))`).
    """

    api: ClassVar[str] = 'Responses API'
    not_taken: ClassVar[Mapping[str, str]] = dict.fromkeys(
        ('seed', 'presence_penalty', 'frequency_penalty', 'thinking'), ''
    )
    base_url: str = 'https://api.openai.com/v1'
    key: str | None = 'OPENAI_API_KEY'

    def __post_init__(self) -> None:
        super().__post_init__()
        self._encrypted = True
        self._unreadable: set[str] = set()

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

    async def post(self, request: dict[str, Any]) -> Completion:
        body = {'model': self.path, **_request(request, self._unreadable), 'store': False}
        body |= {'include': [ENCRYPTED]} if self._encrypted else {}
        body |= {'stream': True} if self.stream else {}
        answer = await self.ask('/responses', body)
        if not streaming.is_stream(answer):
            response = translation.opened(answer.content, 'response')
            with translation.reading('response', answer.content):
                return Completion(_completion(response))
        with translation.reading('stream of a response', answer.content):
            return Completion(_completion(_whole(answer.content)), arrived(answer, PIECE))


def _thoughts(request: dict[str, Any]) -> list[dict[str, Any]]:
    """The reasoning in the model's turns."""
    items = (item for message in request['messages'] for item in message.get(BLOCKS, []))
    return [item for item in items if item['type'] == 'reasoning']


def _request(request: dict[str, Any], unreadable: set[str]) -> dict[str, Any]:
    """Translate a chat completions request, without the reasoning that is `unreadable`."""
    settings = {SETTINGS.get(name, name): value for name, value in translation.settings_of(request).items()}
    if effort := settings.pop('reasoning_effort', None):
        settings['reasoning'] = {'effort': effort, **settings.get('reasoning', {})}
    said = [message for message in request['messages'] if message['role'] != 'system']
    rules = [text_of(message['content']) for message in request['messages'] if message['role'] == 'system']
    made = {**settings, 'input': [item for message in said for item in _items(message, unreadable)]}
    made |= {'instructions': '\n\n'.join(filter(None, rules))} if any(rules) else {}
    # Without this the API takes a schema as strict, and refuses one that leaves arguments open.
    tools = [{'type': 'function', **function, 'strict': False} for function in translation.functions(request)]
    return made | ({'tools': tools} if tools else {})


def _items(message: dict[str, Any], unreadable: set[str]) -> list[Block]:
    """A message as items of the input."""
    if message['role'] == 'tool':
        output = text_of(message['content'])
        return [{'type': 'function_call_output', 'call_id': message['tool_call_id'], 'output': output}]
    if message['role'] == 'assistant':
        return _turn(message, unreadable)
    content = translation.shown(
        message,
        lambda text: {'type': 'input_text', 'text': text},
        lambda url: {'type': 'input_image', 'image_url': url, 'detail': 'auto'},
    )
    return [{'type': 'message', 'role': 'user', 'content': content}] if content else []


def _turn(message: dict[str, Any], unreadable: set[str]) -> list[Block]:
    """The reasoning, texts and calls of a model's turn, in the order in which they came.

    Reasoning that nothing follows (of a reply that was cut) is left out: the API refuses it.
    """
    text = text_of(message['content'])
    said = [{'type': 'message', 'role': 'assistant', 'content': text}] if text else []
    calls = [
        {'type': 'function_call', 'call_id': made['id'], **made['function']} for made in message.get('tool_calls', [])
    ]
    items: list[Block] = []
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
    """The response at the end of a stream."""
    for event in streaming.chunks(body):
        if event['type'] in ENDED:
            return event['response']
    raise streaming.broken_off()


def _completion(response: dict[str, Any]) -> bytes:
    """Translate a response into a chat completion."""
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
        'tool_calls': [translation.call(item['call_id'], item['name'], item['arguments']) for item in calls],
    }
    finish = _end(response) or ('tool_calls' if calls else 'stop')
    return translation.completion(message, finish, _usage(response.get('usage') or {}))


def _end(response: dict[str, Any]) -> str:
    """Why a reply ended early; empty where it did not."""
    status, details = response.get('status'), response.get('incomplete_details') or {}
    if status == 'completed':
        return ''
    reason = str(details.get('reason'))
    return INCOMPLETE.get(reason, f'status incomplete, {reason}') if status == 'incomplete' else f'status {status}'


def _summaries(items: list[dict[str, Any]]) -> Iterator[str]:
    """The reasoning as text where the model shows it, else its summaries."""
    for item in items:
        if item['type'] == 'reasoning':
            yield from (part['text'] for part in item.get('content') or item.get('summary') or [])


def _blocks(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The items of a reply that must go back: reasoning whole, of the others their places and phases.

    Reasoning that is neither encrypted nor text is left out: it only names what the endpoint has not kept.
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
