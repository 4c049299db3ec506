"""Comparisons of two models or many.

Models are compared step by step on the same experiments, so that the difficulty of an experiment cancels out (Miller
2024, arXiv 2411.00640, section 4). Tests and intervals agree: a 95 % interval of a difference excludes 0 exactly if its
p-value is below 0.05.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import scipy  # its parts are imported where they are first used
from numpy.typing import ArrayLike

from cibench_eval.analysis.clusters import TINY, Clustered, Floats, Labels
from cibench_eval.analysis.intervals import LEVEL, Interval, critical
from cibench_eval.schema import Record

FEWEST = 6
"""Fewest clusters that can tell models apart: five differ in one direction with a chance of 2 / 2^5 without cause."""


class Comparison(Record):
    """Model a minus model b."""

    difference: Interval
    p: float | None = None
    """Two-sided; None where there is a single experiment, or one that alone has a metric of the average."""


class Rank(Record):
    """The rank of a model among others, as far as the data tells."""

    model: str
    mean: float
    best: int
    """1 + how many models are better beyond chance."""
    worst: int
    """Models in all, less those that are worse beyond chance."""

    @property
    def text(self) -> str:
        return str(self.best) if self.best == self.worst else f'{self.best}–{self.worst}'


def compare(a: ArrayLike, b: ArrayLike, clusters: Labels, strata: Labels | None = None) -> Comparison:
    """Two models' scores in [-1, 1] on the same steps, one by one (`steps.align`): difference, interval and p-value.

    The standard error is cluster-robust, with t on C - 1 degrees of freedom or fewer (`Clustered.df`). With `strata`
    it is the difference of the leaderboard's average. Where clusters do not differ in the difference d, or are fewer
    than FEWEST, the rule of three bounds it, too (`undetected`), and p = 2 (1 + |d|)^-C is where that interval just
    reaches 0. A stratum of fewer clusters than FEWEST cannot make a difference of the average sure: interval and p are
    also those without it.

    Raises:
        ValueError: the columns differ in length, or are empty.
    """
    first, second = np.asarray(a, float), np.asarray(b, float)
    if first.shape != second.shape:
        raise ValueError(f'two models on the same steps, but {first.size} and {second.size} scores')
    data = Clustered.of(first - second, clusters, strata)
    p = _pvalue(data)
    if p is None:
        return Comparison(difference=Interval(mean=data.estimate, clusters=data.size))
    (least, most), reach = sorted([data.estimate, _known(data)]), critical(data.df) * data.se
    low, high = max(least - reach, -1.0), min(most + reach, 1.0)
    if _by_rule(data):
        share = undetected(int(data.spread.max()))
        low, high = min(low, least - share * (least + 1)), max(high, most + share * (1 - most))
    interval = Interval(mean=data.estimate, low=low, high=high, se=data.se, clusters=data.size)
    return Comparison(difference=interval, p=p)


def _by_rule(data: Clustered) -> bool:
    return bool(data.spread.max() < FEWEST) or data.se < TINY


def _known(data: Clustered) -> float:
    """The part of the estimate that comes from strata of FEWEST clusters or more; all of it where there are none."""
    many = data.spread >= FEWEST
    return float(data.rates[many].sum() / len(many)) if many.any() else data.estimate


def undetected(clusters: int) -> float:
    """The largest share of deviating clusters of which C drawn would show none with a chance of (1 - LEVEL) / 2.

    The rule of three, for either side 3.7 / C (Hanley & Lippman-Hand 1983, JAMA 249). A deviating cluster can be
    anything.
    """
    return float(1 - ((1 - LEVEL) / 2) ** (1 / clusters))


def holm(pvalues: Sequence[float] | Floats) -> Floats:
    """Adjusted p-values, in the order given: below 0.05 only if all tests together err with a chance below 5 %.

    Step-down: the k-th smallest of m is taken times m - k + 1, and none is below the one before it.
    (Holm 1979, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian J. of Statistics 6.)
    """
    values = np.asarray(pvalues, float)
    order = np.argsort(values, kind='stable')
    steps = values[order] * np.arange(len(values), 0, -1)
    adjusted: Floats = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return adjusted


def rank_groups(scores: ArrayLike, clusters: Labels, models: Sequence[str], strata: Labels | None = None) -> list[Rank]:
    """Models, the best mean first, each with the ranks that it may have; `scores` is a row of steps for each.

    All pairs are compared, Holm-corrected. A model is above another only where their difference is significant; the
    chance that any pair of all is told apart wrongly is below 1 - LEVEL, and so is the chance that any model's ranks
    leave out its true one. (Mogstad, Romano, Shaikh & Wilhelm 2024, "Inference for Ranks", Rev. Econ. Studies 91(1).)
    """
    data = [Clustered.of(row, clusters, strata) for row in np.asarray(scores, float)]
    pairs = list(combinations(range(len(data)), 2))
    found = [_pvalue(data[i].minus(data[j])) for i, j in pairs]
    adjusted = holm([1.0 if p is None else p for p in found])
    better = np.zeros((len(data), len(data)), bool)
    for (i, j), p in zip(pairs, adjusted, strict=True):
        first, second = (i, j) if data[i].estimate > data[j].estimate else (j, i)
        better[first, second] = p < 1 - LEVEL
    bests, worsts = 1 + better.sum(0), len(data) - better.sum(1)
    ranks = [
        Rank(model=model, mean=one.estimate, best=int(best), worst=int(worst))
        for model, one, best, worst in zip(models, data, bests, worsts, strict=True)
    ]
    return sorted(ranks, key=lambda rank: (-rank.mean, rank.model))


def _pvalue(data: Clustered) -> float | None:
    """The p-value of no difference; None where a stratum has a single cluster."""
    if not data.measured:
        return None
    mean, known = data.estimate, _known(data)
    least = min(abs(mean), abs(known)) if mean * known > 0 else 0.0
    by_rule = min(2 * float((1 + least) ** -int(data.spread.max())), 1.0) if _by_rule(data) else 0.0
    return by_rule if data.se < TINY else max(by_rule, float(2 * scipy.special.stdtr(data.df, -least / data.se)))
