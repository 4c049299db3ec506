"""Pairs (gold output, answer) that a person has called right or wrong: how many `strict` judges otherwise, by kind."""

import pytest

from tests.support.pairs import FOLDER, errors, pairs, report

BOUND = 0.03


@pytest.mark.parametrize('folder', [FOLDER, FOLDER / 'held_out'], ids=lambda folder: folder.name)
@pytest.mark.parametrize('right', [True, False], ids=['right judged wrong', 'wrong judged right'])
def test_few_answers_are_misjudged(folder, right):
    judged = [pair for pair in pairs(folder) if pair.right is right]
    if folder != FOLDER and not judged:
        pytest.skip('no held-out pairs')
    print(report(judged))
    wrongly = errors(judged, right)
    assert len(wrongly) <= BOUND * len(judged), '\n'.join(f'{p.kind}: {p.step.text!r}, {p.answer!r}' for p in wrongly)
