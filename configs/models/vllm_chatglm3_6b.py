"""ChatGLM3-6B (ChatGLM3 licence) on vLLM: one GPU of 24 GB."""

from cibench_eval.models import VLLM

models = [
    dict(
        type=VLLM,
        abbr='chatglm3-6b-vllm',
        path='zai-org/chatglm3-6b',
        arguments=dict(max_model_len=8192, dtype='auto', trust_remote_code=True),
        generation_kwargs=dict(temperature=0.0),
        max_out_len=1024,
        batch_size=32,
        run_cfg=dict(num_gpus=1),
    )
]
