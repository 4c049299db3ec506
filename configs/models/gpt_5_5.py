"""GPT-5.5 at OpenAI, thinking between its calls (`--agents tool_calls`); OPENAI_API_KEY holds the key."""

from cibench_eval.models import OpenAIResponses

models = [
    dict(
        type=OpenAIResponses,
        abbr='gpt-5.5-2026-04-23',
        path='gpt-5.5-2026-04-23',
        key='OPENAI_API_KEY',
        generation_kwargs=dict(reasoning_effort='medium'),
        stream=True,
        max_out_len=16384,
        batch_size=16,
        price=dict(input=5, output=30, cached=0.5),
    )
]
