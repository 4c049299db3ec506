"""Any service that LiteLLM knows (Bedrock, Vertex AI, Cohere, …), by its name there: `bedrock/anthropic.claude-…`.

The library is an extra (`pip install 'cibench-eval[litellm]'`) and imported when a model is opened, which takes three
seconds and 100 MB: where an endpoint speaks an API that has a backend of its own, ask that instead.

- It translates requests and answers; retries, limits on the rate, timeouts and what is learned from refusals are those
  of every endpoint (`OpenAICompatible`). Its errors become refusals with its words and the service's headers.
- Reasoning comes as text. Signed blocks of Claude go back as they came, and so do signatures of Gemini, in the ids of
  calls.
- Tokens are what LiteLLM says: of services that do not count, its estimate. Answers are not bounded in bytes.

https://docs.litellm.ai/docs/completion/input, .../docs/exception_mapping, .../docs/reasoning_content
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import logging
import os
import re
import time
from typing import Any, ClassVar, Self

import httpx
import openai

from cibench_eval.models import streaming
from cibench_eval.models.endpoint_errors import AnswerError
from cibench_eval.models.openai_compatible import Answer, OpenAICompatible
from cibench_eval.models.translation import BLOCKS, reading
from cibench_eval.schema import CibenchError, GenerationConfig, HarnessError

SETTINGS = {
    'LITELLM_LOCAL_MODEL_COST_MAP': 'True',  # else the import fetches a table of prices
    'LITELLM_MODE': 'PRODUCTION',  # else it reads an .env file into the environment
}
"""Environment variables that the library reads when it is imported."""
SIGNED = 'thinking_blocks'
"""The field of a message with Claude's signed blocks."""
CODES = {
    'ContextWindowExceededError': 'context_length_exceeded',
    'ContentPolicyViolationError': 'content_policy_violation',
}
"""Errors of the library that say more than their status."""
NAMES = re.compile(r'^(?:(?:litellm\.)?\w*(?:Error|Timeout): )+')
"""Names of errors before what is said."""
REFUSED = re.compile(r"does not support parameters: [\[{]'(\w+)'|don't support (\w+)=")
"""A setting that the library does not send, since the model would refuse it."""


class LiteLLM(OpenAICompatible):
    """A model behind any service that LiteLLM knows.

    Args:
        path: the service and the model's name, as LiteLLM has them.
        base_url: of the service, where it is not the usual one.
        key: NAME of the environment variable that holds the API key; None leaves it to LiteLLM, which looks for each
            service's own variables.
        send_reasoning: in which field of the model's turns what it thought goes back; `thinking_blocks` are signed.
        generation_kwargs, stream, timeout, retries, retry_wait, requests_per_minute, tokens_per_minute: as those of
            `OpenAICompatible`. What else LiteLLM takes is handed on (`extra_body=dict(aws_region_name='eu-west-1')`).
    """

    opened: ClassVar[int] = 0
    """Models that are open; they share the library's connections."""

    def __init__(
        self,
        path: str,
        base_url: str | None = None,
        key: str | None = None,
        generation_kwargs: GenerationConfig | None = None,
        send_reasoning: str | None = SIGNED,
        stream: bool = False,
        timeout: float = 600.0,
        retries: int = 5,
        retry_wait: float = 1.0,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
    ) -> None:
        super().__init__(
            path,
            base_url or f'litellm:{path.partition("/")[0]}',
            key,
            generation_kwargs,
            timeout,
            retries,
            retry_wait,
            send_reasoning=send_reasoning,
            stream=stream,
            requests_per_minute=requests_per_minute,
            tokens_per_minute=tokens_per_minute,
        )
        self._address = base_url
        self._library: Any = None

    def check(self) -> None:
        if importlib.util.find_spec('litellm') is None:
            raise CibenchError(
                f"model {self.path}: LiteLLM is not installed: run `pip install 'cibench-eval[litellm]'`"
            )
        self.check_settings()
        if self._address:
            self.endpoint.host()

    async def __aenter__(self) -> Self:
        self.restrict()
        self._library = _library()
        LiteLLM.opened += 1
        return self

    async def __aexit__(self, *_: object) -> None:
        library, self._library = self._library, None
        if library is None:
            return
        LiteLLM.opened -= 1
        if not LiteLLM.opened:
            await _close(library)

    async def post(self, request: dict[str, Any]) -> Answer:
        if self._library is None:
            raise HarnessError(f'model {self.path}: asked before it was opened')
        messages = [_without_text(message) for message in request['messages']]
        options: dict[str, Any] = {'api_base': self._address, 'api_key': self.endpoint.secret() if self._key else None}
        options |= {'timeout': self._timeout, 'num_retries': 0, 'max_retries': 0, 'model': self.path}
        started = time.monotonic()
        try:
            async with asyncio.timeout(self._timeout):
                said = await self._library.acompletion(**{**request, 'messages': messages}, **options)
                first = None
                if self._stream:
                    chunks = []
                    async for chunk in said:
                        first = first or time.monotonic() - started
                        chunks.append(chunk)
                    said = self._whole(said, chunks)
        except TimeoutError as error:
            raise AnswerError(f'no whole answer within {self._timeout:g} s') from error
        except AnswerError:
            raise
        except openai.OpenAIError as error:
            raise _refused(error) from error
        answer = said.model_dump()
        with reading('chat completion', repr(answer).encode(errors='replace')):
            return Answer(_completion(answer), first)

    def _whole(self, stream: Any, chunks: list[Any]) -> Any:
        """What the chunks of a stream are together.

        The library ends one that was broken off as if it had come to its end, and calls every end `stop`: what the
        service said of it stands here alone.
        """
        finish = stream.received_finish_reason or stream.intermittent_finish_reason
        if not finish:
            raise streaming.broken_off()
        whole = self._library.stream_chunk_builder(chunks)
        whole.choices[0].finish_reason = finish
        return whole


