"""The set behind the review page: steps with their findings, decisions, and edits, which are run at once."""

import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import Field

from cibench_eval.construction.notebook_file import NotebookFile, run_notebook
from cibench_eval.construction.review import CHECKLIST, ReviewError, ReviewLine, Reviews, review_counts
from cibench_eval.construction.verifying import Verifier, underspecified_faults
from cibench_eval.datasets.cells import THOUGHT
from cibench_eval.files import file_digest, ways_out, write_whole
from cibench_eval.interpreter.environments import names
from cibench_eval.json_files import cached_record
from cibench_eval.schema import CibenchError, Experiment, Record
from cibench_eval.sets.checking.findings import CheckFinding
from cibench_eval.sets.checking.named_files import data_files, named_files
from cibench_eval.sets.checking.static import load_set
from cibench_eval.terminal import Log

CHECKS = 'review.check.json'


class NotebookCheck(Record):
    content: str
    """Hash of the file that was checked."""
    findings: list[CheckFinding] = Field(default=[])
    seconds: list[float | None] = Field(default=[])
    """The longest run of each step."""


class _Checks(Record):
    notebooks: dict[str, NotebookCheck] = Field(default={})


class ReviewDesk:
    """A set under review; several threads may call it.

    Args:
        folder: a split, or a folder of splits.
        verifier: how the set is checked and edits are run.

    Raises:
        CibenchError: the folder has no notebooks, cannot be written to or has links that lead out of it, or one of its
            files is malformed.
    """

    def __init__(self, folder: Path, verifier: Verifier, by: str, log: Log) -> None:
        if not folder.is_dir():
            raise CibenchError(f'{folder}: no such folder; give that of a set')
        if not os.access(folder, os.W_OK):
            raise CibenchError(f'{folder}: cannot be written to; copy the set to where it can')
        for place in ways_out(folder):
            raise CibenchError(f'{place}: leads out of the set, or is no file; put a copy in its place')
        self.folder, self._verifier, self._log = folder.resolve(), verifier, log
        self._lock = threading.RLock()
        self._experiments = self._load()
        self._reviews = Reviews(self.folder, by)
        self._checks = cached_record(self.folder / CHECKS, _Checks) or _Checks()

    def _load(self, only: str | None = None) -> dict[str, Experiment]:
        """Name (its path without suffix) -> experiment, in the official order."""
        loaded = load_set(self.folder, self.folder.name, only)
        loaded.check_readable()
        found = [member.experiment for member in loaded.members]
        return {one.path.resolve().relative_to(self.folder).with_suffix('').as_posix(): one for one in found}

    def check(self) -> None:
        """Check the notebooks that have changed since their last check.

        Raises:
            HarnessError: kernels cannot be started.
        """
        stale = [name for name in self._experiments if self._check_of(name).content != self._hash(name)]
        if len(stale) == len(self._experiments):
            self._run_check(None)
        else:
            for name in stale:
                self._run_check(name)

    def overview(self) -> dict[str, Any]:
        """The set and the progress of its review."""
        with self._lock:
            counts = review_counts(self.folder, self._reviews)
        notebooks = [one.model_dump() for one in counts if one.notebook in self._experiments]
        return {'name': self.folder.name, 'path': str(self.folder), 'checklist': CHECKLIST, 'notebooks': notebooks}

    def notebook(self, name: str) -> dict[str, Any]:
        """The steps of a notebook; a `ReviewError` where there is no such notebook."""
        with self._lock:
            experiment, file, check = self._experiment(name), self._file(name), self._check_of(name)
            return {
                'findings': [one.model_dump() for one in check.findings if one.step is None],
                'steps': [self._step(name, experiment, index, file, check) for index in range(len(file.steps))],
            }

    def decide(self, line: ReviewLine) -> dict[str, Any]:
        """Take a decision, and return the notebook; a `ReviewError` where the decision is not valid."""
        with self._lock:
            self._experiment(line.notebook)
            self._reviews.add(line, self._file(line.notebook))
            return self.notebook(line.notebook)

    def edit(self, line: ReviewLine) -> dict[str, Any]:
        """Write an edit to disk and into the notebook, run and check the notebook, and return it.

        Raises:
            ReviewError: the texts make no step, or the step has changed since the reviewer saw it.
            HarnessError: kernels cannot be started; the edit is on disk.
        """
        text = line.text
        if text is None or not text.question.strip() or not text.code.strip():
            raise ReviewError(f'{line.notebook}: step {line.step}: a step needs a question and code')
        if THOUGHT in f'{text.question}\n\n{text.thought}':
            raise ReviewError(f'{line.notebook}: step {line.step}: "Thought:" after an empty line ends a question')
        with self._lock:
            experiment, file = self._experiment(line.notebook), self._file(line.notebook)
            self._reviews.add(line, file)
            file.replace(line.step - 1, text)
            checked, root = self._verifier, experiment.path.parent.parent
            own = experiment.environment
            environment = own if own in names() else checked.environment  # never a program that the set names
            run_notebook(file, root, environment, checked.sandbox, checked.thresholds.timeout, self._log)
            self._experiments |= self._load(line.notebook)
            self._run_check(line.notebook)
            return self.notebook(line.notebook)

    def _experiment(self, name: str) -> Experiment:
        if name not in self._experiments:
            raise ReviewError(f'{name}: no such notebook in this set')
        return self._experiments[name]

    def _file(self, name: str) -> NotebookFile:
        return NotebookFile(self.folder / f'{name}.ipynb')

    def _step(
        self, name: str, experiment: Experiment, index: int, file: NotebookFile, check: NotebookCheck
    ) -> dict[str, Any]:
        step, number = experiment.steps[index], index + 1
        decision, unmade = self._reviews.of(name, number, file), self._reviews.unmade(name, number, file)
        return {
            **file.steps[index].model_dump(),
            'step': number,
            'kind': step.kind,
            'modules': step.modules,
            'content': file.content(index),
            'outputs': [shown for output in file.outputs(index) if (shown := _shown(output))],
            'findings': [one.model_dump() for one in check.findings if one.step == number],
            'seconds': dict(enumerate(check.seconds)).get(index),
            'files': list(_sizes(experiment, step.code)),
            'decision': None,
            **dict.fromkeys(('note', 'by', 'at'), ''),
            'checks': {},
            **(decision.model_dump(include={'decision', 'checks', 'note', 'by', 'at'}) if decision else {}),
            'edited': (name, number) in self._reviews.edited,
            'unmade': unmade.model_dump() if unmade else None,
        }

    def _hash(self, name: str) -> str:
        return file_digest(self.folder / f'{name}.ipynb')

    def _check_of(self, name: str) -> NotebookCheck:
        return self._checks.notebooks.get(name, NotebookCheck(content=''))

    def _run_check(self, name: str | None) -> None:
        """Check one notebook, or all of them, and keep the findings."""
        report = self._verifier.check(self.folder, self._log, name)
        kept = dict(self._checks.notebooks)
        for run in report.runs:
            called = f'{run.set}/{run.notebook}' if f'{run.set}/{run.notebook}' in self._experiments else run.notebook
            here = [one for one in report.findings if (one.set, one.notebook) == (run.set, run.notebook)]
            steps = [(step.kind, step.question, step.code) for step in self._experiments[called].steps]
            own = underspecified_faults(run.set, run.notebook, steps, 'note')
            kept[called] = NotebookCheck(
                content=self._hash(called),
                findings=[*here, *own],
                seconds=[max(filter(None, step.seconds), default=None) for step in run.steps],
            )
        self._checks = _Checks(notebooks=kept)
        write_whole(self.folder / CHECKS, self._checks.model_dump_json(indent=1))


def _shown(output: dict[str, Any]) -> dict[str, str] | None:
    """An output for the page: a PNG, else text."""
    if output['output_type'] == 'error':
        return {'text': f'{output.get("ename", "")}: {output.get("evalue", "")}'}
    data = output.get('data', {'text/plain': output.get('text', '')})
    if 'image/png' in data:
        return {'png': ''.join(''.join(data['image/png']).split())}
    text = ''.join(data.get('text/plain', ''))
    return {'text': text} if text.strip() else None


def _sizes(experiment: Experiment, code: str) -> Iterable[str]:
    for name in named_files(code).read:
        found = data_files(experiment.datasources, name) if experiment.datasources else []
        size = sum(file.stat().st_size for file in found if file.is_file())
        yield f'{name}: {size:,} bytes' if found else f'{name}: not there'
