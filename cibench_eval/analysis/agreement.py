"""The agreement of several measures of the same steps: judges, people and scoring profiles.

Pearson and Spearman tell whether two measures rise and fall together, Krippendorff's α whether they give the same
values, so that a fair and strict judge has a high correlation and a low α. The paper's §4.2 (arXiv 2407.10499) compares
the visual scores of a judge with SSIM; here measures are paired step by step, with intervals from a bootstrap over
experiments, whose steps are not independent.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import combinations
from math import isnan

import numpy as np
import scipy  # its parts are imported where they are first used
from numpy.typing import ArrayLike

from cibench_eval.analysis.clusters import Floats
from cibench_eval.analysis.intervals import expanded
from cibench_eval.analysis.labels import Labels
from cibench_eval.evaluators import find_profile, profile_names, score_session
from cibench_eval.evaluators.judges.store import JudgedDataset
from cibench_eval.evaluators.metrics import METRICS
from cibench_eval.evaluators.work import works_of
from cibench_eval.grouping import grouped
from cibench_eval.schema import CibenchError, Record

Statistic = Callable[[Floats, Floats], float]
ENOUGH = 3
"""Fewest models whose means can be correlated."""
FEWEST = 5
"""Fewest clusters for a bootstrap: two clusters have only three different resamples."""
DIGITS = 3
"""Decimals of a value that count, as in tables of values × 100: a figure that is drawn twice has an SSIM of 0.9998."""
ALIKE = 1e-9
"""Largest difference of two coefficients that are one, but for rounding."""
FURTHER = tuple(metric.name for metric in METRICS if metric.of_outputs and metric.correct_from is None)
"""Further metrics of output that do not decide whether a step is correct."""


class MeasuredStep(Record):
    """The values of all measures for one step."""

    model: str
    experiment: str
    values: dict[str, float]
    """Measure -> 0 to 1, for the measures that have a value for the step."""


def observations_of(datasets: Sequence[JudgedDataset], labels: Labels | None = None) -> dict[str, list[MeasuredStep]]:
    """Metric -> its judged or labelled steps, with the scores of every scoring profile, every judge and everybody.

    Further metrics of the same steps are among the measures. On a `plot` of Qwen-Agent's benchmark no profile decides:
    under this name its steps have what judges and people say of them alone. Steps with nothing to judge are left out:
    all measures give them 0, which is no evidence of agreement. So are labels of other steps that no profile scores.

    Raises:
        CibenchError: a label is on a step that is not in the run.
    """
    found: dict[str, list[MeasuredStep]] = {}
    left = dict(labels or {})
    for dataset in datasets:
        judged = judged_values(dataset)
        if left:
            for step, values in _labelled(dataset, left):
                judged[step] = judged.get(step, {}) | values
        for metric, step, values in _scored(dataset, set(judged)):
            one = MeasuredStep(model=dataset.model, experiment=step[0], values=values | judged[step])
            found.setdefault(metric, []).append(one)
    for name in left:
        raise CibenchError(f'labels: the run has no step {", ".join(name)}; take the table of this run')
    return found


def _labelled(dataset: JudgedDataset, left: Labels) -> Iterator[tuple[tuple[str, int], dict[str, float]]]:
    """The labels of a dataset's steps, which are taken out of `left`."""
    for trace in dataset.traces.load().values():
        for step in trace.steps:
            name = trace.model, trace.dataset, str(trace.epoch), trace.experiment, str(step.index + 1)
            if values := left.pop(name, None):
                yield (trace.experiment, step.index), values


def judged_values(dataset: JudgedDataset) -> dict[tuple[str, int], dict[str, float]]:
    """Experiment and step -> judge -> its score."""
    judged: dict[tuple[str, int], dict[str, float]] = {}
    for verdict in dataset.current():
        if not verdict.on_failure and verdict.replies and verdict.score is not None:
            judged.setdefault((verdict.experiment, verdict.index), {})[verdict.judge] = verdict.score
    return judged


