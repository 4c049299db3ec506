"""InternLM2-Chat-7B (code Apache-2.0, weights by application) on vLLM: one GPU of 24 GB."""

from cibench_eval.models import VLLM

models = [
    dict(
        type=VLLM,
        abbr='internlm2-chat-7b-vllm',
        path='internlm/internlm2-chat-7b',
        arguments=dict(max_model_len=32768, dtype='auto', trust_remote_code=True),
        generation_kwargs=dict(temperature=0.0),
        max_out_len=2048,
        batch_size=32,
        run_cfg=dict(num_gpus=1),
    )
]
