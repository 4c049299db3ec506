"""Runs the shares of a run as jobs of Slurm, and watches them. Slurm itself keeps them going: this may go away."""

import logging
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pydantic import NonNegativeInt, PositiveFloat, PositiveInt

from cibench_eval.cluster import slurm
from cibench_eval.cluster.jobs import Job, array_name, jobs_of, last_error, states_of
from cibench_eval.cluster.plan import FOLDER, Plan, new_plan
from cibench_eval.cluster.slurm import Array, Resources, SlurmDownError
from cibench_eval.config.recorded import last_written
from cibench_eval.files import write_whole
from cibench_eval.reports.layout import counted
from cibench_eval.run.run_tasks import RunTask, shares_of
from cibench_eval.run.share_runner import ShareRunner
from cibench_eval.run_paths import share_log
from cibench_eval.schema import CibenchError
from cibench_eval.terminal import EndedError

logger = logging.getLogger(__name__)
LARGEST = 1000
"""Jobs of an array, at most: what Slurm takes where nobody has set MaxArraySize."""
SCRIPT = """#!/bin/bash
# Written by cibench-eval: a job for each share of plan {number}.
{setup}
{command} {number} "$SLURM_ARRAY_TASK_ID"
code=$?
if [ "$code" -gt 128 ] && [ "${{SLURM_RESTART_COUNT:-0}}" -lt {retry} ]; then
    echo "killed by signal $((code - 128)); queued again" >&2
    for _ in $(seq 60); do  # the controller may be away for a while
        scontrol requeue "$SLURM_JOB_ID" && sleep 60
        sleep 5
    done
fi
exit "$code"
"""
SETUP = """set -e
{lines}
set +e"""


