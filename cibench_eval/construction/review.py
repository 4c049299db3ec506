"""Decisions of a reviewer on the steps of a set: `review.jsonl` in the set, a line a decision; the last one counts.

A decision holds for the texts and the outputs that the reviewer saw. When they change, the step is unreviewed.
"""

import json
import time
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from cibench_eval.construction.notebook_file import NotebookFile, StepText
from cibench_eval.datasets.descriptions import copy_notebook
from cibench_eval.datasets.formats.notebooks import datasources_above, notebook_files
from cibench_eval.datasets.held_out import copy_data
from cibench_eval.files import append_line, cut_torn_line, whole_lines, write_whole
from cibench_eval.schema import CibenchError, Record, Text, problem, unicode_text
from cibench_eval.sets.build import check_empty

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
"""The quality control of the paper (arXiv 2407.10499, appendix B, figure 16): tick all points to accept a step."""


class ReviewError(CibenchError):
    """A decision that is not valid."""


class ReviewLine(Record):
    """A decision on a step."""

    notebook: str
    """`<split>/<library>/<name>`."""
    step: int
    """Counted from 1."""
    content: str
    """Hash of the step that the reviewer saw; for an edit, of the step before it."""
    decision: Decision
    checks: dict[str, bool] = Field(default={})
    note: Text = ''
    text: StepText | None = None
    """The new texts of an edit."""
    by: str = ''
    at: str = ''
    """The time, in UTC."""


class Reviews:
    """The decisions on the set in a folder; `by` is the name of the reviewer."""

    def __init__(self, folder: Path, by: str = '') -> None:
        self.path = folder / FILE
        self._by = unicode_text(by)
        self._last: dict[tuple[str, int], ReviewLine] = {}
        self.edited: set[tuple[str, int]] = set()
        """The steps that were ever edited, by notebook and number."""
        for number, line in enumerate(whole_lines(self.path), start=1):
            try:
                self._take(ReviewLine.model_validate_json(line))
            except ValidationError as error:
                raise CibenchError(f'{self.path}: line {number}: {problem(error)}; take the line out') from error

    def _take(self, line: ReviewLine) -> None:
        place = (line.notebook, line.step)
        self._last[place] = line
        if line.decision == 'edited':
            self.edited.add(place)

    def of(self, notebook: str, step: int, file: NotebookFile) -> ReviewLine | None:
        """The decision on a step in its present form; None if it is unreviewed."""
        last = self._last.get((notebook, step))
        valid = last is not None and last.decision != 'edited' and last.content == file.content(step - 1)
        return last if valid else None

    def unmade(self, notebook: str, step: int, file: NotebookFile) -> StepText | None:
        """An edit that is in the file of decisions but not in the notebook, since the program was killed."""
        last = self._last.get((notebook, step))
        if last is None or last.decision != 'edited' or last.text is None or last.text == file.steps[step - 1]:
            return None
        return last.text if last.content == file.content(step - 1) else None

    def add(self, line: ReviewLine, file: NotebookFile) -> None:
        """Write a decision to disk.

        Raises:
            ReviewError: the step has changed since the reviewer saw it, or a tick or a reason is missing.
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
    """Ids (without split) of the experiments with a decision."""
    return {notebook.partition('/')[2] for notebook, _ in Reviews(folder)._last}


class ReviewCount(Record):
    """The progress of the review of a notebook."""

    notebook: str
    steps: int
    accepted: int
    rejected: int

    @property
    def done(self) -> bool:
        """Whether each step is accepted in its present form."""
        return self.accepted == self.steps


def review_counts(folder: Path, reviews: Reviews) -> list[ReviewCount]:
    """The progress of each notebook of a set, in the official order."""
    counts = []
    for path in notebook_files(folder):
        name, file = path.relative_to(folder).with_suffix('').as_posix(), NotebookFile(path)
        found = [reviews.of(name, number, file) for number in range(1, len(file.steps) + 1)]
        decisions = [line.decision for line in found if line]
        accepted, rejected = decisions.count('accepted'), decisions.count('rejected')
        counts.append(ReviewCount(notebook=name, steps=len(file.steps), accepted=accepted, rejected=rejected))
    return counts


def copy_accepted(folder: Path, to: Path, counts: list[ReviewCount]) -> None:
    """Copy the notebooks of which each step is accepted, what is beside them, decisions, all data and held-out labels.

    Raises:
        CibenchError: `to` is not empty, or no notebook is accepted.
    """
    check_empty(to)
    if not (done := [one.notebook for one in counts if one.done]):
        raise CibenchError(f'{folder}: no experiment is accepted whole; review it: cibench construct review {folder}')
    if datasources := datasources_above(folder.resolve() / FILE):
        copy_data(datasources, to)
    for name in done:
        copy_notebook(folder / f'{name}.ipynb', to / f'{name}.ipynb')
    lines = [line for line in whole_lines(folder / FILE) if json.loads(line)['notebook'] in done]
    write_whole(to / FILE, b''.join(line + b'\n' for line in lines))
