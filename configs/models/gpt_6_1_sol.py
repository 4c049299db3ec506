"""GPT-6.1 Sol at OpenAI, thinking between its calls (`--agents tool_calls`); OPENAI_API_KEY holds the key."""

from cibench_eval.models import OpenAIResponses

models = [
    dict(
        type=OpenAIResponses,
        abbr='gpt-6.1-sol',
        path='gpt-6.1-sol',
        key='OPENAI_API_KEY',
        generation_kwargs=dict(reasoning_effort='medium'),
        stream=True,
        max_out_len=16384,
        batch_size=16,
        price=dict(input=2, output=10, cached=0.1),
    )
]
