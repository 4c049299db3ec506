"""Measure how well a language model works with a Python code interpreter on data science notebooks."""

from typing import Any

__version__ = '0.1.0'


def load_environment(**options: Any) -> Any:
    """The environment of `verifiers.load_environment('cibench-eval', …)`; see `integrations.verifiers_env`."""
    from cibench_eval.integrations.verifiers_env import load_environment as load

    return load(**options)
