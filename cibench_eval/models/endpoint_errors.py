"""What endpoints answer instead of a reply, and what follows from it, for all servers in one place.

The codes and wordings come from OpenAI, Azure, vLLM, SGLang, TGI, llama.cpp, DeepSeek, DashScope, Mistral, Gemini,
OpenRouter and LiteLLM; `overflow.py` has the wordings of overflows. Any other answer is a fault that quotes the
endpoint.
"""

from __future__ import annotations

import email.utils
import json
import os
import re
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import httpx

from cibench_eval.models.overflow import STATUSES, overflow_in
from cibench_eval.models.secrets import masked
from cibench_eval.schema import Reply, unicode_text

LONGEST_WAIT = 120.0
"""Most seconds between two tries. An endpoint that wants longer is not tried again."""
SHOWN = 300
"""Characters of an endpoint's message that an error shows."""
READ = 3000
"""Characters of it that are read: gateways put the words of the service after their own."""
PASSING = {408, 409, 425, 429}
"""HTTP statuses below 500 after which another try may succeed."""
FILTERED = {
    *('content_filter', 'content_policy_violation', 'data_inspection_failed', 'invalid_prompt'),
    *('bio_policy', 'image_content_policy_violation', 'misalignment_policy_violation'),  # OpenAI (Responses)
    *('1301', 'sensitive_words_detected'),  # Zhipu, new-api
}
"""Codes of a filter that held back the messages or the reply."""
FILTER = re.compile('Content Exists Risk|DataInspectionFailed|blocked by content filtering policy')
"""What DeepSeek, DashScope behind gateways, and Anthropic say of one without such a code."""
UNREAD = re.compile(
    # Groq: github.com/OpenHands/OpenHands/issues/10187, github.com/vercel/ai/issues/6916
    r"See 'failed_generation'|\"code\": ?\"tool_use_failed\""
    r'|error parsing tool call'  # Ollama: github.com/ollama/ollama/issues/17638
    r'|Failed to parse input at pos'  # llama.cpp: github.com/ggml-org/llama.cpp/issues/20761
    # vLLM and SGLang with gpt-oss: github.com/vllm-project/vllm/issues/23567, 22515
    r'|unexpected tokens remaining in message header|while expecting start token'
)
"""What servers say of a reply whose call they cannot read: the model wrote it so."""
UNREAD_CODE = 'tool_use_failed'
"""Groq's code for such a reply."""
SPENT = {'insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active', 'insufficient_balance', 'arrearage'}
"""Codes of an account without credit, which tell it from one that asks too fast (status 429 as well)."""
DAILY = 'quota_per_day'
"""Our own code for Google's daily quota."""
PAGE = 'web_page'
"""Our own code for a web page that comes with status 200."""
TOO_LARGE = 'Request too large for'
"""Said where one request is above the account's tokens per minute, so that waiting does not help."""
UNSUPPORTED = {'unsupported_parameter', 'unsupported_value'}
PARAMETER = (
    r"[Uu]nsupported (?:parameter|value): '([^']+)'",  # OpenAI, Azure
    r'`?(\w+)`? is deprecated for this model',  # Anthropic, Bedrock: github.com/danielmiessler/Fabric/issues/2109
    r'invalid (\w+): only \S+ is allowed for this model',  # Moonshot: github.com/countbot-ai/CountBot/issues/61
    r'Argument not supported on this model: (\w+)',  # xAI: github.com/BerriAI/litellm/issues/12635
    r'does not support parameter (\w+)',  # xAI: github.com/lidge-jun/opencodex/issues/5278
    # Mistral: github.com/editor-code-assistant/eca/issues/231
    r'"loc":\s*\["body",\s*"(\w+)"\],\s*"msg":\s*"Extra inputs are not permitted',
)
"""Complaints about a setting, with the servers that make them and a source; the group is the setting's name."""
NO_TLS = 'WRONG_VERSION_NUMBER'
"""What OpenSSL says where a server answers without TLS."""
UNTRUSTED = 'CERTIFICATE_VERIFY_FAILED'
"""What it says where no authority that this machine trusts has signed the server's certificate."""
UNREACHED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError)
"""Errors where no connection was made."""
NO_SYSTEM = re.compile(
    r'[Ss]ystem role (?:is )?not supported'  # Gemma
    r'|roles must alternate|[Oo]nly user and assistant roles are supported'  # Mistral
    r"|does not support 'system'"  # OpenAI's first reasoning models
    r'|Developer instruction is not enabled'  # Gemma at Google
)
NO_IMAGES = re.compile(
    r'image_url is only supported by|[Uu]nsupported content part type: "?image_url'  # OpenAI, llama.cpp before vision
    r'|[Ii]mage input is not (?:supported|enabled)|support image input'  # llama.cpp, Mistral, Ollama, OpenRouter
    r'|unknown variant `image_url`|does not support images'  # DeepSeek, LM Studio
    r'|is not a multimodal model|At most \d+ image\(s\) may be provided'  # vLLM
)
"""Complaints about the images of a request, or about their number."""
NO_TOOLS = re.compile(
    r'does not support tools|support tool use'  # Ollama, OpenRouter
    r'|[Tt]ools? (?:calling )?is not supported'  # OpenAI, DeepInfra
    r'|tool choice requires --enable-auto-tool-choice|tools param requires --jinja'  # vLLM, llama.cpp
)
"""Complaints about functions of a request."""
NO_REASONING = re.compile(
    r'reasoning_content.{0,30}(?: is missing| must be passed back)|Missing .?reasoning_content'  # Moonshot, DeepSeek
)
"""Complaints about calls that come back without their reasoning."""
NEVER = {*range(300, 400), 401, 402, 403, 404, 405}
"""HTTP statuses that concern the address, the key or the model, where no request has been answered before."""
FIXES = {
    404: 'check base_url (up to and including /v1) and the name of the model',
    405: 'check base_url (up to and including /v1)',
    413: 'the server, or a proxy before it, takes no request of this size: raise its limit, or show the model '
    "less (max_images, observation_limit in the agent's config)",
    429: 'set or lower requests_per_minute and tokens_per_minute, then go on',
}
"""What to do about a status, where the answer says nothing more exact."""


