"""`pytest --soak` runs the tests that are marked so, and gives others their whole size."""

import os
from typing import TypeVar

T = TypeVar('T')
VARIABLE = 'CIBENCH_SOAK'
"""Set by `--soak` (tests/conftest.py), for every process of the tests."""
SOAK = bool(os.environ.get(VARIABLE))


def many(whole: T, otherwise: T) -> T:
    """How many of something a test takes, or which: as many as it could, or as many as it needs."""
    return whole if SOAK else otherwise
