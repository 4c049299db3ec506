"""Pairs (gold output, answer) that a person has called right or wrong: how many `strict` judges otherwise, by kind."""

import pytest

from tests.support.pairs import FOLDER, errors, pairs, report

GOAL = 0.03
"""Of answers judged wrongly, at most: right ones judged wrong, wrong ones judged right."""
BOUNDS = {
    (FOLDER, True): GOAL,
    (FOLDER, False): GOAL,
    (FOLDER / 'held_out', True): 0.21,
    (FOLDER / 'held_out', False): GOAL,
}
"""Right answers by somebody who does not know the rules are refused far more often than the goal says: see
docs/metrics.md. The bound is what the rules reached when these were written."""


@pytest.mark.parametrize('folder', [FOLDER, FOLDER / 'held_out'], ids=lambda folder: folder.name)
@pytest.mark.parametrize('right', [True, False], ids=['right judged wrong', 'wrong judged right'])
@pytest.mark.soak
def test_few_answers_are_misjudged(folder, right):
    judged = [pair for pair in pairs(folder) if pair.right is right]
    print(report(judged))
    wrongly = errors(judged, right)
    assert judged and len(wrongly) <= BOUNDS[folder, right] * len(judged), '\n'.join(
        f'{p.kind}: {p.step.text!r}, {p.answer!r}' for p in wrongly
    )
