"""Gemini 3.1 Pro at Google, thinking between its calls (`--agents tool_calls`); GEMINI_API_KEY holds the key."""

from cibench_eval.models import Gemini

models = [
    dict(
        type=Gemini,
        abbr='gemini-3.1-pro-preview',
        path='gemini-3.1-pro-preview',
        key='GEMINI_API_KEY',
        stream=True,
        max_out_len=16384,
        batch_size=16,
        price=dict(input=2, output=12, cached=0.2),
    )
]
