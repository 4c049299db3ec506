"""The built-in claims: English and Chinese, end-to-end and oracle, scored by the `strict` profile.

    python run.py configs/eval_builtin_claims.py --models vllm_qwen2_5_7b_instruct
    python run.py configs/eval_builtin_claims.py --datasets builtin_claims/level1

As it stands it replays the gold: the ceiling of this machine, 100 everywhere.
"""

from mmengine.config import read_base

with read_base():
    from .agents.react_explore import agents
    from .datasets.builtin_claims import *
    from .models.gold_replay import models
    from .runtimes.local import eval, infer, kernels
    from .summarizers.cibench import summarizer

datasets = sum((v for k, v in locals().items() if k.endswith('_datasets')), [])
work_dir = 'outputs/builtin_claims'
