"""The scoring engine: what a session did in each step, the gold, a list of metrics -> a score and an outcome a step.

All profiles run through here; they differ in their metrics (`metrics.py`, `profiles/`).
"""

import logging
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from cibench_eval.evaluators.comparing.numbers import TOLERANCE, Margin
from cibench_eval.evaluators.work import CallResult, InterpreterCall, StepWork, works_of
from cibench_eval.registry import origin_of
from cibench_eval.schema import (
    CibenchError,
    Execution,
    Experiment,
    Forecast,
    HarnessError,
    Output,
    Record,
    Step,
    StepKind,
    StepOutcome,
    StepScore,
    StepTrace,
    Trace,
)
from cibench_eval.traces import save_figures

logger = logging.getLogger(__name__)


class MetricValue(NamedTuple):
    """What a metric says about a step."""

    score: float | None
    """0 to 1; None where there is nothing to compare."""
    detail: str = ''
    """Why the score is what it is, unless the number alone tells."""
    unread: bool = False
    """Whether there is nothing of the asked form to compare: no variable, no value, no figure."""
    for_judge: bool = False
    """Whether it is prose in other words than the gold's, of which only a judge can tell what it says."""
    forecasts: tuple[Forecast, ...] = ()
    """The probabilities that the answer gives, beside what the gold has."""


NOT_KNOWN = MetricValue(None)
WITHOUT_GOLD = ('exec', 'plot')
"""Kinds of step that have no gold output."""
FAILURES: dict[str, StepOutcome] = {'error': 'exec_error', 'timeout': 'timeout', 'kernel_died': 'kernel_died'}
"""Status of an execution -> the outcome of a step whose code ended so."""


class Options(Record):
    """Options of a profile that a config may set."""

    tolerance: float = TOLERANCE
    """Relative tolerance of floating-point numbers; a step's own has precedence."""
    absolute: float = 0.0
    """Absolute tolerance, which replaces the relative one if above 0; a step's own of either kind has precedence."""

    def tolerance_of(self, step: Step) -> float:
        return self.tolerance if step.tolerance is None else step.tolerance

    def margin_of(self, step: Step) -> Margin:
        """How far the numbers of a step's text may differ."""
        absolute = step.absolute or (self.absolute if step.tolerance is None else 0.0)
        return Margin(self.tolerance_of(step), absolute, own=step.tolerance is not None or step.absolute > 0)


Score = Callable[[StepWork, Step, Options], MetricValue]
Compare = Callable[[Any, Step, StepWork, Options], MetricValue]
"""A metric of a part of one result."""


@dataclass(frozen=True)
class Metric:
    """A number that a step can have. All metrics stand in `metrics.METRICS`."""

    name: str
    """Its name in files and in code."""
    short: str
    """Its name in tables."""
    about: str
    """What it measures, for readers of tables."""
    score: Score
    kinds: tuple[StepKind, ...] | None = None
    """The kinds of step that have it; None for all."""
    correct_from: float | None = None
    """The score from which a step counts as correct; None if the metric does not decide that."""
    published: bool = False
    """Whether it is a column of the paper's Table 3."""

    def __post_init__(self) -> None:
        known = get_args(StepKind)
        if self.kinds is not None and not (isinstance(self.kinds, tuple) and {*self.kinds} <= {*known}):
            raise CibenchError(f'metric {self.name}: kinds is {self.kinds!r}; it must be a tuple of {", ".join(known)}')

    def applies(self, step: Step) -> bool:
        return self.kinds is None or step.kind in self.kinds

    def decides(self, kind: StepKind) -> bool:
        """Whether it decides if a step of a kind is correct.

        A metric of all kinds decides on `exec` steps, which have no output to compare.
        """
        return self.correct_from is not None and kind in (self.kinds or ('exec',))

    @property
    def of_outputs(self) -> bool:
        """Whether it compares output, and not how the interpreter was called."""
        return self.kinds is not None

    @property
    def averaged(self) -> bool:
        """Whether it is a part of the leaderboard's Average."""
        return self.published and self.of_outputs


