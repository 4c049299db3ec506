"""DeepSeek-Coder-6.7B-Instruct (DeepSeek licence) on vLLM: one GPU of 40 GB."""

from cibench_eval.models import VLLM

models = [
    dict(
        type=VLLM,
        abbr='deepseek-coder-6.7b-instruct-vllm',
        path='deepseek-ai/deepseek-coder-6.7b-instruct',
        arguments=dict(max_model_len=16384, dtype='auto'),
        generation_kwargs=dict(temperature=0.0),
        max_out_len=2048,
        batch_size=32,
        run_cfg=dict(num_gpus=1),
    )
]
