"""The rows of the overview: each session and each step, with its scores by each profile."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cibench_eval.datasets.libraries import library_of
from cibench_eval.evaluators.metrics import known_metrics
from cibench_eval.reports.sessions import StepLine
from cibench_eval.terminal import visible
from cibench_eval.viewer.cases import Case
from cibench_eval.viewer.session_page import SessionColumn

MOST_EVIDENCE = 240
"""Characters of evidence in a row; the page of the session has all of it."""


class SessionRow(NamedTuple):
    """A session and its place on a page, whose script reads the fields by their order."""

    page: str
    column: int
    label: str
    """The model."""
    epoch: int
    split: str
    mode: str
    experiment: str
    library: str
    tokens: int
    """Read and written."""
    seconds: float
    """In the model and in kernels."""
    replays_gold: bool


class StepRow(NamedTuple):
    """A step of a session."""

    session: int
    """The index of its session."""
    tokens: int
    """Read and written."""
    lines: dict[str, StepLine]
    """Profile -> its scores; the profile is '' if the step is not scored."""


def outputs() -> list[tuple[str, str]]:
    """The names of the metrics of outputs and variables, each with its name in tables."""
    return [(one.name, one.short) for one in known_metrics() if one.kinds or one.correct_from is not None]


@dataclass
class Listing:
    """All sessions of a report and their steps."""

    sessions: list[SessionRow] = field(default_factory=list)
    steps: list[StepRow] = field(default_factory=list)

    def add(self, case: Case, columns: Iterable[SessionColumn], page: str) -> None:
        """Add the sessions of a case, whose file is `page`."""
        for number, (session, column) in enumerate(zip(case.sessions, columns, strict=True)):
            usage = column.usage
            self.steps += _steps(column, len(self.sessions))
            self.sessions.append(
                SessionRow(
                    page=page,
                    column=number,
                    label=session.source.label,
                    epoch=session.source.dataset.epoch,
                    split=case.split,
                    mode=case.mode,
                    experiment=case.experiment,
                    library=library_of(case.experiment),
                    tokens=usage.tokens_in + usage.tokens_out,
                    seconds=round(usage.model_seconds + usage.kernel_seconds, 1),
                    replays_gold=session.source.dataset.model.replays_gold,
                )
            )

    @property
    def labels(self) -> list[str]:
        """The models, in order of appearance."""
        return list(dict.fromkeys(one.label for one in self.sessions))

    def content(self, profiles: list[str]) -> dict[str, Any]:
        """The listing as JSON for the page: each word once, and rows that refer to words by index."""
        words: dict[str, int] = {}

        def place(word: str) -> int:
            return words.setdefault(word, len(words))

        sessions = [[place(cell) if isinstance(cell, str) else cell for cell in row] for row in self.sessions]
        steps = []
        for one in self.steps:
            first = next(iter(one.lines.values()))
            about = [one.session, first.step, place(first.kind), first.attempts, one.tokens]
            steps.append([*about, [_mark(one.lines.get(name), place) for name in profiles]])
        metrics = [short for _, short in outputs()]
        return {'profiles': profiles, 'metrics': metrics, 'words': list(words), 'sessions': sessions, 'steps': steps}


def _steps(column: SessionColumn, session: int) -> Iterator[StepRow]:
    for index, cell in enumerate(column.cells):
        lines = {view.profile: StepLine(view, index) for view in column.views}
        yield StepRow(session, cell.usage.tokens_in + cell.usage.tokens_out, lines)


def _why(line: StepLine) -> str:
    """The evidence of a failure and, of a wrong result, the reasons of its scores."""
    reasons = [f'{short}: {text}' for name, short in outputs() if (text := line.details.get(name))]
    evidence = [line.failure.evidence] if line.failure else []
    said = '; '.join([*evidence, *(reasons if line.outcome == 'wrong' else [])])
    return visible(' '.join(said.split())[:MOST_EVIDENCE])


def _mark(line: StepLine | None, place: Any) -> list[Any] | int:
    """The scores of a step in few bytes; 0 if the profile has not scored it."""
    if line is None:
        return 0
    values = [round(line.values[name], 3) if name in line.values else None for name, _ in outputs()]
    why: list[Any] = []
    if failure := line.failure:
        followed = int(failure.propagated_from is not None)
        why = [place(str(failure.category)), place(failure.cause), _why(line), followed]
    return [place(line.outcome), line.right, values, *why]
