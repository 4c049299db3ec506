"""Function calling for steps that need a look at the data first: a step ends with an answer without a call."""

from cibench_eval.agents import ToolCalls

agents = [
    dict(
        abbr='tool_calls_explore',
        protocol=dict(type=ToolCalls, explore=True, observation_limit=4096),
        max_attempts=6,
        history='all',
    )
]
