"""Models whose true accuracy is known, on experiments whose steps stand and fall together."""

from functools import cache

import numpy as np
from scipy.special import betaincinv, ndtr

SIMULATIONS = 1000
GRID = (np.arange(4000) + 0.5) / 4000


def chances(where, accuracy, correlation):
    """Chances of a step by experiment: Beta with mean `accuracy`, at the quantiles `where`."""
    return np.interp(where, GRID, quantiles(accuracy, correlation))


@cache
def quantiles(accuracy, correlation):
    weight = (1 - correlation) / correlation
    return betaincinv(accuracy * weight, (1 - accuracy) * weight, GRID)


def experiments(rng, clusters):
    """The experiment of each step: 5 to 15 steps in each, as in the benchmark."""
    return np.repeat(np.arange(clusters), rng.integers(5, 16, clusters))


def model(rng, clusters, accuracy, correlation):
    rows = experiments(rng, clusters)
    right = rng.random(len(rows)) < chances(rng.random(clusters), accuracy, correlation)[rows]
    return right.astype(float), rows


def graded(rng, clusters, mean, correlation, share):
    """Scores of `mean`: similarities, as of texts and figures, in a `share` of the steps; the others right or wrong."""
    rows = experiments(rng, clusters)
    each = np.clip(chances(rng.random(clusters), mean, correlation)[rows], 1e-6, 1 - 1e-6)
    similarities = rng.beta(3 * each, 3 * (1 - each))
    return np.where(rng.random(len(rows)) < share, similarities, rng.random(len(rows)) < each), rows


def models(rng, clusters, accuracies, correlation):
    """Models of given accuracies on the same steps; an experiment hard for one is hard for all. A row each."""
    rows = experiments(rng, clusters)
    where = ndtr(
        np.sqrt(0.6) * rng.standard_normal(clusters) + np.sqrt(0.4) * rng.standard_normal((len(accuracies), clusters))
    )
    each = np.stack([chances(at, accuracy, correlation) for at, accuracy in zip(where, accuracies, strict=True)])
    return (rng.random((len(accuracies), len(rows))) < each[:, rows]).astype(float), rows


def cascade(rng, clusters):
    """Ten steps each; right with a chance of 0.8, of 0.4 after a wrong one."""
    right = np.ones((clusters, 10), bool)
    before = np.ones(clusters, bool)
    for step in range(10):
        before = right[:, step] = rng.random(clusters) < np.where(before, 0.8, 0.4)
    return right.ravel().astype(float), np.repeat(np.arange(clusters), 10)


def cascade_accuracy():
    chance, total = 1.0, 0.0
    for _ in range(10):
        chance = 0.8 * chance + 0.4 * (1 - chance)
        total += chance
    return total / 10
