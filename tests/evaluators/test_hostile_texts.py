"""Texts and plots that are made to cost: no scorer takes more than seconds for a megabyte, none ends the scoring."""

import pytest

from cibench_eval.agents import CodeBlock, InternLMReAct, ReAct, ToolCalls
from cibench_eval.evaluators.comparing.plots.comparison import similarity
from cibench_eval.evaluators.failures.categories import categorize
from cibench_eval.evaluators.judges import failures
from cibench_eval.plots import Plot
from cibench_eval.schema import Action, Attempt, Execution, ExecutionError, Reply, Step, StepScore, ToolCall
from tests.support.hostile_sizes import all_within, long_texts, within
from tests.support.scoring import block, call, gold_experiment, score_step, session_trace, shown, step_trace

MEGABYTE = 1_000_000
GOLDS = {
    'num': ('3.5', 'Accuracy: 0.85\nF1: 0.9', 'a    1.5\nb    2.5\nName: x, dtype: float64'),
    'text': ('The mean of a is 3.5, 中文 4',),
    'general': ('Adelie 151',),
}
STEP = Step(
    index=0,
    question='Print the mean of column `a` of `data/a.csv` with 2 digits.',
    code='import pandas as pd\nx = pd.read_csv("data/a.csv")\nprint(x["a"].mean())',
    kind='num',
    text='3.5',
    modules=['pandas'],
)
EXPERIMENT = gold_experiment(STEP)


def score(text, profile, kind='num', gold='3.5', image_path='', **more):
    step = STEP.model_copy(update={'kind': kind, 'text': gold, **more})
    return score_step([call(block('stdout', text), image_path)], step, profile=profile)


def categories(**attempt):
    trace = session_trace(step_trace(Attempt(**attempt)))
    scores = [StepScore(decided=True, experiment='a/b', index=0, kind='num', outcome='wrong', values={})]
    return categorize(trace, EXPERIMENT, scores)[0]


def failed(name, value):
    return Execution(status='error', error=ExecutionError(name=name, value=value, traceback=value))


def scored(text):
    for profile in ('official', 'strict', 'open_form'):
        for kind, golds in GOLDS.items():
            for gold in golds:
                score(text, profile, kind, gold)
        score(text, profile, 'text', 'oak, elm, ash', listed=True)
        score(text, profile, 'text', "['a', 'b']", listed=True, question='Which columns have missing values?')


def explained(text):
    categories(reply=Reply(text=text), action=Action(argument=text))
    categories(reply=Reply(text=''), action=Action(code=text), execution=Execution(status='ok'))
    categories(reply=Reply(text=''), action=Action(code='print(x)'), execution=shown(text))
    for name in ('NameError', 'KeyError', 'FileNotFoundError', 'AttributeError', 'SyntaxError', 'ValueError'):
        categories(reply=Reply(text=''), action=Action(code='x'), execution=failed(name, text))


def read(text):
    for protocol in (ReAct(), CodeBlock(), ToolCalls(), InternLMReAct()):
        protocol.parse(Reply(text=text))
    ToolCalls().parse(Reply(text='', tool_calls=[ToolCall(id='a', name=text[:100], arguments=text)]))


def judged(text):
    failures.read_opinion(Reply(text=text))


@pytest.mark.parametrize(
    'text',
    [
        '1, dtype=<' * (MEGABYTE // 10),
        "1, dtype='" * (MEGABYTE // 10),
        '1\n' * (MEGABYTE // 2),
        '1 2\\\n\n' * (MEGABYTE // 5),
    ],
    ids=['unclosed brackets', 'unclosed quotes', 'many numbers', 'a table in very many pieces'],
)
@pytest.mark.parametrize('profile', ['strict', 'open_form'])
@pytest.mark.soak
def test_a_megabyte_of_output_is_compared_in_seconds(profile, text):
    within(30, lambda: score(text, profile))


@pytest.mark.parametrize('piece', ['![fig-1](', '![fig-1](a) '])
def test_a_megabyte_of_names_of_figures_is_read_in_seconds(piece):
    within(20, lambda: score('', 'official', 'plot', image_path=piece * (MEGABYTE // len(piece))))


def test_long_and_nested_code_is_read_in_seconds():
    def read(code):
        return lambda: categories(reply=Reply(text=''), action=Action(code=code), execution=shown('4'))

    within(20, read('x = 1\n' * (MEGABYTE // 6)), read('x = ' + long_texts(30_000)['nested']))


@pytest.mark.soak
@pytest.mark.parametrize('work', [scored, explained, read, judged], ids=lambda work: work.__name__)
def test_nothing_that_reads_texts_takes_long_for_any(work):
    all_within(10, 10_000 if work is scored else 50_000, work)


@pytest.mark.parametrize('answer', ['1.7e308+1.7e308j', '9' * 5000, '1e' + '9' * 5000, '[' * 5000, '0x' + 'f' * 5000])
@pytest.mark.parametrize('profile', ['official', 'strict', 'open_form'])
def test_numbers_beyond_all_bounds_are_wrong_and_end_nothing(answer, profile):
    assert score(answer, profile).score == 0


@pytest.mark.parametrize('name', ['NameError', 'FileNotFoundError', 'KeyError', 'AttributeError'])
@pytest.mark.parametrize('value', ["''", '""', "'", '', "name '' is not defined"])
def test_messages_of_exceptions_may_say_anything(name, value):
    assert categories(reply=Reply(text=''), action=Action(code='x'), execution=failed(name, value)).cause


def plot_of(kind, axes, series, shift=0.0):
    """A plot of lines of 200 points each, no two of them the same; lines of equal value have a third column."""
    points = [float(n) for n in range(200)]
    fields = ['x', 'y', 'value'][: 3 if kind == 'contour' else 2]
    lines = [
        {
            'kind': kind,
            'label': f'{shift}{k}',
            'size': 200,
            'fields': fields,
            'columns': [points, *([[shift + n * k % 7 for n in points]] * (len(fields) - 1))],
        }
        for k in range(series)
    ]
    return Plot.model_validate({'axes': [{'x': {}, 'y': {}, 'series': lines} for _ in range(axes)]})


@pytest.mark.parametrize(('kind', 'golds'), [('line', 10), ('contour', 1)])
@pytest.mark.soak
def test_a_plot_of_very_many_lines_is_compared_in_seconds(kind, golds):
    within(20, lambda: similarity([plot_of(kind, 1, golds)], [plot_of(kind, 10, 10, 0.3)]))
