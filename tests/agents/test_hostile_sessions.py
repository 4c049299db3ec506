"""Honest sessions among hostile ones: `benchmarks/hostile.py`, run for a short time."""

import asyncio

import pytest

from benchmarks.hostile import measure
from tests.interpreter.programs import FORK, level_problem
from tests.support.soak import many

pytestmark = pytest.mark.kernel


def test_every_honest_step_is_right(tmp_path):
    if problem := level_problem(FORK):
        pytest.skip(problem)
    sessions, hostile = many((40, 18), (4, 2))
    assert asyncio.run(measure(sessions, hostile, 8, tmp_path))
