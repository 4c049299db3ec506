"""Function calling: what is read of calls, well-formed and not, and what goes back into the conversation."""

import json

import pytest

from cibench_eval.agents import ToolCalls
from cibench_eval.schema import INTERPRETER, Execution, Output, Reply, Step, ToolCall

PROTOCOL = ToolCalls()


def call(arguments, *, name=INTERPRETER, id='a'):
    return ToolCall(id=id, name=name, arguments=arguments)


def reply(*calls, text='', finish='tool_calls'):
    return Reply(text=text, tool_calls=list(calls), finish_reason=finish)


CODE = 'df = x.agg({"a": "mean", "b": "sum"})\nprint(f"{df}, {df}", ", ".join(["a", "b"]))'
WHOLE = json.dumps({'code': CODE})
SOUND = [
    *(WHOLE, json.dumps({'code': CODE}, indent=1), WHOLE.replace('\\n', '\n'), json.dumps({'command': CODE})),
    *(json.dumps({'python': CODE, 'timeout': 5}), json.dumps({'cell': CODE}), json.dumps({'code': CODE.split('\n')})),
    *(json.dumps(CODE), json.dumps(json.dumps({'command': CODE})), json.dumps({'code': f'```python\n{CODE}\n```'})),
    *(CODE, f'```python\n{CODE}\n```'),
    *(json.dumps({'name': INTERPRETER, key: {'code': CODE}}) for key in ('arguments', 'parameters')),
    json.dumps({'name': INTERPRETER, 'arguments': WHOLE}),
]
BROKEN = [
    '{"code": "' + CODE.replace('\n', '\\n') + '"}',  # quotes are not escaped
    *('{"code": "' + CODE + '"}', '{"code": """' + CODE + '"""}'),  # nor are line feeds
    *(repr({'code': CODE}), WHOLE[:-1], WHOLE[:-1] + ',}', WHOLE.replace('"code"', 'code', 1), WHOLE + '}'),
    *(WHOLE + '\n</tool_call>', WHOLE + '<|im_end|>', WHOLE + WHOLE),
    json.dumps({'code': CODE, 'timeout': 5})[:-1] + ', "reset": True}',
    f'```json\n{WHOLE}\n```',
    *("{\n'code': r'''" + CODE + "'''}", "{\"code\": r'''" + CODE + "'''}"),
    '{"code": "' + CODE.replace('\n', '\\n') + '", "lang": "py"}',
    WHOLE[:-1] + ', "why": "I set "x" to 1"}',
    json.dumps({'name': INTERPRETER, 'arguments': {'code': 'x = 1'}})[:-1].replace('x = 1', json.dumps(CODE)[1:-1]),
]


TWO_PROGRAMS = ['```python\nx = 1\n```\n\ny = 2', '```python\nx = 1\n```\nand\n```python\ny = 2\n```']
"""Texts with a fence that is not removed, because code would be lost."""


@pytest.mark.parametrize(
    ('arguments', 'code', 'repaired'),
    [
        *((arguments, CODE, False) for arguments in SOUND),
        *((arguments, CODE, True) for arguments in BROKEN),
        (r'{"code": "re.findall("\d+", s)"}', r're.findall("\d+", s)', True),
        ('{"code": "s = \'{\'\ns"}', "s = '{'\ns", False),
        ('"42"', '42', False),
        (json.dumps(' {"code": "x = 1"}'), 'x = 1', False),
        ('{"code": "x = 1", "parameters": {}}', 'x = 1', False),
        ('\ufeff{"code": "x = 1"}', 'x = 1', False),
        ('{"code": "", "python": "x = 1"}', 'x = 1', False),
        (json.dumps({'code': '```python\nx = 1'}), 'x = 1', False),
        (json.dumps({'code': '```python\nx = 1\n```\nDone.'}), 'x = 1', False),
        (json.dumps({'code': 'x = 1\\nprint(x)\\n'}), 'x = 1\nprint(x)\n', False),
        (json.dumps({'code': r'print("""a\nb""")'}), r'print("""a\nb""")', False),
        (json.dumps({'code': r'x = 1\nprint("a\\nb")'}), 'x = 1\nprint("a\\nb")', False),
        (json.dumps({'code': r'if x:\n\tprint(\"a\")'}), 'if x:\n\tprint("a")', False),
        (json.dumps({'code': r"import re\nre.sub('\d', '', s)"}), "import re\nre.sub('\\d', '', s)", False),
        *((json.dumps({'code': text}), text, False) for text in TWO_PROGRAMS),
        ("\n  {'code': r'x = 1'}", 'x = 1', True),
        (r'{"code": "print("\u00e9")"}', 'print("é")', True),
        (r'{"code": "p = "C:\users""}', r'p = "C:\users"', True),
        (r'{"code": "df[\'a\'].mean()"}', "df['a'].mean()", True),
        (r"""{"code": "s = 'it\'s'"}""", r"s = 'it\'s'", True),
        ('{"code": r"x = 1"}', 'x = 1', True),
        (" \n{'code': 'x = 1'}", 'x = 1', True),
        (repr({'code': 'x = 1\n' * 30}), 'x = 1\n' * 30, True),
        ('{code: "' + 'x = 1;' * 500 + '"}', 'x = 1;' * 500, True),
    ],
)
@pytest.mark.filterwarnings('error')  # CPython 3.12 shows those of invalid escapes in what models write
def test_code_is_found_in_whatever_stands_for_arguments(arguments, code, repaired):
    action = PROTOCOL.parse(reply(call(arguments))).action
    assert (action.tool, action.code, action.problem, action.final) == (INTERPRETER, code, '', False)
    assert (action.argument, action.repaired) == (arguments, repaired)