def beginning(body: bytes) -> str:
    """The first characters of an answer, for an error that quotes it."""
    return body[:200].decode(errors='replace') or '(nothing)'


def error_in(answer: dict[str, Any]) -> object:
    """The error in an answer or in an event of a stream, in any shape; None where there is none."""
    if answer.get('error'):
        return answer['error']
    named = 'error' in (answer.get('object'), answer.get('type'))  # vLLM, Anthropic, OpenAI's Responses
    return answer if named or answer.get('detail') or answer.get('error_code') else None  # FastAPI, FastChat


class AnswerError(httpx.HTTPError):
    """An endpoint did not answer in time, or not with a reply.

    Args:
        text: what it did, as the end of a sentence.
        error: the error in its answer, if there is one.
        passing: whether another try may succeed.
    """

    def __init__(self, text: str, error: object = None, passing: bool = True) -> None:
        super().__init__(text)
        self.error = error
        self.passing = passing


@dataclass(frozen=True)
class Refusal:
    """What an endpoint answered instead of a reply."""

    text: str
    """Its message, in one line."""
    status: int | None = None
    """HTTP status; None where no status is known."""
    codes: frozenset[str] = frozenset()
    """Its `code` and `type`, in lower case."""
    param: str = ''
    """The part of the request that is refused."""
    wait: float | None = None
    """Seconds that the endpoint asks to wait."""
    lasting: bool = False
    """Whether another try is known to be useless."""
    unreached: bool = False
    """Whether no connection was made."""

    @classmethod
    def of(cls, error: httpx.HTTPError) -> Refusal:
        """Read the refusal in an error of a request."""
        if isinstance(error, httpx.HTTPStatusError):
            headers = error.response.headers
            body = f'redirect to {headers.get("location")}' if error.response.is_redirect else _body(error.response)
            refusal = cls._of_body(body, error.response.status_code, _retry_after(headers))
            return replace(refusal, lasting=headers.get('x-should-retry') == 'false')
        if isinstance(error, AnswerError):
            refusal = cls._of_body(error.error, None, None) if error.error else cls('')
            text = f'{error}: {refusal.text}' if refusal.text else str(error)
            return replace(refusal, text=one_line(text), lasting=not error.passing)
        unreached = isinstance(error, UNREACHED)
        return cls(
            one_line(f'{"no connection" if unreached else "connection lost"} ({_cause(error)})'), unreached=unreached
        )

    @classmethod
    def _of_body(cls, body: object, status: int | None, wait: float | None) -> Refusal:
        """Read the error object of an answer; it may be anything."""
        if isinstance(body, list) and body and isinstance(body[0], dict):  # Google's chat completions
            body = body[0].get('error')
        if not isinstance(body, dict):
            return cls(one_line(body if isinstance(body, str) else ''), status, wait=wait)
        details = body.get('details')
        details = [each for each in details if isinstance(each, dict)] if isinstance(details, list) else []
        said = [*(body.get(key) for key in ('code', 'type', 'status')), *(each.get('reason') for each in details)]
        codes = frozenset(str(code).lower() for code in said if code) | _quotas(details)
        wait = _retry_delay(details) if wait is None else wait
        if status is None:
            status = next((int(code) for code in codes if re.fullmatch(r'[345]\d\d', code)), None)
        message = body.get('message')
        text = message if isinstance(message, str) and message else json.dumps(body, ensure_ascii=False)
        metadata = body.get('metadata')
        if isinstance(metadata, dict) and metadata.get('raw'):  # OpenRouter: what the service behind it said
            text = f'{text}: {metadata["raw"]}'
        return cls(one_line(text), status, codes, str(body.get('param') or ''), wait)

    @property
    def passing(self) -> bool:
        """Whether another try may succeed."""
        if self.lasting or self.spent or (self.wait or 0.0) > LONGEST_WAIT or TOO_LARGE in self.text:
            return False
        if self.no_images or self.no_tools or self.codes & {DAILY, PAGE}:
            return False
        return self.status is None or self.status in PASSING or self.status >= 500

    @property
    def spent(self) -> bool:
        """Whether the account has no credit left."""
        return bool(self.codes & SPENT) or 'credit balance is too low' in self.text  # Anthropic

    def of_all(self, answered: bool) -> bool:
        """Whether it refuses all requests, not just this; `answered` tells whether the endpoint has ever replied."""
        if self.unreached or self.spent or DAILY in self.codes:
            return True
        return not answered and (PAGE in self.codes or self.status in NEVER)

    @property
    def overflow(self) -> bool:
        """Whether it reports that messages and reply together are longer than the window."""
        return self.status in STATUSES and overflow_in(self.text, self.codes)[0]

    @property
    def window(self) -> int | None:
        """The model's window in tokens, where an overflow names it."""
        return overflow_in(self.text, self.codes)[1] if self.overflow else None

    @property
    def no_system(self) -> bool:
        """Whether the model's chat template takes no system message."""
        return bool(NO_SYSTEM.search(self.text))

    @property
    def no_images(self) -> bool:
        """Whether the model accepts no images, or fewer."""
        return self.status in (None, 400, 404, 422, 500) and bool(NO_IMAGES.search(self.text))

    @property
    def no_tools(self) -> bool:
        """Whether the model, or its server as it was started, offers no function calls."""
        return bool(NO_TOOLS.search(self.text))

    @property
    def unsupported(self) -> str | None:
        """The parameter that the model refuses, or refuses with this value."""
        named = next(filter(None, (re.search(wording, self.text) for wording in PARAMETER)), None)
        if not named and not self.codes & UNSUPPORTED:
            return None
        return self.param or (named.group(1) if named else None)

    def outcome(self, reply_limit: int | None) -> Reply | None:
        """The reply that counts for a refusal on the model's side (filter, malformed call, overflow), else None.

        Args:
            reply_limit: most tokens of the reply. If they alone fill the window, no messages fit, and the config is at
                fault, not the model.
        """
        if (self.codes & FILTERED or FILTER.search(self.text)) and self.status in (None, 400, 403, 451):
            return Reply(text='', finish_reason='content_filter')
        if (UNREAD_CODE in self.codes or UNREAD.search(self.text)) and self.status in STATUSES:
            return Reply(text='', finish_reason='malformed_function_call')
        if self.overflow and not (self.window and reply_limit and reply_limit >= self.window):
            return Reply(text='', finish_reason='context_overflow')
        return None

    @property
    def summary(self) -> str:
        """What happened, in one line."""
        text = self.text[:SHOWN]
        return (f'HTTP {self.status}: {text}' if self.status else text).rstrip('.: ')

    def mend(self, key: str | None) -> str:
        """What to do about it; `key` is the name of the API key's variable."""
        if self.spent or self.status == 402:
            return 'the account has no credit left'
        if DAILY in self.codes:
            return "the day's quota is used up: go on tomorrow"
        if PAGE in self.codes:
            return FIXES[405]
        if self.overflow:
            return f'max_out_len leaves no room for messages in a window of {self.window} tokens: make it smaller'
        if self.no_images:
            figures = "figures (figures='name' or 'describe' in the agent's config)"
            fewer = 'fewer (max_images; of a judge: let its server take 16)'
            return f'ask one that sees, or show it no {figures}, or {fewer}'
        if self.no_tools:
            return 'let its server offer function calls, or give it an agent without them (react, code_block)'
        if NO_REASONING.search(self.text):
            return "set send_reasoning='reasoning_content' in the model's config"
        if self.wait and self.wait > LONGEST_WAIT:
            return f'it wants {self.wait:.0f} s of waiting: go on after that'
        if self.status in FIXES:
            return FIXES[self.status]
        if self.status in (401, 403) or 'api_key_invalid' in self.codes:
            return f'check the API key in {key} and what it may use' if key else 'it wants an API key: set `key`'
        if self.status and 300 <= self.status < 400:
            return 'set base_url to the address that it points to'
        if self.unreached and NO_TLS in self.text:
            return 'the server speaks no TLS: write http:// in base_url'
        if self.unreached and UNTRUSTED in self.text:
            return 'let the environment variable SSL_CERT_FILE name a file with the certificate of its authority'
        if self.unreached:
            return 'start the server, correct base_url or fix the network, then go on'
        if self.passing or self.lasting:
            return 'see what is wrong there, then go on'
        return 'the request does not suit this endpoint: check the model config'


