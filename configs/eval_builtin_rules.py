"""The built-in rules: English and Chinese, end-to-end and oracle, scored by the `strict` profile.

    python run.py configs/eval_builtin_rules.py --models vllm_qwen2_5_7b_instruct
    python run.py configs/eval_builtin_rules.py --datasets builtin_rules/level1

As it stands it replays the gold: the ceiling of this machine, 100 everywhere. A model sees 20,000 characters of an
output (4,096 otherwise), so that it can read a manual of 33,000 in two runs.
"""

from mmengine.config import read_base

with read_base():
    from .agents.react_explore import agents
    from .datasets.builtin_rules import *
    from .models.gold_replay import models
    from .runtimes.local import eval, infer, kernels
    from .summarizers.cibench import summarizer

agents = [dict(one, protocol=dict(one['protocol'], observation_limit=20_000)) for one in agents]
datasets = sum((v for k, v in locals().items() if k.endswith('_datasets')), [])
work_dir = 'outputs/builtin_rules'
