"""Runs the shares of a run as processes on this machine, each with GPUs of its own."""

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import PositiveFloat, PositiveInt

from cibench_eval.cluster.gpus import VARIABLE, visible_gpus, workers_for
from cibench_eval.cluster.jobs import Job, last_error
from cibench_eval.cluster.plan import beats, new_plan
from cibench_eval.cluster.slurm import JobState
from cibench_eval.config.building import model_address
from cibench_eval.config.entries import ModelEntry
from cibench_eval.config.recorded import last_written
from cibench_eval.config.records import Ignored
from cibench_eval.models.supervisor import die_with_parent
from cibench_eval.run.job import WORKER
from cibench_eval.run.run_tasks import RunTask, shares_of
from cibench_eval.run.share_runner import ShareRunner
from cibench_eval.run_paths import share_log

logger = logging.getLogger(__name__)
GRACE = 20.0
"""Seconds that a worker has to stop its kernels and its server."""


@dataclass
class Worker:
    """A share that waits for its place, runs, or is over."""

    index: int
    """Its number in the plan."""
    number: int
    """How many GPUs it needs."""
    claim: str
    """For a share without GPU, what it has for itself while it runs: an endpoint, or this machine's processors."""
    gpus: list[str] = field(default_factory=list)
    """The GPUs that it has."""
    process: subprocess.Popen[bytes] | None = None
    """Its process, from when on it runs."""

    @property
    def runs(self) -> bool:
        return self.process is not None and self.process.poll() is None


@dataclass(eq=False)
class WorkerRunner(ShareRunner):
    """Runs as many shares at once as there are GPUs for. Models without GPUs run one beside them, each endpoint once.

    Ctrl-C ends all workers, and so does the end of this process, however it comes; what they have done is kept.
    """

    poll_seconds: PositiveFloat = 0.5
    gpus: list[str] | None = None
    """Names of GPUs as CUDA_VISIBLE_DEVICES takes them; None is all that this process may use."""
    max_num_workers: PositiveInt | None = None
    """Workers at once, at most."""
    max_workers_per_gpu: Ignored = None
    """An option of OpenCompass's own runner, without effect here."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._gpus = visible_gpus() if self.gpus is None else self.gpus
        self._workers: list[Worker] = []

    def run(self, tasks: Sequence[RunTask]) -> list[tuple[str, int]]:
        """Run every share: (name, 0 or 1) of each; a `CibenchError` where a model needs more GPUs than there are."""
        if not tasks:
            return []
        run, of_shares = self.folder, shares_of(tasks)
        models = {name: own[0].model for name, own in self.whole.by_model()}
        workers_for({name: model.num_gpus for name, model in models.items()}, self._gpus, None)
        self._workers = [self._worker(index, models[share.model]) for index, share in enumerate(of_shares)]
        self._plan = new_plan(run, f'configs/{last_written(run).name}', of_shares, here=True)
        logger.info('%d tasks, %d at once, on GPU %s', len(tasks), self.places, ', '.join(self._gpus) or 'none')
        try:
            jobs = self.watch(self._look)
        finally:
            self._stop()
        return self.judge(jobs, {job.name: self._last_words(job) for job in jobs if job.course == 'gone'})

    @property
    def places(self) -> int:
        """About how many workers run at once."""
        gpus = sum(worker.number for worker in self._workers) / max(1, len(self._workers))
        fitting = int(len(self._gpus) / gpus) if gpus else len({worker.claim for worker in self._workers})
        return max(1, min(fitting, len(self._workers), self.max_num_workers or fitting))

    def _worker(self, index: int, model: ModelEntry) -> Worker:
        number = model.num_gpus
        return Worker(index, number, '' if number else model_address(model.config) or 'this machine')

    def _look(self) -> list[Job]:
        """Start the shares that find a place, and return the state of every share."""
        for worker in self._workers:
            if worker.process is None and self._has_place(worker):
                self._start(worker)
        said = beats(self.folder)
        return [
            Job(self._plan, worker.index, self._state(worker), said.get(self._plan.name(worker.index)))
            for worker in self._workers
        ]

    def _has_place(self, worker: Worker) -> bool:
        """Take the GPUs of a worker, if they are free."""
        running = [one for one in self._workers if one.runs]
        taken = {gpu for one in running for gpu in one.gpus}
        free = [gpu for gpu in self._gpus if gpu not in taken]
        if len(running) >= (self.max_num_workers or len(self._workers)) or len(free) < worker.number:
            return False
        if worker.claim and any(one.claim == worker.claim for one in running):
            return False
        worker.gpus = free[: worker.number]
        return True

    def _start(self, worker: Worker) -> None:
        log = share_log(self.folder, self._plan.name(worker.index))
        log.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, '-m', 'cibench_eval.run.job', str(self.folder), str(self._plan.number)]
        share = f'{worker.index % self.places}/{self.places}'
        with log.open('ab') as file:
            worker.process = subprocess.Popen(
                [*command, str(worker.index)],
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                env={**os.environ, VARIABLE: ','.join(worker.gpus), WORKER: share},
                preexec_fn=die_with_parent,  # noqa: PLW1509
                start_new_session=True,  # a Ctrl-C is for this process, which ends its workers
            )

    def _state(self, worker: Worker) -> JobState:
        gpus = f'GPU {",".join(worker.gpus)}' if worker.gpus else ''
        if worker.process is None:
            return JobState('', '', worker.index, 'PENDING', '', '')
        return JobState('', f'pid {worker.process.pid}', worker.index, 'RUNNING' if worker.runs else 'OVER', '', gpus)

    def _last_words(self, job: Job) -> str:
        process = self._workers[job.index].process
        log = share_log(self.folder, job.name)
        if process and process.returncode and process.returncode < 0:
            return f'killed by signal {-process.returncode} ({log})'
        return f'{last_error(log)} ({log})'

    def _stop(self) -> None:
        """End every worker that runs: it is asked first, and then killed."""
        running = [worker.process for worker in self._workers if worker.process and worker.runs]
        for process in running:
            process.send_signal(signal.SIGINT)
        for process in running:
            try:
                process.wait(GRACE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
