"""The metrics of Qwen-Agent's benchmark: answers that are said, figures that are shown, first code that runs."""

import pytest

from cibench_eval.plots import Plot
from cibench_eval.schema import CibenchError, Figure
from tests.support.pngs import noise
from tests.support.scoring import block, call, gold_step, links, score_step

NO_CODE = {'type': 'NoAction', 'args': {'text': 'It is 18.'}, 'result': None, 'errmsg': 'No tool was called'}
CODE = {'extract_code': 'x'}
RAN, FAILED = call(args=CODE), call(errmsg='boom', args=CODE)
SHOWN = block('execute_result', '18')


def final(text):
    return {'type': 'FinishAction', 'args': {'text': text}, 'result': {'text': text}, 'errmsg': None}


def values(actions, kind='math', text='18'):
    return score_step(actions, gold_step(kind, text), profile='qwen_ci').step.values


@pytest.mark.parametrize(
    ('actions', 'right'),
    [
        ([call(SHOWN), final('She earns $18.')], 1),
        ([call(SHOWN), final('Done.')], 1),  # the last number is the output's
        ([call(SHOWN)], 1),
        ([call(SHOWN + '\n\n' + block('stderr', 'a.py:3: Warning: old\n  since 3.12')), final('Done.')], 1),
        ([NO_CODE], 1),
        ([call(block('stdout', '17')), final('18 apples')], 1),
        ([call(SHOWN), final('It is 17.')], 0),
        ([call(errmsg='ZeroDivisionError: 18')], 0),
        ([call(SHOWN), final('18 a day, so 126 a week')], 0),
        ([final('')], 0),
        ([], 0),
    ],
)
def test_the_last_number_that_is_said_decides(actions, right):
    assert values(actions)['answer_correct'] == right


@pytest.mark.parametrize(
    ('said', 'number'),
    [
        ('She earns $1,234.50', '1234.5'),
        ('\\boxed{-7}', '-7'),
        ('**18**', '18'),
        ('it takes 10-12', '12'),
        ('共18个。', '18'),
        ('答案是 ３６', '36'),
        ('-$3', '-3'),
        ('−4', '-4'),
        ('12,000,000 people', '12000000'),
        ('2,50', '50'),
        ('.5', '0.5'),
        ('18 %', '18'),
        ('1e3', '1000'),
        ('18.000000000000004', '18'),
        ('18 <object object at 0x7f3a5c01d0e0>', '18'),
        ('10x3', '10'),
        ('0 x', '0'),
        ('\\boxed{18{,}000}', '18000'),
        ('18\\,000', '18000'),
        ('\\$1,\\!234,\\!500', '1234500'),
        *(
            (f'**$1{blank}234{blank}500**', '1234500')
            for blank in ('\u202f', '\u2009', '\xa0', '\\ ', '\\;', '\\text{,}')
        ),
        ('in 2020\xa0100', '100'),
        ('an area of 18 m^2', '18'),
        *((f'{one} packets', '10.5') for one in ('21/2', '10 1/2', '10½', '$10\\frac{1}{2}$', '\\dfrac{21}{2}')),
        ('\\boxed{-\\frac{21}{2}}', '-10.5'),
        ('\\boxed{4 \\times 5 = 20}', '20'),
        ('12/05/2024', '2024'),
        ('12/31/2024', '2024'),
        ('18 \\text{cm}^{3}', '18'),
    ],
)
def test_numbers_are_read_in_any_form(said, number):
    assert values([final(said)], text=number)['answer_correct'] == 1
    assert values([final(said)], text=f'{float(number) * 1.01 + 0.01}')['answer_correct'] == 0


@pytest.mark.parametrize(('said', 'gold'), [('2000001', '2000000'), ('2000000001', '2000000000')])
def test_a_whole_number_is_no_other(said, gold):
    assert values([final(said)], text=gold)['answer_correct'] == 0


@pytest.mark.parametrize('text', ['x1 + step_3', '', 'none', '18' + ' word' * 10_000])
def test_what_has_no_number_near_its_end_says_none(text):
    score = score_step([final(text)], gold_step('math', '3'), profile='qwen_ci')
    assert score.detail == 'no number is said or shown'


@pytest.mark.parametrize('text', ['1,' * 200_000, '9' * 1_000_000, '1,234' * 100_000, '$' * 1_000_000])
def test_hostile_texts_are_read_at_once(text):
    assert values([final(text)])['answer_correct'] == 0


def test_a_blank_answer_has_no_score():
    assert values([]) == {'tool_rate': 0, 'executable': 0, 'answer_correct': 0}


@pytest.mark.parametrize(
    ('actions', 'runs'),
    [([RAN], 1), ([RAN, FAILED], 1), ([FAILED, RAN], 0), ([call(errmsg='empty')], None), ([NO_CODE], None), ([], None)],
)
def test_the_first_code_is_the_executable_rate(actions, runs):
    assert values(actions, 'exec', None) == {'tool_rate': runs is not None, 'executable': runs or 0}


@pytest.mark.parametrize('args', [{'text': 'print(1)'}, None])
def test_what_other_programs_have_run_is_code(args):
    assert values([call('1', args=args)], 'exec', None) == {'tool_rate': 1, 'executable': 1}
    text = values([call(errmsg='boom', args=args)], 'exec', None)
    assert text == {'tool_rate': args is not None, 'executable': 0}


def shown(*actions, figures='/nowhere'):
    return score_step(actions, gold_step('plot'), figures=figures, profile='qwen_ci').step.values['figure_shown']


@pytest.mark.parametrize('actions', [[call(block('stdout', '![fig-001](/a/b.png)'))], [call(errmsg='boom')], []])
def test_no_figure_is_shown(actions):
    assert shown(*actions) == 0


def test_a_figure_is_shown_if_something_is_drawn_in_it(tmp_path):
    def saved(plot):
        return links(Figure.of(noise(), plot).save(tmp_path))

    line = {'kind': 'line', 'size': 2, 'fields': ['x', 'y'], 'columns': [[0, 1], [0, 1]]}
    nothing, something = ({'x': {}, 'y': {}, 'series': series} for series in ([], [line]))
    empty, drawn = Plot.of({'axes': [nothing]}), Plot.of({'axes': [nothing, something]})
    assert shown(saved(None)) == shown(saved(None), call()) == 1, 'an image may show anything'
    assert shown(saved(drawn)) == 1
    assert shown(saved(empty)) == shown(saved(Plot.of({'axes': []}))) == 0
    assert shown(saved(empty), saved(drawn)) == 1


def test_a_gold_answer_without_a_number_is_named():
    with pytest.raises(CibenchError, match=r"a/b, step 1: its gold answer 'many' is no number"):
        values([], text='many')
