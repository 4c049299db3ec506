"""Function calling for models that see: the figures of each output go with the next request."""

from cibench_eval.agents import ToolCalls

agents = [
    dict(
        abbr='tool_calls_images',
        protocol=dict(type=ToolCalls, observation_limit=1024, figures='image', figure_side=768, max_images=8),
        max_attempts=3,
        history='final',
    )
]
