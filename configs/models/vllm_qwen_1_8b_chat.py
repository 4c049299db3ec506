"""Qwen-1.8B-Chat (Tongyi Qianwen research licence) on vLLM: one GPU of 16 GB.

Its tokenizer comes without a chat template, so the config names one.
"""

from mmengine.config import read_base

from cibench_eval.models import VLLM

with read_base():
    from ._chat_templates import CHATML

models = [
    dict(
        type=VLLM,
        abbr='qwen-1.8b-chat-vllm',
        path='Qwen/Qwen-1_8B-Chat',
        arguments=dict(max_model_len=8192, dtype='auto', trust_remote_code=True, chat_template=CHATML),
        generation_kwargs=dict(temperature=0.0, extra_body=dict(stop_token_ids=[151645])),  # <|im_end|>
        max_out_len=1024,
        batch_size=32,
        run_cfg=dict(num_gpus=1),
    )
]
