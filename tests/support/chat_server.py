"""A chat completions server on loopback: the real wire protocol, with answers that a test chooses.

It stands in for paid APIs and GPU servers only. `answer` gets the request's messages (the whole request where the API
has no messages) and returns the reply's text, an HTTP status, raw bytes as the body (a `Body` has status 400), or an
iterator of bytes: the whole answer with its status line, sent piece by piece, after which the connection closes (see
`http`).
"""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Said = str | int | bytes | Iterator[bytes]
Answer = Callable[[Any], Said]


class Body(bytes):
    """A raw body that is sent with status 400."""

    status = 400


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024  # as many sessions as may begin at the same time


class ChatServer:
    """A running server: its address, and every request to it."""

    def __init__(self, answer: Answer, port: int = 0) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.paths: list[str] = []
        self.headers: list[dict[str, str]] = []
        """The headers of each request, with names in lower case."""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.reply(b'{}')

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
                outer.requests.append(body)
                outer.keys.append(self.headers.get('Authorization'))
                outer.headers.append({name.lower(): value for name, value in self.headers.items()})
                outer.paths.append(self.path)
                self.reply(answer(body.get('messages', body)))

            def reply(self, said: Said) -> None:
                if isinstance(said, Iterator):
                    return self.pieces(said)
                status = said if isinstance(said, int) else getattr(said, 'status', 200)
                body = said if isinstance(said, bytes) else json.dumps(completion(said)).encode()
                self.send_response(status)
                self.send_header('Content-Type', 'application/json')
                self.send_header('Content-Length', str(len(body)))
                if status == 429:
                    self.send_header('Retry-After', '0')
                self.end_headers()
                self.wfile.write(body)
                return None

            def pieces(self, said: Iterator[bytes]) -> None:
                self.close_connection = True
                with suppress(ConnectionError):
                    for piece in said:
                        self.wfile.write(piece)

            def log_message(self, *_: object) -> None:
                pass

        self._server = _Server(('127.0.0.1', port), Handler)
        self.base_url = f'http://127.0.0.1:{self._server.server_address[1]}/v1'
        self.thread = threading.Thread(target=self.serve, daemon=True)

    def serve(self) -> None:
        """Serve until it is closed."""
        self._server.serve_forever(0.02)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def completion(said: str | int | bytes, finish: Any = 'stop') -> dict[str, Any]:
    """The body of a chat completion, or of an error where `said` is a status."""
    if isinstance(said, int):
        return {'error': {'message': f'status {said}', 'type': 'test', 'code': None}}
    return {
        'id': 'chat-1',
        'object': 'chat.completion',
        'created': 0,
        'model': 'test',
        'choices': [{'index': 0, 'finish_reason': finish, 'message': {'role': 'assistant', 'content': said}}],
        'usage': {'prompt_tokens': 7, 'completion_tokens': 5, 'total_tokens': 12},
    }


def cut(said: str) -> bytes:
    """The body of a completion that ended at the limit of its length."""
    return json.dumps(completion(said, 'length')).encode()


def http(status: int, body: bytes | dict[str, Any] = b'', **headers: object) -> Iterator[bytes]:
    """A whole answer with headers (`Retry_After=0`) of the test's choice; Content-Length only if it is among them."""
    lines = [f'HTTP/1.1 {status} Test', *(f'{name.replace("_", "-")}: {value}' for name, value in headers.items())]
    yield '\r\n'.join([*lines, 'Connection: close', '', '']).encode()
    yield body if isinstance(body, bytes) else json.dumps(body).encode()


@contextmanager
def chat_server(answer: Answer) -> Iterator[ChatServer]:
    server = ChatServer(answer)
    server.thread.start()
    try:
        yield server
    finally:
        server.close()
