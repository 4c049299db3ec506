"""Runs the independent steps of oracle mode one after the other, and in parallel while slots are spare."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from typing import Generic, TypeVar

from cibench_eval.agents.slots import SessionSlots
from cibench_eval.schema import HarnessError

Item = TypeVar('Item')


class ParallelSteps(Generic[Item]):
    """Runs steps in one or more lanes.

    The first lane keeps its slot until no step is left. Each step that begins opens another lane if a slot is spare. So
    many sessions have one lane each, in which a kernel is passed on from step to step, and few sessions have as many
    lanes as there are slots.

    Args:
        steps: in the order in which they begin.
        beside: whether there may be a second lane.
    """

    def __init__(
        self, steps: Iterable[Item], work: Callable[[Item], Awaitable[None]], slots: SessionSlots, beside: bool
    ) -> None:
        self._left, self._work, self._slots, self._beside = deque(steps), work, slots, beside
        self._faults: list[HarnessError] = []

    async def run(self) -> None:
        """Run every step. With several lanes a fault ends only its step, else it ends all steps.

        Raises:
            HarnessError: the first fault.
        """
        try:
            async with asyncio.TaskGroup() as self._group:
                self._group.create_task(self._first())
        except ExceptionGroup as group:
            raise group.exceptions[0] from None
        if self._faults:
            raise self._faults[0]

    async def _first(self) -> None:
        if self._left:
            async with self._slots.slot():
                while self._left:
                    await self._next()

    async def _spare(self) -> None:
        while self._left and self._slots.spare:
            async with self._slots.slot():
                await self._next()

    async def _next(self) -> None:
        step = self._left.popleft()
        if self._beside:
            self._group.create_task(self._spare())
        try:
            self._slots.check()
            await self._work(step)
        except HarnessError as error:
            self._faults.append(error)
            if not self._beside:
                self._left.clear()
