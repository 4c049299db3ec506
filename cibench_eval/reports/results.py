"""Results of datasets -> the rows of the paper's table."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib import resources
from typing import TypeVar

from pydantic import BaseModel, ConfigDict

from cibench_eval.models.limits import Usage
from cibench_eval.schema import Mode, StepOutcome, StepScore
from cibench_eval.traces import epoch_name

Key = TypeVar('Key', bound=str)
MODES: tuple[Mode, ...] = ('end_to_end', 'oracle')
METRICS = ('tool_rate', 'executable', 'numeric_correct', 'text_score', 'vis_sim')
"""The columns of the paper's Table 3 (arXiv 2407.10499), in its order."""
AVERAGED = ('numeric_correct', 'text_score', 'vis_sim')
AVERAGE = 'average'
FOLLOWED = 'followed'
RAN = '_ran'
"""End of the name of a metric that is taken over the steps whose last call ran."""
COLUMNS = tuple((mode, metric) for mode in MODES for metric in METRICS)


class Bounds(BaseModel):
    """The 95 % interval of a figure, and the number of experiments behind it."""

    model_config = ConfigDict(extra='forbid', frozen=True)

    low: float
    high: float
    clusters: int


class DatasetResult(BaseModel):
    """What one model got on one dataset; without metrics where its results file is not there."""

    model_config = ConfigDict(extra='forbid', frozen=True)

    model: str
    dataset: str
    """The name of its files, with that of the epoch: `demo`, `demo@2`."""
    split: str
    mode: Mode
    epoch: int = 1
    profile: str = ''
    metrics: dict[str, float] = {}
    """Metric -> mean over its steps × 100."""
    counts: dict[str, int] = {}
    """Metric -> number of steps behind it."""
    experiments: int = 0
    harness_errors: int = 0
    """Sessions that failed by a fault of the harness; no metric counts them."""
    sandbox: str = ''
    """In what the code ran, `none` where in nothing; several names apart by a blank, empty where it is not known."""
    usage: Usage = Usage()
    outcomes: dict[StepOutcome, int] = {}
    """How its steps ended, and how many."""
    failures: dict[str, int] = {}
    """Category of error -> steps that failed by it; FOLLOWED -> those that only followed from an earlier failure."""
    judged: dict[str, int] = {}
    """Judge -> failures whose category is its opinion."""
    scores: list[StepScore] = []
    """Of every step; without them there are figures and no intervals, and epochs cannot be averaged."""

    @property
    def base(self) -> str:
        """The dataset's name without its epoch."""
        return self.dataset.removesuffix(epoch_name('', self.epoch))


class Pass(BaseModel):
    """What several runs of each experiment come to; an experiment passes if every step of it ends `correct`."""

    model_config = ConfigDict(extra='forbid', frozen=True)

    mode: Mode
    k: int
    every: bool
    """Whether all of k runs pass (pass^k), or at least one (pass@k)."""
    mean: float
    """Over experiments, × 100."""
    bounds: Bounds | None = None
    experiments: int
    """Those that have all runs."""


class Row(BaseModel):
    """One model on one split: a line of the table."""

    model_config = ConfigDict(extra='forbid', frozen=True)

    model: str
    split: str
    metrics: dict[Mode, dict[str, float]]
    counts: dict[Mode, dict[str, int]]
    experiments: int = 0
    epochs: int = 1
    """Runs of each session that there were to be; figures are means over them inside the step, usage, outcomes and
    failures are sums."""
    missing: dict[Mode, list[str]] = {}
    """Datasets that other models of the split have, or that the run was to have, and this model has not."""
    profiles: list[str] = []
    sandboxes: list[str] = []
    harness_errors: int = 0
    usage: Usage = Usage()
    outcomes: dict[Mode, dict[StepOutcome, int]] = {}
    failures: dict[Mode, dict[str, int]] = {}
    judged: dict[str, int] = {}
    passes: list[Pass] = []
    """Where there are several epochs."""
    intervals: dict[str, Bounds] = {}
    """`<mode> <metric>` or AVERAGE -> its interval; not there where a single experiment says nothing of others."""
    rank: str = ''
    """`2–4`: ranks by the average that the data do not tell apart; empty where there is nothing to rank."""

    @property
    def average(self) -> float | None:
        """Mean of numeric, text and visual score over both modes: the leaderboard's own formula.

        It reproduces the published Average of all 24 models (`published/cibench_leaderboard.csv`). None where
        one of the six is not there or is of a part of the split only.
        """
        values = [self.value(mode, metric) for mode, metric in COLUMNS if metric in AVERAGED]
        known = [value for value in values if value is not None]
        return sum(known) / len(known) if len(known) == len(values) and self.whole else None

    @property
    def whole(self) -> bool:
        """Whether every dataset has results and no session is left out."""
        return not self.missing and not self.harness_errors

    @property
    def steps(self) -> int:
        """Steps of the split, counted once though both modes have them."""
        return max((counts.get('tool_rate', 0) for counts in self.counts.values()), default=0)

    def value(self, mode: Mode, metric: str) -> float | None:
        """A figure of the row, None where it has no step or no result."""
        return self.metrics.get(mode, {}).get(metric)


