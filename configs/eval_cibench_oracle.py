"""Oracle mode alone: every step of CIBench goes on from the gold answers to those before it. One GPU of 40 GB."""

from mmengine.config import read_base

with read_base():
    from .agents.react import agents
    from .datasets.cibench import *
    from .models.gold_replay import models as gold_replay_model
    from .models.vllm_llama3_8b_instruct import models as llama3_8b_instruct_model
    from .models.vllm_qwen2_5_7b_instruct import models as qwen2_5_7b_instruct_model
    from .models.vllm_qwen2_5_coder_7b_instruct import models as qwen2_5_coder_7b_instruct_model
    from .runtimes.paper import eval, infer, kernels
    from .summarizers.cibench import summarizer

datasets = sum((v for k, v in locals().items() if k.endswith('_oracle_datasets')), [])
models = sum((v for k, v in locals().items() if k.endswith('_model')), [])
work_dir = 'outputs/cibench_oracle'
