"""Why a step failed: one of the four categories of CIBench (arXiv 2407.10499, §3.3, appendices E and G), and a cause.

- `instruction`: the step is not done as asked: no call, another format, nothing shown, an asked value left out.
- `hallucination`: it relies on what does not exist: a name, a column, a file, an argument, made-up data.
- `reasoning`: the code is sound and the way is wrong: method, order, selection, form of the data, endless work.
- `code`: the code is wrong: syntax, a library that is not imported, types that do not go together, a crash.

The paper gives definitions and examples but no procedure; CAUSES is ours. Rules read the execution first (an
exception names its fault), and compare code that ran with the gold code (`code_facts`). The first rule of RULES that
finds something decides, and says what it has seen. A failure is *propagated* if it follows from an earlier step,
which is found by experiment (`replay`) or else guessed from the code. It keeps the category of what shows, so that
roots alone can be counted.
"""

import logging
from collections.abc import Collection, Iterator, Mapping
from typing import Literal, get_args

from cibench_eval.evaluators.failures import execution_rules as stops
from cibench_eval.evaluators.failures import result_rules as results
from cibench_eval.evaluators.failures.code_facts import facts_of
from cibench_eval.evaluators.failures.evidence import EarlierStep, FailedStep, Rule, origin
from cibench_eval.evaluators.failures.execution_rules import SESSION_OVER
from cibench_eval.evaluators.failures.replay_store import ReplayFinding
from cibench_eval.registry import origin_of
from cibench_eval.schema import (
    NO_FAILURE,
    Attempt,
    CibenchError,
    Experiment,
    Record,
    Step,
    StepScore,
    StepTrace,
    Text,
    Trace,
)

logger = logging.getLogger(__name__)

Category = Literal['instruction', 'hallucination', 'reasoning', 'code']
CATEGORIES: dict[Category, str] = {
    'instruction': 'Instr',
    'hallucination': 'Halluc',
    'reasoning': 'Reason',
    'code': 'Code',
}
"""The categories in the order of tables, with their short names there."""

CAUSES: dict[str, tuple[Category, str]] = {
    'no_tool_call': ('instruction', 'the task is to call the interpreter'),
    'wrong_format': ('instruction', 'a call was meant and cannot be read as one'),
    'truncated': ('instruction', 'a limit or a filter cut the reply before its code ended'),
    'context_overflow': ('instruction', 'the conversation does not fit into the window, so nothing is answered'),
    SESSION_OVER: ('instruction', 'its limits were used up, or its agent failed, before code ran'),
    'asks_user': ('instruction', 'waits for input from a user, whom a session does not have'),
    'no_output': ('instruction', 'an output was asked and none is shown'),
    'no_figure': ('instruction', 'a figure was asked and none is shown'),
    'wrong_figure': ('instruction', 'another kind of figure than asked'),
    'ignored_parameter': ('instruction', 'a value that the question gives is not used'),
    'ignored_method': ('instruction', 'a function that the question names is not called'),
    'wrong_rounding': ('instruction', 'the right numbers with another precision than asked'),
    'wrong_layout': ('instruction', 'the right words and numbers in another layout than asked'),
    'extra_output': ('instruction', 'the right output among more than was asked'),
    'wrong_notation': ('instruction', 'the right output in another notation: a number for a name, 0.03 for 3 %'),
    'other_task': ('instruction', 'does not touch what the question is about'),
    'undefined_name': ('hallucination', 'the name was never defined'),
    'missing_column': ('hallucination', 'the table has no such column'),
    'missing_file': ('hallucination', 'there is no such file'),
    'unknown_argument': ('hallucination', 'the function has no such argument'),
    'unknown_attribute': ('hallucination', 'the library has no such function or attribute'),
    'unknown_module': ('hallucination', 'there is no such module, or nothing of that name in it'),
    'unknown_value': ('hallucination', 'the argument takes no such value'),
    'invented_data': ('hallucination', 'works on data that it makes up'),
    'bad_value': ('reasoning', 'data in a form or range that the method cannot take'),
    'timeout': ('reasoning', 'work that does not end in time'),
    'memory': ('reasoning', 'work that needs more memory than there is'),
    'wrong_order': ('reasoning', 'the right results in a wrong order'),
    'wrong_value': ('reasoning', 'another result'),
    'syntax': ('code', 'not Python'),
    'import': ('code', 'a library is used and not imported'),
    'missing_package': ('code', 'a package that exists and is not installed'),
    'type': ('code', 'types that do not go together, or a call with wrong arguments'),
    'kernel_died': ('code', 'crashes its process'),
    'exception': ('code', 'any other exception'),
}
"""Cause -> its category, and why it belongs there."""
if not set(CATEGORIES) == set(get_args(Category)) == {category for category, _ in CAUSES.values()}:
    raise TypeError('Category, CATEGORIES and CAUSES name different categories')

RULES: tuple[Rule, ...] = (
    stops.session_over, stops.overflow, stops.truncated, stops.not_called, stops.timed_out, stops.died,
    stops.asks_user, stops.not_python, stops.undefined, stops.no_module, stops.no_argument, stops.no_file,
    stops.no_column, stops.no_attribute, stops.no_value, stops.refused, results.nothing_shown,
    results.shows_function, results.invented, results.off_task, results.other_figure, results.other_notation,
    results.other_precision, results.more_output, results.other_layout, results.ignores_value,
    results.ignores_method, results.other_order, results.other_value,
)  # fmt: skip
"""The rules in the order in which they are asked; the first that finds something decides."""

