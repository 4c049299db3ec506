"""What both profiles do alike: which call decides, what is no score, and where figures are found."""

import random

import pytest

from cibench_eval.schema import CibenchError, HarnessError
from tests.support.pngs import MODES, damaged, noise
from tests.support.scoring import block, call, gold_experiment, gold_step, links, score_experiment, score_step


@pytest.fixture(params=['strict', 'official'])
def score(request):
    """Scores the actions of a step by one of the profiles."""

    def scored(kind, gold, *actions, figures='/nowhere', **fields):
        return score_step(actions, gold_step(kind, gold, **fields), figures=figures, profile=request.param)

    scored.profile = request.param
    return scored


SEVEN, SILENT, FAILED = call(block('stdout', '7')), call('The code ran.'), call(errmsg='x')


def test_the_last_call_with_a_result_decides(score):
    assert score('num', '7', SEVEN, SILENT, FAILED).score == 1
    assert score('text', '7', SEVEN, SILENT).score == 1
    assert score('num', '7', SEVEN, call(block('stdout', '8'))).score == 0
    assert score('exec', None, SEVEN, FAILED).executable is False


@pytest.mark.parametrize('result', [[{'type': 'text', 'content': '7'}], {'text': None, 'image_path': None}, '7'])
@pytest.mark.parametrize(('kind', 'gold'), [('num', '7'), ('text', '7'), ('vis', noise())])
def test_results_of_another_shape_are_zero(score, kind, gold, result):
    scored = score(kind, gold, SEVEN, call(result=result))
    assert scored.score == 0.0
    assert scored.detail.startswith('the result has no ')


def test_figures_are_found_where_the_run_folder_was_moved_to(score, tmp_path):
    (tmp_path / 'abc.png').write_bytes(noise())
    assert score('vis', noise(), links('/old/place/abc.png'), figures=tmp_path).score > 0.999
    with pytest.raises(HarnessError, match=r'^a/b, step 1: figure /old/abcd.png is gone'):
        score('vis', noise(), links('/old/abcd.png'), figures=tmp_path)


@pytest.mark.parametrize('kind', ['num', 'text', 'vis', 'general'])
def test_a_step_without_gold_is_refused(score, kind):
    with pytest.raises(CibenchError, match=rf'^a/b, step 1: a .{kind}. step without gold output'):
        score(kind, None, call())


def test_missing_steps_score_zero_and_more_than_the_gold_has_are_refused(score):
    gold = gold_experiment(gold_step('num', '7'), gold_step('num', '7', 1), gold_step('exec', None, 2))
    scores = score_experiment([[SEVEN]], gold, profile=score.profile)
    assert [(one.index, one.tool_rate, one.executable, one.score) for one in scores] == [
        (0, True, True, 1.0),
        (1, False, False, 0.0),
        (2, False, False, None),
    ]
    assert scores[1].detail == 'the interpreter was not called'
    with pytest.raises(CibenchError, match='a/b: 4 steps in the session, 3 in the notebook'):
        score_experiment([[]] * 4, gold, profile=score.profile)


def test_damaged_figures_never_stop_the_scoring(score, tmp_path):
    """What model code sends as a PNG may be anything."""
    rng, path = random.Random(1), tmp_path / 'f.png'
    for _ in range(200):
        path.write_bytes(damaged(noise(mode=rng.choice(MODES)), rng))
        scored = score('vis', noise(), links(path))
        assert 0 <= scored.score <= 1
        assert scored.score == 0.0 or score.profile == 'strict' or scored.detail == ''
