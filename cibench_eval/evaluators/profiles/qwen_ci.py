"""The `qwen_ci` profile: the metrics of Qwen-Agent's Code Interpreter Benchmark (version 20231206).

Its executable rate counts the first block of code at a question; a reply without code is not executable, and
`tool_rate` counts those that have any. The accuracy of figures is a judge's (`cibench judge --metric qwen`), and
`figure_shown` only says whether there is something to judge.
"""

from dataclasses import replace

from cibench_eval.evaluators.engine import MetricValue, Options, Profile
from cibench_eval.evaluators.metrics import metric
from cibench_eval.evaluators.work import StepWork
from cibench_eval.schema import Step


def first_runs(work: StepWork, step: Step, options: Options) -> MetricValue:
    """1 if the first call ran without error."""
    if not work.calls:
        return MetricValue(0.0, 'no code')
    return MetricValue(float(not work.calls[0].failed))


PROFILE = Profile(
    'qwen_ci',
    (
        metric('tool_rate'),
        replace(metric('executable'), score=first_runs),
        metric('answer_correct'),
        metric('figure_shown'),
    ),
    given_ran=False,
)
