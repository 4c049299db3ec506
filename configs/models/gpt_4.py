"""GPT-4, the snapshot of June 2023, at OpenAI; OPENAI_API_KEY holds the key."""

from cibench_eval.models import OpenAICompatible

models = [
    dict(
        type=OpenAICompatible,
        abbr='gpt-4-0613',
        path='gpt-4-0613',
        base_url='https://api.openai.com/v1',
        key='OPENAI_API_KEY',
        generation_kwargs=dict(temperature=0.0, seed=0),
        max_out_len=1024,
        batch_size=16,
    )
]
