"""Intervals cover what they say, agree with formulas written out by hand, and do not depend on what they must not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cibench_eval.analysis import comparison, intervals
from cibench_eval.analysis.clusters import Clustered
from tests.analysis.simulated import SIMULATIONS, cascade, cascade_accuracy, chances, experiments, graded, model
from tests.support.soak import many


def share_covered(draw, truth, simulations=SIMULATIONS):
    found = [draw() for _ in range(simulations)]
    return sum(one.low <= truth <= one.high for one in found) / simulations * 100


@pytest.mark.parametrize(
    ('clusters', 'accuracy', 'correlation'),
    [(20, 0.8, 0.9), *many([(20, 0.8, 0.5), (70, 0.6, 0.2), (60, 0.9, 0.9)], [])],
)
def test_the_interval_of_a_mean_covers_its_truth(clusters, accuracy, correlation):
    """Where the steps of an experiment hardly differ, too."""
    rng = np.random.default_rng(1)
    share = share_covered(
        lambda: intervals.mean_interval(*model(rng, clusters, accuracy, correlation), draws=1000), accuracy
    )
    assert 93 <= share <= 97


KINDS_OF_SCORES = {
    'one step each': lambda rng, clusters, mean: ((rng.random(clusters) < mean).astype(float), np.arange(clusters)),
    'right or wrong': lambda rng, clusters, mean: model(rng, clusters, mean, 0.3),
    'graded': lambda rng, clusters, mean: graded(rng, clusters, mean, 0.3, 1),
    'mixed': lambda rng, clusters, mean: graded(rng, clusters, mean, 0.3, 0.5),
}


@pytest.mark.soak
@pytest.mark.parametrize('kind', many(list(KINDS_OF_SCORES), ['mixed']))
@pytest.mark.parametrize('clusters', [20, *many([6, 60], [])])
def test_it_covers_near_0_and_1_whatever_the_kind_of_score(kind, clusters):
    """Where few experiments tell of a figure near 0 or 1, mean ± t SE and Wilson's interval cover 84 to 93 %."""
    rng, draw = np.random.default_rng(13), KINDS_OF_SCORES[kind]
    for mean in (0.02, 0.1, 0.3):  # wrong for right mirrors the interval, see below
        share = share_covered(
            lambda mean=mean: intervals.mean_interval(*draw(rng, clusters, mean), draws=1000), mean, 400
        )
        assert share >= 93, mean


@pytest.mark.parametrize('clusters', [20, *many([70], [])])
def test_it_covers_where_a_failed_step_fails_the_next_ones(clusters):
    rng = np.random.default_rng(2)
    share = share_covered(lambda: intervals.mean_interval(*cascade(rng, clusters), draws=1000), cascade_accuracy())
    assert 93 <= share <= 98


def six(rng, clusters, truths):
    """Three metrics in two modes: each step of one metric, and a cluster effect that both modes share."""
    rows = experiments(rng, clusters)
    kinds = rng.integers(0, 3, len(rows))
    where = rng.random(clusters)
    each = np.stack([chances(where, truth, 0.2) for truth in truths])
    strata = np.concatenate([kinds, kinds + 3])
    rows = np.concatenate([rows, rows])
    return (rng.random(len(rows)) < each[strata, rows]).astype(float), rows, strata


@pytest.mark.soak
@pytest.mark.parametrize('clusters', [20, *many([70], [])])
def test_the_interval_of_the_six_way_average_covers_its_truth(clusters):
    rng, truths = np.random.default_rng(3), (0.5, 0.4, 0.6, 0.7, 0.6, 0.8)
    share = share_covered(lambda: intervals.mean_interval(*six(rng, clusters, truths), draws=200), np.mean(truths))
    assert 93 <= share <= 97


@pytest.mark.soak
@pytest.mark.parametrize('clusters', [20, *many([70], [])])
def test_the_interval_of_a_score_given_that_code_ran_covers_its_truth(clusters):
    rng = np.random.default_rng(4)

    def draw():
        ran, rows = model(rng, clusters, 0.7, 0.3)
        right = rng.random(len(rows)) < chances(rng.random(clusters), 0.6, 0.3)[rows]
        return intervals.ratio_interval(ran * right, ran, rows, draws=200)

    assert 93 <= share_covered(draw, 0.6) <= 97


VALUES = np.array([1, 1, 0, 1, 0.5, 0, 0, 1, 0.25, 1])
CLUSTERS = ['a', 'a', 'a', 'b', 'b', 'c', 'c', 'c', 'c', 'd']


