"""One table over all tasks of a run: its models, then the jobs of which something is to be said."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence

from rich.box import HORIZONTALS
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cibench_eval.cluster.counting import Tally
from cibench_eval.cluster.jobs import Course, Job
from cibench_eval.cluster.plan import SILENT
from cibench_eval.reports.layout import FoldedName, clock, longest_word

COURSES: tuple[Course, ...] = ('running', 'waiting', 'failed', 'gone', 'done')
LISTED: tuple[Course, ...] = ('failed', 'gone', 'running')
SHOWN = 12
"""Jobs that are listed of each kind."""
NAME = 32
"""Columns of a model's name that are not broken."""


def board(tallies: Mapping[str, Tally], jobs: Sequence[Job], rates: Mapping[str, float]) -> RenderableType:
    """The table.

    Args:
        tallies: how far each model is.
        jobs: of the newest plans; none where nothing runs on a cluster.
        rates: steps a second of each model that is being run.
    """
    parts: list[RenderableType] = [_models(tallies, jobs, rates)]
    listed = [job for course in LISTED for job in [one for one in jobs if one.course == course][:SHOWN]]
    if listed:
        parts += [Text(), _jobs(listed)]
    more = {course: number - SHOWN for course, number in _courses(jobs).items() if course in LISTED}
    words = [f'and {number} more that are {course}' for course, number in more.items() if number > 0]
    return Group(*parts, *([Text('; '.join(words))] if words else []))


def rates_of(jobs: Sequence[Job]) -> dict[str, float]:
    """Steps a second of each model, as its running jobs say."""
    found: Counter[str] = Counter()
    for job in jobs:
        if job.course == 'running' and job.beat and not job.beat.over:
            found[job.share.model] += job.beat.steps_a_second  # type: ignore[assignment]
    return dict(found)


def summary(tallies: Mapping[str, Tally], jobs: Sequence[Job], rates: Mapping[str, float]) -> str:
    """How far a run is, in one line for logs."""
    done, steps = sum(one.steps_done for one in tallies.values()), sum(one.steps for one in tallies.values())
    sessions = f'{sum(t.sessions_done for t in tallies.values())}/{sum(t.sessions for t in tallies.values())} sessions'
    left = _left(done, steps, sum(rates.values()))
    courses = ' '.join(f'{number} {course}' for course, number in _courses(jobs).items())
    return ', '.join(filter(None, [f'{done}/{steps} steps', sessions, courses and f'jobs: {courses}', left]))


def _courses(jobs: Sequence[Job]) -> dict[Course, int]:
    counts = Counter(job.course for job in jobs)
    return {course: counts[course] for course in COURSES if counts[course]}


def _models(tallies: Mapping[str, Tally], jobs: Sequence[Job], rates: Mapping[str, float]) -> RenderableType:
    table = Table(box=HORIZONTALS, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(
        'Model', min_width=max((max(longest_word(name), min(len(name), NAME)) for name in tallies), default=0)
    )
    for heading in ('Steps', 'Sessions', 'Begun', 'Steps/s', 'Left'):
        table.add_column(heading, justify='right', no_wrap=True)
    table.add_column('Jobs', overflow='fold')
    for model, tally in tallies.items():
        rate = rates.get(model, 0.0)
        own = _courses([job for job in jobs if job.share.model == model])
        table.add_row(
            FoldedName(model),
            f'{tally.steps_done}/{tally.steps}',
            f'{tally.sessions_done}/{tally.sessions}',
            str(tally.sessions_begun or ''),
            f'{rate:.2g}' if rate else '',
            _left(tally.steps_done, tally.steps, rate).removesuffix(' left'),
            ', '.join(f'{number} {course}' for course, number in own.items()),
        )
    return table


def _jobs(jobs: Sequence[Job]) -> RenderableType:
    table = Table(box=HORIZONTALS, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    widest = max(longest_word(job.share.model) for job in jobs)
    for heading in ('Job', 'Model', 'Process', 'Node'):
        table.add_column(heading, overflow='fold', min_width=widest if heading == 'Model' else None)
    table.add_column('Steps', justify='right', no_wrap=True)
    table.add_column('State', overflow='fold')
    for job in jobs:
        beat, state = job.beat, job.state
        steps = f'{beat.steps_done}/{beat.steps}' if beat else f'0/{job.share.steps}'
        node = (state.node if state and job.alive else '') or (beat.node if beat else '')
        table.add_row(job.name, FoldedName(job.share.model), state.id if state else '', node, steps, _said(job))
    return table


def _said(job: Job) -> str:
    """How it is with a job, in a few words."""
    if job.course == 'failed' and job.beat:
        return f'failed: {job.beat.failure}'
    if job.course == 'gone':
        forgotten = 'its process is gone' if job.plan.here else 'forgotten by Slurm'
        return f'over without a word: {forgotten if job.plan.here or not job.state else job.state.state}'
    if not job.beat:
        return 'running, begins'
    silent = time.time() - job.beat.at
    return f'running, silent for {clock(silent)}' if silent > SILENT else 'running'


def _left(done: int, steps: int, rate: float) -> str:
    return f'{clock((steps - done) / rate)} left' if rate and steps > done else ''
