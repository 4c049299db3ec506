"""A vision model on a machine of your own, behind any OpenAI-compatible server: put in its name and URL.

`vllm serve Qwen/Qwen2.5-VL-7B-Instruct --limit-mm-per-prompt '{"image": 16}'`
"""

from cibench_eval.evaluators.judges import FailureJudge, QwenVisionJudge, TextJudge, VisionJudge
from cibench_eval.models import OpenAICompatible

local = dict(
    type=OpenAICompatible,
    abbr='qwen2.5-vl-7b-instruct',
    path='Qwen/Qwen2.5-VL-7B-Instruct',
    base_url='http://127.0.0.1:8000/v1',
    generation_kwargs=dict(temperature=0.0),
    max_out_len=1024,
)

judges = [
    dict(abbr='local', type=VisionJudge, rubric='own', reference=True, both_orders=True, model=local, batch_size=16),
    dict(abbr='local-right', type=QwenVisionJudge, model=local, batch_size=16),
    dict(abbr='local-text', type=TextJudge, both_orders=True, model=local, batch_size=16),
    dict(abbr='local-errors', type=FailureJudge, model=local, batch_size=16),
]
