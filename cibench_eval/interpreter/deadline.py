"""A time limit that does not count the time that others took from a code block.

A block can be late by itself, or because its process waited for a processor, or because the harness had no time to
check. Only the first counts.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any

MOST = 3.0
"""Most waiting time that is granted, as a multiple of the limit: a block's own children can make it wait as well."""


class Deadline:
    """A limit of `timeout` seconds; `waited` tells how many the process has waited for a processor since its start."""

    def __init__(self, timeout: float, waited: Callable[[], float]) -> None:
        self._timeout, self._waited = timeout, waited
        self._started, self._waited_before = time.monotonic(), waited()

    async def passes_before(self, task: asyncio.Future[Any]) -> bool:
        """Wait for the task or the deadline; return whether the deadline came first."""
        while not task.done():
            left = self._left()
            if left <= 0:
                return True
            due = time.monotonic() + left
            await asyncio.wait([task], timeout=left)
            late = max(0.0, time.monotonic() - due)
            await asyncio.wait([task], timeout=late)  # read what came while this process stood still
        return False

    def _left(self) -> float:
        waited = min(self._waited() - self._waited_before, MOST * self._timeout)
        return self._started + self._timeout + waited - time.monotonic()
