"""The chat completions API: requests in the form that an endpoint accepts, answers read with tolerance."""

import json
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import AliasChoices, AliasPath, BaseModel, BeforeValidator, Field, ValidationError

from cibench_eval.json_files import is_flat
from cibench_eval.models.base import Tool, cut, text_of, without_system
from cibench_eval.models.endpoint_errors import AnswerError, Refusal, beginning, error_in
from cibench_eval.schema import Message, Reply, ToolCall, parts_of, problem, unicode_text

logger = logging.getLogger(__name__)
MOST_TEXT = 1_000_000
"""Most characters of a text, of reasoning and of a call's arguments; the rest is cut off, as at the token limit."""
DROPPED = {'temperature', 'top_p', 'seed', 'stop', 'presence_penalty', 'frequency_penalty', 'stream_options'}
"""Settings that are left out for a model that refuses them; replies are then cut at `stop` here."""
RENAMED = {'max_tokens': 'max_completion_tokens'}
THOUGHT = re.compile(r'.*(?:</[\w:]{0,20}think\w{0,20}>|\[/THINK\])', re.DOTALL)
"""A reply up to the end of the thinking in its text; texts at which a reply ends may stand there."""
MOST_TOKENS = 10**9
"""Most tokens that a reply can have used; a server that counts more miscounts, and would use up every limit."""
MOST_NESTED = 64
"""Most levels of a reasoning block; no file could hold many more."""
BY_TOKEN = re.compile(rb'"(?:stop_reason|matched_stop)":\s*+[^"]')
"""Matches a choice that ended at a token of the model and not at a stop text, as vLLM and SGLang report it."""
NO_THOUGHT = ' '
"""The reasoning of a call without any, as of gold: DeepSeek and Moonshot refuse a call without the field, or with an
empty one."""
FINISHED = {
    **dict.fromkeys(('stop', 'eos', 'eos_token', 'stop_sequence', 'stop_str', 'end_turn'), 'stop'),
    # Cohere, Qianfan, OpenAI behind OpenRouter, Anthropic
    **dict.fromkeys(('complete', 'normal', 'completed', 'pause_turn'), 'stop'),
    **dict.fromkeys(('length', 'max_tokens', 'model_length', 'max_length', 'max_output_tokens'), 'length'),
    **dict.fromkeys(('model_context_window_exceeded', 'error_limit', 'repetition'), 'length'),  # Zhipu, Cohere, vLLM
    **dict.fromkeys(('tool_calls', 'tool_call', 'tool_use', 'function_call'), 'tool_calls'),
    **dict.fromkeys(('content_filter', 'content_filtered', 'refusal', 'safety', 'sensitive'), 'content_filter'),
    **dict.fromkeys(('guardrail_intervened', 'error_toxic'), 'content_filter'),  # Bedrock, Cohere
    # Google; its `OTHER` may mean anything, so it does not count as a reply
    **dict.fromkeys(('recitation', 'blocklist', 'prohibited_content', 'spii', 'language'), 'content_filter'),
    **dict.fromkeys(('escalation', 'model_armor', 'image_safety', 'jailbreak'), 'content_filter'),
    **dict.fromkeys(('malformed_function_call', 'function_call_filter'), 'malformed_function_call'),
    **dict.fromkeys(('unexpected_tool_call', 'too_many_tool_calls'), 'malformed_function_call'),
}
"""Servers' words for why a model ended its reply, in lower case and up to a colon -> our finish reasons.

Any other word means that the service did not finish: there is no reply.
"""


