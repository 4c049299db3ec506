"""A file server on loopback that speaks ranges and validators, and misbehaves as a test asks.

`faults` are used up one a request: a status is answered as such; a function gets the handler and answers itself.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Fault = int | Callable[[Any], None]


class FileServer:
    """A running server: its files, its address, and every request that it got."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.tag = '"one"'
        self.ranges = True
        self.faults: list[Fault] = []
        self.requests: list[tuple[str, dict[str, str]]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            files = outer

            def do_GET(self) -> None:
                outer.requests.append((self.path, dict(self.headers)))
                fault = outer.faults.pop(0) if outer.faults else None
                if callable(fault):
                    fault(self)
                elif fault is not None:
                    self.send_error(fault)
                else:
                    self.whole_or_part()

            def whole_or_part(self) -> None:
                body = outer.files.get(self.path)
                if body is None:
                    return self.send_error(404)
                asked = re.fullmatch(r'bytes=(\d+)-', self.headers.get('Range', ''))
                if asked and outer.ranges and self.headers.get('If-Range') == outer.tag:
                    return self.part(body, int(asked[1]))
                return self.answer(200, body, {'Content-Length': len(body)})

            def part(self, body: bytes, begin: int) -> None:
                if begin >= len(body):
                    return self.answer(416, b'', {'Content-Range': f'bytes */{len(body)}', 'Content-Length': 0})
                place = f'bytes {begin}-{len(body) - 1}/{len(body)}'
                return self.answer(206, body[begin:], {'Content-Range': place, 'Content-Length': len(body) - begin})

            def answer(self, status: int, body: bytes, headers: dict[str, Any]) -> None:
                self.send_response(status)
                for name, value in ({'ETag': outer.tag} | headers).items():
                    if value:
                        self.send_header(name, str(value))
                self.end_headers()
                with suppress(ConnectionError):  # who has seen enough hangs up
                    self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.url = f'http://127.0.0.1:{self._server.server_port}'

    @contextmanager
    def running(self) -> Iterator[FileServer]:
        thread = threading.Thread(target=self._server.serve_forever, kwargs={'poll_interval': 0.02}, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()


def cut_off(count: int) -> Callable[[Any], None]:
    """Announces the whole file (or what was asked of it), sends `count` bytes and closes the connection."""

    def fault(handler: Any) -> None:
        server = handler.files
        body = server.files[handler.path]
        handler.answer(200, body[:count], {'Content-Length': len(body)})

    return fault


def redirect(url: str) -> Callable[[Any], None]:
    def fault(handler: Any) -> None:
        handler.answer(302, b'', {'Location': url, 'ETag': '', 'Content-Length': '0'})

    return fault


def says(status: int, body: bytes, **headers: Any) -> Callable[[Any], None]:
    """Answers just that; in header names `_` stands for `-`."""

    def fault(handler: Any) -> None:
        handler.answer(status, body, {name.replace('_', '-'): value for name, value in headers.items()})

    return fault
