"""Which variables of a step are asked for, in English and Chinese."""

import re

import pytest

from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import builtin_sets
from cibench_eval.states import asked_names, plain_states, states_of

ASKED = [
    ('Let `x` be 5.', 'x = 5', ['x']),
    ('将 `x` 设为 5，`y` 设为 6。', 'x = 5\ny = 6', ['x', 'y']),
    ('Let x be 5.', 'x = 5', []),
    ('Use `x`.', 'print(x)', []),
    ('Read `summary.csv` into `df`.', 'summary = df = read()', ['df']),
    ("Add `df['a']`.", "df['a'] = 1", ['df']),
    ('Add `a` to `df`.', "df.loc[0, 'a'] = a", ['df']),
    ('Split into `X, y`.', 'X, y = split()', ['X', 'y']),
    ('Set `x = 3`.', 'x = 3', ['x']),
    ('Define `area(r)`.', 'def area(r):\n    inner = 1', ['area']),
    ('Let `inner` be.', 'def area(r):\n    inner = 1', []),
    ('Let `i` be.', 'x = [i for i in range(3)]', []),
    ('For each `i`, `total`.', 'for i in range(3):\n    total += i', ['total']),
    ('Fit `model`.', 'model.fit(X)', ['model']),
    ('Append to `items`.', 'items.append(3)', ['items']),
    ('Drop from `df`.', 'df.drop(columns="a", inplace=True)', ['df']),
    ('Look at `df`.', 'df.head()', []),
    ('Delete `df`.', 'del df', ['df']),
    ('Import `np`.', 'import numpy as np', []),
    ('Open `f`, with `n`.', 'with open("a") as f:\n    n = len(f.read())', ['f', 'n']),
    ('Let `n` be.', '%matplotlib inline\n!ls\nn = 1', ['n']),
    ('Let `n` be.', '%time n = 1\n%time\n%timeit m = 1', ['n']),
    ('Let `n` be.', 'n = (', []),
    ('Let `n` be.', 'n = ' + '(a,' * 200, []),  # Python's parser has no memory for it
    (f'Let `{"(a," * 200}` be `n`.', 'n = 1', ['n']),
    ('Broken ` `` n` back-ticks `n', 'n = 1', []),
    ('Let ``n`` be.', 'n = 1', ['n']),
    ('Let `if` and `1 +` be `n`.', 'n = 1', ['n']),
]


@pytest.mark.parametrize(('question', 'code', 'names'), ASKED)
def test_names_are_those_that_the_question_says_and_the_gold_makes(question, code, names):
    assert asked_names(question, code) == names


def test_no_name_is_asked_for_that_the_question_does_not_say():
    for experiment in load_experiments(builtin_sets()['builtin']['modern']):
        for step in experiment.steps:
            names = asked_names(step.question, step.code)
            assert all(name in step.question and re.search(rf'\b{name}\b', step.code) for name in names)
            assert names or step.kind != 'exec', f'{experiment.id} {step.index}: nothing is asked for'


def test_descriptions_keep_what_they_say():
    said = {'kind': 'scalar', 'type': 'int', 'columns': [{'dtype': 'number', 'values': [5], 'form': 'int'}]}
    assert plain_states(states_of({'x': said})) == {'x': said}
    assert states_of({'x': 5}) is None and states_of(None) is None
