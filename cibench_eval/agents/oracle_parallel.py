"""Runs the independent steps of oracle mode one after the other, and in parallel while slots are spare."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable

from cibench_eval.agents.slots import SessionSlots
from cibench_eval.schema import HarnessError, Step


async def run_steps(
    steps: Iterable[Step], work: Callable[[Step], Awaitable[None]], slots: SessionSlots, *, beside: bool
) -> None:
    """Run every step, in one or more lanes. With several lanes a fault ends only its step, else it ends all steps.

    The first lane keeps its slot until no step is left. Each step that begins opens another lane if a slot is spare. So
    many sessions have one lane each, in which a kernel is passed on from step to step, and few sessions have as many
    lanes as there are slots.

    Args:
        steps: in the order in which they begin.
        beside: whether there may be a second lane.

    Raises:
        HarnessError: the first fault.
    """
    left, faults = deque(steps), list[HarnessError]()

    async def first() -> None:
        async with slots.slot():
            while left:
                await run_next()

    async def spare() -> None:
        while left and slots.spare:
            async with slots.slot():
                await run_next()

    async def run_next() -> None:
        step = left.popleft()
        if beside:
            group.create_task(spare())
        try:
            slots.check()
            await work(step)
        except HarnessError as error:
            faults.append(error)
            if not beside:
                left.clear()

    try:
        async with asyncio.TaskGroup() as group:
            if left:
                group.create_task(first())
    except ExceptionGroup as group_of_faults:
        raise group_of_faults.exceptions[0] from None
    if faults:
        raise faults[0]
