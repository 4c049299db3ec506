"""The Llama family of Qwen-Agent's benchmark: zero-shot, Observation, no system message."""

from cibench_eval.agents import LlamaReAct

agents = [
    dict(
        abbr='llama_react',
        protocol=dict(type=LlamaReAct, observation_limit=1024),
        max_attempts=3,
        history='final',
    )
]
