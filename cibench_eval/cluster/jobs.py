"""The jobs of a run: what Slurm says of each, what each says itself, and why those failed that did."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from cibench_eval.cluster import slurm
from cibench_eval.cluster.cutting import Share
from cibench_eval.cluster.plan import FOLDER, Beat, Plan, beats, plans, run_key, submitters
from cibench_eval.cluster.slurm import RUNNING, JobState
from cibench_eval.schema import SessionsError

Course = Literal['waiting', 'running', 'done', 'failed', 'gone']
ENDS = {
    'TIMEOUT': 'its time limit was over; what it did is kept: give it more (`time` of the runner), or cut smaller '
    'tasks (--target-minutes)',
    'OUT_OF_MEMORY': 'it took more memory than it had asked for; ask for more (`memory` of the runner), or run fewer '
    'sessions at once (--max-sessions)',
    'CANCELLED': 'it was cancelled',
    'NODE_FAIL': 'its node failed',
    'PREEMPTED': 'it was preempted, and not queued again',
    'BOOT_FAIL': 'its node did not start',
    'DEADLINE': 'its deadline was over',
}
"""State of an ended job -> what that means."""
ERROR = re.compile(r' ERROR (?:\S+: )?(.*)')
"""A line of a task's log with what it failed of."""
OF_SLURM = ('srun:', 'slurmstepd:')
LOG_END = 20_000
"""Bytes of a log in which the cause is looked for."""


@dataclass(frozen=True)
class Job:
    """A share and who runs it."""

    plan: Plan
    index: int
    state: JobState | None
    """None where Slurm does not know it any more."""
    beat: Beat | None
    """None where it has not begun."""
    asked: bool = True
    """Whether Slurm answered, or the local process has ended; otherwise the job's own beat decides."""

    @property
    def name(self) -> str:
        return self.plan.name(self.index)

    @property
    def share(self) -> Share:
        return self.plan.shares[self.index]

    @property
    def course(self) -> Course:
        """Its state; `gone` means that it ended without a last beat."""
        if self.state and self.state.alive:
            return 'running' if self.state.state in RUNNING else 'waiting'
        if self.beat and self.beat.over:
            return 'failed' if self.beat.failure else 'done'
        if not self.asked:
            return 'running' if self.beat else 'waiting'
        return 'gone'

    @property
    def alive(self) -> bool:
        return self.course in ('waiting', 'running')


def array_name(run: Path, plan: Plan, array: int) -> str:
    """The name under which Slurm has some of a plan's jobs."""
    return f'{run_key(run)}-{plan.number}-{array}'


def states_of(run: Path) -> list[JobState]:
    """What Slurm says of a run's jobs, whoever handed them over; it raises what `slurm.states` does."""
    return slurm.states(run_key(run), submitters(run))


def jobs_of(run: Path, states: Sequence[JobState] | None) -> list[Job]:
    """All jobs that a run ever had; `states` are of `states_of`, None where Slurm cannot be asked."""
    said = beats(run)
    pattern = re.compile(rf'{run_key(run)}-(\d+)-\d+')
    named = [(pattern.fullmatch(state.name), state) for state in states or ()]
    known = {(int(found[1]), state.place): state for found, state in named if found}
    jobs = []
    for plan in plans(run):
        told = [said.get(plan.name(index)) for index in range(len(plan.shares))]
        begun = any(beat.lives for beat in told if beat)
        for index, beat in enumerate(told):
            lives = beat.lives if beat else begun
            asked = not lives if plan.here else states is not None
            jobs.append(Job(plan, index, known.get((plan.number, index)), beat, asked))
    return jobs


def taken(jobs: Sequence[Job]) -> frozenset[tuple[str, str, str]]:
    """Model, dataset and experiment of the sessions that jobs run, or will run."""
    return frozenset(
        (job.share.model, dataset, experiment)
        for job in jobs
        if job.alive
        for dataset, experiments in job.share.sessions.items()
        for experiment in experiments
    )


def causes(run: Path, jobs: Sequence[Job], logged: Mapping[str, str]) -> dict[str, SessionsError]:
    """The name of each failed job, with the reason why it failed.

    Args:
        jobs: that are over.
        logged: the last error of a job's log, for jobs that neither Slurm nor their own beat explains.
    """
    found = {
        job.name: SessionsError(job.beat.failure, job.beat.cause or job.beat.failure)
        for job in jobs
        if job.course == 'failed' and job.beat
    }
    for job in [job for job in jobs if job.course == 'gone']:
        state = '' if job.plan.here else job.state.state if job.state else _forgotten(run, job)
        known = ENDS.get(state.removesuffix('+'), '')
        why = f'Slurm job: {known}' if known else logged.get(job.name, 'it ended, and left no word of why')
        found[job.name] = SessionsError(why, why)
    return found


def _forgotten(run: Path, job: Job) -> str:
    """The state of a job that only accounting knows; empty where that does not, either."""
    path = run / FOLDER / f'plan-{job.plan.number}.json'
    since = datetime.fromtimestamp(path.stat().st_mtime).strftime('%Y-%m-%dT%H:%M:%S')
    for array in range(len(job.plan.shares)):
        found = slurm.ended(array_name(run, job.plan, array), since)
        if job.index in found:
            return found[job.index]
        if not found:
            return ''
    return ''


def last_error(log: Path) -> str:
    """The last error in the log of a task that ran in a process of its own; else its last line that is not Slurm's."""
    try:
        with log.open('rb') as file:
            file.seek(max(0, log.stat().st_size - LOG_END))
            lines = file.read().decode('utf-8', 'replace').splitlines()
    except OSError as error:
        return f'no log ({error.strerror}), so its job may not have started ({log})'
    texts = [line.strip() for line in lines if line.strip()]
    errors = [match[1] for line in texts if (match := ERROR.search(line))]
    others = [line for line in texts if not line.startswith(OF_SLURM)]
    return (errors or others or texts or ['its log is empty'])[-1]
