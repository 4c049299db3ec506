"""What variables hold, described by a real kernel: right answers in another dress, and wrong ones."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies

from cibench_eval.datasets.declared import read_declaration
from cibench_eval.states import asked_names
from tests.support.scoring import call, describe, gold_step, read_cases, score_step
from tests.support.soak import many

pytestmark = pytest.mark.kernel
SETUP = """
import functools, lightgbm as lgb, matplotlib.pyplot as plt, numpy as np, pandas as pd, scipy.sparse, torch
from scipy import stats
from sklearn import decomposition, ensemble, naive_bayes, neighbors, preprocessing, svm, tree
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_diabetes
from sklearn.feature_extraction import text as text_features
from sklearn.feature_selection import RFE
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from torch import nn
X, rest, y, others = train_test_split(*load_diabetes(return_X_y=True, as_frame=True), test_size=0.3, random_state=0)
"""
FRESH = """
for _name in {names!r}: globals().pop(_name, None)
df = pd.DataFrame({{
    'a': [4.5, 1.25, 3., 2., 8.5, 2.75], 'b': [1, 2, 1, 2, 1, 2], 'c': [.5, 2., 4., 8., 1., 3.],
    'name': ['rye', 'oat', 'rye', 'fig', 'oat', 'fig'], 'day': pd.date_range('2024-01-01', periods=6),
}})
gaps = pd.DataFrame({{'d': [1, None, 3, 4, None, 6], 'e': list('uvwxyz')}})
text = pd.DataFrame({{'day': ['2024-02-01', '2024-03-15'], 'v': [1, 2]}})
sentences = ['The cat sat', 'A dog ran far away', 'Nobody']
{code}
plt.close('all')
"""
READ = read_cases(Path(__file__).with_name('states') / 'cases.txt')
CASES = many(READ, READ[::2])


@pytest.fixture(scope='module')
def described():
    """What each code leaves of the variables that its question asks for."""
    codes = ((question, asked_names(question, gold), one) for question, gold, code, _ in CASES for one in (gold, code))
    filled = (((question, one), names, FRESH.format(names=names, code=one)) for question, names, one in codes)
    return asyncio.run(describe(SETUP, filled))


def test_there_are_enough():
    assert sum(right for *_, right in READ) > 100 and sum(not right for *_, right in READ) > 150


def scored(question, code, golds, found, **margins):
    """The share of right variables, and what is wrong with the others."""
    answers = read_declaration('list') if 'Leave the answer' in question else {}
    step = gold_step('exec', question=question, state=golds, answers=answers, **margins)
    step = step.model_copy(update={'code': code})
    score = score_step([call() | {'variables': found}], step).step
    return score.values['state_correct'], score.details.get('state_correct', '')


@pytest.mark.parametrize('case', CASES, ids=lambda case: f'{"right" if case[3] else "wrong"}: {case[2][:60]}')
def test_content_decides(described, case):
    question, gold, code, right = case
    share, wrong = scored(question, gold, described[question, gold], described[question, code])
    assert (share == 1) is right, wrong


def whole(number):
    column = {'dtype': 'number', 'form': 'int', 'moments': [number, 0, number, number], 'values': [number]}
    return {'x': {'kind': 'scalar', 'type': 'int', 'columns': [column]}}


@pytest.mark.parametrize(
    ('margin', 'answer', 'right'),
    [
        ({}, 1001, False),
        ({'tolerance': 0.01}, 1009, True),
        ({'tolerance': 0.01}, 1011, False),
        ({'absolute': 5.0}, 1005, True),
        ({'absolute': 5.0}, 1006, False),
        ({'absolute': 0.5}, 1001, False),
        ({'tolerance': 0.1, 'absolute': 5.0}, 1050, False),  # in the place of the relative one
    ],
)
def test_numbers_may_differ_by_the_margin_of_the_step(margin, answer, right):
    share, wrong = scored('Let `x` be 1000.', 'x = 1000', whole(1000), whole(answer), **margin)
    assert (share == 1) is right, wrong


def complex_number(text, **more):
    column = {'dtype': 'text', 'values': [text], 'digest': text}
    return {'kind': 'scalar', 'type': 'complex', 'columns': [column]} | more


@pytest.mark.parametrize(
    ('gold', 'right', 'wrong'),
    [
        ({'kind': 'object', 'type': 'Float'}, {**whole(5)['x'], 'type': 'Float'}, whole(5)['x']),
        (
            complex_number('1+2j'),
            complex_number('1+2j', flat={'dtype': 'number', 'form': 'complex', 'values': [1, 2]}),
            complex_number('1-2j', flat={'dtype': 'number', 'form': 'complex', 'values': [1, -2]}),
        ),
    ],
)
def test_golds_described_before_more_was_told_count_as_they_did(gold, right, wrong):
    shares = [scored('Let `x` be it.', 'x = 1', {'x': gold}, {'x': answer})[0] for answer in (right, wrong)]
    assert shares == [1, 0]


COLUMNS = strategies.builds(
    dict,
    name=strategies.sampled_from(['', 'a', 'b']),
    dtype=strategies.sampled_from(['number', 'text', 'bool', 'mixed', 'empty', 'other', 'x']),
    missing=strategies.integers(0, 2),
    moments=strategies.lists(strategies.sampled_from([0.0, 1.0, 1e308]), max_size=4),
    values=strategies.lists(strategies.sampled_from([1, 2.5, 'a', None, True, 10**15]), max_size=3),
    sorted=strategies.none() | strategies.lists(strategies.just(1), max_size=3),
    digest=strategies.sampled_from(['', 'a']),
)
FLAT = strategies.fixed_dictionaries(
    {
        'kind': strategies.sampled_from(
            ['scalar', 'array', 'set', 'table', 'items', 'mapping', 'model', 'network', 'object', 'unknown', 'x']
        ),
        'type': strategies.sampled_from(['', 'Pipeline', 'DataFrame']),
        'shape': strategies.lists(strategies.sampled_from([0, 1, 3, 10**15]), max_size=3),
        'lengths': strategies.lists(strategies.sampled_from([0, 1, 2, 10**15]), max_size=3),
        'index': strategies.lists(COLUMNS, max_size=2),
        'columns': strategies.lists(COLUMNS, max_size=2),
        'flat': strategies.none() | COLUMNS,
        'settled': strategies.booleans(),
    }
)
STATES = strategies.recursive(
    FLAT,
    lambda inner: strategies.builds(
        lambda fields, items, fitted: {**fields, 'items': items, 'fitted': fitted},
        FLAT,
        strategies.dictionaries(strategies.sampled_from(['0', '1', 'steps', 'C']), inner, max_size=3),
        strategies.dictionaries(strategies.sampled_from(['coef_', 'fitted']), inner, max_size=2),
    ),
    max_leaves=4,
)


@settings(max_examples=many(150, 40), deadline=None)
@given(STATES, STATES)
def test_whatever_a_process_says_is_compared(gold, answer):
    golds, found = {'x': gold}, {'x': answer}
    for question in ('Let `x` be a DataFrame `x` of integers.', 'Sort `x`.'):
        share, wrong = scored(question, '%matplotlib inline\nx = 1', golds, found)
        assert share in (0, 1)
        assert 'cannot be compared' not in wrong
