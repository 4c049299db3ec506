"""More sessions at once while the machine has time for them: a slow model gets many, cells that compute get few."""

from __future__ import annotations

import asyncio
import math
import os
import time

import psutil

from cibench_eval.agents.progress import Progress
from cibench_eval.agents.slots import CGROUP, room_for

EVERY = 2.0
"""Seconds between two looks."""
BUSY = 0.6
"""Share of the cores' time from which on they are in use enough."""
GROWTH = 1.5
"""Times as many slots as before."""
FASTER = 1.1
"""Times as many steps a second as before it, by which slots must have paid before there are more."""
THROTTLED = ('cpu.stat', 'cpu/cpu.stat')
"""Where a container says how often it was out of the time that it may use."""


class Widening:
    """Gives the models of a run more slots.

    A model gets more if all that it has are taken, cores idle, there is memory, and those that it got before have paid
    (an endpoint that is busy answers no faster for being asked more); never more than its `most`.
    """

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._steps, self._since, self._rate = 0, time.monotonic(), 0.0
        """Of the time before there were more slots: steps that were done, its end, steps a second."""
        self._cores = os.sched_getaffinity(0)
        self._throttled = _times_throttled()
        psutil.cpu_percent(percpu=True)

    async def run(self) -> None:
        """Look again and again, until this is cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            self.look(self._in_use(), time.monotonic())

    def look(self, in_use: float, now: float) -> None:
        """Give more slots where it makes sense; `in_use` is the share of the cores' time since the last look."""
        done = self._progress.steps_done - self._progress.steps_reused
        rate = (done - self._steps) / max(now - self._since, 1e-9)
        if in_use < BUSY and rate > FASTER * self._rate and self._widen():
            self._steps, self._since, self._rate = done, now, rate

    def _widen(self) -> bool:
        """Whether any model got more slots."""
        before = self._progress.at_once
        for slots in self._progress.slots:
            number = min(slots.most, math.ceil(GROWTH * slots.number))
            if slots.taken == slots.number < number and room_for(number - slots.number, self._progress.at_once):
                slots.widen(number)
        return self._progress.at_once > before

    def _in_use(self) -> float:
        """Share of the time of this process' cores that was used; 1 in a container that was out of its time."""
        shares = psutil.cpu_percent(percpu=True)
        before, self._throttled = self._throttled, _times_throttled()
        mine = [share for core, share in enumerate(shares) if core in self._cores] or shares
        return 1.0 if self._throttled > before else sum(mine) / len(mine) / 100


def _times_throttled() -> int:
    for name in THROTTLED:
        try:
            counts = dict(line.split() for line in (CGROUP / name).read_text().splitlines())
        except OSError:
            continue
        return int(counts.get('nr_throttled', 0))
    return 0
