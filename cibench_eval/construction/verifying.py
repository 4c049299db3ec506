"""Experiments of models -> notebooks with outputs, and the faults by `cibench data check` and our own rules."""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from cibench_eval.construction.reading import WrittenTask
from cibench_eval.construction.tables import make_tables
from cibench_eval.construction.underspecified import underspecified
from cibench_eval.datasets.cells import THOUGHT
from cibench_eval.files import file_digest, write_whole
from cibench_eval.grouping import grouped
from cibench_eval.rendering import render, shorten
from cibench_eval.schema import Execution, Record, StepKind, unicode_text
from cibench_eval.sets.build import execute, notebook_text, write_naive_of
from cibench_eval.sets.checking import CheckSettings, check_set
from cibench_eval.sets.checking.findings import CheckFinding, CheckReport, Severity
from cibench_eval.sets.checking.static import found, load_set
from cibench_eval.sets.describe import describe_experiments
from cibench_eval.sets.templates import Draft
from cibench_eval.terminal import Log

SPLIT = 'cibench_generation'
LONGEST = 1500
"""Characters of an output in a request to a model."""
NOTES_TO_FIX = {'unasked', 'warning', 'truncated'}
"""Notes of a check that are faults of a new experiment, since it can still be changed."""
NAMES = re.compile(r'[^,\n]{1,40}(?:, [^,\n]{1,40}){2,}\n?')


@dataclass(frozen=True)
class Verifier(CheckSettings):
    """How experiments are run and checked; the seed is also used for their tables."""

    files: Mapping[str, Path] = field(default_factory=dict)
    """Name -> path of files that all experiments may read."""

    @property
    def key(self) -> str:
        """A text of all settings on which the findings depend."""
        files = {name: file_digest(path) for name, path in self.files.items()}
        return json.dumps([self.environment, self.repeats, self.thresholds.slow, self.seed, files], sort_keys=True)

    def check(self, folder: Path, log: Log, only: str | None = None) -> CheckReport:
        """Check the set in a folder, or only experiments that `only` matches; `log` gets a line for each experiment."""
        settings = replace(self, only=only)
        return check_set(str(folder), settings, lambda done, total, name: log(f'checked {done}/{total} {name}'))


class Verified(Record):
    """The result of a check: faults (none if the experiment is clean) and outputs."""

    key: str = ''
    """In a file: hash of the version and of the settings of the check."""
    faults: list[CheckFinding]
    outputs: dict[int, str]
    """Number of a step -> its output, cut."""

    @property
    def clean(self) -> bool:
        return not self.faults


def verify(
    tasks: Mapping[str, WrittenTask], folder: Path, verifier: Verifier, log: Log = lambda line: None
) -> dict[str, Verified]:
    """Write experiments as a set into `folder`, whose content is deleted; run, describe and check them.

    Args:
        tasks: id (`pandas/t01_sales`) -> experiment.

    Raises:
        CibenchError: kernels, sandbox or environment are missing.
    """
    shutil.rmtree(folder, ignore_errors=True)
    write_data(tasks, folder, verifier)
    drafts = {id_: Draft(Path(id_), Path(SPLIT, f'{id_}.ipynb'), 'en', task.steps) for id_, task in tasks.items()}
    return verify_drafts(drafts, folder, verifier, log)


def verify_drafts(
    drafts: Mapping[str, Draft], folder: Path, verifier: Verifier, log: Log, new: bool = True
) -> dict[str, Verified]:
    """Run, describe and check experiments as notebooks of a set that has nothing but data so far.

    Args:
        drafts: a name -> experiment.
        new: whether to apply our own rules for new questions, too.

    Raises:
        CibenchError: kernels, sandbox or environment are missing.
    """
    timeout = verifier.thresholds.timeout
    codes = [draft.codes for draft in drafts.values()]
    done = execute(codes, verifier.environment, folder / 'datasources', log, verifier.sandbox, timeout)
    executions = dict(zip(drafts, done, strict=True))
    for id_, draft in drafts.items():
        text = notebook_text(_with_lists(draft, executions[id_]), executions[id_], verifier.environment)
        write_whole(folder / draft.target, unicode_text(text))
        write_naive_of(draft, folder / draft.target, folder)
    sound = [draft.target for id_, draft in drafts.items() if all(one.status == 'ok' for one in executions[id_])]
    _describe(sound, folder, verifier)
    findings = grouped(verifier.check(folder, log).findings, lambda one: Path(one.set, f'{one.notebook}.ipynb'))
    return {
        id_: Verified(
            faults=[*faults_of(findings.get(draft.target, [])), *(_own_faults(draft) if new else [])],
            outputs={number: shorten(render(one), LONGEST) for number, one in enumerate(executions[id_], start=1)},
        )
        for id_, draft in drafts.items()
    }


def write_data(tasks: Mapping[str, WrittenTask], folder: Path, verifier: Verifier) -> None:
    """Write the tables of experiments and the files that all of them may read."""
    data = folder / 'datasources' / 'data'
    data.mkdir(parents=True, exist_ok=True)
    for name, path in verifier.files.items():
        shutil.copyfile(path, data / name)
    for id_, task in tasks.items():
        for name, content in make_tables(task.data, verifier.seed).items():
            write_whole(data / id_.rpartition('/')[2] / name, content)


def _with_lists(draft: Draft, executions: list[Execution]) -> Draft:
    """Mark texts that are lists of names, so that the order counts."""
    steps = [
        replace(step, listed=step.listed or (step.kind == 'text' and bool(NAMES.fullmatch(execution.stdout))))
        for step, execution in zip(draft.steps, executions, strict=True)
    ]
    return replace(draft, steps=steps)


def _describe(targets: list[Path], folder: Path, verifier: Verifier) -> None:
    """Describe sound experiments; steps without their output count as `exec` here, and the check reports them."""
    members = load_set(folder, folder.name, described=False).members if targets else []
    if experiments := [one.experiment for one in members if one.experiment.path.relative_to(folder) in targets]:
        describe_experiments(experiments, verifier.environment, verifier.sandbox)


def faults_of(findings: list[CheckFinding]) -> list[CheckFinding]:
    """The defects of a check without `few_naive`, and the notes that a new experiment can fix."""
    return [
        one for one in findings if (one.severity == 'defect' and one.code != 'few_naive') or one.code in NOTES_TO_FIX
    ]


def _own_faults(draft: Draft) -> list[CheckFinding]:
    split, *names = draft.target.with_suffix('').parts
    asked = [draft.question(step).partition(THOUGHT)[0] for step in draft.steps]
    steps = [(cast(StepKind, step.kind), text, step.code) for step, text in zip(draft.steps, asked, strict=True)]
    return underspecified_faults(split, '/'.join(names), steps)


def underspecified_faults(
    split: str, notebook: str, steps: Sequence[tuple[StepKind, str, str]], severity: Severity = 'defect'
) -> list[CheckFinding]:
    """Faults of steps (kind, question, code) whose code decides something that the questions leave open."""
    return [
        found('underspecified', text, split, notebook, index + 1, severity) for index, text in underspecified(steps)
    ]
