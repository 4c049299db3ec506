"""Intervals of figures over experiments, by the Bayesian bootstrap with one additional unseen experiment.

In each draw every experiment has a random weight (exponential: Rubin 1981, "The Bayesian Bootstrap", Annals of
Statistics 9(1)), and so has an unseen experiment that is all wrong, or as bad as the worst score below 0. The lower
bound is the quantile (1 - LEVEL) / 2 of the weighted figure. The upper bound is 1 minus the lower bound of the scores
1 - s.

- Raising a score raises the figure in every draw, because no weight depends on a score: no bound ever falls.
- An unseen weight of shape 1 gives Clopper & Pearson's interval for single steps that are right or wrong, and Gaffke's
  bound for scores in [0, 1] (Gaffke 2005; Learned-Miller & Thomas 2020, arXiv 1905.06208). Those cover 97 to 100 %;
  `unseen_shape` is smaller, chosen by coverage in simulations (`benchmarks/uncertainty.py` prints it).
- Whole experiments are weighted, so that dependence among their steps is covered.
- One experiment has no interval.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import comb, sqrt
from typing import TypeAlias

import numpy as np
import scipy  # its parts are imported where they are first used
from numpy.typing import ArrayLike, NDArray

from cibench_eval.analysis.clusters import Clustered, Floats, Labels, inflation
from cibench_eval.schema import Record

LEVEL = 0.95
"""Level of all intervals; tests have the level 1 - LEVEL."""
DRAWS = 10_000
SEED = 0


class Interval(Record):
    """A figure with its interval, given how the experiments differ."""

    mean: float
    low: float | None = None
    """None, as are `high` and `se`, where there is a single cluster."""
    high: float | None = None
    se: float | None = None
    clusters: int

    @property
    def margin(self) -> float | None:
        """Half the width."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def mean_interval(values: ArrayLike, clusters: Labels, strata: Labels | None = None, *, draws: int = DRAWS) -> Interval:
    """The mean of step scores in [-1, 1], or of the means of strata, and its interval.

    `clusters` is the experiment of each step; `steps.table_of` has averaged epochs inside the step before. For the
    leaderboard's average, `values` are the numeric, text and visual scores of both modes in one column and `strata`
    their mode and metric. A draw weighs an experiment whole, with both its modes: they are paired. A score may be
    negative, as SSIM is where pictures are reversed: then the unseen experiment has the lowest score of all.

    Raises:
        ValueError: a value is outside [-1, 1], or there are none.
    """
    column = np.asarray(values, float)
    if column.size and not -1 <= column.min() <= column.max() <= 1:
        raise ValueError(f'values from {column.min():g} to {column.max():g} are not fractions')
    least = float(column.min(initial=0.0))
    data = Clustered.of((column - least) / (1 - least), clusters, strata)
    return _unit_interval(data, draws, least)


def ratio_interval(numerators: ArrayLike, denominators: ArrayLike, clusters: Labels, *, draws: int = DRAWS) -> Interval:
    """A ratio of sums and its interval: scores of steps whose code ran, by how often it did.

    The numerators are scores of what the denominators count, so that the interval is that of a mean.

    Raises:
        ValueError: the denominators sum to 0, or there are none.
    """
    above, below = np.asarray(numerators, float), np.asarray(denominators, float)
    if not below.sum() > 0 or below.min() < 0:
        raise ValueError('a ratio needs denominators of 0 or more that do not sum to 0')
    counted = below > 0
    least = float(np.min(above[counted] / below[counted], initial=0.0))
    data = Clustered.ratio((above - least * below) / (1 - least), below, clusters)
    there = (data.counts > 0).any(1) | (data.sums != 0).any(1)  # other clusters say nothing about the ratio
    return _unit_interval(Clustered(data.sums[there], data.counts[there]), draws, least)


def _unit_interval(data: Clustered, draws: int, least: float) -> Interval:
    """The interval of a figure in [`least`, 1], or none, from data that are scaled to [0, 1]."""
    width = 1 - least
    mean = min(max(data.estimate, 0.0), 1.0)
    if data.size < 2:
        return Interval(mean=least + width * mean, clusters=data.size)
    low, high = min(_lower(data, draws), mean), max(1 - _lower(data.mirrored, draws), mean)
    mean, low, high = (least + width * one for one in (mean, low, high))
    return Interval(mean=mean, low=low, high=high, se=width * data.se, clusters=data.size)


def _lower(data: Clustered, draws: int) -> float:
    weights, unseen = _exponentials(data.size, draws, SEED), _gammas(unseen_shape(data), draws, SEED)
    return float(np.quantile(data.ordered.with_unseen(weights, unseen), (1 - LEVEL) / 2))


def unseen_shape(data: Clustered) -> float:
    """The mean weight of the unseen experiment, relative to a seen one: from 0.7 for a single step to 0.3 for many.

    The more steps an experiment has, the more often it shows a part of what it can be.
    """
    return float(0.3 + 0.4 / max(data.sizes.mean(), 1))


@lru_cache(maxsize=4)
def _exponentials(clusters: int, draws: int, seed: int) -> Floats:
    """Weights of the Bayesian bootstrap by draw and cluster. All models of a table have the same draws."""
    weights = np.random.default_rng(seed).standard_exponential((draws, clusters))
    weights.setflags(write=False)
    return weights


@lru_cache(maxsize=64)
def _gammas(shape: float, draws: int, seed: int) -> Floats:
    """Gamma weights: the quantiles at even distances in random order, which vary less than drawn ones."""
    places = (np.random.default_rng([seed, 1]).permutation(draws) + 0.5) / draws
    weights: Floats = scipy.special.gammaincinv(shape, places)
    weights.setflags(write=False)
    return weights


def critical(df: float) -> float:
    """Student's t that a two-sided interval of LEVEL reaches to."""
    return float(scipy.special.stdtrit(df, (1 + LEVEL) / 2))


def expanded(estimates: Floats, df: float, clusters: int) -> tuple[float, float]:
    """The bootstrap's percentiles, at Φ(±t sqrt(C / (C - 1))), for plain ones are too narrow for few clusters.

    (Hesterberg 2015, "What Teachers Should Know About the Bootstrap".)
    """
    reach = scipy.special.ndtr(-critical(df) * sqrt(inflation(clusters)))
    low, high = np.quantile(estimates, [reach, 1 - reach])
    return float(low), float(high)


Counts: TypeAlias = Sequence[int] | NDArray[np.int64]


def pass_at_k(successes: Counts, runs: Counts, k: int) -> Floats:
    """The chance by experiment that at least one of k runs succeeds: 1 - C(n - c, k) / C(n, k).

    Unbiased from c successes in n runs (Chen et al. 2021, "Evaluating Large Language Models Trained on Code",
    arXiv 2107.03374, eq. 1). It raises what `pass_hat_k` does.
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
