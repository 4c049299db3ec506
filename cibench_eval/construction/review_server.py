"""The review page on loopback; only a browser that has the token may read and decide."""

import hmac
import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from pydantic import ValidationError

from cibench_eval.construction.review import ReviewError, ReviewLine
from cibench_eval.construction.review_desk import ReviewDesk, edited
from cibench_eval.schema import CibenchError, problem

PAGES = Path(__file__).with_name('pages')
FILES = {
    '/': ('review.html', 'text/html; charset=utf-8'),
    '/review.css': ('review.css', 'text/css; charset=utf-8'),
    '/review.js': ('review.js', 'text/javascript; charset=utf-8'),
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
PORT = 8733
"""The port of the server. It never changes, because a browser keeps what a person has typed by address."""
LARGEST = 4_000_000
"""The largest number of bytes of a request."""
Call = Callable[[dict[str, Any]], dict[str, Any]]


class ReviewServer:
    """A desk behind HTTP on 127.0.0.1.

    Args:
        port: 0 takes any free port; None takes `PORT`, or any free port if `PORT` is in use.

    Raises:
        CibenchError: the port cannot be used.
    """

    def __init__(self, desk: ReviewDesk, port: int | None = None) -> None:
        self.token = secrets.token_urlsafe(24)
        self._desk = desk
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.get(self)

            def do_POST(self) -> None:
                outer.post(self)

            def log_message(self, format: str, *args: object) -> None:
                """Log nothing; the page sends many requests."""

        try:
            self._server = _listening(Handler, port)
        except OSError as error:
            raise CibenchError(f'review: port {port} of 127.0.0.1: {error.strerror}; name another by --port') from error
        self._server.daemon_threads = True

    @property
    def port(self) -> int:
        return self._server.server_address[1]

    @property
    def url(self) -> str:
        """The address of the page; the token comes after `#`, which browsers do not send."""
        return f'http://127.0.0.1:{self.port}/#{self.token}'

    def serve(self) -> None:
        """Serve until an interrupt."""
        self._server.serve_forever(poll_interval=0.2)

    def get(self, request: BaseHTTPRequestHandler) -> None:
        path, _, query = request.path.partition('?')
        if path in FILES and self._is_here(request):
            name, kind = FILES[path]
            _send(request, 200, (PAGES / name).read_bytes(), kind)
        elif path == '/api/set':
            self._answer(request, self._desk.overview)
        elif path == '/api/notebook':
            self._answer(request, lambda: self._desk.notebook(parse_qs(query).get('id', [''])[0]))
        else:
            _send_json(request, 404, {'error': 'there is nothing at this address'})

    def post(self, request: BaseHTTPRequestHandler) -> None:
        calls: dict[str, Call] = {
            '/api/decide': lambda body: self._desk.decide(ReviewLine.model_validate(body)),
            '/api/edit': lambda body: self._desk.edit(edited(body)),
        }
        call = calls.get(request.path.partition('?')[0])
        if call is None:
            _send_json(request, 404, {'error': 'there is nothing at this address'})
        else:
            self._answer(request, lambda: call(_body(request)))

    def _answer(self, request: BaseHTTPRequestHandler, call: Callable[[], dict[str, Any]]) -> None:
        given = request.headers.get('X-Token', '').encode()
        if not (self._is_here(request) and hmac.compare_digest(given, self.token.encode())):
            _send_json(request, 403, {'error': 'not with this token; open the address that the command has printed'})
            return
        try:
            status, said = 200, call()
        except ReviewError as error:
            status, said = 409, {'error': str(error)}
        except ValidationError as error:
            status, said = 400, {'error': problem(error)}
        except (CibenchError, OSError) as error:
            status, said = 500, {'error': str(error)}
        _send_json(request, status, said)

    def _is_here(self, request: BaseHTTPRequestHandler) -> bool:
        """Whether the request names this address; a site may give 127.0.0.1 a name of its own."""
        return request.headers.get('Host') in (f'127.0.0.1:{self.port}', f'localhost:{self.port}')


def _listening(handler: type[BaseHTTPRequestHandler], port: int | None) -> ThreadingHTTPServer:
    try:
        return ThreadingHTTPServer(('127.0.0.1', PORT if port is None else port), handler)
    except OSError:
        if port is not None:
            raise
        return ThreadingHTTPServer(('127.0.0.1', 0), handler)


def _body(request: BaseHTTPRequestHandler) -> dict[str, Any]:
    try:
        length = int(request.headers.get('Content-Length', ''))
        if not 0 <= length <= LARGEST:
            raise ReviewError(f'a request of {length:,} bytes; at most {LARGEST:,}')
        body = json.loads(request.rfile.read(length))
    except (ValueError, RecursionError) as error:
        raise ReviewError('the request is no JSON') from error
    if not isinstance(body, dict):
        raise ReviewError('the request is no JSON object')
    return body


def _send_json(request: BaseHTTPRequestHandler, status: int, value: dict[str, Any]) -> None:
    if status != 200:
        request.close_connection = True  # the body of the request may be unread
    _send(request, status, json.dumps(value).encode(), 'application/json')


def _send(request: BaseHTTPRequestHandler, status: int, content: bytes, kind: str) -> None:
    request.send_response(status)
    headers = {
        'Content-Type': kind,
        'Content-Length': str(len(content)),
        'Content-Security-Policy': POLICY,
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
    }
    for name, value in headers.items():
        request.send_header(name, value)
    with suppress(ConnectionError):  # the page was closed
        request.end_headers()
        request.wfile.write(content)
