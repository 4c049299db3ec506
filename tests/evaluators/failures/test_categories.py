"""Error categories: the rules one by one, where failures come from, a model's opinion, and anything at all."""

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cibench_eval.evaluators.failures.categories import CAUSES, categorize
from cibench_eval.evaluators.judges import failures
from cibench_eval.schema import Action, Attempt, CibenchError, Execution, Experiment, Reply, StepScore, StepTrace
from tests.support.scoring import session_trace
from tests.support.sessions import Script


def ran(index, code, **execution):
    done = Execution(**{'status': 'ok'} | execution)
    attempt = Attempt(reply=Reply(text=''), action=Action(code=code, tool='IPythonInterpreter'), execution=done)
    return StepTrace(index=index, question='', attempts=[attempt])


QUESTION = 'Print the mean of the column `mass` of `birds` with `numpy.mean`, starting at 7 and titled `All of them`.'
GOLD = [
    "import pandas as pd\nbirds = pd.read_csv('data/birds.csv')",
    "import numpy as np\nprint('All of them', np.mean(birds['mass'][7:]))",
    "birds['size'] = birds['mass'] ** 2\nbirds.to_csv('sizes.csv')",
    "import matplotlib.pyplot as plt\nplt.bar(birds['size'].index, birds['size'])\nplt.show()",
]
KINDS = ['exec', 'text', 'exec', 'vis']
BIRDS = Experiment.model_validate(
    {
        'id': 'birds',
        'path': 'birds.ipynb',
        'language': 'en',
        'typed': True,
        'steps': [
            {'index': index, 'question': QUESTION if index == 1 else '', 'code': code, 'kind': kind, 'text': text}
            for index, (code, kind, text) in enumerate(
                zip(GOLD, KINDS, [None, 'All of them 4.25 and 3.5', None, None], strict=True)
            )
        ],
    }
)
FIGURE = {'type': 'display_data', 'figure': {'sha256': '0' * 64}}
GOOD = GOLD[1]
OF_ANOTHER = '{"cause": "type", "why": "x", "of": "another"}'


def tag(code='', *, step=1, error=None, shown='', past=GOLD, failed=(), reply='', **changes):
    """The tag of a step that ran `code`; earlier steps ran `past`, those in `failed` ended in an error."""
    outputs = changes.pop('outputs', [{'type': 'stdout', 'text': shown}])
    raised = (
        {'status': 'error', 'error': dict(zip(('name', 'value', 'traceback'), error, strict=False))} if error else {}
    )
    this = ran(step, code, **{'outputs': outputs} | raised | changes.pop('execution', {}))
    if changes or reply:
        attempt = this.attempts[0]
        attempt = attempt.model_copy(
            update={
                'reply': Reply(text=reply, finish_reason=changes.pop('finish_reason', 'stop')),
                'action': Action(code=code or None, **changes),
                'execution': attempt.execution if code else None,
            }
        )
        this = this.model_copy(update={'attempts': [attempt]})
    broken = {'status': 'error', 'error': {'name': 'E', 'value': ''}}
    before = [ran(index, past[index], **(broken if index in failed else {})) for index in range(step)]
    return categorize(session(*before, this), BIRDS, wrong(*failed, step))[step]


def wrong(*indices):
    """Scores of steps that have failed."""
    score = dict(experiment='birds', kind='text', values={'tool_rate': 1, 'executable': 1}, outcome='wrong')
    return [StepScore(decided=True, index=index, **score) for index in indices]


def session(*steps, mode='end_to_end'):
    return session_trace(*steps, experiment='birds', mode=mode)


