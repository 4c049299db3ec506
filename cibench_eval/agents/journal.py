"""The steps of sessions that are not finished yet: what an interrupted run has paid for is not paid for again."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from pydantic import BaseModel, ValidationError

from cibench_eval.schema import StepTrace


class Journal(Protocol):
    """Where the finished steps of one session are."""

    def step(self, index: int) -> StepTrace | None:
        """The step as an earlier run finished it, None if it did not."""
        ...

    def add(self, step: StepTrace) -> None:
        """Keep a step that has been finished."""
        ...

    def remove(self) -> None:
        """Forget all steps."""
        ...


class NoJournal:
    """Keeps nothing: an interrupted session starts over."""

    def step(self, index: int) -> StepTrace | None:
        return None

    def add(self, step: StepTrace) -> None:
        return None

    def remove(self) -> None:
        return None


class _Head(BaseModel):
    """The first line of a journal."""

    identity: dict[str, str]


class FileJournal:
    """A session's journal in a file: a line that says what it was run with, and one a step.

    A torn line, and all after it, is forgotten; so is a journal of a session that was run with anything else.

    Args:
        path: the file.
        figures: the folder of the run's figures.
        identity: what the session is run with now.
    """

    def __init__(self, path: Path, figures: Path, identity: dict[str, str]) -> None:
        self.path = path
        self._figures = figures
        self._head = _Head(identity=identity).model_dump_json()
        self._steps = {step.index: step for step in self._read()}

    def __len__(self) -> int:
        """How many steps an earlier run has finished."""
        return len(self._steps)

    def step(self, index: int) -> StepTrace | None:
        return self._steps.get(index)

    def add(self, step: StepTrace) -> None:
        """Append a step, its figures first.

        It is the system's to write when this returns: a kill of the harness loses nothing, that of the machine may
        lose steps, which are asked again.
        """
        for attempt in step.attempts:
            for figure in attempt.execution.figures if attempt.execution else []:
                figure.save(self._figures)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open('a', encoding='utf-8') as file:
            if file.tell() == 0:
                file.write(f'{self._head}\n')
            file.write(f'{step.model_dump_json()}\n')

    def remove(self) -> None:
        """Forget all steps: the session is filed, or starts over."""
        self._steps.clear()
        self.path.unlink(missing_ok=True)

    def _read(self) -> list[StepTrace]:
        """The steps of the file; what cannot be used is cut off it."""
        if not self.path.exists():
            return []
        lines = self.path.read_bytes().splitlines(keepends=True)
        if not lines or lines[0].decode(errors='replace') != f'{self._head}\n':
            self.path.unlink()
            return []
        steps: list[StepTrace] = []
        for line in lines[1:]:
            step = _step(line)
            if step is None:
                break
            steps.append(step)
        with self.path.open('r+b') as file:
            file.truncate(sum(map(len, lines[: 1 + len(steps)])))
        return steps


def _step(line: bytes) -> StepTrace | None:
    """A step from a whole line, None from a torn one."""
    try:
        return StepTrace.model_validate_json(line) if line.endswith(b'\n') else None
    except ValidationError:
        return None
