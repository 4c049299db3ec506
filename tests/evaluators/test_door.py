"""Nothing that a session made ends the scoring: what cannot be compared is 0, and the detail and the log say why."""

import gc
import json
import logging
import re
from dataclasses import replace

import numpy as np
import pytest

from cibench_eval.evaluators import find_profile
from cibench_eval.registry import origin_of
from cibench_eval.schema import HarnessError
from tests.support.scoring import block, call, gold_step, score_step
from tests.support.soak import many
from tests.support.strange import case

STEP = gold_step('num', '3.5', index=2)
CASES = many(1_000, 100)
DOOR = 'cannot be compared'


def scored(monkeypatch, error, fails):
    """The score of a step that printed 7, by a profile of one's own, which fails with an error on some texts."""

    def compare(work, *_):
        if any(fails(result.text) for result in work.results):
            raise error

    strict = find_profile('strict')
    metrics = [replace(one, score=compare) if one.name == 'numeric_correct' else one for one in strict.metrics]
    monkeypatch.setitem(globals(), 'PROFILE', replace(strict, metrics=(*metrics,)))
    return score_step([call(block('stdout', '7'))], STEP, profile=f'{__name__}.PROFILE').step


@pytest.mark.parametrize('error', [MemoryError, RecursionError, OverflowError, IndexError, KeyError, ZeroDivisionError])
def test_what_cannot_be_compared_is_0_and_the_log_names_it(error, monkeypatch, caplog):
    with caplog.at_level(logging.WARNING):
        score = scored(monkeypatch, error, lambda text: '7' in text)
    assert score.values['numeric_correct'] == 0
    assert score.values['tool_rate'] == 1
    detail = score.details['numeric_correct']
    assert re.fullmatch(rf'the output {DOOR} \({error.__name__} in test_door\.py, line \d+\)', detail)
    assert f'a/b, step 3: numeric_correct is 0, for what the session made {DOOR} ({error.__name__}' in caplog.text


def test_a_metric_that_fails_on_the_gold_alone_is_no_score(monkeypatch):
    with pytest.raises(HarnessError, match=r'a/b, step 3: numeric_correct fails on the gold alone .*: no place'):
        scored(monkeypatch, IndexError('no place'), lambda _: True)


def numbers_of(text):
    return json.loads(text)


@pytest.mark.parametrize(
    ('fail', 'place'),
    [
        (lambda: 1 / 0, r'ZeroDivisionError in test_door\.py, line \d+'),
        (lambda: numbers_of('{'), r'JSONDecodeError in test_door\.py, line \d+'),
        (lambda: np.linalg.inv([[0.0]]), r'LinAlgError in test_door\.py, line \d+'),
        (lambda: find_profile(1), r'\w+ in \w+\.\w+'),
    ],
)
def test_an_error_is_placed_in_the_users_code_or_in_ours_and_in_no_library(fail, place):
    with pytest.raises(Exception) as raised:
        fail()
    assert re.fullmatch(place, origin_of(raised.value))


def test_a_file_that_cannot_be_read_is_no_score(monkeypatch):
    with pytest.raises(HarnessError, match=r'a/b, step 3: what the session has left cannot be read .*Input/output'):
        scored(monkeypatch, OSError(5, 'Input/output error'), lambda _: True)


def test_no_strange_description_has_to_be_caught(tmp_path, recwarn):
    """Each is refused when it is read, or compared to the end. `open_form` compares them as `strict` does."""
    compared = 0
    gc.collect()  # sockets that other tests have left
    recwarn.clear()
    for number in range(CASES):
        if not (made := case(0, number)):
            continue
        compared += 1
        try:
            score = made.score(tmp_path)
        except Exception as error:
            raise AssertionError(f'case(0, {number})') from error
        assert all(0 <= value <= 1 for value in score.values.values()), f'case(0, {number})'
        assert not [why for why in score.details.values() if DOOR in why], f'case(0, {number})'
    assert compared > CASES / 2
    assert not [str(one) for one in recwarn.list]
