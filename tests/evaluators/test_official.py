"""The `official` profile, rule by rule; `test_official_upstream.py` holds it against OpenCompass's own evaluator."""

import pytest

from cibench_eval.schema import CibenchError
from tests.support.pngs import noise
from tests.support.scoring import (
    block,
    call,
    gold_experiment,
    gold_step,
    links,
    score_experiment,
    score_step,
    summarize,
)


def score(kind, gold, *actions):
    return score_step(actions, gold_step(kind, gold), profile='official')


def save(folder, data, name='f.png'):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)
    return folder / name


@pytest.mark.parametrize(
    ('actions', 'tool_rate', 'executable'),
    [
        ([], False, False),
        ([call(type='NoAction', errmsg='x')], False, False),
        ([call(errmsg='x')], True, False),
        ([call(errmsg='x'), call()], True, True),
        ([call(), call(errmsg='x')], True, False),
        ([call(), call(type='InvalidAction', errmsg='x')], True, True),
    ],
)
def test_tool_rate_and_executable_are_of_the_last_call(actions, tool_rate, executable):
    scored = score('exec', None, *actions)
    assert (scored.tool_rate, scored.executable) == (tool_rate, executable)
    assert (scored.metric, scored.score) == (None, None)


@pytest.mark.parametrize(
    ('gold', 'text', 'expected'),
    [
        ('7\n', block('stdout', '7\n'), 1),
        ('7', block('execute_result', '8') + '\n\n' + block('stdout', '7'), 0),
        ('7', block('stdout', '8') + '\n\n' + block('execute_result', '7'), 1),
        ('7', block('stdout', '8') + '\n\n' + block('stdout', '7'), 0),
        ('7', block('stderr', '7'), 0),
        ('7', '7', 0),
        ('7.0', block('stdout', '7'), 0),
        ('1', block('stdout', '10'), 1),
        ('3.0', block('stdout', '-13.05'), 1),
    ],
)
def test_numeric_is_equal_or_contained_in_the_first_result_or_stdout(gold, text, expected):
    assert score('num', gold, call(text)).score == expected
    assert score('general', gold, call(text)).metric == 'general_correct'


@pytest.mark.parametrize(
    ('gold', 'text', 'expected'),
    [
        ('the cat sat', block('stdout', 'The CAT sat!'), 1.0),
        ('the cat sat', block('stdout', 'the cat'), 0.8),
        ('the cat', block('stderr', 'warning') + '\n\n' + block('stdout', 'the cat'), 0.0),
        ('平均温度', block('stdout', '平均温度'), 0.0),
        ('a 1 b 2', block('stdout', 'a 2 b 1'), 1.0),
    ],
)
def test_text_is_rouge_1_of_the_first_block(gold, text, expected):
    assert score('text', gold, call(text)).score == pytest.approx(expected)


def test_text_that_is_not_unicode_is_zero():
    scored = score('text', 'a', call(block('stdout', 'a \ud800')))
    assert (scored.score, scored.detail) == (0.0, 'the output is not Unicode text')


def test_the_same_figure_is_all_but_one_and_another_is_less(tmp_path):
    """Not quite one: upstream's way through floats lowers some pixels by 1 of 255."""
    gold = noise(1)
    assert 0.999 < score('vis', gold, links(save(tmp_path, gold))).score < 1.0
    assert score('vis', gold, links(save(tmp_path, noise(2)))).score < 0.5
    assert score('vis', gold, links(save(tmp_path, noise(1, (80, 60))))).score > 0.9


def test_only_the_first_figure_counts(tmp_path):
    right, wrong = save(tmp_path, noise(1), 'r.png'), save(tmp_path, noise(2), 'w.png')
    assert score('vis', noise(1), links(wrong, right)).score < 0.5


@pytest.mark.parametrize(
    ('gold', 'predicted', 'why'),
    [
        (noise(), noise(mode='RGBA'), 'shape (30, 40, 4)'),
        (noise(mode='L'), noise(), 'shape (30, 40, 3)'),
        (noise(size=(40, 6)), noise(), 'window of 7'),
        (noise(), noise()[:400], 'OSError'),
        (noise(), b'GIF89a', 'cannot be read'),
        (noise(), b'', 'cannot be read'),
    ],
)
def test_figures_that_cannot_be_compared_are_zero_and_say_why(tmp_path, gold, predicted, why):
    scored = score('vis', gold, links(save(tmp_path, predicted)))
    assert scored.score == 0.0
    assert why in scored.detail


def test_no_figure_is_zero_and_no_earlier_call_counts(tmp_path):
    first = links(save(tmp_path, noise()))
    scored = score('vis', noise(), first, call(block('stdout', '7')))
    assert (scored.score, scored.detail) == (0.0, 'no figure')
    assert score('vis', noise(), first, call(errmsg='x')).score > 0.999


def test_run_folder_with_parentheses(tmp_path):
    path = save(tmp_path / 'run (1)', noise())
    assert score('vis', noise(), links(path)).score > 0.999
    assert score('vis', noise(), links(path, path)).score > 0.999


@pytest.mark.parametrize('field', ['type', 'result', 'errmsg'])
def test_an_action_without_its_fields_is_refused(field):
    broken = {key: value for key, value in call().items() if key != field}
    with pytest.raises(CibenchError, match=f'a/b, step 1: an action without {field}'):
        score('num', '7', broken)


def test_unknown_profile_is_refused():
    with pytest.raises(CibenchError, match="'kind'; there is official"):
        score_experiment([[]], gold_experiment(gold_step('exec')), profile='kind')


def test_summary_is_the_mean_over_the_steps_of_a_metric():
    seven, failed = [call(block('stdout', '7'))], [call(errmsg='x')]
    gold = gold_experiment(*(gold_step('num', '7', index) for index in range(4)), gold_step('text', 'a b', 4))
    scores = score_experiment([seven, failed, seven, seven], gold, profile='official')
    assert summarize(scores, 'official') == {
        'tool_rate': 80.0,
        'executable': 60.0,
        'numeric_correct': 75.0,
        'text_score': 0.0,
        'counts': {'tool_rate': 5, 'executable': 5, 'numeric_correct': 4, 'text_score': 1},
        'experiments': 1,
    }
    assert summarize([], 'official') == {'counts': {}, 'experiments': 0}
