"""The steps of sessions that are not finished yet: what an interrupted run has paid for is not paid for again."""

from __future__ import annotations

import json
import os
from pathlib import Path

from pydantic import ValidationError

from cibench_eval.files import whole_lines
from cibench_eval.schema import StepTrace


class Journal:
    """Where the finished steps of one session are. This one keeps none: an interrupted session starts over."""

    def step(self, index: int) -> StepTrace | None:
        """The step as an earlier run finished it, None if it did not."""
        return None

    def add(self, step: StepTrace) -> None:
        """Keep a step that has been finished."""

    def remove(self) -> None:
        """Forget all steps: the session is filed, or starts over."""


class FileJournal(Journal):
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
        self._head = json.dumps({'identity': identity}, separators=(',', ':'))
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
        self._steps.clear()
        self.path.unlink(missing_ok=True)

    def _read(self) -> list[StepTrace]:
        """The steps of the file; what cannot be used is cut off it."""
        lines = whole_lines(self.path)
        if not lines or lines[0] != self._head.encode():
            self.path.unlink(missing_ok=True)
            return []
        steps: list[StepTrace] = []
        for line in lines[1:]:
            try:
                steps.append(StepTrace.model_validate_json(line))
            except ValidationError:
                break
        os.truncate(self.path, sum(len(line) + 1 for line in lines[: 1 + len(steps)]))
        return steps
