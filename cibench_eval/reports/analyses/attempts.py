"""The value of further attempts: one run, cut off after 1, 2, 3, … attempts."""

from __future__ import annotations

from functools import partial

from cibench_eval.reports.analyses.drawing import lines
from cibench_eval.reports.analyses.study import Analysis, StepRecord, StudiedRuns
from cibench_eval.reports.layout import Cell, Table

NOTE = (
    'In %: steps whose code ran within so many attempts; of those on which something decides, the ones that ended '
    'right and took no more. '
    'The attempts of one run are cut off, so a model that knew of fewer might have done otherwise.'
)


def attempts(study: StudiedRuns) -> Analysis:
    """Success after 1, 2, 3, … attempts (paper, §4.1: the ability to debug)."""
    groups = study.groups()
    most = max(step.attempts for steps in groups.values() for step in steps)
    places = range(1, max(most, 1) + 1)
    body, right = [], {}
    for name, steps in groups.items():
        for what, holds in (('ran', _ran), ('right', _right)):
            shares = [study.share(steps, partial(holds, most=number)) for number in places]
            body.append([Cell(f'{name}: {what}'), *(share.cell for share in shares)])
        right[name] = shares
    table = Table('Success by attempts', ['', *(f'≤ {number}' for number in places)], body, NOTE)

    def draw(axes: object) -> None:
        lines(axes, list(places), right, '% of steps right')
        axes.set_xlabel('attempts, at most')  # type: ignore[attr-defined]

    return Analysis('attempts', table, draw)


def _ran(step: StepRecord, most: int) -> bool:
    return step.ran_at is not None and step.ran_at <= most


def _right(step: StepRecord, most: int) -> bool | None:
    return step.right and step.attempts <= most