def test_the_standard_error_is_the_sandwich_of_a_regression_on_a_constant():
    """bread · meat · bread with X a column of ones, and C / (C - 1)."""
    x = np.ones((len(VALUES), 1))
    bread = np.linalg.inv(x.T @ x)
    residuals = VALUES - x @ (bread @ x.T @ VALUES)
    meat = np.zeros((1, 1))
    for name in 'abcd':
        one = np.array([cluster == name for cluster in CLUSTERS])
        score = x[one].T @ residuals[one]
        meat += np.outer(score, score)
    interval = intervals.mean_interval(VALUES, CLUSTERS)
    assert interval.se == pytest.approx(np.sqrt((4 / 3 * bread @ meat @ bread)[0, 0]), rel=1e-12)
    assert (interval.mean, interval.clusters) == (pytest.approx(VALUES.mean()), 4)


def test_the_bootstrap_standard_error_agrees_with_the_linearised():
    data = six(np.random.default_rng(7), 70, (0.5, 0.4, 0.6, 0.7, 0.6, 0.8))
    sums = Clustered.of(*data)
    drawn = np.random.default_rng(0).multinomial(70, np.full(70, 1 / 70), 10_000)
    spread = np.sqrt(70 / 69) * (drawn @ sums.sums / (drawn @ sums.counts)).mean(1).std()
    assert intervals.mean_interval(*data).se == pytest.approx(spread, rel=0.03)


def test_the_average_is_the_mean_of_the_means():
    interval = intervals.mean_interval([1, 1, 0, 0.5], [1, 2, 2, 2], ['x', 'x', 'x', 'y'])
    assert interval.mean == pytest.approx((2 / 3 + 0.5) / 2)


@pytest.mark.parametrize('right', [0, 1, 6, 14, 15])
def test_of_single_steps_it_lies_inside_clopper_and_pearsons_and_not_far(right):
    values = [1.0] * right + [0.0] * (15 - right)
    exact = stats.binomtest(right, 15).proportion_ci(method='exact')
    interval = intervals.mean_interval(values, np.arange(15))
    assert exact.low - 0.005 <= interval.low <= exact.low + 0.05
    assert exact.high - 0.05 <= interval.high <= exact.high + 0.005


def test_of_many_independent_steps_it_is_nearly_the_binomial_wilson_interval():
    values = np.repeat([1.0, 0.0], [870, 130])
    expected = stats.binomtest(870, 1000).proportion_ci(method='wilson')
    interval = intervals.mean_interval(values, np.arange(1000))
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=2e-3)


def test_in_the_middle_it_is_nearly_the_plain_t_interval():
    interval = intervals.mean_interval(*model(np.random.default_rng(8), 70, 0.5, 0.2))
    assert interval.margin == pytest.approx(stats.t.ppf(0.975, 69) * interval.se, rel=0.1)


def test_one_cluster_has_no_interval():
    for interval in (
        intervals.mean_interval([1, 0, 1], [5, 5, 5]),
        intervals.ratio_interval([1, 0], [1, 2], ['a', 'a']),
    ):
        assert (interval.low, interval.high, interval.se, interval.margin) == (None, None, None, None)


@pytest.mark.parametrize('value', [0, 1, 0.5])
def test_experiments_that_do_not_differ_leave_room_for_one_that_does(value):
    """Of single steps nearly the share that 20 experiments cannot show, of ten steps over half of it."""
    share = comparison.undetected(20)
    for steps, least in ((1, 0.8), (10, 0.5)):
        interval = intervals.mean_interval([value] * 20 * steps, np.repeat(np.arange(20), steps))
        assert least * share * value <= value - interval.low <= share * value
        assert least * share * (1 - value) <= interval.high - value <= share * (1 - value)


def test_the_rule_of_three_for_either_side_is_3_7_in_clusters():
    assert comparison.undetected(100) == pytest.approx(0.037, rel=0.03)


@pytest.mark.soak
@pytest.mark.parametrize('correlation', [0.9, 0.05])
def test_a_near_perfect_model_is_covered_whatever_the_dependence(correlation):
    """A model right 995 times in 1000 often makes no error at all on 20 experiments."""
    rng = np.random.default_rng(9)
    assert share_covered(lambda: intervals.mean_interval(*model(rng, 20, 0.995, correlation), draws=1000), 0.995) >= 95


def test_one_cluster_with_all_the_errors_widens_the_interval():
    rows = np.repeat(np.arange(70), 10)
    one, many = np.ones(700), np.ones(700)
    one[:10] = 0
    many[::70] = 0
    assert intervals.mean_interval(one, rows).margin > 1.5 * intervals.mean_interval(many, rows).margin


def test_what_ran_nowhere_is_no_ratio():
    with pytest.raises(ValueError, match='denominators'):
        intervals.ratio_interval([0, 0], [0, 0], ['a', 'b'])


def test_experiments_in_which_nothing_ran_are_no_clusters_of_a_ratio():
    assert intervals.ratio_interval([1, 0, 0], [1, 1, 0], ['a', 'b', 'c']).clusters == 2


