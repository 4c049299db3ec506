"""Sessions of Qwen-Agent's Code Interpreter Benchmark in the prompt of its Llama family."""

from mmengine.config import read_base

from cibench_eval.agents import LlamaReAct

with read_base():
    from ._qwen_ci import settings

agents = [
    dict(
        abbr='qwen_ci_llama',
        protocol=dict(settings, type=LlamaReAct),
        max_attempts=3,
        history='all',
    )
]
