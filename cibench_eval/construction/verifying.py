"""Experiments as models wrote them -> notebooks with outputs, and what `cibench data check` and our own rules find."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from cibench_eval.construction.reading import TaskStep, WrittenTask
from cibench_eval.construction.tables import make_tables
from cibench_eval.construction.underspecified import underspecified
from cibench_eval.datasets.cells import THOUGHT
from cibench_eval.files import write_whole
from cibench_eval.rendering import render, shorten
from cibench_eval.schema import Execution, Language, Record, StepKind, unicode_text
from cibench_eval.sets.build import executor, notebook_text
from cibench_eval.sets.checking import CheckSettings, Thresholds, check_set
from cibench_eval.sets.checking.findings import CheckFinding
from cibench_eval.sets.checking.static import load_set
from cibench_eval.sets.describe import describe_experiments
from cibench_eval.sets.templates import Draft, SourceStep

SPLIT = 'cibench_generation'
LONGEST = 1500
"""Characters of an output that a model is shown."""
SAID_TO_BE_FAULTS = {'unasked', 'warning', 'order'}
"""Notes of a check that are faults of a new experiment: it can still be changed."""
UNDERSPECIFIED_FIX = 'say it in the question, or leave it out of the code'
NAMES = re.compile(r'[^,\n]{1,40}(?:, [^,\n]{1,40}){2,}\n?')
Log = Callable[[str], None]


class Fault(Record):
    """What is wrong with an experiment, as its writer is told."""

    step: int | None = None
    """Counted from 1."""
    code: str
    """A code of `cibench data check`, `underspecified`, `truncated`, or `rejected` (by a person)."""
    text: str
    fix: str


@dataclass(frozen=True)
class Verifier:
    """How experiments are run and checked.

    Args:
        environment: kernel environment, whose outputs are the gold.
        sandbox: as in `KernelSettings`; a model's code runs without one only on request.
        repeats: runs of every step in the check.
        slow: seconds that a step may take.
        workers: experiments at the same time; None is one a core.
        seed: of the tables.
        files: name -> path of files that all experiments may read.
    """

    environment: str = 'modern'
    sandbox: str = 'bubblewrap'
    repeats: int = 3
    slow: float = 20.0
    workers: int | None = None
    seed: int = 0
    files: Mapping[str, Path] | None = None

    @property
    def key(self) -> str:
        """Of what its findings depend on, the experiment aside."""
        files = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in (self.files or {}).items()}
        return json.dumps([self.environment, self.repeats, self.slow, self.seed, files], sort_keys=True)

    def settings(self) -> CheckSettings:
        return CheckSettings(
            environment=self.environment,
            sandbox=self.sandbox,
            repeats=self.repeats,
            workers=self.workers,
            thresholds=Thresholds(slow=self.slow),
        )


@dataclass(frozen=True)
class Verified:
    """What came of an experiment: its faults (none if it is clean), and what its steps showed."""

    faults: list[Fault]
    outputs: dict[int, str]
    """Number of a step -> what it showed, cut."""


def verify(
    tasks: Mapping[str, WrittenTask], folder: Path, verifier: Verifier, log: Log = lambda line: None
) -> dict[str, Verified]:
    """Write experiments as a set into a new folder, run, describe and check them.

    Args:
        tasks: id (`pandas/t01_sales`) -> experiment.
        folder: of the set; what is in it goes.
        verifier: how.
        log: gets a line that says how far it is.

    Raises:
        CibenchError: kernels, sandbox or environment are not there.
    """
    shutil.rmtree(folder, ignore_errors=True)
    write_data(tasks, folder, verifier)
    return verify_drafts({id_: draft_of(id_, task) for id_, task in tasks.items()}, folder, verifier, log)


def verify_drafts(
    drafts: Mapping[str, Draft], folder: Path, verifier: Verifier, log: Log = lambda line: None, new: bool = True
) -> dict[str, Verified]:
    """Run, describe and check experiments as notebooks of a set whose data are there.

    Args:
        drafts: id (`<split>/<library>/<name>` without the split) -> experiment.
        folder: of the set, with nothing in it but data.
        verifier, log: as above.
        new: whether their questions are new, so that our own rules hold for them as well.

    Raises:
        CibenchError: kernels, sandbox or environment are not there.
    """
    limit = max(2 * verifier.slow, 10.0)
    execute = executor(verifier.environment, folder / 'datasources', log, verifier.sandbox, limit)
    executions = dict(zip(drafts, execute([draft.codes for draft in drafts.values()]), strict=True))
    for id_, draft in drafts.items():
        write_notebook(folder, _with_lists(draft, executions[id_]), executions[id_], verifier.environment)
    sound = [id_ for id_ in drafts if all(one.status == 'ok' for one in executions[id_])]
    _describe(sound, folder, verifier)
    report = check_set(
        str(folder), verifier.settings(), lambda done, total, name: log(f'checked {done}/{total} {name}')
    )
    by_id: dict[str, list[CheckFinding]] = {}
    for finding in report.findings:
        by_id.setdefault(finding.notebook, []).append(finding)
    return {
        id_: Verified(
            [*faults_of(by_id.get(id_, [])), *(_own_faults(draft, executions[id_]) if new else [])],
            _outputs(executions[id_]),
        )
        for id_, draft in drafts.items()
    }


def write_data(tasks: Mapping[str, WrittenTask], folder: Path, verifier: Verifier) -> None:
    """The tables of experiments and the files that all may read."""
    data = folder / 'datasources' / 'data'
    data.mkdir(parents=True, exist_ok=True)
    for name, path in (verifier.files or {}).items():
        shutil.copyfile(path, data / name)
    for id_, task in tasks.items():
        for name, content in make_tables(task.data, verifier.seed).items():
            write_whole(data / id_.rpartition('/')[2] / name, content)


def draft_of(id_: str, task: WrittenTask, language: Language = 'en') -> Draft:
    """An experiment as `sets/build.py` takes it."""
    steps = [
        SourceStep(
            questions={language: _markdown(step)}, code=step.code, kind=step.kind, modules=step.modules, tolerance=None
        )
        for step in task.steps
    ]
    return Draft(Path(id_), Path(SPLIT, f'{id_}.ipynb'), language, steps)


def _markdown(step: TaskStep) -> str:
    return f'{step.question}\n\nThought: {step.thought}' if step.thought else step.question


def _with_lists(draft: Draft, executions: list[Execution]) -> Draft:
    """Texts that are lists of names are marked as such, so that the order counts."""
    steps = [
        replace(step, listed=step.listed or (step.kind == 'text' and bool(NAMES.fullmatch(execution.stdout))))
        for step, execution in zip(draft.steps, executions, strict=True)
    ]
    return replace(draft, steps=steps)


def write_notebook(folder: Path, draft: Draft, executions: list[Execution], environment: str) -> Path:
    path = folder / draft.target
    write_whole(path, unicode_text(notebook_text(draft, executions, environment)))
    return path


def _describe(ids: list[str], folder: Path, verifier: Verifier) -> None:
    """Steps without their output count as `exec` here: the check says that they lack it."""
    members = load_set(folder, folder.name, described=False).members if ids else []
    if experiments := [member.experiment for member in members if member.experiment.id in ids]:
        describe_experiments(experiments, verifier.environment, verifier.sandbox)


def faults_of(findings: list[CheckFinding]) -> list[Fault]:
    """The defects of a check, and those of its notes that can be mended in a new experiment."""
    return [
        Fault(step=one.step, code=one.code, text=one.text, fix=one.fix)
        for one in findings
        if one.severity == 'defect' or one.code in SAID_TO_BE_FAULTS
    ]


def _own_faults(draft: Draft, executions: list[Execution]) -> list[Fault]:
    asked = [draft.question(step).partition(THOUGHT)[0] for step in draft.steps]
    steps = [(cast(StepKind, step.kind), text, step.code) for step, text in zip(draft.steps, asked, strict=True)]
    found = [
        Fault(step=index + 1, code='underspecified', text=text, fix=UNDERSPECIFIED_FIX)
        for index, text in underspecified(steps)
    ]
    for number, execution in enumerate(executions, start=1):
        if execution.truncated:
            found.append(Fault(step=number, code='truncated', text='its output is over the limit', fix='show less'))
    return found


def _outputs(executions: list[Execution]) -> dict[int, str]:
    return {number: shorten(render(one), LONGEST) for number, one in enumerate(executions, start=1)}
