"""What several runs are worth; tests/reports has what is made of them in tables."""

import itertools

import numpy as np
import pytest

from cibench_eval.analysis import passes, steps
from cibench_eval.schema import CibenchError, StepScore


def test_the_same_step_twice_is_refused():
    step = StepScore(decided=True, experiment='a', index=0, kind='num', values={'tool_rate': 1, 'executable': 1})
    with pytest.raises(CibenchError, match='a: step 0 scored twice in oracle, epoch 0'):
        steps.table_of([steps.Scored('oracle', [step]), steps.Scored('oracle', [step])])


@pytest.mark.parametrize(('runs', 'good'), [(n, c) for n in range(1, 6) for c in range(n + 1)])
def test_pass_estimates_are_the_share_of_all_choices_of_k_runs(runs, good):
    outcomes = [True] * good + [False] * (runs - good)
    for k in range(1, runs + 1):
        choices = list(itertools.combinations(outcomes, k))
        assert passes.pass_at_k([good], [runs], k) == pytest.approx(np.mean([any(those) for those in choices]))
        assert passes.pass_hat_k([good], [runs], k) == pytest.approx(np.mean([all(those) for those in choices]))


def test_pass_estimates_are_unbiased():
    rng, chance = np.random.default_rng(1), 0.3
    good = rng.binomial(8, chance, 20_000)
    runs = np.full(20_000, 8)
    assert passes.pass_at_k(good, runs, 3).mean() == pytest.approx(1 - 0.7**3, abs=0.01)
    assert passes.pass_hat_k(good, runs, 3).mean() == pytest.approx(0.3**3, abs=0.005)


@pytest.mark.parametrize(('good', 'runs', 'k'), [(1, 2, 3), (3, 2, 1), (1, 2, 0)])
def test_impossible_counts_are_refused(good, runs, k):
    with pytest.raises(ValueError, match='runs'):
        passes.pass_at_k([good], [runs], k)
