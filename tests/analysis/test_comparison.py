"""Models are told apart as often as they should be: seldom where they are equal, often where they are not."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchmarks.uncertainty import minimum_detectable_effect
from cibench_eval.analysis import comparison
from tests.analysis.simulated import SIMULATIONS, models


@pytest.mark.soak
@pytest.mark.parametrize(('clusters', 'accuracy', 'correlation'), [(70, 0.8, 0.2), (20, 0.5, 0.3)])
def test_equal_models_differ_in_one_test_of_twenty(clusters, accuracy, correlation):
    rng = np.random.default_rng(1)
    found, tries = 0, 2 * SIMULATIONS
    for _ in range(tries):
        (a, b), rows = models(rng, clusters, [accuracy] * 2, correlation)
        found += comparison.compare(a, b, rows).p < 0.05
    # What a seed draws differs between processors: as many as 0.05 of the tries, to within 3.5 standard errors.
    assert abs(found / tries - 0.05) < 3.5 * np.sqrt(0.05 * 0.95 / tries)


def test_the_interval_of_a_difference_covers_it():
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(SIMULATIONS):
        (a, b), rows = models(rng, 70, [0.75, 0.6], 0.2)
        difference = comparison.compare(a, b, rows).difference
        hits += difference.low <= 0.15 <= difference.high
    assert 93 <= hits / SIMULATIONS * 100 <= 97


def test_the_formula_of_the_minimum_detectable_effect():
    expected = (stats.t.ppf(0.975, 9) + stats.t.ppf(0.8, 9)) * 0.03
    assert minimum_detectable_effect(0.03, 10) == pytest.approx(expected)
    assert minimum_detectable_effect(0.03, 10**6) == pytest.approx(2.8016 * 0.03, rel=1e-4)
    assert minimum_detectable_effect(0.0, 10) is None
    assert minimum_detectable_effect(0.1, 1) is None


def test_with_one_step_in_each_experiment_it_is_the_paired_t_test():
    rng = np.random.default_rng(4)
    a, b = rng.random((2, 50))
    b *= 0.9
    known, ours = stats.ttest_rel(a, b), comparison.compare(a, b, np.arange(50))
    assert ours.p == pytest.approx(known.pvalue, rel=1e-6)
    interval = known.confidence_interval()
    assert (ours.difference.low, ours.difference.high) == pytest.approx((interval.low, interval.high))


def test_one_experiment_with_most_of_the_difference_leaves_satterthwaites_degrees_of_freedom():
    """2 mean² / variance, of the estimates of the variance from all samples of six of the six."""
    differences = np.array([0, 0.1, 0.1, 0.2, 0.1, 0.9])
    estimates = differences[np.array([*product(range(6), repeat=6)])].var(1, ddof=1)
    df = 2 * estimates.mean() ** 2 / estimates.var()
    t = stats.ttest_1samp(differences, 0).statistic
    assert df < 5 and comparison.compare(differences, np.zeros(6), range(6)).p == pytest.approx(2 * stats.t.sf(t, df))


def test_experiments_of_unequal_sizes_are_worth_as_many_equal_ones():
    """As many as leave two steps the same chance to be of one experiment, here (16 + 6) / 100; less one."""
    rows = np.repeat(np.arange(7), [4, 1, 1, 1, 1, 1, 1])
    differences = np.array([0.4, 0.4, 0.4, 0.4, 0.1, 0.7, 0.2, 0.6, 0.3, 0.5])
    errors = [sum(differences[rows == one] - differences.mean()) for one in range(7)]
    t = differences.mean() / np.sqrt(7 / 6 * np.square(errors).sum() / 100)
    assert comparison.compare(differences, np.zeros(10), rows).p == pytest.approx(2 * stats.t.sf(t, 100 / 22 - 1))


def test_the_difference_of_the_average_weighs_each_stratum_alike():
    a, b = [1, 1, 1, 0, 1, 0], [0, 1, 1, 0, 0, 0]
    strata, rows = ['x', 'y', 'y', 'y', 'x', 'y'], [1, 1, 2, 2, 3, 3]
    assert comparison.compare(a, b, rows, strata).difference.mean == pytest.approx((1 - 0) / 2)


@given(steps=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 5)), min_size=1, max_size=40))
def test_interval_and_test_say_the_same(steps):
    found = comparison.compare(*zip(*steps, strict=True))
    difference = found.difference
    if found.p is None:
        assert (difference.clusters, difference.low) == (1, None)
    else:
        assert -1 <= difference.low <= difference.mean <= difference.high <= 1
        if abs(found.p - 0.05) > 1e-6:
            assert (difference.low > 0 or difference.high < 0) == (found.p < 0.05)


def test_models_of_the_same_scores_do_not_differ():
    same = comparison.compare([1, 0, 1, 1], [1, 0, 1, 1], [1, 1, 2, 2])
    assert same.p == 1
    assert same.difference.low == -same.difference.high < 0
    equal = comparison.compare([1] * 8, [1] * 8, range(8)).difference
    assert equal.high == pytest.approx(1 - 0.025 ** (1 / 8))


def test_a_model_always_right_beats_one_always_wrong_if_there_are_experiments_enough():
    assert comparison.compare(np.ones(6), np.zeros(6), np.arange(6)).p == pytest.approx(2**-5)
    for few in range(2, 6):
        for last in (1, 0.9):  # nearly equal differences are no surer than equal ones
            scores = [*np.ones(few - 1), last]
            found = comparison.compare(scores, np.zeros(few), np.arange(few))
            assert found.p >= 2 ** (1 - few) - 1e-9 and found.difference.low < 0


def average(experiments, rare, rng):
    """Two equal models: right or wrong in a metric of each experiment, and in one that only some have."""
    places = np.concatenate([np.repeat(np.arange(experiments), 4), np.repeat(np.arange(rare), 2)])
    strata = np.repeat(['numeric', 'rare'], [4 * experiments, 2 * rare])
    return rng.random((2, len(places))) < rng.random(experiments)[places], places, strata


def test_a_metric_of_few_experiments_makes_no_average_sure():
    rng = np.random.default_rng(9)
    drawn = [comparison.compare(*scores, *rest).p for scores, *rest in (average(20, 2, rng) for _ in range(400))]
    assert sum(p < 0.05 for p in drawn) <= 34  # of 20 expected at most, three standard errors above
    _, places, strata = average(20, 6, rng)
    assert comparison.compare(strata == 'rare', np.zeros(len(strata)), places, strata).p < 0.05, 'six are enough'
    scores, *rest = average(20, 2, rng)
    strata = rest[1]
    right, wrong = np.ones(len(strata)), np.where(strata == 'rare', 0.0, 1.0)
    found = comparison.compare(right, wrong, *rest)
    assert found.p == 1 and found.difference.low <= 0 < found.difference.high, 'two experiments differ, alike'
    others = np.where(strata == 'rare', 1.0, 0.0)
    assert comparison.compare(right, others, *rest).p < 0.05, 'twenty differ in the other metric'
    scores, *rest = average(20, 1, rng)
    assert comparison.compare(*scores, *rest).p is None, 'what differs between experiments is not known'
    assert [
        rank.text for rank in comparison.rank_groups([np.ones(82), np.zeros(82)], rest[0], ['a', 'b'], rest[1])
    ] == (['1–2', '1–2'])


def test_one_experiment_separates_nothing():
    assert comparison.compare([1, 1], [0, 0], ['a', 'a']).p is None
    ranks = comparison.rank_groups([[1, 1], [0, 0]], ['a', 'a'], ['good', 'bad'])
    assert [rank.text for rank in ranks] == ['1–2', '1–2']


def test_columns_of_different_length_are_refused():
    with pytest.raises(ValueError, match='2 and 1'):
        comparison.compare([1, 0], [1], [1, 2])


def test_holm_by_hand():
    assert comparison.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert len(comparison.holm([])) == 0


@given(st.lists(st.floats(0, 1), max_size=20))
def test_holm_keeps_the_order_and_lies_between_none_and_bonferroni(pvalues):
    raw, adjusted = np.array(pvalues), comparison.holm(pvalues)
    assert (adjusted >= raw).all()
    assert (adjusted <= np.minimum(raw * len(raw), 1) + 1e-15).all()
    order = np.argsort(raw, kind='stable')
    assert (np.diff(adjusted[order]) >= 0).all()


def test_equal_models_share_all_ranks():
    """Of ten equal models any two are told apart in at most 5 % of simulations; 8.8 % of 300 is three errors above."""
    rng = np.random.default_rng(7)
    wrong = 0
    for _ in range(300):
        scores, rows = models(rng, 70, [0.6] * 10, 0.2)
        wrong += any(rank.text != '1–10' for rank in comparison.rank_groups(scores, rows, list('abcdefghij')))
    assert wrong / 300 <= 0.088


def test_ranks_separate_what_the_data_separates():
    scores, rows = models(np.random.default_rng(8), 70, [0.3, 0.6, 0.9, 0.61], 0.2)
    ranks = comparison.rank_groups(scores, rows, ['weak', 'middle', 'strong', 'also'])
    assert [rank.text for rank in ranks] == ['1', '2–3', '2–3', '4']
    assert [ranks[0].model, ranks[3].model] == ['strong', 'weak']
    assert [rank.mean for rank in ranks] == pytest.approx(sorted(scores.mean(1), reverse=True))
