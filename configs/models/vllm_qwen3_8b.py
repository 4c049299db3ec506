"""Qwen3-8B (Apache-2.0) on vLLM: one GPU of 40 GB.

It answers without thinking, like the models beside it. To let it think: leave extra_body out, sample at
temperature 0.6 with top_p 0.95 (greedy thinking runs in circles), and raise max_out_len to 8192.
"""

from cibench_eval.models import VLLM

models = [
    dict(
        type=VLLM,
        abbr='qwen3-8b-vllm',
        path='Qwen/Qwen3-8B',
        arguments=dict(max_model_len=32768, dtype='auto'),
        generation_kwargs=dict(temperature=0.0, extra_body=dict(chat_template_kwargs=dict(enable_thinking=False))),
        max_out_len=2048,
        batch_size=32,
        run_cfg=dict(num_gpus=1),
    )
]
