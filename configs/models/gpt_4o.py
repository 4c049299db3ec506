"""GPT-4o, the snapshot of November 2024, at OpenAI; OPENAI_API_KEY holds the key."""

from cibench_eval.models import OpenAICompatible

models = [
    dict(
        type=OpenAICompatible,
        abbr='gpt-4o-2024-11-20',
        path='gpt-4o-2024-11-20',
        base_url='https://api.openai.com/v1',
        key='OPENAI_API_KEY',
        generation_kwargs=dict(temperature=0.0, seed=0),
        max_out_len=2048,
        batch_size=16,
    )
]
