"""Gemini behind its own API (`generateContent`, v1beta), or any endpoint that speaks it.

Requests and answers are translated from and to the chat completions API; retries, limits on the rate, timeouts and
bounded answers are those of every endpoint (`OpenAICompatible`).

- Instructions are `systemInstruction`. The answers to calls are a content of their own.
- Thinking (`generation_kwargs=dict(thinking=dict(thinkingLevel='LOW', includeThoughts=True))`) leaves signatures on the
  parts of a reply. They go back on the same parts, which Gemini 3 demands of calls. A call that never had one, because
  gold or another model made it, gets the value that the API has for that, once it has refused one without.
- A reply that a filter stopped, and a prompt that it blocked, have the finish reason `content_filter`. A call that the
  model got wrong is a reply without one (`malformed_function_call`).

The API: https://ai.google.dev/api/generate-content, .../gemini-api/docs/function-calling, .../docs/thought-signatures.
"""

from __future__ import annotations

import json
import logging
import re
from typing import Any

from cibench_eval.models import streaming
from cibench_eval.models.connections import Endpoint, arrived
from cibench_eval.models.endpoint_errors import AnswerError, Refusal
from cibench_eval.models.openai_compatible import Answer, OpenAICompatible
from cibench_eval.models.translation import (
    BLOCKS,
    call,
    completion,
    functions,
    image_of,
    opened,
    reading,
    settings_of,
)
from cibench_eval.schema import CibenchError, GenerationConfig, parts_of

logger = logging.getLogger(__name__)
SETTINGS = {
    'max_tokens': 'maxOutputTokens',
    'max_completion_tokens': 'maxOutputTokens',
    'top_p': 'topP',
    'top_k': 'topK',
    'presence_penalty': 'presencePenalty',
    'frequency_penalty': 'frequencyPenalty',
    'thinking': 'thinkingConfig',
}
"""Settings that have another name here; others are sent as they are."""
BESIDE = {'cachedContent', 'safetySettings', 'serviceTier', 'toolConfig'}
"""Settings that stand beside the `generationConfig` of a request, not in it."""
MOST_STOPS = 5
FINISHED = {
    'STOP': 'stop',
    'MAX_TOKENS': 'length',
    **dict.fromkeys(('SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'), 'content_filter'),
    **dict.fromkeys(('LANGUAGE', 'ESCALATION', 'MODEL_ARMOR', 'IMAGE_SAFETY', 'JAILBREAK'), 'content_filter'),
    **dict.fromkeys(('UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS'), 'malformed_function_call'),
}
"""Ends of replies, and why prompts are blocked. `OTHER` may be anything, so it is no reply."""
UNSIGNED = re.compile(r'missing a [`\']?thought_?signature', re.IGNORECASE)
"""What it says of a call without a signature, in `MISSING_THOUGHT_SIGNATURE` too."""
NO_SIGNATURE = 'skip_thought_signature_validator'
"""In the place of a signature that there never was."""
TEXT = 'text'
"""The place of a signature on a text; one on a call has the number of the call."""


