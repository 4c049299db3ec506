"""Mixtral-8x7B-Instruct-v0.1 (Apache-2.0) on vLLM: two GPUs of 80 GB.

Its chat template takes a system message since the revision of September 2024; where an older one refuses it, the
client opens the first question with it.
"""

from cibench_eval.models import VLLM

models = [
    dict(
        type=VLLM,
        abbr='mixtral-8x7b-instruct-v0.1-vllm',
        path='mistralai/Mixtral-8x7B-Instruct-v0.1',
        arguments=dict(max_model_len=32768, dtype='auto'),
        generation_kwargs=dict(temperature=0.0),
        max_out_len=2048,
        batch_size=32,
        startup_timeout=3600,
        run_cfg=dict(num_gpus=2),
    )
]
