"""Right steps by attempts, by difficulty, by place in the session, by what they lean on, and by module category."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

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
DISTANCES = {'1–4': 4, '5–9': 9, '10–19': 19, '20–39': 39, '40 and more': 10**6}
"""Steps back to the earliest one that an answer leans on, after the first step: name -> the most."""
LEANINGS = {'up to 4': 4, '5–8': 8, '9–12': 12, '13–16': 16, '17 and more': 10**6}
"""Numbers of steps that an answer leans on: name -> the most."""


def difficulty(study: StudiedRuns) -> Analysis:
    """Right steps by the number of interaction steps (paper, §4.4)."""
    note = (
        'In % of the steps. The paper calls tasks easy below 2 interaction steps, medium from 2 to 4, hard above 4; '
        'the step at which a session stands is taken for it.'
    )
    table = Table('Right steps by difficulty', ['', *DIFFICULTY], note=note)
    return _by(study, table, 'step of the session', lambda step: _bin(DIFFICULTY, step.step), bars)


def places(study: StudiedRuns) -> Analysis:
    """Right steps by their number in the session."""
    most = max((step.step for step in study.steps), default=0)
    width = 1 if most <= MOST_PLACES else 5
    lasts = {first: first + width - 1 for first in range(1, most + 1, width)}
    bins = {str(last) if width == 1 else f'{first}–{last}': last for first, last in lasts.items()}
    note = 'In % of the steps. Later places are of fewer and longer sessions.'
    table = Table('Right steps by place in the session', ['', *bins], note=note)
    return _by(study, table, 'step of the session', lambda step: _bin(bins, step.step), lines)


def distance(study: StudiedRuns) -> Analysis:
    """Right steps by how far back the session told what they lean on."""
    note = (
        'In % of the steps. How many steps ago the session told the earliest thing that the answer is made of, after '
        'the first step.'
    )
    table = Table('Right steps by distance', ['', *DISTANCES], note=note)
    return _by(_leaning(study), table, 'steps back to what the answer leans on', _distance, lines)


def _distance(step: StepRecord) -> str:
    return _bin(DISTANCES, steps_back(step.step, step.depends))


def leaning(study: StudiedRuns) -> Analysis:
    """Right steps by how many earlier ones told what they are made of."""
    note = 'In % of the steps. How many earlier steps told what the answer is made of.'
    table = Table('Right steps by what they lean on', ['', *LEANINGS], note=note)
    about = 'earlier steps that the answer leans on'
    return _by(_leaning(study), table, about, lambda step: _bin(LEANINGS, len(step.depends)), lines)


def _leaning(study: StudiedRuns) -> StudiedRuns:
    known = replace(study, steps=[step for step in study.steps if step.depends])
    if not known.steps:
        raise LackingError('no set here says which steps an answer leans on; builtin_long does')
    return known


def unbroken(study: StudiedRuns) -> Analysis:
    """Sessions without a miss up to each quarter of their steps."""
    parts = ['first quarter', 'half', 'three quarters', 'the end']
    note = 'In % of the sessions: those whose scored steps are all right up to there.'
    table = Table('Sessions without a miss', ['', *parts], note=note)
    return _shares(study, table, 'part of the session', _unbroken, lines, '% of sessions')


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
    table = Table('Right steps by module category', ['', *names], note='In % of the steps, of all kinds.')
    return _by(study, table, 'module category', _category, bars)


def _category(step: StepRecord) -> str:
    return part_of(step.experiment) or 'none'


def _bin(bins: dict[str, int], size: int) -> str:
    """The part to which a size belongs; `bins` has the most of each part."""
    return next(name for name, most in bins.items() if size <= most)


def _by(
    study: StudiedRuns, table: Table, about: str, part_of: Callable[[StepRecord], str], drawn: Callable[..., None]
) -> Analysis:
    """The share of right steps in each column of a table, with what stands below the axis of its figure."""

    def parted(steps: Sequence[StepRecord]) -> list[list[StepRecord]]:
        return [[step for step in steps if part_of(step) == part] for part in table.header[1:]]

    return _shares(study, table, about, parted, drawn)


def _shares(
    study: StudiedRuns,
    table: Table,
    about: str,
    parted: Callable[[Sequence[StepRecord]], list[list[StepRecord]]],
    drawn: Callable[..., None],
    what: str = '% of steps right',
) -> Analysis:
    """The share of right records in each column of a table, a line for each model and mode."""
    found = {
        one: [study.share(steps, lambda step: step.right) for steps in parted(own)]
        for one, own in study.groups().items()
    }
    body = [[Cell(one), *map(Cell.of, shares)] for one, shares in found.items()]
    draw = partial(drawn, places=table.header[1:], series=found, label=what, about=about)
    return Analysis(replace(table, lines=body), draw)


ATTEMPTS_NOTE = (
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
            body.append([Cell(f'{name}: {what}'), *map(Cell.of, shares)])
        right[name] = shares
    table = Table('Success by attempts', ['', *(f'≤ {number}' for number in places)], body, ATTEMPTS_NOTE)
    draw = partial(lines, places=places, series=right, label='% of steps right', about='attempts, at most')
    return Analysis(table, draw)


def _ran(step: StepRecord, most: int) -> bool:
    return step.ran_at is not None and step.ran_at <= most


def _right(step: StepRecord, most: int) -> bool | None:
    return step.right and step.attempts <= most
