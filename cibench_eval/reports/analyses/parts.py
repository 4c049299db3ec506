"""Right steps by difficulty, by place in the session, and by module category."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from cibench_eval.datasets.libraries import CATEGORIES, part_of
from cibench_eval.grouping import grouped
from cibench_eval.reports.analyses.drawing import bars, lines
from cibench_eval.reports.analyses.study import Analysis, LackingError, StepRecord, StudiedRuns
from cibench_eval.reports.layout import Cell, Table
from cibench_eval.schema import steps_back

DIFFICULTY = {'easy (step 1)': 1, 'medium (2–4)': 4, 'hard (5 and later)': 10**6}
"""Level -> its last step of a session."""
MOST_PLACES = 12
"""The largest number of places with columns of their own; in longer sessions five steps share a column."""


def difficulty(study: StudiedRuns) -> Analysis:
    """Right steps by the number of interaction steps (paper, §4.4)."""
    note = (
        'In % of the steps. The paper calls tasks easy below 2 interaction steps, medium from 2 to 4, hard above 4; '
        'the step at which a session stands is taken for it.'
    )
    return _by(
        'difficulty', 'Right steps by difficulty', note, study, list(DIFFICULTY),
        lambda step: _bin(DIFFICULTY, step.step), bars, 'step of the session',
    )  # fmt: skip


def _bin(bins: dict[str, int], size: int) -> str:
    return next(name for name, most in bins.items() if size <= most)


def places(study: StudiedRuns) -> Analysis:
    """Right steps by their number in the session."""
    most = max((step.step for step in study.steps), default=0)
    width = 1 if most <= MOST_PLACES else 5
    names = [_range(number, width) for number in range(1, most + 1, width)]
    note = 'In % of the steps. Later places are of fewer and longer sessions.'
    name = 'Right steps by place in the session'
    return _by('places', name, note, study, names, lambda step: _range(step.step, width), lines, 'step of the session')


def _range(step: int, width: int) -> str:
    first = (step - 1) // width * width + 1
    return str(step) if width == 1 else f'{first}–{first + width - 1}'


DISTANCES = {'1–4': 4, '5–9': 9, '10–19': 19, '20–39': 39, '40 and more': 10**6}
"""Steps back to the earliest one that an answer leans on, behind the first step: name -> the most."""
LEANINGS = {'up to 4': 4, '5–8': 8, '9–12': 12, '13–16': 16, '17 and more': 10**6}
"""Numbers of steps that an answer leans on: name -> the most."""


def distance(study: StudiedRuns) -> Analysis:
    """Right steps by how far back the session told what they lean on."""
    note = (
        'In % of the steps. How many steps ago the session told the earliest thing that the answer is made of, behind '
        'the first step.'
    )
    return _by_leaning(
        'distance', 'Right steps by distance', note, study, DISTANCES, lambda step: steps_back(step.step, step.depends),
        'steps back to what the answer leans on',
    )  # fmt: skip


def leaning(study: StudiedRuns) -> Analysis:
    """Right steps by how many earlier ones told what they are made of."""
    note = 'In % of the steps. How many earlier steps told what the answer is made of.'
    return _by_leaning(
        'leaning', 'Right steps by what they lean on', note, study, LEANINGS, lambda step: len(step.depends),
        'earlier steps that the answer leans on',
    )  # fmt: skip


def _by_leaning(
    name: str,
    title: str,
    note: str,
    study: StudiedRuns,
    bins: dict[str, int],
    size: Callable[[StepRecord], int],
    about: str,
) -> Analysis:
    known = replace(study, steps=[step for step in study.steps if step.depends])
    if not known.steps:
        raise LackingError('no set here says which steps an answer leans on; builtin_long does')
    return _by(name, title, note, known, list(bins), lambda step: _bin(bins, size(step)), lines, about)


def unbroken(study: StudiedRuns) -> Analysis:
    """Sessions without a miss up to each quarter of their steps."""
    parts = ['first quarter', 'half', 'three quarters', 'the end']
    note = 'In % of the sessions: those whose steps are all right up to there.'
    name = 'Sessions without a miss'
    return _shares('unbroken', name, note, study, parts, _unbroken, lines, 'part of the session', '% of sessions')


def _unbroken(steps: Sequence[StepRecord]) -> list[list[StepRecord]]:
    """For each quarter, a record of each session, which is right where all decided steps up to there are."""
    decided = sorted((step for step in steps if step.right is not None), key=lambda step: step.step)
    sessions = grouped(decided, lambda step: (step.split, step.experiment, step.epoch))
    upto = [[own[: math.ceil(len(own) * part / 4)] for own in sessions.values()] for part in (1, 2, 3, 4)]
    return [[own[0]._replace(step=1, right=all(one.right for one in own)) for own in those] for those in upto]


def categories(study: StudiedRuns) -> Analysis:
    """Right steps by the paper's module categories (§4.5) and other libraries."""
    there = dict.fromkeys(_category(step) for steps in study.groups().values() for step in steps)
    names = [name for name in CATEGORIES if name in there] + sorted(name for name in there if name not in CATEGORIES)
    if len(names) < 2:
        raise LackingError('all experiments are of one library')
    note = 'In % of the steps, of all kinds.'
    return _by('categories', 'Right steps by module category', note, study, names, _category, bars, 'module category')


def _category(step: StepRecord) -> str:
    return part_of(step.experiment) or 'none'


def _by(
    name: str,
    title: str,
    note: str,
    study: StudiedRuns,
    parts: Sequence[str],
    part_of: Callable[[StepRecord], str],
    drawn: Callable[..., None],
    about: str,
) -> Analysis:
    """The share of right steps in each part, which `part_of` finds for a step."""

    def parted(steps: Sequence[StepRecord]) -> list[list[StepRecord]]:
        return [[step for step in steps if part_of(step) == part] for part in parts]

    return _shares(name, title, note, study, parts, parted, drawn, about)


def _shares(
    name: str,
    title: str,
    note: str,
    study: StudiedRuns,
    parts: Sequence[str],
    parted: Callable[[Sequence[StepRecord]], list[list[StepRecord]]],
    drawn: Callable[..., None],
    about: str,
    what: str = '% of steps right',
) -> Analysis:
    """The share of right records in each part, a line for each model and mode."""
    found = {
        one: [study.share(steps, lambda step: step.right) for steps in parted(own)]
        for one, own in study.groups().items()
    }
    body = [[Cell(one), *(share.cell for share in shares)] for one, shares in found.items()]

    def draw(axes: Any) -> None:
        drawn(axes, parts, found, what)
        axes.set_xlabel(about)

    return Analysis(name, Table(title, ['', *parts], body, note), draw)
