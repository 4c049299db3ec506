"""What runners of shares have in common: they watch processes elsewhere, and say why those failed that did."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from pydantic import PositiveFloat
from rich.live import Live

from cibench_eval.cluster.board import board, rates_of, summary
from cibench_eval.cluster.counting import Counts
from cibench_eval.cluster.jobs import Job, causes
from cibench_eval.config.session_tasks import Run
from cibench_eval.run.shares import expected
from cibench_eval.run.task_runner import TaskRunner
from cibench_eval.schema import CibenchError
from cibench_eval.terminal import new_console

logger = logging.getLogger(__name__)
LINE_EVERY = 60.0
"""Seconds between two log lines where there is no terminal."""


@dataclass(eq=False)
class ShareRunner(TaskRunner):
    """A runner whose tasks are shares of a run, each run by a process of its own (`run/job.py`)."""

    poll_seconds: PositiveFloat = 1.0
    """Seconds between two looks at the processes."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.whole_run: Run | None = None
        """The run whose sessions its tasks share."""

    @property
    def whole(self) -> Run:
        """The run whose sessions its tasks share; a `CibenchError` where it has not been told."""
        if self.whole_run is None:
            raise CibenchError(f'runner: {type(self).__name__} runs shares; name it in `infer` of a config for run.py')
        return self.whole_run

    @property
    def folder(self) -> Path:
        return self.whole.folder

    def watch(self, look: Callable[[], list[Job]]) -> list[Job]:
        """Show how far jobs are until none is alive, and return them; `look` finds their states."""
        console, counts, said = new_console(stderr=True), Counts(expected(self.whole)), -LINE_EVERY
        shown = Live(console=console, auto_refresh=False, transient=True) if console.is_terminal else None
        with shown or nullcontext():
            while True:
                jobs = look()
                tallies, rates = counts.look(), rates_of(jobs)
                if shown:
                    shown.update(board(tallies, jobs, rates), refresh=True)
                elif time.monotonic() - said >= LINE_EVERY:
                    said = time.monotonic()
                    logger.info('%s', summary(tallies, jobs, rates))
                if jobs and not any(job.alive for job in jobs):
                    return jobs
                time.sleep(self.poll_seconds)

    def judge(self, jobs: Sequence[Job], logged: Mapping[str, str]) -> list[tuple[str, int]]:
        """Name and exit code, 0 or 1, of each job that is over; `logged` has the last errors of their logs."""
        found = causes(self.folder, jobs, logged)
        self.causes = {_task_name(job): found[job.name] for job in jobs if job.name in found}
        return [(_task_name(job), int(_task_name(job) in self.causes)) for job in jobs]


def _task_name(job: Job) -> str:
    return f'SessionInfer[{job.share.model}/{job.name}]'
