"""A request that is longer than the window, in the words of every endpoint, over the wire; and what only sounds so."""

import asyncio
import json
import re

import pytest

from cibench_eval.models import OpenAICompatible
from cibench_eval.models.overflow import overflow_in
from cibench_eval.schema import HarnessError
from tests.support.asking import HELLO, TURN
from tests.support.chat_server import chat_server, completion, http

SAID = {
    'OpenAI': "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4900 in the "
    'messages, 100 in the completion). Please reduce the length of the messages or completion.',
    'OpenAI, Responses': 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    'OpenAI, gpt-5': 'Input tokens exceed the configured limit of 272000 tokens. '
    'Your messages resulted in 289650 tokens.',
    'vLLM': "'max_tokens' or 'max_completion_tokens' is too large: 1024. This model's maximum context length is 4096 "
    'tokens and your request has 3900 input tokens (1024 > 4096 - 3900). (parameter=max_tokens, value=1024)',
    'vLLM 2': "You passed 4097 input tokens and requested 0 output tokens. However, the model's context length is only "
    '4096 tokens, resulting in a maximum input length of 4096 tokens. (parameter=input_tokens, value=4097)',
    'vLLM 3': 'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
    'SGLang': "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    'SGLang 2': 'Input length (5000 tokens) exceeds the maximum allowed length (4090 tokens).',
    'Grok on Azure': "Requested token count exceeds the model's maximum context length of 131072 tokens. You "
    'requested a total of 254837 tokens: 123765 tokens from the input messages and 131072 tokens for the completion.',
    'Bedrock, Mantle': "ValidationException: This model's maximum context length is 202752 tokens. However, you "
    'requested 65536 output tokens and your prompt contains at least 137217 input tokens',
    'TGI': 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens',
    'TGI 2': 'Input validation error: `inputs` must have less than 4096 tokens. Given: 5000',
    'llama.cpp': 'the request exceeds the available context size, try increasing it',
    'llama.cpp, older': 'Input prompt is too big compared to KV size. Please try increasing KV size.',
    'llama.cpp, later': 'Context size has been exceeded.',
    'llama-cpp-python': 'Requested tokens (5000) exceed context window of 4096',
    'lmdeploy': 'Input length (5000) must be smaller than the model context length (4096).',
    'lmdeploy 2': 'The request exceeds the model context length.',
    'TensorRT-LLM': 'The sum of prompt length (9351.0), query length (0) should not exceed max_num_tokens (8192)',
    'TensorRT-LLM 2': 'Prompt length (5056) exceeds maximum input length (2048). Set log level to info and check',
    'TensorRT-LLM 3': '`default_max_tokens` (-5) must be greater than 0, `default_max_tokens` (-5) = max_seq_len',
    'Ollama': 'the prompt is longer than the context length currently available to the model; shorten the prompt',
    'Ollama 2': 'the input length exceeds the context length',
    'Ollama, MLX': "input length (5000 tokens) exceeds the model's maximum context length (4096 tokens)",
    'Ollama, cloud': 'prompt too long; exceeded max context length by 65590 tokens',
    'LM Studio': 'Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with '
    'context length of only 32768 tokens, which is not enough. Try to load the model with a larger context length',
    'LM Studio 2': 'The number of tokens to keep from the initial prompt is greater than the context length. Try to',
    'LM Studio 3': 'Reached context length of 32000 tokens with model (arch: gpt-oss) that does not currently support',
    'Anthropic': 'prompt is too long: 209921 tokens > 200000 maximum',
    'Anthropic 2': 'input length and `max_tokens` exceed context limit: 199000 + 4096 > 200000, decrease input length '
    'or `max_tokens` and try again',
    'Anthropic 3': 'Request size exceeds model context window',
    'Bedrock': 'The model returned the following errors: Input is too long for requested model.',
    'Bedrock 2': 'too many total text bytes: 26214401 > 26214400',
    'Gemini': 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    'Gemini 2': 'The input token count exceeds the maximum number of tokens allowed (1048576).',
    'Vertex AI': 'Unable to submit request because the input token count is 1251952 but model only supports up to '
    '1048576. Reduce the input token count and try again.',
    'Cohere': 'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292. Try using a '
    'shorter prompt, or enabling prompt truncating.',
    'Cohere 2': 'too many tokens: size limit exceeded by 11326 tokens. Try using shorter or fewer inputs, or setting '
    "prompt_truncation='AUTO'.",
    'xAI': "This model's maximum prompt length is 131072 but the request contains 136973 tokens.",
    'Zhipu': 'Prompt 超长',
    'Z.ai': 'Prompt exceeds max length',
    'Volcengine': 'Total tokens of image and text exceed max message tokens. Request id: 021750',
    'DashScope': '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]',
    'Mistral': 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
    'Moonshot': 'Invalid request: Your request exceeded model token limit: 8192',
    'Moonshot, older': 'model max length exceeded, max length:8192',
    'with separators': "This model's maximum context length is 131,072 tokens. Your request has 140,000 tokens",
    'MiniMax': 'invalid params, context window exceeds limit (2013)',
    'Cerebras': 'Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000',
    'LiteLLM': 'litellm.ContextWindowExceededError: Vertex_aiException ContextWindowExceededError - too long',
}
WINDOWS = {
    **dict.fromkeys(('OpenAI', 'vLLM', 'vLLM 2', 'vLLM 3', 'SGLang', 'lmdeploy', 'llama-cpp-python'), 4096),
    **dict.fromkeys(('LM Studio', 'Mistral'), 32768),
    **dict.fromkeys(('Anthropic', 'Anthropic 2'), 200000),
    **dict.fromkeys(('Grok on Azure', 'with separators'), 131072),
    'Bedrock, Mantle': 202752,
    'LM Studio 3': 32000,
    'Moonshot': 8192,
}
"""The whole window, where the message names it; a limit of the messages alone does not count."""
BODIES = {
    'a code': {'error': {'message': 'too long', 'code': 'context_length_exceeded'}},
    'a code that is a number': {'error': {'message': 'Prompt', 'code': '1261'}},
    'a type': {'type': 'error', 'error': {'type': 'request_too_large', 'message': 'Request exceeds the maximum size'}},
    'a type beside a status': {
        'error': {'message': 'of 2048 tokens', 'type': 'exceed_context_size_error', 'code': 400, 'n_ctx': 2048}
    },
    'no object': {'error': SAID['TGI'], 'error_type': 'validation'},
    'no error': {'message': SAID['Cohere']},
    'behind a gateway': {
        'error': {'message': 'Provider returned error', 'metadata': {'raw': json.dumps({'message': SAID['OpenAI']})}}
    },
    'far behind': {'error': {'message': f'{"Falling back. " * 40}{SAID["OpenAI"]}'}},
    'a list': [{'error': {'code': 400, 'message': SAID['Gemini'], 'status': 'INVALID_ARGUMENT'}}],
    'lmdeploy': {'object': 'error', 'message': SAID['lmdeploy'], 'type': 'invalid_request_error', 'code': 400},
}
OTHERS = {
    'OpenAI': 'max_tokens is too large: 100000. This model supports at most 16384 completion tokens',
    'Volcengine': 'The parameter `max_tokens` specified in the request are not valid: integer above maximum value, '
    'expected a value <= 4096, but got 8192 instead.',
    'Cohere': 'too many tokens: max tokens must be less than or equal to 4096, the maximum output for this model',
    'Gemini': 'Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is '
    'from 1 (inclusive) to 65537 (exclusive).',
    'nobody': 'a context length of 100 is not a number',
}
"""What shorter messages would not mend."""


