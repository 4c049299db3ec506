"""CodeLlama-34B-Instruct (Llama 2 licence) on vLLM: two GPUs of 80 GB."""

from cibench_eval.models import VLLM

models = [
    dict(
        type=VLLM,
        abbr='codellama-34b-instruct-vllm',
        path='codellama/CodeLlama-34b-Instruct-hf',
        arguments=dict(max_model_len=16384, dtype='auto'),
        generation_kwargs=dict(temperature=0.0),
        max_out_len=2048,
        batch_size=32,
        startup_timeout=3600,
        run_cfg=dict(num_gpus=2),
    )
]
