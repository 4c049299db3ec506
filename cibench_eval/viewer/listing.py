"""The rows of the overview: each session and each step, with its scores by each profile."""

from __future__ import annotations

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


class StepMark(NamedTuple):
    """The scores of a step by one profile."""

    outcome: str
    right: bool | None
    category: str
    cause: str
    evidence: str
    followed: bool
    """Whether the failure follows from an earlier one."""
    values: dict[str, float]

    @classmethod
    def of(cls, line: StepLine) -> StepMark:
        failure = line.failure
        evidence = visible(' '.join(_why(line).split())[:MOST_EVIDENCE])
        followed = failure is not None and failure.propagated_from is not None
        names = (str(failure.category), failure.cause) if failure else ('', '')
        return cls(line.outcome, line.right, *names, evidence, followed, line.values)


class SessionRow(NamedTuple):
    """A session and its place on a page."""

    page: str
    column: int
    label: str
    """The model."""
    epoch: int
    split: str
    mode: str
    experiment: str
    tokens: int
    """Read and written."""
    seconds: float
    """In the model and in kernels."""


class StepRow(NamedTuple):
    session: int
    """The index of its session."""
    number: int
    """Counted from 1."""
    kind: str
    attempts: int
    tokens: int
    """Written by the model."""
    marks: dict[str, StepMark]
    """Profile -> scores; the profile is '' if the step is not scored."""


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
                    tokens=usage.tokens_in + usage.tokens_out,
                    seconds=usage.model_seconds + usage.kernel_seconds,
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

        sessions = [
            [
                place(one.page), one.column, place(one.label), one.epoch, place(one.split), place(one.mode),
                place(one.experiment), place(library_of(one.experiment)), one.tokens, round(one.seconds, 1),
            ]
            for one in self.sessions
        ]  # fmt: skip
        steps = [
            [
                one.session, one.number, place(one.kind), one.attempts, one.tokens,
                [_mark(one.marks.get(name), place) for name in profiles],
            ]
            for one in self.steps
        ]  # fmt: skip
        metrics = [short for _, short in outputs()]
        return {'profiles': profiles, 'metrics': metrics, 'words': list(words), 'sessions': sessions, 'steps': steps}


def _steps(column: SessionColumn, session: int) -> Iterator[StepRow]:
    for cell in column.cells:
        lines = {view.profile: StepLine.of(view, cell.line.step - 1) for view in column.views}
        yield StepRow(
            session=session,
            number=cell.line.step,
            kind=cell.line.kind,
            attempts=cell.line.attempts,
            tokens=cell.usage.tokens_out,
            marks={profile: StepMark.of(line) for profile, line in lines.items()},
        )


def _why(line: StepLine) -> str:
    """The evidence of a failure and, of a wrong result, the reasons of its scores."""
    reasons = [f'{short}: {text}' for name, short in outputs() if (text := line.details.get(name))]
    evidence = [line.failure.evidence] if line.failure else []
    return '; '.join([*evidence, *(reasons if line.outcome == 'wrong' else [])])


def _mark(mark: StepMark | None, place: Any) -> list[Any] | int:
    """A mark in few bytes; 0 if the profile has not scored the step."""
    if mark is None:
        return 0
    values = [round(mark.values[name], 3) if name in mark.values else None for name, _ in outputs()]
    why = [place(mark.category), place(mark.cause), mark.evidence, int(mark.followed)] if mark.cause else []
    return [place(mark.outcome), mark.right, values, *why]
