"""Gemini behind its own API (`generateContent`, v1beta), or any endpoint that speaks it.

- Instructions are `systemInstruction`. The answers to calls are a content of their own.
- Thinking (`generation_kwargs=dict(thinking=dict(thinkingLevel='LOW', includeThoughts=True))`) leaves signatures on the
  parts of a reply. They go back on the same parts, which Gemini 3 demands of calls. A call that gold or another model
  made has none; once the API has refused such a call, it gets the value that the API defines for this case.
- A reply that a filter stopped and a prompt that it blocked have the finish reason `content_filter`. A reply whose call
  is malformed comes without the call (`malformed_function_call`).

The API: https://ai.google.dev/api/generate-content, .../gemini-api/docs/function-calling, .../docs/thought-signatures.
"""

import json
import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from cibench_eval.models import streaming, translation
from cibench_eval.models.base import text_of
from cibench_eval.models.connections import arrived
from cibench_eval.models.endpoint_errors import AnswerError, Refusal
from cibench_eval.models.http_model import Completion, HttpModel
from cibench_eval.models.translation import BLOCKS, Block

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
"""Settings that have another name in this API; others are sent as they are."""
BESIDE = {'cachedContent', 'safetySettings', 'serviceTier', 'toolConfig'}
"""Settings that stand beside the `generationConfig` of a request, not in it."""
MOST_STOPS = 5
UNSIGNED = re.compile(r'missing a [`\']?thought_?signature', re.IGNORECASE)
"""The complaint about a call without a signature, also in our words for `MISSING_THOUGHT_SIGNATURE`."""
NO_SIGNATURE = 'skip_thought_signature_validator'
"""Stands for the signature of a call that never had one."""
TEXT = 'text'
"""Place of a signature on a text; on a call it is the number of the call."""


@dataclass(eq=False)
class Gemini(HttpModel):
    """A model behind `generateContent` or, with `stream`, `streamGenerateContent`.

    `path` is the model's name without `models/`. `generation_kwargs` has the names of the OpenAI API (`max_tokens`,
    `top_p`, `seed`); `thinking` is `thinkingConfig`; others go as they are (`extra_body=dict(topK=40,
    safetySettings=[…])`).
    """

    api: ClassVar[str] = 'Gemini API'
    not_taken: ClassVar[Mapping[str, str]] = {
        'reasoning_effort': "thinking=dict(thinkingLevel='LOW') or dict(thinkingBudget=1024)"
    }
    base_url: str = 'https://generativelanguage.googleapis.com/v1beta'
    key: str | None = 'GEMINI_API_KEY'

    def __post_init__(self) -> None:
        super().__post_init__()
        self._signs = False

    @property
    def headers(self) -> dict[str, str]:
        return {'x-goog-api-key': self.secret()}

    def learn(self, refusal: Refusal, request: dict[str, Any]) -> bool:
        if UNSIGNED.search(refusal.text) and not self._signs:
            logger.warning('model %s wants a signature on each call; calls that never had one say so', self.path)
            self._signs = True
            return True
        return super().learn(refusal, request)

    async def post(self, request: dict[str, Any]) -> Completion:
        method = 'streamGenerateContent?alt=sse' if self.stream else 'generateContent'
        answer = await self.ask(f'/models/{self.path}:{method}', _request(request, sign=self._signs))
        if streaming.is_stream(answer):
            with translation.reading('stream of contents', answer.content):
                whole = _whole(streaming.chunks(answer.content))
            return Completion(_completion(whole, answer.content), arrived(answer, streaming.PIECE))
        return Completion(_completion(translation.opened(answer.content, 'content'), answer.content))