@dataclass(frozen=True)
class Profile:
    """A way to score: a name and its metrics."""

    name: str
    metrics: tuple[Metric, ...]
    """Its metrics, in the order of tables."""
    options: tuple[str, ...] = ()
    """Names of the `Options` that it knows."""
    given_ran: bool = True
    """Whether metrics of outputs are also reported over the steps whose code ran."""
    defaults: Options = field(default_factory=Options)
    """Its options where a config sets none."""
    gold_of: Callable[[Step], Step] = lambda step: step
    """Makes the gold that it scores by from a loaded step."""
    note: str = ''
    """What readers of its scores have to know, printed below every table of them."""
    modules: tuple[str, ...] = ()
    """What its metrics import and not every installation has (`packages.OPTIONAL`)."""

    def __post_init__(self) -> None:
        """Raise a `CibenchError` where one of somebody's own has a part of another type."""
        if not isinstance(self.metrics, tuple) or not all(isinstance(one, Metric) for one in self.metrics):
            raise CibenchError(f'scoring profile {self.name}: metrics must be a tuple of Metric(…)')
        if not isinstance(self.defaults, Options):
            raise CibenchError(f'scoring profile {self.name}: defaults must be Options(…), not {self.defaults!r}')

    def deciding(self, kind: StepKind) -> Metric | None:
        """The metric that compares the output of steps of a kind and decides whether they are correct."""
        return next((one for one in self.metrics if one.correct_from is not None and kind in (one.kinds or ())), None)

    def check(self, experiment: Experiment) -> None:
        """Raise a `CibenchError` where it has steps whose output no metric looks at."""
        for step in experiment.steps:
            kind = self.gold_of(step).kind
            if kind != 'exec' and not any(kind in (metric.kinds or ()) for metric in self.metrics):
                raise CibenchError(
                    f'{experiment.id}, step {step.index + 1}: the scoring profile {self.name} has no metric for '
                    f'{kind!r} steps; score it by strict, which has one for all kinds'
                )


def score_session(
    steps: Sequence[StepWork], experiment: Experiment, profile: Profile, options: Options | None = None
) -> list[StepScore]:
    """Score a session: one score for each step of the gold. Missing steps score like steps without calls.

    Raises:
        CibenchError: the session is not one of this experiment, or a gold output is unreadable.
        HarnessError: a figure is gone.
    """
    missing = len(experiment.steps) - len(steps)
    if missing < 0:
        raise CibenchError(
            f'{experiment.id}: {len(steps)} steps in the session, {len(experiment.steps)} in the notebook; '
            'score it with the notebooks that it was run with'
        )
    nothing = StepWork([], Path(), has_states=any(work.has_states for work in steps))
    return [
        score_step(work, step, experiment.id, profile, options or profile.defaults)
        for work, step in zip([*steps, *[nothing] * missing], experiment.steps, strict=True)
    ]


def score_step(work: StepWork, step: Step, experiment: str, profile: Profile, options: Options) -> StepScore:
    """Score one step; see `score_session`."""
    step, place = profile.gold_of(step), f'{experiment}, step {step.index + 1}'
    try:
        _check_gold(step)
        found = {one.name: _compared(one, work, step, options, place) for one in profile.metrics if one.applies(step)}
    except CibenchError as error:
        raise type(error)(f'{place}: {error}') from error
    except OSError as error:
        raise HarnessError(f'{place}: what the session has left cannot be read ({error})') from error
    values = {name: comparison.score for name, comparison in found.items() if comparison.score is not None}
    for name, value in values.items():
        if not -1 <= value <= 1:  # the SSIM of `official` may be negative, as upstream's
            raise CibenchError(f'{place}: {name} is {value}; a metric gives 0 to 1')
    return StepScore(
        experiment=experiment,
        index=step.index,
        kind=step.kind,
        decided=any(one.decides(step.kind) and one.name in values for one in profile.metrics),
        values=values,
        details={name: comparison.detail for name, comparison in found.items() if comparison.detail},
        for_judge=any(one.for_judge for one in found.values()),
        unread=[name for name, one in found.items() if one.unread and work.calls and not work.calls[-1].failed],
        depends=step.depends,
        asks_forecast=any(answer.kind == 'probability' for answer in step.answers.values()),
        forecasts=[*next((one.forecasts for one in found.values() if one.forecasts), ())],
    )