TOOL = 'IPythonInterpreter'
STOPPED = [
    ('no_tool_call', dict(reply='It is 4.')),
    ('no_tool_call', dict(final=True, argument='4', reply='Final Answer: 4')),
    ('wrong_format', dict(tool='python', reply='Action: python')),
    ('wrong_format', dict(tool=TOOL, problem='Action Input is empty', reply='Action: IPythonInterpreter')),
    ('wrong_format', dict(reply='```python\nprint(4)\n```')),
    ('wrong_format', dict(code='Print the mean of the column', error=('SyntaxError', 'invalid syntax'))),
    ('wrong_format', dict(code='先读取数据，再打印平均值', error=('SyntaxError', 'invalid character'))),
    ('wrong_format', dict(finish_reason='malformed_function_call', reply='', problem='could not be read')),
    ('truncated', dict(finish_reason='length', reply='so')),
    ('truncated', dict(finish_reason='content_filter', reply='')),
    ('truncated', dict(code='x = (', error=('SyntaxError', "'(' was never closed"), finish_reason='length')),
    ('context_overflow', dict(finish_reason='context_overflow', problem='too long')),
    ('asks_user', dict(code='input()', error=('StdinNotImplementedError', 'no'))),
    ('timeout', dict(code='while True: pass', execution={'status': 'timeout', 'seconds': 60.0})),
    ('memory', dict(code='x', error=('MemoryError', ''))),
    (
        'memory',
        dict(code='x', error=('KernelDied', 'used more than 4 GiB of memory'), execution={'status': 'kernel_died'}),
    ),
    ('kernel_died', dict(code='x', execution={'status': 'kernel_died'})),
    ('syntax', dict(code='x = (', error=('SyntaxError', "'(' was never closed"))),
    ('import', dict(code='np.mean(1)', error=('NameError', "name 'np' is not defined"))),
    ('import', dict(code='time.time()', error=('NameError', "name 'time' is not defined"))),
    ('import', dict(code='sqrt(2)', error=('NameError', "name 'sqrt' is not defined"))),
    ('import', dict(code='LinearRegression()', error=('NameError', "name 'LinearRegression' is not defined"))),
    ('undefined_name', dict(code='brids', error=('NameError', "name 'brids' is not defined"))),
    ('missing_package', dict(code='import plotly', error=('ModuleNotFoundError', "No module named 'plotly'"))),
    (
        'missing_package',
        dict(code='birds.to_hdf("x")', error=('ImportError', "Missing optional dependency 'pytables'.")),
    ),
    ('unknown_module', dict(code='import plotly.xy', error=('ModuleNotFoundError', "No module named 'plotly.xy'"))),
    ('memory', dict(code='x', error=('RuntimeError', "DefaultCPUAllocator: can't allocate memory: you tried"))),
    ('bad_value', dict(code='x', error=('RuntimeError', 'mat1 and mat2 shapes cannot be multiplied (9x6 and 5x8)'))),
    ('unknown_module', dict(code='import moose', error=('ModuleNotFoundError', "No module named 'moose'"))),
    ('unknown_argument', dict(code='f(a=1)', error=('TypeError', "f() got an unexpected keyword argument 'a'"))),
    ('unknown_argument', dict(code='f(a=1)', error=('AttributeError', "'Text' object has no property 'a'"))),
    ('missing_file', dict(code='open("x")', error=('FileNotFoundError', "[Errno 2] No such file or directory: 'x'"))),
    (
        'missing_file',
        dict(code='a = imread("x")\na.shape', error=('AttributeError', "'NoneType' object has no attribute 'shape'")),
    ),
    ('missing_column', dict(code='birds["Mass"]', error=('KeyError', "'Mass'", 'pandas/core/indexes/base.py'))),
    (
        'missing_column',
        dict(code='boxplot(birds, x="a")', error=('ValueError', 'Could not interpret value `a` for `x`')),
    ),
    ('missing_column', dict(code='birds[["a"]]', error=('KeyError', '"[\'a\'] not in index"'))),
    ('missing_column', dict(code='birds.a', error=('AttributeError', "'DataFrame' object has no attribute 'a'"))),
    ('unknown_attribute', dict(code='birds.a()', error=('AttributeError', "'DataFrame' object has no attribute 'a'"))),
    ('unknown_attribute', dict(code='np.float_', error=('AttributeError', '`np.float_` was removed in NumPy 2.0'))),
    ('unknown_value', dict(code='st.moose', error=('ValueError', "'mouve' is not a valid color value."))),
    ('unknown_value', dict(code='kstest(z, "a")', error=('AttributeError', "module 'd' has no attribute 'a'"))),
    ('type', dict(code='(1).mean()', error=('AttributeError', "'int' object has no attribute 'mean'"))),
    ('type', dict(code='1 + "1"', error=('TypeError', 'unsupported operand type(s) for +'))),
    ('type', dict(code='f"{s:.2f}"', error=('ValueError', "Unknown format code 'f' for object of type 'str'"))),
    ('bad_value', dict(code='float("a")', error=('ValueError', "could not convert string to float: 'a'"))),
    (
        'bad_value',
        dict(code='d["a"]', error=('KeyError', "'a'", 'Cell In[1], line 2\n1 import pandas\n----> 2 d["a"]')),
    ),
    ('bad_value', dict(code='birds.index.mean', error=('AttributeError', "'Index' object has no attribute 'mean'"))),
    ('bad_value', dict(code='birds.mean()', error=('TypeError', 'agg function failed [how->mean,dtype->object]'))),
    ('exception', dict(code='x', error=('RuntimeError', 'no'))),
]


