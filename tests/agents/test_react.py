"""The ReAct grammar: what is read out of replies, well-formed and not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cibench_eval.agents.code import extract_code
from cibench_eval.agents.react import Labels, ReAct, shorten
from cibench_eval.schema import INTERPRETER, Execution, Output, Step

PROTOCOL = ReAct()


def call(code: str, *, before: str = 'Thought: look\n', after: str = '') -> str:
    return f'{before}Action: IPythonInterpreter\nAction Input:\n```python\n{code}\n```{after}'


@pytest.mark.parametrize(
    'code',
    [
        'print(1)',
        's = "use `x` here"',
        "s = '```'\nprint(s)",
        'x = "a```b"\nprint(x)',
        'print("Final Answer:", 7)',
        'print("""\nAction: other\nThought: no\n""")',
        '# Response: no\nx = {"code": 1}\nx',
        'df.query("`a b` > 1")',
    ],
)
def test_code_is_taken_as_it_is(code):
    action = PROTOCOL.parse(call(code))
    assert (action.tool, action.code, action.thought) == (INTERPRETER, code, 'look')


def test_gold_reply_reads_back_as_the_gold_code():
    step = Step(index=0, question='q', code="a = 1\n\nprint('`a`')", thought='think', kind='num')
    action = PROTOCOL.parse(PROTOCOL.gold(step))
    assert (action.thought, action.code) == ('think', step.code)


@pytest.mark.parametrize(
    ('reply', 'code'),
    [
        (call('x = 1').replace('\n', '\r\n'), 'x = 1'),
        (call('x = 1', after='\nResponse: 5\nThought: done\nFinal Answer: 5'), 'x = 1'),
        (call('x = 1') + '\n' + call('y = 2'), 'x = 1'),
        ('<think>Action: no\n```</think>' + call('x = 1'), 'x = 1'),
        ('Thought：看\nAction：IPythonInterpreter\nAction Input：\n```python\nx = 1\n```', 'x = 1'),
        ('Action: IPythonInterpreter\nAction Input: x = 1', 'x = 1'),
        ('Action: IPythonInterpreter\nAction Input: ```python\nx = 1', 'x = 1'),
        ('Action: IPythonInterpreter\nAction Input: {"code": "x = 1"}', 'x = 1'),
        (
            'Action: IPythonInterpreter\nAction Input: ```python\nx = """\nFinal Answer: 7\n"""\n```',
            'x = """\nFinal Answer: 7\n"""',
        ),
        ('Action: IPythonInterpreter\nAction Input:```py\nx = 1\n```\nResponse: 2\n```\nAction: y\n```', 'x = 1'),
        ('Action: IPythonInterpreter\nAction Input: ' + '{"a":' * 100_000, '{"a":' * 100_000),
        ('Action: IPythonInterpreter\nAction Input: {"a": ' + '9' * 5000 + '}', '{"a": ' + '9' * 5000 + '}'),
        ('**Action:** IPythonInterpreter\n**Action Input:**\n```python\nx = 1\n```', 'x = 1'),
        ('Action: `IPythonInterpreter`\nAction Input:\n```py\nx = 1```', 'x = 1'),
    ],
)
def test_forms_that_are_understood(reply, code):
    action = PROTOCOL.parse(reply)
    assert (action.tool, action.code, action.problem) == (INTERPRETER, code, '')


@pytest.mark.parametrize(
    ('reply', 'tool', 'problem'),
    [
        ('', None, 'No tool was called'),
        ('```python\nprint(1)\n```', None, 'No tool was called'),
        ('Action: Search\nAction Input: x', 'Search', "no tool named 'Search'"),
        ('Action: IPythonInterpreter', INTERPRETER, 'is empty'),
        ('Action: IPythonInterpreter\nAction Input:\n```python\n```', INTERPRETER, 'is empty'),
        ('Action: IPythonInterpreter\nThought: x\nAction Input: y', INTERPRETER, 'is empty'),
    ],
)
def test_replies_that_run_nothing_say_why(reply, tool, problem):
    action = PROTOCOL.parse(reply)
    assert action.code is None
    assert action.tool == tool
    assert not action.final
    assert problem in action.problem


def test_final_answer_without_action_ends_the_step():
    action = PROTOCOL.parse('Thought: known\nFinal Answer: 42')
    assert (action.final, action.argument, action.code, action.problem) == (True, '42', None, '')


def test_final_answer_after_an_action_does_not_hide_it():
    assert PROTOCOL.parse(call('x = 1', after='\nFinal Answer: 1')).code == 'x = 1'


def test_labels_can_be_configured():
    protocol = ReAct(labels=Labels('思考', '动作', '动作输入', '结果', '答案'))
    step = Step(index=0, question='q', code='x = 1', thought='想', kind='exec')
    assert protocol.parse(protocol.gold(step)).code == 'x = 1'
    assert protocol.stop == ['\n结果:', '\n结果：']


@given(st.text(alphabet=st.sampled_from('Action InputThoughtResponse:：\n`~{}"\\rcode*<think>/') | st.characters()))
def test_any_text_is_read(text):
    action = PROTOCOL.parse(text)
    assert action.final or bool(action.code) != bool(action.problem)


@given(st.text())
def test_any_text_has_code(text):
    assert isinstance(extract_code(text), str)


def test_opening_in_the_language_of_the_experiment():
    english, chinese = PROTOCOL.opening('en'), PROTOCOL.opening('cn')
    assert [m['role'] for m in english] == ['system', 'user', 'assistant', 'user']
    assert 'Rules' in english[0]['content']
    assert '要求' in chinese[0]['content']
    assert ReAct(prompt_language='en').opening('cn') == english
    assert len(ReAct(example=False).opening('en')) == 1


def test_worked_example_follows_the_grammar_it_teaches():
    assert PROTOCOL.parse(PROTOCOL.opening('en')[2]['content']).code.startswith('import pandas')


def test_observation_is_shortened_to_head_and_tail():
    long = Execution(status='ok', outputs=[Output(type='stdout', text='a' * 5000 + 'z')])
    observed = PROTOCOL.observe(PROTOCOL.parse(call('x')), long, 'en')
    assert observed.startswith('Response: stdout')
    assert observed.rstrip('`\n').endswith('z')
    assert len(observed) < 1200


@given(st.text(max_size=300), st.integers(10, 200))
def test_shorten_keeps_head_and_tail(text, limit):
    short = shorten(text, limit)
    assert short == text if len(text) <= limit else short.startswith(text[: limit // 2])


def test_silence_is_told():
    assert (
        PROTOCOL.observe(PROTOCOL.parse(call('x = 1')), Execution(status='ok'), 'cn')
        == 'Response: 代码运行成功，没有输出。'
    )
