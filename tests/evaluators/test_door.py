"""Nothing that a session made ends the scoring: what cannot be compared is 0, and the detail and the log say why."""

import gc
import logging

import pytest

from cibench_eval.evaluators.comparing.printed.values import values
from cibench_eval.schema import HarnessError
from tests.support.scoring import block, call, gold_step, score_step
from tests.support.soak import many
from tests.support.strange import case

STEP = gold_step('num', '3.5', index=2)
CASES, PARTS = many((4_000, 2), (100, 1))
DOOR = 'cannot be compared'


def scored(shown, folder):
    return score_step([call(block('stdout', shown))], STEP, figures=folder).step


def failing(monkeypatch, error, fails):
    """Have the comparison of numbers fail with an error, on some texts."""

    def read(text, *pattern):
        if fails(text):
            raise error
        return values(text, *pattern)

    monkeypatch.setattr('cibench_eval.evaluators.comparing.printed.compare.values', read)


@pytest.mark.parametrize('error', [MemoryError, RecursionError, OverflowError, IndexError, KeyError, ZeroDivisionError])
def test_what_cannot_be_compared_is_0_and_the_log_names_it(error, monkeypatch, tmp_path, caplog):
    failing(monkeypatch, error, lambda text: text == '7')
    with caplog.at_level(logging.WARNING):
        score = scored('7', tmp_path)
    assert score.values['numeric_correct'] == 0
    assert score.values['tool_rate'] == 1
    assert score.details['numeric_correct'] == f'the output {DOOR} ({error.__name__} in compare.<listcomp>)'
    assert f'a/b, step 3: numeric_correct is 0, for what the session made {DOOR} ({error.__name__}' in caplog.text


def test_a_metric_that_fails_on_the_gold_alone_is_no_score(monkeypatch, tmp_path):
    failing(monkeypatch, IndexError('no place'), lambda _: True)
    with pytest.raises(HarnessError, match=r'a/b, step 3: numeric_correct fails on the gold alone .*: no place'):
        scored('7', tmp_path)


def test_a_file_that_cannot_be_read_is_no_score(monkeypatch, tmp_path):
    failing(monkeypatch, OSError(5, 'Input/output error'), lambda _: True)
    with pytest.raises(HarnessError, match=r'a/b, step 3: what the session has left cannot be read .*Input/output'):
        scored('7', tmp_path)


@pytest.mark.parametrize('part', range(PARTS))
@pytest.mark.parametrize('profile', ['strict', 'official'])
def test_no_strange_description_has_to_be_caught(profile, part, tmp_path, recwarn):
    """Each is refused when it is read, or compared to the end; `open_form` compares them as `strict` does."""
    compared = 0
    gc.collect()  # sockets that other tests have left
    recwarn.clear()
    for number in range(part * CASES, (part + 1) * CASES):
        made = case(0, number)
        if made:
            compared += 1
            try:
                score = made.score(tmp_path, profile)
            except Exception as error:
                raise AssertionError(f'case(0, {number})') from error
            assert all(0 <= value <= 1 for value in score.values.values()), f'case(0, {number})'
            assert not [why for why in score.details.values() if DOOR in why], f'case(0, {number})'
    assert compared > CASES / 2
    assert not recwarn.list