@pytest.mark.parametrize(('cause', 'case'), STOPPED)
def test_what_kept_code_from_running(cause, case):
    found = tag(**case)
    assert (found.cause, found.category) == (cause, CAUSES[cause][0])
    assert found.evidence
    assert found.certain
    assert found.propagated_from is None


RAN = [
    ('no_output', dict(code=GOOD)),
    ('no_figure', dict(code=GOLD[3], step=3)),
    ('type', dict(code="print(birds['mass'].mean)", shown='<bound method Series.mean of 0>')),
    ('wrong_figure', dict(code=GOLD[3].replace('bar', 'pie'), step=3, outputs=[FIGURE])),
    ('wrong_value', dict(code=GOLD[3].replace('bar(', 'barh(').replace('barh', 'bar'), step=3, outputs=[FIGURE])),
    ('invented_data', dict(code='rows = [4.0, 5.0, 9.5]\nprint(sum(rows))', shown='18.5')),
    ('invented_data', dict(code='import numpy as np\nprint(np.random.rand())', shown='0.5')),
    ('other_task', dict(code='print(birds)', shown='a table')),
    ('wrong_rounding', dict(code=GOOD, shown='All of them 4.2501 and 3.5')),
    ('wrong_layout', dict(code=GOOD, shown="['All of them'; 4.25; and; 3.5]")),
    ('ignored_parameter', dict(code=GOOD.replace('[7:]', ''), shown='All of them 5.25 and 3.5')),
    ('ignored_parameter', dict(code=GOOD.replace('All of them', 'All'), shown='All 5.25 and 3.5')),
    ('ignored_method', dict(code="import numpy as np\nprint('All of them', np.median(birds['mass'][7:]))", shown='9')),
    ('wrong_order', dict(code=GOOD, shown='All of them 3.5 and 4.25')),
    ('extra_output', dict(code=GOOD, shown='  mass\n0  4.0\n1  3.5\nAll of them 4.25 and 3.5\n')),
    ('wrong_notation', dict(code=GOOD, shown='All of them 425 and 350')),
    ('wrong_value', dict(code=GOOD, shown='9')),
]


@pytest.mark.parametrize(('cause', 'case'), RAN)
def test_what_code_that_ran_did_not_do(cause, case):
    found = tag(**case)
    assert (found.cause, found.category) == (cause, CAUSES[cause][0])
    assert found.evidence


@pytest.mark.parametrize(
    ('name', 'said'), [('birds', 'the gold code has it'), ('brids', "nearest in the gold code: 'birds'"), ('q', '')]
)
def test_a_missing_name_is_told_with_what_the_gold_code_has(name, said):
    found = tag(name, error=('NameError', f"name '{name}' is not defined"), failed=[0])
    assert found.evidence.startswith(f"name '{name}' is not defined{'; ' if said else ''}{said}")


def asked(question, gold, code, *, text='1', shown='9'):
    """The tag of a step that ran `code` where this was asked and `gold` is right."""
    steps = [
        dict(index=0, question='Load `birds`.', code=GOLD[0], kind='exec'),
        dict(index=1, question=question, code=gold, kind='text', text=text),
    ]
    birds = Experiment.model_validate(dict(id='b', path='b.ipynb', language='en', typed=True, steps=steps))
    trace = session(ran(0, GOLD[0]), ran(1, code, outputs=[{'type': 'stdout', 'text': shown}]))
    return categorize(trace, birds, wrong(1))[1]


FITTED = (
    'with `n_estimators=80`, `seed=2` and `depth=3`',
    'print(fit(birds, n_estimators=80, seed=2, **{"depth": 3}))',
)
SETTINGS = 'settings = dict(n_estimators=80, seed=2, depth=3)\nprint(fit(birds, **settings))'
SPREAD = ('the `std` (`ddof=1`)', 'print(birds.std())')
SPLIT = ('split with `stratify=y` and `cv2.INTER_AREA`', 'print(split(birds, cv2.INTER_AREA, stratify=y))')
SHARE = ('what is within 3 % of the mean', "names = {3: 'x'}\nprint(near(birds, 0.03))")


