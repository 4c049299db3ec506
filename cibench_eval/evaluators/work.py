"""What a session did in a step, as metrics see it: what happened, never the text that was made of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from cibench_eval.rendering import is_text, render
from cibench_eval.schema import INTERPRETER, Call, Execution, StepTrace
from cibench_eval.states import States, states_of


class Result(Protocol):
    """What a call that ran without error has shown. None where its record does not say."""

    @property
    def text(self) -> str | None:
        """All text, as upstream's interpreter writes it."""

    @property
    def answers(self) -> list[str] | None:
        """What of it may be the answer: the last execute_result, else stdout, else nothing.

        Something on stderr in between cuts stdout in two. Of a gold cell the notebook then gives the last part, so both
        that and the whole are there.
        """

    @property
    def figures(self) -> list[str] | None:
        """Paths of its figures."""


def answers_of(results: Sequence[str], printed: Sequence[str]) -> list[str]:
    """`Result.answers` of texts in their order: those of execute_result, and those of stdout."""
    if results:
        return [results[-1]]
    return list(dict.fromkeys([''.join(printed), printed[-1]])) if printed else []


@dataclass(frozen=True)
class Ran:
    """The result of code that ran in an interpreter of ours.

    Args:
        execution: what it did.
        folder: where its figures are.
    """

    execution: Execution
    folder: Path

    @property
    def text(self) -> str:
        return render(self.execution)

    @property
    def answers(self) -> list[str]:
        shown = [output for output in self.execution.outputs if is_text(output)]
        results, printed = ([o.text for o in shown if o.type == name] for name in ('execute_result', 'stdout'))
        return answers_of(results, printed)

    @property
    def figures(self) -> list[str]:
        return [str(self.folder / figure.filename) for figure in self.execution.figures]


@dataclass(frozen=True)
class Called:
    """A call of the interpreter: whether it ended in an error, and what it showed if it ran without."""

    failed: bool
    result: Result | None


@dataclass(frozen=True)
class StepWork:
    """What a session did in one step.

    Args:
        calls: of the interpreter, in their order.
        figures: folder in which a figure is looked for by its name when its path is gone.
        said: what the model said behind its last call.
        described: what the variables held after the step, as `json` has it; None where it is not known.
        has_states: whether the session says what its variables held.
    """

    calls: Sequence[Called]
    figures: Path
    said: str = ''
    described: Any = None
    has_states: bool = False

    @property
    def state(self) -> States | None:
        """What the variables held after the step; None where it is not known or cannot be read."""
        return states_of(self.described)

    @property
    def results(self) -> list[Result]:
        """What those calls gave that ran without error, the last one first."""
        return [call.result for call in reversed(self.calls) if call.result]


def works_of(steps: Iterable[StepTrace], figures: Path) -> list[StepWork]:
    """The work of each step of a session of ours, whose figures are in the folder `figures`."""
    whole = list(steps)
    has_states = any(step.state is not None for step in whole)
    return [_work(step, figures, has_states) for step in whole]


def _work(step: StepTrace, figures: Path, has_states: bool) -> StepWork:
    calls = [call for attempt in step.attempts for call in (*attempt.others, attempt)]
    called = [_called(call, figures) for call in calls if call.execution or call.action.tool == INTERPRETER]
    last = calls[-1] if calls else None
    said = last.action.argument if last and not last.execution and last.action.tool != INTERPRETER else ''
    return StepWork(called, figures, said, step.state, has_states)


def _called(call: Call, figures: Path) -> Called:
    if call.execution is None:
        return Called(failed=bool(call.action.problem), result=None)
    ran = call.execution.status == 'ok'
    return Called(failed=not ran, result=Ran(call.execution, figures) if ran else None)
