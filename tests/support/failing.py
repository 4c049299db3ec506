"""Ways in which an endpoint fails instead of answering, one line each."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from tests.support.chat_server import http
from tests.support.wires import Wire

Way = Callable[[Wire, str], Iterator[bytes]]
"""Makes what an endpoint sends instead of the reply with a text."""

STATUSES = (
    *(301, 307, 400, 401, 403, 404, 405, 408, 409, 410, 418, 422, 425, 429, 431, 451),
    *(500, 501, 502, 503, 504, 507, 520, 522, 524, 529),
)
WORDS = (
    *('network_error', 'server_error', 'timeout', 'cancelled', 'canceled', 'failed', 'overloaded', 'error', 'abort'),
    *('aborted', 'insufficient_system_resource', 'rate_limit', 'unknown', 'in_progress', 'queued', 'incomplete'),
    *('OTHER', 'FINISH_REASON_UNSPECIFIED', 'null', 'load', 'internal', 'disconnect', 'bad_gateway', '\ud83d'),
)
"""Finish reasons with which the service, not the model, ends a reply."""
BODIES: dict[str, bytes] = {
    'nothing': b'',
    'spaces': b'   \n',
    'null': b'null',
    'an empty object': b'{}',
    'an empty list': b'[]',
    'a text': b'"upstream timed out"',
    'a number': b'504',
    'no JSON': b'upstream connect error or disconnect/reset before headers',
    'half an object': b'{"choices": [{"message": {"content": "n = 1',
    'two objects': b'{"choices": []}{"choices": []}',
    'bytes that are no text': b'{"choices": "\xff\xfe"}',
    'brackets': b'[' * 200_000,
    'objects within objects': b'{"a":' * 100_000,
    'a page': b'<!DOCTYPE html><html><body>Sign in</body></html>',
    'a page in XML': b'<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>',
    'no choices': b'{"choices": [], "content": [], "output": [], "candidates": []}',
    'choices that are null': b'{"choices": null, "content": null, "output": null, "candidates": null}',
    'an error': b'{"error": {"message": "overloaded", "type": "server_error", "code": 503}}',
    'an error as a text': b'{"error": "overloaded"}',
    'errors in a list': b'[{"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}]',
    'an error of vLLM': b'{"object": "error", "message": "overloaded", "type": "BadGateway", "code": 502}',
    'an error of Anthropic': b'{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}',
    'an error of FastAPI': b'{"detail": "Internal Server Error"}',
    'an error of FastChat': b'{"text": "NETWORK ERROR", "error_code": 50001}',
    'an error of AWS': b'{"message": "Endpoint request timed out"}',
    'an error of Cloudflare': b'{"success": false, "errors": [{"code": 7000, "message": "no route"}], "result": null}',
    'a greeting': b'{"status": "ok"}',
}
"""Bodies that come with status 200."""
ERRORS: dict[str, dict[str, Any]] = {
    'an error': {'error': {'message': 'overloaded', 'type': 'server_error', 'code': 503}},
    'an error as a text': {'error': 'overloaded'},
    'an error of vLLM': {'object': 'error', 'message': 'engine is dead', 'type': 'InternalServerError', 'code': 500},
    'an error of Anthropic': {'type': 'error', 'error': {'type': 'overloaded_error', 'message': 'Overloaded'}},
    'an error without a name': {'type': 'error', 'message': 'slow down', 'code': 'server_error'},
    'an error of FastAPI': {'detail': 'Internal Server Error'},
    'an error of FastChat': {'text': 'NETWORK ERROR', 'error_code': 50001},
}
"""Error objects."""
CUT: dict[str, Way] = {
    'closes at once': lambda wire, text: iter(()),
    'speaks another protocol': lambda wire, text: iter([b'SSH-2.0-OpenSSH_9.2\r\n']),
    'closes in its headers': lambda wire, text: iter([b'HTTP/1.1 200 OK\r\nContent-Ty']),
    'closes in its body': lambda wire, text: _shortened(wire.answer(text)),
    'breaks chunks': lambda wire, text: http(200, b'zz\r\n', Transfer_Encoding='chunked'),
    'closes in a chunk': lambda wire, text: http(200, b'ff\r\n{"choices', Transfer_Encoding='chunked'),
    'says 500 and the reply': lambda wire, text: http(500, wire.whole(text, wire.good)),
    'says 200 and a page for a status': lambda wire, text: http(
        200, b'<h1>502 Bad Gateway</h1>', Content_Type='text/html'
    ),
}
"""Connections that end in the middle."""
BESIDE: dict[str, Way] = {
    'an error beside the reply': lambda wire, text: _with(
        wire, text, error={'message': 'upstream failed', 'code': 502}
    ),
    'a text of an error beside the reply': lambda wire, text: _with(wire, text, error='upstream failed'),
    'no end': lambda wire, text: wire.ended('', None),
    'an empty end': lambda wire, text: wire.ended('', ''),
}


def ways(wire: Wire) -> dict[str, Way]:
    """All ways in a wire format, by name."""
    found: dict[str, Way] = {
        **{f'status {status}': lambda wire, text, status=status: http(status, b'') for status in STATUSES},
        **{f'ends with {word!a}': lambda wire, text, word=word: wire.ended(_half(text), word) for word in WORDS},
        **{f'200 and {name}': lambda wire, text, body=body: http(200, body) for name, body in BODIES.items()},
        **CUT,
        **(_in_streams() if wire.events else BESIDE),
    }
    if wire.whole('', '').get('choices'):
        found['an empty message'] = lambda wire, text: _emptied(wire)
    return found


def _in_streams() -> dict[str, Way]:
    found: dict[str, Way] = {
        'a stream of nothing': lambda wire, text: wire.stream(end=''),
        'a stream that is only over': lambda wire, text: wire.stream(),
        'a stream of comments': lambda wire, text: wire.stream(': keep-alive', ': keep-alive'),
        'a stream without choices': lambda wire, text: wire.stream({'choices': []}, {'candidates': []}),
        'a stream without an end': lambda wire, text: wire.stream(*wire.before(text), end=''),
        'half a stream, and over': lambda wire, text: wire.stream(*wire.before(text)[:-1]),
        'half an event': lambda wire, text: wire.stream(*wire.before(text), 'data: {"choices": [{"del', end=''),
        'an event that is no JSON': lambda wire, text: wire.stream(*wire.before(text), 'data: upstream timed out'),
        'an event that is a list': lambda wire, text: wire.stream(*wire.before(text), 'data: []'),
        'an error that is no JSON': lambda wire, text: wire.stream(*wire.before(text), 'event: error\ndata: gone'),
        'a page within': lambda wire, text: wire.stream(*wire.before(text), 'data: <html>502</html>'),
    }
    for name, error in ERRORS.items():
        line = f'event: error\ndata: {json.dumps(error)}'
        found |= {
            f'{name} at once': lambda wire, text, error=error: wire.stream(error),
            f'{name} after text': lambda wire, text, error=error: wire.stream(*wire.before(text), error),
            f'{name} after text, and no end': lambda wire, text, error=error: wire.stream(
                *wire.before(text), error, end=''
            ),
            f'{name} as its event': lambda wire, text, line=line: wire.stream(*wire.before(text), line),
        }
    return found


def _half(text: str) -> str:
    """A reply without its end, which must never pass for the whole one."""
    return text[: -len(text) // 3]


def _shortened(answer: Iterator[bytes]) -> Iterator[bytes]:
    """An answer that is shorter than its Content-Length."""
    head, body = answer
    yield head.replace(b'\r\nConnection', f'\r\nContent-Length: {len(body)}\r\nConnection'.encode())
    yield body[: len(body) // 2]


def _with(wire: Wire, text: str, **fields: Any) -> Iterator[bytes]:
    return http(200, {**wire.whole(_half(text), wire.good), **fields})


def _emptied(wire: Wire) -> Iterator[bytes]:
    """A reply whose message has nothing, not even a role."""
    whole = wire.whole('', wire.good)
    whole['choices'][0]['message'] = {}
    return http(200, whole)
