"""Honest sessions among hostile ones: `benchmarks/hostile.py`, run for a short time."""

import asyncio

import pytest

from benchmarks.hostile import measure
from cibench_eval.interpreter.sandboxes.bubblewrap import bubblewrap_problem
from tests.support.soak import many

pytestmark = pytest.mark.kernel


def test_every_honest_step_is_right(tmp_path):
    if problem := bubblewrap_problem():
        pytest.skip(problem)
    sessions, hostile = many((40, 18), (4, 2))
    assert asyncio.run(measure(sessions, hostile, 8, tmp_path))
