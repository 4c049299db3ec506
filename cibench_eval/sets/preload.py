"""The libraries that a kernel imports before it is forked."""

from collections.abc import Iterable

from cibench_eval.evaluators.failures.code_facts import facts_of
from cibench_eval.interpreter.environments import MODULES
from cibench_eval.interpreter.forkserver import PRELOAD

RARE = ('sympy',)
"""Packages in PRELOAD that are no modules of the benchmark and take long to import."""


def preload_of(codes: Iterable[str]) -> tuple[str, ...]:
    """The packages of PRELOAD that some code needs; none if it imports no module of the benchmark."""
    imported = {name for code in codes for name in facts_of(code).modules}
    unused = {*MODULES, *RARE} - imported
    return tuple(name for name in PRELOAD if name.split('.')[0] not in unused) if imported & set(MODULES) else ()
