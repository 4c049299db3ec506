"""Adds slots while the machine has time: a slow model gets many sessions at once, cells that compute get few."""

import asyncio
import math
import os
import time

import psutil

from cibench_eval.agents.progress import Progress
from cibench_eval.agents.slots import CGROUP, room_for

EVERY = 2.0
"""Seconds between two checks."""
BUSY = 0.6
"""Share of the cores' time from which on no slots are added."""
GROWTH = 1.5
"""Factor by which the number of slots grows."""
FASTER = 1.1
"""Factor by which the last growth must have raised the steps per second before the next one."""
THROTTLED = ('cpu.stat', 'cpu/cpu.stat')
"""Files in which a container counts how often its processor time was used up."""


class Widening:
    """Gives the models of a run more slots.

    A model gets more, up to `most`, if all of its slots are taken, cores idle, memory is free, and the last growth has
    made the run faster: a busy endpoint answers no faster for more requests.
    """

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._steps, self._since, self._rate = 0, time.monotonic(), 0.0
        """At the last growth: finished steps, time, steps per second before it."""
        self._cores = os.sched_getaffinity(0)
        self._throttled = _times_throttled()
        psutil.cpu_percent(percpu=True)

    async def run(self) -> None:
        """Check regularly, until cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            self.look(self._in_use(), time.monotonic())

    def look(self, in_use: float, now: float) -> None:
        """Add slots where it makes sense; `in_use` is the share of the cores' time since the last check."""
        done = self._progress.steps_done - self._progress.steps_reused
        rate = (done - self._steps) / max(now - self._since, 1e-9)
        if in_use < BUSY and rate > FASTER * self._rate and self._widen():
            self._steps, self._since, self._rate = done, now, rate

    def _widen(self) -> bool:
        """Add slots to models whose slots are all taken; return whether any got more."""
        before = self._progress.at_once
        for slots in self._progress.slots:
            number = min(slots.most, math.ceil(GROWTH * slots.number))
            if slots.taken == slots.number < number and room_for(number - slots.number, self._progress.at_once):
                slots.widen(number)
        return self._progress.at_once > before

    def _in_use(self) -> float:
        """Share of the time of this process's cores that was used; 1 if a container's time was used up."""
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
