"""Several models on the same steps."""

import pytest

from cibench_eval.reports.comparison import SideBySide
from cibench_eval.schema import CibenchError
from tests.reports.test_comparison import scored


def side_by_side(**ends):
    return SideBySide('s', {name: [scored(words)] for name, words in ends.items()})


def texts(table):
    return [[cell.text for cell in line] for line in table.lines]


def test_models_are_ranked_on_what_all_have():
    found = side_by_side(bad=['--', '--'] * 6, good=['++', '++'] * 6 + ['--'], fair=['++', '+-'] * 6)
    lines = texts(found.ranking())
    assert [line[0] for line in lines] == ['good', 'fair', 'bad']
    assert [line[1] for line in lines] == ['100.0', '75.0', '0.0']  # the 13th experiment of `good` is nobody else's
    assert lines[2][2] == '3' and [line[4] for line in lines] == ['', '-25.0', '-100.0']
    assert [line[3] for line in lines] == ['100.0', '50.0', '0.0']
    assert found.ranking().lines[1][4].bounds.high < 0


def test_steps_that_part_the_models_most_evenly_stand_first():
    found = side_by_side(a=['+++', '-'], b=['++-', '-'], c=['+--', '-'], d=['+--', '-'])
    table = found.telling()
    assert texts(table) == [
        ['pandas/0:2 (end_to_end)', 'right', 'right', '·', '·'],
        ['pandas/0:3 (end_to_end)', 'right', '·', '·', '·'],
    ]
    assert table.note.startswith('2 of 4 steps tell these models apart; 1 are right for all.')


def test_experiments_on_which_models_differ_most_stand_first():
    assert texts(side_by_side(a=['++', '+-', '++'], b=['++', '--', '--']).experiments()) == [
        ['pandas/2', '100.0', '0.0', '100.0'],
        ['pandas/1', '50.0', '0.0', '50.0'],
        ['pandas/0', '100.0', '100.0', '0.0'],
    ]


def test_models_with_long_names_are_called_by_their_places():
    found = side_by_side(**{'a-long-name': ['-'], 'another-long-name': ['+']})
    assert found.telling().header == ['Step', '#1', '#2']
    assert [line[0] for line in texts(found.ranking())] == ['#1 another-long-name', '#2 a-long-name']


def test_steps_on_which_nothing_decides_rank_nobody():
    assert not side_by_side(a=['oo', 'x'], b=['xo', 'o']).decided
    found = side_by_side(a=['+o', '-x'], b=['-x', '-x'])
    assert found.decided and [line[1] for line in texts(found.ranking())] == ['50.0', '0.0']


def test_models_without_a_step_in_common_are_not_compared():
    with pytest.raises(CibenchError, match='no step that all of a, b have'):
        side_by_side(a=['+'], b=[]).ranking()
