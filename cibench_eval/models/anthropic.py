"""Claude behind Anthropic's Messages API (version 2023-06-01), or any endpoint that speaks it.

Requests and answers are translated from and to the chat completions API; retries, limits on the rate, timeouts and
bounded answers are those of every endpoint (`OpenAICompatible`).

- Instructions are `system`. Turns alternate: what answers calls and what the user says next is one turn.
- Thinking (`generation_kwargs=dict(thinking=dict(type='enabled', budget_tokens=8000))`) comes in signed blocks. They go
  back as they came, which the API demands of turns with calls.
- The conversation is marked for the cache of prompts, so that later steps pay a tenth for what was said before.
- A reply that stops for `refusal` has the finish reason `content_filter`.
"""

from __future__ import annotations

import json
from typing import Any

from cibench_eval.models.connections import Endpoint
from cibench_eval.models.openai_compatible import Answer, OpenAICompatible
from cibench_eval.models.translation import BLOCKS, call, completion, functions, image_of, opened, reading, settings_of
from cibench_eval.schema import CibenchError, GenerationConfig, parts_of

VERSION = '2023-06-01'
MAX_TOKENS = 4096
"""Tokens of a reply where the config says nothing: the API demands a number."""
CACHED = {'cache_control': {'type': 'ephemeral'}}
NOT_TAKEN = {'seed', 'presence_penalty', 'frequency_penalty', 'max_completion_tokens'}
"""Settings of the chat completions API that this one does not have."""
FINISHED = {
    'end_turn': 'stop',
    'stop_sequence': 'stop',
    'pause_turn': 'stop',
    'tool_use': 'tool_calls',
    'max_tokens': 'length',
    'model_context_window_exceeded': 'length',
    'refusal': 'content_filter',
}


class Anthropic(OpenAICompatible):
    """A model behind the Messages API.

    Args:
        path: the model's name there.
        base_url: up to and including `/v1`.
        key: NAME of the environment variable that holds the API key.
        cache: whether the conversation is marked for the cache of prompts.
        generation_kwargs: settings of a request, sent as they are (`thinking`, `extra_body=dict(top_k=…)`);
            `temperature` has no default here, since models that think take none.
        timeout, retries, retry_wait, requests_per_minute, tokens_per_minute: as those of `OpenAICompatible`.
    """

    chat_path = '/messages'

    def __init__(
        self,
        path: str,
        base_url: str = 'https://api.anthropic.com/v1',
        key: str | None = 'ANTHROPIC_API_KEY',
        cache: bool = True,
        generation_kwargs: GenerationConfig | None = None,
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
            requests_per_minute=requests_per_minute,
            tokens_per_minute=tokens_per_minute,
        )
        if 'temperature' not in (generation_kwargs or {}):
            self.generation.pop('temperature')
        self._cache = cache
        self._dialect.reasoning_field = BLOCKS

    def check(self) -> None:
        super().check()
        if taken := sorted(NOT_TAKEN & self.generation.keys()):
            raise CibenchError(f'model {self.path}: generation_kwargs: {taken[0]} is not a setting of the Messages API')

    @property
    def endpoint(self) -> Endpoint:
        secret = super().endpoint.secret()
        return Endpoint(self.path, self.base_url, self._key, {'x-api-key': secret, 'anthropic-version': VERSION})

    async def post(self, request: dict[str, Any]) -> Answer:
        answer = await super().post(_request(request, cache=self._cache))
        return Answer(_completion(answer.body))


def _request(request: dict[str, Any], *, cache: bool) -> dict[str, Any]:
    """A chat completions request in the words of the Messages API."""
    system, turns = _turns(request['messages'])
    if cache:
        for blocks in (system, turns[-1]['content'] if turns else []):
            if blocks:
                blocks[-1] = {**blocks[-1], **CACHED}
    tools = [
        {'name': function['name'], 'description': function['description'], 'input_schema': function['parameters']}
        for function in functions(request)
    ]
    made = {'max_tokens': MAX_TOKENS, **settings_of(request), 'messages': turns}
    made |= {'system': system} if system else {}
    made |= {'tools': tools} if tools else {}
    # White space alone is refused there as a text to stop at.
    stop = [word for word in request.get('stop', []) if word.strip()]
    return made | ({'stop_sequences': stop} if stop else {})


def _turns(messages: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The instructions, and turns that alternate, all as blocks."""
    system: list[dict[str, Any]] = []
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


def _blocks(message: dict[str, Any]) -> list[dict[str, Any]]:
    """What a message says, as blocks; texts without anything are refused there."""
    shown = [
        _image(part['image_url']['url']) if part['type'] == 'image_url' else {'type': 'text', 'text': part['text']}
        for part in parts_of(message['content'])
        if part['type'] == 'image_url' or part['text'].strip()
    ]
    if message['role'] == 'tool':
        return [{'type': 'tool_result', 'tool_use_id': message['tool_call_id'], 'content': shown}]
    calls = [
        {
            'type': 'tool_use',
            'id': call['id'],
            'name': call['function']['name'],
            'input': json.loads(call['function']['arguments']),
        }
        for call in message.get('tool_calls', [])
    ]
    return [*message.get(BLOCKS, []), *shown, *calls]


def _image(url: str) -> dict[str, Any]:
    kind, data = image_of(url)
    return {'type': 'image', 'source': {'type': 'base64', 'media_type': kind, 'data': data}}


def _completion(body: bytes) -> bytes:
    """An answer as the chat completion that it would be.

    Raises:
        AnswerError: it is none.
    """
    answer = opened(body, 'message')
    with reading('message', body):
        blocks = answer['content']
        made = {
            'role': 'assistant',
            'content': ''.join(block['text'] for block in blocks if block['type'] == 'text'),
            'reasoning_content': ''.join(block['thinking'] for block in blocks if block['type'] == 'thinking'),
            BLOCKS: [block for block in blocks if block['type'] in ('thinking', 'redacted_thinking')],
            'tool_calls': [
                call(block['id'], block['name'], json.dumps(block['input']))
                for block in blocks
                if block['type'] == 'tool_use'
            ],
        }
        reason = answer.get('stop_reason') or ''
        finish = FINISHED.get(reason, reason)
        return completion(made, finish, _usage(answer.get('usage') or {}))


def _usage(usage: dict[str, Any]) -> dict[str, Any]:
    """Tokens as chat completions count them: those that came from the cache are among those of the prompt."""
    read, written = (usage.get(f'cache_{what}_input_tokens') or 0 for what in ('read', 'creation'))
    return {
        'prompt_tokens': (usage.get('input_tokens') or 0) + read + written,
        'completion_tokens': usage.get('output_tokens'),
        'prompt_tokens_details': {'cached_tokens': read},
    }
