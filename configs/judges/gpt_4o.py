"""GPT-4o as judge, the snapshot of November 2024; OPENAI_API_KEY holds the key.

`cibench judge RUN --config configs/judges/gpt_4o.py [--metric vis | qwen | text | errors]`

With `limits = dict(run_cost=5.0)` in this file, and the model's `price`, judging a run costs no more than that.
"""

from mmengine.config import read_base

from cibench_eval.evaluators.judges import FailureJudge, QwenVisionJudge, TextJudge, VisionJudge

with read_base():
    from ..models.gpt_4o import models as gpt_4o  # noqa: TID252 - the only form that read_base knows

judges = [
    dict(abbr='gpt-4o', type=VisionJudge, rubric='paper', model=gpt_4o[0], batch_size=16),
    dict(abbr='gpt-4o-right', type=QwenVisionJudge, model=gpt_4o[0], batch_size=16),
    dict(abbr='gpt-4o-text', type=TextJudge, model=gpt_4o[0], batch_size=16),
    dict(abbr='gpt-4o-errors', type=FailureJudge, model=gpt_4o[0], batch_size=16),
]
