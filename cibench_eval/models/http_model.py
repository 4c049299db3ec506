"""A chat model behind an HTTP endpoint: retries, rate limits, time limits, and what is learned from refusals."""

import asyncio
import contextlib
import logging
import os
import random
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, NamedTuple, Self

import httpx

from cibench_eval.models import streaming
from cibench_eval.models.base import TRIED_AGAIN, Tool, Tools, Turn, together
from cibench_eval.models.completions import Dialect, read, reply_limit
from cibench_eval.models.connections import Endpoint, arrived, exchange, post
from cibench_eval.models.endpoint_errors import LONGEST_WAIT, PAGE, AnswerError, Refusal
from cibench_eval.models.rate_limits import RateLimits, estimate, limits_of
from cibench_eval.models.translation import BLOCKS, reading
from cibench_eval.schema import CibenchError, HarnessError, Message, RefusedError, Reply, RunOverError, UnreachableError

logger = logging.getLogger(__name__)
CONNECTING = 5.0
"""Seconds that an endpoint has to accept the first connection, and again to answer on it."""
RESTARTING = 0.3
"""Seconds after which the first connection is tried once more: the server may be restarting."""
STREAMED: dict[str, Any] = {'stream': True, 'stream_options': {'include_usage': True}}
TOO_MANY, OF_LIMITS = 429, 4
"""The status of rate limits, which are limits of a minute: waits for them are so many times as long as others."""
DOUBLINGS = 30
"""How many times a wait is doubled at most; that of a second is long over every bound then."""
RESERVED = {'extra_headers', 'extra_query', 'messages', 'model', 'n', 'stream', 'stream_options', 'tools'}
"""Parts of a request that a config may not set."""
_reached: set[str] = set()
"""Addresses of endpoints that have accepted a connection from this process."""


class Completion(NamedTuple):
    """An endpoint's answer as a chat completion, and the seconds until its first token if it was streamed."""

    body: bytes
    first_token: float | None = None


