"""Measure how well a language model works with a Python code interpreter on data science notebooks."""

from typing import Any

__version__ = '0.1.0'
__all__ = ['NotebookEnv', 'NotebookHarness', 'NotebookTasks']
"""What verifiers takes from the package of a task set, here `cibench-eval`; see `integrations.verifiers_env`."""


def __getattr__(name: str) -> Any:
    """A name of `__all__`, imported when it is asked for: it needs the package verifiers."""
    if name not in __all__:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    from cibench_eval.integrations import verifiers_env

    return getattr(verifiers_env, name)
