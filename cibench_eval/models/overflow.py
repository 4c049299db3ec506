"""How endpoints report that a request is longer than the model's window: one table, each wording with its source.

Gateways (OpenRouter, LiteLLM, Bedrock) pass on the words of the services behind them. A complaint about `max_tokens`
alone, that the model writes no replies of this length, is not an overflow: shorter messages would not help.
"""

from __future__ import annotations

import re
from typing import NamedTuple

CODES = {
    'context_length_exceeded',  # OpenAI, Azure, Groq, DeepSeek, lmdeploy, LiteLLM
    'exceed_context_size_error',  # llama.cpp
    'contextwindowexceedederror',  # LiteLLM
    'request_too_large',  # Anthropic, more than 32 MB
    '1261',  # Zhipu
}
"""Codes and types of overflow errors, in lower case."""
STATUSES = {None, 400, 413, 422, 500}
"""HTTP statuses of overflow errors; None inside a stream."""


class Wording(NamedTuple):
    """Wording of an overflow.

    Args:
        pattern: searched in the message. Its group `window` is the model's window in tokens, replies included, never a
            limit of the messages alone. (MiniMax's number is the excess.)
        said_by: servers and services with this wording.
        source: where the wording is documented.
    """

    pattern: str
    said_by: str
    source: str


