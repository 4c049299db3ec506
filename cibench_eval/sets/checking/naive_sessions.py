"""Naive sessions: see that code which falls into a trap is scored as wrong."""

from pathlib import Path

from cibench_eval.datasets.naive import NaiveAnswer, read_naive
from cibench_eval.evaluators import Profile, find_profile, score_session
from cibench_eval.evaluators.engine import outcome_of
from cibench_eval.evaluators.work import works_of
from cibench_eval.interpreter import Interpreter, KernelSettings
from cibench_eval.rendering import failure_of
from cibench_eval.schema import NO_FAILURE, CibenchError, Experiment, StepScore, StepTrace
from cibench_eval.sets.checking.findings import CheckFinding, NaiveReport
from cibench_eval.sets.checking.runs import answered
from cibench_eval.sets.checking.static import Member
from cibench_eval.sets.checking.watch import WatchedPool
from cibench_eval.states import asked_states

FEWEST = 3
"""The least number of naive sessions of an experiment that has naive answers."""
Naive = dict[int, NaiveAnswer]
"""The naive answers of a session, by the index of their step."""


async def check_naive(
    member: Member, settings: KernelSettings, pool: WatchedPool, figures: Path, profile: str
) -> tuple[list[NaiveReport], list[CheckFinding]]:
    """Run the naive sessions of an experiment, if it has some, and score them.

    Raises:
        HarnessError: a kernel cannot be started.
    """
    try:
        answers = read_naive(member.experiment)
    except CibenchError as error:
        return [], [member.finding('format', str(error))]
    if answers is None:
        return [], []
    findings = []
    if len(answers.sessions) < FEWEST:
        findings.append(member.finding('few_naive', f'{len(answers.sessions)} naive sessions, of at least {FEWEST}'))
    reports = []
    of_data = settings.model_copy(update={'datasources': member.experiment.datasources})
    for session in answers.sessions:
        naive = answers.of(session)
        steps = await _run(member.experiment, naive, of_data, pool)
        reports += _judged(member.experiment, session, naive, steps, find_profile(profile), figures)
    for report in reports:
        if report.correct:
            text = f'the naive answer "{report.trap}" ({report.session}) counts as correct'
            findings.append(member.finding('naive', text, report.step - 1))
    return reports, findings


async def _run(experiment: Experiment, naive: Naive, settings: KernelSettings, pool: WatchedPool) -> list[StepTrace]:
    done = []
    async with Interpreter(settings, pool) as interpreter:
        for step in experiment.steps:
            code = naive[step.index].code if step.index in naive else step.code
            execution = await interpreter.run(code)
            state = await asked_states(step.question, step.code, interpreter.describe)
            done.append(answered(step, code, execution, state))
    return done


def _judged(
    experiment: Experiment, session: str, naive: Naive, steps: list[StepTrace], profile: Profile, figures: Path
) -> list[NaiveReport]:
    for figure in (figure for step in steps for _, execution in step.runs for figure in execution.figures):
        figure.save(figures)
    scores = score_session(works_of(steps, figures), experiment, profile)
    return [
        NaiveReport(
            session=session,
            step=index + 1,
            trap=answer.trap,
            correct=outcome_of(steps[index], scores[index], profile) in NO_FAILURE,
            detail=_why(steps[index], scores[index], profile),
        )
        for index, answer in naive.items()
    ]


def _why(step: StepTrace, score: StepScore, profile: Profile) -> str:
    """Why a step failed, else what the metrics say that decide about it."""
    execution = step.attempts[-1].execution
    if execution and (failure := failure_of(execution)):
        return failure
    names = [metric.name for metric in profile.metrics if metric.decides(score.kind)]
    return '; '.join(score.details[name] for name in names if score.details.get(name))
