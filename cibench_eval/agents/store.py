"""Traces on disk: one JSON line a finished session, flushed before anything else happens."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from cibench_eval.agents.journal import FileJournal
from cibench_eval.files import append_line, whole_lines
from cibench_eval.schema import CibenchError, Figure, HarnessError, Trace, problem


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