@pytest.mark.parametrize(
    ('arguments', 'code'),
    [
        ('{x for x in y}', '{x for x in y}'),
        ('42', '42'),
        ('{"code": "x = {1}', '{"code": "x = {1}'),
        ('s = "```"', 's = "```"'),
        (json.dumps({'code': '{"code": "x"}'}), '{"code": "x"}'),
        (json.dumps({'code': 's = """\n```\nx\n```\n"""'}), 's = """\n```\nx\n```\n"""'),
        (r'{"code": "\ud83d"}', '\ufffd'),  # half a character, which no file can hold
        ('{"rows": 1, "code": 2}', None),
        ('{"a": "x", "b": "y"}', None),
        ('null', None),
        ('[1]', None),
        # What ends in the middle of a text, or is code, is not repaired.
        *((text, text) for text in ('{"code": "x = 1', '{"code": "print(1)\\n', '{x: 1 for x in "ab"}', '{', '{}}}')),
        ('print({"code": "x"})', 'print({"code": "x"})'),
    ],
)
def test_code_is_taken_as_it_is(arguments, code):
    action = PROTOCOL.parse(reply(call(arguments))).action
    assert (action.code, action.repaired) == (code, False)


WRITTEN = [
    'I load it.\n{"name": "IPythonInterpreter", "parameters": {"code": "x = 1"}}',
    '[IPythonInterpreter(code="x = 1")]',
    'IPythonInterpreter\n{"code": "x = 1"}',
    '<tools>\n{"name": "IPythonInterpreter"}\n</tools>',
    '<｜tool▁calls▁begin｜>IPythonInterpreter',
    '<|action_start|><|plugin|>{"code": "x"}',
    '<minimax:tool_call>x</minimax:tool_call>',
    '<invoke name="IPythonInterpreter">',
    'Action: IPythonInterpreter\nAction Input: x = 1',
    '<execute>x = 1</execute>',
    '<code>\nx = 1\n</code>',
    'import math\nprint(math.pi)',
    'df = pd.read_csv("a.csv")\nprint(df.shape)',
    '{"type": "function", "function": "IPythonInterpreter", "parameters": {"code": "x = 1"}}',
    '{"tool": "IPythonInterpreter", "tool_input": {"code": "x = 1"}}',
    '{"recipient_name": "functions.IPythonInterpreter", "parameters": {"code": "x = 1"}}',
    # Where the server has removed the marks of Llama, Kimi and gpt-oss.
    'IPythonInterpreter.call(code="x = 1")',
    'functions.IPythonInterpreter:0{"code": "x = 1"}',
    'analysisI load it.assistantcommentary to=functions.IPythonInterpreter json{"code": "x = 1"}',
    '```\nx = 1\n```',
    '```json\n{"code": "x = 1"}\n```',
    '{"code": "x = 1"}',
    '{"code": "print("a")"}',
    '{"code": "df"}',
    '{"name": "python", "arguments": "{\\"code\\": \\"x\\"}"}',
    "{'code': 'x = 1'}",
    '{"name": "python", "arguments": {"code": "x"}}',
    '[{"name": "python", "parameters": {"code": "x"}}]',
    '<code_interpreter>x = 1</code_interpreter>',
    '[PYTHON]\nx = 1\n[/PYTHON]',
    '%matplotlib inline',
    '!pip install x',
    '%%time\nx = 1',
    'df = pd.read_csv("a.csv")\ndf',
    'x = sin(y)\nx',
    'for i in x: print(i)',
    'x = 3\nif x: y',
    'df = df.dropna()\ndf.describe()',
    'plt.plot(x)\nplt.show()',
    'x = df["a"]\nx',
    'for i in x:\n    print(i)',
    'def f():\n    return 1\nf()',
]
"""Calls that a model writes into its text, of several families."""


