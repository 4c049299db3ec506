"""Traces on disk: one JSON line a finished session, flushed before anything else happens."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from cibench_eval.schema import CibenchError, Figure, Trace

logger = logging.getLogger(__name__)


class TraceStore:
    """An append-only `*.traces.jsonl` and, beside it, the folder of its figures."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.figures = path.parent / 'figures'

    def load(self) -> dict[str, Trace]:
        """The finished sessions by experiment id. A last line that a crash tore is cut off, with a warning.

        Raises:
            CibenchError: a whole line is not a trace, so the file is not ours or of another version.
        """
        if not self.path.exists():
            return {}
        data = self.path.read_bytes()
        whole = data[: data.rfind(b'\n') + 1]
        if len(whole) < len(data):
            logger.warning('%s: its last line is torn (the run was killed while writing); cut off', self.path)
            with self.path.open('r+b') as file:
                file.truncate(len(whole))
        traces = [self._parse(number, line) for number, line in enumerate(whole.splitlines(), 1)]
        return {trace.experiment: trace for trace in traces}

    def _parse(self, number: int, line: bytes) -> Trace:
        try:
            return Trace.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            where = '.'.join(str(part) for part in first['loc'])
            raise CibenchError(
                f'{self.path}, line {number}: not a trace of this version ({where}: {first["msg"]}); '
                'move the file away to start over'
            ) from error

    def append(self, trace: Trace) -> None:
        """Write a finished session: its figures first, so that no line names a figure that is not there."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        for figure in figures_of(trace):
            figure.save(self.figures)
        with self.path.open('a', encoding='utf-8') as file:
            file.write(json.dumps(trace.model_dump(mode='json'), ensure_ascii=True) + '\n')
            file.flush()
            os.fsync(file.fileno())


def figures_of(trace: Trace) -> Iterator[Figure]:
    """Every figure of a session, in the order in which they were shown."""
    for step in trace.steps:
        for attempt in step.attempts:
            if attempt.execution:
                yield from attempt.execution.figures