@dataclass
class Dialect:
    """What a model accepts, as far as its refusals have shown."""

    model: str
    """Its name at the endpoint."""
    system_role: bool | None = None
    """Whether it accepts system messages; None until it refuses one."""
    reasoning_field: str | None = None
    """Field of its turns in which its reasoning goes back; None sends it nowhere."""
    no_thought: str = NO_THOUGHT
    """What stands there in a call without reasoning; empty leaves the field out."""
    refused: set[str] = field(default_factory=set)
    """Settings that it has refused."""

    def request(
        self, messages: Sequence[Message], settings: dict[str, Any], stop: Sequence[str], tools: Sequence[Tool]
    ) -> dict[str, Any]:
        """A request that this model accepts."""
        taken = without_system(messages) if self.system_role is False else messages
        request = {'messages': [self._with_reasoning(message) for message in taken], **settings}
        request |= {'stop': list(stop)} if stop else {}
        request |= {'tools': list(tools)} if tools else {}
        for name in self.refused & request.keys():
            value = request.pop(name)
            if name in RENAMED:
                request[RENAMED[name]] = value
        return request

    def _with_reasoning(self, message: Message) -> dict[str, Any]:
        """A message with the reasoning in its own field or nowhere, and a model's turn as text.

        Fields of blocks, as `thinking_blocks`, take no text.
        """
        sent: dict[str, Any] = {**message}
        content = message['content']
        if not isinstance(content, str):
            kept = [part for part in content if part['type'] != 'reasoning']
            sent['content'] = text_of(content) if message['role'] == 'assistant' else kept or ''
        reasoning = [part for part in parts_of(content) if part['type'] == 'reasoning']
        blocks = [block for part in reasoning for block in part.get('blocks', [])]
        text = '\n\n'.join(part['text'] for part in reasoning) or (self.no_thought if message.get('tool_calls') else '')
        name = self.reasoning_field or ''
        thought = blocks or ('' if name.endswith('_blocks') else text)
        return sent | ({name: thought} if name and thought else {})

    def learn(self, refusal: Refusal, request: dict[str, Any]) -> bool:
        """Take in a refusal, and return whether the next request will differ."""
        sent = any(message['role'] == 'system' for message in request['messages'])
        if refusal.no_system and sent and self.system_role is not True:
            if self.system_role is None:
                logger.warning('model %s takes no system message; it opens the first question from now on', self.model)
            self.system_role = False
            return True
        name = refusal.unsupported
        if name not in DROPPED | RENAMED.keys() or name not in request:
            return False
        if name not in self.refused:
            done = f'sent as {RENAMED[name]}' if name in RENAMED else 'left out'
            logger.warning('model %s does not take %s; it is %s from now on', self.model, name, done)
            self.refused.add(name)
        return True

    def ended_a_thought(self, reply: Reply, request: dict[str, Any], body: bytes) -> bool:
        """Whether a stop text has cut a thought off; later requests then send no stop texts.

        Args:
            body: the chat completion with the reply.
        """
        unclosed = reply.text.lstrip().startswith('<think') and not THOUGHT.match(reply.text)
        silent = reply.reasoning and not (reply.text.strip() or reply.tool_calls)
        if not (unclosed or silent) or 'stop' not in request or reply.finish_reason != 'stop':
            return False
        if BY_TOKEN.search(body):
            return False
        if 'stop' not in self.refused:
            logger.warning('model %s ended a thought at %r; stop is left out from now on', self.model, request['stop'])
            self.refused.add('stop')
        return True


def reply_limit(request: dict[str, Any]) -> int | None:
    """Most tokens of the reply that a request asks for; None if it does not say."""
    return request.get('max_tokens') or request.get('max_completion_tokens')


def _text(value: object) -> object:
    """Text that any file can hold; null becomes empty, and arguments that came as an object become JSON."""
    if value is None:
        return ''
    return unicode_text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _content(value: object) -> object:
    """The text of a message, which is a string or the text parts of a list."""
    if value is not None and not isinstance(value, str | list):
        raise ValueError('neither text nor a list of parts')
    parts = value if isinstance(value, list) else [value]
    texts = [part.get('text') if isinstance(part, dict) else part for part in parts if not _is_thinking(part)]
    return unicode_text(''.join(text for text in texts if isinstance(text, str)))


def _thinking_parts(value: object) -> str:
    """The reasoning among the parts of a message's content."""
    return _reasoning([part for part in value if _is_thinking(part)]) if isinstance(value, list) else ''


def _is_thinking(part: object) -> bool:
    return isinstance(part, dict) and part.get('type') in ('thinking', 'reasoning')


def _reasoning(value: object) -> str:
    """Reasoning as text or as parts with text (`reasoning_details` of OpenRouter, `thinking` of Mistral)."""
    if isinstance(value, list):
        return ''.join(map(_reasoning, value))
    if isinstance(value, dict):
        return next((text for key in ('text', 'summary', 'thinking') if (text := _reasoning(value.get(key)))), '')
    return unicode_text(value) if isinstance(value, str) else ''


def _blocks(value: object) -> object:
    """Reasoning blocks that any file can hold."""
    if not is_flat(value, MOST_NESTED):
        raise ValueError('nested too deep')
    return json.loads(unicode_text(json.dumps(value, ensure_ascii=False)))


def _mapping(value: object) -> object:
    return value if isinstance(value, dict) else None


def _count(value: object) -> object:
    return value if isinstance(value, int) and 0 <= value <= MOST_TOKENS else None


_Text = Annotated[str, BeforeValidator(_text)]
_Content = Annotated[str, BeforeValidator(_content)]
_Reasoning = Annotated[str, BeforeValidator(_reasoning)]
_ThinkingParts = Annotated[str, BeforeValidator(_thinking_parts)]
_Blocks = Annotated[list[dict[str, Any]], BeforeValidator(_blocks)]
_Count = Annotated[int | None, BeforeValidator(_count)]


class _Function(BaseModel):
    name: _Text = ''
    arguments: _Text = ''


class _Call(BaseModel):
    id: _Text = ''
    function: _Function


class _Message(BaseModel):
    role: Any = None
    content: _Content = ''
    refusal: _Text = ''
    tool_calls: list[_Call] | None = None
    function_call: Annotated[_Function | None, BeforeValidator(_mapping)] = None
    reasoning_blocks: _Blocks = []
    # Servers put reasoning into one of these fields; some send the same in two of them.
    reasoning_content: _Reasoning = ''
    reasoning: _Reasoning = ''
    reasoning_details: _Reasoning = ''
    thinking: _ThinkingParts = Field(default='', validation_alias='content')

    @property
    def calls(self) -> list[_Call]:
        """Its calls; servers of 2023 put the one call into a field of its own."""
        alone = [_Call(function=self.function_call)] if self.function_call and self.function_call.name else []
        return self.tool_calls or alone

    @property
    def thought(self) -> str:
        return self.reasoning_content or self.reasoning or self.reasoning_details or self.thinking