@pytest.mark.parametrize(
    ('said', 'tool', 'problem'),
    [
        (reply(call('{"code": "x"}', name='python')), 'python', "no function named 'python'"),
        (reply(call('{}')), INTERPRETER, 'no code in the arguments'),
        (reply(call('')), INTERPRETER, 'no code in the arguments'),
        (reply(call('{"code": " \\n"}')), INTERPRETER, 'no code in the arguments'),
        (reply(call('{"code": "x = 1'), finish='length'), INTERPRETER, 'cut before the code ended'),
        (reply(text='I think', finish='length'), None, 'cut before IPythonInterpreter was called'),
        (reply(text=' \n', finish='stop'), None, 'There was no answer'),
        (reply(text='<think>so', finish='stop'), None, 'There was no answer'),
        (reply(text='I load it.', finish='malformed_function_call'), None, 'The call could not be read'),
        (reply(text='Run this:\n```python\nx = 1\n```', finish='stop'), None, 'is not run; call the function'),
        (reply(text='<tool_call>\n{"name": "x"}', finish='stop'), None, 'is not run; call the function'),
        *((reply(text=text, finish='stop'), None, 'is not run; call the function') for text in WRITTEN),
    ],
)
def test_replies_that_run_nothing_say_how_to_call(said, tool, problem):
    action = PROTOCOL.parse(said).action
    assert (action.tool, action.code, action.final) == (tool, None, False)
    assert problem in action.problem
    assert PROTOCOL.observe(action, None, 'en') == action.problem


@pytest.mark.parametrize('shown', ['```\n42\n```', '```text\nid x\n1  2\n```', 'By IPythonInterpreter: <function f>'])
def test_an_output_that_closing_words_show_is_no_call(shown):
    assert PROTOCOL.parse(reply(text=f'The result is\n{shown}', finish='stop')).action.final


SAID = [
    *('f(x) = 3', 'accuracy = 0.95', '(1, 2)', 'mean(x) is 3', 'sqrt(2)', 'np.float64(0.95)', 'x = [1, 2]'),
    "answer = 'print(x)'",
]
SAID += ['datetime.date(2020, 1, 1)', 'accuracy = 0.95  # from model.score(X, y)']
SAID += ['mean = 3\nstd = 2', '(1, 2)\n(3, 4)', 'array([1, 2,\n       3])', 'a: np.float64(1)\nb: np.float64(2)']
SAID += ["{'code': 'JFK', 'flights': 3}", '{"code": "JFK", "flights": 3}', 'import of x: 3']
SAID += ['```json\n{"source": "JFK", "n": 3}\n```', '```python\n```\nThe mean is 3.']
SAID += ['![The histogram](histogram.png)', '![a](a.png)\n![b](b.png)', '% of missing values', '!Done']
SAID += ['mean = np.float64(2.5)\nstd = np.float64(1.1)', 'w[0] = 1.2\nw[1] = 3.4', 'LinearRegression()\n0.93']
SAID += ['array([1, 2])\narray([3, nan])', "Index(['a'], dtype='object')\n(100, 2)", 'array([1], dtype=int32)\n3']
SAID += ["Timestamp('2020-01-01')\npd.Timestamp('2021-01-01')", 'Pipeline([("a", StandardScaler())])\n0.93']
SAID += ['if x: 3', 'class A: 3', '{"name": "SVC", "parameters": {"C": 1}}', '<code_name>JFK</code_name>']
SAID += ['My tool: IPythonInterpreter. The mean is 3.', 'df.mean() gives 3', 'I used print(x). It is 3.']


@pytest.mark.parametrize('text', SAID)
def test_answers_that_look_like_code_are_answers(text):
    assert PROTOCOL.parse(reply(text=text, finish='stop')).action.final


def test_a_text_without_a_call_is_a_final_answer():
    said = reply(text='<think>hm</think>\nIt is 42.', finish='stop')
    parsed = PROTOCOL.parse(said)
    assert (parsed.action.final, parsed.action.argument, parsed.action.code) == (True, 'It is 42.', None)
    assert PROTOCOL.exchange(parsed, [None], 'en') == [{'role': 'assistant', 'content': 'It is 42.'}]


