"""Where a step declares variables: when these decide, and when what is printed does."""

import pytest

from cibench_eval.datasets.declared import read_declaration
from tests.support.scoring import gold_step, left


def whole(number):
    column = {'dtype': 'number', 'form': 'int', 'moments': [number, 0, number, number], 'values': [number]}
    return {'answer': {'kind': 'scalar', 'type': 'int', 'columns': [column]}}


def many(kind, numbers):
    column = {'dtype': 'number', 'form': 'int', 'moments': [len(numbers), 0, 0, 9], 'values': numbers}
    return {'kind': kind, 'type': kind, 'shape': [len(numbers)], 'columns': [column]}


def named(**lists):
    items = {name: many('array', numbers) for name, numbers in lists.items()}
    return {'kind': 'mapping', 'type': 'dict', 'shape': [len(items)], 'items': items}


def score(code, printed, state, gold=None):
    """The number and its detail of a step whose gold leaves 5 in `answer` and prints it."""
    step = gold_step('num', '5', question='Leave it in `answer`.', state=whole(5) if gold is None else gold)
    step = step.model_copy(update={'answers': read_declaration('count'), 'code': 'answer = 5'})
    found = left(step, code, state, printed or None)
    return found.score, found.detail


def test_the_variable_decides_where_the_step_makes_it():
    assert score('answer = 5', '', whole(5))[0] == 1
    assert score('answer = 5', 'something else', whole(5))[0] == 1
    value, why = score('answer = 4', '5', whole(4))
    assert value == 0
    assert why == 'answer: not 5'


@pytest.mark.parametrize(
    ('true', 'said', 'right'),
    [(1, 0.51, 1), (1, 0.5, 0), (1, 0.49, 0), (0, 0.49, 1), (0, 0.5, 0), (0, 1, 0), (1, 7, 0), (0, -1, 0)],
)
def test_a_probability_is_right_on_the_side_of_what_is_true(true, said, right):
    step = gold_step('num', str(true), question='Leave it in `answer`.', state=whole(true))
    step = step.model_copy(update={'answers': read_declaration('probability'), 'code': f'answer = {true}'})
    found = left(step, f'answer = {said}', whole(said))
    assert found.score == right
    assert [(one.probability, one.true) for one in found.step.forecasts] == (
        [(said, bool(true))] if 0 <= said <= 1 else []
    )


@pytest.mark.parametrize(
    ('code', 'state'),
    [
        ('print(5)', {}),
        ('print(5)', whole(4)),  # which an earlier step made
        ('print(5)', None),  # predictions of a program that keeps no variables
        ('answer = 5\ndel answer', {}),
    ],
)
def test_what_is_printed_decides_where_the_step_makes_no_variable(code, state):
    assert score(code, '5', state)[0] == 1
    assert score(code, '4', state)[0] == 0
    assert score(code, '', state)[0] == 0


@pytest.mark.parametrize(
    'code',
    [
        'files = !ls data\n{}',
        'where = %pwd\n{}',
        'len?\n{}',
        '?len\n{}  # so?',
        '%%time\n{}',
        'def main():\n    global answer\n    {}\nmain()',
    ],
)
def test_code_of_any_form_makes_a_variable(code):
    assert score(code.format('answer = 5'), '', whole(5))[0] == 1
    assert score(code.format('answer = 4'), '5', whole(4))[0] == 0


def test_what_is_printed_decides_where_the_gold_variable_is_not_known():
    unsettled = {'answer': {**whole(5)['answer'], 'settled': False}}
    for gold in ({}, unsettled):
        assert score('answer = 7', '5', whole(7), gold)[0] == 1
        assert score('answer = 5', '7', whole(5), gold)[0] == 0


def test_a_variable_that_cannot_be_read_is_wrong():
    value, why = score('answer = Odd()', '5', {'answer': {'kind': 'unknown', 'type': 'Odd'}})
    assert value == 0
    assert 'could not be read (Odd)' in why


@pytest.mark.parametrize(
    ('declared', 'gold', 'answer', 'why'),
    [
        ('set[count]', many('set', [1, 2, 3]), many('set', [1, 2]), "1 of the gold's 3 values are missing"),
        (
            'set[count]',
            many('set', [1, 2, 3]),
            many('set', [1, 2, 3, 4]),
            '1 of its 4 values have no counterpart in the gold',
        ),
        (
            'set[count]',
            many('set', [1, 2, 3]),
            many('set', [1, 4]),
            "1 of its 2 values have no counterpart in the gold; 2 of the gold's 3 values are missing",
        ),
        ('table[count]', named(a=[1, 2, 3]), named(a=[1, 2]), "'a' has 2 values, not 3"),
        ('table[count]', named(a=[1, 2], b=[3, 4]), named(a=[1, 2]), "it has no 'b'"),
        ('table[count]', named(a=[1], b=[]), named(a=[1]), "it has no 'b'"),
        ('table[count]', named(a=[1, 2]), named(a=[1, 2], c=[]), "it has 'c' too many"),
        ('table[count]', named(a=[1, 2]), named(a=[1, 3]), "'a': not 2"),
    ],
)
def test_the_detail_names_the_fault(declared, gold, answer, why):
    step = gold_step('num', 'what is printed', state={'answer': gold})
    step = step.model_copy(update={'answers': read_declaration(declared), 'code': 'answer = …'})
    found = left(step, 'answer = 1', {'answer': answer})
    assert found.detail == f'answer: {why}'
    assert found.score == 0


def test_a_declared_variable_is_no_part_of_state():
    step = gold_step('num', '5', question='Leave it in `answer`.', state=whole(5))
    step = step.model_copy(update={'code': 'answer = 5'})
    for answers, known in (({}, True), (read_declaration('count'), False)):
        one = step.model_copy(update={'answers': answers})
        values = left(one, 'answer = 5', whole(5)).step.values
        assert ('state_correct' in values) is known
