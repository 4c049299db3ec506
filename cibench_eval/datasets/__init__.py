"""Files -> experiments: the formats that they lie in, and where the built-in sets are."""

from cibench_eval.datasets.formats.notebooks import load_experiment
from cibench_eval.datasets.loading import load_experiments

__all__ = ['load_experiment', 'load_experiments']
