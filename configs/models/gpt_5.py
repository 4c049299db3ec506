"""GPT-5 at OpenAI, thinking a medium while; OPENAI_API_KEY holds the key."""

from cibench_eval.models import OpenAICompatible

models = [
    dict(
        type=OpenAICompatible,
        abbr='gpt-5-2025-08-07',
        path='gpt-5-2025-08-07',
        base_url='https://api.openai.com/v1',
        key='OPENAI_API_KEY',
        generation_kwargs=dict(reasoning_effort='medium'),
        max_out_len=16384,
        batch_size=16,
    )
]
