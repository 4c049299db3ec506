"""Models of 6 to 8 billion parameters on all of CIBench: one GPU of 40 GB."""

from mmengine.config import read_base

with read_base():
    from .agents.react import agents
    from .datasets.cibench_generation import cibench_generation_datasets, cibench_generation_oracle_datasets
    from .datasets.cibench_template import cibench_template_datasets, cibench_template_oracle_datasets
    from .datasets.cibench_template_cn import cibench_template_cn_datasets, cibench_template_cn_oracle_datasets
    from .models.vllm_chatglm3_6b import models as chatglm3_6b
    from .models.vllm_codellama_7b_instruct import models as codellama_7b_instruct
    from .models.vllm_deepseek_coder_6_7b_instruct import models as deepseek_coder_6_7b_instruct
    from .models.vllm_internlm2_5_7b_chat import models as internlm2_5_7b_chat
    from .models.vllm_internlm2_chat_7b import models as internlm2_chat_7b
    from .models.vllm_llama2_7b_chat import models as llama2_7b_chat
    from .models.vllm_llama3_8b_instruct import models as llama3_8b_instruct
    from .models.vllm_mistral_7b_instruct_v0_2 import models as mistral_7b_instruct_v0_2
    from .models.vllm_qwen2_5_7b_instruct import models as qwen2_5_7b_instruct
    from .models.vllm_qwen2_5_coder_7b_instruct import models as qwen2_5_coder_7b_instruct
    from .models.vllm_qwen3_8b import models as qwen3_8b
    from .models.vllm_qwen_7b_chat import models as qwen_7b_chat
    from .models.vllm_vicuna_7b_v1_5 import models as vicuna_7b_v1_5
    from .runtimes.local import eval, infer
    from .summarizers.cibench import summarizer

kernels = dict(environment='paper', sandbox='bubblewrap', timeout=60)  # the gold outputs are this environment's
models = [
    *chatglm3_6b,
    *codellama_7b_instruct,
    *deepseek_coder_6_7b_instruct,
    *internlm2_5_7b_chat,
    *internlm2_chat_7b,
    *llama2_7b_chat,
    *llama3_8b_instruct,
    *mistral_7b_instruct_v0_2,
    *qwen2_5_7b_instruct,
    *qwen2_5_coder_7b_instruct,
    *qwen3_8b,
    *qwen_7b_chat,
    *vicuna_7b_v1_5,
]
datasets = [
    *cibench_generation_datasets,
    *cibench_generation_oracle_datasets,
    *cibench_template_datasets,
    *cibench_template_oracle_datasets,
    *cibench_template_cn_datasets,
    *cibench_template_cn_oracle_datasets,
]
work_dir = 'outputs/cibench_7b'