def _compared(metric: Metric, work: StepWork, step: Step, options: Options, place: str) -> MetricValue:
    """Compute a metric of a step; 0 if it fails on what the session made, a `HarnessError` if on the gold alone."""
    try:
        found = metric.score(work, step, options)
        if not isinstance(found, MetricValue):
            raise CibenchError(f'{metric.name} returned {found!r:.100}; it must return a MetricValue')
        return found
    except (CibenchError, OSError):
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001  (what a model made never ends the scoring of others)
        why = origin_of(error)
    try:
        with tempfile.TemporaryDirectory() as folder:
            metric.score(_of_gold(step, Path(folder)), step, options)
    except (Exception, SystemExit) as error:
        raise HarnessError(f'{metric.name} fails on the gold alone ({origin_of(error)}: {error})') from error
    logger.warning('%s: %s is 0, for what the session made cannot be compared (%s)', place, metric.name, why)
    return MetricValue(0.0, f'the output cannot be compared ({why})')


def _of_gold(step: Step, figures: Path) -> StepWork:
    """The work of a session that shows and holds what the gold does."""
    for figure in step.figures:
        figure.save(figures)
    shown = [Output(type='display_data', figure=figure) for figure in step.figures]
    execution = Execution(status='ok', outputs=[Output(type='stdout', text=step.text or ''), *shown])
    call = InterpreterCall(failed=False, result=CallResult.of(execution, figures))
    return StepWork([call], figures, '', step.state, has_states=True)


def _check_gold(step: Step) -> None:
    gold = (step.figure and step.figure.data) if step.kind == 'vis' else step.text
    if step.kind not in WITHOUT_GOLD and gold in (None, b''):
        raise CibenchError(f'a {step.kind!r} step without gold output; run its notebook')


def last_shown(part: Literal['text', 'answers', 'figures']) -> Callable[[Compare], Score]:
    """Make a metric from a function that compares one result: the last call with a comparable result decides.

    `compare` gets a `part` of a `CallResult`, and returns no score if that shows nothing comparable: then the call
    before it decides. If no call decides, the score is 0.
    """

    def decorate(compare: Compare) -> Score:
        @wraps(compare)
        def score(work: StepWork, step: Step, options: Options) -> MetricValue:
            reasons = [] if work.calls else ['the interpreter was not called']
            for result in work.results:
                shown = getattr(result, part)
                if shown is None:
                    return MetricValue(0.0, 'the result has no text, or no list of figures')
                comparison = compare(shown, step, work, options)
                if comparison.score is not None:
                    return comparison
                reasons.append(comparison.detail)
            return MetricValue(0.0, reasons[0] if reasons else 'no code ran without error', unread=True)

        return score

    return decorate


# How a step ended, from its attempts and its metrics.


def outcome_of(step: StepTrace, score: StepScore, profile: Profile) -> StepOutcome:
    """How a step ended; the metrics of the score's profile say from which value it is correct."""
    ran = [attempt.execution for attempt in step.attempts if attempt.execution]
    if not ran:
        return 'exec_error' if score.values.get('tool_rate') else 'no_tool'  # a call without code that could run
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
    found = list[StepScore]()
    for score in scores:
        step = steps.get((score.experiment, score.index))
        outcome = outcome_of(step, score, profile) if step else 'no_tool'
        found.append(score.model_copy(update={'outcome': outcome}) if score.experiment in traces else score)
    return found


def score_of_last(steps: Sequence[StepTrace], experiment: Experiment, profile: Profile, options: Options) -> StepScore:
    """The score, with its outcome, of the last of the steps that a session has finished so far."""
    last = steps[-1]
    with tempfile.TemporaryDirectory(prefix='cibench-figures-') as folder:
        figures = Path(folder)
        save_figures(last.figures, figures)
        work = works_of(steps, figures)[-1]
        score = score_step(work, experiment.steps[last.index], experiment.id, profile, options)
    return score.model_copy(update={'outcome': outcome_of(last, score, profile)})
