"""Sessions -> shares of one model each, of about equal cost."""

import pytest

from tests.support.stand_in_slurm import DETACHED


@pytest.fixture
def shares(here, slurm):
    """The shares of models: an end-to-end and an oracle session of each of three notebooks, two steps each."""

    def cut(*models, **options):
        for name in models:
            slurm.model(name)
        words = [word for key, value in options.items() for word in (f'--{key.replace("_", "-")}', str(value))]
        assert here('--models', *models, *DETACHED, *words).returncode == 0
        made = slurm.plan()
        for name in models:
            there = [(dataset, one) for share in made if share['model'] == name for dataset, one in sessions(share)]
            assert sorted(there) == [(dataset, f'math/{one}') for dataset in ('small', 'small_oracle') for one in 'abc']
        return made

    return cut


def sessions(share):
    return [(dataset, one) for dataset, ids in share['sessions'].items() for one in ids]


def sizes(made):
    return [(share['model'], len(sessions(share)), share['steps']) for share in made]


def test_within_the_time_of_a_job_there_is_a_share_for_each_model(shares):
    assert sizes(shares('a', 'b')) == [('a', 6, 12), ('b', 6, 12)]


LARGE = 'a-232b'
"""A model of which a step is expected to last a minute."""


def test_a_share_lasts_as_long_as_asked_for(shares):
    assert [share['seconds'] for share in shares(LARGE, target_minutes=4)] == [240] * 3


def test_what_is_longer_than_asked_for_is_not_cut(shares):
    assert sizes(shares(LARGE, target_minutes=1)) == [(LARGE, 1, 2)] * 6


def test_the_slower_model_gets_more_shares(shares):
    assert [model for model, *_ in sizes(shares('a-4b', 'b-52b', max_tasks=6))] == ['a-4b', *['b-52b'] * 5]


def test_each_model_has_a_share_however_few_are_asked_for(shares):
    assert len(shares('a', 'b', 'c', max_tasks=2)) == 3


@pytest.mark.parametrize(('max_tasks', 'target_minutes', 'number'), [(100, 4, 3), (2, 1, 2)])
def test_flags_for_both_limits_hold(shares, max_tasks, target_minutes, number):
    assert len(shares(LARGE, max_tasks=max_tasks, target_minutes=target_minutes)) == number


@pytest.mark.parametrize(
    ('name', 'seconds'), [('Qwen2.5-72B-Instruct', 20.0), ('qwen-1_8b-chat', 2.45), ('mixtral-8x7b', 16.0), ('gpt', 5)]
)
def test_size_tells_what_a_step_lasts(shares, name, seconds):
    (share,) = shares(name)
    assert share['seconds'] == pytest.approx(12 * seconds, abs=0.1)