@pytest.mark.parametrize(('values', 'clusters'), [([], []), ([1], [1, 2]), ([1.2], [1]), ([float('nan')], [1])])
def test_what_is_no_column_of_fractions_is_refused(values, clusters):
    with pytest.raises(ValueError, match=r'observations|fractions'):
        intervals.mean_interval(values, clusters)


CLUSTERED = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 6)), min_size=1, max_size=40)
KINDS = {
    'mean': lambda v, c: intervals.mean_interval(v, c, draws=200),
    'average': lambda v, c: intervals.mean_interval(v, c, np.arange(len(c)) % 3, draws=200),
    'ratio': lambda v, c: intervals.ratio_interval(v, np.ones(len(c)), c, draws=200),
}


@pytest.mark.parametrize('kind', KINDS)
@settings(deadline=None, max_examples=60)
@given(steps=CLUSTERED)
def test_an_interval_stays_in_range_and_holds_its_mean(kind, steps):
    interval = KINDS[kind](*zip(*steps, strict=True))
    if interval.low is not None:
        assert 0 <= interval.low <= interval.mean <= interval.high <= 1


@pytest.mark.parametrize('kind', KINDS)
@settings(deadline=None, max_examples=many(200, 50))
@given(
    steps=CLUSTERED, raised=st.lists(st.floats(0, 1), min_size=40, max_size=40), share=st.sampled_from([0.03, 0.5, 1])
)
def test_raising_scores_lowers_no_bound(kind, steps, raised, share):
    values, clusters = zip(*steps, strict=True)
    better = [
        max(value, more) if place < share * 40 else value
        for place, (value, more) in enumerate(zip(values, raised, strict=False))
    ]
    one, other = KINDS[kind](values, clusters), KINDS[kind](better, clusters)
    if one.low is not None:
        assert other.low >= one.low - 1e-12
        assert other.high >= one.high - 1e-12


@settings(deadline=None, max_examples=60)
@given(steps=CLUSTERED, order=st.randoms(use_true_random=False))
def test_neither_order_nor_names_matter(steps, order):
    values, clusters = zip(*steps, strict=True)
    expected = intervals.mean_interval(values, clusters)
    names = list(range(7))
    order.shuffle(names)
    shuffled = [(value, f'experiment {names[cluster]}') for value, cluster in steps]
    order.shuffle(shuffled)
    again = intervals.mean_interval(*zip(*shuffled, strict=True))
    fields = ('mean', 'low', 'high', 'se')
    assert [getattr(again, name) for name in fields] == [
        value if value is None else pytest.approx(value, abs=1e-7)
        for value in (getattr(expected, name) for name in fields)
    ]
    assert again.clusters == expected.clusters


def test_copies_of_steps_inside_an_experiment_hardly_narrow_it():
    """They are no new experiments: only what an unseen one weighs depends on the number of steps."""
    values, rows = model(np.random.default_rng(15), 20, 0.7, 0.2)
    one, twice = intervals.mean_interval(values, rows), intervals.mean_interval(np.tile(values, 2), np.tile(rows, 2))
    assert twice.se == pytest.approx(one.se)
    assert 0.95 * one.margin < twice.margin <= one.margin


@settings(deadline=None, max_examples=60)
@given(steps=CLUSTERED)
def test_wrong_for_right_mirrors_the_interval(steps):
    values, clusters = zip(*steps, strict=True)
    one, other = intervals.mean_interval(values, clusters), intervals.mean_interval(1 - np.array(values), clusters)
    if one.low is not None:
        assert (1 - other.high, 1 - other.low) == pytest.approx((one.low, one.high), abs=1e-7)


def test_more_experiments_are_narrower():
    values, rows = model(np.random.default_rng(10), 40, 0.7, 0.2)
    twice = intervals.mean_interval(np.tile(values, 2), np.concatenate([rows, rows + 40]))
    assert twice.margin == pytest.approx(intervals.mean_interval(values, rows).margin / np.sqrt(2), rel=0.05)


def test_a_seed_gives_the_same_interval_and_another_hardly_another(monkeypatch):
    data = six(np.random.default_rng(12), 30, (0.5,) * 6)
    interval = intervals.mean_interval(*data)
    assert intervals.mean_interval(*data) == interval
    monkeypatch.setattr(intervals, 'SEED', 1)
    assert intervals.mean_interval(*data) != interval
    assert intervals.mean_interval(*data).margin == pytest.approx(interval.margin, rel=0.05)


def test_what_differs_by_less_than_can_be_read_does_not_pass_for_precision():
    """Figures of the same picture score 0.9999 or 1: that six experiments agree so well says as much as six ones."""
    nearly = intervals.mean_interval([1.0, 0.9999, 1.0, 0.99995, 1.0, 0.9999], list('abcdef'))
    exactly = intervals.mean_interval([1.0] * 6, list('abcdef'))
    assert nearly.low == pytest.approx(exactly.low, abs=1e-3)
