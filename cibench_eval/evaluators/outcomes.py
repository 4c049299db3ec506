"""The outcome of a step in one word, from its attempts and its metrics."""

from collections.abc import Iterable

from cibench_eval.evaluators.engine import Profile
from cibench_eval.schema import StepOutcome, StepScore, StepTrace, Trace

FAILURES: dict[str, StepOutcome] = {'error': 'exec_error', 'timeout': 'timeout', 'kernel_died': 'kernel_died'}


def outcome_of(step: StepTrace, score: StepScore, profile: Profile) -> StepOutcome:
    """How a step ended.

    Args:
        score: its score.
        profile: the profile of the score, whose metrics say from which value a step is correct.
    """
    ran = [attempt.execution for attempt in step.attempts if attempt.execution]
    if not ran:
        return 'exec_error' if score.values['tool_rate'] else 'no_tool'  # a call without code that could run
    if ran[-1].status != 'ok':
        return FAILURES[ran[-1].status]
    if not score.decided:
        return 'ran'
    return 'correct' if reaches(score, profile) else 'wrong'


def reaches(score: StepScore, profile: Profile) -> bool:
    """Whether every metric that decides reaches its `correct_from`."""
    bars = {metric.name: metric.correct_from or 0.0 for metric in profile.metrics if metric.decides(score.kind)}
    return all(value >= bars[name] for name, value in score.values.items() if name in bars)


def with_outcomes(scores: Iterable[StepScore], traces: dict[str, Trace], profile: Profile) -> list[StepScore]:
    """Add outcomes to scores, where traces (by experiment) tell them; a step that a session lacks called no tool."""
    steps = {(name, step.index): step for name, trace in traces.items() for step in trace.steps}

    def outcome(score: StepScore) -> StepOutcome:
        step = steps.get((score.experiment, score.index))
        return outcome_of(step, score, profile) if step else 'no_tool'

    return [
        score.model_copy(update={'outcome': outcome(score)}) if score.experiment in traces else score
        for score in scores
    ]
