"""What running failed steps again has shown, on disk: `results/<model>/<dataset>.replay.jsonl`, a line a step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from cibench_eval.files import append_line
from cibench_eval.schema import Record, Text
from cibench_eval.sealed import read_records, sealed

Verdict = Literal['root', 'follow_on', 'open']
"""A fault of its own, one that follows from an earlier step, or what cannot be told."""


class Replay(Record):
    """What running a failed step again has shown."""

    experiment: str
    index: int
    asked: str
    """Hash of all that it depends on: the code, the gold, the kernels, how it is scored."""
    verdict: Verdict
    origin: int | None = None
    """Of a follow-on fault, the step that it follows from."""
    evidence: Text


class ReplayStore:
    """An append-only `*.replay.jsonl`; of a step that ran again twice the last line counts."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self, *, cut_torn: bool = False) -> dict[tuple[str, int], Replay]:
        """What is there, by experiment and step; damaged lines are named in the log, as errors.

        Args:
            cut_torn: cut a torn last line off, and move damaged ones aside: nobody is writing the file any more.
        """
        found = read_records(self.path, _replay, 'cibench score --replay runs its step again', owner=cut_torn)
        return {(one.experiment, one.index): one for one in found}

    def append(self, replay: Replay) -> None:
        append_line(self.path, sealed(json.dumps(replay.model_dump(mode='json'))))


def _replay(line: bytes) -> Replay:
    return Replay.model_validate(json.loads(line))
