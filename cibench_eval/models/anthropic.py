"""Claude behind Anthropic's Messages API (version 2023-06-01), or any endpoint that speaks it.

- Instructions are `system`. Turns alternate: the answers to calls and what the user says next are one turn.
- Thinking (`generation_kwargs=dict(thinking=dict(type='enabled', budget_tokens=8000))`) comes in signed blocks. They go
  back as they came, which the API demands of turns with calls.
- The conversation is marked for the prompt cache, so that later steps pay a tenth for what was said before.
- A reply that stops for `refusal` has the finish reason `content_filter`.
"""

import json
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar

from cibench_eval.models import translation
from cibench_eval.models.http_model import Completion, HttpModel
from cibench_eval.models.translation import BLOCKS, Block

VERSION = '2023-06-01'
MAX_TOKENS = 4096
"""Tokens of a reply where the config says nothing: the API demands a number."""
CACHED = {'cache_control': {'type': 'ephemeral'}}


@dataclass(eq=False)
class Anthropic(HttpModel):
    """A model behind the Messages API."""

    api: ClassVar[str] = 'Messages API'
    not_taken: ClassVar[Mapping[str, str]] = dict.fromkeys(
        ('seed', 'presence_penalty', 'frequency_penalty', 'max_completion_tokens'), ''
    )
    base_url: str = 'https://api.anthropic.com/v1'
    key: str | None = 'ANTHROPIC_API_KEY'
    _: KW_ONLY
    cache: bool = True
    """Whether the conversation is marked for the prompt cache."""
    stream: bool = field(init=False, default=False)

    @property
    def headers(self) -> dict[str, str]:
        return {'x-api-key': self.secret(), 'anthropic-version': VERSION}

    async def post(self, request: dict[str, Any]) -> Completion:
        body = {'model': self.path, **_request(request, cache=self.cache)}
        return Completion(_completion((await self.ask('/messages', body)).content))


def _request(request: dict[str, Any], *, cache: bool) -> dict[str, Any]:
    """Translate a chat completions request into one of the Messages API."""
    system, turns = _turns(request['messages'])
    if cache:
        for blocks in (system, turns[-1]['content'] if turns else []):
            if blocks:
                blocks[-1] = {**blocks[-1], **CACHED}
    tools = [
        {'name': function['name'], 'description': function['description'], 'input_schema': function['parameters']}
        for function in translation.functions(request)
    ]
    made = {'max_tokens': MAX_TOKENS, **translation.settings_of(request), 'messages': turns}
    made |= {'system': system} if system else {}
    made |= {'tools': tools} if tools else {}
    stop = [word for word in request.get('stop', []) if word.strip()]  # the API refuses white space alone
    return made | ({'stop_sequences': stop} if stop else {})


def _turns(messages: list[dict[str, Any]]) -> tuple[list[Block], list[dict[str, Any]]]:
    """The instructions, and alternating turns, all as blocks."""
    system: list[Block] = []
    turns: list[dict[str, Any]] = []
    for message in messages:
        if message['role'] == 'system':
            system += _blocks(message)
            continue
        role = 'assistant' if message['role'] == 'assistant' else 'user'
        if not turns or turns[-1]['role'] != role:
            turns.append({'role': role, 'content': []})
        turns[-1]['content'] += _blocks(message)
    return system, [turn for turn in turns if turn['content']]


def _blocks(message: dict[str, Any]) -> list[Block]:
    blocks = translation.shown(message, lambda text: {'type': 'text', 'text': text}, _image, keep=str.strip)
    if message['role'] == 'tool':
        return [{'type': 'tool_result', 'tool_use_id': message['tool_call_id'], 'content': blocks}]
    calls = [
        {
            'type': 'tool_use',
            'id': call['id'],
            'name': call['function']['name'],
            'input': json.loads(call['function']['arguments']),
        }
        for call in message.get('tool_calls', [])
    ]
    return [*message.get(BLOCKS, []), *blocks, *calls]


def _image(url: str) -> Block:
    kind, data = translation.image_of(url)
    return {'type': 'image', 'source': {'type': 'base64', 'media_type': kind, 'data': data}}


def _completion(body: bytes) -> bytes:
    """Translate an answer into a chat completion; an `AnswerError` where it is none of this API."""
    answer = translation.opened(body, 'message')
    with translation.reading('message', body):
        blocks = answer['content']
        made = {
            'role': 'assistant',
            'content': ''.join(block['text'] for block in blocks if block['type'] == 'text'),
            'reasoning_content': ''.join(block['thinking'] for block in blocks if block['type'] == 'thinking'),
            BLOCKS: [block for block in blocks if block['type'] in ('thinking', 'redacted_thinking')],
            'tool_calls': [
                translation.call(block['id'], block['name'], json.dumps(block['input']))
                for block in blocks
                if block['type'] == 'tool_use'
            ],
        }
        return translation.completion(made, answer.get('stop_reason'), _usage(answer.get('usage') or {}))


def _usage(usage: dict[str, Any]) -> dict[str, Any]:
    """Tokens as chat completions count them: cached ones are part of the prompt."""
    read, written = (usage.get(f'cache_{what}_input_tokens') or 0 for what in ('read', 'creation'))
    return {
        'prompt_tokens': (usage.get('input_tokens') or 0) + read + written,
        'completion_tokens': usage.get('output_tokens'),
        'prompt_tokens_details': {'cached_tokens': read},
    }
