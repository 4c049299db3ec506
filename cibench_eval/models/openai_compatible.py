"""Any endpoint that speaks the OpenAI chat completions API: vLLM, llama.cpp, SGLang, a paid service."""

from __future__ import annotations

import os
import time
from types import TracebackType
from typing import Any, Self

import openai

from cibench_eval.models.base import Turn
from cibench_eval.schema import CibenchError, GenerationConfig, HarnessError, Message, Reply

OVERFLOW = {'context_length_exceeded', 'exceed_context_size_error'}
"""Error codes by which servers say that the messages are longer than the model's window."""


class OpenAICompatible:
    """A chat model behind `base_url`.

    Args:
        path: the model's name at the endpoint.
        base_url: up to and including `/v1`.
        key: NAME of the environment variable that holds the API key; None for endpoints without keys.
        generation_kwargs: sampling settings, sent as they are (`temperature`, `max_tokens`, `seed`, …).
        timeout: seconds a request may take.
        retries: times a request is tried again after 408, 409, 429, 5xx and lost connections, with
            exponential waits and jitter, honouring Retry-After.
    """

    def __init__(
        self,
        path: str,
        base_url: str,
        key: str | None = None,
        generation_kwargs: GenerationConfig | None = None,
        timeout: float = 600.0,
        retries: int = 4,
    ) -> None:
        self.path = path
        self.base_url = base_url
        self.generation: dict[str, Any] = {'temperature': 0.0, **(generation_kwargs or {})}
        self._key = key
        self._timeout = timeout
        self._retries = retries
        self.max_out_len: int | None = None
        self._client: openai.AsyncOpenAI | None = None

    def check(self) -> None:
        self._secret()

    async def __aenter__(self) -> Self:
        self._client = openai.AsyncOpenAI(
            base_url=self.base_url, api_key=self._secret(), timeout=self._timeout, max_retries=self._retries
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def _secret(self) -> str:
        """The API key, from the environment only: keys never stand in configs, which are written to disk."""
        if self._key is None:
            return 'none'
        secret = os.environ.get(self._key)
        if not secret:
            raise CibenchError(f'model {self.path}: environment variable {self._key} (its API key) is not set')
        return secret

    async def chat(self, messages: list[Message], turn: Turn, stop: list[str]) -> Reply:
        started = time.monotonic()
        try:
            completion = await self._create(messages, stop)
        except openai.BadRequestError as error:
            if error.code in OVERFLOW or error.type in OVERFLOW:
                return Reply(text='', finish_reason='context_overflow', seconds=time.monotonic() - started)
            raise self._fault(error) from error
        except (openai.OpenAIError, ValueError) as error:
            raise self._fault(error) from error
        return self._reply(completion, time.monotonic() - started)

    async def _create(self, messages: list[Message], stop: list[str]) -> Any:
        if self._client is None:
            raise HarnessError(f'model {self.path}: asked before it was opened')
        request: dict[str, Any] = {
            'messages': messages,
            **self.generation,
            'stop': [*self.generation.get('stop', []), *stop],
        }
        if self.max_out_len is not None:
            request.setdefault('max_tokens', self.max_out_len)
        return await self._client.chat.completions.create(model=self.path, **request)

    def _fault(self, error: Exception) -> HarnessError:
        said = ' '.join(str(error).split())[:300]
        return HarnessError(f'model {self.path}: {self.base_url} failed {self._retries + 1} times or for good: {said}')

    def _reply(self, completion: Any, seconds: float) -> Reply:
        """Read a completion; one that is not of the API's form is the endpoint's fault, not the model's."""
        try:
            choice, usage = completion.choices[0], completion.usage
            return Reply(
                text=choice.message.content or '',
                finish_reason=choice.finish_reason or 'stop',
                tokens_in=usage.prompt_tokens if usage else None,
                tokens_out=usage.completion_tokens if usage else None,
                seconds=seconds,
            )
        except (AttributeError, IndexError, TypeError) as error:
            raise self._fault(error) from error
