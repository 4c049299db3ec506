"""Strange descriptions of figures and variables: descriptions of real golds with a few changes, and made-up ones.

`case(seed, number)` makes the same case again on any machine.
"""

import copy
import functools
import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import builtin_sets
from cibench_eval.plots import FORMS, Plot
from cibench_eval.schema import Figure, Step, StepScore
from cibench_eval.states import states_of
from tests.support.scoring import links, score_step
from tests.support.strange_states import changed_state
from tests.support.strange_values import TEXTS, number

KINDS = (*FORMS, 'what', '')
FIELDS = ('x', 'y', 'z', 'value', 'area', 'low', 'high', 'period', '', 'what')
INTEGERS = (0, 1, 2, 3, 7, 100, 400, 10**12)
UNREADABLE = b'\x89PNG\r\n\x1a\n' + bytes(40)
"""A picture that costs nothing to compare."""


@dataclass(frozen=True)
class Case:
    """A step of a real gold, and a session's description of its figures or variables."""

    gold: Step
    plots: list[Plot]
    state: Any = None

    def score(self, folder: Path, profile: str) -> StepScore:
        """Score it as shown by the last call of a session."""
        shown = links(*(Figure.of(UNREADABLE, plot).save(folder) for plot in self.plots))
        held = {} if self.state is None else {'variables': self.state}
        try:
            return score_step([shown | held], self.gold, 'strange', folder, profile=profile).step
        finally:
            for file in folder.iterdir():
                file.unlink()


@dataclass(frozen=True)
class Golds:
    """The steps of the built-in golds with what is described of them, by the kinds of series and of variables."""

    plots: dict[str, list[tuple[Step, Any]]]
    states: dict[str, list[tuple[Step, Any]]]

    def drawn(self, rng: random.Random, what: str) -> tuple[Step, Any]:
        """Draw a step with plots or with states; all kinds are equally likely."""
        kinds = getattr(self, what)
        return rng.choice(kinds[rng.choice(sorted(kinds))])


@functools.cache
def golds() -> Golds:
    """The golds of the modern environment."""
    folders = [path for one in builtin_sets().values() if 'modern' in one for path in sorted(one['modern'].iterdir())]
    steps = [step for path in folders if path.is_dir() for one in load_experiments(path) for step in one.steps]
    found = Golds(defaultdict(list), defaultdict(list))
    for step in steps:
        if step.figure and step.figure.plot:
            plot = step.figure.plot.model_dump()
            for kind in sorted({series['kind'] for axes in plot['axes'] for series in axes['series']}):
                found.plots[kind].append((step, plot))
        for kind in sorted({state['kind'] for state in (step.state or {}).values()}):
            found.states[kind].append((step, step.state))
    return found


def case(seed: int, number: int) -> Case | None:
    """Make the case of a number; None if its description is refused when it is read.

    Every third case changes the gold, too, because golds of other sets have other kinds than the built-in ones.
    """
    rng = random.Random(f'{seed}-{number}')
    return (_plot_case if rng.random() < 0.7 else _state_case)(rng, gold_too=number % 3 == 2)


def _plot_case(rng: random.Random, gold_too: bool) -> Case | None:
    step, plot = golds().drawn(rng, 'plots')
    if gold_too:
        plot, described = _changed_plot(plot, rng)
        if not described or not step.figure:
            return None
        step = step.model_copy(update={'figure': Figure.of(step.figure.data, described)})
    elif rng.random() < 0.15:
        plot = golds().drawn(rng, 'plots')[1]
    answers = [_changed_plot(plot, rng)[1] for _ in range(rng.choice((1, 1, 1, 2)))]
    return Case(step, [one for one in answers if one]) if any(answers) else None


def _changed_plot(plot: dict[str, Any], rng: random.Random) -> tuple[dict[str, Any], Plot | None]:
    """Change some things in a description; returns it as JSON, and as it is read."""
    made = copy.deepcopy(plot)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        _change_plot(made, rng)
    return made, Plot.of(made)


def _state_case(rng: random.Random, gold_too: bool) -> Case | None:
    step, state = golds().drawn(rng, 'states')
    if gold_too:
        state = _changed_states(state, rng)
        step = step.model_copy(update={'state': state})
        if states_of(state) is None:
            return None
    elif rng.random() < 0.15:
        state = golds().drawn(rng, 'states')[1]
    made = _changed_states(state, rng)
    return None if states_of(made) is None else Case(step, [], made)