def _body(response: httpx.Response) -> object:
    """The error in an answer with a status of errors: an object, or what the answer says instead."""
    try:
        body = json.loads(response.content)
    except (ValueError, RecursionError):
        return response.text
    error = body.get('error') if isinstance(body, dict) else None
    return error if error and isinstance(error, str | dict) else body


def _cause(error: BaseException) -> str:
    """Why a connection failed, in the system's words: HTTP clients only say "All connection attempts failed"."""
    inner: BaseException | None = error
    seen = set[int]()
    while inner and id(inner) not in seen:  # some libraries make circles of causes
        seen.add(id(inner))
        number = inner.errno if isinstance(inner, OSError) and not isinstance(inner, ssl.SSLError) else None
        if number and number > 0:  # the resolver's own numbers are below 0
            return os.strerror(number)
        inner = inner.exceptions[0] if isinstance(inner, BaseExceptionGroup) else inner.__cause__ or inner.__context__
    return f'{type(error).__name__}: {error}'.rstrip(': ')


def one_line(text: str) -> str:
    """The beginning of any text as one line, without markup, control characters and secrets."""
    text = text[: 10 * READ]
    if text.lstrip().startswith('<'):
        text = f'an HTML page: {re.sub("<[^>]*>", " ", text)}'
    printable = ''.join(letter if letter.isprintable() else ' ' for letter in unicode_text(text))
    return masked(' '.join(printable.split()))[:READ]


