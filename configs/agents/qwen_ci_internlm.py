"""Sessions of Qwen-Agent's Code Interpreter Benchmark in the prompt of its InternLM family."""

from mmengine.config import read_base

from cibench_eval.agents import InternLMReAct

with read_base():
    from ._qwen_ci import settings

agents = [
    dict(
        abbr='qwen_ci_internlm',
        protocol=dict(settings, type=InternLMReAct),
        max_attempts=3,
        history='all',
    )
]
