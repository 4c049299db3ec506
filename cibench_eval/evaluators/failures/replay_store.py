"""Findings from running failed steps again, on disk: `results/<model>/<dataset>.replay.jsonl`, one line a step."""

from typing import Literal

from cibench_eval.schema import Text
from cibench_eval.sealed import Keyed, RecordStore

Verdict = Literal['root', 'follow_on', 'open']
"""A fault of the step's own, one that follows from an earlier step, or not known."""


class ReplayFinding(Keyed):
    """The finding from running a failed step again."""

    experiment: str
    index: int
    asked: str
    """Hash of everything that it depends on: code, gold, kernels, scoring."""
    verdict: Verdict
    origin: int | None = None
    """The step that a follow-on fault follows from."""
    evidence: Text

    @property
    def key(self) -> tuple[str, int]:
        """Experiment and step."""
        return self.experiment, self.index


class ReplayStore(RecordStore[ReplayFinding]):
    """`*.replay.jsonl`; of a step that was run again later the last finding counts."""

    record = ReplayFinding
    mend = 'cibench score --replay runs its step again'
