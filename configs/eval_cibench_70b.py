"""Models of 34 to 72 billion parameters on all of CIBench: four GPUs of 80 GB."""

from mmengine.config import read_base

with read_base():
    from .agents.react import agents
    from .datasets.cibench import *
    from .models.vllm_codellama_34b_instruct import models as codellama_34b_instruct_model
    from .models.vllm_llama2_70b_chat import models as llama2_70b_chat_model
    from .models.vllm_llama3_70b_instruct import models as llama3_70b_instruct_model
    from .models.vllm_mixtral_8x7b_instruct_v0_1 import models as mixtral_8x7b_instruct_v0_1_model
    from .models.vllm_qwen2_5_72b_instruct import models as qwen2_5_72b_instruct_model
    from .models.vllm_qwen_72b_chat import models as qwen_72b_chat_model
    from .models.vllm_yi_34b_chat import models as yi_34b_chat_model
    from .runtimes.paper import eval, infer, kernels
    from .summarizers.cibench import summarizer

datasets = sum((v for k, v in locals().items() if k.endswith('_datasets')), [])
models = sum((v for k, v in locals().items() if k.endswith('_model')), [])
work_dir = 'outputs/cibench_70b'
