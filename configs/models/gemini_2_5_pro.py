"""Gemini 2.5 Pro at Google, function calling (`--agents tool_calls`); GEMINI_API_KEY holds the key."""

from cibench_eval.models import Gemini

models = [
    dict(
        type=Gemini,
        abbr='gemini-2.5-pro',
        path='gemini-2.5-pro',
        key='GEMINI_API_KEY',
        generation_kwargs=dict(temperature=0.0),
        max_out_len=16384,
        batch_size=16,
        price=dict(input=1.25, output=10, cached=0.125),
    )
]
