"""Gemini 3.6 Flash at Google, thinking between its calls (`--agents tool_calls`); GEMINI_API_KEY holds the key."""

from cibench_eval.models import Gemini

models = [
    dict(
        type=Gemini,
        abbr='gemini-3.6-flash',
        path='gemini-3.6-flash',
        key='GEMINI_API_KEY',
        stream=True,
        max_out_len=16384,
        batch_size=16,
        price=dict(input=1.5, output=7.5, cached=0.15),
    )
]