def _changed_states(states: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    made = copy.deepcopy(states)
    other = copy.deepcopy(rng.choice(list(golds().drawn(rng, 'states')[1].values())))
    return {
        name: changed_state(one, other, rng) if len(made) == 1 or rng.random() < 0.5 else one
        for name, one in made.items()
    }


# Plots.


def _change_plot(plot: dict[str, Any], rng: random.Random) -> None:
    """Change one thing in the JSON of a description."""
    axes = rng.choice(plot['axes']) if plot['axes'] else None
    series = rng.choice(axes['series']) if axes and axes['series'] else None
    chance = rng.random()
    if series and chance < 0.6:
        rng.choice(SERIES)(series, rng)
    elif axes and chance < 0.85:
        rng.choice(AXES)(axes, rng)
    elif axes and chance < 0.95:
        _change_axis(axes, rng)
    else:
        _change_figure(plot, rng)


def _texts(rng: random.Random, most: int = 6) -> list[str]:
    return [rng.choice(TEXTS) for _ in range(rng.randrange(most))]


def _points(rng: random.Random, size: int) -> list[Any]:
    return [None if rng.random() < 0.1 else number(rng) for _ in range(size)]


def _other_kind(series: dict[str, Any], rng: random.Random) -> None:
    """Set another kind, mostly with columns of that kind."""
    series['kind'] = rng.choice(KINDS)
    if rng.random() < 0.8 and series['columns']:
        _fit(series, rng)


def _fit(series: dict[str, Any], rng: random.Random) -> None:
    """Give a series the columns of one of its kind's forms."""
    form = rng.choice(FORMS.get(series['kind'], (2,)))
    width, size = len(form.split()) if isinstance(form, str) else form, len(series['columns'][0])
    columns = [*series['columns'], *([number(rng) for _ in range(size)] for _ in range(width))]
    series |= {'columns': columns[:width], 'fields': form.split() if isinstance(form, str) else [], 'stats': []}
    series['shape'], series['extent'] = [], []
    if series['kind'] in ('image', 'field'):
        series['shape'] = rng.choice(([width, size], [1, width * size], [size, width, 3]))
        series['extent'] = rng.choice(([0, 1, 0, 1], [0, size, 0, 1], [number(rng) for _ in range(4)]))


def _drop_column(series: dict[str, Any], rng: random.Random) -> None:
    place = rng.randrange(len(series['columns'])) if series['columns'] else 0
    for part in ('columns', 'fields', 'stats'):
        del series[part][place : place + 1]


def _add_column(series: dict[str, Any], rng: random.Random) -> None:
    columns = series['columns']
    size = len(columns[0]) if columns else 3
    columns.insert(
        rng.randint(0, len(columns)), rng.choice(columns) if columns and rng.random() < 0.5 else _points(rng, size)
    )
    if rng.random() < 0.7 and series['fields']:
        series['fields'].append(rng.choice(FIELDS))
    if rng.random() < 0.7 and series['stats']:
        series['stats'].append(_points(rng, len(series['stats'][0])))


def _exchange_columns(series: dict[str, Any], rng: random.Random) -> None:
    rng.shuffle(series[rng.choice(('columns', 'fields', 'stats'))])


def _fewer_points(series: dict[str, Any], rng: random.Random) -> None:
    """Drop some points, with or without their groups and names."""
    size = len(series['columns'][0]) if series['columns'] else 0
    kept = sorted(rng.sample(range(size), min(size, rng.choice((0, 1, 1, 2, 3, 10, size // 2)))))
    series['columns'] = [[column[at] for at in kept if at < len(column)] for column in series['columns']]
    if rng.random() < 0.7:
        for part in ('groups', 'names'):
            series[part] = [series[part][at] for at in kept if at < len(series[part])]
    if rng.random() < 0.5:
        series['size'] = len(kept)


def _one_value(series: dict[str, Any], rng: random.Random) -> None:
    """Set one column, or all, to a single value."""
    value = rng.choice((None, number(rng)))
    those = range(len(series['columns'])) if rng.random() < 0.4 else [rng.randrange(max(1, len(series['columns'])))]
    for place in those:
        if place < len(series['columns']):
            series['columns'][place] = [value] * len(series['columns'][place])


def _some_values(series: dict[str, Any], rng: random.Random) -> None:
    for column in series['columns']:
        for _ in range(rng.randrange(3)):
            if column:
                column[rng.randrange(len(column))] = rng.choice((None, number(rng)))


def _scaled(series: dict[str, Any], rng: random.Random) -> None:
    factor = rng.choice((0, -1, 1e-300, 1e300, 1000, 0.001))
    column = rng.choice(series['columns']) if series['columns'] else []
    column[:] = [value and value * factor for value in column]


def _other_fields(series: dict[str, Any], rng: random.Random) -> None:
    if rng.random() < 0.3:
        series['fields'] = []
    elif series['fields'] and rng.random() < 0.5:
        series['fields'][rng.randrange(len(series['fields']))] = rng.choice(FIELDS)
    else:
        series['fields'] = [rng.choice(FIELDS) for _ in series['columns']]


def _other_stats(series: dict[str, Any], rng: random.Random) -> None:
    width = rng.choice((2, 2, 3, 4))
    series['stats'] = [] if rng.random() < 0.3 else [_points(rng, width) for _ in series['columns']]


def _other_shape(series: dict[str, Any], rng: random.Random) -> None:
    series['shape'] = rng.choice(
        ([], series['shape'][:1], series['shape'][::-1], [*series['shape'], 3], [0, 0], [1, len(series['columns'][:1])])
    )


def _other_field(series: dict[str, Any], rng: random.Random) -> None:
    series['extent'] = rng.choice(([], [0, 0, 0, 0], [1, 0, 1, 0], [0, 1], [number(rng) for _ in range(4)]))
    series['levels'] = rng.choice(([], [0, 0], [1, 0, 2], [number(rng) for _ in range(5)]))


def _other_groups(series: dict[str, Any], rng: random.Random) -> None:
    size = len(series['columns'][0]) if series['columns'] else 0
    labels = _texts(rng)
    series['group_labels'] = labels
    kept = [rng.randrange(len(labels)) for _ in range(size)] if labels else []
    series['groups'] = rng.choice((kept, kept, [], kept[:-1], [0] * size, series['groups']))


def _other_names(series: dict[str, Any], rng: random.Random) -> None:
    part = rng.choice(('names', 'tints', 'group_labels'))
    size = len(series['columns'][0]) if series['columns'] else 0
    series[part] = rng.choice(([], series[part][1:], [*series[part], 'a'], _texts(rng), ['#ff0000'] * min(size, 100)))


def _many_tints(series: dict[str, Any], rng: random.Random) -> None:
    """Set a colour for each point, but other names."""
    size = len(series['columns'][0]) if series['columns'] else 0
    series['tints'] = ['#ff0000', '#0000ff'] * (min(size, 100) // 2) + ['#00ff00'] * (min(size, 100) % 2)
    series['names'] = _texts(rng)


def _other_words(series: dict[str, Any], rng: random.Random) -> None:
    series[rng.choice(('label', 'colours', 'style'))] = rng.choice(TEXTS)
    series['marked'] = rng.random() < 0.5


def _other_size(series: dict[str, Any], rng: random.Random) -> None:
    series['size'] = rng.choice((*INTEGERS, series['size'] * 2, series['size'] // 2))


SERIES: tuple[Callable[[dict[str, Any], random.Random], None], ...] = (
    *(_other_kind, _drop_column, _add_column, _exchange_columns, _fewer_points, _one_value, _some_values, _scaled),
    *(
        _other_fields,
        _other_stats,
        _other_shape,
        _other_field,
        _other_groups,
        _other_names,
        _many_tints,
        _other_words,
        _other_size,
    ),
)


def _same_series_twice(axes: dict[str, Any], rng: random.Random) -> None:
    if axes['series'] and len(axes['series']) < 50:
        axes['series'].insert(rng.randint(0, 1), copy.deepcopy(rng.choice(axes['series'])))
        if rng.random() < 0.8:
            rng.choice(SERIES)(axes['series'][0], rng)


def _marks_on_lines(axes: dict[str, Any], rng: random.Random) -> None:
    """Add points at all corners of some lines."""
    lines = [one for one in axes['series'] if one['kind'] == 'line'][: rng.randint(1, 3)]
    if lines and len(axes['series']) < 50:
        cloud = copy.deepcopy(lines[0])
        cloud |= {'kind': 'scatter', 'size': sum(line['size'] for line in lines), 'stats': []}
        cloud['columns'] = [
            [value for line in lines for value in line['columns'][place % len(line['columns'])]][:500]
            for place in range(len(cloud['columns']))
        ]
        axes['series'].append(cloud)


def _fewer_series(axes: dict[str, Any], rng: random.Random) -> None:
    if axes['series']:
        del axes['series'][rng.randrange(len(axes['series']))]


def _series_of_another(axes: dict[str, Any], rng: random.Random) -> None:
    other = golds().drawn(rng, 'plots')[1]
    found = [series for one in other['axes'] for series in one['series']]
    axes['series'] = [*axes['series'], *copy.deepcopy(rng.sample(found, min(len(found), 2)))][:50]


def _empty_axes(*series: dict[str, Any]) -> dict[str, Any]:
    plot = Plot.model_validate({'axes': [{'x': {}, 'y': {}, 'series': list(series)}]})
    return dict(plot.model_dump()['axes'][0])


def _made_up_series(axes: dict[str, Any], rng: random.Random) -> None:
    size = rng.choice((1, 2, 3, 20, 100))
    (made,) = _empty_axes({'kind': 'line', 'size': 1, 'fields': ['x', 'y'], 'columns': [[0.0], [0.0]]})['series']
    made |= {'kind': rng.choice(KINDS), 'size': size, 'fields': [], 'columns': [_points(rng, size)]}
    _fit(made, rng)
    axes['series'] = [*axes['series'], made][-50:]


def _other_places(axes: dict[str, Any], rng: random.Random) -> None:
    axes['place'] = rng.choice(([], [0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0], [number(rng) for _ in range(4)]))
    axes['turn'] = rng.choice(([], [1, 90], [number(rng), number(rng)]))


def _other_axes(axes: dict[str, Any], rng: random.Random) -> None:
    axes['kind'] = rng.choice(('polar', '3d', 'rectilinear', *TEXTS))
    axes['z'] = rng.choice((None, axes['x']))


def _other_texts(axes: dict[str, Any], rng: random.Random) -> None:
    axes[rng.choice(('legend', 'texts'))] = _texts(rng)
    axes['text_places'] = [rng.choice(([], [0, 1], [number(rng), number(rng)])) for _ in axes.get('texts', [])]
    axes['arrows'] = rng.choice(([], [0], [0, 199]))
    axes['title'] = rng.choice(TEXTS)


def _other_picture(axes: dict[str, Any], rng: random.Random) -> None:
    axes['picture'], axes['others'] = rng.choice(('', 'AAAA', 'no base64', 'iVBORw0KGgo=')), rng.choice(INTEGERS[:4])


AXES: tuple[Callable[[dict[str, Any], random.Random], None], ...] = (
    *(_same_series_twice, _same_series_twice, _marks_on_lines, _fewer_series, _series_of_another, _made_up_series),
    *(_other_places, _other_axes, _other_texts, _other_picture),
)


def _change_axis(axes: dict[str, Any], rng: random.Random) -> None:
    axis = axes[rng.choice('xy')]
    ticks = [number(rng) for _ in range(rng.randrange(6))]
    labels = _texts(rng) if rng.random() < 0.6 else [str(number) for number in range(rng.randrange(6))]
    change: dict[str, Any] = {
        'label': rng.choice(TEXTS),
        'scale': rng.choice(TEXTS),
        'view': rng.choice(([], [0], [0, 0], axis['view'][::-1], [number(rng), number(rng)])),
        'unit': rng.choice(('', 'date', 'a')),
        'categorical': not axis['categorical'],
        'ticks': rng.choice((ticks, sorted(ticks), [0] * 4, axis['ticks'][1:])),
        'tick_labels': rng.choice((labels, axis['tick_labels'][1:])),
    }
    for name in rng.sample(list(change), rng.randint(1, 3)):
        axis[name] = change[name]
    if rng.random() < 0.8:
        many = min(len(axis['ticks']), len(axis['tick_labels']))
        axis['ticks'], axis['tick_labels'] = axis['ticks'][:many], axis['tick_labels'][:many]


def _change_figure(plot: dict[str, Any], rng: random.Random) -> None:
    match rng.randrange(6):
        case 0 if plot['axes']:
            del plot['axes'][rng.randrange(len(plot['axes']))]
        case 1 if plot['axes'] and len(plot['axes']) < 20:
            plot['axes'].append(copy.deepcopy(rng.choice(plot['axes'])))
        case 2:
            plot['axes'] = [*plot['axes'], *copy.deepcopy(golds().drawn(rng, 'plots')[1]['axes'])][:20]
        case 3:
            plot['axes'].append(_empty_axes())
        case 4:
            plot['title'] = rng.choice(TEXTS)
        case _:
            plot['colour_bars'] = rng.choice(INTEGERS[:6])
