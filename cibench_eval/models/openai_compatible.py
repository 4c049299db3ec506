"""Any endpoint that speaks the OpenAI chat completions API: vLLM, llama.cpp, SGLang, a paid service."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import time
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Self

import httpx
import openai
import tenacity

from cibench_eval.models import streaming
from cibench_eval.models.base import Tool, Turn
from cibench_eval.models.completions import Dialect, read, reply_limit
from cibench_eval.models.connections import Endpoint, arrived
from cibench_eval.models.endpoint_errors import LONGEST_WAIT, PAGE, AnswerError, Refusal
from cibench_eval.models.rate_limits import RateLimits, estimate, limits_of
from cibench_eval.models.translation import reading
from cibench_eval.schema import CibenchError, GenerationConfig, HarnessError, Message, Reply, UnreachableError

logger = logging.getLogger(__name__)
CONNECTING = 5.0
"""Seconds that an endpoint has to take the first connection, and then to answer on it."""
RESTARTING = 0.3
"""Seconds after which one that takes none is tried once more: it may be restarting."""
STREAMED: dict[str, Any] = {'stream': True, 'stream_options': {'include_usage': True}}
RESERVED = {'extra_headers', 'extra_query', 'messages', 'model', 'n', 'stream', 'stream_options', 'tools'}
"""Parts of a request that are not the config's to set."""
_reached: set[str] = set()
"""Endpoints, by `base_url`, that have taken a connection of this process."""


class Answer(NamedTuple):
    """What an endpoint answered.

    Args:
        body: a chat completion, as JSON.
        first_token: seconds until its first token came; None where it was not streamed.
    """

    body: bytes
    first_token: float | None = None


