"""Judges: models that say what a figure, an answer or a failure is worth, where no formula does.

`base.py` is what a judge is, `vision.py`, `text.py` and `failures.py` are the judges, `verdicts.py` reads replies,
`store.py` keeps verdicts beside a run's scores, `running.py` asks.
"""

from cibench_eval.evaluators.judges.base import Judge
from cibench_eval.evaluators.judges.failures import FailureJudge
from cibench_eval.evaluators.judges.text import TextJudge
from cibench_eval.evaluators.judges.vision import QwenVisionJudge, VisionJudge

__all__ = ['FailureJudge', 'Judge', 'QwenVisionJudge', 'TextJudge', 'VisionJudge']
