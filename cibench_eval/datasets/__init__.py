"""Files -> experiments: the official notebook format, and where the built-in sets are."""

from cibench_eval.datasets.notebooks import load_experiment, load_experiments

__all__ = ['load_experiment', 'load_experiments']
