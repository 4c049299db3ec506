"""The built-in stand-in for Qwen-Agent's Code Interpreter Benchmark.

    python run.py configs/eval_builtin_qwen_ci.py --models smollm2_135m --datasets builtin_qwen_ci/gsm8k

As it stands it replays the gold: the ceiling of this machine.
"""

from mmengine.config import read_base

with read_base():
    from .agents.qwen_ci_qwen import agents
    from .datasets.builtin_qwen_ci import builtin_qwen_ci_datasets
    from .models.gold_replay import models
    from .runtimes.local import eval, infer, kernels
    from .summarizers.qwen_ci import summarizer

datasets = builtin_qwen_ci_datasets
work_dir = 'outputs/builtin_qwen_ci'
