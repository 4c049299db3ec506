"""Sessions -> shares of one model each, of about equal cost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cibench_eval.cluster.cutting import SECONDS_A_STEP, Piece, cut, seconds_a_step


def pieces(model, *seconds, dataset='d'):
    return [Piece(model, dataset, f'{model}/{at}', 10, one) for at, one in enumerate(seconds)]


def sizes(shares):
    return [(share.model, share.number) for share in shares]


def test_without_a_limit_there_is_a_share_for_each_model():
    assert sizes(cut([*pieces('a', 60, 60), *pieces('b', 60)])) == [('a', 2), ('b', 1)]


def test_a_share_lasts_as_long_as_asked_for():
    shares = cut(pieces('a', *[60] * 12), target_minutes=3)
    assert [share.seconds for share in shares] == [180] * 4


def test_what_is_longer_than_asked_for_is_not_cut():
    shares = cut(pieces('a', 600, 30, 30), target_minutes=1)
    assert sorted(share.seconds for share in shares) == [30, 30, 600]


def test_the_slower_model_gets_more_shares():
    shares = cut([*pieces('small', *[10] * 20), *pieces('large', *[50] * 20)], max_tasks=6)
    assert sizes(shares) == [('small', 20), *[('large', 4)] * 5]


def test_each_model_has_a_share_however_few_are_asked_for():
    assert len(cut([*pieces('a', 1, 1), *pieces('b', 1), *pieces('c', 1)], max_tasks=2)) == 3


def test_both_limits_hold():
    many = pieces('a', *[60] * 30)
    assert len(cut(many, max_tasks=100, target_minutes=10)) == 3
    assert len(cut(many, max_tasks=2, target_minutes=1)) == 2


@given(
    st.lists(st.tuples(st.sampled_from('abc'), st.sampled_from('de'), st.floats(0.1, 1e4)), max_size=40),
    st.one_of(st.none(), st.integers(1, 50)),
    st.one_of(st.none(), st.floats(0.1, 1e3)),
)
def test_every_session_is_in_one_share_of_its_model(sessions, max_tasks, target_minutes):
    given = [Piece(model, data, str(at), 1, seconds) for at, (model, data, seconds) in enumerate(sessions)]
    shares = cut(given, max_tasks, target_minutes)
    there = [(s.model, data, one) for s in shares for data, ids in s.sessions.items() for one in ids]
    assert sorted(there) == sorted((piece.model, piece.dataset, piece.experiment) for piece in given)
    assert all(share.number for share in shares)
    if max_tasks:
        assert len(shares) <= max(max_tasks, len({piece.model for piece in given}))


@pytest.mark.parametrize(
    ('names', 'seconds'),
    [
        (['Qwen/Qwen2.5-72B-Instruct', 'mine'], 20.0),
        (['mine', 'qwen-1_8b-chat'], 2.45),
        (['mixtral-8x7b'], 16.0),
        (['gpt-4o'], SECONDS_A_STEP),
    ],
)
def test_size_tells_what_a_step_lasts(names, seconds):
    assert seconds_a_step(names) == pytest.approx(seconds)
