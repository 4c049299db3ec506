"""Gemini 2.5 Pro at Google, by its endpoint of the chat completions API; GEMINI_API_KEY holds the key."""

from cibench_eval.models import OpenAICompatible

models = [
    dict(
        type=OpenAICompatible,
        abbr='gemini-2.5-pro',
        path='gemini-2.5-pro',
        base_url='https://generativelanguage.googleapis.com/v1beta/openai',
        key='GEMINI_API_KEY',
        generation_kwargs=dict(temperature=0.0),
        max_out_len=16384,
        batch_size=16,
    )
]
