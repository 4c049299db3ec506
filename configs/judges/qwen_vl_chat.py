"""Qwen-VL-Chat, the judge of Qwen-Agent's benchmark before version 20231206, on an OpenAI-like server of your own.

`vllm serve Qwen/Qwen-VL-Chat --trust-remote-code`; QWEN_VL_BASE_URL names another address than the one below.
"""

import os

from cibench_eval.evaluators.judges import QwenVisionJudge
from cibench_eval.models import OpenAICompatible

model = dict(
    type=OpenAICompatible,
    abbr='qwen-vl-chat',
    path='Qwen/Qwen-VL-Chat',
    base_url=os.environ.get('QWEN_VL_BASE_URL', 'http://127.0.0.1:8000/v1'),
    generation_kwargs=dict(temperature=0.0),
    max_out_len=300,
)

judges = [dict(abbr='qwen-vl-chat', type=QwenVisionJudge, model=model, batch_size=8)]

del os
