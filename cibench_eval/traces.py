"""Sessions on disk: `*.traces.jsonl` has the finished ones, a line each; a journal the steps of an unfinished one."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from cibench_eval.files import append_line, whole_lines
from cibench_eval.schema import CibenchError, Figure, HarnessError, StepTrace, Trace, problem


def epoch_name(dataset: str, epoch: int) -> str:
    """The name under which an epoch of a dataset is filed: `demo`, `demo@2`, …; it is safe in files and for Slurm."""
    return dataset if epoch == 1 else f'{dataset}@{epoch}'


class TraceStore:
    """An append-only `*.traces.jsonl` and, beside it, the folder of its figures."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.figures = path.parent / 'figures'

    @contextmanager
    def owned(self) -> Iterator[None]:
        """While the block runs, nobody else runs these sessions.

        Raises:
            HarnessError: another process does.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.with_name(f'.{self.path.name}.lock').open('w') as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise HarnessError(
                    f'{self.path}: another process runs these sessions; wait for it, or end it'
                ) from error
            yield

    def load(self, *, mend: bool = False) -> dict[str, Trace]:
        """The finished sessions by experiment id, without a last line that is torn.

        Args:
            mend: cut that line off, with a warning: nobody is writing it any more (`owned`).

        Raises:
            CibenchError: a whole line is not a trace, so the file is not ours or of another version.
        """
        traces = [self._parse(number, line) for number, line in enumerate(whole_lines(self.path, mend=mend), 1)]
        return {trace.experiment: trace for trace in traces}

    def journal(self, experiment: str, identity: dict[str, str]) -> FileJournal:
        """Where the steps of a session are that is not finished."""
        name = f'{experiment.replace("/", "__")}.jsonl'
        return FileJournal(self.path.with_suffix('').with_suffix('.unfinished') / name, self.figures, identity)

    def _parse(self, number: int, line: bytes) -> Trace:
        try:
            return Trace.model_validate_json(line)
        except ValidationError as error:
            raise CibenchError(
                f'{self.path}, line {number}: not a trace of this version ({problem(error)}); '
                'move the file away to start over'
            ) from error

    def append(self, trace: Trace) -> Trace:
        """Write a finished session: its figures first, so that no line names a figure that is not there.

        Returns:
            The trace as `load` gives it, without the figures' content in memory.
        """
        for figure in figures_of(trace):
            figure.save(self.figures)
        line = json.dumps(trace.model_dump(mode='json'), ensure_ascii=True)
        append_line(self.path, line)
        return Trace.model_validate_json(line)


def figures_of(trace: Trace) -> Iterator[Figure]:
    """Every figure of a session, in the order in which they were shown."""
    for step in trace.steps:
        for attempt in step.attempts:
            if attempt.execution:
                yield from attempt.execution.figures


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
