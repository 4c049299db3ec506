"""Yi-34B-Chat (Apache-2.0) on vLLM: two GPUs of 80 GB."""

from cibench_eval.models import VLLM

models = [
    dict(
        type=VLLM,
        abbr='yi-34b-chat-vllm',
        path='01-ai/Yi-34B-Chat',
        arguments=dict(max_model_len=4096, dtype='auto'),
        generation_kwargs=dict(temperature=0.0),
        max_out_len=512,
        batch_size=32,
        startup_timeout=3600,
        run_cfg=dict(num_gpus=2),
    )
]
