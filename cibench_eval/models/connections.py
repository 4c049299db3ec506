"""An endpoint: its options in a config, its address and API key, and a client that reads bounded answers."""

import contextlib
import functools
import ipaddress
import json
import os
import re
import ssl
import time
from collections.abc import AsyncIterator
from dataclasses import KW_ONLY, dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx

from cibench_eval import __version__
from cibench_eval.models.endpoint_errors import AnswerError, Refusal
from cibench_eval.models.secrets import MASK, address_problem, key_problem
from cibench_eval.schema import CibenchError, GenerationConfig

TIMEOUT = 600.0
"""Seconds that one try of a request may take."""
MOST_BYTES = 16 * 2**20
"""Most bytes of an answer. A longer one is the endpoint's fault: no reply that is kept whole is that long."""
ARRIVALS = 'cibench_arrivals'
"""Extension of a response: pairs of the bytes that had come, and the seconds since the request."""
BODY_HEADERS = {'content-encoding', 'content-length', 'transfer-encoding'}
"""Headers that say how a body was sent; they no longer hold once it is read."""
HEADERS = {'Accept': 'application/json', 'Accept-Encoding': 'identity', 'User-Agent': f'cibench-eval/{__version__}'}


@dataclass(eq=False)
class Endpoint:
    """What a config may say of a model behind an endpoint, with the default of each option, and the connection to it.

    A backend is a dataclass that inherits these fields. It adds its own, gives one another default by naming it again,
    and takes one away with `field(init=False)`; its constructor and the check of configs follow from the fields.
    """

    path: str
    """The model's name at the endpoint."""
    base_url: str
    """The endpoint's address with its version: up to and including `/v1`."""
    key: str | None = None
    """NAME of the environment variable that holds the API key; None for endpoints without keys."""
    _: KW_ONLY
    generation_kwargs: GenerationConfig | None = None
    """Settings of a request, sent as they are: `temperature`, `max_tokens`, `seed`, `extra_body=dict(top_k=…)`, …"""
    stream: bool = False
    """Whether replies are streamed. Long ones then survive proxies that close silent connections, and traces say when
    the first token came."""
    timeout: float = TIMEOUT
    """Seconds that one try may take, from the connection to the last byte."""
    retries: int = 5
    """How many times a failed request is sent again; while others are answered, rate limits make it wait instead."""
    retry_wait: float = 1.0
    """Seconds before the first retry, four times as many after status 429 without `Retry-After`; each further wait is
    twice as long, with jitter, at most two minutes. `Retry-After` is the first wait, and the least of the others."""
    requests_per_minute: float | None = None
    """Limit shared by all models of this process at this endpoint with this key; the lowest one given counts."""
    tokens_per_minute: float | None = None
    """Most tokens a minute, of requests and replies together."""
    abbr: str = field(default='', init=False)
    """The model's name in the config, which messages call it by."""
    given: str = field(default='', init=False, repr=False)
    """The key itself, where a framework has it and no variable; `key` is then its name in messages."""

    @property
    def name(self) -> str:
        return self.abbr or self.path

    @property
    def headers(self) -> dict[str, str]:
        """Sent with each request, the key among them."""
        return {'Authorization': f'Bearer {self.secret()}'} if self.key or self.given else {}

    def client(self) -> httpx.AsyncClient:
        """A client without a time limit, which follows no redirects.

        It uses the proxy of the environment, except for this machine.
        """
        own = _is_loopback(self.host())
        try:
            return httpx.AsyncClient(
                base_url=self.base_url,
                headers=HEADERS | self.headers,
                timeout=None,
                limits=httpx.Limits(),  # none: sessions do not wait for one another
                trust_env=not own,
                verify=_authorities(os.environ.get('SSL_CERT_FILE') or None, os.environ.get('SSL_CERT_DIR') or None),
            )
        except (ImportError, ValueError, httpx.InvalidURL) as error:
            raise CibenchError(
                f'model {self.name}: the proxy of the environment cannot be used: {error}; '
                'correct or unset ALL_PROXY, HTTPS_PROXY and HTTP_PROXY'
            ) from error
        except OSError as error:
            raise CibenchError(
                f'model {self.name}: the certificates of the environment cannot be read: {error}; '
                'correct or unset SSL_CERT_FILE and SSL_CERT_DIR'
            ) from error

    def secret(self) -> str:
        """The API key. It comes from the environment only, because configs are written to disk.

        Raises:
            CibenchError: there is none.
        """
        if not self.given:
            if self.key is None:
                return 'none'
            if problem := key_problem(self.key):
                raise CibenchError(f'model {self.name}: {problem}')
        secret = (self.given or os.environ.get(self.key or '', '')).strip()
        if not secret:
            mend = f'export {self.key}=…, or take `key` out where the server wants none'
            raise CibenchError(f'model {self.name}: environment variable {self.key} (its API key) is not set; {mend}')
        if not (secret.isascii() and secret.isprintable()):
            place = 'what it was given' if self.given else f'environment variable {self.key}'
            raise CibenchError(
                f'model {self.name}: {place} does not hold an API key: it has a line break or another character that '
                'no header can hold'
            )
        return secret

    def host(self) -> str:
        """The host of the address; a `CibenchError` where it is no address of an HTTP endpoint."""
        if problem := address_problem(self.base_url):
            raise CibenchError(f'model {self.name}: {problem}')
        try:
            address = urlsplit(self.base_url)
            http = address.scheme in ('http', 'https') and address.port != 0
            if http and address.hostname and self.base_url.isprintable() and ' ' not in self.base_url:
                httpx.URL(self.base_url).host.encode('idna')
                return address.hostname
        except (httpx.InvalidURL, ValueError):
            pass
        raise CibenchError(
            f'model {self.name}: base_url {self.base_url!r} is not the address of an HTTP endpoint; write it like '
            'http://127.0.0.1:8000/v1'
        )

    def describe(self, refusal: Refusal, tries: int = 1) -> str:
        """What went wrong in `tries` tries and how to fix it, in one line."""
        times = f'failed {tries} times: ' if refusal.passing and tries > 1 else ''
        said = self.without_key(f'{refusal.summary}; {refusal.mend(self.key)}')
        return f'model {self.name}: {self.base_url}: {times}{said}'

    def without_key(self, text: str) -> str:
        """`text` without the API key: endpoints quote what they were sent. A part of a word is none."""
        return re.sub(rf'(?<!\w){re.escape(self.secret())}(?!\w)', MASK, text) if self.key or self.given else text