TABLE = (
    Wording(
        r'maximum context length(?: (?:is|of) (?:only )?(?P<window>\d+))?',
        'OpenAI, DeepSeek, vLLM, SGLang, OpenRouter, Grok, Bedrock',
        'github.com/strands-agents/harness-sdk/issues/3969',
    ),
    Wording(r'exceeds the context window', 'OpenAI (Responses)', 'github.com/VectorlyApp/bluebox/issues/66'),
    Wording(r'[Ii]nput tokens exceed the configured limit', 'OpenAI (gpt-5)', 'github.com/cline/cline/issues/5474'),
    Wording(
        r"longer than the (?:maximum model length of |model's context length \()(?P<window>\d+)",
        'vLLM, SGLang, Together',
        'vllm/v1/engine/processor.py, sglang/srt/managers/tokenizer_manager.py',
    ),
    Wording(r"model's context length is only (?P<window>\d+)", 'vLLM', 'github.com/vllm-project/vllm/pull/36197'),
    Wording(r'exceeds the maximum allowed length', 'SGLang', 'sglang/srt/managers/scheduler.py'),
    Wording(
        r'exceeds the available context size', 'llama.cpp', 'tools/server/server.cpp, ERROR_TYPE_EXCEED_CONTEXT_SIZE'
    ),
    Wording(
        r'[Ii]nput prompt is too big compared to KV size|Context size has been exceeded',
        'llama.cpp, older',
        'examples/server/server.cpp, send_error',
    ),
    Wording(
        r'`inputs` tokens \+ `max_new_tokens` must be|`inputs` must have less than', 'TGI', 'router/src/validation.rs'
    ),
    Wording(
        r'must be smaller than the model context length \((?P<window>\d+)\)',
        'lmdeploy',
        'lmdeploy/serve/core/async_engine.py',
    ),
    Wording(r'exceeds the model context length', 'lmdeploy', 'lmdeploy/serve/core/exceptions.py'),
    Wording(
        r'sum of prompt length .* should not exceed max_num_tokens',
        'TensorRT-LLM',
        'github.com/NVIDIA/TensorRT-LLM/issues/9277',
    ),
    Wording(
        r'Prompt length \(\d+\) exceeds maximum (?:input|sequence) length',
        'TensorRT-LLM',
        'github.com/triton-inference-server/tensorrtllm_backend/issues/141, 565',
    ),
    Wording(
        r'`?default_max_tokens`? \(-?\d+\) (?:must|should) be greater than 0',
        'TensorRT-LLM',
        'tensorrt_llm/executor/base_worker.py',
    ),
    Wording(r'prompt is longer than the context length', 'Ollama', 'llm/llama_server.go'),
    Wording(
        r"input length.* exceeds the (?:model's )?(?:maximum )?context length",
        'Ollama',
        'server/routes.go, x/mlxrunner/pipeline.go',
    ),
    Wording(r'prompt too long; exceeded max context length', 'Ollama (cloud)', 'pi, packages/ai/src/utils/overflow.ts'),
    Wording(
        r'loaded with context length of only (?P<window>\d+)',
        'LM Studio',
        'github.com/lmstudio-ai/lmstudio-bug-tracker/issues/546',
    ),
    Wording(
        r'initial prompt is greater than the context length', 'LM Studio', 'github.com/anomalyco/opencode/issues/2259'
    ),
    Wording(
        r'Reached context length of (?P<window>\d+) tokens',
        'LM Studio',
        'github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1024',
    ),
    Wording(
        r'prompt is too long(?:: \d+ tokens > (?P<window>\d+) maximum)?',
        'Anthropic, Bedrock',
        'github.com/strands-agents/harness-sdk/pull/1663',
    ),
    Wording(
        r'exceed context limit: \d+ \+ \d+ > (?P<window>\d+)',
        'Anthropic, Bedrock',
        'github.com/continuedev/continue/issues/6080',
    ),
    Wording(
        r'[Rr]equest size exceeds model context window|[Rr]equest exceeds the maximum size',
        'Anthropic',
        'platform.claude.com/docs/en/api/errors',
    ),
    Wording(r'[Ii]nput is too long for requested model', 'Bedrock', 'github.com/aws-samples/bedrock-chat/issues/95'),
    Wording(r'too many total text bytes', 'Bedrock', 'github.com/strands-agents/harness-sdk/issues/3969'),
    Wording(
        r'input token count .*exceeds the maximum number of tokens',
        'Gemini',
        'github.com/google-gemini/gemini-cli/issues/4692',
    ),
    Wording(
        r'input token count is \d+ but (?:the )?model (?:only )?supports up to \d+',
        'Gemini (Vertex AI)',
        'github.com/google-gemini/gemini-cli/issues/19727',
    ),
    Wording(
        r'too many tokens: (?:total number of tokens|size limit exceeded)', 'Cohere', 'docs.cohere.com/reference/errors'
    ),
    Wording(r'maximum prompt length is \d+', 'xAI', 'github.com/cline/cline/issues/3120'),
    Wording(
        r'[Pp]rompt exceeds max length|[Pp]rompt\s*超长',
        'Zhipu, Z.ai',
        'github.com/zeroclaw-labs/zeroclaw/issues/4124, docs.bigmodel.cn/cn/api/api-code',
    ),
    Wording(r'tokens of image and text exceed max message tokens', 'Volcengine', 'picoclaw, pkg/agent/loop_test.go'),
    Wording(r'Range of input length should be', 'DashScope', 'help.aliyun.com/zh/model-studio/error-code'),
    Wording(
        r'too large for model with (?P<window>\d+) maximum context', 'Mistral', 'pi, packages/ai/src/utils/overflow.ts'
    ),
    Wording(r'exceeded model token limit(?:: (?P<window>\d+))?', 'Moonshot', 'pi, packages/ai/src/utils/overflow.ts'),
    Wording(r'model max length exceeded', 'Moonshot', 'github.com/MoonshotAI/MoonshotAI-Cookbook/issues/18'),
    Wording(r'context window exceeds limit', 'MiniMax', 'github.com/MiniMax-AI/MiniMax-M2/issues/119'),
    Wording(r'[Rr]educe the length of the messages', 'Groq, Cerebras', 'github.com/cline/cline/issues/5140'),
    Wording(r'ContextWindowExceeded', 'LiteLLM', 'docs.litellm.ai/docs/exception_mapping'),
)
"""Wordings in the message of an error."""


class Overflow(NamedTuple):
    """An overflow; `window` is the model's window in tokens, None where the error does not name it."""

    window: int | None


def overflow_in(text: str, codes: frozenset[str] = frozenset()) -> Overflow | None:
    """The overflow that an error reports, None if it reports something else.

    Args:
        text: the error's message.
        codes: its codes, in lower case.
    """
    found = [match for wording in TABLE if (match := re.search(wording.pattern, text))]
    windows = (int(number) for match in found if (number := match.groupdict().get('window')))
    return Overflow(next(windows, None)) if found or codes & CODES else None
