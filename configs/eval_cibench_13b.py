"""Models of 13 to 20 billion parameters on all of CIBench: one GPU of 80 GB."""

from mmengine.config import read_base

with read_base():
    from .agents.react import agents
    from .datasets.cibench_generation import cibench_generation_datasets, cibench_generation_oracle_datasets
    from .datasets.cibench_template import cibench_template_datasets, cibench_template_oracle_datasets
    from .datasets.cibench_template_cn import cibench_template_cn_datasets, cibench_template_cn_oracle_datasets
    from .models.vllm_codellama_13b_instruct import models as codellama_13b_instruct
    from .models.vllm_internlm2_5_20b_chat import models as internlm2_5_20b_chat
    from .models.vllm_internlm2_chat_20b import models as internlm2_chat_20b
    from .models.vllm_llama2_13b_chat import models as llama2_13b_chat
    from .models.vllm_qwen_14b_chat import models as qwen_14b_chat
    from .models.vllm_vicuna_13b_v1_5 import models as vicuna_13b_v1_5
    from .runtimes.local import eval, infer
    from .summarizers.cibench import summarizer

kernels = dict(environment='paper', sandbox='bubblewrap', timeout=60)  # the gold outputs are this environment's
models = [
    *codellama_13b_instruct,
    *internlm2_5_20b_chat,
    *internlm2_chat_20b,
    *llama2_13b_chat,
    *qwen_14b_chat,
    *vicuna_13b_v1_5,
]
datasets = [
    *cibench_generation_datasets,
    *cibench_generation_oracle_datasets,
    *cibench_template_datasets,
    *cibench_template_oracle_datasets,
    *cibench_template_cn_datasets,
    *cibench_template_cn_oracle_datasets,
]
work_dir = 'outputs/cibench_13b'