def _retry_after(headers: Mapping[str, Any]) -> float | None:
    """Seconds that the headers of an answer ask to wait; they name milliseconds, seconds, or a date."""
    for name, divisor in (('retry-after-ms', 1000.0), ('retry-after', 1.0)):
        value = str(headers.get(name, '')).strip()
        if re.fullmatch(r'\d+(\.\d+)?', value):
            return float(value) / divisor
    try:
        date = email.utils.parsedate_to_datetime(str(headers.get('retry-after', '')))
    except (ValueError, OverflowError):
        return None
    return max(0.0, date.timestamp() - time.time())


def _retry_delay(details: list[dict[str, Any]]) -> float | None:
    """Seconds that Google asks to wait in `google.rpc.RetryInfo`: `34.07s`."""
    delays = (str(each.get('retryDelay', '')) for each in details)
    found = next((delay for delay in delays if re.fullmatch(r'\d+(\.\d+)?s', delay)), None)
    return float(found.removesuffix('s')) if found else None


def _quotas(details: list[dict[str, Any]]) -> frozenset[str]:
    """`DAILY` where a violation in `google.rpc.QuotaFailure` concerns the daily quota."""
    return frozenset({DAILY} if re.search(r'"quotaId": "[^"]*PerDay', json.dumps(details)) else ())
