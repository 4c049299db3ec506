"""The metrics of Qwen-Agent's benchmark: answers that are said, figures that are shown, first code that runs."""

from pathlib import Path

import pytest

from cibench_eval.evaluators import find_profile, score_session
from cibench_eval.evaluators.predictions import works_read
from cibench_eval.schema import INTERPRETER, CibenchError, Experiment, Step

NO_CODE = {'type': 'NoAction', 'args': {'text': 'It is 18.'}, 'result': None, 'errmsg': 'No tool was called'}


def call(text='', image='', error=None):
    result = None if error else {'text': text, 'image_path': image}
    return {'type': INTERPRETER, 'args': {'text': '', 'extract_code': 'x'}, 'result': result, 'errmsg': error}


def final(text):
    return {'type': 'FinishAction', 'args': {'text': text}, 'result': {'text': text}, 'errmsg': None}


def score(actions, kind='math', text='18', profile='qwen_ci'):
    step = Step(index=0, question='q', code='', kind=kind, text=text)
    experiment = Experiment(id='a/b', path=Path('x'), language='en', steps=[step], typed=True)
    (found,) = score_session(works_read([actions], 'a/b', Path()), experiment, find_profile(profile))
    return found


SHOWN = 'execute_result:\n\n```\n18\n```'


@pytest.mark.parametrize(
    ('actions', 'right'),
    [
        ([call(SHOWN), final('She earns $18.')], 1),
        ([call(SHOWN), final('Done.')], 1),  # the last number is that of the output
        ([call(SHOWN)], 1),
        ([NO_CODE], 1),
        ([call('stdout:\n\n```\n17\n```'), final('18 apples')], 1),
        ([call(SHOWN), final('It is 17.')], 0),
        ([call(error='ZeroDivisionError: 18')], 0),
        ([call(SHOWN), final('18 a day, so 126 a week')], 0),
        ([final('')], 0),
        ([], 0),
    ],
)
def test_the_last_number_that_is_said_decides(actions, right):
    assert score(actions).values['answer_correct'] == right


def test_a_blank_answer_has_no_score():
    values = score([]).values
    assert values == {'tool_rate': 0, 'executable': 0, 'answer_correct': 0}


@pytest.mark.parametrize(
    ('actions', 'runs'),
    [([call()], 1), ([call(), call(error='boom')], 1), ([call(error='boom'), call()], 0), ([NO_CODE], 0), ([], 0)],
)
def test_the_first_code_is_the_executable_rate(actions, runs):
    assert score(actions, 'exec', None).values['executable'] == runs


@pytest.mark.parametrize(
    ('actions', 'shown'),
    [
        ([call(image='![fig-001](/a/b.png)')], 1),
        ([call(image='![fig-001](/a/b.png)'), call()], 1),
        ([call('stdout:\n\n```\n![fig-001](/a/b.png)\n```')], 0),
        ([call(error='boom')], 0),
        ([], 0),
    ],
)
def test_a_figure_is_shown_or_not(actions, shown):
    assert score(actions, 'plot', None).values['figure_shown'] == shown


def test_a_gold_answer_without_a_number_is_named():
    with pytest.raises(CibenchError, match=r"a/b, step 1: its gold answer 'many' is no number"):
        score([], text='many')