@dataclass(eq=False)
class SlurmRunner(Resources, ShareRunner):
    """Hands tasks over as job arrays, and watches until all are over.

    Jobs that are killed, preempted or lose their node are queued again and go on where they were. Ctrl-C cancels what
    is in the queue. A runner that is killed, or whose terminal is closed, leaves jobs as they are; `-r` watches them.
    """

    poll_seconds: PositiveFloat = 5.0
    """Seconds between two looks at the queue."""
    max_num_workers: PositiveInt = 32
    """Jobs at the same time."""
    retry: NonNegativeInt = 2
    """How often a killed job is queued again."""
    setup: list[str] | None = None
    """Shell lines that come before a job's own: `['module load cuda']`."""
    detach: bool = False
    """Leave as soon as the jobs are handed over."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.alive: list[Job] = []
        """Jobs of an earlier start that are still in the queue."""
        self._handed: list[str] = []
        """The ids of arrays that were handed over."""

    def run(self, tasks: Sequence[RunTask]) -> list[tuple[str, int]]:
        """Hand over what is not in the queue, and watch everything that is: (name, 0 or 1) of each job."""
        run = self.folder
        if self.alive:
            logger.info('%d jobs of an earlier start are in the queue; watching them', len(self.alive))
        watched = {job.name for job in self.alive}
        try:
            if tasks:
                watched |= set(self._hand_over(tasks))
            if self.detach:
                logger.info('handed over; `cibench status %s` shows how far it is, -r goes on', run)
                return []
            jobs = self.watch(partial(self._look, watched))
        except BaseException as error:
            if (watched or self._handed) and not isinstance(error, SystemExit | EndedError):
                self._cancel()
            raise
        gone = [job for job in jobs if job.course == 'gone']
        return self.judge(jobs, {job.name: last_error(share_log(run, job.name)) for job in gone})

    def _hand_over(self, tasks: Sequence[RunTask]) -> Iterator[str]:
        """Submit tasks; the names of their jobs."""
        run = self.folder
        config, shares = f'configs/{last_written(run).name}', shares_of(tasks)
        parts = [shares[begin : begin + LARGEST] for begin in range(0, len(shares), LARGEST)]
        gpus_of = {task.model_name: task.model.num_gpus for task in self.whole.tasks}
        plans = [(new_plan(run, config, part), [gpus_of[share.model] for share in part]) for part in parts]
        arrays = [
            (plan, number, gpus, [index for index, need in enumerate(needs) if need == gpus])
            for plan, needs in plans
            for number, gpus in enumerate(dict.fromkeys(needs))
        ]
        share_log(run, '').parent.mkdir(parents=True, exist_ok=True)
        lanes = shared_out([len(indices) for *_, indices in arrays], max(1, self.max_num_workers - len(self.alive)))
        last: dict[int, str] = {}
        for (plan, number, gpus, indices), (lane, at_once) in zip(arrays, lanes, strict=True):
            log = share_log(run, f'{plan.number}-%a')
            name = array_name(run, plan, number)
            array = Array(name, indices, at_once, gpus, self._script(run, plan), log, last.get(lane))
            last[lane] = slurm.submit(array, self)
            self._handed.append(last[lane])
            logger.info('Slurm job %s: %s, at most %d at once', last[lane], counted(len(indices), 'task'), at_once)
        return (plan.name(index) for plan, needs in plans for index in range(len(needs)))

    def _script(self, run: Path, plan: Plan) -> Path:
        path = run / FOLDER / f'plan-{plan.number}.sh'
        command = shlex.join([sys.executable, '-m', 'cibench_eval.run.job', str(run)])
        setup = SETUP.format(lines='\n'.join(self.setup)) if self.setup else ''
        write_whole(path, SCRIPT.format(number=plan.number, setup=setup, command=command, retry=self.retry))
        return path

    def _look(self, watched: set[str]) -> list[Job]:
        """The watched jobs as they are now: by what they write themselves where Slurm does not tell."""
        try:
            states = states_of(self.folder)
        except CibenchError as error:
            logger.warning('%s; the jobs go on, asking again', error)
            return [job for job in jobs_of(self.folder, None) if job.name in watched]
        jobs = [job for job in jobs_of(self.folder, states) if job.name in watched]
        if stuck := [job for job in jobs if job.state and job.state.stuck]:
            reasons = {job.state.reason for job in stuck if job.state}
            raise CibenchError(f'slurm: {counted(len(stuck), "job")} would wait for ever: {", ".join(sorted(reasons))}')
        return jobs

    def _cancel(self) -> None:
        """Take the run's jobs out of the queue."""
        try:
            ids = [state.id for state in states_of(self.folder) if state.alive]
            slurm.cancel(ids)
            logger.warning('%s of this run cancelled', counted(len(ids), 'job'))
        except CibenchError as error:
            logger.error('jobs could not be cancelled: %s; cancel them with scancel', error)


def alive_jobs(run: Path) -> list[Job]:
    """The jobs of a run that are in the queue.

    Raises:
        CibenchError: the run has had jobs, and Slurm cannot be asked what became of them.
    """
    unknown = [job for job in jobs_of(run, None) if job.alive]
    if here := [job for job in unknown if job.plan.here]:
        number = counted(len(here), 'task')
        raise CibenchError(f'{run}: another run.py has {number} of this run; wait for it, or end it first')
    if not unknown:
        return []
    try:
        return [job for job in jobs_of(run, states_of(run)) if job.alive]
    except SlurmDownError:
        raise
    except CibenchError as error:
        raise CibenchError(
            f'{run}: {len(unknown)} Slurm jobs have not said that they are over, and Slurm cannot be asked about them: '
            f'{error}; if none of them runs any more, remove {run / FOLDER}'
        ) from error


def shared_out(jobs: Sequence[int], most: int) -> list[tuple[int, int]]:
    """Share `most` places among arrays: the lane of each array, and how many of its jobs run at once.

    Arrays of a lane run one after the other, so that never more than `most` jobs run. With as many places as arrays
    each has its lane, and places go to the longest.
    """
    lanes = min(len(jobs), most)
    lengths = [sum(jobs[lane::lanes]) for lane in range(lanes)]
    widths = [1] * lanes
    for _ in range(most - lanes):
        lane = max(range(lanes), key=lambda at: lengths[at] / widths[at])
        widths[lane] += 1
    return [(at % lanes, min(widths[at % lanes], number)) for at, number in enumerate(jobs)]
