"""Findings from running failed steps again, on disk: `results/<model>/<dataset>.replay.jsonl`, one line a step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from cibench_eval.files import append_line
from cibench_eval.schema import Record, Text
from cibench_eval.sealed import read_records, sealed

Verdict = Literal['root', 'follow_on', 'open']
"""A fault of the step's own, one that follows from an earlier step, or not known."""


class ReplayFinding(Record):
    """The finding from running a failed step again."""

    experiment: str
    index: int
    asked: str
    """Hash of everything that it depends on: code, gold, kernels, scoring."""
    verdict: Verdict
    origin: int | None = None
    """The step that a follow-on fault follows from."""
    evidence: Text


class ReplayStore:
    """An append-only `*.replay.jsonl`, in which the last line of a step counts."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self, *, cut_torn: bool = False) -> dict[tuple[str, int], ReplayFinding]:
        """Read all findings, by experiment and step; the log names damaged lines as errors.

        Args:
            cut_torn: cut a torn last line off, and move damaged lines aside; no process may be writing the file.
        """
        found = read_records(self.path, _replay, 'cibench score --replay runs its step again', owner=cut_torn)
        return {(one.experiment, one.index): one for one in found}

    def append(self, replay: ReplayFinding) -> None:
        append_line(self.path, sealed(json.dumps(replay.model_dump(mode='json'))))


def _replay(line: bytes) -> ReplayFinding:
    return ReplayFinding.model_validate(json.loads(line))
