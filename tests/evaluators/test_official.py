"""The `official` profile, rule by rule; `test_official_upstream.py` holds it against OpenCompass's own evaluator."""

import io
import random
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from cibench_eval.schema import INTERPRETER, CibenchError, Experiment, Figure, HarnessError, Step
from tests.support.scoring import score_experiment, score_step, summarize

MODES = ('1', 'L', 'LA', 'P', 'RGB', 'RGBA', 'I;16')
NOWHERE = Path('/nowhere')


def png(mode='RGB', size=(40, 30), seed=0):
    """A PNG of smooth noise; one seed is one picture in every mode and size."""
    noise = np.random.default_rng(seed).integers(0, 256, (6, 8, 4), dtype=np.uint8)
    picture = Image.fromarray(noise).resize(size)
    if mode == 'I;16':
        picture = Image.fromarray(np.asarray(picture.convert('L')).astype(np.uint16) * 257)
    else:
        picture = picture.convert('RGB').convert(mode) if mode == 'P' else picture.convert(mode)
    file = io.BytesIO()
    picture.save(file, 'png')
    return file.getvalue()


def block(title, text):
    return f'{title}:\n\n```\n{text}\n```'


def call(text='', image_path='', errmsg=None, **fields):
    result = {'text': text, 'image_path': image_path}
    return {'type': INTERPRETER, 'result': None if errmsg else result, 'errmsg': errmsg, **fields}


def shows(path):
    return call(image_path=f'![fig-001]({path})')


def step(kind, gold=None, index=0):
    content = {'figure': Figure.of(gold)} if kind == 'vis' and gold else {'text': gold}
    return Step(index=index, question='?\n', code='', kind=kind, **content)


def score(kind, gold, *actions, figures=NOWHERE):
    return score_step(list(actions), step(kind, gold), 'a/b', figures, profile='official')


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


def test_a_call_without_blocks_leaves_it_to_the_call_before():
    seven, silent, failed = call(block('stdout', '7')), call('The code ran.'), call(errmsg='x')
    assert score('num', '7', seven, silent, failed).score == 1
    assert score('text', '7', seven, silent).score == 1
    assert score('num', '7', seven, call(block('stdout', '8'))).score == 0


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
    gold = png(seed=1)
    assert 0.999 < score('vis', gold, shows(save(tmp_path, gold))).score < 1.0
    assert score('vis', gold, shows(save(tmp_path, png(seed=2)))).score < 0.5
    assert score('vis', gold, shows(save(tmp_path, png(seed=1, size=(80, 60))))).score > 0.9


def test_only_the_first_figure_counts(tmp_path):
    right, wrong = save(tmp_path, png(seed=1), 'r.png'), save(tmp_path, png(seed=2), 'w.png')
    both = f'![fig-001]({wrong})\n\n![fig-002]({right})'
    assert score('vis', png(seed=1), call(image_path=both)).score < 0.5


@pytest.mark.parametrize(
    ('gold', 'predicted', 'why'),
    [
        (png('RGB'), png('RGBA'), 'shape (30, 40, 4)'),
        (png('L'), png('RGB'), 'shape (30, 40, 3)'),
        (png(size=(40, 6)), png(), 'window of 7'),
        (png(), png()[:400], 'OSError'),
        (png(), b'GIF89a', 'cannot be read'),
        (png(), b'', 'cannot be read'),
    ],
)
def test_figures_that_cannot_be_compared_are_zero_and_say_why(tmp_path, gold, predicted, why):
    scored = score('vis', gold, shows(save(tmp_path, predicted)))
    assert scored.score == 0.0
    assert why in scored.detail


def test_damaged_figures_never_stop_the_scoring(tmp_path):
    """What model code sends as a PNG may be anything."""
    rng, gold = random.Random(1), png()
    for _ in range(300):
        data = bytearray(png(rng.choice(MODES)))
        for _ in range(rng.choice((1, 3, 20))):
            data[rng.randrange(rng.choice((60, len(data))))] = rng.randrange(256)
        scored = score('vis', gold, shows(save(tmp_path, bytes(data[: rng.randrange(8, len(data))]))))
        assert scored.score == 0.0 or scored.detail == ''


