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


async def overruns(task: asyncio.Future[Any], timeout: float, waited: Callable[[], float]) -> bool:
    """Wait for a task, or until its `timeout` in seconds is over; return whether that was first.

    `waited` tells how many seconds its process has waited for a processor since its start.
    """
    started, waited_before = time.monotonic(), waited()
    while not task.done():
        due = started + timeout + min(waited() - waited_before, MOST * timeout)
        left = due - time.monotonic()
        if left <= 0:
            return True
        await asyncio.wait([task], timeout=left)
        late = max(0.0, time.monotonic() - due)
        await asyncio.wait([task], timeout=late)  # read what came while this process stood still
    return False