@pytest.mark.parametrize(
    ('what', 'code', 'cause'),
    [
        (FITTED, SETTINGS, 'wrong_value'),
        (FITTED, SETTINGS.replace('80', '70'), 'ignored_parameter'),
        (SPREAD, 'print(birds.std(ddof=0))', 'ignored_parameter'),  # even where the gold leaves it out
        (SPREAD, 'print(birds.std(ddof=1))', 'wrong_value'),
        (SPLIT, 'print(split(birds, cv2.INTER_AREA))', 'ignored_parameter'),  # an argument that is no literal
        (SPLIT, 'print(split(birds, cv2.INTER_CUBIC, stratify=y))', 'ignored_parameter'),  # a named constant
        (SPLIT, 'show(split(birds, cv2.INTER_AREA, stratify=y))', 'wrong_value'),
        *((SHARE, f'print(near(birds, {share}))', 'wrong_value') for share in ('0.03', '3 / 100', '3e-2')),
        (SHARE, 'print(near(birds, 0.1))', 'ignored_parameter'),
        (('the five largest', 'print(birds.nlargest(5))'), 'print(birds.nlargest(7))', 'ignored_parameter'),
        (('前5大', 'print(birds.nlargest(5))'), 'print(birds.nlargest(7))', 'ignored_parameter'),
    ],
)
def test_what_is_asked_for_is_used(what, code, cause):
    question, gold = what
    found = asked(f'Print {question} of `birds`.', gold, code)
    assert found.cause == cause
    assert found.certain is ('ddof=0' in code or '=70' in code), 'another value than in the question proves it'


@pytest.mark.parametrize(
    ('gold', 'shown', 'cause'),
    [
        ('green, blue, red', '1, 2, 0', 'wrong_notation'),
        ('OCT 1997, APR 1983', '10 1997, 4 1983', 'wrong_notation'),
        ('New Mexico, Iowa', '30, 14', 'wrong_notation'),
        ('47.67\n53.77', '0.48\n0.54', 'wrong_notation'),
        ('36.301 95.8', '36.301 0.958', 'wrong_notation'),
        ('0.0312', '3.12', 'wrong_notation'),
        ('47.67', '0.4', 'wrong_value'),
        ('47.67', '0', 'wrong_value'),
        ('12 7', '0.12 700', 'wrong_value'),
        ('a, b', '1, 2, 3', 'wrong_value'),
        ('4.25', 'x y\n0 1\n4.25', 'extra_output'),
        ('4.25', '14.25 1', 'wrong_value'),
    ],
)
def test_what_tells_another_notation_from_another_value(gold, shown, cause):
    assert asked('Print it of `birds`.', 'print(birds)', 'print(birds.x)', text=gold, shown=shown).cause == cause


def test_every_cause_has_a_test():
    seen = {cause for cause, _ in STOPPED + RAN} | {'session_limit'}
    assert seen == set(CAUSES)


def test_a_step_that_was_never_asked():
    limited = StepTrace(index=1, question='', attempts=[], ended='tokens of the session')
    found = categorize(session(ran(0, GOLD[0]), limited), BIRDS, wrong(1))[1]
    assert (found.cause, found.evidence) == ('session_limit', 'tokens of the session')
    assert categorize(session(), BIRDS, wrong(0))[0].cause == 'session_limit'
    ended = 'the agent failed: ValueError: no (mine.py, line 7)'
    failed = StepTrace(index=0, question='', attempts=[Attempt(reply=Reply(text=''), action=Action())], ended=ended)
    found = categorize(session(failed), BIRDS, wrong(0))[0]
    assert (found.cause, found.evidence) == ('session_limit', ended)
    after = ran(1, 'print(4)').model_copy(update={'ended': ended})
    found = categorize(session(after), BIRDS, wrong(1))[1]
    assert found.cause != 'session_limit' and found.evidence.endswith(f'; {ended}')


NAME = ('NameError', "name 'birds' is not defined")
SIZE = ('KeyError', "'size'", 'pandas/core')
FILE = ('FileNotFoundError', "[Errno 2] No such file or directory: 'sizes.csv'")


