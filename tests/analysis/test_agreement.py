"""Agreement against published worked examples and scipy."""

import numpy as np
import pytest
import scipy  # its parts are imported where they are first used: not in each process that collects tests

from cibench_eval.analysis import agreement

KRIPPENDORFF_2011 = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""
"""Four observers and twelve units, part C of "Computing Krippendorff's Alpha-Reliability"; interval α is .849."""
THREE_CODERS = """
. . . . . 3 4 1 2 1 1 3 3 . 3
1 . 2 1 3 3 4 3 . . . . . . .
. . 2 1 3 4 4 . 2 1 1 3 3 . 4
"""
"""Three coders and fifteen units, the example of Wikipedia's article; interval α is 0.811."""


def table(text):
    return [
        [float('nan') if value == '.' else float(value) for value in line.split()] for line in text.split('\n')[1:-1]
    ]


@pytest.mark.parametrize(('ratings', 'alpha'), [(KRIPPENDORFF_2011, 0.849), (THREE_CODERS, 0.811)])
def test_alpha_is_that_of_published_examples(ratings, alpha):
    assert agreement.krippendorff_alpha(table(ratings)) == pytest.approx(alpha, abs=0.0005)


def test_alpha_at_its_ends():
    assert agreement.krippendorff_alpha([[0.1, 0.5, 0.9], [0.1, 0.5, 0.9]]) == 1.0
    assert agreement.krippendorff_alpha([[0.1, 0.9], [0.9, 0.1]]) < 0
    assert np.isnan(agreement.krippendorff_alpha([[0.5, 0.5], [0.5, 0.5]]))
    assert np.isnan(agreement.krippendorff_alpha([[0.5, np.nan], [np.nan, 0.5]]))


def test_correlations_are_those_of_scipy():
    rng = np.random.default_rng(2)
    a = rng.integers(1, 11, 50) / 10
    b = a + rng.random(50)
    assert agreement.pearson(a, b) == pytest.approx(scipy.stats.pearsonr(a, b).statistic)
    assert agreement.spearman(a, b) == pytest.approx(scipy.stats.spearmanr(a, b).statistic)
    assert np.isnan(agreement.pearson(a, np.ones(50)))


def test_an_interval_counts_experiments_and_not_steps():
    """The same 8 experiments with one step each or thirty copies of it are the same evidence."""
    rng = np.random.default_rng(3)
    a = rng.random(8)
    b = a + rng.random(8) / 2
    clusters = list('abcdefgh')
    one = agreement.estimate(agreement.pearson, (a, b), clusters)
    many = agreement.estimate(agreement.pearson, (np.repeat(a, 30), np.repeat(b, 30)), list(np.repeat(clusters, 30)))
    assert one.value == pytest.approx(many.value)
    assert (one.low, one.high) == pytest.approx((many.low, many.high))
    assert one.low < one.value < one.high


