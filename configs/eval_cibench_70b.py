"""Models of 34 to 72 billion parameters on all of CIBench: four GPUs of 80 GB."""

from mmengine.config import read_base

with read_base():
    from .agents.react import agents
    from .datasets.cibench_generation import cibench_generation_datasets, cibench_generation_oracle_datasets
    from .datasets.cibench_template import cibench_template_datasets, cibench_template_oracle_datasets
    from .datasets.cibench_template_cn import cibench_template_cn_datasets, cibench_template_cn_oracle_datasets
    from .models.vllm_codellama_34b_instruct import models as codellama_34b_instruct
    from .models.vllm_llama2_70b_chat import models as llama2_70b_chat
    from .models.vllm_llama3_70b_instruct import models as llama3_70b_instruct
    from .models.vllm_mixtral_8x7b_instruct_v0_1 import models as mixtral_8x7b_instruct_v0_1
    from .models.vllm_qwen2_5_72b_instruct import models as qwen2_5_72b_instruct
    from .models.vllm_qwen_72b_chat import models as qwen_72b_chat
    from .models.vllm_yi_34b_chat import models as yi_34b_chat
    from .runtimes.local import eval, infer
    from .summarizers.cibench import summarizer

kernels = dict(environment='paper', sandbox='bubblewrap', timeout=60)  # the gold outputs are this environment's
models = [
    *codellama_34b_instruct,
    *llama2_70b_chat,
    *llama3_70b_instruct,
    *mixtral_8x7b_instruct_v0_1,
    *qwen2_5_72b_instruct,
    *qwen_72b_chat,
    *yi_34b_chat,
]
datasets = [
    *cibench_generation_datasets,
    *cibench_generation_oracle_datasets,
    *cibench_template_datasets,
    *cibench_template_oracle_datasets,
    *cibench_template_cn_datasets,
    *cibench_template_cn_oracle_datasets,
]
work_dir = 'outputs/cibench_70b'
