"""Qwen2.5-7B-Instruct (Apache-2.0) on vLLM: one GPU of 24 GB."""

from cibench_eval.models import VLLM

models = [
    dict(
        type=VLLM,
        abbr='qwen2.5-7b-instruct-vllm',
        path='Qwen/Qwen2.5-7B-Instruct',
        arguments=dict(max_model_len=32768, dtype='auto'),
        generation_kwargs=dict(temperature=0.0),
        max_out_len=2048,
        batch_size=32,
        run_cfg=dict(num_gpus=1),
    )
]