def _library() -> Any:
    """LiteLLM, which neither fetches, reads nor prints anything of its own."""
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    import litellm

    litellm.suppress_debug_info = True
    if 'LITELLM_LOG' not in os.environ:  # it warns of what is an error of ours, in the service's own words
        logging.getLogger('LiteLLM').setLevel(logging.ERROR)
    litellm.disable_aiohttp_transport = True  # its sessions are never closed
    return litellm


async def _close(library: Any) -> None:
    """End what the library leaves open: what it was about to log, and connections, which it would use again."""
    from litellm.litellm_core_utils.logging_worker import GLOBAL_LOGGING_WORKER

    for _ in range(4):  # tasks within tasks, which else never begin, and are complained of
        await asyncio.sleep(0)
    await GLOBAL_LOGGING_WORKER.clear_queue()
    await library.close_litellm_async_clients()
    library.in_memory_llm_clients_cache.flush_cache()


def _without_text(message: dict[str, Any]) -> dict[str, Any]:
    """A message without thoughts where signed ones belong: what nobody has signed is not taken."""
    return {name: value for name, value in message.items() if name != SIGNED or isinstance(value, list)}


def _completion(answer: dict[str, Any]) -> bytes:
    """The library's answer as the chat completion that it is, but for blocks and for tokens that were not counted."""
    for choice in answer['choices']:
        choice['message'][BLOCKS] = choice['message'].get(SIGNED) or []
        own = choice.get('provider_specific_fields') or {}
        choice['finish_reason'] = own.get('native_finish_reason') or choice['finish_reason']
        if choice['finish_reason'] == 'stop' and not _says(choice['message']):
            choice['finish_reason'] = None
    if not (answer.get('usage') or {}).get('prompt_tokens'):
        answer['usage'] = None
    return json.dumps(answer, default=str).encode()


def _says(message: dict[str, Any]) -> bool:
    """Whether a message says anything. Where none does and no end came, the library says `stop`."""
    return any(message.get(name) for name in ('content', 'tool_calls', 'reasoning_content', 'refusal'))


def _refused(error: openai.OpenAIError) -> openai.OpenAIError:
    """An error of the library as the one that the service's answer would be."""
    if isinstance(error, openai.APITimeoutError):
        return error
    name, said = type(error).__name__, NAMES.sub('', str(getattr(error, 'message', error))).partition('\nTraceback')[0]
    status = getattr(error, 'status_code', None)
    if status is None or isinstance(error, openai.APIConnectionError):  # also whatever it has no name for
        return AnswerError(f'LiteLLM failed: {said}')
    body = {'message': said, 'code': CODES.get(name)}
    if refused := REFUSED.search(said):
        body |= {'code': 'unsupported_parameter', 'param': refused.group(1) or refused.group(2)}
    headers = getattr(error, 'litellm_response_headers', None) or {}
    response = httpx.Response(status, headers=headers, request=httpx.Request('POST', 'https://litellm.invalid'))
    return openai.APIStatusError(said, response=response, body=body)  # type: ignore[arg-type]
