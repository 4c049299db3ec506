"""A time limit that counts what a code block took, and not what others took from it.

A block is late by itself, or because its process stood in line for a processor, or because this harness had no time to
look. Only the first is the block's.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

MOST = 3.0
"""How many times its limit a block may stand in line on top of it: its own children can make it wait as well."""


class Deadline:
    """A limit of `timeout` seconds from now on.

    Args:
        timeout: wall-clock seconds.
        waited: seconds that the process has stood in line so far, since it was started.
    """

    def __init__(self, timeout: float, waited: Callable[[], float]) -> None:
        self._timeout, self._waited = timeout, waited
        self._started, self._waited_before = time.monotonic(), waited()

    async def passes_before(self, task: asyncio.Task[Any]) -> bool:
        """Wait for the task or for the end of the time; whether the time was over first."""
        while not task.done():
            left = self._left()
            if left <= 0:
                return True
            due = time.monotonic() + left
            await asyncio.wait([task], timeout=left)
            late = max(0.0, time.monotonic() - due)
            await asyncio.wait([task], timeout=late)  # this process stood still: what came meanwhile has yet to be read
        return False

    def _left(self) -> float:
        waited = min(self._waited() - self._waited_before, MOST * self._timeout)
        return self._started + self._timeout + waited - time.monotonic()
