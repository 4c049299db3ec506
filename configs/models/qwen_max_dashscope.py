"""Qwen-Max at Alibaba Cloud's OpenAI-compatible endpoint; DASHSCOPE_API_KEY holds the key."""

from cibench_eval.models import OpenAICompatible

models = [
    dict(
        type=OpenAICompatible,
        abbr='qwen-max',
        path='qwen-max',
        base_url='https://dashscope.aliyuncs.com/compatible-mode/v1',
        key='DASHSCOPE_API_KEY',
        generation_kwargs=dict(temperature=0.0),
        max_out_len=2048,
        batch_size=8,
    )
]
