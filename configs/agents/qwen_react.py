"""The Qwen family of Qwen-Agent's benchmark: zero-shot, Observation."""

from cibench_eval.agents import QwenReAct

agents = [
    dict(
        abbr='qwen_react',
        protocol=dict(type=QwenReAct, observation_limit=1024),
        max_attempts=3,
        history='final',
    )
]
