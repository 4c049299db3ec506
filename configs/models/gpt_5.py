"""GPT-5 at OpenAI, thinking between its calls (`--agents tool_calls`); OPENAI_API_KEY holds the key."""

from cibench_eval.models import OpenAIResponses

models = [
    dict(
        type=OpenAIResponses,
        abbr='gpt-5-2025-08-07',
        path='gpt-5-2025-08-07',
        key='OPENAI_API_KEY',
        generation_kwargs=dict(reasoning_effort='medium'),
        stream=True,
        max_out_len=16384,
        batch_size=16,
        price=dict(input=1.25, output=10, cached=0.125),
    )
]
