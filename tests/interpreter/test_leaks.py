"""Sessions of every fate leave nothing behind: `benchmarks/leaks.py`, run for a short time."""

import asyncio

import pytest

from benchmarks.leaks import soak
from tests.interpreter.programs import FORK, level_problem
from tests.support.soak import many

pytestmark = pytest.mark.kernel


@pytest.mark.soak
def test_nothing_is_left_over():
    sandboxes = ('none',) if level_problem(FORK) else ('bubblewrap', 'none')
    report = asyncio.run(soak(many(24, 8), parallel=3, sandboxes=sandboxes))
    assert report.faults == []
    assert report.left_over == {}
    assert len(report.memory) == many(1, 0)