def test_every_call_is_answered_and_the_last_with_code_counts():
    said = reply(call('{"code": "1"}'), call('{"code": "2"}'), call('3', id='', name='bad name!'), text='Both.')
    parsed = PROTOCOL.parse(said)
    assert (parsed.action.code, parsed.action.thought) == ('2', 'Both.')
    assert [action.code for action in parsed.actions] == ['1', '2', None]
    shown = Execution(status='ok', outputs=[Output(type='stdout', text='one')])
    turn, first, second, third = PROTOCOL.exchange(parsed, [shown, Execution(status='ok'), None], 'en')
    assert (turn['role'], turn['content']) == ('assistant', 'Both.')
    ids = [made['id'] for made in turn['tool_calls']]
    assert ids[0] == 'a'
    assert len(set(ids)) == 3
    assert [message['tool_call_id'] for message in (first, second, third)] == ids
    assert first['content'] == 'stdout:\n\n```\none\n```'
    assert second == {'role': 'tool', 'content': 'The code ran and showed nothing.', 'tool_call_id': ids[1]}
    assert "no function named 'bad name!'" in third['content']
    functions = [made['function'] for made in turn['tool_calls']]
    assert [function['name'] for function in functions] == [INTERPRETER, INTERPRETER, 'bad_name_']
    assert [json.loads(function['arguments']) for function in functions] == [{'code': code} for code in '123']
    assert PROTOCOL.parse(said).kept == turn
    filtered = reply(call('{"code": "1"}'), call('{"code": "2'), finish='content_filter')
    assert 'content filter' in PROTOCOL.parse(filtered).actions[1].problem


def test_no_more_than_eight_calls_of_a_reply_run():
    parsed = PROTOCOL.parse(reply(*(call(f'{{"code": "{n}"}}', id=str(n)) for n in range(10))))
    assert [action.code for action in parsed.actions] == [*'01234567', None, None]
    assert (parsed.action.code, parsed.counts) == ('7', 7)
    messages = PROTOCOL.exchange(parsed, [None] * 10, 'en')
    assert [one['tool_call_id'] for one in messages[1:]] == [str(n) for n in range(10)]
    assert messages[-1]['content'] == 'Not run: at most 8 calls of a turn are run.'


def test_a_namespace_before_the_name_is_left_out():
    said = reply(call('{"code": "1"}', name='functions.IPythonInterpreter'))
    parsed = PROTOCOL.parse(said)
    assert (parsed.action.tool, parsed.action.code) == (INTERPRETER, '1')
    assert parsed.kept['tool_calls'][0]['function']['name'] == INTERPRETER


def test_arguments_that_are_no_json_go_back_as_json():
    for arguments in ('{"code": "x = 1', '{"a": 1}', 'print("x")\n'):
        said = reply(call(arguments))
        (made,) = PROTOCOL.parse(said).kept['tool_calls']
        assert json.loads(made['function']['arguments'])['code'].strip() == arguments.strip()


def test_a_reply_without_a_call_is_answered_by_the_user():
    said = reply(text='', finish='stop')
    parsed = PROTOCOL.parse(said)
    answer = {'role': 'user', 'content': parsed.action.problem}
    assert PROTOCOL.exchange(parsed, [None], 'en') == [{'role': 'assistant', 'content': '…'}, answer]


def test_gold_is_a_call():
    step = Step(index=7, question='q', code='x = "é"', thought='think', kind='exec')
    said = PROTOCOL.gold(step)
    assert (said.text, said.finish_reason) == ('think', 'tool_calls')
    assert said.tool_calls == [ToolCall(id='gold00007', name=INTERPRETER, arguments='{"code": "x = \\"é\\""}')]


HARD = [
    '{',
    '[',
    '["',
    '{"code"',
    '[{',
    '("',
    '{"a": ',
    '“',
    '"',
    '\\"',
    '"x", ',
    "'",
    '{"a":"x" ',
    '["x" ' + '\\"' * 10,
]


@pytest.mark.parametrize('text', HARD)
def test_hard_arguments_are_read_at_once(text):
    """What repairs JSON takes minutes for some of these, of 20 kB; the code in them is the text itself."""
    arguments = '{' + text * (20_000 // len(text)) + '}'
    assert PROTOCOL.parse(reply(call(arguments))).action.code == arguments


def test_the_function_as_the_api_describes_it():
    (tool,) = PROTOCOL.tools('en')
    assert tool['type'] == 'function'
    assert tool['function']['name'] == INTERPRETER
    assert tool['function']['parameters']['properties']['code']['type'] == 'string'
    assert tool['function']['parameters']['required'] == ['code']
    assert 'Python' in ToolCalls().tools('cn')[0]['function']['description']
    assert ToolCalls(prompt_language='cn').tools('en') == PROTOCOL.tools('cn') != PROTOCOL.tools('en')


def test_prompt_and_observations_in_the_language_of_the_experiment():
    assert '要求' in PROTOCOL.opening('cn')[0]['content']
    assert INTERPRETER in PROTOCOL.opening('en')[0]['content']
    action = PROTOCOL.parse(reply(call('{"code": "x"}'))).action
    assert PROTOCOL.observe(action, Execution(status='ok'), 'cn') == '代码运行成功，没有输出。'
    long = Execution(status='ok', outputs=[Output(type='stdout', text='a' * 5000)])
    assert 1000 < len(PROTOCOL.observe(action, long, 'en')) < 1200