def _request(request: dict[str, Any], *, sign: bool) -> dict[str, Any]:
    """Translate a chat completions request; with `sign`, calls without a signature say that they have none."""
    settings = {SETTINGS.get(name, name): value for name, value in translation.settings_of(request).items()}
    made = {name: settings.pop(name) for name in BESIDE & settings.keys()}
    settings |= settings.pop('generationConfig', {})
    if stop := request.get('stop', [])[:MOST_STOPS]:
        settings['stopSequences'] = stop
    system, contents = _contents(request['messages'], sign=sign)
    made |= {'contents': contents}
    made |= {'systemInstruction': {'parts': system}} if system else {}
    tools = [
        {'name': each['name'], 'description': each['description'], 'parametersJsonSchema': each['parameters']}
        for each in translation.functions(request)
    ]
    made |= {'tools': [{'functionDeclarations': tools}]} if tools else {}
    return made | ({'generationConfig': settings} if settings else {})


def _contents(messages: list[dict[str, Any]], *, sign: bool) -> tuple[list[Block], list[dict[str, Any]]]:
    """The instructions, and the conversation, in which neighbours of one role are one content."""
    system: list[Block] = []
    turns: list[tuple[str, list[Block]]] = []
    names: dict[str, str] = {}
    for message in messages:
        role, parts = message['role'], translation.shown(message, lambda text: {'text': text}, _image)
        if role == 'system':
            system += parts
            continue
        if role == 'assistant':
            names |= {made['id']: made['function']['name'] for made in message.get('tool_calls', [])}
            parts = _signed(message, parts, sign=sign)
        if role == 'tool':
            parts = [_response(message, names)]
        if turns and turns[-1][0] == role:
            turns[-1][1].extend(parts)
        elif parts:
            turns.append((role, parts))
    return system, [{'role': 'model' if role == 'assistant' else 'user', 'parts': parts} for role, parts in turns]


def _image(url: str) -> Block:
    kind, data = translation.image_of(url)
    return {'inlineData': {'mimeType': kind, 'data': data}}


def _signed(message: dict[str, Any], texts: list[Block], *, sign: bool) -> list[Block]:
    """The parts of a model's turn, each with its signature."""
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


def _response(message: dict[str, Any], names: dict[str, str]) -> Block:
    """The answer to a call. Its images are in the user's turn that follows."""
    identifier, output = message['tool_call_id'], text_of(message['content'])
    return {'functionResponse': {'id': identifier, 'name': names[identifier], 'response': {'output': output}}}


def _whole(chunks: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Join the chunks of a stream into one answer."""
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
    """Translate an answer into a chat completion; an `AnswerError` where it is none of this API."""
    with translation.reading('content', body):
        usage = _usage(answer.get('usageMetadata') or {})
        blocked = (answer.get('promptFeedback') or {}).get('blockReason')
        if not answer.get('candidates') and blocked:
            return translation.completion({'role': 'assistant', 'content': ''}, blocked, usage)
        candidate = answer['candidates'][0]
        finish = candidate.get('finishReason')
        if finish == 'MISSING_THOUGHT_SIGNATURE':
            raise AnswerError('finds a call that is missing a thought_signature', passing=False)
        message = _message((candidate.get('content') or {}).get('parts') or [])
        return translation.completion(message, finish, usage)


def _message(parts: list[Block]) -> dict[str, Any]:
    """The parts of a reply as a message."""
    texts = thoughts = ''
    calls: list[dict[str, Any]] = []
    signatures: dict[str | int, str] = {}
    for part in parts:
        place: str | int = TEXT
        if 'functionCall' in part:
            place, made = len(calls), part['functionCall']
            calls.append(translation.call(made.get('id') or '', made['name'], json.dumps(made.get('args') or {})))
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
    """Tokens as chat completions count them: thoughts are part of the reply."""
    thoughts, results = usage.get('thoughtsTokenCount'), usage.get('toolUsePromptTokenCount') or 0
    said = usage.get('candidatesTokenCount')
    counted = 'promptTokenCount' in usage
    return {
        'prompt_tokens': usage['promptTokenCount'] + results if counted else None,
        'completion_tokens': (said or 0) + (thoughts or 0) if counted else None,
        'prompt_tokens_details': {'cached_tokens': usage.get('cachedContentTokenCount')},
        'completion_tokens_details': {'reasoning_tokens': thoughts},
    }
