"""Results of datasets -> the rows of the paper's table."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from cibench_eval.schema import Mode

MODES: tuple[Mode, ...] = ('end_to_end', 'oracle')
METRICS = ('tool_rate', 'executable', 'numeric_correct', 'text_score', 'vis_sim')
"""The columns of the paper's Table 3, in its order."""
AVERAGED = ('numeric_correct', 'text_score', 'vis_sim')


class DatasetResult(BaseModel):
    """What one model got on one dataset; without metrics where its results file is not there."""

    model_config = ConfigDict(extra='forbid', frozen=True)

    model: str
    dataset: str
    split: str
    mode: Mode
    profile: str = ''
    metrics: dict[str, float] = {}
    """Metric -> mean over its steps × 100."""
    counts: dict[str, int] = {}
    """Metric -> number of steps behind it."""


class Row(BaseModel):
    """One model on one split: a line of the table."""

    model_config = ConfigDict(extra='forbid', frozen=True)

    model: str
    split: str
    metrics: dict[Mode, dict[str, float]]
    counts: dict[Mode, dict[str, int]]
    missing: list[str]
    """Datasets of the split that have no results; the figures are then of the others only."""
    profiles: list[str]

    @property
    def average(self) -> float | None:
        """Mean of numeric, text and visual score over both modes: the leaderboard's own formula.

        It reproduces the published Average of all 24 models (`published/cibench_leaderboard.csv`). None where
        one of the six is not there, or datasets are missing.
        """
        values = [self.metrics.get(mode, {}).get(metric) for mode in MODES for metric in AVERAGED]
        known = [value for value in values if value is not None]
        return sum(known) / len(known) if len(known) == len(values) and not self.missing else None

    @property
    def steps(self) -> int:
        """Steps of the split, counted once though both modes have them."""
        return max((counts.get('tool_rate', 0) for counts in self.counts.values()), default=0)


def aggregate(results: list[DatasetResult]) -> list[Row]:
    """One row for each model and split, in the order of splits, the best average first.

    A metric of a split is the mean over the steps of its datasets: each dataset weighs as many as it has.
    """
    keys = list(dict.fromkeys((result.split, result.model) for result in results))
    rows = [_row(split, model, [r for r in results if (r.split, r.model) == (split, model)]) for split, model in keys]
    splits = list(dict.fromkeys(row.split for row in rows))
    return sorted(rows, key=lambda row: (splits.index(row.split), -(row.average or 0.0)))


def _row(split: str, model: str, results: list[DatasetResult]) -> Row:
    modes = [mode for mode in MODES if any(result.mode == mode for result in results)]
    return Row(
        model=model,
        split=split,
        metrics={mode: _means([r for r in results if r.mode == mode]) for mode in modes},
        counts={mode: _counts([r for r in results if r.mode == mode]) for mode in modes},
        missing=[result.dataset for result in results if not result.counts],
        profiles=sorted({result.profile for result in results if result.profile}),
    )


def _counts(results: list[DatasetResult]) -> dict[str, int]:
    names = dict.fromkeys(metric for result in results for metric in result.counts)
    return {metric: sum(result.counts.get(metric, 0) for result in results) for metric in names}


def _means(results: list[DatasetResult]) -> dict[str, float]:
    counts = _counts(results)
    return {
        metric: sum(r.metrics[metric] * r.counts[metric] for r in results if metric in r.counts) / count
        for metric, count in counts.items()
    }
