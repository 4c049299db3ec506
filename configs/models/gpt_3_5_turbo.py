"""GPT-3.5 Turbo at OpenAI, the last snapshot, because that of June 2023 is gone; OPENAI_API_KEY holds the key."""

from cibench_eval.models import OpenAICompatible

models = [
    dict(
        type=OpenAICompatible,
        abbr='gpt-3.5-turbo-0125',
        path='gpt-3.5-turbo-0125',
        base_url='https://api.openai.com/v1',
        key='OPENAI_API_KEY',
        generation_kwargs=dict(temperature=0.0, seed=0),
        max_out_len=1024,
        batch_size=16,
    )
]
