"""The quality control of CIBench (arXiv 2407.10499, appendices B and G) as a program.

    report = check_set('datasets/mine', CheckSettings(repeats=3))

It reads every notebook, runs all gold code again in fresh kernels, and reports step by step what is wrong.
"""

from __future__ import annotations

import asyncio
import math
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from cibench_eval.evaluators import notebook_profiles
from cibench_eval.interpreter import KernelSettings
from cibench_eval.interpreter.settings import read_settings
from cibench_eval.schema import CibenchError, StepKind
from cibench_eval.sets.checking.findings import AuditReport, CheckFinding, CheckReport, ExperimentReport
from cibench_eval.sets.checking.naive_sessions import check_naive
from cibench_eval.sets.checking.runs import run_experiment
from cibench_eval.sets.checking.scores import StepChecker, Thresholds
from cibench_eval.sets.checking.static import Member, load_set, resolve, static_findings
from cibench_eval.sets.checking.twins import twin_findings
from cibench_eval.sets.checking.watch import WatchedPool
from cibench_eval.sets.preload import preload_of
from cibench_eval.terminal import OnProgress

Auditor = Callable[[list[Member]], tuple[AuditReport, list[CheckFinding]]]
"""Lets a model answer experiments without their data files; see `cibench_eval.run.audit`, which stands above."""


@dataclass(frozen=True)
class CheckSettings:
    """How a set is checked."""

    environment: str = 'modern'
    sandbox: str = 'bubblewrap'
    """A name that `KernelSettings` knows. A stranger's code runs without a sandbox only on request."""
    repeats: int = 3
    """Runs of each step, the first one in a whole session; with 0 files are read, and no gold code runs."""
    seed: int = 0
    """Determines the order of the other runs."""
    workers: int | None = None
    """Experiments that run at the same time; by default one a core."""
    only: str | None = None
    """Shell-style pattern of the experiments to check."""
    largest: float = 50e6
    """Bytes that a data file may have."""
    thresholds: Thresholds = field(default_factory=Thresholds)

    def checked(self) -> CheckSettings:
        """These settings, with `workers` set; a `CibenchError` where a setting makes no sense."""
        for name, value in (('repeats', self.repeats or 1), ('workers', self.workers), ('slow', self.thresholds.slow)):
            if value is not None and not 0 < value < math.inf:
                raise CibenchError(f'check: {name} is {value}; give a number above 0')
        if self.thresholds.profile not in notebook_profiles():
            raise CibenchError(
                f'check: no scoring profile {self.thresholds.profile!r}; there is {", ".join(notebook_profiles())}'
            )
        return replace(self, workers=self.workers or len(os.sched_getaffinity(0)))

    def kernels(self, members: list[Member]) -> KernelSettings:
        """The kernels in which the gold code of `members` runs."""
        fields = {
            'environment': self.environment,
            'sandbox': self.sandbox,
            'preload': preload_of(step.code for member in members for step in member.experiment.steps),
            'pool_size': 1,
            'max_concurrent_cells': self.workers,
            'timeout': self.thresholds.timeout,
        }
        return read_settings(fields, 'check')


def check_set(
    path: str,
    settings: CheckSettings | None = None,
    observe: OnProgress = lambda done, total, name: None,
    audit: Auditor | None = None,
) -> CheckReport:
    """Check the notebooks in a folder, one notebook, or a built-in set by its name.

    Args:
        observe: is told how far the runs of gold code are, after each experiment.
        audit: what asks a model, before gold code runs; it gets the experiments that can be loaded as they are.

    Raises:
        CibenchError: there is nothing to check, or a setting makes no sense.
        HarnessError: kernels cannot be started.
    """
    started = time.monotonic()
    settings = (settings or CheckSettings()).checked()
    place, name = resolve(path, settings.environment)
    loaded = load_set(place, name, settings.only)
    of_files = static_findings(loaded.members, settings.environment, settings.largest)
    findings = [*loaded.findings, *of_files, *twin_findings(loaded.members)]
    kernels = settings.kernels(loaded.members)
    provenance = kernels.provenance()  # raises before anything runs where the environment or the sandbox is missing
    audited, of_audit = audit(loaded.whole) if audit and loaded.whole else (None, [])
    runs, of_runs = asyncio.run(_run_all(loaded.members, settings, kernels, observe)) if settings.repeats else ([], [])
    findings = _sorted(loaded.members, findings + of_audit + of_runs)
    return CheckReport(
        path=path,
        environment=settings.environment,
        sandbox=provenance['sandbox'],
        provenance=provenance,
        profile=settings.thresholds.profile,
        repeats=settings.repeats,
        seed=settings.seed,
        slow=settings.thresholds.slow,
        experiments=loaded.notebooks,
        clean=_clean(loaded.members, findings),
        kinds=dict(sorted(Counter(step.kind for one in loaded.members for step in one.experiment.steps).items())),
        baseline=baseline_scores(runs),
        seconds=round(time.monotonic() - started, 1),
        findings=findings,
        runs=runs,
        audit=audited,
    )


