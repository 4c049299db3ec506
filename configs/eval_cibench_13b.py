"""Models of 13 to 20 billion parameters on all of CIBench: one GPU of 80 GB."""

from mmengine.config import read_base

with read_base():
    from .agents.react import agents
    from .datasets.cibench import *
    from .models.vllm_codellama_13b_instruct import models as codellama_13b_instruct_model
    from .models.vllm_internlm2_5_20b_chat import models as internlm2_5_20b_chat_model
    from .models.vllm_internlm2_chat_20b import models as internlm2_chat_20b_model
    from .models.vllm_llama2_13b_chat import models as llama2_13b_chat_model
    from .models.vllm_qwen_14b_chat import models as qwen_14b_chat_model
    from .models.vllm_vicuna_13b_v1_5 import models as vicuna_13b_v1_5_model
    from .runtimes.paper import eval, infer, kernels
    from .summarizers.cibench import summarizer

datasets = sum((v for k, v in locals().items() if k.endswith('_datasets')), [])
models = sum((v for k, v in locals().items() if k.endswith('_model')), [])
work_dir = 'outputs/cibench_13b'