@dataclass(eq=False)
class HttpModel(Endpoint, ABC):
    """Base of backends behind an HTTP API; a subclass adds `post`.

    A request takes at most (`retries` + 1) × `timeout` + `retries` × 120 seconds, plus waiting for rate limits: a try
    that meets one (status 429) does not count while other requests are answered. Lost connections, timeouts, answers
    that cannot be read or that the model did not end (`completions.FINISHED`), and HTTP statuses 408, 409, 425, 429 and
    5xx are tried again, unless the endpoint says that another try is useless (no credit, over 120 seconds to wait).
    Redirects are not followed.

    Opening the model connects to an endpoint that this process has not reached yet. If it accepts no connection, that
    is an error at once; an endpoint that was reached before is waited for by the retries.

    Settings that a model refuses (`max_tokens`, `temperature`, …) and system messages that its chat template does not
    accept are learned from the first refusal, which is logged once. So is that an endpoint ends a thought at `stop`,
    which is meant for what is said.
    """

    remote: ClassVar[bool] = True
    """Whether the model uses nothing of this machine, so that several may be asked at the same time."""
    api: ClassVar[str] = 'chat completions API'
    """The API's name in messages."""
    temperature: ClassVar[float | None] = None
    """Temperature where the config sets none; None leaves it to the service."""
    not_taken: ClassVar[Mapping[str, str]] = {}
    """Settings of other APIs that this one does not have, and what to write instead."""

    def __post_init__(self) -> None:
        settings: dict[str, Any] = {} if self.temperature is None else {'temperature': self.temperature}
        settings |= self.generation_kwargs or {}
        extra = settings.pop('extra_body', None) or {}
        self.generation = {**settings, **extra}
        self.max_out_len: int | None = None
        self._dialect = Dialect(self.path, reasoning_field=BLOCKS)
        self._limits = RateLimits()
        self._told: set[str] = set()
        """Kinds of `TRIED_AGAIN` that were logged."""
        self._client: httpx.AsyncClient | None = None
        self._replies = 0
        """How many requests it has replied to."""

    @abstractmethod
    async def post(self, request: dict[str, Any]) -> Completion:
        """Send a chat completions request, and give the answer as a chat completion.

        A backend translates both and sends by `ask`. It may also change `headers`, where the key goes into another
        one, and `learn`.

        Raises:
            httpx.HTTPError: the request is refused, or there is no answer.
        """

    def check(self) -> None:
        self.host()
        self.check_settings()

    def check_settings(self) -> None:
        """Check all of the config but the address; a `CibenchError` where the key is missing, or a setting is none."""
        self.secret()
        if reserved := RESERVED & self.generation.keys():
            raise CibenchError(f'model {self.name}: generation_kwargs: {min(reserved)} is not a sampling setting')
        if taken := self.not_taken.keys() & self.generation.keys():
            name = min(taken)
            instead = f'; use {self.not_taken[name]}' if self.not_taken[name] else ''
            raise CibenchError(
                f'model {self.name}: generation_kwargs: {name} is not a setting of the {self.api}{instead}'
            )
        if any(limit is not None and limit <= 0 for limit in (self.requests_per_minute, self.tokens_per_minute)):
            raise CibenchError(f'model {self.name}: requests_per_minute and tokens_per_minute must be above 0, or None')

    async def __aenter__(self) -> Self:
        self.restrict()
        client = self.client()
        try:
            await self._reach(client)
        except BaseException:
            await client.aclose()
            raise
        self._client = client
        return self

    async def __aexit__(self, *_: object) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    def restrict(self) -> None:
        """Join the rate limits of all who ask this endpoint, and add this model's own."""
        self._limits = limits_of(self.base_url, self.key)
        self._limits.restrict(self.requests_per_minute, self.tokens_per_minute)

    @property
    def wants_reasoning(self) -> bool:
        return self._dialect.reasoning_field is not None

    async def _reach(self, client: httpx.AsyncClient) -> None:
        """Connect to the endpoint, once in this process; an `UnreachableError` where it accepts no connection."""
        if self.base_url in _reached:
            return
        for again in (True, False):
            try:
                await _connect(client)
                break
            except httpx.HTTPError as error:
                if not again:
                    raise UnreachableError(self.describe(Refusal.of(error))) from error
                await asyncio.sleep(RESTARTING)
        _reached.add(self.base_url)

    async def chat(self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Tools = ()) -> Reply:
        started, tries, counted, replies = time.monotonic(), 0, 0, self._replies
        while True:
            try:
                reply = await self._answer(messages, turn, stop, tools)
                break
            except httpx.HTTPError as error:
                refusal, tries = Refusal.of(error), tries + 1
                others_are_answered = self._replies > replies  # then a rate limit only makes it wait
                counted = 0 if refusal.status == TOO_MANY and others_are_answered else counted + 1
                replies = self._replies
                if not refusal.passing or counted > self.retries:
                    raise self._given_up(refusal, tries) from error
            await self._wait(refusal, tries)
        self._replies += 1
        return reply.model_copy(update={'waited': time.monotonic() - started - reply.seconds})

    def _given_up(self, refusal: Refusal, tries: int) -> HarnessError:
        """The error of a request that is sent no more."""
        fault = HarnessError if refusal.passing or refusal.wait else RefusedError
        fault = RunOverError if refusal.of_all(answered=self._replies > 0) else fault
        return fault(self.describe(refusal, tries))

    async def _wait(self, refusal: Refusal, tries: int) -> None:
        """Wait before the next try, twice as long each time, plus up to a quarter.

        What the endpoint asks for is the first wait and the least of the others: a server under load may ask for none.
        The try is counted. The first of a kind is logged; of the others it is logged how many there are.
        """
        first = self.retry_wait * (OF_LIMITS if refusal.status == TOO_MANY and refusal.wait is None else 1)
        own, asked = first * 2 ** min(tries - 1, DOUBLINGS), refusal.wait or 0.0
        seconds = asked if tries == 1 and refusal.wait is not None else max(own, asked)
        seconds = min(LONGEST_WAIT, seconds * random.uniform(1, 1.25))  # spreads the sessions
        kind = f'HTTP {refusal.status}' if refusal.status else 'no reply'
        TRIED_AGAIN[kind] += 1
        level = logging.DEBUG if kind in self._told else logging.INFO
        self._told.add(kind)
        cause, wait = self.without_key(refusal.summary), f'waiting {seconds:.1f} s for it'
        most = '' if refusal.status == TOO_MANY else f' of {self.retries + 1}'
        logger.log(level, 'model %s: %s: %s; %s, then try %d%s', self.name, self.base_url, cause, wait, tries + 1, most)
        await asyncio.sleep(seconds)

    async def _answer(self, messages: list[Message], turn: Turn, stop: Sequence[str], tools: Sequence[Tool]) -> Reply:
        """Try once. A request of which the model refuses a part is changed and sent again at once."""
        settings = self._settings(turn)
        own = settings.pop('stop', None) or []
        stop = [*([own] if isinstance(own, str) else own), *stop]
        replies = list[Reply]()
        while True:
            request = self._dialect.request(messages, settings, stop, tools)
            try:
                reply, body = await self._send(request, stop)
                replies.append(reply)
                if not self._dialect.ended_a_thought(reply, request, body):
                    return together(replies)
            except httpx.HTTPError as error:
                refusal = Refusal.of(error)
                if outcome := refusal.outcome(reply_limit(request)):
                    return outcome
                if not self.learn(refusal, request):
                    raise

    def learn(self, refusal: Refusal, request: dict[str, Any]) -> bool:
        """Take in what the model refuses of a request, and return whether the next request will differ."""
        return self._dialect.learn(refusal, request)

    def _settings(self, turn: Turn) -> dict[str, Any]:
        settings = dict(self.generation)
        if settings.get('seed') is not None:
            settings['seed'] += turn.epoch - 1
        if self.max_out_len is not None and 'max_completion_tokens' not in settings:
            settings.setdefault('max_tokens', self.max_out_len)
        return settings | (STREAMED if self.stream else {})

    async def _send(self, request: dict[str, Any], stop: Sequence[str]) -> tuple[Reply, bytes]:
        """Send a request once, as soon as the rate limits allow it; return the reply, and the completion with it."""
        estimated = estimate(request) if self._limits.counts_tokens else 0  # an estimate reads the whole conversation
        used: int | None = 0  # a request that is refused or fails uses nothing
        try:
            await self._limits.wait(estimated)
            started = time.monotonic()
            answer = await self.post(request)
            reply = read(answer.body, stop)
            used = None if reply.tokens_in is None else reply.tokens_in + (reply.tokens_out or 0)
            taken = {'seconds': time.monotonic() - started, 'first_token': answer.first_token}
            return reply.model_copy(update=taken), answer.body
        finally:
            self._limits.correct(estimated, used)

    async def ask(self, path: str, body: dict[str, Any]) -> httpx.Response:
        """Send a request to a path below the endpoint's address, and read the whole answer.

        Raises:
            httpx.HTTPError: the request is refused, or there is no answer.
        """
        if self._client is None:
            raise HarnessError(f'model {self.name}: asked before it was opened')
        async with self.in_time():
            answer = await post(self._client, path, body)
        if answer.content.lstrip().startswith(b'<'):
            page = answer.content.decode(errors='replace')
            raise AnswerError(f'it answered with status {answer.status_code}', {'code': PAGE, 'message': page})
        return answer

    @contextlib.asynccontextmanager
    async def in_time(self) -> AsyncIterator[None]:
        """Hold what is awaited to the `timeout` of a try; an `AnswerError` where it took longer."""
        try:
            async with asyncio.timeout(self.timeout):
                yield
        except TimeoutError as error:
            raise AnswerError(f'no whole answer within {self.timeout:g} s (`timeout`)') from error


