"""Predictions held against labels that no code has seen."""

import pytest

from tests.support.scoring import printed

SIZES = dict(metric='mae', bound=1.0, labels=[10.0, 12.5, 9.0, 14.0])
SPREAD = dict(metric='rmse', bound=1.0, labels=SIZES['labels'])
CLASSES = dict(metric='accuracy', bound=0.75, labels=[1, 0, 2, 1])
NUMBERED = CLASSES | dict(labels=['1', '0', '2', '1'])
KINDS = dict(metric='accuracy', bound=0.75, labels=['oak', 'elm', 'oak', 'ash'])


def judged(held_out, answer):
    """Whether predictions are good enough, and how good they are."""
    found = printed('', answer, held_out=held_out)
    return found.score == 1, found.detail


@pytest.mark.parametrize(
    ('held_out', 'answer'),
    [
        (SIZES, '11 13.5 8 13'),
        (SIZES, 'array([10.2, 12. ,  9.9, 13.3])'),
        (SPREAD, '11 13 8 13'),
        (KINDS, 'oak elm oak ash'),
        (KINDS, "['Oak', 'elm', 'elm', 'ash']"),
        (CLASSES, 'Predictions: 1.00 0.00 2.00 2.00'),
        (CLASSES, '0    1\n1    0\n2    2\n3    2\ndtype: int64'),
        (NUMBERED, 'The classes are:\n[1.0, 0.0, 2.0, 2.0]'),
        (KINDS, '0    oak\n1    elm\n2    oak\n3    oak\ndtype: object'),
    ],
)
def test_predictions_that_are_near_enough(held_out, answer):
    assert judged(held_out, answer)[0]


@pytest.mark.parametrize(
    ('held_out', 'answer'),
    [
        (SIZES, ''),
        (SIZES, '0'),
        (SIZES, '10 12.5 9'),
        (SIZES, '10 12.5 9 14 3'),
        (SIZES, '14 9 12.5 10'),
        (SIZES, 'nan nan nan nan'),
        (SIZES, '10 12.5 9 inf'),
        (SPREAD, '10 12.5 9 17'),
        (SPREAD, '1e200 -1e300 9 inf'),
        (CLASSES, '0 1 2 3'),
        (NUMBERED, '1.2 0.4 2.1 1.3'),
        (KINDS, ''),
        (KINDS, 'oak oak oak oak'),
        (KINDS, 'elm oak ash oak'),
    ],
)
def test_predictions_that_are_not(held_out, answer):
    assert not judged(held_out, answer)[0]


def test_the_detail_says_how_good_they_are():
    assert judged(SIZES, '10 12.5 9 20')[1] == 'mean absolute error 1.5, bound 1'
    assert judged(KINDS, 'oak oak oak oak')[1] == 'accuracy 0.5, bound 0.75'
    assert judged(SIZES, '1 2')[1] == '2 predictions, of 4'
