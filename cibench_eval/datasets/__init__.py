"""Files -> experiments: the official notebook format, the built-in sets and how they are built."""

from cibench_eval.datasets.notebooks import load_experiment, load_experiments

__all__ = ['load_experiment', 'load_experiments']
