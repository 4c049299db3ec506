"""Honest sessions among hostile ones: `benchmarks/hostile.py`, in which each program runs."""

import asyncio

import pytest

from benchmarks.hostile import SPITEFUL, measure
from tests.interpreter.neighbours import HOSTILE
from tests.interpreter.programs import FORK, level_problem

pytestmark = [pytest.mark.kernel, pytest.mark.soak]


def test_every_honest_step_is_right(tmp_path):
    if problem := level_problem(FORK):
        pytest.skip(problem)
    hostile = len({**HOSTILE, **SPITEFUL}) // 2 + 1  # two programs each
    assert asyncio.run(measure(hostile + 9, hostile, 8, tmp_path, timeout=1.5))