class OpenAICompatible:
    """A chat model behind `base_url`.

    A request takes at most (`retries` + 1) × `timeout` + `retries` × 120 seconds, and what the rate limits demand.
    Tried again are lost connections, timeouts, answers that cannot be read or that the model did not end
    (`completions.FINISHED`), and HTTP statuses 408, 409, 425, 429 and 5xx, unless the endpoint says that another try is
    of no use (no credit, more than 120 seconds to wait). Redirects are not followed.

    Opening the model connects to an endpoint that this process has not reached yet. One that takes no connection is
    an error at once; one that was reached before is waited for by the retries.

    Settings that a model refuses (`max_tokens`, `temperature`, …) and system messages that its chat template does not
    take are learned from its first refusal, logged once, and sent in the way that it takes. So is its window.

    Args:
        path: the model's name at the endpoint.
        base_url: up to and including `/v1`.
        key: NAME of the environment variable that holds the API key; None for endpoints without keys.
        generation_kwargs: sampling settings, sent as they are (`temperature`, `max_tokens`, `seed`, …).
        timeout: seconds that one try may take, from the connection to the last byte.
        retries: times a request is tried again.
        retry_wait: seconds before the first retry, twice as many before each further one, with jitter; an
            endpoint's Retry-After goes before.
        send_reasoning: in which field of the model's turns what it thought goes back: `reasoning_content` (DeepSeek,
            Kimi, GLM, Qwen), `reasoning` (OpenRouter, vLLM); None sends it nowhere.
        stream: have replies streamed: long ones then outlive proxies that want bytes to flow, and traces say when the
            first token came.
        system_role: whether the model takes system messages; where it does not, they open the first question.
            None learns it.
        requests_per_minute, tokens_per_minute: limits of this endpoint and key, held by all its models in this
            process together, the lowest of those given; None is no limit.
    """

    remote: ClassVar[bool] = True
    """Whether it takes nothing of this machine, so that several of them may be asked at the same time."""
    chat_path: ClassVar[str] = '/chat/completions'
    """Below the endpoint's address."""

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
        send_reasoning: str | None = None,
        stream: bool = False,
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
        self._stream = stream
        self._timeout = timeout
        self._retries = retries
        self._retry_wait = retry_wait
        self._per_minute = (requests_per_minute, tokens_per_minute)
        self._dialect = Dialect(path, system_role, send_reasoning)
        self._limits = RateLimits()
        self._client: openai.AsyncOpenAI | None = None

    def check(self) -> None:
        self.endpoint.host()
        self.check_settings()

    def check_settings(self) -> None:
        """Look for what is wrong in the config, but for the address."""
        self.endpoint.secret()
        if reserved := RESERVED & self.generation.keys():
            raise CibenchError(f'model {self.path}: generation_kwargs: {sorted(reserved)[0]} is not a sampling setting')
        if any(limit is not None and limit <= 0 for limit in self._per_minute):
            raise CibenchError(f'model {self.path}: requests_per_minute and tokens_per_minute must be above 0, or None')

    async def __aenter__(self) -> Self:
        self.restrict()
        client = self.endpoint.client()
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

    def restrict(self) -> None:
        """Hold the limits on the rate, with all that ask the same endpoint."""
        self._limits = limits_of(self.base_url, self._key)
        self._limits.restrict(*self._per_minute)

    @property
    def wants_reasoning(self) -> bool:
        return self._dialect.reasoning_field is not None

    @property
    def endpoint(self) -> Endpoint:
        """Where it is asked, and by which key."""
        return Endpoint(self.path, self.base_url, self._key)

    async def _reach(self, client: openai.AsyncOpenAI) -> None:
        """Connect to the endpoint, once in this process.

        Raises:
            UnreachableError: it takes no connection.
        """
        if self.base_url in _reached:
            return
        try:
            await _connect(client)
        except openai.OpenAIError as error:
            raise UnreachableError(self.endpoint.describe(Refusal.of(error))) from error
        _reached.add(self.base_url)

    async def chat(
        self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Sequence[Tool] = ()
    ) -> Reply:
        started = time.monotonic()
        retrying = tenacity.AsyncRetrying(
            stop=tenacity.stop_after_attempt(self._retries + 1),
            retry=tenacity.retry_if_exception(_may_pass),
            wait=self._wait,
            before_sleep=self._log_retry,
            reraise=True,
        )
        try:
            reply: Reply = await retrying(self._answer, messages, turn, stop, tools)
        except openai.OpenAIError as error:
            tries = retrying.statistics['attempt_number']
            raise HarnessError(self.endpoint.describe(Refusal.of(error), tries)) from error
        return reply.model_copy(update={'waited': time.monotonic() - started - reply.seconds})

    async def _answer(self, messages: list[Message], turn: Turn, stop: Sequence[str], tools: Sequence[Tool]) -> Reply:
        """One try. What the model refuses of the request is left out or changed, and the request sent again at once."""
        settings = self._settings(turn)
        own = settings.pop('stop', None) or []
        stop = [*([own] if isinstance(own, str) else own), *stop]
        while True:
            request = self._dialect.request(messages, settings, stop, tools)
            try:
                return await self._send(request, stop)
            except openai.OpenAIError as error:
                refusal = Refusal.of(error)
                self.window = refusal.window or self.window
                if reply := refusal.outcome(reply_limit(request)):
                    return reply
                if not self.learn(refusal, request):
                    raise

    def learn(self, refusal: Refusal, request: dict[str, Any]) -> bool:
        """Take in what the model refuses of a request, and return whether the next one will be another."""
        return self._dialect.learn(refusal, request)

    def _settings(self, turn: Turn) -> dict[str, Any]:
        """What a request has besides the conversation."""
        settings = dict(self.generation)
        if settings.get('seed') is not None:
            settings['seed'] += turn.epoch - 1
        if self.max_out_len is not None and 'max_completion_tokens' not in settings:
            settings.setdefault('max_tokens', self.max_out_len)
        return settings | (STREAMED if self._stream else {})

    async def _send(self, request: dict[str, Any], stop: Sequence[str]) -> Reply:
        """Send a request once, when the rate limits let it."""
        estimated = estimate(request) if self._limits.counts_tokens else 0  # it reads the whole conversation
        used: int | None = 0  # of a request that is refused or fails
        try:
            await self._limits.wait(estimated)
            started = time.monotonic()
            answer = await self.post(request)
            reply = read(answer.body, stop)
            used = None if reply.tokens_in is None else reply.tokens_in + (reply.tokens_out or 0)
            taken = {'seconds': time.monotonic() - started, 'first_token': answer.first_token}
            return reply.model_copy(update=taken)
        finally:
            self._limits.correct(estimated, used)

    async def post(self, request: dict[str, Any]) -> Answer:
        """Send a request and give its answer, both as the OpenAI API has them.

        A backend for another API changes this (by `ask`), what it learns (`learn`) and, where the key goes into another
        header, `endpoint`. Retries, limits on the rate and bounded answers stay.

        Raises:
            openai.OpenAIError: it is refused, or there is no answer.
        """
        answer = await self.ask(self.chat_path, {'model': self.path, **request})
        if streaming.is_stream(answer):
            with reading('stream of a chat completion', answer.content):
                return Answer(streaming.whole(answer.content), arrived(answer))
        return Answer(answer.content)

    async def ask(self, path: str, body: dict[str, Any]) -> httpx.Response:
        """The endpoint's answer, read whole, to a request below its address.

        Raises:
            openai.OpenAIError: it is refused, or there is no answer.
        """
        if self._client is None:
            raise HarnessError(f'model {self.path}: asked before it was opened')
        try:
            async with asyncio.timeout(self._timeout):
                # What `chat.completions.create` does, without its walk over every message of the conversation.
                answer = await self._client.post(path, cast_to=httpx.Response, body=body)
        except TimeoutError as error:
            raise AnswerError(f'no whole answer within {self._timeout:g} s') from error
        if answer.content.lstrip().startswith(b'<'):
            page = answer.content.decode(errors='replace')
            raise AnswerError(f'it answered with status {answer.status_code}', {'code': PAGE, 'message': page})
        return answer

    def _wait(self, state: tenacity.RetryCallState) -> float:
        """Seconds before the next try: what the endpoint asks for, else twice as many each time."""
        asked = _refusal(state).wait
        seconds = tenacity.wait_exponential(multiplier=self._retry_wait)(state) if asked is None else asked
        return min(LONGEST_WAIT, seconds * random.uniform(1, 1.25))  # not all sessions at once

    def _log_retry(self, state: tenacity.RetryCallState) -> None:
        endpoint = self.endpoint
        tries = f'then try {state.attempt_number + 1} of {self._retries + 1}'
        cause = endpoint.without_key(_refusal(state).summary)
        wait = f'waiting {state.upcoming_sleep:.1f} s for it'
        logger.info('model %s: %s: %s; %s, %s', self.path, self.base_url, cause, wait, tries)


@tenacity.retry(stop=tenacity.stop_after_attempt(2), wait=tenacity.wait_fixed(RESTARTING), reraise=True)
async def _connect(client: openai.AsyncOpenAI) -> None:
    """Connect to an endpoint; whatever it answers will do, also if it answers too late.

    Raises:
        openai.OpenAIError: it takes no connection.
    """
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(2 * CONNECTING):
            try:
                await client.get('/models', cast_to=httpx.Response, options={'timeout': CONNECTING})
            except openai.OpenAIError as error:
                if Refusal.of(error).unreached:
                    raise


def _may_pass(error: BaseException) -> bool:
    """Whether another try may not meet an error again."""
    return isinstance(error, openai.OpenAIError) and Refusal.of(error).passing


def _refusal(state: tenacity.RetryCallState) -> Refusal:
    """What the last try has met."""
    error = state.outcome.exception() if state.outcome else None
    assert isinstance(error, openai.OpenAIError)
    return Refusal.of(error)
