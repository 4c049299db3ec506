"""The InternLM family of Qwen-Agent's benchmark: zero-shot, ActionInput, a function called solution."""

from cibench_eval.agents import InternLMReAct

agents = [
    dict(
        abbr='internlm_react',
        protocol=dict(type=InternLMReAct, observation_limit=1024),
        max_attempts=3,
        history='final',
    )
]
