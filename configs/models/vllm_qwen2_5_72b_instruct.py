"""Qwen2.5-72B-Instruct (Qwen licence) on vLLM: four GPUs of 80 GB."""

from cibench_eval.models import VLLM

models = [
    dict(
        type=VLLM,
        abbr='qwen2.5-72b-instruct-vllm',
        path='Qwen/Qwen2.5-72B-Instruct',
        arguments=dict(max_model_len=32768, dtype='auto'),
        generation_kwargs=dict(temperature=0.0),
        max_out_len=2048,
        batch_size=32,
        startup_timeout=3600,
        run_cfg=dict(num_gpus=4),
    )
]
