"""Honest sessions among hostile ones: `benchmarks/hostile.py`, run for a short time."""

import asyncio

import pytest

from benchmarks.hostile import measure
from tests.interpreter.programs import FORK, level_problem

pytestmark = [pytest.mark.kernel, pytest.mark.soak]


def test_every_honest_step_is_right(tmp_path):
    if problem := level_problem(FORK):
        pytest.skip(problem)
    assert asyncio.run(measure(40, 18, 8, tmp_path))