def _scored(
    dataset: JudgedDataset, wanted: set[tuple[str, int]]
) -> Iterator[tuple[str, tuple[str, int], dict[str, float]]]:
    """Metric, step, and what each scoring profile gives it."""
    profiles = [find_profile(name) for name in profile_names()]
    traces = dataset.traces.load() if wanted else {}
    for experiment in dataset.experiments:
        steps = {index for name, index in wanted if name == experiment.id}
        if not steps or experiment.id not in traces:
            continue
        works = works_of(traces[experiment.id].steps, dataset.traces.figures)
        scored = {one.name: score_session(works, experiment, one, dataset.options) for one in profiles}
        for index in sorted(steps):
            kind = experiment.steps[index].kind
            metric = next((metric for one in profiles if (metric := one.deciding(kind))), None)
            if metric is None and kind != 'plot':
                continue
            values = {name: scores[index].values.get(metric.name) for name, scores in scored.items()} if metric else {}
            further = {name: value for name, value in scored['strict'][index].values.items() if name in FURTHER}
            yield (
                metric.name if metric else kind,
                (experiment.id, index),
                {name: value for name, value in (values | further).items() if value is not None},
            )


class Coefficient(Record):
    """A coefficient of agreement with its interval; None for a constant measure or too few experiments."""

    value: float | None
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, value: float) -> Coefficient:
        return cls(value=None if isnan(value) else value)


class Agreement(Record):
    """The agreement of two measures on the steps that both have."""

    a: str
    b: str
    steps: int
    experiments: int
    same: float
    """The share of steps to which both give the same value."""
    pearson: Coefficient
    spearman: Coefficient
    alpha: Coefficient


class ModelMeans(Record):
    """One model's means × 100 over the steps that every measure has."""

    model: str
    steps: int
    means: dict[str, float]


def pearson(a: ArrayLike, b: ArrayLike) -> float:
    """Pearson's correlation; nan for a constant column."""
    x, y = (np.asarray(column, float) for column in (a, b))
    if not x.size or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float('nan')
    return float(np.corrcoef(x, y)[0, 1])


def spearman(a: ArrayLike, b: ArrayLike) -> float:
    """Pearson's correlation of the ranks, ties having their mean rank."""
    return pearson(scipy.stats.rankdata(a), scipy.stats.rankdata(b))


def krippendorff_alpha(ratings: ArrayLike) -> float:
    """Krippendorff's α with the interval metric: 1 - observed / expected disagreement, (c - k)² between two values.

    Source: Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability" (part D: any metric, missing data); Hayes &
    Krippendorff 2007, "Answering the Call for a Standard Reliability Measure for Coding Data".

    Args:
        ratings: a row for each observer, a column for each unit; nan for a missing rating.

    Returns:
        α, at most 1; nan if no unit has two values, or all values are equal.
    """
    table = np.atleast_2d(np.asarray(ratings, float))
    table = table[:, (~np.isnan(table)).sum(0) >= 2]
    if not table.size or np.nanmin(table) == np.nanmax(table):
        return float('nan')
    table = table - np.nanmean(table)
    counts, sums, squares = (~np.isnan(table)).sum(0), np.nansum(table, 0), np.nansum(table**2, 0)
    values = counts.sum()
    observed = 2 * ((counts * squares - sums**2) / (counts - 1)).sum() / values
    expected = 2 * (values * squares.sum() - sums.sum() ** 2) / (values * (values - 1))
    return float(1 - observed / expected)


STATISTICS: dict[str, Statistic] = {
    'pearson': pearson,
    'spearman': spearman,
    'alpha': lambda a, b: krippendorff_alpha([a, b]),
}


def agreements(observations: Sequence[MeasuredStep], measures: Sequence[str], draws: int = 1000) -> list[Agreement]:
    """Compare every pair of measures that have a step in common.

    What differs by less than `DIGITS` tell is the same, so that the noise of a measure is no disagreement.
    """
    found = []
    for a, b in combinations(measures, 2):
        both = [one for one in observations if a in one.values and b in one.values]
        if both:
            first, second = ([round(one.values[name], DIGITS) for one in both] for name in (a, b))
            columns = np.array(first), np.array(second)
            clusters = [one.experiment for one in both]
            estimates = {name: estimate(kind, columns, clusters, draws) for name, kind in STATISTICS.items()}
            same = float(np.mean(columns[0] == columns[1]))
            found.append(Agreement(a=a, b=b, steps=len(both), experiments=len(set(clusters)), same=same, **estimates))
    return found


