"""The sessions of a run with their scores, for `cibench show` and other views of single steps."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.cells import cell_len

from cibench_eval.analysis.results import WHOLE, Failure, Results
from cibench_eval.evaluators.judges.store import Verdict, is_on_other
from cibench_eval.evaluators.metrics import known_metrics
from cibench_eval.reports.comparison import RIGHT
from cibench_eval.reports.layout import SPACED, folded, rounded
from cibench_eval.schema import NO_FAILURE, Experiment, Message, StepScore, Trace
from cibench_eval.terminal import visible

BELOW = ' ' * 6
"""What stands before the cause of a failure in a line of its own."""


class SessionView:
    """One session with its scores, its gold, and the verdicts of judges on its present answers.

    Verdicts on other answers are left out, as far as the gold shows.
    """

    def __init__(
        self,
        trace: Trace,
        figures: Path,
        results: Results | None,
        gold: Experiment | None = None,
        verdicts: dict[int, list[Verdict]] | None = None,
    ) -> None:
        self.trace = trace
        self.figures = figures
        """The folder of its figures."""
        self.gold = gold = gold if gold and len(gold.steps) == len(trace.steps) else None
        """None if the notebook is missing, or has changed since the run."""
        self.profile = results.profile if results else ''
        """The scoring profile; empty if the session is not scored."""
        steps, failures = results.of_experiment.get(trace.experiment, ([], [])) if results else ([], [])
        self.scores = {step.index: step for step in steps}
        self.failures = {failure.index: failure for failure in failures}
        self.verdicts = {
            index: [one for one in those if not (gold and is_on_other(one, gold, trace, figures))]
            for index, those in (verdicts or {}).items()
        }

    @property
    def name(self) -> str:
        """Model and dataset, as in the names of files."""
        return f'{self.trace.model}/{self.trace.dataset}'

    @property
    def values(self) -> dict[str, float]:
        """What the session is worth, as `values_of` has it; empty if it is not scored."""
        known = [one for one in self.scores.values() if one.outcome]
        return values_of(known) if known else {}

    def lines(self, *, failed: bool = False) -> list[StepLine]:
        """A line for each step, or for each step that failed or is not scored."""
        lines = [StepLine(self, step.index) for step in self.trace.steps]
        return [line for line in lines if not failed or line.failed]


class StepLine:
    """One step in a list: its scores, how it ended, and why it failed."""

    def __init__(self, view: SessionView, index: int) -> None:
        trace, score = view.trace, view.scores.get(index)
        self.model = trace.model
        self.dataset = trace.dataset
        self.mode = trace.mode
        self.epoch = trace.epoch
        self.experiment = trace.experiment
        self.step = index + 1
        """Counted from 1."""
        self.kind = score.kind if score else ''
        self.outcome = (score.outcome if score else None) or 'not scored'
        self.right = score.right if score else None
        """None where nothing tells."""
        self.attempts = len(trace.steps[index].attempts)
        self.values = score.values if score else {}
        self.details = dict(score.details) if score else {}
        self.failure = view.failures.get(index)

    @property
    def failed(self) -> bool:
        """Whether the step failed, or is not scored."""
        return self.outcome not in NO_FAILURE

    @property
    def text(self) -> str:
        """The line, for people."""
        return f'{self._start} {self.cause}'.rstrip()

    def texts(self, width: int) -> list[str]:
        """One line of at most `width`, or several: then the cause stands below, broken between words."""
        if cell_len(text := visible(self.text)) <= width:
            return [text]
        below = folded(visible(f'{BELOW}{self.cause}'), width, SPACED) if self.cause else []
        return [*folded(self._start.rstrip(), width), *below]

    @property
    def _start(self) -> str:
        shown = [one for one in known_metrics() if one.of_outputs and one.name in self.values]
        scores = ' '.join(f'{one.short} {rounded(self.values[one.name], 2)}' for one in shown)
        attempts = f'{self.attempts} attempt{"" if self.attempts == 1 else "s"}'
        return f'{self.step:>4}  {self.kind:<7} {self.outcome:<11} {attempts:<10} {scores:<19}'

    @property
    def cause(self) -> str:
        """Category, cause and evidence in one line; empty if the step has not failed."""
        return cause_line(self.failure) if self.failure else ''

    def record(self) -> dict[str, Any]:
        """The line for programs."""
        failure = self.failure.model_dump(mode='json', exclude={'experiment', 'index'}) if self.failure else None
        return {**vars(self), 'failure': failure}


def calls_of(message: Message) -> Iterator[tuple[str, str, Any]]:
    """Id, name and arguments of each call in a turn of the model."""
    for call in message.get('tool_calls', []):
        yield call['id'], call['function']['name'], json.loads(call['function']['arguments'])


def values_of(scores: Sequence[StepScore]) -> dict[str, float]:
    """The share of right steps, whether all are right, and the mean of each metric over the steps that have it.

    Steps on which nothing decides are left out of the first two, which are missing where it decides on none.
    """
    right = [one.right for one in scores if one.right is not None]
    values = {RIGHT: sum(right) / len(right), WHOLE: float(all(right))} if right else {}
    for name in dict.fromkeys(name for one in scores for name in one.values):
        own = [one.values[name] for one in scores if name in one.values]
        values[name] = sum(own) / len(own)
    return values


def cause_line(failure: Failure) -> str:
    evidence = ' '.join(failure.evidence.split())
    by = {'guess': 'a guess', 'replay': 'by replay'}[failure.origin_by]
    followed = '' if failure.propagated_from is None else f', followed from step {failure.propagated_from + 1} ({by})'
    doubt = '' if failure.certain else ', uncertain'
    return f'{failure.category}/{failure.cause}{followed}{doubt}: {evidence}'


def listed(views: Iterable[SessionView], width: int, *, failed: bool = False) -> Iterator[str]:
    """The steps of sessions in lines of at most `width`, below the names of datasets and experiments."""
    last = ''
    for view in views:
        lines = view.lines(failed=failed)
        if lines and view.name != last:
            mode = view.trace.mode.replace('_', '-')
            scored = f'profile {view.profile}' if view.profile else 'not scored'
            yield from [''] if last else []
            yield from folded(f'{view.name} ({mode}, {scored})', width)
            last = view.name
        if lines:
            yield from folded(f'  {view.trace.experiment}', width)
            yield from (text for line in lines for text in line.texts(width))