RULES_OF_RESULTS = (results.nothing_shown, results.other_precision, results.other_order, results.other_value)
"""The rules about results alone, for code that is right from the gold state and so lacks nothing."""

BY_RULES = 'rules'
MAX_EVIDENCE = 500
"""Most characters of evidence."""


class ErrorTag(Record):
    """The category and cause of one failed step."""

    category: Category
    cause: str
    """One of CAUSES, which has the category of each."""
    evidence: Text
    """What the rule saw, or the judge said."""
    certain: bool = True
    """Whether the evidence proves the cause; a judge is only asked about other tags."""
    propagated_from: int | None = None
    """Index of the earlier step that the failure follows from; None for a root."""
    origin_by: Literal['guess', 'replay'] = 'guess'
    """How the origin is known: guessed from the code, or found by running the step again from gold states."""
    judged_by: str = BY_RULES
    """`rules`, or the model that had the last word."""


def failed_indices(scores: list[StepScore]) -> set[int]:
    """The steps that the model has failed."""
    return {score.index for score in scores if score.outcome not in (None, *NO_FAILURE)}


def categorize(
    trace: Trace, experiment: Experiment, scores: list[StepScore], replays: Mapping[int, ReplayFinding] | None = None
) -> dict[int, ErrorTag]:
    """Tag every failed step of a session; a `CibenchError` where the experiment has no such step.

    A failure is a known `outcome` that is not in NO_FAILURE. `replays` has, by index of the step, what running it again
    found; the origin of other failures is guessed. Returns the tag of each failed step by its index.
    """
    failed = failed_indices(scores)
    if unknown := failed - {step.index for step in experiment.steps}:
        raise CibenchError(f'{experiment.id}: no step {min(unknown)}; the session is of another version of it')
    known = replays or {}
    return {one.step.index: tag_of(one, known.get(one.step.index)) for one in failed_steps(trace, experiment, failed)}


def failed_steps(trace: Trace, experiment: Experiment, failed: Collection[int]) -> Iterator[FailedStep]:
    """Yield the failed steps in order. In oracle mode every earlier step is the gold's and has not failed."""
    steps = {step.index: step for step in trace.steps}
    past: list[EarlierStep] = []
    for step in experiment.steps:
        done = steps.get(step.index)
        if step.index in failed:
            yield FailedStep(step, _deciding(done), tuple(past), done.ended if done else 'the session was over')
        gold = (facts_of(step.code),)
        past.append(
            EarlierStep(step, gold, gold, False) if trace.mode == 'oracle' else _past(step, done, step.index in failed)
        )


def tag_of(case: FailedStep, replay: ReplayFinding | None = None) -> ErrorTag:
    """The tag of one failed step; where the rules themselves fail, a tag that says so."""
    try:
        return _tag(case, replay)
    except Exception as error:  # noqa: BLE001  (what a model made never ends the scoring of others)
        why = f'the rules failed on this step ({origin_of(error)})'
    logger.warning('step %d: its failure has no category of its own, for %s', case.step.index + 1, why)
    cause = 'exception' if case.error[0] else 'wrong_value'
    return ErrorTag(category=CAUSES[cause][0], cause=cause, evidence=why, certain=False)


def _tag(case: FailedStep, replay: ReplayFinding | None) -> ErrorTag:
    """The tag by the first rule that finds something, with the earlier step that it comes from."""
    follows = replay is not None and replay.verdict == 'follow_on' and not renamed(case, replay)
    ran = case.execution is not None and case.execution.status == 'ok'
    rules = RULES_OF_RESULTS if follows and ran else RULES  # code that is right elsewhere lacks nothing that was asked
    finding = next(found for rule in rules if (found := rule(case)))
    evidence = finding.evidence if case.ended in finding.evidence else f'{finding.evidence}; {case.ended}'
    tag = ErrorTag(
        category=CAUSES[finding.cause][0],
        cause=finding.cause,
        evidence=evidence[:MAX_EVIDENCE],
        certain=finding.certain,
        propagated_from=origin(case, finding),
    )
    if replay is None or replay.verdict == 'open':
        return tag
    evidence = f'{replay.evidence}; {tag.evidence}'[:MAX_EVIDENCE]
    known = {'propagated_from': replay.origin if follows else None, 'origin_by': 'replay', 'evidence': evidence}
    return tag.model_copy(update=known | ({'certain': True} if follows else {}))


def renamed(case: FailedStep, replay: ReplayFinding) -> bool:
    """Whether a step lacks a name of the gold's because an earlier step, which did not fail, used another name.

    The model knew its own name for it, so that the fault is not the earlier step's.
    """
    lacks = case.error[0] in ('NameError', 'KeyError')
    return lacks and not any(past.failed for past in case.past if past.step.index == replay.origin)


def _deciding(step: StepTrace | None) -> Attempt | None:
    attempts = step.attempts if step else []
    with_code = [attempt for attempt in attempts if attempt.execution]
    return next(reversed(with_code or attempts), None)


def _past(step: Step, done: StepTrace | None, failed: bool) -> EarlierStep:
    attempts = done.attempts if done else []
    tried = [(facts_of(one.action.code or ''), one.execution.status) for one in attempts if one.execution]
    ran = tuple(facts for facts, status in tried if status == 'ok')
    return EarlierStep(step, tuple(facts for facts, _ in tried), ran, failed)
