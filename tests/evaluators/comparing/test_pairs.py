"""Pairs (gold output, answer) that a person has called right or wrong: how many the profiles judge otherwise."""

import pytest

from tests.support.pairs import FIXED, FOLDER, RULES, by, pairs, report, size_of

STRICT = 0.015
REFUSED, PASSED = 0.13, 0.055
"""Of answers judged wrongly, at most: by `strict` on questions that fix the form, by `open_form` on those that leave it
open, of its right and of its wrong answers (docs/open-form.md)."""


def judges(profile, right, most, folder=FOLDER, names='*'):
    """A profile judges this share of answers wrongly, at most; if not, there is a table of them by kind."""
    judged = [pair for pair in pairs(folder, names) if pair.right is right]
    wrongly = sum(pair.judged_wrongly(profile) for pair in judged)
    assert wrongly / len(judged) <= most, report(by(judged, 'kind'), profile)


@pytest.mark.parametrize('right', [True, False], ids=['right judged wrong', 'wrong judged right'])
@pytest.mark.parametrize('source', FIXED)
def test_strict_reads_answers_whose_form_is_fixed(source, right):
    judges('strict', right, STRICT, names=f'*_{source}')


@pytest.mark.parametrize(('right', 'most'), [(True, REFUSED), (False, PASSED)], ids=str)
@pytest.mark.parametrize('source', ['open1', 'open2', 'open3', 'open4', 'held_out'])
def test_open_form_reads_answers_of_any_form(source, right, most):
    folder, end = (FOLDER / 'held_out', '') if source == 'held_out' else (FOLDER, f'_{source}')
    judges('open_form', right, most, folder, f'numbers{end}')
    judges('open_form', right, 2 * most, folder, f'lists{end}')


def test_the_rules_of_strict_can_be_held_in_the_head():
    assert size_of('strict') <= 501
    assert {*RULES} == {'strict', 'open_form'}
