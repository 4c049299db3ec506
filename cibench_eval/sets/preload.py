"""Which libraries kernels are forked with."""

from __future__ import annotations

from collections.abc import Iterable

from cibench_eval.evaluators.failures.code_facts import facts_of
from cibench_eval.interpreter.environments import MODULES
from cibench_eval.interpreter.forkserver import PRELOAD

RARE = ('sympy',)
"""What of PRELOAD is no module of the benchmark, and takes long to import."""


def preload_of(codes: Iterable[str]) -> tuple[str, ...]:
    """The libraries that some code imports, and what they are used with, so that none is imported for nothing."""
    imported = {name for code in codes for name in facts_of(code).modules}
    unused = {*MODULES, *RARE} - imported
    return tuple(name for name in PRELOAD if name.split('.')[0] not in unused) if imported & set(MODULES) else ()
