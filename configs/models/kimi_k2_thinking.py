"""Kimi K2 Thinking at Moonshot, thinking between its calls (`--agents tool_calls`); MOONSHOT_API_KEY holds the key."""

from cibench_eval.models import OpenAICompatible

models = [
    dict(
        type=OpenAICompatible,
        abbr='kimi-k2-thinking',
        path='kimi-k2-thinking',
        base_url='https://api.moonshot.ai/v1',
        key='MOONSHOT_API_KEY',
        generation_kwargs=dict(temperature=1.0),
        send_reasoning='reasoning_content',
        stream=True,
        max_out_len=16384,
        batch_size=16,
    )
]
