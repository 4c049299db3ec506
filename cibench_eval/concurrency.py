"""Coroutines side by side."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

from cibench_eval.schema import HarnessError

T = TypeVar('T')


async def run_all(works: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run all side by side, each to its end, also after one has failed.

    Raises:
        HarnessError: the first of those that failed; anything else that was raised, a bug, goes before it.
    """
    outcomes = await asyncio.gather(*works, return_exceptions=True)
    failed = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    for error in sorted(failed, key=lambda error: isinstance(error, HarnessError)):
        raise error
    return [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