@pytest.mark.parametrize(
    ('origin', 'case'),
    [
        (0, dict(code=GOOD, error=NAME, failed=[0])),
        (0, dict(code="print(pd.read_csv('x'))", error=('NameError', "name 'pd' is not defined"), failed=[0])),
        (0, dict(code=GOOD, error=NAME, past=['import pandas as pd'])),  # ran, and left nothing behind
        (None, dict(code=GOOD, error=NAME, past=["df = pd.read_csv('data/birds.csv')"])),  # under another name
        (0, dict(code='df.mean()', error=('NameError', "name 'df' is not defined"), failed=[0], past=['df = 1 / 0'])),
        (None, dict(code='df.mean()', error=('NameError', "name 'df' is not defined"), failed=[0])),
        (2, dict(code=GOLD[3], step=3, error=SIZE, failed=[2])),
        (None, dict(code=GOLD[3], step=3, error=SIZE)),
        (2, dict(code="open('sizes.csv')", step=3, error=FILE, failed=[2])),
        (
            2,
            dict(code=GOLD[3], step=3, failed=[2], outputs=[FIGURE], past=[*GOLD[:2], "birds['size'] = birds['mass']"]),
        ),
        (0, dict(code=GOOD, shown='All of them 9 and 9', failed=[0])),
        (0, dict(code=GOOD.replace('np.mean', 'abs(np.mean') + ')', shown='All of them 9 and 9', failed=[0])),
        (None, dict(code=GOOD.replace('mean', 'median'), shown='All of them 9 and 9', failed=[0])),
    ],
)
def test_where_a_failure_comes_from(origin, case):
    assert tag(**case).propagated_from == origin


def test_in_oracle_mode_nothing_is_propagated():
    this = ran(1, GOOD, status='error', error={'name': NAME[0], 'value': NAME[1]})
    before = StepTrace(index=0, question='', attempts=[])
    tags = categorize(session(before, this, mode='oracle'), BIRDS, wrong(0, 1))
    assert tags[1].propagated_from is None


def test_the_last_attempt_that_ran_code_decides():
    broken = ran(1, 'x', status='error', error={'name': 'MemoryError', 'value': ''}).attempts[0]
    gave_up = Attempt(reply=Reply(text='no'), action=Action(final=True))
    step = StepTrace(index=1, question='', attempts=[broken, gave_up])
    assert categorize(session(ran(0, GOLD[0]), step), BIRDS, wrong(1))[1].cause == 'memory'


def test_failed_steps_are_read_off_the_scores():
    steps = [ran(0, GOLD[0]), ran(1, GOOD), ran(2, 'x', status='timeout')]
    score = dict(experiment='birds', kind='text', values={'tool_rate': 1, 'executable': 1})
    outcomes = ['correct', 'wrong', 'timeout', None]
    scores = [StepScore(decided=True, index=index, outcome=outcome, **score) for index, outcome in enumerate(outcomes)]
    assert list(categorize(session(*steps), BIRDS, scores)) == [1, 2]


def test_a_session_of_another_experiment_is_refused():
    with pytest.raises(CibenchError, match='no step 9'):
        categorize(session(), BIRDS, wrong(9))


def test_a_rule_that_fails_costs_the_tag_alone(monkeypatch, caplog):
    monkeypatch.setattr('cibench_eval.evaluators.failures.categories.RULES', (lambda case: case.no_such_field,))
    found = tag('x', error=('ValueError', 'a'))
    assert (found.cause, found.certain) == ('exception', False)
    assert found.evidence.startswith('the rules failed on this step (AttributeError in test_categories.py, line ')
    assert 'step 2: its failure has no category of its own, for the rules failed' in caplog.text
    assert tag(GOOD, shown='9').cause == 'wrong_value'


def test_evidence_of_a_long_message_is_short():
    assert len(tag('x', error=('ValueError', 'a' * 10**6)).evidence) == 500


def test_a_column_with_a_long_name_is_looked_for_in_no_time():
    assert tag('birds["a"]', error=('KeyError', f"'{'mass' * 10**5}'", 'pandas')).cause == 'missing_column'


