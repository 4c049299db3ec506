"""The same experiments in two languages: a split and its Chinese twin, paired step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from cibench_eval.analysis.results import WHOLE
from cibench_eval.analysis.steps import Scored
from cibench_eval.reports.analyses.drawing import points
from cibench_eval.reports.analyses.study import Analysis, LackingError, Share, Study
from cibench_eval.reports.comparison import NAMES, RIGHT, Difference, PairOfRuns, difference_table
from cibench_eval.schema import CibenchError

CHINESE = '_cn'
"""End of the name of a split in Chinese; the rest is the name of its twin."""
MEASURES = (RIGHT, WHOLE, 'numeric_correct', 'text_score', 'vis_sim')
NOTE = (
    'A: the split; B: its Chinese twin. B − A is paired step by step, on the experiments that both have; its 95 % '
    'interval and p-value are by experiments.'
)


def language(study: Study) -> Analysis:
    """How a model does in Chinese against English (paper, §4.3).

    Raises:
        LackingError: no model has both.
    """
    found = [(model, one) for model in dict.fromkeys(one.model for one in study.results) for one in _of(study, model)]
    if not found:
        raise LackingError(f'no model has a split and its Chinese twin (…{CHINESE})')
    named = [replace(one, split=f'{model} {one.split}') for model, one in found]
    table = replace(difference_table(named, 'Chinese against English'), note=NOTE)
    names = [f'{model} {one.split}: {NAMES[one.name]}' for model, one in found]
    return Analysis('language', table, partial(_draw, names, [one for _, one in found]), 1.2 + 0.28 * len(found))


def _of(study: Study, model: str) -> Iterator[Difference]:
    runs: dict[str, list[Scored]] = {}
    for one in study.results:
        if one.model == model and one.results:
            runs.setdefault(one.split, []).append(Scored(one.mode, one.results.steps, one.epoch))
    for split in runs:
        if split + CHINESE in runs:
            pair = PairOfRuns({split: runs[split]}, {split: runs[split + CHINESE]})
            try:
                yield from (one for one in pair.differences() if one.name in MEASURES)
            except CibenchError:
                continue  # no step in common: they are no twins


def _draw(names: list[str], found: list[Difference], axes: object) -> None:
    both = {
        'English': [Share(one.a, one.steps) for one in found],
        'Chinese': [Share(one.b, one.steps) for one in found],
    }
    points(axes, names, both, '× 100')
