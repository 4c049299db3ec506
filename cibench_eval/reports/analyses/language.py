"""A split and its Chinese twin, compared step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from cibench_eval.analysis.results import WHOLE
from cibench_eval.grouping import grouped
from cibench_eval.reports.analyses.drawing import points
from cibench_eval.reports.analyses.study import Analysis, LackingError, Statistic, StudiedRuns
from cibench_eval.reports.comparison import NAMES, RIGHT, Difference, PairOfRuns, difference_table
from cibench_eval.reports.rows import runs_of
from cibench_eval.schema import CibenchError

CHINESE = '_cn'
"""The end of the name of a Chinese split; the rest is the name of its twin."""
MEASURES = (RIGHT, WHOLE, 'numeric_correct', 'text_score', 'vis_sim')
NOTE = (
    'A: the split; B: its Chinese twin. B − A is paired step by step, on the experiments that both have; its 95 % '
    'interval and p-value are by experiments.'
)


def language(study: StudiedRuns) -> Analysis:
    """Scores in Chinese against English (paper, §4.3)."""
    found = [(model, one) for model in dict.fromkeys(one.model for one in study.results) for one in _of(study, model)]
    if not found:
        raise LackingError(f'no model has a split and its Chinese twin (…{CHINESE})')
    named = [replace(one, split=f'{model} {one.split}') for model, one in found]
    table = replace(difference_table(named, 'Chinese against English'), note=NOTE)
    return Analysis('language', table, partial(_draw, found))


def _of(study: StudiedRuns, model: str) -> Iterator[Difference]:
    own = [one for one in study.results if one.model == model and one.results]
    runs = {split: runs_of(those) for split, those in grouped(own, lambda one: one.split).items()}
    for split in runs:
        if split + CHINESE in runs:
            pair = PairOfRuns({split: runs[split]}, {split: runs[split + CHINESE]})
            try:
                found = [one for one in pair.differences() if one.name in MEASURES]
            except CibenchError:
                continue  # without a common step they are no twins
            yield from map(_without_interval, found) if model in study.replays else found


def _without_interval(one: Difference) -> Difference:
    """A difference without interval and p-value, for replays of gold, which are no samples."""
    unknown = one.comparison.difference.model_copy(update={'low': None, 'high': None, 'se': None})
    return replace(one, comparison=one.comparison.model_copy(update={'difference': unknown, 'p': None}))


def _draw(found: list[tuple[str, Difference]], axes: Any) -> None:
    shares = {(f'{model} {one.split}', one.name): Statistic(one.points, one.steps, one.bounds) for model, one in found}
    names = [name for name in MEASURES if any(name == of for _, of in shares)]
    series = {
        who: [shares.get((who, name), Statistic(None, 0)) for name in names]
        for who in dict.fromkeys(w for w, _ in shares)
    }
    points(axes, [NAMES[name] for name in names], series, 'Chinese less English, points of 100')
    axes.axvline(0, color='#999999', linewidth=0.8)
