"""Rows with what their figures may be: intervals clustered by experiment, and ranks that the data separate.

scipy is imported by the first call, not with the package.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cibench_eval.reports.parts import OBJECTS
from cibench_eval.reports.results import AVERAGE, AVERAGED, COLUMNS, MODES, RAN, Bounds, DatasetResult, Pass, Row

if TYPE_CHECKING:
    from cibench_eval.analysis.intervals import Interval
    from cibench_eval.analysis.steps import Scored, StepTable


def with_uncertainty(rows: list[Row], results: Iterable[DatasetResult]) -> list[Row]:
    """`rows` (of `aggregate(results)`) with intervals and ranks, as far as step scores are known.

    Ranks are by the leaderboard's average, among the models of a split that have it.
    """
    from cibench_eval.analysis.steps import Scored, table_of

    runs: dict[tuple[str, str], list[Scored]] = {(row.split, row.model): [] for row in rows}
    for result in results:
        runs[result.split, result.model].append(Scored(result.mode, result.scores, result.epoch))
    tables = {key: table_of(those) for key, those in runs.items()}
    ranks = {
        (split, model): text
        for split in dict.fromkeys(row.split for row in rows)
        for model, text in _ranks(split, rows, tables)
    }
    return [
        row.model_copy(
            update={
                'intervals': _intervals(row, tables[key], runs[key]),
                'passes': _passes(runs[key]) if row.epochs > 1 else [],
                'rank': ranks.get(key, ''),
            }
        )
        for row in rows
        for key in [(row.split, row.model)]
    ]


def _intervals(row: Row, table: StepTable, runs: list[Scored]) -> dict[str, Bounds]:
    from cibench_eval.analysis.intervals import average_interval, mean_interval, ratio_interval
    from cibench_eval.analysis.steps import given_ran

    found: dict[str, Interval] = {}
    for mode, metric in (*COLUMNS, *((mode, OBJECTS) for mode in MODES)):
        part = table.only(mode, [metric])
        if part.cells:
            found[f'{mode} {metric}'] = mean_interval(part.values, part.clusters)
    conditional = [(mode, name) for mode, counts in row.counts.items() for name in counts if name.endswith(RAN)]
    for mode, metric in conditional:
        those = given_ran((run for run in runs if run.mode == mode), metric.removesuffix(RAN))
        if those.steps:
            found[f'{mode} {metric}'] = ratio_interval(*those)
    if row.average is not None:
        six = table.only(metrics=AVERAGED)
        found[AVERAGE] = average_interval(six.values, six.clusters, six.strata)
    return {name: bounds for name, interval in found.items() if (bounds := _bounds(interval))}


def _bounds(interval: Interval) -> Bounds | None:
    if interval.low is None or interval.high is None:
        return None
    return Bounds(low=100 * interval.low, high=100 * interval.high, clusters=interval.clusters)


def _passes(runs: list[Scored]) -> list[Pass]:
    """pass@k and pass^k by mode, for k = 1, 2, 4, … and all runs; pass^1 is pass@1.

    All are over the experiments that have all runs, so that they can be compared: pass@k never falls with k.
    """
    from cibench_eval.analysis.passes import at_least, pass_interval, passes_of

    found = []
    for mode in MODES:
        passes = passes_of(run for run in runs if run.mode == mode)
        most = max(passes.runs, default=0)
        those = at_least(passes, most)
        for every in (False, True):
            for k in _sizes(most):
                if not (every and k == 1):
                    interval = pass_interval(those, k, every=every)
                    bounds, number = _bounds(interval), interval.clusters
                    found.append(
                        Pass(mode=mode, k=k, every=every, mean=100 * interval.mean, bounds=bounds, experiments=number)
                    )
    return found


def _sizes(most: int) -> list[int]:
    """1, 2, 4, … and `most`."""
    return [*(2**power for power in range(most.bit_length()) if 2**power < most), *([most] if most else [])]


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
