"""From results files to columns, and what several runs are worth."""

import itertools

import numpy as np
import pytest

from cibench_eval.analysis import intervals, steps
from cibench_eval.reports.scores import passes_of_runs, scores_of
from cibench_eval.schema import CibenchError, StepScore

AVERAGED = ('numeric_correct', 'text_score', 'vis_sim')


def step(experiment='a', index=0, score=1.0, metric='numeric_correct', executable=True, mode='oracle', **fields):
    values = {'tool_rate': 1, 'executable': executable, **({metric: score} if metric else {})}
    return StepScore(decided=True, experiment=experiment, index=index, mode=mode, kind='num', values=values, **fields)


def test_a_step_has_a_row_for_each_metric_and_mode():
    table = steps.table_of(
        [
            step(mode='end_to_end'),
            step(index=1, metric=None, score=None, executable=False, mode='end_to_end'),
            step(score=0.5),
        ]
    )
    rows = {
        (cell.step, *name.split()): value
        for cell, name, value in zip(table.cells, table.strata, table.values, strict=True)
    }
    assert rows == {
        (0, 'end_to_end', 'tool_rate'): 1,
        (0, 'end_to_end', 'executable'): 1,
        (0, 'end_to_end', 'numeric_correct'): 1,
        (1, 'end_to_end', 'tool_rate'): 1,
        (1, 'end_to_end', 'executable'): 0,
        (0, 'oracle', 'tool_rate'): 1,
        (0, 'oracle', 'executable'): 1,
        (0, 'oracle', 'numeric_correct'): 0.5,
    }
    assert set(table.clusters) == {'a'}


def test_epochs_are_averaged_inside_the_step():
    """Four runs of one step are one observation: more runs make a step's score surer, not more experiments."""
    runs = [[step(score=s, epoch=epoch), step('b', score=1, epoch=epoch)] for epoch, s in enumerate([1, 0, 0, 0])]
    table = steps.table_of(itertools.chain(*runs)).only('oracle', AVERAGED)
    assert table.values.tolist() == [0.25, 1]
    interval = intervals.mean_interval(table.values, table.clusters)
    assert (interval.mean, interval.clusters) == (0.625, 2)


def test_given_that_the_code_ran_is_a_ratio_of_what_ran_in_any_epoch():
    """Of step 0 the second run did not run, whatever its score; step 1 never ran and does not count."""
    runs = [
        *(step(score=1), step(index=1, score=0, executable=False), step('b', score=0.5)),
        *(step(score=1, executable=False, epoch=2), step(index=1, score=0, executable=False, epoch=2)),
    ]
    table = steps.table_of(runs)
    numeric = table.only(metrics=['numeric_correct'])
    assert (numeric.values_ran.tolist(), numeric.ran.tolist()) == ([0.5, 0, 0.5], [0.5, 0, 1])
    interval = intervals.ratio_interval(numeric.values_ran, numeric.ran, numeric.clusters)
    assert (interval.mean, interval.clusters) == (pytest.approx(1 / 1.5), 2)
    found = scores_of(table, given_ran=True)
    score = found['oracle numeric_correct_ran']
    assert (score.value, score.steps) == (pytest.approx(100 / 1.5), 2) and 'oracle vis_sim_ran' not in found


def test_the_same_step_twice_is_refused():
    with pytest.raises(CibenchError, match='a: step 0 scored twice in oracle, epoch 1'):
        steps.table_of([step(), step()])


def test_models_are_aligned_on_the_steps_of_all():
    one = steps.table_of([step(), step('b', score=0)]).only(metrics=AVERAGED)
    other = steps.table_of([step('b'), step('c'), step('c', 1)]).only(metrics=AVERAGED)
    aligned = steps.align({'one': one, 'other': other})
    assert (aligned.models, aligned.values.tolist()) == (['one', 'other'], [[0], [1]])
    assert (aligned.clusters.tolist(), aligned.strata.tolist()) == (['b'], ['oracle numeric_correct'])


def test_models_without_a_common_step_are_refused():
    one, other = (steps.table_of([step(name)]) for name in 'ab')
    with pytest.raises(CibenchError, match='one, other'):
        steps.align({'one': one, 'other': other})


@pytest.mark.parametrize(('runs', 'good'), [(n, c) for n in range(1, 6) for c in range(n + 1)])
def test_pass_estimates_are_the_share_of_all_choices_of_k_runs(runs, good):
    outcomes = [True] * good + [False] * (runs - good)
    for k in range(1, runs + 1):
        choices = list(itertools.combinations(outcomes, k))
        assert intervals.pass_at_k([good], [runs], k) == pytest.approx(np.mean([any(those) for those in choices]))
        assert intervals.pass_hat_k([good], [runs], k) == pytest.approx(np.mean([all(those) for those in choices]))


@pytest.mark.parametrize(('good', 'runs', 'k'), [(1, 2, 3), (3, 2, 1), (1, 2, 0)])
def test_impossible_counts_are_refused(good, runs, k):
    with pytest.raises(ValueError, match='runs'):
        intervals.pass_at_k([good], [runs], k)


def test_steps_of_unknown_end_do_not_count():
    runs = [
        *(step(outcome='correct'), step(index=1, outcome='correct'), step('b', outcome='wrong')),
        *(step(outcome='correct', epoch=2), step(index=1, outcome='timeout', epoch=2)),
        *(step('c', epoch=3), step('d', outcome=None, epoch=3)),
    ]
    assert steps.passes_of(runs) == {
        'a': {('oracle', 1): True, ('oracle', 2): False},
        'b': {('oracle', 1): False},
    }
    at_2, hat_2 = [*passes_of_runs(runs).items()][1:]
    assert [(one.k, one.every, score.value, score.steps) for one, score in (at_2, hat_2)] == [
        (2, False, 100, 1),
        (2, True, 0, 1),
    ]
