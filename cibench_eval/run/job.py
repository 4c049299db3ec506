"""One job of a cluster: runs a share of a run. `python -m cibench_eval.run.job RUN PLAN INDEX`.

What it files are parts of the run's files (`cluster/parts.py`); how far it is stands in its beat (`cluster/plan.py`).
"""

import asyncio
import logging
import os
import platform
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from cibench_eval.agents.progress import Observer, Progress
from cibench_eval.cluster.gpus import VARIABLE
from cibench_eval.cluster.plan import FOLDER, Beat, Plan, read_plan, write_beat
from cibench_eval.config.recorded import read_written
from cibench_eval.config.session_tasks import run_of
from cibench_eval.reports.live import facts
from cibench_eval.run.local_runner import SessionRunner
from cibench_eval.run.run_tasks import share_task
from cibench_eval.schema import CibenchError, Trace, cause_of
from cibench_eval.terminal import accept_any_text, log_to_stderr

logger = logging.getLogger('cibench_eval.run.job')  # it runs as __main__
EVERY = 5.0
"""Seconds between two beats."""
WORKER = 'CIBENCH_WORKER'
"""Set for a process that shares its machine with others: its place, and how many there are (`0/8`)."""
TOLD = ('sessions', 'sessions_done', 'sessions_failed', 'steps', 'steps_done', 'steps_reused', 'errors', 'tokens')
"""What a beat has of the progress."""
LOGGED = 12
"""Beats between two lines in the log."""


class Heartbeat(Observer):
    """Writes how far a job is, every few seconds."""

    def __init__(self, run: Path, beat: Beat) -> None:
        self.beat = beat
        self._run = run
        self._timer: asyncio.TimerHandle | None = None
        self._number = 0

    def begin(self, progress: Progress) -> None:
        self._tick(progress)

    def session(self, progress: Progress, trace: Trace) -> None:
        logger.info('%s: %s, %.1f s', trace.dataset, trace.experiment, trace.seconds)

    def end(self, progress: Progress) -> None:
        if self._timer:
            self._timer.cancel()
        self._tell(progress)
        logger.info('%s', ', '.join(facts(progress, over=True)))

    def over(self, failures: Sequence[CibenchError]) -> None:
        """Report that the job is over."""
        causes = '; '.join(map(cause_of, failures))
        self._write({'over': True, 'failure': '; '.join(map(str, failures)), 'cause': causes})

    def _tick(self, progress: Progress) -> None:
        self._tell(progress)
        if self._number % LOGGED == 0:
            logger.info('%s', ', '.join(facts(progress)))
        self._number += 1
        self._timer = asyncio.get_running_loop().call_later(EVERY, self._tick, progress)

    def _tell(self, progress: Progress) -> None:
        self._write({name: getattr(progress, name) for name in TOLD})

    def _write(self, changes: Mapping[str, object]) -> None:
        self.beat = self.beat.model_copy(update={**changes, 'at': time.time()})
        try:
            write_beat(self._run, self.beat)
        except OSError as error:  # how far it is can be told later
            logger.warning('no beat could be written: %s', error)


def run_share(run: Path, plan: Plan, index: int, attempt: str) -> int:
    """Run the share of a plan, and return the exit code: 1 if some of it could not be done."""
    share, now = plan.shares[index], time.time()
    beat = Beat(
        job=plan.name(index),
        attempt=attempt,
        node=platform.node(),
        pid=os.getpid(),
        began=now,
        at=now,
        sessions=share.number,
        steps=share.steps,
    )
    heart = Heartbeat(run, beat)
    write_beat(run, beat)
    failures: Sequence[CibenchError]
    try:
        whole = run_of({**read_written(run / plan.config), 'work_dir': str(run)})
        runner = SessionRunner(task={})
        runner.observer = heart
        runner.run([share_task(whole, share, plan.name(index), attempt)])
        failures = list(runner.causes.values())
    except CibenchError as error:
        logger.error('%s', error)
        failures = [error]
    heart.over(failures)
    return int(bool(failures))


def this_attempt(plan: Plan, index: int) -> str:
    """A name that no other process ever has: the job, and how often it was queued again."""
    job = os.environ.get('SLURM_JOB_ID', f'{platform.node()}p{os.getpid()}')
    return f'{plan.name(index)}-{job}r{os.environ.get("SLURM_RESTART_COUNT") or 0}'


def _be_a_worker(place: int, places: int) -> None:
    """Take every n-th core, so that the workers of a machine share the cores."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[place % len(cores) :: places] or cores)
    logger.info('GPU %s, %d of %d cores', os.environ.get(VARIABLE) or 'none', len(os.sched_getaffinity(0)), len(cores))


def main(arguments: list[str]) -> int:
    accept_any_text()
    log_to_stderr('%(asctime)s %(levelname)s %(message)s', logging.ERROR)
    logging.getLogger('cibench_eval').setLevel(logging.INFO)
    if place := os.environ.pop(WORKER, ''):
        _be_a_worker(*map(int, place.split('/')))
    run, number, index = Path(arguments[0]), arguments[1], int(arguments[2])
    try:
        plan = read_plan(run / FOLDER / f'plan-{number}.json')
    except CibenchError as error:
        logger.error('%s', error)
        return 1
    return run_share(run, plan, index, this_attempt(plan, index))


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
