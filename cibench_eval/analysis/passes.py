"""What several runs (epochs) of the same thing are worth: solved by one of k, solved by all k."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cibench_eval.analysis.clusters import Floats
from cibench_eval.analysis.intervals import LEVEL, Interval, mean_interval
from cibench_eval.analysis.steps import Scored, values_of
from cibench_eval.schema import CibenchError, Metric, StepScore

Counts: TypeAlias = Sequence[int] | NDArray[np.int64]


class Passes(NamedTuple):
    """Runs and successes of each item: an experiment, or a step of one."""

    clusters: list[str]
    successes: list[int]
    runs: list[int]


def pass_at_k(successes: Counts, runs: Counts, k: int) -> Floats:
    """For each item, the chance that at least one of k runs succeeds: 1 - C(n - c, k) / C(n, k).

    Unbiased from c successes in n runs (Chen et al. 2021, "Evaluating Large Language Models Trained on Code",
    arXiv 2107.03374, eq. 1).

    Raises:
        ValueError: an item has fewer than k runs, or more successes than runs.
    """
    return np.array([1 - comb(n - c, k) / comb(n, k) for c, n in _checked(successes, runs, k)])


def pass_hat_k(successes: Counts, runs: Counts, k: int) -> Floats:
    """For each item, the chance that all of k runs succeed: C(c, k) / C(n, k).

    Unbiased likewise (Yao et al. 2024, "τ-bench", arXiv 2406.12045, section 4: pass^k).

    Raises:
        ValueError: an item has fewer than k runs, or more successes than runs.
    """
    return np.array([comb(c, k) / comb(n, k) for c, n in _checked(successes, runs, k)])


def passes_of(results: Iterable[Scored], metric: Metric | None = None, *, by_step: bool = False) -> Passes:
    """Runs of one model in one mode as successes out of n. An experiment succeeds if all its steps do.

    Args:
        results: the runs.
        metric: a step of it succeeds with a score of 1, so for scores that are similarities a success is a perfect
            answer. None: every step that ends `correct` succeeds (`outcomes`).
        by_step: whether an item is a step instead of an experiment.

    Raises:
        CibenchError: the runs are of several modes.
    """
    items: dict[tuple[str, int], dict[int, bool]] = {}
    modes = set()
    for mode, scores, epoch in results:
        modes.add(mode)
        for score in scores:
            value = _value(score, metric)
            if value is not None:
                runs = items.setdefault((score.experiment, score.index if by_step else 0), {})
                runs[epoch] = runs.get(epoch, True) and value >= 1
    if len(modes) > 1:
        raise CibenchError('runs in two modes are not runs of the same thing; take pass@k of one mode at a time')
    return Passes(
        [experiment for experiment, _ in items], [sum(r.values()) for r in items.values()], [*map(len, items.values())]
    )


def at_least(passes: Passes, k: int) -> Passes:
    """The items that have k runs or more: what pass@k can be said of."""
    kept = [item for item in zip(*passes, strict=True) if item[2] >= k]
    return Passes([item[0] for item in kept], [item[1] for item in kept], [item[2] for item in kept])


def pass_interval(passes: Passes, k: int, *, every: bool = False, level: float = LEVEL) -> Interval:
    """The mean over items of pass@k (of pass^k if `every`), with the interval clustered by experiment."""
    estimate = pass_hat_k if every else pass_at_k
    return mean_interval(estimate(passes.successes, passes.runs, k), passes.clusters, level)


def _value(score: StepScore, metric: Metric | None) -> float | None:
    if metric is None:
        return None if score.outcome in (None, 'harness_error') else float(score.outcome == 'correct')
    return values_of(score).get(metric)


def _checked(successes: Counts, runs: Counts, k: int) -> list[tuple[int, int]]:
    pairs = [(int(c), int(n)) for c, n in zip(successes, runs, strict=True)]
    for c, n in pairs:
        if not 1 <= k <= n or not 0 <= c <= n:
            raise ValueError(
                f'{c} successes in {n} runs say nothing of {k} runs: it takes k from 1 to the runs there are'
            )
    return pairs