def test_no_figure_is_zero_and_no_earlier_call_counts(tmp_path):
    first = shows(save(tmp_path, png()))
    scored = score('vis', png(), first, call(block('stdout', '7')))
    assert (scored.score, scored.detail) == (0.0, 'no figure')
    assert score('vis', png(), first, call(errmsg='x')).score > 0.999


def test_figure_is_found_where_the_run_folder_was_moved_to(tmp_path):
    save(tmp_path / 'figures', png(), 'abc.png')
    assert score('vis', png(), shows('/old/place/abc.png'), figures=tmp_path / 'figures').score > 0.999


def test_lost_figure_is_a_fault_and_not_a_number(tmp_path):
    with pytest.raises(HarnessError, match=r'^a/b, step 1: figure /old/abc.png is gone'):
        score('vis', png(), shows('/old/abc.png'), figures=tmp_path)


def test_run_folder_with_parentheses(tmp_path):
    path = save(tmp_path / 'run (1)', png())
    assert score('vis', png(), shows(path)).score > 0.999
    assert score('vis', png(), call(image_path=f'![fig-001]({path})\n\n![fig-002]({path})')).score > 0.999


@pytest.mark.parametrize('result', [[{'type': 'text', 'content': '7'}], {'text': None, 'image_path': None}, '7'])
@pytest.mark.parametrize(('kind', 'gold'), [('num', '7'), ('text', '7'), ('vis', png())])
def test_results_of_another_shape_are_zero(kind, gold, result):
    scored = score(kind, gold, call(block('stdout', '7')), call(result=result))
    assert scored.score == 0.0
    assert scored.detail.startswith('the result has no ')


@pytest.mark.parametrize('field', ['type', 'result', 'errmsg'])
def test_an_action_without_its_fields_is_refused(field):
    broken = {key: value for key, value in call().items() if key != field}
    with pytest.raises(CibenchError, match=f'a/b, step 1: an action without {field}'):
        score('num', '7', broken)


@pytest.mark.parametrize('kind', ['num', 'text', 'vis', 'general'])
def test_a_step_without_gold_is_refused(kind):
    with pytest.raises(CibenchError, match='without gold output'):
        score(kind, None, call())


def experiment(*steps):
    return Experiment(id='a/b', path=Path('b.ipynb'), language='en', steps=steps, typed=True)


def test_missing_steps_score_zero():
    gold = experiment(step('num', '7'), step('num', '7', 1), step('exec', None, 2))
    scores = score_experiment([[call(block('stdout', '7'))]], gold, profile='official', figures=NOWHERE)
    assert [(s.index, s.tool_rate, s.executable, s.score) for s in scores] == [
        (0, True, True, 1.0),
        (1, False, False, 0.0),
        (2, False, False, None),
    ]
    assert scores[1].detail == 'the interpreter was not called'


def test_more_steps_than_the_gold_are_refused():
    with pytest.raises(CibenchError, match='a/b: 2 steps in the session, 1 in the notebook'):
        score_experiment([[], []], experiment(step('exec')), profile='official', figures=NOWHERE)


def test_unknown_profile_is_refused():
    with pytest.raises(CibenchError, match="'kind'; there is official"):
        score_experiment([[]], experiment(step('exec')), profile='kind', figures=NOWHERE)


def test_summary_is_the_mean_over_the_steps_of_a_metric():
    seven, failed = [call(block('stdout', '7'))], [call(errmsg='x')]
    gold = experiment(*(step('num', '7', index) for index in range(4)), step('text', 'a b', 4))
    scores = score_experiment([seven, failed, seven, seven], gold, profile='official', figures=NOWHERE)
    assert summarize(scores, 'official') == {
        'tool_rate': 80.0,
        'executable': 60.0,
        'numeric_correct': 75.0,
        'text_score': 0.0,
        'counts': {'tool_rate': 5, 'executable': 5, 'numeric_correct': 4, 'text_score': 1},
        'experiments': 1,
    }
    assert summarize([], 'official') == {'counts': {}, 'experiments': 0}
