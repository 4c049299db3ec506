"""The `qwen_ci` profile: the metrics of Qwen-Agent's Code Interpreter Benchmark (version 20231206).

Its executable rate counts the first block of code at a question; a reply without code, or with a call that has none, is
not executable, and `tool_rate` counts the questions that have any. The accuracy of figures is a judge's (`cibench judge
--metric qwen`), and `figure_shown` only says whether there is something to judge.
"""

from dataclasses import replace

from cibench_eval.evaluators.engine import MetricValue, Options, Profile
from cibench_eval.evaluators.metrics import metric
from cibench_eval.evaluators.work import InterpreterCall, StepWork
from cibench_eval.schema import Step


def has_code(work: StepWork, step: Step, options: Options) -> MetricValue:
    """1 if a call has code."""
    return MetricValue(float(bool(_with_code(work))))


def first_runs(work: StepWork, step: Step, options: Options) -> MetricValue:
    """1 if the first call with code ran without error."""
    calls = _with_code(work)
    return MetricValue(float(not calls[0].failed)) if calls else MetricValue(0.0, 'no code')


def _with_code(work: StepWork) -> list[InterpreterCall]:
    """The calls that have code; the record of another program may hold no code of what ran."""
    return [call for call in work.calls if call.code.strip() or call.result]


PROFILE = Profile(
    'qwen_ci',
    (
        replace(metric('tool_rate'), score=has_code),
        replace(metric('executable'), score=first_runs),
        metric('answer_correct'),
        metric('figure_shown'),
    ),
    given_ran=False,
)
