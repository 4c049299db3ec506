"""Any endpoint that speaks the OpenAI chat completions API: vLLM, llama.cpp, SGLang, a paid service."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import os
import random
import time
from collections.abc import Sequence
from typing import Any, Self
from urllib.parse import urlsplit

import httpx
import openai

from cibench_eval.models.base import Tool, Turn
from cibench_eval.models.completions import BoundedClient, Dialect, read
from cibench_eval.models.endpoint_errors import LONGEST_WAIT, AnswerError, Refusal
from cibench_eval.models.rate_limits import RateLimits, estimate, limits_of
from cibench_eval.schema import CibenchError, GenerationConfig, HarnessError, Message, Reply, UnreachableError

logger = logging.getLogger(__name__)
CONNECTING = 5.0
"""Seconds that an endpoint has to take the first connection, and then to answer on it."""
RESTARTING = 0.3
"""Seconds after which one that takes none is tried once more: it may be restarting."""
OURS = {'extra_headers', 'extra_query', 'messages', 'model', 'n', 'stream', 'stream_options', 'tools'}
"""Parts of a request that are not the config's to set."""
_reached: set[str] = set()
"""Endpoints, by `base_url`, that have taken a connection of this process."""


class OpenAICompatible:
    """A chat model behind `base_url`.

    A request takes at most (`retries` + 1) × `timeout` + `retries` × 120 seconds, and what the rate limits demand.
    What another try may mend is tried again: lost connections, timeouts, answers that cannot be read, and HTTP
    statuses 408, 409, 425, 429 and 5xx, unless the endpoint says that it is of no use (no credit, more than 120
    seconds to wait). Redirects are not followed.

    Opening the model connects to an endpoint that this process has not reached yet. One that takes no connection is
    an error at once; one that was reached before is waited for by the retries.

    Settings that a model refuses (`max_tokens`, `temperature`, …) and system messages that its chat template has no
    place for are learned from its first refusal, logged once, and sent in the way that it takes.

    Args:
        path: the model's name at the endpoint.
        base_url: up to and including `/v1`.
        key: NAME of the environment variable that holds the API key; None for endpoints without keys.
        generation_kwargs: sampling settings, sent as they are (`temperature`, `max_tokens`, `seed`, …).
        timeout: seconds that one try may take, from the connection to the last byte.
        retries: times a request is tried again.
        retry_wait: seconds before the first retry, twice as many before each further one, with jitter; an
            endpoint's Retry-After goes before.
        system_role: whether the model takes system messages; where it does not, they open the first question.
            None learns it.
        requests_per_minute, tokens_per_minute: limits of this endpoint and key, held by all its models in this
            process together, the lowest of those given; None is no limit.
    """

    def __init__(
        self,
        path: str,
        base_url: str,
        key: str | None = None,
        generation_kwargs: GenerationConfig | None = None,
        timeout: float = 600.0,
        retries: int = 5,
        retry_wait: float = 1.0,
        system_role: bool | None = None,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
    ) -> None:
        self.path = path
        self.base_url = base_url
        settings: dict[str, Any] = {'temperature': 0.0, **(generation_kwargs or {})}
        extra = settings.pop('extra_body', None) or {}
        self.generation = {**settings, **extra}
        self.max_out_len: int | None = None
        self.window: int | None = None
        self._key = key
        self._timeout = timeout
        self._retries = retries
        self._retry_wait = retry_wait
        self._per_minute = (requests_per_minute, tokens_per_minute)
        self._dialect = Dialect(path, system_role)
        self._limits = RateLimits()
        self._client: openai.AsyncOpenAI | None = None

    def check(self) -> None:
        self._secret()
        if forbidden := OURS & self.generation.keys():
            raise CibenchError(
                f'model {self.path}: generation_kwargs: {sorted(forbidden)[0]} is not a sampling setting'
            )
        if any(limit is not None and limit <= 0 for limit in self._per_minute):
            raise CibenchError(f'model {self.path}: requests_per_minute and tokens_per_minute must be above 0, or None')
        self._host()

    async def __aenter__(self) -> Self:
        self._limits = limits_of(self.base_url, self._key)
        self._limits.restrict(*self._per_minute)
        client = openai.AsyncOpenAI(
            base_url=self.base_url,
            api_key=self._secret(),
            timeout=None,  # of a read; `_post` bounds the whole
            max_retries=0,
            http_client=self._http(),
        )
        try:
            await self._reach(client)
        except BaseException:
            await client.close()
            raise
        self._client = client
        return self

    async def __aexit__(self, *_: object) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def _secret(self) -> str:
        """The API key, from the environment only: keys never stand in configs, which are written to disk."""
        if self._key is None:
            return 'none'
        secret = os.environ.get(self._key, '').strip()
        if not secret:
            raise CibenchError(f'model {self.path}: environment variable {self._key} (its API key) is not set')
        if not (secret.isascii() and secret.isprintable()):
            raise CibenchError(f'model {self.path}: environment variable {self._key} does not hold an API key')
        return secret

    def _host(self) -> str:
        try:
            address = urlsplit(self.base_url)
            http = address.scheme in ('http', 'https') and address.port != 0
            if http and address.hostname and self.base_url.isprintable():
                return address.hostname
        except ValueError:
            pass
        raise CibenchError(f'model {self.path}: base_url {self.base_url!r} is not the address of an HTTP endpoint')

    def _http(self) -> BoundedClient:
        """A client that asks through the proxy of the environment, which does not lead to this machine."""
        try:
            return BoundedClient(trust_env=not _loopback(self._host()))
        except (ImportError, ValueError) as error:
            raise CibenchError(
                f'model {self.path}: the proxy of the environment cannot be used: {error}; '
                'correct or unset ALL_PROXY, HTTPS_PROXY and HTTP_PROXY'
            ) from error

    async def _reach(self, client: openai.AsyncOpenAI) -> None:
        """See that the endpoint can be connected to, once in this process; whatever it answers will do.

        Raises:
            UnreachableError: it cannot.
        """
        if self.base_url in _reached:
            return
        error = await _unreached(client)
        if error:
            await asyncio.sleep(RESTARTING)
            error = await _unreached(client)
        if error:
            raise UnreachableError(str(self._fault(error))) from error
        _reached.add(self.base_url)

    async def chat(
        self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Sequence[Tool] = ()
    ) -> Reply:
        started = time.monotonic()
        settings = self._settings()
        own = settings.pop('stop', None) or []
        stop = [*([own] if isinstance(own, str) else own), *stop]
        reply, failed = None, 0
        while reply is None:
            request = self._dialect.request(messages, settings, stop, tools)
            try:
                reply = await self._try(request, stop)
            except openai.OpenAIError as error:
                refusal = Refusal.of(error)
                reply = refusal.outcome(request.get('max_tokens') or request.get('max_completion_tokens'))
                if reply or self._dialect.learn(refusal, request):
                    continue
                if failed >= self._retries or not refusal.passing:
                    raise self._fault(error, failed) from error
                await self._wait(refusal, failed)
                failed += 1
        return reply.model_copy(update={'waited': time.monotonic() - started - reply.seconds})

    def _settings(self) -> dict[str, Any]:
        """What a request has besides the conversation."""
        settings = dict(self.generation)
        if self.max_out_len is not None and 'max_completion_tokens' not in settings:
            settings.setdefault('max_tokens', self.max_out_len)
        return settings

    async def _try(self, request: dict[str, Any], stop: Sequence[str]) -> Reply:
        """Send a request once, when the rate limits let it."""
        tokens = estimate(request)
        await self._limits.wait(tokens)
        started = time.monotonic()
        reply = read(await self._post(request), stop)
        reply = reply.model_copy(update={'seconds': time.monotonic() - started})
        used = None if reply.tokens_in is None else reply.tokens_in + (reply.tokens_out or 0)
        self._limits.correct(tokens, used)
        return reply

    async def _post(self, request: dict[str, Any]) -> bytes:
        if self._client is None:
            raise HarnessError(f'model {self.path}: asked before it was opened')
        body = {'model': self.path, **request}
        try:
            async with asyncio.timeout(self._timeout):
                # What `chat.completions.create` does, without its walk over every message of the conversation.
                answer = await self._client.post('/chat/completions', cast_to=httpx.Response, body=body)
        except TimeoutError as error:
            raise AnswerError(f'no whole answer within {self._timeout:g} s') from error
        return answer.content

    async def _wait(self, refusal: Refusal, failed: int) -> None:
        """Wait before a retry, after `failed` of them."""
        seconds = self._retry_wait * 2**failed if refusal.wait is None else refusal.wait
        seconds = min(LONGEST_WAIT, seconds * random.uniform(1, 1.25))  # not all sessions at once
        tries = f'waiting {seconds:.1f} s for it, then try {failed + 2} of {self._retries + 1}'
        logger.info('model %s: %s: %s; %s', self.path, self.base_url, self._without_key(refusal.said), tries)
        await asyncio.sleep(seconds)

    def _fault(self, error: openai.OpenAIError, failed: int = 0) -> HarnessError:
        """What is raised for an error of the endpoint after `failed` others: its name, the cause and the mend."""
        refusal = Refusal.of(error)
        tries = f'failed {failed + 1} times: ' if refusal.passing and failed else ''
        return HarnessError(
            f'model {self.path}: {self.base_url}: {tries}{self._without_key(refusal.explained(self._key))}'
        )

    def _without_key(self, said: str) -> str:
        return said.replace(self._secret(), '[key]') if self._key else said


async def _unreached(client: openai.AsyncOpenAI) -> openai.OpenAIError | None:
    """Why an endpoint cannot be connected to; None if it can, whatever it answers, and if it answers too late."""
    try:
        async with asyncio.timeout(2 * CONNECTING):
            await client.get('/models', cast_to=httpx.Response, options={'timeout': CONNECTING})
    except TimeoutError:
        return None
    except openai.OpenAIError as error:
        return error if Refusal.of(error).unreached else None
    return None


def _loopback(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == 'localhost'
