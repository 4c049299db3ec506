"""Server-sent events -> the chat completion that would have come whole.

Every answer is read to its end (`connections.post`). Streaming keeps bytes flowing, so that proxies do not take a long
reply for a dead connection, and tells when the first token came.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx

from cibench_eval.models.endpoint_errors import AnswerError, error_in
from cibench_eval.models.translation import completion

DONE = '[DONE]'
TEXTS = ('content', 'refusal', 'reasoning_content', 'reasoning')
"""Fields of a message that come in pieces of text."""
PIECE = re.compile(
    rb'"(?:content|refusal|reasoning\w*|text|tool_calls)":\s*+(?:"[^"]|\[\s*+[^]])|"function_?[Cc]all":\s*+\{\s*+[^}]'
)
"""Text, reasoning or a call in a chunk; chunks before it only announce the reply."""
ENDED_BY = ('stop_reason', 'matched_stop')
"""Fields of a choice that say which text or token has ended it."""


def whole(body: bytes) -> bytes:
    """Join the chunks of a streamed answer into a chat completion, as JSON.

    Raises:
        AnswerError: there is no reply, or it did not end. Only a finish reason shows an end: gateways put a `[DONE]`
            after whatever came.
    """
    message: dict[str, Any] = {'role': 'assistant', 'content': ''}
    finish, usage, by = None, None, dict[str, Any]()
    for chunk in chunks(body):
        usage = chunk.get('usage') or usage
        choices = chunk.get('choices')
        choice = choices[0] if isinstance(choices, list) and choices else None
        if isinstance(choice, dict):
            _add(message, choice.get('delta') or _further(message, choice.get('message')))
            finish = choice.get('finish_reason') or finish
            by |= {name: choice[name] for name in ENDED_BY if name in choice}
    if not finish:
        raise broken_off()
    return completion(message, finish, usage, **by)


def is_stream(answer: httpx.Response) -> bool:
    """Whether an answer is streamed; some endpoints do not stream."""
    named = answer.headers.get('content-type', '').lower().startswith('text/event-stream')
    return named or answer.content.startswith(b'data:')  # homemade servers do not name it


def chunks(body: bytes) -> Iterator[dict[str, Any]]:
    """The objects in a stream; an `AnswerError` where something in it is not an object, or is an error."""
    for name, data in _events(body):
        if data.strip() in ('', DONE):
            continue
        chunk = _chunk(data)
        if error := error_in(chunk) or (chunk if name == 'error' else None):
            raise AnswerError('broke the stream off with an error', error)
        yield chunk


def broken_off() -> AnswerError:
    """The error of a stream without an end."""
    return AnswerError('broke the stream off before the reply ended')


def _events(body: bytes) -> Iterator[tuple[str, str]]:
    """Name and data of each event, as the HTML standard defines them; comments only keep a connection alive."""
    name, lines = '', list[str]()
    for line in [*body.decode(errors='replace').replace('\r\n', '\n').split('\n'), '']:
        if line.startswith('data:'):
            lines.append(line[5:].removeprefix(' '))
        elif line.startswith('event:'):
            name = line[6:].strip()
        elif not line:
            if lines:
                yield name, '\n'.join(lines)
            name, lines = '', []


def _chunk(data: str) -> dict[str, Any]:
    try:
        chunk = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise AnswerError(f'a chunk of its stream is not JSON ({error}): {data[:200]}') from error
    if not isinstance(chunk, dict):
        raise AnswerError(f'a chunk of its stream is not an object: {data[:200]}')
    return chunk


def _further(message: dict[str, Any], given: Any) -> dict[str, Any]:
    """What a message in the place of a piece adds: some gateways send the whole reply so, alone or at the end."""
    further = dict(given) if isinstance(given, dict) else {}
    for name in TEXTS:
        if isinstance(text := further.get(name), str) and isinstance(before := message.get(name, ''), str):
            further[name] = text.removeprefix(before)
    if 'tool_calls' in message:
        further.pop('tool_calls', None)
    return further


def _add(message: dict[str, Any], delta: Any) -> None:
    """Append the content of a chunk to the message."""
    if not isinstance(delta, dict):
        raise AnswerError(f'a chunk of its stream has no delta: {str(delta)[:200]}')
    for name in TEXTS:
        if isinstance(more := delta.get(name), str | list):
            message[name] = _joined(message.get(name, ''), more)
    if isinstance(details := delta.get('reasoning_details'), list):
        message.setdefault('reasoning_details', []).extend(details)
    calls, alone = delta.get('tool_calls'), delta.get('function_call')
    if not calls and isinstance(alone, dict) and any(alone.values()):
        calls = [{'index': 0, 'function': alone}]
    for call in calls if isinstance(calls, list) else []:
        if isinstance(call, dict):
            _add_call(message.setdefault('tool_calls', []), call)


def _joined(before: str | list[Any], more: str | list[Any]) -> str | list[Any]:
    """Join two pieces of a message: texts, or lists of parts (Mistral's reasoning)."""
    if isinstance(before, str) and isinstance(more, str):
        return before + more
    parts, further = ([{'type': 'text', 'text': one}] if isinstance(one, str) else one for one in (before, more))
    parts += further
    return parts


def _add_call(calls: list[dict[str, Any]], call: dict[str, Any]) -> None:
    """Append a piece of a call: its id and name come once, its arguments bit by bit.

    Pieces of a call have the same index, if any; some services do not count from 0. A name with a new id begins a call
    whatever its index is: Ollama and Gemini give all calls the index 0.
    """
    function = call['function'] if isinstance(call.get('function'), dict) else {}
    identifier, name, arguments = call.get('id') or '', function.get('name') or '', function.get('arguments') or ''
    index = call.get('index')
    known = calls if index is None else [one for one in calls if one['index'] == index]
    new = all(one['id'] != identifier for one in known) if identifier else index is None
    if not known or (name and new):
        known = [{'index': index, 'id': '', 'function': {'name': '', 'arguments': ''}}]
        calls += known
    mine = next((one for one in known if one['id'] == identifier != ''), known[-1])
    mine['id'], mine['function']['name'] = mine['id'] or identifier, mine['function']['name'] or name
    mine['function']['arguments'] += arguments if isinstance(arguments, str) else json.dumps(arguments)
