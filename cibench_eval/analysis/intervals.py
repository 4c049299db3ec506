"""How sure a figure is: intervals clustered by experiment.

Which form of interval stands here was chosen by its coverage in simulations (`benchmarks/uncertainty.py` prints it):

- A figure in [0, 1] has the interval of Wilson's score with the cluster-robust standard error in it: all p with
  |m - p| <= t se sqrt(p (1 - p) / (m (1 - m))). In the middle that is m ± t se. Near 0 and 1, where m ± t se covers
  80 to 90 % and leaves [0, 1], it covers and stays. (Wilson 1927; with the effective sample size m (1 - m) / se^2 for
  clustered data: Franco, Little, Louis & Slud 2019, J. Survey Statistics and Methodology 7(3).)
- t has C - 1 degrees of freedom, or fewer where few experiments carry the figure: `Clustered.df`.
- Where clusters do not differ, a standard error of (nearly) 0 says nothing. "None of C deviates" bounds the share
  that does by q = 1 - (1 - level)^(1/C), the rule of three (3 / C: Hanley & Lippman-Hand 1983, JAMA 249), and a
  deviating experiment can be anything: [m - q m, m + q (1 - m)]. That holds whatever the dependence within one.
- One cluster has no interval.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from cibench_eval.analysis.clusters import Clustered, Floats, Labels, inflation
from cibench_eval.schema import Record

LEVEL = 0.95
"""Of all intervals, and 1 - LEVEL of all tests."""
DRAWS = 10_000
FLAT = 1e-3
"""Standard error, a tenth of a point, below which clusters do not differ: so much the same figure differs when it is
read again, and it must not pass for precision."""


class Interval(Record):
    """A figure with what it may be, given how the experiments differ."""

    mean: float
    low: float | None = None
    """None, as `high` and `se`, where there is no interval: `method` says why."""
    high: float | None = None
    se: float | None = None
    clusters: int
    method: str

    @property
    def margin(self) -> float | None:
        """Half the width."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def mean_interval(values: ArrayLike, clusters: Labels) -> Interval:
    """The mean of step scores in [0, 1] and its interval; `clusters` is the experiment that each step is of.

    Epochs are averaged inside the step before (`steps.table_of` does).

    Raises:
        ValueError: a value is outside [0, 1], or there are none.
    """
    _check_unit(values)
    data = Clustered.of(values, clusters)
    return _unit_interval(data, data.se, 'cluster-robust')


def average_interval(values: ArrayLike, clusters: Labels, strata: Labels, *, draws: int = DRAWS) -> Interval:
    """The mean of the means of all strata, with a standard error by cluster bootstrap.

    For the leaderboard's average, `values` are the numeric, text and visual scores of both modes in one column and
    `strata` their mode and metric. A draw takes an experiment whole, with both its modes: they are paired. The
    interval is `mean_interval`'s, which covers better than the bootstrap's percentiles where C is small or the
    figure near 0 or 1.

    Raises:
        ValueError: a value is outside [0, 1], or there are none.
    """
    _check_unit(values)
    data = Clustered.of(values, clusters, strata)
    return _unit_interval(data, _bootstrap_se(data, draws), 'cluster bootstrap')


def ratio_interval(numerators: ArrayLike, denominators: ArrayLike, clusters: Labels, *, draws: int = DRAWS) -> Interval:
    """A ratio of sums by cluster bootstrap: scores of steps whose code ran, tokens for each step solved.

    A share (no numerator above its denominator) has the interval of `average_interval`. Any other ratio has the
    bootstrap's percentiles, `expanded`: never below the smallest ratio possible, and as skewed as the ratio is.

    Raises:
        ValueError: the denominators sum to 0, or there are none.
    """
    above, below = np.asarray(numerators, float), np.asarray(denominators, float)
    if not below.sum() > 0 or below.min() < 0:
        raise ValueError('a ratio needs denominators of 0 or more that do not sum to 0')
    data = _without_empty(Clustered.ratio(above, below, clusters))
    if (above >= 0).all() and (above <= below).all():
        return _unit_interval(data, _bootstrap_se(data, draws), 'cluster bootstrap')
    return _percentiles(data, draws)


def _unit_interval(data: Clustered, se: float, kind: str) -> Interval:
    """The interval of a figure in [0, 1] from a standard error of it: Wilson's, or the rule of three's, or none."""
    mean = min(max(data.estimate, 0.0), 1.0)
    if data.size < 2:
        return no_interval(data)
    if min(data.se, se) < FLAT or not 0 < mean < 1:
        share = undetected(data.size)
        low, high, method = mean - share * mean, mean + share * (1 - mean), 'rule of three on clusters'
    else:
        low, high = wilson(mean, se, critical(data.df))
        method = f'{kind} SE, Wilson with t({data.df:.0f})'
    return Interval(mean=mean, low=low, high=high, se=se, clusters=data.size, method=method)


def no_interval(data: Clustered) -> Interval:
    """A figure of a single experiment: what another one would do to it is not known."""
    return Interval(mean=data.estimate, clusters=data.size, method='none: one cluster')


def wilson(mean: float, se: float, t: float) -> tuple[float, float]:
    """Wilson's score interval for an effective sample size of mean (1 - mean) / se^2; inside [0, 1], around `mean`."""
    weight = t * t * se * se / (mean * (1 - mean))
    centre = (mean + weight / 2) / (1 + weight)
    half = t * se * sqrt(1 + weight / (4 * mean * (1 - mean))) / (1 + weight)
    return max(centre - half, 0.0), min(centre + half, 1.0)


def critical(df: float, level: float = LEVEL) -> float:
    """Student's t that a two-sided interval of `level` reaches to."""
    return float(special.stdtrit(df, (1 + level) / 2))


def undetected(clusters: int) -> float:
    """The largest share of deviating clusters of which C drawn would show none with a chance of 1 - LEVEL."""
    return float(1 - (1 - LEVEL) ** (1 / clusters))


def expanded(estimates: Floats, df: float, clusters: int) -> tuple[float, float]:
    """The bootstrap's percentiles, at Φ(±t sqrt(C / (C - 1))), for plain ones are too narrow for few clusters.

    (Hesterberg 2015, "What Teachers Should Know About the Bootstrap".)
    """
    reach = special.ndtr(-critical(df) * sqrt(inflation(clusters)))
    low, high = np.quantile(estimates, [reach, 1 - reach])
    return float(low), float(high)


def _bootstrap_se(data: Clustered, draws: int) -> float:
    """The spread of the bootstrap's estimates with C / (C - 1), by which resampling clusters falls short."""
    return float(np.sqrt(inflation(data.size)) * data.bootstrap(draws).std())


def _percentiles(data: Clustered, draws: int) -> Interval:
    if data.size < 2:
        return no_interval(data)
    low, high = expanded(data.bootstrap(draws), data.df, data.size)
    mean = data.estimate
    return Interval(
        mean=mean,
        low=min(low, mean),
        high=max(high, mean),
        se=_bootstrap_se(data, draws),
        clusters=data.size,
        method=f'cluster bootstrap, percentiles expanded for t({data.df:.0f})',
    )


def _without_empty(data: Clustered) -> Clustered:
    """Without clusters that have nothing to count: they say nothing of the ratio."""
    there = (data.counts > 0).any(1) | (data.sums != 0).any(1)
    return Clustered(data.sums[there], data.counts[there])


def _check_unit(values: ArrayLike) -> None:
    column = np.asarray(values, float)
    if column.size and not (column.min() >= 0 and column.max() <= 1):
        raise ValueError(f'values from {column.min():g} to {column.max():g} are not fractions in [0, 1]')
