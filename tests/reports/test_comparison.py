"""Two runs on the same steps: what differs, by how much, and beyond chance or not."""

import pytest

from cibench_eval.analysis.steps import Scored
from cibench_eval.reports.comparison import PairOfRuns, difference_table, flip_table
from cibench_eval.schema import CibenchError, StepScore


def scored(ends, library='pandas', kind='num', mode='end_to_end', epoch=1):
    """One experiment a word of `ends`, a step a letter: `+` right, `-` wrong, `!` a fault of the harness.

    Nothing decides on `o`, which ran, and `x`, which failed.
    """
    outcome = {'+': 'correct', '-': 'wrong', '!': 'harness_error', 'o': 'ran', 'x': 'exec_error'}
    steps = [
        StepScore(
            decided=letter not in 'ox',
            experiment=f'{library}/{number}',
            index=index,
            kind=kind,
            values={'tool_rate': 1.0, 'executable': float(letter != 'x'), 'numeric_correct': float(letter == '+')},
            outcome=outcome[letter],
        )
        for number, word in enumerate(ends)
        for index, letter in enumerate(word)
    ]
    return Scored(mode, steps, epoch)


def pair(a, b):
    return PairOfRuns({'s': [scored(a)]}, {'s': [scored(b)]})


def named(found):
    return {one.name: one for one in found}


def test_differences_are_paired_and_bounded():
    found = named(pair(['++', '++', '+-', '++'] * 2, ['+-'] * 8).differences())
    right = found['right']
    assert (right.a, right.b, right.points, right.steps) == (87.5, 50.0, -37.5, 16)
    assert right.comparison.difference.high < 0 and right.comparison.p < 0.05
    assert found['whole_sessions'].points == -75 and found['tool_rate'].points == 0
    assert 'average' not in found  # there are no figures and no oracle mode


def test_equal_runs_do_not_differ():
    found = named(pair(['+-', '-+'], ['+-', '-+']).differences())
    assert all(one.points == 0 and one.comparison.p == 1 for one in found.values())


def test_faults_of_the_harness_are_no_steps():
    assert named(pair(['+!', '++'], ['++', '++']).differences())['right'].steps == 3


def test_steps_on_which_nothing_decides_differ_in_what_their_code_did():
    found = named(pair(['+o', '+o'], ['+x', '+x']).differences())
    assert (found['right'].steps, found['right'].points, found['whole_sessions'].points) == (2, 0, 0)
    assert (found['executable'].steps, found['executable'].points) == (4, -50)


def test_steps_that_changed_are_named_worse_ones_first():
    flips = pair(['+-', '++'], ['-+', '++']).flips()
    assert [(one.experiment, one.step, one.better, one.why) for one in flips] == [
        ('pandas/0', 1, False, 'wrong'),
        ('pandas/0', 2, True, 'wrong'),
    ]
    table = flip_table(list(reversed(flips)))
    assert [line[1].text for line in table.lines] == ['wrong', 'better']
    assert table.note == '1 steps are right in A alone, 1 in B alone.'


def test_parts_are_module_categories():
    a = {'s': [scored(['++'], 'pandas'), scored(['++'], 'seaborn')]}
    b = {'s': [scored(['++'], 'pandas'), scored(['--'], 'seaborn')]}
    found = named(PairOfRuns(a, b).parts())
    assert {name: one.points for name, one in found.items()} == {'manipulation': 0, 'visualization': -100}


def test_only_steps_that_both_have_count():
    right = named(pair(['+++'], ['++']).differences())['right']
    assert (right.a, right.b, right.steps) == (100, 100, 2)


def test_runs_of_nothing_common_are_refused():
    with pytest.raises(CibenchError, match='nothing to compare: A has s, B has t'):
        PairOfRuns({'s': []}, {'t': []}).splits  # noqa: B018


def test_a_table_shows_points_and_intervals():
    table = difference_table(list(pair(['++', '++', '++'], ['+-', '++', '+-']).differences()), 'B against A')
    line = next(line for line in table.lines if line[0].text == 's: Right')
    assert [cell.text for cell in line[:4]] == ['s: Right', '100.0', '66.7', '-33.3'] and line[3].span
