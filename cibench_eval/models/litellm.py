"""Any service that LiteLLM knows (Bedrock, Vertex AI, Cohere, …), by its name there: `bedrock/anthropic.claude-…`.

The library is an extra (`pip install -e '.[litellm]'` in the clone). It is imported when a model is opened, which takes
three seconds and 100 MB: where an API has a backend of its own here, use that one.

- LiteLLM translates requests and answers; all else is as for every endpoint (`HttpModel`). Its errors become refusals
  with its words and the service's headers.
- Reasoning comes as text. Signed blocks of Claude go back as they came, and so do signatures of Gemini, which LiteLLM
  puts into the ids of calls.
- Tokens are counted as LiteLLM says, which estimates them where the service does not count. Answers have no limit in
  bytes.

https://docs.litellm.ai/docs/completion/input, .../docs/exception_mapping, .../docs/reasoning_content
"""

import asyncio
import json
import logging
import os
import re
import time
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar, Self

import httpx

from cibench_eval.models import streaming
from cibench_eval.models.connections import BODY_HEADERS
from cibench_eval.models.endpoint_errors import AnswerError
from cibench_eval.models.http_model import Completion, OpenAICompatible
from cibench_eval.models.translation import BLOCKS, reading
from cibench_eval.packages import require
from cibench_eval.schema import HarnessError, RunOverError

SETTINGS = {
    'LITELLM_LOCAL_MODEL_COST_MAP': 'True',  # otherwise the import fetches a table of prices
    'LITELLM_MODE': 'PRODUCTION',  # otherwise it reads an .env file into the environment
}
"""Environment variables that the library reads at its import."""
SIGNED = 'thinking_blocks'
"""Field of a message with Claude's signed blocks."""
SAYING = ('content', 'tool_calls', 'reasoning_content', 'refusal')
CODES = {
    'ContextWindowExceededError': 'context_length_exceeded',
    'ContentPolicyViolationError': 'content_policy_violation',
}
"""Errors of the library that say more than their status."""
WITHOUT_ANSWER = {'Timeout', 'APIConnectionError'}
"""Errors without an answer of the service; the second is also used for what the library does not know."""
NAMES = re.compile(r'^(?:(?:litellm\.)?\w*(?:Error|Timeout): )+')
"""Names of errors at the beginning of their messages."""
MISSING = 'Missing credentials'
"""What it says, with status 500, where it finds no key for services that it asks through `openai`."""
REFUSED = re.compile(r"does not support parameters: [\[{]'(\w+)'|don't support (\w+)=")
"""A setting that the library does not send because the model would refuse it."""


@dataclass(eq=False)
class LiteLLM(OpenAICompatible):
    """A model behind any service that LiteLLM knows.

    `path` is the service and the model's name as LiteLLM has them. Without `key` LiteLLM looks for the key in each
    service's own variable. Other options of LiteLLM are handed on (`extra_body=dict(aws_region_name='eu-west-1')`).
    """

    opened: ClassVar[int] = 0
    """Models that are open; they share the library's connections."""
    base_url: str | None = None  # type: ignore[assignment]
    """The service's address, where it is not the usual one."""
    _: KW_ONLY
    system_role: bool | None = field(init=False, default=None)
    send_reasoning: str | None = SIGNED
    """Field of the model's turns in which its reasoning goes back; `thinking_blocks` are signed."""

    def __post_init__(self) -> None:
        self._address = self.base_url
        self._library: Any = None
        self.base_url = self.base_url or f'litellm:{self.path.partition("/")[0]}'
        super().__post_init__()

    def check(self) -> None:
        require(f'model {self.name}', 'litellm')
        self.check_settings()
        if self._address:
            self.host()

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

    async def post(self, request: dict[str, Any]) -> Completion:
        if self._library is None:
            raise HarnessError(f'model {self.name}: asked before it was opened')
        import openai  # the errors of the library are this one's

        messages = [  # services refuse unsigned reasoning where signed blocks belong
            {name: value for name, value in message.items() if name != SIGNED or isinstance(value, list)}
            for message in request['messages']
        ]
        options: dict[str, Any] = {'api_base': self._address, 'api_key': self.secret() if self.key else None}
        options |= {'timeout': self.timeout, 'num_retries': 0, 'max_retries': 0, 'model': self.path}
        try:
            async with self.in_time():
                answer, first = await self._complete({**request, 'messages': messages, **options})
        except openai.OpenAIError as error:
            raise _refused(error) from error
        said = answer.model_dump()
        with reading('chat completion', repr(said).encode(errors='replace')):
            return Completion(_completion(said), first)

    async def _complete(self, request: dict[str, Any]) -> tuple[Any, float | None]:
        """The library's answer, and the seconds until its first token if it was streamed."""
        started, first, chunks = time.monotonic(), None, []
        answer = await self._library.acompletion(**request)
        if not self.stream:
            return answer, None
        async for chunk in answer:
            first = first or time.monotonic() - started
            chunks.append(chunk)
        return self._whole(answer, chunks), first

    def _whole(self, stream: Any, chunks: list[Any]) -> Any:
        """Join the chunks of a stream.

        The library treats a stream that was broken off as finished, and calls every end `stop`; only these attributes
        have the service's own reason.
        """
        finish = stream.received_finish_reason or stream.intermittent_finish_reason
        if not finish:
            raise streaming.broken_off()
        whole = self._library.stream_chunk_builder(chunks)
        whole.choices[0].finish_reason = finish
        return whole


