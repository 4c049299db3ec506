"""Several runs (epochs) of the same session: the chance that one of k, or all of k, are right."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cibench_eval.analysis.clusters import Floats
from cibench_eval.analysis.intervals import Interval, mean_interval
from cibench_eval.analysis.steps import Passes

Counts: TypeAlias = Sequence[int] | NDArray[np.int64]


def pass_at_k(successes: Counts, runs: Counts, k: int) -> Floats:
    """The chance by experiment that at least one of k runs succeeds: 1 - C(n - c, k) / C(n, k).

    Unbiased from c successes in n runs (Chen et al. 2021, "Evaluating Large Language Models Trained on Code",
    arXiv 2107.03374, eq. 1).

    Raises:
        ValueError: an experiment has fewer than k runs, or more successes than runs.
    """
    return 1 - pass_hat_k(np.subtract(runs, successes), runs, k)


def pass_hat_k(successes: Counts, runs: Counts, k: int) -> Floats:
    """The chance by experiment that all of k runs succeed: C(c, k) / C(n, k).

    Unbiased, too (Yao et al. 2024, "τ-bench", arXiv 2406.12045, section 4: pass^k).

    Raises:
        ValueError: an experiment has fewer than k runs, or more successes than runs.
    """
    pairs = list(zip(successes, runs, strict=True))
    if k < 1 or any(n < k or not 0 <= c <= n for c, n in pairs):
        raise ValueError(f'k={k}: it takes k from 1 to the runs there are of each, and no more successes than runs')
    return np.array([comb(c, k) / comb(n, k) for c, n in pairs])


def at_least(passes: Passes, k: int) -> Passes:
    """Keep the experiments that have at least k runs."""
    kept = [item for item in zip(*passes, strict=True) if item[2] >= k]
    return Passes([item[0] for item in kept], [item[1] for item in kept], [item[2] for item in kept])


def pass_interval(passes: Passes, k: int, *, every: bool = False) -> Interval:
    """The mean of pass@k (of pass^k if `every`) over the experiments, and its interval."""
    estimate = pass_hat_k if every else pass_at_k
    return mean_interval(estimate(passes.successes, passes.runs, k), passes.clusters)
