"""The judge of Qwen-Agent's benchmark, version 20231206, or what stands for it: any vision model of an OpenAI-like API.

OPENAI_API_KEY holds the key. OpenAI does not serve `gpt-4-vision-preview` any more: VIS_JUDGER_MODEL names another
model, and OPENAI_BASE_URL another endpoint.
"""

import os

from cibench_eval.evaluators.judges import QwenVisionJudge
from cibench_eval.models import OpenAICompatible

model = dict(
    type=OpenAICompatible,
    abbr='gpt-4-vision-preview',
    path=os.environ.get('VIS_JUDGER_MODEL', 'gpt-4-vision-preview'),
    base_url=os.environ.get('OPENAI_BASE_URL', 'https://api.openai.com/v1'),
    key='OPENAI_API_KEY',
    generation_kwargs=dict(temperature=0.0),
    max_out_len=2048,
)

judges = [dict(abbr='gpt-4-vision-preview', type=QwenVisionJudge, model=model, batch_size=8)]

del os