def aggregate(results: list[DatasetResult]) -> list[Row]:
    """One row for each model and split: splits as they come, in each the best average first, those without last.

    A metric of a split is the mean over the steps of its datasets: each dataset weighs as many as it has. A
    dataset without results is left out of the figures and named in `Row.missing`, which bars the average.
    """
    rows = []
    for split in dict.fromkeys(result.split for result in results):
        those = [result for result in results if result.split == split]
        models = dict.fromkeys(result.model for result in those)
        rows += sorted((_row(split, model, those) for model in models), key=_rank)
    return rows


def published() -> list[Row]:
    """The leaderboard of CIBench as published by its authors: 24 models, figures without step counts."""
    file = resources.files(__package__) / 'published' / 'cibench_leaderboard.csv'
    return [_published(line) for line in csv.DictReader(file.read_text(encoding='utf-8').splitlines())]


def _published(line: dict[str, str]) -> Row:
    """The ten figures between the model's name and its average stand in the order of COLUMNS."""
    metrics: dict[Mode, dict[str, float]] = {mode: {} for mode in MODES}
    for (mode, metric), figure in zip(COLUMNS, list(line.values())[1:11], strict=True):
        metrics[mode][metric] = float(figure)
    return Row(model=line['Model'], split='published', metrics=metrics, counts={})


def _rank(row: Row) -> tuple[bool, float]:
    return row.average is None, -(row.average or 0.0)


def _row(split: str, model: str, everyone: list[DatasetResult]) -> Row:
    """The row of a model, given the results of all models on the split."""
    own = [result for result in everyone if result.model == model and result.counts]
    runs = {mode: [result for result in own if result.mode == mode] for mode in MODES}
    modes = {mode: average_epochs(those) for mode, those in runs.items()}
    return Row(
        model=model,
        split=split,
        metrics={mode: _means(those) for mode, those in modes.items() if those},
        counts={mode: _counts(those) for mode, those in modes.items() if those},
        experiments=max(sum(result.experiments for result in those) for those in modes.values()),
        epochs=max(result.epoch for result in everyone),
        missing=_missing(own, everyone),
        profiles=sorted({result.profile for result in own if result.profile}),
        sandboxes=sorted({name for result in own for name in result.sandbox.split()}),
        outcomes={mode: _sum(r.outcomes for r in those) for mode, those in runs.items() if those},
        failures={mode: _sum(r.failures for r in those) for mode, those in runs.items() if those},
        judged=_sum(result.judged for result in own),
        usage=sum((result.usage for result in own), Usage()),
        harness_errors=sum(result.harness_errors for result in everyone if result.model == model),
    )


def average_epochs(results: list[DatasetResult]) -> list[DatasetResult]:
    """The results of one model in one mode with one for each dataset, its epochs averaged inside the step first."""
    datasets: dict[str, list[DatasetResult]] = {}
    for result in results:
        datasets.setdefault(result.base, []).append(result)
    return [those[0] if len(those) == 1 else _averaged(those) for those in datasets.values()]


def _averaged(epochs: list[DatasetResult]) -> DatasetResult:
    """What epochs of a dataset come to: its metrics, and how many steps and experiments have them."""
    from cibench_eval.analysis.steps import Scored, given_ran, table_of

    runs = [Scored(result.mode, result.scores, result.epoch) for result in epochs]
    table = table_of(runs)
    metrics: dict[str, float] = {}
    counts: dict[str, int] = {}
    for name in dict.fromkeys(name for result in epochs for name in result.counts):
        if name.endswith(RAN):
            ratio = given_ran(runs, name.removesuffix(RAN))
            metrics[name], counts[name] = 100 * ratio.value, ratio.steps
        else:
            values = table.only(metrics=[name]).values
            metrics[name], counts[name] = 100 * float(values.mean()), len(values)
    experiments = len(set(table.clusters))
    return epochs[0].model_copy(update={'metrics': metrics, 'counts': counts, 'experiments': experiments})


def _missing(own: list[DatasetResult], everyone: list[DatasetResult]) -> dict[Mode, list[str]]:
    there = {(result.mode, result.dataset) for result in own}
    wanted = dict.fromkeys((result.mode, result.dataset) for result in everyone)
    lists = {mode: [name for m, name in wanted if m == mode and (m, name) not in there] for mode in MODES}
    return {mode: names for mode, names in lists.items() if names}


def _counts(results: list[DatasetResult]) -> dict[str, int]:
    names = dict.fromkeys(metric for result in results for metric in result.counts)
    return {metric: sum(result.counts.get(metric, 0) for result in results) for metric in names}


def _sum(counts: Iterable[Mapping[Key, int]]) -> dict[Key, int]:
    total: Counter[Key] = Counter()
    for one in counts:
        total.update(one)
    return dict(total.most_common())


def _means(results: list[DatasetResult]) -> dict[str, float]:
    counts = _counts(results)
    return {
        metric: sum(r.metrics[metric] * r.counts[metric] for r in results if metric in r.counts) / count
        for metric, count in counts.items()
        if count
    }
