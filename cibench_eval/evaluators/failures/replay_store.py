"""What running failed steps again has shown, on disk: `results/<model>/<dataset>.replay.jsonl`, a line a step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from cibench_eval.files import append_line, whole_lines
from cibench_eval.schema import CibenchError, Record, Text

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
        """What is there, by experiment and step; `cut_torn` cuts a torn last line off.

        Raises:
            CibenchError: a whole line is none of ours.
        """
        lines = enumerate(whole_lines(self.path, cut_torn=cut_torn), 1)
        return {(one.experiment, one.index): one for one in (self._parse(*line) for line in lines)}

    def append(self, replay: Replay) -> None:
        append_line(self.path, json.dumps(replay.model_dump(mode='json')))

    def _parse(self, number: int, line: bytes) -> Replay:
        try:
            return Replay.model_validate(json.loads(line))
        except ValueError as error:
            raise CibenchError(
                f'{self.path}, line {number}: not of this version; delete the file and score with --replay again'
            ) from error
