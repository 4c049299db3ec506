"""The last number that is said."""

import pytest

from cibench_eval.evaluators.comparing.last_number import last_number, same_number


@pytest.mark.parametrize(
    ('text', 'number'),
    [
        ('The answer is 18.', 18),
        ('She earns $1,234.50', 1234.5),
        ('\\boxed{-7}', -7),
        ('**18**', 18),
        ('it takes 10-12', 12),
        ('5, 6 and 7', 7),
        ('共18个。', 18),
        ('答案是 ３６', 36),
        ('-$3', -3),
        ('−4', -4),
        ('12,000,000 people', 12_000_000),
        ('2,50', 50),
        ('.5', 0.5),
        ('18 %', 18),
        ('1e3', 1000),
        ('x1 + step_3', None),
        ('', None),
        ('none', None),
    ],
)
def test_last_number(text, number):
    assert last_number(text) == number


def test_what_is_far_before_the_end_is_not_looked_for():
    assert last_number('18' + ' word' * 10_000) is None


@pytest.mark.parametrize(('said', 'same'), [(18.000000000000004, True), (18, True), (18.01, False), (17, False)])
def test_rounding_errors_are_no_mistakes(said, same):
    assert same_number(said, 18.0) is same


@pytest.mark.parametrize('text', ['1,' * 200_000, '9' * 1_000_000, '1,234' * 100_000, '$' * 1_000_000])
def test_hostile_texts_are_read_at_once(text):
    last_number(text)