@pytest.mark.soak
def test_intervals_hold_what_they_promise():
    """Of 100 samples of 20 experiments with steps that move together, most intervals hold the true correlation."""
    rng, held = np.random.default_rng(4), 0
    for seed in range(100):
        shared = rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], 20)
        columns = np.repeat(shared, 4, axis=0)
        found = agreement.estimate(
            agreement.pearson, (columns[:, 0], columns[:, 1]), [i // 4 for i in range(80)], draws=100, seed=seed
        )
        held += found.low <= 0.6 <= found.high
    assert held >= 88


def test_no_interval_where_there_is_none():
    alone = agreement.estimate(
        agreement.pearson, (np.array([0.1, 0.2, 0.4]), np.array([0.2, 0.2, 0.5])), ['a', 'a', 'a']
    )
    assert alone.value is not None
    assert (alone.low, alone.high) == (None, None)
    two = agreement.estimate(agreement.pearson, (np.array([0.1, 0.2, 0.4]), np.array([0.2, 0.2, 0.5])), ['a', 'a', 'b'])
    assert two.value == alone.value and (two.low, two.high) == (None, None)
    constant = agreement.estimate(agreement.pearson, (np.ones(3), np.array([0.2, 0.2, 0.5])), ['a', 'b', 'c'])
    assert constant.value is None


def observation(model, experiment, **values):
    return agreement.MeasuredStep(model=model, experiment=experiment, values=values)


def test_pairs_take_the_steps_that_both_have():
    steps = [
        observation('m', 'a', judge=0.2, official=0.3, strict=0.1),
        observation('m', 'b', judge=0.5, official=0.6, strict=0.5),
        observation('m', 'c', judge=0.9, official=0.8),
        observation('n', 'c', official=0.8),
    ]
    found = agreement.agreements(steps, ['official', 'strict', 'judge', 'objects'], draws=50)
    assert [(one.a, one.b, one.steps) for one in found] == [
        ('official', 'strict', 2),
        ('official', 'judge', 3),
        ('strict', 'judge', 2),
    ]
    assert found[1].pearson.value == pytest.approx(scipy.stats.pearsonr([0.3, 0.6, 0.8], [0.2, 0.5, 0.9]).statistic)
    assert found[1].experiments == 3


def test_means_of_models_are_over_the_same_steps():
    steps = [
        observation('m', 'a', judge=0.2, official=0.4),
        observation('m', 'b', judge=0.4),
        observation('n', 'a', judge=0.6, official=0.8),
    ]
    assert [(one.model, one.steps, one.means) for one in agreement.levels(steps, ['judge', 'official'])] == [
        ('m', 1, {'judge': 20.0, 'official': 40.0}),
        ('n', 1, {'judge': 60.0, 'official': 80.0}),
    ]


def test_the_tables_say_what_is_not_known():
    steps = [observation('m', name, judge=0.5, official=value) for name, value in (('a', 0.3), ('b', 0.4))]
    measures = ['official', 'judge']
    text = agreement.to_markdown(agreement.agreements(steps, measures), agreement.levels(steps, measures))
    assert '| official / judge | 2 | 2 | 0.0 | – | – |' in text
    assert '| m | 2 | 35.0 | 50.0 |' in text


def test_the_tables_bound_a_coefficient_and_say_where_a_measure_is_constant():
    steps = [observation('m', name, judge=at / 10, official=at % 2) for at, name in enumerate('abcdef')]
    assert '| 0.29 [-1.00, 1.00] |' in agreement.to_markdown(agreement.agreements(steps, ['official', 'judge']), [])
    steps = [observation('m', name, judge=0.5, official=at % 2) for at, name in enumerate('abcdef')]
    assert '| – | – |' in agreement.to_markdown(agreement.agreements(steps, ['official', 'judge']), [])
    steps = [observation('m', name, judge=int(at in (3, 4)), official=at % 2) for at, name in enumerate('abcdef')]
    text = agreement.to_markdown(agreement.agreements(steps, ['official', 'judge']), [])
    assert '| 0.00 [-1.00, 1.00] |' in text and '-0.00' not in text


def test_with_three_models_their_order_is_compared():
    means = [(0.2, 0.3), (0.5, 0.4), (0.9, 0.8)]
    steps = [observation(f'm{i}', 'a', judge=judge, official=official) for i, (judge, official) in enumerate(means)]
    text = agreement.to_markdown([], agreement.levels(steps, ['judge', 'official']))
    assert f'| judge / official | {scipy.stats.pearsonr(*zip(*means, strict=True)).statistic:.2f} | 1.00 |' in text
    assert 'over 3 models' in text
    text = agreement.to_markdown([], agreement.levels(steps, ['judge', 'official']), replays={'m2'})
    assert '| m2 | 1 |' in text and 'over' not in text, 'two models have no order that could agree by more than chance'


def test_a_sample_without_disagreement_has_no_interval():
    """It would be 1.00 to 1.00, whatever the next experiment says."""
    steps = [observation('m', f'e{number}', judge=number % 2, official=number % 2) for number in range(20)]
    (found,) = agreement.agreements(steps, ['judge', 'official'])
    assert (found.alpha.value, found.alpha.low, found.pearson.low) == (1, None, None)


def test_means_that_differ_by_rounding_alone_have_no_order():
    steps = [
        observation(f'm{i}', f'e{number}', judge=i / 4, official=0.1) for i in range(4) for number in range(10**i % 99)
    ]
    assert len({sum(0.1 for _ in range(10**i % 99)) / (10**i % 99) for i in range(4)}) > 1
    assert '| judge / official | – | – |' in agreement.to_markdown([], agreement.levels(steps, ['judge', 'official']))
