"""Sums over clusters: all that the mean of clustered observations and its uncertainty depend on.

A figure is the mean of S strata (1 for a plain figure; 6 for the leaderboard's average, three metrics in two modes),
each the mean over the observations of its kind. With sums Y and counts N by cluster g and stratum s:

    estimate = mean_s(sum_g Y_gs / sum_g N_gs)
    influence u_g = mean_s(sqrt(C_s / (C_s - 1)) (Y_gs - r_s N_gs) / sum_g N_gs)
    variance = sum_g u_g^2

with r_s the mean of stratum s and C_s the clusters that have observations of it. For one stratum it is the
cluster-robust (CR1) variance of a regression on nothing but a constant (Cameron & Miller 2015, "A Practitioner's Guide
to Cluster-Robust Inference", eq. 11-12; Miller 2024, "Adding Error Bars to Evals", arXiv 2411.00640, section 2.2, there
without C / (C - 1)), and for more its linearisation. A stratum of a single cluster has no variance that could be known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float64]
Labels: TypeAlias = Sequence[str] | Sequence[int] | NDArray[Any]
TINY = 1e-12
"""Least standard error of values around 1 that is no rounding error."""


@dataclass(frozen=True)
class Clustered:
    """Observations summed by cluster (rows) and stratum (columns)."""

    sums: Floats
    counts: Floats

    @classmethod
    def of(cls, values: ArrayLike, clusters: Labels, strata: Labels | None = None) -> Clustered:
        """Sum observations by their clusters and strata."""
        return cls.ratio(values, np.ones(len(clusters)), clusters, strata)

    @classmethod
    def ratio(
        cls, numerators: ArrayLike, denominators: ArrayLike, clusters: Labels, strata: Labels | None = None
    ) -> Clustered:
        """Sum the parts of a ratio of sums; a mean is a ratio whose denominators are 1.

        Raises:
            ValueError: there are no observations, their columns differ in length, or a value is not a number.
        """
        above, below = np.asarray(numerators, float), np.asarray(denominators, float)
        strata = np.zeros(len(clusters), int) if strata is None else strata
        if not above.size or {above.shape, below.shape} != {(len(clusters),)} or len(strata) != len(clusters):
            raise ValueError(f'columns of {above.shape}, {below.shape}, {len(clusters)} and {len(strata)} observations')
        if not np.isfinite(above).all() or not np.isfinite(below).all():
            raise ValueError('a value is not a finite number')
        groups, rows = np.unique(clusters, return_inverse=True)
        kinds, columns = np.unique(strata, return_inverse=True)
        shape = len(groups), len(kinds)
        return cls(*(_sum(values, rows * shape[1] + columns, shape) for values in (above, below)))

    @property
    def mirrored(self) -> Clustered:
        """Every score in [0, 1] taken from 1: wrong for right."""
        return Clustered(self.counts - self.sums, self.counts)

    def minus(self, other: Clustered) -> Clustered:
        """The differences to another model's observations, which have the same clusters and strata."""
        return Clustered(self.sums - other.sums, self.counts)

    @property
    def size(self) -> int:
        """Number of clusters."""
        return len(self.sums)

    @cached_property
    def totals(self) -> Floats:
        """Observations by stratum."""
        return self.counts.sum(0)

    @cached_property
    def rates(self) -> Floats:
        """Means by stratum."""
        return self.sums.sum(0) / self.totals

    @property
    def estimate(self) -> float:
        return float(self.rates.sum() / len(self.totals))

    @cached_property
    def spread(self) -> NDArray[np.int64]:
        """By stratum, the number of clusters that have observations of it."""
        found: NDArray[np.int64] = (self.counts > 0).sum(0)
        return found

    @property
    def measured(self) -> bool:
        """Whether each stratum has several clusters, so that their differences can be known."""
        return bool(self.spread.min() > 1)

    @cached_property
    def _influences(self) -> Floats:
        """The influence of each cluster on the estimate by stratum; each column sums to 0."""
        factors = np.sqrt([inflation(clusters) for clusters in self.spread.tolist()])
        found: Floats = factors * (self.sums - self.rates * self.counts) / self.totals / len(self.totals)
        return found

    @cached_property
    def influence(self) -> Floats:
        """The influence of each cluster on the estimate; sums to 0."""
        return self._influences.sum(1)

    @cached_property
    def se(self) -> float:
        """Cluster-robust standard error of the estimate; 0 where clusters do not differ, or there is one."""
        return float(np.sqrt((self.influence**2).sum()))

    @cached_property
    def df(self) -> float:
        """Degrees of freedom of the standard error: fewer where few clusters carry the estimate or its variance.

        The smallest of three, and never below 1:

        - C* - 1 with C* = 1 / sum_g w_g^2, w_g being the cluster's share of the observations: clusters of unequal
          sizes are worth as many equal ones (Carter, Schnepel & Steigerwald 2017, "Asymptotic Behavior of a t-Test
          Robust to Cluster Heterogeneity", Review of Economics and Statistics 99(4)).
        - The harmonic mean of C_s - 1 over the strata, weighted by their variances: C - 1 for one stratum.
        - 2C / (k - (C - 3) / (C - 1)), k the kurtosis of the influences (O'Neill 2014, "Some Useful Moment Results
          in Sampling Problems", The American Statistician 68(4)): about C where they are normal, 2 where one cluster
          of many has all the errors, so that ten wrong steps in one notebook do not pass for a precise figure.
        """
        shares = (self.counts / self.totals).sum(1) / len(self.totals)
        bounds = [1 / (shares**2).sum() - 1, self._strata_df, self._kurtosis_df]
        return float(max(min(bounds), 1))

    @property
    def _strata_df(self) -> float:
        variances = (self._influences**2).sum(0)
        known = variances > 0  # then it has several clusters
        weights = variances[known] / (self.spread[known] - 1)
        return float(variances.sum() / weights.sum()) if known.any() else self.size

    @property
    def _kurtosis_df(self) -> float:
        squares = self.influence**2
        if self.size < 3 or not squares.sum():
            return self.size
        kurtosis = self.size * (squares**2).sum() / squares.sum() ** 2
        return float(2 * self.size / (kurtosis - (self.size - 3) / (self.size - 1)))

    @property
    def sizes(self) -> Floats:
        """By stratum, the mean size of an observation's cluster: sum n^2 / sum n."""
        return (self.counts**2).sum(0) / self.totals

    @property
    def ordered(self) -> Clustered:
        """Sort the clusters by their counts and, in a single stratum, their sums, so that names do not matter.

        With fixed weights, an estimate over sorted clusters falls in no draw if a score is raised. With several strata
        clusters of equal counts keep their order, because their sums have none.
        """
        single = self.sums.T if len(self.totals) == 1 else ()
        order = np.lexsort([*single, *self.counts.T])
        return Clustered(self.sums[order], self.counts[order])

    def with_unseen(self, weights: Floats, unseen: Floats) -> Floats:
        """The estimate in each draw over weighted clusters and an unseen one of `sizes` that is all wrong.

        Args:
            weights: weights of the clusters, a row for each draw.
            unseen: weights of the unseen cluster.
        """
        counts = weights @ self.counts + np.outer(unseen, self.sizes)
        return (weights @ self.sums / counts).sum(1) / len(self.totals)


def inflation(clusters: int) -> float:
    """C / (C - 1): the factor that makes a variance over C clusters unbiased; 1 for a single one."""
    return clusters / max(clusters - 1, 1)


def _sum(values: Floats, cells: NDArray[np.int64], shape: tuple[int, int]) -> Floats:
    return np.bincount(cells, values, shape[0] * shape[1]).reshape(shape)