def levels(observations: Sequence[MeasuredStep], measures: Sequence[str]) -> list[ModelMeans]:
    """Compute each model's means over the steps that every measure has."""
    whole = [one for one in observations if set(measures) <= one.values.keys()]
    found = []
    for model, own in grouped(whole, lambda one: one.model).items():
        # What differs by the order of a sum alone is the same mean: it has no rank, and no correlation.
        means = {measure: round(100 * sum(one.values[measure] for one in own) / len(own), 9) for measure in measures}
        found.append(ModelMeans(model=model, steps=len(own), means=means))
    return found


def estimate(
    statistic: Statistic, columns: tuple[Floats, Floats], clusters: Sequence[str], draws: int = 1000, seed: int = 0
) -> Coefficient:
    """A statistic of two columns with its 95 % interval from resampling whole clusters with replacement.

    Draws with an undefined statistic are left out. With fewer than half of the draws, or fewer than FEWEST clusters,
    there is no interval; nor where all draws are alike, as without any disagreement: they say nothing of what was not
    drawn.
    """
    value = statistic(*columns)
    groups, members = np.unique(np.asarray(clusters), return_inverse=True)
    if isnan(value) or len(groups) < FEWEST:
        return Coefficient.of(value)
    rows = [np.flatnonzero(members == group) for group in range(len(groups))]
    generator = np.random.default_rng(seed)
    resamples = (np.concatenate([rows[g] for g in generator.integers(len(rows), size=len(rows))]) for _ in range(draws))
    values = np.array([statistic(columns[0][drawn], columns[1][drawn]) for drawn in resamples])
    values = values[~np.isnan(values)]
    if len(values) < draws / 2 or np.ptp(values) < ALIKE:
        return Coefficient(value=value)
    low, high = expanded(values, len(groups) - 1, len(groups))
    return Coefficient(value=value, low=min(low, value), high=max(high, value))


def to_markdown(found: Sequence[Agreement], means: Sequence[ModelMeans], replays: Collection[str] = ()) -> str:
    """The tables; `replays` are models that answer with the gold, and so have no part in correlations over models."""
    lines = ['| measures | steps | experiments | same, % | Pearson | Spearman | Krippendorff α |', '|---' * 7 + '|']
    lines += [
        f'| {one.a} / {one.b} | {one.steps} | {one.experiments} | {100 * one.same:.1f} | '
        f'{_words(one.pearson)} | {_words(one.spearman)} | {_words(one.alpha)} |'
        for one in found
    ]
    if means:
        measures = list(means[0].means)
        lines += ['', f'| model | steps | {" | ".join(measures)} |', '|---' * (2 + len(measures)) + '|']
        lines += [
            f'| {one.model} | {one.steps} | {" | ".join(f"{one.means[measure]:.1f}" for measure in measures)} |'
            for one in means
        ]
        models = [one for one in means if one.model not in replays]
        if len(models) >= ENOUGH:
            lines += ['', f'| measures, over {len(models)} models | Pearson | Spearman |', '|---|---|---|']
            for pair in combinations(measures, 2):  # whether two measures rank models alike (§4.2)
                columns = [[one.means[measure] for one in models] for measure in pair]
                both = (_words(Coefficient.of(kind(*columns))) for kind in (pearson, spearman))
                lines.append(f'| {" / ".join(pair)} | {" | ".join(both)} |')
    return '\n'.join(lines) + '\n'


def _words(one: Coefficient) -> str:
    if one.value is None:
        return '–'
    ends = [end for end in (one.value, one.low, one.high) if end is not None]
    value, *bounds = [f'{round(end, 2) + 0:.2f}' for end in ends]  # + 0: no -0.00
    return f'{value} [{", ".join(bounds)}]' if bounds else value
