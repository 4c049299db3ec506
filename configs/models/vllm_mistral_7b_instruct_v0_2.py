"""Mistral-7B-Instruct-v0.2 (Apache-2.0) on vLLM: one GPU of 24 GB.

Its chat template takes a system message since the revision of September 2024; where an older one refuses it, the
client opens the first question with it.
"""

from cibench_eval.models import VLLM

models = [
    dict(
        type=VLLM,
        abbr='mistral-7b-instruct-v0.2-vllm',
        path='mistralai/Mistral-7B-Instruct-v0.2',
        arguments=dict(max_model_len=32768, dtype='auto'),
        generation_kwargs=dict(temperature=0.0),
        max_out_len=2048,
        batch_size=32,
        run_cfg=dict(num_gpus=1),
    )
]
