"""Declared answers, described by a real kernel: the same values in other forms are right, other values are wrong."""

import asyncio
import copy
from pathlib import Path

import pytest

from cibench_eval.datasets.declared import read_declaration
from cibench_eval.states import states_of
from tests.support.scoring import describe, gold_step, left, read_cases

pytestmark = pytest.mark.kernel
SETUP = 'import numpy as np, pandas as pd, torch\nfrom sklearn.linear_model import LinearRegression'
CASES = read_cases(Path(__file__).with_name('answers') / 'cases.txt')


@pytest.fixture(scope='module')
def described():
    """What each code leaves in the variables that its case declares."""
    codes = (
        (declared, [*read_declaration(declared)], one) for declared, gold, code, _ in CASES for one in (gold, code)
    )
    fresh = 'for _name in {!r}: globals().pop(_name, None)\n{}'
    cleared = (((declared, one), names, fresh.format(names, one)) for declared, names, one in codes)
    return asyncio.run(describe(SETUP, cleared))


def scored(case, described, kind='num'):
    declared, gold, code, _ = case
    answers = read_declaration(declared)
    step = gold_step(kind, 'what is printed', state=described[declared, gold])
    step = step.model_copy(update={'answers': answers, 'code': gold})
    found = left(step, code, described[declared, code])
    return found.score, found.detail


def test_there_are_enough():
    assert sum(right for *_, right in CASES) >= 45 and sum(not right for *_, right in CASES) >= 45


@pytest.mark.parametrize(
    'case', CASES, ids=lambda case: f'{"right" if case[3] else "wrong"}: {case[0]}: {case[2][:50]}'
)
def test_values_decide(described, case):
    value, why = scored(case, described)
    assert value == case[3], why


def test_names_in_their_places_are_a_share_of_the_text_score(described):
    case = next(case for case in CASES if case[0] == 'list[text]' and case[2].startswith("answer = ['Dream', 'B"))
    assert scored(case, described, 'text')[0] == pytest.approx(1 / 3)


@pytest.mark.parametrize('older', ['gold', 'answer'])
def test_lengths_of_lists_are_not_compared_where_one_side_does_not_tell_them(described, older):
    """Descriptions and traces that were made before they were told."""
    declared = 'list[list[text]]'
    gold, other = "answer = [['a', 'b', 'c'], ['d', 'e']]", "answer = [['a', 'b'], ['c', 'd', 'e']]"
    states = copy.deepcopy({'gold': described[declared, gold], 'answer': described[declared, other]})
    assert states[older]['answer'].pop('lengths')
    step = gold_step('num', 'what is printed', state=states['gold'])
    step = step.model_copy(update={'answers': read_declaration(declared), 'code': gold})
    assert left(step, other, states['answer']).score == 1


@pytest.mark.parametrize('shape', [[1, 10**15], [0, 10**15], [10**15, 1]])
@pytest.mark.parametrize('declared', ['table[real]', 'list[text]', 'list[list[text]]', 'set[text]'])
def test_a_forged_shape_is_not_taken_at_its_word(declared, shape):
    """Else a description of a single value would keep the scorer busy for years."""
    names, numbers = {'dtype': 'text', 'values': ['a', 'b']}, {'dtype': 'number', 'values': [1, 2]}
    golds = {
        'table[real]': {'kind': 'table', 'type': 'dict', 'shape': [2, 1], 'index': [names], 'columns': [numbers]},
        'list[list[text]]': {'kind': 'array', 'type': 'list', 'shape': [2, 1], 'columns': [names]},
    }
    gold = golds.get(declared, {'kind': 'array', 'type': 'list', 'shape': [2], 'columns': [names]})
    for values in (['a'], [5]):
        forged = {
            'kind': 'array',
            'type': 'list',
            'shape': shape,
            'lengths': [1],
            'columns': [names | {'values': values}],
        }
        assert states_of({'answer': forged})['answer'].whole
        step = gold_step('num', 'what is printed', state={'answer': gold})
        step = step.model_copy(update={'answers': read_declaration(declared), 'code': 'answer = 1'})
        assert left(step, 'answer = 1', {'answer': forged}).score == 0
