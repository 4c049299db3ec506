"""The last fenced block is run: the least to keep to, for small models."""

from cibench_eval.agents import CodeBlock

agents = [
    dict(
        abbr='code_block',
        protocol=dict(type=CodeBlock, example=True, observation_limit=1024),
        max_attempts=3,
        history='final',
    )
]
