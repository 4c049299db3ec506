"""How endpoints report that a request is longer than the model's window: one table, each wording with its source.

Gateways (OpenRouter, LiteLLM, Bedrock) pass on the words of the services behind them. A complaint about `max_tokens`
alone, that the model writes no replies of this length, is not an overflow: shorter messages would not help.
"""

import re

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


WORDINGS = (
    # OpenAI, DeepSeek, vLLM, SGLang, OpenRouter, Grok, Bedrock: github.com/strands-agents/harness-sdk/issues/3969
    r'maximum context length(?: (?:is|of) (?:only )?(?P<window>\d+))?',
    r'exceeds the context window',  # OpenAI (Responses): github.com/VectorlyApp/bluebox/issues/66
    r'[Ii]nput tokens exceed the configured limit',  # OpenAI (gpt-5): github.com/cline/cline/issues/5474
    # vLLM, SGLang, Together: vllm/v1/engine/processor.py, sglang/srt/managers/tokenizer_manager.py
    r"longer than the (?:maximum model length of |model's context length \()(?P<window>\d+)",
    r"model's context length is only (?P<window>\d+)",  # vLLM: github.com/vllm-project/vllm/pull/36197
    r'exceeds the maximum allowed length',  # SGLang: sglang/srt/managers/scheduler.py
    r'exceeds the available context size',  # llama.cpp: tools/server/server.cpp, ERROR_TYPE_EXCEED_CONTEXT_SIZE
    # llama.cpp, older: examples/server/server.cpp, send_error
    r'[Ii]nput prompt is too big compared to KV size|Context size has been exceeded',
    r'`inputs` tokens \+ `max_new_tokens` must be|`inputs` must have less than',  # TGI: router/src/validation.rs
    r'exceed context window of (?P<window>\d+)',  # llama-cpp-python: github.com/fedora-copr/logdetective/issues/100
    # lmdeploy: lmdeploy/serve/core/async_engine.py
    r'must be smaller than the model context length \((?P<window>\d+)\)',
    r'exceeds the model context length',  # lmdeploy: lmdeploy/serve/core/exceptions.py
    # TensorRT-LLM: github.com/NVIDIA/TensorRT-LLM/issues/9277
    r'sum of prompt length .* should not exceed max_num_tokens',
    # TensorRT-LLM: github.com/triton-inference-server/tensorrtllm_backend/issues/141, 565
    r'Prompt length \(\d+\) exceeds maximum (?:input|sequence) length',
    # TensorRT-LLM: tensorrt_llm/executor/base_worker.py
    r'`?default_max_tokens`? \(-?\d+\) (?:must|should) be greater than 0',
    r'prompt is longer than the context length',  # Ollama: llm/llama_server.go
    # Ollama: server/routes.go, x/mlxrunner/pipeline.go
    r"input length.* exceeds the (?:model's )?(?:maximum )?context length",
    r'prompt too long; exceeded max context length',  # Ollama (cloud): pi, packages/ai/src/utils/overflow.ts
    # LM Studio: github.com/lmstudio-ai/lmstudio-bug-tracker/issues/546
    r'loaded with context length of only (?P<window>\d+)',
    r'initial prompt is greater than the context length',  # LM Studio: github.com/anomalyco/opencode/issues/2259
    # LM Studio: github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1024
    r'Reached context length of (?P<window>\d+) tokens',
    # Anthropic, Bedrock: github.com/strands-agents/harness-sdk/pull/1663
    r'prompt is too long(?:: \d+ tokens > (?P<window>\d+) maximum)?',
    # Anthropic, Bedrock: github.com/continuedev/continue/issues/6080
    r'exceed context limit: \d+ \+ \d+ > (?P<window>\d+)',
    # Anthropic: platform.claude.com/docs/en/api/errors
    r'[Rr]equest size exceeds model context window|[Rr]equest exceeds the maximum size',
    r'[Ii]nput is too long for requested model',  # Bedrock: github.com/aws-samples/bedrock-chat/issues/95
    r'too many total text bytes',  # Bedrock: github.com/strands-agents/harness-sdk/issues/3969
    # Gemini: github.com/google-gemini/gemini-cli/issues/4692
    r'input token count .*exceeds the maximum number of tokens',
    # Gemini (Vertex AI): github.com/google-gemini/gemini-cli/issues/19727
    r'input token count is \d+ but (?:the )?model (?:only )?supports up to \d+',
    r'too many tokens: (?:total number of tokens|size limit exceeded)',  # Cohere: docs.cohere.com/reference/errors
    r'maximum prompt length is \d+',  # xAI: github.com/cline/cline/issues/3120
    # Zhipu, Z.ai: github.com/zeroclaw-labs/zeroclaw/issues/4124, docs.bigmodel.cn/cn/api/api-code
    r'[Pp]rompt exceeds max length|[Pp]rompt\s*超长',
    r'tokens of image and text exceed max message tokens',  # Volcengine: picoclaw, pkg/agent/loop_test.go
    r'Range of input length should be',  # DashScope: help.aliyun.com/zh/model-studio/error-code
    r'too large for model with (?P<window>\d+) maximum context',  # Mistral: pi, packages/ai/src/utils/overflow.ts
    r'exceeded model token limit(?:: (?P<window>\d+))?',  # Moonshot: pi, packages/ai/src/utils/overflow.ts
    r'model max length exceeded',  # Moonshot: github.com/MoonshotAI/MoonshotAI-Cookbook/issues/18
    r'context window exceeds limit',  # MiniMax: github.com/MiniMax-AI/MiniMax-M2/issues/119
    r'[Rr]educe the length of the messages',  # Groq, Cerebras: github.com/cline/cline/issues/5140
    r'ContextWindowExceeded',  # LiteLLM: docs.litellm.ai/docs/exception_mapping
)
"""Patterns of overflows in messages, each with the servers that use it and a source.

The group `window` is the model's window in tokens, replies included, never a limit of the messages alone. (MiniMax's
number is the excess.)
"""


def overflow_in(text: str, codes: frozenset[str] = frozenset()) -> tuple[bool, int | None]:
    """Whether an error reports an overflow, by its text or codes (in lower case), and the window that it names."""
    text = re.sub(r'(?<=\d),(?=\d{3}\b)', '', text)  # 32,768
    found = [match for wording in WORDINGS if (match := re.search(wording, text))]
    windows = (int(number) for match in found if (number := match.groupdict().get('window')))
    return bool(found or codes & CODES), next(windows, None)
