"""Sessions of Qwen-Agent's Code Interpreter Benchmark in the prompt of its Qwen family."""

from mmengine.config import read_base

from cibench_eval.agents import QwenReAct

with read_base():
    from ._qwen_ci import settings

agents = [
    dict(
        abbr='qwen_ci_qwen',
        protocol=dict(settings, type=QwenReAct),
        max_attempts=3,
        history='all',
    )
]
