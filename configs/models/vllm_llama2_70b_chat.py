"""Llama-2-70B-Chat (Llama 2 licence, gated) on vLLM: four GPUs of 80 GB."""

from cibench_eval.models import VLLM

models = [
    dict(
        type=VLLM,
        abbr='llama-2-70b-chat-vllm',
        path='meta-llama/Llama-2-70b-chat-hf',
        arguments=dict(max_model_len=4096, dtype='auto'),
        generation_kwargs=dict(temperature=0.0),
        max_out_len=512,
        batch_size=32,
        startup_timeout=3600,
        run_cfg=dict(num_gpus=4),
    )
]
