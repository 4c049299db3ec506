"""Oracle mode alone: every step of CIBench goes on from the gold answers to those before it. One GPU of 40 GB."""

from mmengine.config import read_base

with read_base():
    from .agents.react import agents
    from .datasets.cibench_generation import cibench_generation_oracle_datasets
    from .datasets.cibench_template import cibench_template_oracle_datasets
    from .datasets.cibench_template_cn import cibench_template_cn_oracle_datasets
    from .models.gold_replay import models as gold_replay
    from .models.vllm_llama3_8b_instruct import models as llama3_8b_instruct
    from .models.vllm_qwen2_5_7b_instruct import models as qwen2_5_7b_instruct
    from .models.vllm_qwen2_5_coder_7b_instruct import models as qwen2_5_coder_7b_instruct
    from .runtimes.local import eval, infer
    from .summarizers.cibench import summarizer

kernels = dict(environment='paper', sandbox='bubblewrap', timeout=60)  # the gold outputs are this environment's
models = [
    *gold_replay,
    *llama3_8b_instruct,
    *qwen2_5_7b_instruct,
    *qwen2_5_coder_7b_instruct,
]
datasets = [
    *cibench_generation_oracle_datasets,
    *cibench_template_oracle_datasets,
    *cibench_template_cn_oracle_datasets,
]
work_dir = 'outputs/cibench_oracle'
