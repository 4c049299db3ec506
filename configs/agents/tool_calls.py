"""Function calling, for models trained on it; their server has to read the calls (vLLM: --tool-call-parser)."""

from cibench_eval.agents import ToolCalls

agents = [
    dict(
        abbr='tool_calls',
        protocol=dict(type=ToolCalls, observation_limit=1024),
        max_attempts=3,
        history='final',
    )
]