@contextlib.asynccontextmanager
async def exchange(client: httpx.AsyncClient, method: str, path: str, **options: Any) -> AsyncIterator[httpx.Response]:
    """Send a request; an `httpx.HTTPError` where there is no answer, or it breaks off."""
    try:
        async with client.stream(method, path, **options) as response:
            yield response
    except OSError as error:  # httpx hands on what TLS says while an answer is read
        raise httpx.ReadError(str(error)) from error


async def post(client: httpx.AsyncClient, path: str, body: dict[str, Any]) -> httpx.Response:
    """Send JSON, and read the whole answer.

    Raises:
        httpx.HTTPError: there is no answer, its status is one of errors, or it is longer than `MOST_BYTES`.
    """
    started = time.monotonic()
    content, arrivals = bytearray(), []
    sent = json.dumps(body, ensure_ascii=False)
    async with exchange(client, 'POST', path, content=sent, headers={'Content-Type': 'application/json'}) as response:
        async for chunk in response.aiter_bytes():
            content += chunk
            arrivals.append((len(content), time.monotonic() - started))
            if len(content) > MOST_BYTES:
                raise AnswerError(f'its answer is longer than {MOST_BYTES // 2**20} MiB', passing=False)
    whole = httpx.Response(
        response.status_code,
        headers=[(name, value) for name, value in response.headers.items() if name not in BODY_HEADERS],
        content=bytes(content),
        request=response.request,
        extensions={ARRIVALS: arrivals},
    )
    return whole.raise_for_status()


def arrived(answer: httpx.Response, piece: re.Pattern[bytes]) -> float | None:
    """Seconds from the request until the first piece of a reply had come, or the first byte if it has no piece."""
    found = piece.search(answer.content)
    byte = found.start() if found else 0
    return next((seconds for size, seconds in answer.extensions[ARRIVALS] if size > byte), None)


@functools.cache
def _authorities(file: str | None, folder: str | None) -> ssl.SSLContext:
    """The given authorities, else those of the machine; all clients share them, because the file is long to read."""
    return ssl.create_default_context(cafile=file, capath=folder)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == 'localhost'
