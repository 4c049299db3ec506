"""What the `official` profile says beside its scores, which `test_official_upstream.py` holds against upstream's."""

import pytest

from cibench_eval.schema import CibenchError
from tests.support.pngs import noise
from tests.support.scoring import block, call, gold_step, links, score_step


def score(kind, gold, *actions):
    return score_step(actions, gold_step(kind, gold), profile='official')


def save(folder, data, name='f.png'):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)
    return folder / name


def test_text_that_is_not_unicode_is_zero():
    scored = score('text', 'a', call(block('stdout', 'a \ud800')))
    assert (scored.score, scored.detail) == (0.0, 'the output is not Unicode text')


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


def test_no_figure_is_zero_and_says_so(tmp_path):
    scored = score('vis', noise(), links(save(tmp_path, noise())), call(block('stdout', '7')))
    assert (scored.score, scored.detail) == (0.0, 'no figure')


def test_run_folder_with_parentheses(tmp_path):
    path = save(tmp_path / 'run (1)', noise())
    assert score('vis', noise(), links(path)).score > 0.999
    assert score('vis', noise(), links(path, path)).score > 0.999


@pytest.mark.parametrize('field', ['type', 'result', 'errmsg'])
def test_an_action_without_its_fields_is_refused(field):
    broken = {key: value for key, value in call().items() if key != field}
    with pytest.raises(CibenchError, match=f'a/b, step 1: an action without {field}'):
        score('num', '7', broken)