class _Choice(BaseModel):
    message: _Message
    finish_reason: _Text = ''
    error: Any = None


class _Usage(BaseModel):
    prompt_tokens: _Count = None
    completion_tokens: _Count = None
    total_tokens: _Count = None
    cached_tokens: _Count = Field(
        default=None,
        validation_alias=AliasChoices(
            AliasPath('prompt_tokens_details', 'cached_tokens'), 'cached_tokens', 'prompt_cache_hit_tokens'
        ),  # OpenAI, Moonshot, DeepSeek
    )
    reasoning_tokens: _Count = Field(
        default=None, validation_alias=AliasPath('completion_tokens_details', 'reasoning_tokens')
    )

    @property
    def out(self) -> int | None:
        """Tokens of the reply; chat completions of xAI and Google count thoughts in the total alone."""
        said, beyond = self.completion_tokens, (self.total_tokens or 0) - (self.prompt_tokens or 0)
        if said is None or not self.prompt_tokens:
            return said
        if self.reasoning_tokens is None:
            return said if beyond - said == self.cached_tokens else max(said, beyond)  # some count cached ones apart
        return beyond if beyond == said + (self.reasoning_tokens or 0) else said

    @property
    def cached(self) -> int | None:
        """Tokens of the request from the prompt cache, at most all its tokens: some gateways count these apart."""
        return None if self.cached_tokens is None else min(self.cached_tokens, self.prompt_tokens or 0)


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: Annotated[_Usage | None, BeforeValidator(_mapping)] = None


def read(body: bytes, stop: Sequence[str] = ()) -> Reply:
    """Read the reply in an answer.

    Args:
        body: a chat completion, JSON in UTF-8.
        stop: texts at which the reply ends, also where the endpoint went on.

    Raises:
        AnswerError: it holds no reply. A failure of the model itself is a reply.
    """
    completion = _completion(body)
    choice = completion.choices[0]
    calls = [
        ToolCall(id=one.id or f'call_{index}', name=one.function.name, arguments=one.function.arguments[:MOST_TEXT])
        for index, one in enumerate(choice.message.calls)
    ]
    text, finish = _finish(choice, bool(calls), stop)
    usage = completion.usage if completion.usage and completion.usage.prompt_tokens != 0 else _Usage()  # 0: not counted
    if finish == 'length' and usage.out == 0 and not (text or calls):
        finish = 'context_overflow'  # how lmdeploy answered before it had errors for it
    return Reply(
        text=text,
        reasoning=choice.message.thought[:MOST_TEXT],
        reasoning_blocks=choice.message.reasoning_blocks,
        tool_calls=calls,
        finish_reason=finish,
        tokens_in=usage.prompt_tokens,
        tokens_out=usage.out,
        cached_tokens=usage.cached,
        reasoning_tokens=usage.reasoning_tokens,
    )


def _completion(body: bytes) -> _Completion:
    try:
        data = json.loads(body.decode())
    except (ValueError, RecursionError) as error:
        raise AnswerError(f'what it answered is not JSON ({error}): {beginning(body)}') from error
    if isinstance(data, dict) and (stated := error_in(data)):
        raise AnswerError('it answered with an error', stated)
    try:
        return _Completion.model_validate(data)
    except (ValidationError, RecursionError) as error:
        what = f'({problem(error)}): {beginning(body)}'
        raise AnswerError(f'what it answered is not a chat completion {what}') from error


def _finish(choice: _Choice, called: bool, stop: Sequence[str]) -> tuple[str, str]:
    """The text of a reply, and why it ended."""
    whole = choice.message.content or choice.message.refusal
    reason = _reason(choice, whole, called)
    thought = THOUGHT.match(whole)
    start = thought.end() if thought else 0
    text = whole[:start] + cut(whole[start:], stop)
    if len(text) > MOST_TEXT:
        return text[:MOST_TEXT], 'length'
    return text, 'stop' if len(text) < len(whole) and reason == 'length' else reason


def _reason(choice: _Choice, said: str, called: bool) -> str:
    """Why a reply ended, as one of our finish reasons; an `AnswerError` where the service ended it, not the model."""
    if choice.error:
        raise AnswerError('broke the reply off with an error', choice.error)
    if not choice.message.model_fields_set:
        raise AnswerError('it answered with an empty message')
    if not choice.finish_reason and (said or called):  # some servers give no reason with a whole reply
        return 'tool_calls' if called else 'stop'
    if reason := FINISHED.get(choice.finish_reason.lower().partition(':')[0]):
        return reason
    raise AnswerError(f'did not finish the reply (finish_reason {choice.finish_reason or "missing"})')
