"""Claude Sonnet 4.5 at Anthropic, function calling (`--agents tool_calls`); ANTHROPIC_API_KEY holds the key."""

from cibench_eval.models import Anthropic

models = [
    dict(
        type=Anthropic,
        abbr='claude-sonnet-4-5-20250929',
        path='claude-sonnet-4-5-20250929',
        key='ANTHROPIC_API_KEY',
        generation_kwargs=dict(temperature=0.0),
        max_out_len=4096,
        batch_size=16,
        price=dict(input=3, output=15, cached=0.3),
    )
]
