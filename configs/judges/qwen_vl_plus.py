"""Qwen-VL-Plus as judge, the second one of Qwen-Agent's benchmark; DASHSCOPE_API_KEY holds the key."""

from cibench_eval.evaluators.judges import FailureJudge, QwenVisionJudge, TextJudge, VisionJudge
from cibench_eval.models import OpenAICompatible

qwen_vl_plus = dict(
    type=OpenAICompatible,
    abbr='qwen-vl-plus',
    path='qwen-vl-plus',
    base_url='https://dashscope.aliyuncs.com/compatible-mode/v1',
    key='DASHSCOPE_API_KEY',
    generation_kwargs=dict(temperature=0.0),
    max_out_len=1024,
)

judges = [
    dict(abbr='qwen-vl-plus', type=VisionJudge, rubric='paper', model=qwen_vl_plus, batch_size=8),
    dict(abbr='qwen-vl-plus-right', type=QwenVisionJudge, model=qwen_vl_plus, batch_size=8),
    dict(abbr='qwen-vl-plus-text', type=TextJudge, model=qwen_vl_plus, batch_size=8),
    dict(abbr='qwen-vl-plus-errors', type=FailureJudge, model=qwen_vl_plus, batch_size=8),
]