def baseline_scores(runs: list[ExperimentReport]) -> dict[str, dict[StepKind, float]]:
    """Profile -> kind -> mean over the steps of the best trivial answer, 0 to 100."""
    sheets: dict[str, dict[StepKind, list[float]]] = {profile: {} for profile in notebook_profiles()}
    for step in (step for run in runs for step in run.steps):
        for profile, score in step.baseline.items():
            sheets[profile].setdefault(step.kind, []).append(score)
    return {
        profile: {kind: round(100 * sum(scores) / len(scores), 2) for kind, scores in sorted(sheet.items())}
        for profile, sheet in sheets.items()
    }


async def _run_all(
    members: list[Member], settings: CheckSettings, kernels: KernelSettings, observe: OnProgress
) -> tuple[list[ExperimentReport], list[CheckFinding]]:
    """Run all experiments, the longest first, and return reports in the order of `members`."""
    assert settings.workers is not None
    slots = asyncio.Semaphore(settings.workers)
    done: dict[int, tuple[ExperimentReport, list[CheckFinding]]] = {}

    async def one(number: int, member: Member) -> None:
        async with slots:
            done[number] = await _run_one(member, settings, kernels, pool, Path(figures, str(number)))
        observe(len(done), len(members), f'{member.split}/{member.experiment.id}')

    with tempfile.TemporaryDirectory(prefix='cibench-check-') as figures:
        try:
            async with WatchedPool(kernels) as pool, asyncio.TaskGroup() as group:
                for number in sorted(range(len(members)), key=lambda n: -len(members[n].experiment.steps)):
                    group.create_task(one(number, members[number]))
        except ExceptionGroup as errors:
            raise _first(errors) from errors
    ordered = [done[number] for number in range(len(members))]
    return [report for report, _ in ordered], [finding for _, findings in ordered for finding in findings]


def _first(errors: ExceptionGroup[Exception]) -> Exception:
    """The error to show: a bug with all other bugs, else the first of our own errors."""
    ours, bugs = errors.split(CibenchError)
    return bugs or (ours.exceptions[0] if ours else errors)


async def _run_one(
    member: Member, settings: CheckSettings, kernels: KernelSettings, pool: WatchedPool, figures: Path
) -> tuple[ExperimentReport, list[CheckFinding]]:
    seed = f'{settings.seed} {member.split}/{member.experiment.id}'
    runs = await run_experiment(member.experiment, kernels, pool, settings.repeats, seed)
    steps, findings = await asyncio.to_thread(StepChecker(member, figures, settings.thresholds).check, runs)
    naive, of_naive = await check_naive(member, kernels, pool, figures, settings.thresholds.profile)
    report = ExperimentReport(set=member.split, notebook=member.experiment.id, steps=steps, naive=naive)
    return report, [*findings, *of_naive]


def _clean(members: list[Member], findings: list[CheckFinding]) -> int:
    faulty = {(finding.set, finding.notebook) for finding in findings if finding.severity == 'defect'}
    return sum((member.split, member.experiment.id) not in faulty for member in members)


def _sorted(members: list[Member], findings: list[CheckFinding]) -> list[CheckFinding]:
    """Findings without repeats, in the order of `members`; a notebook's own ones stand before its steps'."""
    order = {(member.split, member.experiment.id): number for number, member in enumerate(members)}
    place = [order.get((finding.set, finding.notebook), -1) for finding in findings]
    both = sorted(zip(place, findings, strict=True), key=lambda p: (p[0], p[1].set, p[1].notebook, p[1].step or 0))
    return list(dict.fromkeys(finding for _, finding in both))
