"""`cibench status`: how far a run is, here or on a cluster, whoever started it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Group
from rich.text import Text

from cibench_eval.cluster import slurm
from cibench_eval.cluster.board import board, rates_of, summary
from cibench_eval.cluster.counting import Counts, Tally
from cibench_eval.cluster.jobs import Job, jobs_of, states_of
from cibench_eval.cluster.slurm import JobState
from cibench_eval.commands import log, new_console
from cibench_eval.commands._runs import Run
from cibench_eval.config.recorded import recorded_run
from cibench_eval.run.shares import expected
from cibench_eval.schema import CibenchError
from cibench_eval.terminal import say

EVERY = 5.0
"""Seconds between two looks."""
IDLE = 12
"""Looks in a row that find no process, after which `--watch` ends. A few are normal between two models of a run."""
STOPPED = 'no process runs its sessions at the moment; if none is meant to, go on with -r'


def status(
    run_folder: Run,
    watch: Annotated[
        bool, typer.Option('--watch', help='Look again every few seconds, until all is done or nobody does it.')
    ] = False,
) -> None:
    """Show how far a run is: sessions and steps of each model, and the jobs that fail, run or wait.

    It reads what tasks have written, and asks Slurm about jobs where there are any. It changes nothing.
    """
    run = _WatchedRun(run_folder, watch=watch)
    if watch:
        _watch(run)
        return
    new_console().print(run.look())


def _watch(run: _WatchedRun) -> None:
    """Show it until nothing is left to do, no process does it, or no job of a run on a cluster is in the queue."""
    from rich.live import Live

    console = new_console()
    if not console.is_terminal:
        run.look()
        while not run.over:
            say(run.line)
            time.sleep(EVERY)
            run.look()
        say(run.line)
        return
    with Live(run.look(), console=console, auto_refresh=False) as live:
        while not run.over:
            time.sleep(EVERY)
            live.update(run.look(), refresh=True)


class _WatchedRun:
    """A run folder that is looked at, again and again."""

    def __init__(self, folder: Path, *, watch: bool) -> None:
        self._folder = folder
        self._counts = Counts(expected(recorded_run(folder), whole=watch))
        self._tallies: dict[str, Tally] = {}
        self._jobs: list[Job] = []
        self._first: tuple[float, dict[str, int]] | None = None
        self._idle = 0
        """How many of the last looks found no process."""

    def look(self) -> Any:
        """The table, as it is now."""
        self._jobs = _newest(jobs_of(self._folder, self._states()))
        self._tallies = self._counts.look()
        if self._first is None:
            self._first = time.monotonic(), {model: tally.steps_done for model, tally in self._tallies.items()}
        self._idle = 0 if self._counts.in_use else self._idle + 1
        table = board(self._tallies, self._jobs, self._rates())
        return Group(table, Text(STOPPED, style='yellow')) if self._stopped else table

    @property
    def line(self) -> str:
        said = summary(self._tallies, self._jobs, self._rates())
        return f'{said}; {STOPPED}' if self._stopped else said

    @property
    def _done(self) -> bool:
        return all(tally.sessions_done == tally.sessions for tally in self._tallies.values())

    @property
    def _stopped(self) -> bool:
        """Whether something is left to do, and no process is seen that does it."""
        return bool(self._idle) and not self._jobs and not self._done

    @property
    def over(self) -> bool:
        if self._jobs:
            return not any(job.alive for job in self._jobs)
        return self._done or self._idle >= IDLE

    def _rates(self) -> dict[str, float]:
        """Steps a second: as the jobs say; without jobs, the mean since the first look."""
        if self._jobs or self._first is None:
            return rates_of(self._jobs)
        began, steps = self._first
        seconds = max(time.monotonic() - began, 1e-9)
        return {
            model: (tally.steps_done - steps[model]) / seconds
            for model, tally in self._tallies.items()
            if tally.steps_done > steps[model]
        }

    def _states(self) -> list[JobState] | None:
        """What Slurm says of jobs that have not said that they are over; None where it cannot be asked."""
        if not any(job.alive for job in jobs_of(self._folder, None)):
            return []
        if not slurm.is_there():
            return None
        try:
            return states_of(self._folder)
        except CibenchError as error:
            log(f'{error}; jobs are shown as they said last')
            return None


def _newest(jobs: list[Job]) -> list[Job]:
    """The jobs that were handed over last, and all that are in the queue."""
    last = max((job.plan.number for job in jobs), default=0)
    return [job for job in jobs if job.alive or job.plan.number == last]
