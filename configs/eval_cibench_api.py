"""Models behind paid endpoints on all of CIBench; their keys are taken from the environment."""

from mmengine.config import read_base

with read_base():
    from .agents.react import agents
    from .datasets.cibench_generation import cibench_generation_datasets, cibench_generation_oracle_datasets
    from .datasets.cibench_template import cibench_template_datasets, cibench_template_oracle_datasets
    from .datasets.cibench_template_cn import cibench_template_cn_datasets, cibench_template_cn_oracle_datasets
    from .models.gpt_4o import models as gpt_4o
    from .models.qwen2_5_72b_instruct_dashscope import models as qwen2_5_72b_instruct_dashscope
    from .models.qwen_max_dashscope import models as qwen_max_dashscope
    from .runtimes.local import eval, infer
    from .summarizers.cibench import summarizer

kernels = dict(environment='paper', sandbox='bubblewrap', timeout=60)  # the gold outputs are this environment's
models = [
    *gpt_4o,
    *qwen2_5_72b_instruct_dashscope,
    *qwen_max_dashscope,
]
datasets = [
    *cibench_generation_datasets,
    *cibench_generation_oracle_datasets,
    *cibench_template_datasets,
    *cibench_template_oracle_datasets,
    *cibench_template_cn_datasets,
    *cibench_template_cn_oracle_datasets,
]
work_dir = 'outputs/cibench_api'
