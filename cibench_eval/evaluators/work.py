"""The work of a session in a step, as metrics see it: what happened, not the text made of it."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cibench_eval.rendering import render
from cibench_eval.schema import INTERPRETER, Call, Execution, HarnessError, StepTrace, unicode_text
from cibench_eval.states import UNREADABLE, States, states_of

LONGEST_NAME = 255
"""Most bytes of a file's name."""
LARGEST = 100_000_000
"""Most bytes of a figure's file."""


@dataclass(frozen=True)
class CallResult:
    """What a call that ran without error has shown. A field is None if the record does not tell."""

    text: str | None
    """All text, as upstream's interpreter writes it."""
    shown: str | None
    """What the call showed, without what it wrote to stderr."""
    answers: list[str] | None
    """Candidates for the answer: the last execute_result, else stdout, with displays of text and without.

    Output on stderr cuts stdout in two. A notebook keeps only the last part of a gold cell then, so that both the whole
    and the last part are candidates.
    """
    figures: list[str] | None
    """Paths of its figures."""

    @classmethod
    def of(cls, execution: Execution, folder: Path) -> CallResult:
        """What code showed that ran in our interpreter, with its figures in a folder."""
        outputs = [output for output in execution.outputs if output.type != 'stderr']
        figures = [str(folder / figure.filename) for figure in execution.figures]
        shown = render(execution.model_copy(update={'outputs': outputs}))
        return cls(render(execution), shown, answers_of(execution.told), figures)


def answers_of(outputs: Iterable[tuple[str, str]]) -> list[str]:
    """`CallResult.answers` from the type and the text of each output in `told`."""
    shown = [*outputs]
    if results := [text for kind, text in shown if kind == 'execute_result']:
        return [results[-1]]
    printed = [text for kind, text in shown if kind == 'stdout']
    both = [text for _, text in shown]
    return list(dict.fromkeys(one for texts in (printed, both) if texts for one in (''.join(texts), texts[-1])))


@dataclass(frozen=True)
class InterpreterCall:
    """A call of the interpreter: whether it ended in an error, what it showed if it ran without, and its code."""

    failed: bool
    result: CallResult | None
    code: str = ''


@dataclass(frozen=True)
class StepWork:
    """The work of a session in one step."""

    calls: Sequence[InterpreterCall]
    figures: Path
    """Folder in which a figure is looked for by its name if its path is gone."""
    said: str = ''
    """The model's words after its last call."""
    described: Any = None
    """The variables after the step, as `json` has them; None if not known."""
    has_states: bool = False
    """Whether the session tells what its variables held."""
    kept: Mapping[str, bool] = field(default_factory=dict)
    """Whether each variable that earlier steps asked for is as it was before."""
    within: Path | None = None
    """The folder out of which paths of figures may not lead; None: they may lead anywhere."""

    @property
    def state(self) -> States | None:
        """The variables after the step; None if not known or unreadable."""
        return states_of(self.described)

    @property
    def results(self) -> list[CallResult]:
        """The results of calls that ran without error, the last one first."""
        return [call.result for call in reversed(self.calls) if call.result]

    def figure_files(self, names: list[str]) -> list[Path]:
        """The files at the paths of figures, each once, without paths that no file can have.

        Raises:
            HarnessError: a file is gone, or where the work may not name one.
        """
        return [self.locate(Path(name)) for name in dict.fromkeys(names) if names_file(name)]

    def locate(self, path: Path) -> Path:
        """A figure's file, or the file of its name in the figures folder; a `HarnessError` where neither is to be had.

        Nothing is opened at a path that may not lead out of a folder, and does.
        """
        led = Path(os.path.realpath(path))  # a loop of links is no error here
        outside = self.within is not None and not led.is_relative_to(self.within.resolve())
        for place in ([] if outside else [path]) + [self.figures / path.name]:
            if _is_file(place):
                return place
        why = 'leads out of the run folder, which `cibench trust` allows' if outside else 'is gone'
        raise HarnessError(
            f'figure {path} {why}, and {self.figures} has no {path.name}; put the run folder together again'
        )


def works_of(steps: Iterable[StepTrace], figures: Path) -> list[StepWork]:
    """The work of each step of a session of ours with its figures in a folder."""
    whole = list(steps)
    has_states = any(step.state is not None for step in whole)
    kept = kept_of([step.hashes if step.attempts else {} for step in whole])
    return [_work(step, figures, has_states, same) for step, same in zip(whole, kept, strict=True)]


def kept_of(steps: Sequence[Mapping[str, str]]) -> list[dict[str, bool]]:
    """For each step, whether the variables that there were before it are as they were; what is not known is left out.

    `steps` has `StepTrace.hashes` of each.
    """
    kept: list[dict[str, bool]] = []
    held: Mapping[str, str] = {}
    for hashes in steps:
        both = {name: (was, hashes.get(name, UNREADABLE)) for name, was in held.items() if was}
        kept.append({name: was == now for name, (was, now) in both.items() if UNREADABLE not in (was, now)})
        held = hashes or held
    return kept


def _work(step: StepTrace, figures: Path, has_states: bool, kept: Mapping[str, bool]) -> StepWork:
    calls = [call for attempt in step.attempts for call in (*attempt.others, attempt)]
    called = [_called(call, figures) for call in calls if call.execution or call.action.tool == INTERPRETER]
    last = calls[-1] if calls else None
    said = last.action.argument if last and not last.execution and last.action.tool != INTERPRETER else ''
    return StepWork(called, figures, said, step.state, has_states, kept)


def _called(call: Call, figures: Path) -> InterpreterCall:
    if call.execution is None:
        return InterpreterCall(failed=bool(call.action.problem), result=None)
    ran = call.execution.status == 'ok'
    return InterpreterCall(not ran, CallResult.of(call.execution, figures) if ran else None, call.action.code or '')


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        return False


def names_file(path: str) -> bool:
    """Whether a file can have this path: its name is not empty, not too long, and valid text."""
    name = Path(path).name
    return 0 < len(unicode_text(name).encode()) <= LONGEST_NAME and '\0' not in path and unicode_text(path) == path


def quoted(text: str) -> str:
    """Quote an answer for a detail."""
    return f'answer {text[:200]!r}'
