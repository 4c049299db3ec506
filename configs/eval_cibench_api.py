"""Models behind paid endpoints on all of CIBench; their keys are taken from the environment."""

from mmengine.config import read_base

with read_base():
    from .agents.react import agents
    from .datasets.cibench import *
    from .models.gpt_4o import models as gpt_4o_model
    from .models.qwen2_5_72b_instruct_dashscope import models as qwen2_5_72b_instruct_dashscope_model
    from .models.qwen_max_dashscope import models as qwen_max_dashscope_model
    from .runtimes.paper import eval, infer, kernels
    from .summarizers.cibench import summarizer

datasets = sum((v for k, v in locals().items() if k.endswith('_datasets')), [])
models = sum((v for k, v in locals().items() if k.endswith('_model')), [])
work_dir = 'outputs/cibench_api'
