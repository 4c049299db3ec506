"""The model that writes new benchmarks (`cibench construct topics`, `tasks`, `translate`): GPT-5.5 at OpenAI.

Another one is another file, `--model NAME`, as for `run.py`. `price` of the model is what the estimate before a run is
made of. With `limits = dict(run_cost=50.0)` in this file a construction costs no more than that.
"""

from mmengine.config import read_base

with read_base():
    from .gpt_5_5 import models as gpt_5_5

models = [dict(gpt_5_5[0], abbr='gpt-5.5-2026-04-23-construct')]
