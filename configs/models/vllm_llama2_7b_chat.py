"""Llama-2-7B-Chat (Llama 2 licence, gated) on vLLM: one GPU of 24 GB."""

from cibench_eval.models import VLLM

models = [
    dict(
        type=VLLM,
        abbr='llama-2-7b-chat-vllm',
        path='meta-llama/Llama-2-7b-chat-hf',
        arguments=dict(max_model_len=4096, dtype='auto'),
        generation_kwargs=dict(temperature=0.0),
        max_out_len=512,
        batch_size=32,
        run_cfg=dict(num_gpus=1),
    )
]