TEXTS = st.text(max_size=60) | st.sampled_from(
    [*GOLD, GOOD, "name 'birds' is not defined", 'x = (', '%%time\nprint(1)']
)
ERRORS = st.none() | st.builds(
    dict,
    name=st.sampled_from(['NameError', 'KeyError', 'AttributeError', 'TypeError', 'error', '']) | TEXTS,
    value=TEXTS,
)
EXECUTIONS = st.none() | st.builds(
    Execution.model_validate,
    st.fixed_dictionaries(
        {
            'status': st.sampled_from(['ok', 'error', 'timeout', 'kernel_died']),
            'error': ERRORS,
            'outputs': st.lists(
                st.builds(dict, type=st.sampled_from(['stdout', 'execute_result']), text=TEXTS), max_size=2
            ),
        }
    ),
)
ATTEMPTS = st.builds(
    Attempt,
    reply=st.builds(Reply, text=TEXTS, finish_reason=st.sampled_from(['stop', 'length', 'context_overflow', 'x'])),
    action=st.builds(Action, tool=st.none() | TEXTS, code=st.none() | TEXTS, final=st.booleans(), argument=TEXTS),
    execution=EXECUTIONS,
)


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(attempts=st.lists(st.lists(ATTEMPTS, max_size=2), max_size=4), mode=st.sampled_from(['end_to_end', 'oracle']))
def test_any_trace_gets_one_tag_for_each_failed_step(attempts, mode):
    steps = [StepTrace(index=index, question='', attempts=tried) for index, tried in enumerate(attempts)]
    tags = categorize(session(*steps, mode=mode), BIRDS, wrong(*range(4)))
    assert list(tags) == [0, 1, 2, 3]
    for index, found in tags.items():
        assert found.propagated_from is None or found.propagated_from < index
        assert type(found).model_validate_json(found.model_dump_json()) == found


def refine(*replies, shown='9'):
    """The tags of a session before and after a model was asked, what it was asked, and what it is taken to say."""
    trace = session(ran(0, GOLD[0]), ran(1, GOOD, outputs=[{'type': 'stdout', 'text': shown}]))
    tags = categorize(trace, BIRDS, wrong(1))
    model = Script(*replies)
    judge = failures.FailureJudge(model, retries=1)
    said = {
        case.index: asyncio.run(judge.judge(case, judge.questions(case)))
        for case in failures.uncertain_failures(trace, BIRDS, wrong(1))
    }
    told = {index: [('judge', one.detail), ('late', OF_ANOTHER)] for index, one in said.items()}
    return tags, failures.with_opinions(tags, trace, BIRDS, told), model.asked, said


def test_a_model_decides_where_the_rules_are_not_certain():
    before, after, asked, said = refine('```json\n{"cause": "no_output", "why": "shows nothing"}\n```')
    assert (before[1].cause, before[1].certain, before[1].judged_by) == ('wrong_value', False, 'rules')
    assert (after[1].cause, after[1].category, after[1].judged_by) == ('no_output', 'instruction', 'judge')
    assert after[1].evidence == 'shows nothing'
    assert QUESTION in asked[0][0]['content'][0]['text']
    assert said[1].score == 0.0, 'the rules say reasoning'


def test_a_model_of_the_rules_opinion_agrees_with_them():
    _, after, _, said = refine('{"cause": "wrong_value"}')
    assert (after[1].cause, said[1].score) == ('wrong_value', 1.0)


def test_a_model_without_a_verdict_is_asked_again_and_then_left():
    before, after, asked, said = refine('It is no_output.', '{"cause": "bad luck"}')
    assert after == before
    assert [message['role'] for message in asked[1]] == ['user', 'assistant', 'user']
    assert said[1].score is None


def test_a_model_is_not_asked_what_is_certain():
    before, after, asked, _ = refine(shown='')
    assert before == after
    assert asked == []


def test_what_was_said_of_another_answer_is_left_out():
    *_, said = refine('{"cause": "no_output"}')
    trace = session(ran(0, GOLD[0]), ran(1, GOOD, outputs=[{'type': 'stdout', 'text': '8'}]))
    tags = categorize(trace, BIRDS, wrong(1))
    assert not tags[1].certain
    assert failures.with_opinions(tags, trace, BIRDS, {1: [('judge', said[1].detail)]}) == tags


@pytest.mark.parametrize(
    'text',
    ['', 'no', '[]', '{"cause": 3}', '{"cause": "type"', '{' * 2000 + '}', '{"why": "x"}', '{"cause": "type"}\n' * 2],
)
def test_what_is_no_verdict(text):
    assert failures.read_opinion(Reply(text=text)) is None


@pytest.mark.parametrize(
    ('text', 'why'),
    [
        ('It adds texts.\n```JSON\n{"cause": "Type", "why": "x\ny"}\n```', 'x\ny'),
        ('{"cause": "type", "why": null}', ''),
    ],
)
def test_opinions_that_are_read(text, why):
    assert failures.read_opinion(Reply(text=text)) == ('type', why)
    assert failures.read_opinion(Reply(text=text, finish_reason='length')) is None, 'a reply that was cut'
