"""The words of the first question of a long session, its gold code, and the gold thoughts."""

from pathlib import Path

from cibench_eval.sets.long.asking import Ask
from cibench_eval.sets.long.domains import Domain
from cibench_eval.sets.long.words import Words

LOAD = """\
import matplotlib.pyplot as plt
import pandas as pd

loaded = pd.read_csv('{path}', parse_dates=['{when}'])
now, history, saved, lines = ({{}}, {{}}), {{}}, {{}}, {{}}


def times(values, factor, where):
    return values.where(~where, values * factor)


def late(file, day):
    found = pd.read_csv(file, parse_dates=['{when}'])
    return found[found['{when}'] >= day]


def fixes(file):
    return pd.read_csv(file).set_index('{key}').iloc[:, 0]


def table(state):
    t = loaded
    for change in state[0].values():
        t = change(t)
    return t.reset_index(drop=True)


def without(state, step):
    return {{told: change for told, change in state[0].items() if told != step}}, state[1]


def computed(name, t, d, within):
    number = d[name](t, d, within)
    return number if isinstance(number, int) else float(number)


def figure(name, state, within=lambda t: pd.Series(True, t.index)):
    t = table(state)
    return computed(name, t, state[1], within(t))


def by(name, state, column, left_out=()):
    t = table(state)
    values = sorted(set(t[column]) - set(left_out))
    return {{value: computed(name, t, state[1], t[column] == value) for value in values}}


def greatest(found):
    return sorted(found, key=found.get, reverse=True)[:3]


history[1] = now
answer = len(table(now))
print(answer)"""


def first_cell(domain: Domain, folder: str) -> str:
    """The gold code of the first question; `folder` has the session's files."""
    columns = domain.columns
    return LOAD.format(path=f'{folder}/{domain.file}', when=columns['when'], key=columns['id'])


def conventions(words: Words, path: str) -> str:
    """The first question: the file, what holds throughout, and how many rows there are."""
    columns = words.pick(', ', '、').join(f'`{name}`' for name in words.domain.columns.values())
    text = Path(__file__).with_name(f'conventions_{words.language}.txt').read_text(encoding='utf-8').strip()
    return text.format(path=path, row=words.row, rows=words.rows, columns=columns)


def thought(words: Words, ask: Ask | None) -> str:
    """The gold thought of a step."""
    if ask is None:
        return words.pick(
            'Changes and definitions are kept apart from the loaded table, so that each can be taken back.',
            '改动和定义与读入的表分开保存，这样每一项都能撤销。',
        )
    if ask.then:
        return words.pick(
            'The other state is made beside the one of now, which stays.', '另建所问的状态，现在的状态不变。'
        )
    return words.pick(
        'The answer follows from the table and the definitions that are in force.', '答案由现在的表和有效的定义得出。'
    )
