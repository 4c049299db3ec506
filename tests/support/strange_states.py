"""Strange descriptions of variables: real ones with changes. Part of `strange.py`."""

import random
from typing import Any

from tests.support.strange_values import NUMBERS, TEXTS, number

STATE_KINDS = (
    *('scalar', 'array', 'set', 'table', 'items', 'mapping', 'model', 'network', 'function', 'class', 'module'),
    *('object', 'unknown', 'what', ''),
)
TOKENS = (None, True, False, *NUMBERS, 10**400, 10**300, -(10**400), *TEXTS)
DTYPES = ('number', 'bool', 'text', 'date', 'mixed', 'empty', 'other', 'what', '')


def changed_state(state: dict[str, Any], other: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Change a description of a variable, or take parts from another one."""
    parts = [(part, name) for part in ('items', 'fitted') for name in state.get(part, {})]
    if parts and rng.random() < 0.5:
        part, name = rng.choice(parts)
        return {**state, part: {**state[part], name: changed_state(state[part][name], other, rng)}}
    columns = state.get('columns', []) + state.get('index', []) + ([state['flat']] if state.get('flat') else [])
    if columns and rng.random() < 0.5:
        _change_column(rng.choice(columns), rng)
        return state
    column = {'dtype': rng.choice(DTYPES), 'values': rng.sample(TOKENS, 3)}
    change: dict[str, Any] = {
        'kind': rng.choice(STATE_KINDS),
        'type': rng.choice(('DataFrame', 'Pipeline', 'list', '')),
        'shape': rng.choice(([], [0], [3], [3, 1], [1] * 64, [10**15] * 64, state.get('shape', [])[::-1])),
        'index': rng.choice(([], [column], [*state.get('index', []), column])),
        'columns': rng.choice(([], [column], [column, column], state.get('columns', [])[1:])),
        'flat': rng.choice((None, column)),
        'items': rng.choice(({}, {'0': other}, {'steps': other}, {'steps': {'kind': 'items', 'items': {'0': other}}})),
        'fitted': rng.choice(({}, {'coef_': other})),
        'settled': rng.random() < 0.5,
    }
    chosen = rng.sample(list(change), rng.randint(1, 2))
    return {**(other if rng.random() < 0.1 else state), **{name: change[name] for name in chosen}}


def _change_column(column: dict[str, Any], rng: random.Random) -> None:
    values = column.get('values', [])
    change: dict[str, Any] = {
        'name': rng.choice(TEXTS),
        'dtype': rng.choice(DTYPES),
        'form': rng.choice(('int', 'float', 'category', '')),
        'missing': rng.choice((0, 1, 10**15)),
        'moments': rng.choice(([], [0], [0, 0, 0, 0], [number(rng) for _ in range(rng.randint(1, 4))])),
        'values': rng.choice(
            ([], values[1:], [*values, None][:64], [rng.choice(TOKENS) for _ in values], [None] * len(values))
        ),
        'sorted': rng.choice((None, [], [rng.choice(TOKENS) for _ in values])),
        'digest': rng.choice(('', 'a')),
        'bag': rng.choice(('', 'a')),
    }
    for name in rng.sample(list(change), rng.randint(1, 3)):
        column[name] = change[name]
