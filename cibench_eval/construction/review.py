"""What a person has decided on the steps of a set: `review.jsonl` in the set, a line a decision, the last one counts.

A decision is about a step as it was seen: its texts and its output. When any of that changes, the step is unreviewed.
"""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from cibench_eval.construction.notebook_file import NotebookFile, StepText
from cibench_eval.datasets.descriptions import descriptions_file
from cibench_eval.datasets.formats.notebooks import notebook_files
from cibench_eval.files import append_line, cut_torn_line, whole_lines, write_whole
from cibench_eval.schema import CibenchError, Record, problem

FILE = 'review.jsonl'
Decision = Literal['accepted', 'rejected', 'edited']
CHECKLIST = {
    'view': 'A user could ask this; the question alone says what is wanted.',
    'paths': 'Every file path is right, and stands in the question.',
    'time': 'The run time is fit for a session.',
    'size': 'The size of the data files is fit for a session.',
    'valid': 'The output is right and answers the question.',
    'unambiguous': 'There is one right answer alone.',
}
"""The quality control of the paper (arXiv 2407.10499, appendix B, figure 16), which a person ticks to accept a step."""


class ReviewError(CibenchError):
    """A decision that cannot be taken."""


class ReviewLine(Record):
    """A decision on a step."""

    notebook: str
    """`<split>/<library>/<name>`."""
    step: int
    """Counted from 1."""
    content: str
    """Hash of the step as it was seen, or of an edit before it was made."""
    decision: Decision
    checks: dict[str, bool] = Field(default={})
    note: str = ''
    text: StepText | None = None
    """Of an edit: the texts that the person wrote."""
    by: str = ''
    at: str = ''
    """When, in UTC."""


class Reviews:
    """The decisions of a set.

    Args:
        folder: of the set.
        by: name of the person who decides.
    """

    def __init__(self, folder: Path, by: str = '') -> None:
        self.path = folder / FILE
        self._by = by
        self._last: dict[tuple[str, int], ReviewLine] = {}
        self._edited: dict[tuple[str, int], ReviewLine] = {}
        for number, line in enumerate(whole_lines(self.path), start=1):
            try:
                self._take(ReviewLine.model_validate_json(line))
            except ValidationError as error:
                raise CibenchError(f'{self.path}: line {number}: {problem(error)}; take the line out') from error

    def _take(self, line: ReviewLine) -> None:
        place = (line.notebook, line.step)
        self._last[place] = line
        if line.decision == 'edited':
            self._edited[place] = line

    def of(self, notebook: str, step: int, file: NotebookFile) -> ReviewLine | None:
        """The decision on a step as it is now; None where it is unreviewed."""
        last = self._last.get((notebook, step))
        valid = last is not None and last.decision != 'edited' and last.content == file.content(step - 1)
        return last if valid else None

    def unmade(self, notebook: str, step: int, file: NotebookFile) -> StepText | None:
        """An edit that is written down and not in the notebook: the program was killed before it was."""
        last = self._last.get((notebook, step))
        if last is None or last.decision != 'edited' or last.text is None or last.text == file.steps[step - 1]:
            return None
        return last.text if last.content == file.content(step - 1) else None

    def was_edited(self, notebook: str, step: int) -> bool:
        return (notebook, step) in self._edited

    def add(self, line: ReviewLine, file: NotebookFile) -> None:
        """Write a decision down; it is on the disk when this returns.

        Raises:
            ReviewError: the step is another than the person saw, or is accepted with something of the list unticked.
        """
        if not 1 <= line.step <= len(file.steps):
            raise ReviewError(f'{line.notebook}: no step {line.step}; it has {len(file.steps)}')
        if line.content != file.content(line.step - 1):
            raise ReviewError(f'{line.notebook}: step {line.step} has changed since it was shown; look at it again')
        left = [name for name in CHECKLIST if not line.checks.get(name)]
        if line.decision == 'accepted' and left:
            raise ReviewError(
                f'{line.notebook}: step {line.step}: not ticked: {", ".join(left)}; tick all, or reject it'
            )
        if line.decision == 'rejected' and not line.note.strip():
            raise ReviewError(f'{line.notebook}: step {line.step}: a rejection needs a reason; write one')
        dated = line.model_copy(update={'by': self._by, 'at': time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())})
        cut_torn_line(self.path)
        append_line(self.path, dated.model_dump_json())
        self._take(dated)


def decided(folder: Path) -> set[str]:
    """Ids (without split) of the experiments of a set on which a person has decided something."""
    return {notebook.partition('/')[2] for notebook, _ in Reviews(folder)._last}


class ReviewCount(Record):
    """How far the review of a notebook is."""

    notebook: str
    steps: int
    accepted: int
    rejected: int

    @property
    def done(self) -> bool:
        """Whether every step is accepted as it is now."""
        return self.accepted == self.steps


def review_counts(folder: Path, reviews: Reviews) -> list[ReviewCount]:
    """Of every notebook of a set, in the official order."""
    counts = []
    for path in notebook_files(folder):
        name, file = path.relative_to(folder).with_suffix('').as_posix(), NotebookFile(path)
        found = [reviews.of(name, number, file) for number in range(1, len(file.steps) + 1)]
        decisions = [line.decision for line in found if line]
        accepted, rejected = decisions.count('accepted'), decisions.count('rejected')
        counts.append(ReviewCount(notebook=name, steps=len(file.steps), accepted=accepted, rejected=rejected))
    return counts


def copy_accepted(folder: Path, to: Path, counts: list[ReviewCount]) -> None:
    """Copy the notebooks that are accepted whole, with their descriptions, the decisions on them and all data.

    Raises:
        CibenchError: `to` has something in it, or nothing is accepted.
    """
    if to.exists() and any(to.iterdir()):
        raise CibenchError(f'{to}: not empty; give a new folder')
    if not (done := [one.notebook for one in counts if one.done]):
        raise CibenchError(f'{folder}: no experiment is accepted whole; review it: cibench construct review {folder}')
    above = next((place for place in (folder, *folder.resolve().parents) if (place / 'datasources').is_dir()), None)
    if above is not None:
        shutil.copytree(above / 'datasources', to / 'datasources')
    for name in done:
        for file in (folder / f'{name}.ipynb', descriptions_file(folder / f'{name}.ipynb')):
            if file.is_file():
                write_whole(to / file.relative_to(folder), file.read_bytes())
    lines = [line for line in whole_lines(folder / FILE) if json.loads(line)['notebook'] in done]
    write_whole(to / FILE, b''.join(line + b'\n' for line in lines))
