"""Answers in declared variables: where a step declares some and the session made them, they decide."""

from functools import wraps

from cibench_eval.evaluators.comparing.printed.lists import ALMOST
from cibench_eval.evaluators.comparing.variables import Pair, Verdict, compared, forecast
from cibench_eval.evaluators.engine import MetricValue, Options, Score
from cibench_eval.evaluators.work import StepWork
from cibench_eval.schema import Forecast, Step
from cibench_eval.states import State, States, bound_names, states_of


def by_variable(printed: Score) -> Score:
    """Make a metric that compares the declared variables, and what is printed where the step made none of them.

    The score is the share of what is right, over all declared variables; at most ALMOST where something is wrong.
    """

    @wraps(printed)
    def score(work: StepWork, step: Step, options: Options) -> MetricValue:
        golds = (states_of(step.state) if step.state and step.answers else None) or {}
        known = step.answers and all(name in golds and golds[name].settled for name in step.answers)
        if not known or not _made(work, step):
            return printed(work, step, options)
        found = {name: _verdict(name, golds[name], work, step, options) for name in step.answers}
        detail = '; '.join(f'{name}: {why}' for name, (_, why) in found.items() if why)
        share = sum(right for right, _ in found.values()) / len(found)
        detail = detail or f'{", ".join(found)}: as the gold has it'
        sure = _forecasts(golds, work, step)
        return MetricValue(share if share == 1 else min(ALMOST, share), detail, forecasts=sure)

    return score


def in_whole(metric: Score) -> Score:
    """Make a metric that is 1 if another is 1, and else 0."""

    @wraps(metric)
    def score(work: StepWork, step: Step, options: Options) -> MetricValue:
        value = metric(work, step, options)
        return value._replace(score=None if value.score is None else float(value.score == 1))

    return score


def _made(work: StepWork, step: Step) -> bool:
    """Whether code of the step visibly makes a declared variable, and the session tells what it holds."""
    there = step.answers.keys() & (work.state or {}).keys()
    return bool(there) and any(there & bound_names(call.code) for call in work.calls)


def _verdict(name: str, gold: State, work: StepWork, step: Step, options: Options) -> Verdict:
    answer = (work.state or {}).get(name)
    if answer is None:
        return 0.0, 'there is none'
    return compared(Pair(step.answers[name], gold, answer, options.margin_of(step), step.question))


def _forecasts(golds: States, work: StepWork, step: Step) -> tuple[Forecast, ...]:
    """The probabilities that the declared variables hold."""
    made = work.state or {}
    names = [name for name, answer in step.answers.items() if answer.kind == 'probability' and name in made]
    return tuple(filter(None, (forecast(golds[name], made[name]) for name in names)))