@dataclass(eq=False)
class OpenAICompatible(HttpModel):
    """Any endpoint that speaks the OpenAI chat completions API: vLLM, llama.cpp, SGLang, a paid service."""

    temperature: ClassVar[float | None] = 0.0
    """`Anthropic`, `Gemini` and `OpenAIResponses` have the service's: models that think accept no temperature."""
    _: KW_ONLY
    system_role: bool | None = None
    """Whether the model accepts system messages; where it does not, they open the first question. None learns it."""
    send_reasoning: str | None = None
    """Field of the model's turns in which its reasoning goes back: `reasoning_content` (DeepSeek, Kimi, GLM, Qwen) or
    `reasoning` (OpenRouter, vLLM). None sends it nowhere."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._dialect = Dialect(self.path, self.system_role, self.send_reasoning)

    def check(self) -> None:
        super().check()
        if (other := os.environ.get('OPENAI_BASE_URL')) and other.rstrip('/') != self.base_url.rstrip('/'):
            logger.warning('model %s: OPENAI_BASE_URL has no effect; the config says %s', self.path, self.base_url)

    async def post(self, request: dict[str, Any]) -> Completion:
        answer = await self.ask('/chat/completions', {'model': self.path, **request})
        if streaming.is_stream(answer):
            with reading('stream of a chat completion', answer.content):
                return Completion(streaming.whole(answer.content), arrived(answer, streaming.PIECE))
        return Completion(answer.content)


async def _connect(client: httpx.AsyncClient) -> None:
    """Connect to an endpoint that accepts connections. Any answer will do, also one that comes too late."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(2 * CONNECTING):
            try:
                async with exchange(client, 'GET', '/models', timeout=CONNECTING):
                    pass
            except httpx.HTTPError as error:
                if Refusal.of(error).unreached:
                    raise
