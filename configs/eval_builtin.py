"""The built-in set, whole: three splits, end-to-end and oracle, scored by the `strict` profile.

    python run.py configs/eval_builtin.py --models gold_replay
    python run.py configs/eval_builtin.py --models vllm_qwen2_5_7b_instruct --datasets builtin_template
    python run.py configs/eval_builtin.py --datasets builtin_generation/scipy

As it stands it replays the gold: the ceiling of this machine, 100 everywhere.
"""

from mmengine.config import read_base

with read_base():
    from .agents.react import agents
    from .datasets.builtin_generation import builtin_generation_datasets, builtin_generation_oracle_datasets
    from .datasets.builtin_template import builtin_template_datasets, builtin_template_oracle_datasets
    from .datasets.builtin_template_cn import builtin_template_cn_datasets, builtin_template_cn_oracle_datasets
    from .models.gold_replay import models
    from .runtimes.local import eval, infer
    from .summarizers.cibench import summarizer

kernels = dict(environment='modern', sandbox='bubblewrap', timeout=60)
datasets = [
    *builtin_generation_datasets,
    *builtin_generation_oracle_datasets,
    *builtin_template_datasets,
    *builtin_template_oracle_datasets,
    *builtin_template_cn_datasets,
    *builtin_template_cn_oracle_datasets,
]
work_dir = 'outputs/builtin'
