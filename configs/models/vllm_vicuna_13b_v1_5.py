"""Vicuna-13B-v1.5 (Llama 2 licence) on vLLM: one GPU of 40 GB.

Its tokenizer comes without a chat template, so the config names one.
"""

from mmengine.config import read_base

from cibench_eval.models import VLLM

with read_base():
    from ._chat_templates import VICUNA

models = [
    dict(
        type=VLLM,
        abbr='vicuna-13b-v1.5-vllm',
        path='lmsys/vicuna-13b-v1.5',
        arguments=dict(max_model_len=4096, dtype='auto', chat_template=VICUNA),
        generation_kwargs=dict(temperature=0.0),
        max_out_len=512,
        batch_size=32,
        run_cfg=dict(num_gpus=1),
    )
]
