"""Models of 6 to 8 billion parameters on all of CIBench: one GPU of 40 GB."""

from mmengine.config import read_base

with read_base():
    from .agents.react import agents
    from .datasets.cibench import *
    from .models.vllm_chatglm3_6b import models as chatglm3_6b_model
    from .models.vllm_codellama_7b_instruct import models as codellama_7b_instruct_model
    from .models.vllm_deepseek_coder_6_7b_instruct import models as deepseek_coder_6_7b_instruct_model
    from .models.vllm_internlm2_5_7b_chat import models as internlm2_5_7b_chat_model
    from .models.vllm_internlm2_chat_7b import models as internlm2_chat_7b_model
    from .models.vllm_llama2_7b_chat import models as llama2_7b_chat_model
    from .models.vllm_llama3_8b_instruct import models as llama3_8b_instruct_model
    from .models.vllm_mistral_7b_instruct_v0_2 import models as mistral_7b_instruct_v0_2_model
    from .models.vllm_qwen2_5_7b_instruct import models as qwen2_5_7b_instruct_model
    from .models.vllm_qwen2_5_coder_7b_instruct import models as qwen2_5_coder_7b_instruct_model
    from .models.vllm_qwen3_8b import models as qwen3_8b_model
    from .models.vllm_qwen_7b_chat import models as qwen_7b_chat_model
    from .models.vllm_vicuna_7b_v1_5 import models as vicuna_7b_v1_5_model
    from .runtimes.paper import eval, infer, kernels
    from .summarizers.cibench import summarizer

datasets = sum((v for k, v in locals().items() if k.endswith('_datasets')), [])
models = sum((v for k, v in locals().items() if k.endswith('_model')), [])
work_dir = 'outputs/cibench_7b'
