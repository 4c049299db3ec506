"""Download a URL to a file: resume after a cut, with a bounded number of tries.

`NAME.part` holds the bytes that have come. `NAME.part.json` holds a hash of the URL and the validator of the file (a
strong ETag, else Last-Modified). The next try asks for the rest of the same file (`Range`, `If-Range`). A server that
has another file by now, or cannot tell, sends it from the beginning.

Written by hand, because pooch starts again after a cut and does not bound sizes.
"""

from __future__ import annotations

import hashlib
import json
import re
import socket
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any, NoReturn
from urllib.parse import urlsplit

import httpx

from cibench_eval.schema import CibenchError
from cibench_eval.terminal import Log

TRIES = 5
LONGEST_WAIT = 30.0
"""Seconds before another try."""
LARGEST = 8 << 30
"""Bytes; a larger file is refused."""
PASSING = {408, 425, 429, 500, 502, 503, 504}
"""HTTP statuses that are worth another try."""
TIMEOUT = httpx.Timeout(60, connect=30)

Watch = Callable[[int, int | None], None]
"""Called with the bytes that have come and the size of the file (None if unknown)."""


class FetchError(CibenchError):
    """The address does not give the file; another address may."""


class _PassingError(Exception):
    """A try failed; another may succeed after `wait` seconds, for which the server asks."""

    def __init__(self, reason: str, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.wait = wait


def without_secrets(url: str) -> str:
    """A URL that may be printed: without user, password and query (signed URLs carry their key there)."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises a ValueError for a port that is no number
    except ValueError:
        return '(no valid address)'
    return parts._replace(netloc=parts.netloc.rpartition('@')[2], query='', fragment='').geturl()


def fetch(url: str, target: Path, proxy: str | None, watch: Watch, log: Log) -> None:
    """Download `url` to the file `target`, whose folder exists; resume what an earlier call has left.

    Args:
        proxy: URL of a proxy; by default from HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY.
        watch: called after every piece.
        log: called with one line for every failed try.

    Raises:
        FetchError: the address does not give the file; the bytes that came are kept if the next call can resume.
        CibenchError: the file cannot be written, or the address or the proxy is not valid.
    """
    if not url.startswith(('http://', 'https://')):
        named = without_secrets(url)
        raise CibenchError(f'{named}: no http(s) address; for a file on this machine use `cibench data add FILE`')
    part = _Piece(target.with_name(f'{target.name}.part'), url)
    with _client(proxy) as client:
        _persist(client, part, watch, log)
    part.path.replace(target)
    part.drop()


def _client(proxy: str | None) -> httpx.Client:
    try:
        return httpx.Client(proxy=proxy, follow_redirects=True, timeout=TIMEOUT)
    except (ValueError, ImportError, httpx.InvalidURL) as error:
        named = without_secrets(proxy) if proxy else '(HTTP_PROXY, HTTPS_PROXY or ALL_PROXY)'
        reason = f' ({error})' if isinstance(error, ImportError) else ''
        raise CibenchError(f'proxy {named}: cannot be used{reason}; give http://HOST:PORT') from error


def _persist(client: httpx.Client, part: _Piece, watch: Watch, log: Log) -> None:
    for done in range(1, TRIES + 1):
        try:
            return _try(client, part, watch)
        except _PassingError as error:
            reason, wait = str(error), min(max(error.wait, 2.0 ** (done - 1)), LONGEST_WAIT)
        if done < TRIES:
            log(f'{part.name}: {reason}; try {done + 1} of {TRIES} in {wait:.0f} s')
            sleep(wait)
    kept = f'; the {part.size:,} bytes that came are kept, run the command again to go on' if part.resumable else ''
    raise FetchError(f'{part.name}: {reason}, {TRIES} tries{kept}')


def _try(client: httpx.Client, part: _Piece, watch: Watch) -> None:
    headers = {'Accept-Encoding': 'identity', **part.range_headers()}
    try:
        with client.stream('GET', part.url, headers=headers) as response:
            _receive(response, part, watch)
    except httpx.InvalidURL as error:
        raise CibenchError(f'{part.name}: cannot be read; correct the address') from error
    except (httpx.UnsupportedProtocol, httpx.TooManyRedirects) as error:
        raise FetchError(f'{part.name}: {error}; correct the address') from error
    except httpx.ConnectError as error:
        if _unknown_host(error):
            raise FetchError(f'{part.name}: the name does not resolve') from error
        raise _PassingError(str(error)) from error
    except httpx.TransportError as error:
        raise _PassingError(str(error) or type(error).__name__) from error
    except OSError as error:
        raise CibenchError(f'{part.path}: cannot be written: {error.strerror or error}') from error


def _unknown_host(error: BaseException | None) -> bool:
    """Whether an error means that the name of the host does not resolve."""
    while error is not None and not isinstance(error, socket.gaierror):
        error = error.__cause__ or error.__context__
    return error is not None


def _receive(response: httpx.Response, part: _Piece, watch: Watch) -> None:
    """Write what the server sends: the rest of the file, or all of it."""
    if response.status_code == 416 and part.resumable:  # the part is whole, or the file has become shorter
        if response.headers.get('Content-Range') != f'bytes */{part.size}':
            part.restart('what was there does not fit the file any more')
        return
    if response.status_code not in (200, 206):
        _fail(response, part)
    if response.headers.get('Content-Encoding', 'identity') != 'identity':
        raise FetchError(f'{part.name}: the server sends it compressed though asked not to; try a --mirror')
    begin, total = _place(response, part)
    if begin == 0:
        part.begin(response)
    if total is not None and total > LARGEST:
        part.refuse(f'{total:,} bytes, over the limit of {LARGEST:,}')
    _write(response, part, begin, total, watch)
    if total is not None and part.size != total:
        part.restart(f'{part.size:,} bytes came instead of {total:,}')


def _write(response: httpx.Response, part: _Piece, begin: int, total: int | None, watch: Watch) -> None:
    there = begin
    with part.path.open('ab' if begin else 'wb') as file:
        for chunk in response.iter_raw():
            there += len(chunk)
            if there > LARGEST:
                part.refuse(f'more than {LARGEST:,} bytes, which is the limit')
            file.write(chunk)
            watch(there, total)


def _place(response: httpx.Response, part: _Piece) -> tuple[int, int | None]:
    """The offset in the file at which the answer begins, and the size of the file if the server says it."""
    if response.status_code == 200:
        length = response.headers.get('Content-Length', '')
        return 0, int(length) if length.isdecimal() else None
    stated = re.fullmatch(r'bytes (\d+)-\d+/(\d+|\*)', response.headers.get('Content-Range', ''))
    if not (stated and part.resumable and int(stated[1]) == part.size and _validator(response) == part.validator):
        part.restart('the server sent another part than was asked for')
    return part.size, None if stated[2] == '*' else int(stated[2])


def _fail(response: httpx.Response, part: _Piece) -> NoReturn:
    reason = f'the server answers {response.status_code} {response.reason_phrase}'.strip()
    if response.status_code in PASSING:
        wait = response.headers.get('Retry-After', '')
        raise _PassingError(reason, float(wait) if wait.isdecimal() else 0.0)
    raise FetchError(f'{part.name}: {reason}')


def _validator(response: httpx.Response) -> str:
    """What identifies this version of the file; a weak ETag does not identify bytes."""
    tag = response.headers.get('ETag', '')
    return tag if tag and not tag.startswith('W/') else response.headers.get('Last-Modified', '')


class _Piece:
    """The bytes of a file that have come, and the validator that came with them."""

    def __init__(self, path: Path, url: str) -> None:
        self.path, self.url = path, url
        self.name = without_secrets(url)
        address = re.sub('^(https?://)[^/]*@', r'\1', url)
        self._address = hashlib.sha256(address.encode(errors='surrogateescape')).hexdigest()
        self._notes = path.with_name(f'{path.name}.json')
        notes = self._read_notes()
        self.validator = str(notes.get('validator', '')) if notes.get('address') == self._address else ''

    def _read_notes(self) -> dict[str, Any]:
        try:
            return dict(json.loads(self._notes.read_text()))
        except (OSError, ValueError, TypeError, RecursionError):
            return {}

    @property
    def size(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0

    @property
    def resumable(self) -> bool:
        return bool(self.validator and self.size)

    def range_headers(self) -> dict[str, str]:
        return {'Range': f'bytes={self.size}-', 'If-Range': self.validator} if self.resumable else {}

    def begin(self, response: httpx.Response) -> None:
        self.path.unlink(missing_ok=True)
        self.validator = _validator(response)
        self._notes.write_text(json.dumps({'address': self._address, 'validator': self.validator}))

    def drop(self) -> None:
        self.path.unlink(missing_ok=True)
        self._notes.unlink(missing_ok=True)
        self.validator = ''

    def refuse(self, reason: str) -> NoReturn:
        """Delete the part: another try would be refused as well."""
        self.drop()
        raise FetchError(f'{self.name}: {reason}')

    def restart(self, reason: str) -> NoReturn:
        """Delete the part and ask for another try."""
        self.drop()
        raise _PassingError(f'{reason}; it is fetched from its beginning')