def asked(answer, max_out_len=None):
    """The reply of a model that is asked once."""

    async def session():
        model = OpenAICompatible('m', server.base_url, retries=0)
        model.max_out_len = max_out_len
        async with model:
            return await model.chat(HELLO, TURN)

    with chat_server(lambda _: answer()) as server:
        return asyncio.run(session())


@pytest.mark.parametrize('said', SAID)
def test_every_endpoint_is_understood(said):
    reply = asked(lambda: http(400, {'error': {'message': SAID[said]}}), max_out_len=1024)
    assert (reply.text, reply.finish_reason) == ('', 'context_overflow')
    assert overflow_in(SAID[said])[1] == WINDOWS.get(said)


@pytest.mark.parametrize(
    ('status', 'body'), [*((400, body) for body in BODIES), *((status, 'a code') for status in (413, 422, 500))]
)
def test_in_every_shape(body, status):
    reply = asked(lambda: http(status, json.dumps(BODIES[body]).encode()))
    assert reply.finish_reason == 'context_overflow'


def test_inside_a_stream():
    data = f'data: {json.dumps({"error": {"message": SAID["vLLM 2"], "code": 400}})}\n\n'
    reply = asked(lambda: http(200, data.encode(), Content_Type='text/event-stream'))
    assert reply.finish_reason == 'context_overflow'


def test_a_reply_without_a_token_that_was_cut_at_once():
    """So does lmdeploy before it had errors for it (github.com/InternLM/lmdeploy/issues/1589)."""
    answer = completion('')
    answer['choices'][0]['finish_reason'] = 'length'
    answer['usage'] = {'prompt_tokens': 5000, 'completion_tokens': 0, 'total_tokens': 5000}
    reply = asked(lambda: json.dumps(answer).encode())
    assert reply.finish_reason == 'context_overflow'
    for counted in ({'completion_tokens': 1024}, {'total_tokens': 6024}):  # Google counts thoughts in the total alone
        whole = json.dumps({**answer, 'usage': {**answer['usage'], **counted}}).encode()
        reply = asked(lambda whole=whole: whole)
        assert reply.finish_reason == 'length'


@pytest.mark.parametrize('said', OTHERS)
def test_what_shorter_messages_would_not_mend_is_a_fault(said):
    with pytest.raises(HarnessError, match=re.escape(OTHERS[said][:40])):
        asked(lambda: http(400, {'error': {'message': OTHERS[said]}}))


def test_too_fast_is_no_overflow():
    said = 'Too many tokens, please wait before trying again.'  # Bedrock
    with pytest.raises(HarnessError, match=said):
        asked(lambda: http(429, {'error': {'message': said, 'code': 'context_length_exceeded'}}))


def test_a_reply_limit_that_fills_the_window_is_the_configs_fault():
    """No conversation fits: were it the model's outcome, every step would be a silent zero."""
    with pytest.raises(HarnessError, match='max_out_len leaves no room for messages in a window of 4096 tokens'):
        asked(lambda: http(400, {'error': {'message': SAID['vLLM']}}), max_out_len=4096)