def _library() -> Any:
    """Import LiteLLM so that it fetches, reads and prints nothing by itself."""
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    import litellm

    litellm.suppress_debug_info = True
    if 'LITELLM_LOG' not in os.environ:  # it would log what becomes an error here
        logging.getLogger('LiteLLM').setLevel(logging.CRITICAL)
    litellm.disable_aiohttp_transport = True  # its sessions are never closed
    return litellm


async def _close(library: Any) -> None:
    """Run the library's pending log tasks, and close connections that it would use again."""
    from litellm.litellm_core_utils.logging_worker import GLOBAL_LOGGING_WORKER

    for _ in range(4):  # pending tasks start others; asyncio complains about those that never begin
        await asyncio.sleep(0)
    await GLOBAL_LOGGING_WORKER.clear_queue()
    await library.close_litellm_async_clients()
    library.in_memory_llm_clients_cache.flush_cache()


def _completion(answer: dict[str, Any]) -> bytes:
    """The library's answer as JSON, with reasoning blocks, the service's own finish reason, and no made-up tokens."""
    for choice in answer['choices']:
        choice['message'][BLOCKS] = choice['message'].get(SIGNED) or []
        own = choice.get('provider_specific_fields') or {}
        choice['finish_reason'] = own.get('native_finish_reason') or choice['finish_reason']
        says = any(choice['message'].get(name) for name in SAYING)
        if choice['finish_reason'] == 'stop' and not says:  # an empty message may have had no reason
            choice['finish_reason'] = None
    if not (answer.get('usage') or {}).get('prompt_tokens'):
        answer['usage'] = None
    return json.dumps(answer, default=str).encode()


def _refused(error: Exception) -> httpx.HTTPError:
    """The error for the service's answer, from one of the library; a `RunOverError` where that misses a package."""
    name, said = type(error).__name__, NAMES.sub('', str(getattr(error, 'message', error))).partition('\nTraceback')[0]
    inner = error.__context__
    lacks = next((one for one in (inner, inner and inner.__context__) if isinstance(one, ImportError)), None)
    if lacks:  # of a package for the service, as boto3, of which the library may speak in words of its own
        mend = f'; pip install {lacks.name}' if lacks is inner and lacks.name else ''
        raise RunOverError(f'LiteLLM: {said}{mend}') from error
    status = 401 if MISSING in said else getattr(error, 'status_code', None)
    if status is None or name in WITHOUT_ANSWER:
        return AnswerError(f'LiteLLM failed: {said}')
    body = {'message': said, 'code': CODES.get(name)}
    if refused := REFUSED.search(said):
        body |= {'code': 'unsupported_parameter', 'param': refused.group(1) or refused.group(2)}
    headers = getattr(error, 'litellm_response_headers', None) or {}
    headers = {key: value for key, value in headers.items() if key.lower() not in BODY_HEADERS}
    request = httpx.Request('POST', 'https://litellm.invalid')
    response = httpx.Response(status, headers=headers, json=body, request=request)
    return httpx.HTTPStatusError(said, request=request, response=response)