class Gemini(OpenAICompatible):
    """A model behind `generateContent` or, with `stream`, `streamGenerateContent`.

    Args:
        path: the model's name there, without `models/`.
        base_url: up to and including `/v1beta`.
        key: NAME of the environment variable that holds the API key.
        generation_kwargs: settings of a request, by the names of the OpenAI API (`max_tokens`, `top_p`, `seed`);
            `thinking` is `thinkingConfig`; others go as they are (`extra_body=dict(topK=40, safetySettings=[…])`).
            `temperature` has no default here: Gemini 3 is made for that of the service.
        stream, timeout, retries, retry_wait, requests_per_minute, tokens_per_minute: as those of `OpenAICompatible`.
    """

    def __init__(
        self,
        path: str,
        base_url: str = 'https://generativelanguage.googleapis.com/v1beta',
        key: str | None = 'GEMINI_API_KEY',
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
        self._signs = False

    def check(self) -> None:
        super().check()
        if 'reasoning_effort' in self.generation:
            raise CibenchError(
                f'model {self.path}: generation_kwargs: reasoning_effort is not a setting of the Gemini API; '
                "use thinking=dict(thinkingLevel='LOW') or dict(thinkingBudget=1024)"
            )

    @property
    def endpoint(self) -> Endpoint:
        return Endpoint(self.path, self.base_url, self._key, {'x-goog-api-key': super().endpoint.secret()})

    def learn(self, refusal: Refusal, request: dict[str, Any]) -> bool:
        if UNSIGNED.search(refusal.text) and not self._signs:
            logger.warning('model %s wants a signature on each call; calls that never had one say so', self.path)
            self._signs = True
            return True
        return super().learn(refusal, request)

    async def post(self, request: dict[str, Any]) -> Answer:
        method = 'streamGenerateContent?alt=sse' if self._stream else 'generateContent'
        answer = await self.ask(f'/models/{self.path}:{method}', _request(request, sign=self._signs))
        if streaming.is_stream(answer):
            with reading('stream of contents', answer.content):
                whole = _whole(streaming.chunks(answer.content))
            return Answer(_completion(whole, answer.content), arrived(answer))
        return Answer(_completion(opened(answer.content, 'content'), answer.content))


def _request(request: dict[str, Any], *, sign: bool) -> dict[str, Any]:
    """A chat completions request in the words of this API; with `sign`, calls without a signature say so."""
    settings = {SETTINGS.get(name, name): value for name, value in settings_of(request).items()}
    made = {name: settings.pop(name) for name in BESIDE & settings.keys()}
    settings |= settings.pop('generationConfig', {})
    if stop := request.get('stop', [])[:MOST_STOPS]:
        settings['stopSequences'] = stop
    system, contents = _contents(request['messages'], sign=sign)
    made |= {'contents': contents}
    made |= {'systemInstruction': {'parts': system}} if system else {}
    tools = [
        {'name': each['name'], 'description': each['description'], 'parametersJsonSchema': each['parameters']}
        for each in functions(request)
    ]
    made |= {'tools': [{'functionDeclarations': tools}]} if tools else {}
    return made | ({'generationConfig': settings} if settings else {})


def _contents(messages: list[dict[str, Any]], *, sign: bool) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The instructions, and what was said after them. Neighbours of one role are one content."""
    system: list[dict[str, Any]] = []
    said: list[tuple[str, list[dict[str, Any]]]] = []
    names: dict[str, str] = {}
    for message in messages:
        role, parts = message['role'], _shown(message)
        if role == 'system':
            system += parts
            continue
        if role == 'assistant':
            names |= {made['id']: made['function']['name'] for made in message.get('tool_calls', [])}
            parts = _signed(message, parts, sign=sign)
        if role == 'tool':
            parts = [_response(message, names)]
        if said and said[-1][0] == role:
            said[-1][1].extend(parts)
        elif parts:
            said.append((role, parts))
    return system, [{'role': 'model' if role == 'assistant' else 'user', 'parts': parts} for role, parts in said]


def _shown(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The texts and images of a message."""
    parts: list[dict[str, Any]] = []
    for part in parts_of(message['content']):
        if part['type'] == 'image_url':
            kind, data = image_of(part['image_url']['url'])
            parts.append({'inlineData': {'mimeType': kind, 'data': data}})
        elif part['type'] == 'text' and part['text']:
            parts.append({'text': part['text']})
    return parts


def _signed(message: dict[str, Any], texts: list[dict[str, Any]], *, sign: bool) -> list[dict[str, Any]]:
    """The parts of a model's turn, each with the signature that it came with."""
    signatures = {block['on']: {'thoughtSignature': block['thoughtSignature']} for block in message.get(BLOCKS, [])}
    unsigned = {'thoughtSignature': NO_SIGNATURE} if sign else {}
    calls = [
        {
            'functionCall': {
                'id': made['id'],
                'name': made['function']['name'],
                'args': json.loads(made['function']['arguments']),
            },
            **signatures.get(number, unsigned),
        }
        for number, made in enumerate(message.get('tool_calls', []))
    ]
    if TEXT in signatures:
        *before, last = texts or [{'text': ''}]
        texts = [*before, last | signatures[TEXT]]
    return [*texts, *calls]


def _response(message: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """What a call was answered. Images in an answer are in the user's turn that follows it."""
    identifier = message['tool_call_id']
    output = '\n\n'.join(part['text'] for part in parts_of(message['content']) if part['type'] == 'text')
    return {'functionResponse': {'id': identifier, 'name': names[identifier], 'response': {'output': output}}}


def _whole(chunks: Any) -> dict[str, Any]:
    """The answer whose parts a stream brought one after the other."""
    whole: dict[str, Any] = {}
    parts: list[dict[str, Any]] = []
    ended: dict[str, Any] = {}
    for chunk in chunks:
        whole |= chunk
        for candidate in (chunk.get('candidates') or [])[:1]:
            parts += (candidate.get('content') or {}).get('parts') or []
            ended |= candidate
    if ended:
        whole['candidates'] = [{**ended, 'content': {'role': 'model', 'parts': parts}}]
    if not (ended.get('finishReason') or whole.get('promptFeedback')):
        raise streaming.broken_off()
    return whole


def _completion(answer: dict[str, Any], body: bytes) -> bytes:
    """An answer as the chat completion that it would be.

    Raises:
        AnswerError: it is none.
    """
    with reading('content', body):
        usage = _usage(answer.get('usageMetadata') or {})
        blocked = (answer.get('promptFeedback') or {}).get('blockReason')
        if not answer.get('candidates') and blocked:
            return completion({'role': 'assistant', 'content': ''}, FINISHED.get(blocked, blocked), usage)
        candidate = answer['candidates'][0]
        finish = candidate.get('finishReason')
        if finish == 'MISSING_THOUGHT_SIGNATURE':
            raise AnswerError('finds a call that is missing a thought_signature', passing=False)
        message = _message((candidate.get('content') or {}).get('parts') or [])
        return completion(message, FINISHED.get(finish, finish), usage)


def _message(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """The turn that a reply's parts are."""
    texts, thoughts = '', ''
    calls: list[dict[str, Any]] = []
    signatures: dict[str | int, str] = {}
    for part in parts:
        place: str | int = TEXT
        if 'functionCall' in part:
            place, made = len(calls), part['functionCall']
            calls.append(call(made.get('id') or '', made['name'], json.dumps(made.get('args') or {})))
        elif part.get('thought'):
            thoughts += part.get('text', '')
        else:
            texts += part.get('text', '')
        if 'thoughtSignature' in part:
            signatures[place] = part['thoughtSignature']
    return {
        'role': 'assistant',
        'content': texts,
        'reasoning_content': thoughts,
        BLOCKS: [{'on': place, 'thoughtSignature': signature} for place, signature in signatures.items()],
        'tool_calls': calls,
    }


def _usage(usage: dict[str, Any]) -> dict[str, Any]:
    """Tokens as chat completions count them: thoughts are among those of the reply."""
    thoughts, results = usage.get('thoughtsTokenCount'), usage.get('toolUsePromptTokenCount') or 0
    said = usage.get('candidatesTokenCount')
    counted = 'promptTokenCount' in usage
    return {
        'prompt_tokens': usage['promptTokenCount'] + results if counted else None,
        'completion_tokens': (said or 0) + (thoughts or 0) if counted else None,
        'prompt_tokens_details': {'cached_tokens': usage.get('cachedContentTokenCount')},
        'completion_tokens_details': {'reasoning_tokens': thoughts},
    }
