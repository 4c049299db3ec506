"""Llama-3-70B-Instruct (Llama 3 licence, gated) on vLLM: four GPUs of 80 GB."""

from cibench_eval.models import VLLM

models = [
    dict(
        type=VLLM,
        abbr='llama-3-70b-instruct-vllm',
        path='meta-llama/Meta-Llama-3-70B-Instruct',
        arguments=dict(max_model_len=8192, dtype='auto'),
        generation_kwargs=dict(temperature=0.0),
        max_out_len=1024,
        batch_size=32,
        startup_timeout=3600,
        run_cfg=dict(num_gpus=4),
    )
]
