"""Rows with what their figures may be: intervals clustered by experiment, and ranks that the data separate.

scipy is imported by the first call, not with the package.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cibench_eval.reports.results import AVERAGE, AVERAGED, COLUMNS, Bounds, DatasetResult, Row

if TYPE_CHECKING:
    from cibench_eval.analysis.intervals import Interval
    from cibench_eval.analysis.steps import StepTable


def with_uncertainty(rows: list[Row], results: Iterable[DatasetResult]) -> list[Row]:
    """`rows` (of `aggregate(results)`) with intervals and ranks, as far as step scores are known.

    Ranks are by the leaderboard's average, among the models of a split that have it.
    """
    from cibench_eval.analysis.steps import Scored, table_of

    known = list(results)
    tables = {
        (row.split, row.model): table_of(
            Scored(result.mode, result.scores)
            for result in known
            if (result.split, result.model) == (row.split, row.model)
        )
        for row in rows
    }
    ranks = {
        (split, model): text
        for split in dict.fromkeys(row.split for row in rows)
        for model, text in _ranks(split, rows, tables)
    }
    return [
        row.model_copy(update={'intervals': _intervals(row, tables[key]), 'rank': ranks.get(key, '')})
        for row in rows
        for key in [(row.split, row.model)]
    ]


def _intervals(row: Row, table: StepTable) -> dict[str, Bounds]:
    from cibench_eval.analysis.intervals import average_interval, mean_interval

    found: dict[str, Interval] = {}
    for mode, metric in COLUMNS:
        part = table.only(mode, [metric])
        if part.cells:
            found[f'{mode} {metric}'] = mean_interval(part.values, part.clusters)
    if row.average is not None:
        six = table.only(metrics=AVERAGED)
        found[AVERAGE] = average_interval(six.values, six.clusters, six.strata)
    return {
        name: Bounds(low=100 * interval.low, high=100 * interval.high, clusters=interval.clusters)
        for name, interval in found.items()
        if interval.low is not None and interval.high is not None
    }


def _ranks(split: str, rows: list[Row], tables: dict[tuple[str, str], StepTable]) -> list[tuple[str, str]]:
    """(model, ranks that it may have) of the models of a split that can be ranked, if there are two at least."""
    from cibench_eval.analysis.comparison import rank_groups
    from cibench_eval.analysis.steps import align

    whole = [
        row.model for row in rows if row.split == split and row.average is not None and tables[split, row.model].cells
    ]
    if len(whole) < 2:
        return []
    shared = align({model: tables[split, model].only(metrics=AVERAGED) for model in whole})
    return [
        (rank.model, rank.text) for rank in rank_groups(shared.values, shared.clusters, shared.models, shared.strata)
    ]
