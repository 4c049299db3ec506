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
from cibench_eval.construction.review_desk import ReviewDesk
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


class ReviewServer(ThreadingHTTPServer):
    """A desk behind HTTP on 127.0.0.1.

    Args:
        port: 0 takes any free port; None takes `PORT`, or any free port if `PORT` is in use.

    Raises:
        CibenchError: the port cannot be used.
    """

    daemon_threads = True

    def __init__(self, desk: ReviewDesk, port: int | None) -> None:
        self.desk, self.token = desk, secrets.token_urlsafe(24)
        ports = [PORT, 0] if port is None else [port]
        for one in ports:
            try:
                super().__init__(('127.0.0.1', one), _Handler)
                break
            except OSError as error:
                if one == ports[-1]:
                    fault = f'review: port {one} of 127.0.0.1: {error.strerror}; name another by --port'
                    raise CibenchError(fault) from error

    @property
    def url(self) -> str:
        """The address of the page; the token comes after `#`, which browsers do not send."""
        return f'http://127.0.0.1:{self.server_port}/#{self.token}'


class _Handler(BaseHTTPRequestHandler):
    server: ReviewServer

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing; the page sends many requests."""

    def do_GET(self) -> None:
        path, _, query = self.path.partition('?')
        if path in FILES and self._is_here():
            name, kind = FILES[path]
            self._send(200, (PAGES / name).read_bytes(), kind)
        elif path == '/api/set':
            self._answer(self.server.desk.overview)
        elif path == '/api/notebook':
            self._answer(lambda: self.server.desk.notebook(parse_qs(query).get('id', [''])[0]))
        else:
            self._send_json(404, {'error': 'there is nothing at this address'})

    def do_POST(self) -> None:
        path = self.path.partition('?')[0]
        if path == '/api/decide':
            self._answer(lambda: self.server.desk.decide(self._line()))
        elif path == '/api/edit':
            self._answer(lambda: self.server.desk.edit(self._line(decision='edited')))
        else:
            self._send_json(404, {'error': 'there is nothing at this address'})

    def _answer(self, call: Callable[[], dict[str, Any]]) -> None:
        given = self.headers.get('X-Token', '').encode()
        if not (self._is_here() and hmac.compare_digest(given, self.server.token.encode())):
            self._send_json(403, {'error': 'not with this token; open the address that the command has printed'})
            return
        try:
            status, said = 200, call()
        except ReviewError as error:
            status, said = 409, {'error': str(error)}
        except ValidationError as error:
            status, said = 400, {'error': problem(error)}
        except (CibenchError, OSError) as error:
            status, said = 500, {'error': str(error)}
        self._send_json(status, said)

    def _is_here(self) -> bool:
        """Whether the request names this address; a site may give 127.0.0.1 a name of its own."""
        port = self.server.server_port
        return self.headers.get('Host') in (f'127.0.0.1:{port}', f'localhost:{port}')

    def _line(self, **given: str) -> ReviewLine:
        """The decision in a request of the page; `given` replaces what it says."""
        try:
            length = int(self.headers.get('Content-Length', ''))
            if not 0 <= length <= LARGEST:
                raise ReviewError(f'a request of {length:,} bytes; at most {LARGEST:,}')
            body = json.loads(self.rfile.read(length))
        except (ValueError, RecursionError) as error:
            raise ReviewError('the request is no JSON') from error
        if not isinstance(body, dict):
            raise ReviewError('the request is no JSON object')
        return ReviewLine.model_validate({**body, **given})

    def _send_json(self, status: int, value: dict[str, Any]) -> None:
        if status != 200:
            self.close_connection = True  # the body of the request may be unread
        self._send(status, json.dumps(value).encode(), 'application/json')

    def _send(self, status: int, content: bytes, kind: str) -> None:
        self.send_response(status)
        headers = {
            'Content-Type': kind,
            'Content-Length': str(len(content)),
            'Content-Security-Policy': POLICY,
            'Cache-Control': 'no-store',
            'Referrer-Policy': 'no-referrer',
            'X-Content-Type-Options': 'nosniff',
        }
        for name, value in headers.items():
            self.send_header(name, value)
        with suppress(ConnectionError):  # the page was closed
            self.end_headers()
            self.wfile.write(content)
