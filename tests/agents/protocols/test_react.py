"""The ReAct grammar: what is read out of replies, well-formed and not."""

import hashlib
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cibench_eval.agents import ReAct
from cibench_eval.schema import INTERPRETER, Action, Execution, ExecutionError, Output, Reply, Step

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
    action = PROTOCOL.parse(Reply(text=call(code))).action
    assert (action.tool, action.code, action.thought) == (INTERPRETER, code, 'look')


UNCLOSED = 'Action: IPythonInterpreter\nAction Input:\n```python\n'
COMMENTED = [f'x = 1\n{comment}\ny = 2' for comment in ('# Observation: y', '### Action: plot', '    # Response: y')]
FENCES_IN_STRINGS = ['s = """\n```\nx\n```\n"""\nprint(s)', "s = '''# T\n```python\nf()\n```\n'''"]
DRESSED = [
    "{'code': 'x = 1'}",
    '{"code": "x = 1",}',
    '{"code": "x = 1"}\nI wait for the result.',
    '{"code": ```python\nx = 1\n```}',
    '{"python_code": "x = 1"}',
    '"x = 1"',
    "'''python\nx = 1\n'''",
    'x = 1\n\nObservation:\n```\n43\n```',
    'the following ```python\nx = 1\n```',
    'x = 1\n\nOutput:\n```\n43\n```',
    'x = 1\n\nThis gives:\n```\narray([1, 2])\n```',
    'x = 1\n```text\na  b\n```',
    'x = 1\n```\nThis sets x.',
    '```python x = 1```\nI wait.',
    '{"name": "IPythonInterpreter", "arguments": {"code": "x = 1"}}',
    '```json\n{"name": "IPythonInterpreter", "parameters": {"code": "x = 1"}}\n```',
    '"{\\"code\\": \\"x = 1\\"}"',
    "```json\n{'code': 'x = 1'}\n```",
    '{"code": "", "python": "x = 1"}',
    '{"code": "```python\\nx = 1"}',
    '{"code": "```python\\nx = 1\\n```\\nDone."}',
    '{"code": "```bash\\nls\\n```\\n```python\\nx = 1\\n```"}',
    '{"name": "IPythonInterpreter", "arguments": "{\\"code\\": \\"x = 1\\"}"}',
    'df.head()\n\nThen:\n```\nx = 1\n```',
    'import pandas as pd\n\nand now:\n```\nx = 1\n```',
]
"""Inputs with the code `x = 1`."""


@pytest.mark.parametrize(
    ('reply', 'code'),
    [
        (call('x = 1').replace('\n', '\r\n'), 'x = 1'),
        (call('x = 1', after='\nResponse: 5\nThought: done\nFinal Answer: 5'), 'x = 1'),
        (call('x = 1\ny = 2').replace('\n', '\r\n'), 'x = 1\ny = 2'),
        (call('x = 1') + '\n' + call('y = 2'), 'x = 1'),
        (call('x = 1', after='\nFinal Answer: 1'), 'x = 1'),
        (call('x = 1').replace('Action', '- Action'), 'x = 1'),
        (call('x = 1').replace('Action Input', 'Action input'), 'x = 1'),
        (call('x = 1').replace('Action: ', '**Action:**\n'), 'x = 1'),
        (call('x = 1').replace('IPythonInterpreter', 'Use IPythonInterpreter()'), 'x = 1'),
        (call('pip install x').replace('```python', '```bash') + '\n```python\nx = 1\n```', 'x = 1'),
        *((f'Action: IPythonInterpreter\nAction Input: {given}', 'x = 1') for given in DRESSED),
        (call('x = 1') + '\nOut:\n```\n1\n```\n```python\ny = 2\n```', 'x = 1'),
        ('reasoning\n</think>\n' + call('x = 1'), 'x = 1'),
        ('reasoning\nAction: no\n</think>' + call('x = "</think>"'), 'x = "</think>"'),
        ('```\n' + call('x = 1') + '\n```', 'x = 1'),
        ('```\nThought: t\nAction: IPythonInterpreter\nAction Input: x = 1\n```', 'x = 1'),
        ('Response: 5\n' + call('x = 1'), 'x = 1'),
        ('Final Answer: 5\n' + call('x = 1'), 'x = 1'),
        ('Thought: see\n```python\ny = 2\n```\n' + call('x = 1', before=''), 'x = 1'),
        ('Action: IPythonInterpreter\nActionInput: ```x = 1```', 'x = 1'),
        ('Action: IPythonInterpreter\nAction_Input: `x = 1`', 'x = 1'),
        ('Action: IPythonInterpreter\nAction Input:\n```json\n{"code": "x = 1"}\n```', 'x = 1'),
        ('Action: IPythonInterpreter\nAction Input: {"code": "```python\\nx = 1\\n```"}', 'x = 1'),
        ('Action: IPythonInterpreter\nAction Input: {"code": "\n```py\nx = 1\n```\n"}', 'x = 1'),
        ('Action: IPythonInterpreter\nAction Input:\n1. Run:\n   ```python\n   x = 1\n   ```', 'x = 1'),
        ('Action: IPythonInterpreter\nAction Input:\n~~~python\nx = 1\n~~~', 'x = 1'),
        (call('s = """\n```python\nx\n```\n"""'), 's = """\n```python\nx\n```\n"""'),
        (call('s = """never closed'), 's = """never closed'),
        (call('# it isn\'t """closed'), '# it isn\'t """closed'),
        ('<think>Action: no\n```</think>' + call('x = 1'), 'x = 1'),
        ('Thought：看\nAction：IPythonInterpreter\nAction Input：\n```python\nx = 1\n```', 'x = 1'),
        ('1、Thought：看\n2、Action：使用IPythonInterpreter工具\n3、Action Input：x = 1', 'x = 1'),
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
        ('Thought: add. Action: IPythonInterpreter\nAction Input: x = 1', 'x = 1'),
        ('Thought: add. **Action:** IPythonInterpreter\n\n**Action Input:** x = 1', 'x = 1'),
        ('Thought: add. Action: IPythonInterpreter Action Input: ```python\nx = 1\n```', 'x = 1'),
        ('Action: IPythonInterpreter Action Input: x = 1', 'x = 1'),
        ('Thought：加。Action：IPythonInterpreter\nAction Input：x = 1', 'x = 1'),
        ('Thought: the Action: plot\nAction: IPythonInterpreter\nAction Input: x = 1', 'x = 1'),
        (
            'Action: IPythonInterpreter\nAction Input: x = 1  # Action: a Action Input: b',
            'x = 1  # Action: a Action Input: b',
        ),
        ('Action: IPythonInterpreter\nAction Input:\n# Final answer: see\nx = 1', '# Final answer: see\nx = 1'),
        ('# Action: IPythonInterpreter\n# Action Input: x = 1\n# Final Answer: 1', 'x = 1'),
        ('# Thought: t\n# Action: IPythonInterpreter Action Input: x = 1\n# Observation:\nx is 1', 'x = 1'),
        ('> # Action: IPythonInterpreter\n> # Action Input: x = 1\n> # Final Answer: 1', 'x = 1'),
        ('Action: IPythonInterpreter\nAction Input: x = 1\n## Final Answer: 1', 'x = 1'),
        ('Action : IPythonInterpreter\nAction Input : x = 1', 'x = 1'),
        ('**Action** : IPythonInterpreter\n**Action Input** : x = 1', 'x = 1'),
        ('1) Thought: t\n2) Action: IPythonInterpreter\n3) Action Input: x = 1', 'x = 1'),
        ('\ufeffAction: IPythonInterpreter\nAction Input: x = 1', 'x = 1'),
        ('Final Answer: 5\nThought: x\nQuestion: y\nAction: IPythonInterpreter\nAction Input: x = 1', 'x = 1'),
        ('Thought: t\nObservation: it has gaps\nAction: IPythonInterpreter\nAction Input: x = 1', 'x = 1'),
        ('Thought: t\nResponse: I look.\nThought: u\n' + call('x = 1', before=''), 'x = 1'),
        ('Thought: see\n```python\ns = """\nAction: no Action Input: y\n"""\n' + call('x = 1', before=''), 'x = 1'),
        ('Thought: see\n```python\ny = 2\n' + call('x = 1', before=''), 'x = 1'),
        *((UNCLOSED + f'x = 1{behind}', 'x = 1\n') for behind in ('\nObservation: 1\nThought: t', '\nFinal Answer: 1')),
        (UNCLOSED + f'x = 1\nThought: next\n{call("y = 2", before="")}', 'x = 1\n'),
        (UNCLOSED + 's = """\nResponse: 1\n"""\n# Thought: t', 's = """\nResponse: 1\n"""\n# Thought: t'),
        *((f'Action: IPythonInterpreter\nAction Input: {code}', code) for code in FENCES_IN_STRINGS),
        *((UNCLOSED + code, code) for code in COMMENTED),
        (f'# Thought: t\n# Action: IPythonInterpreter\n# Action Input:\n```python\n{COMMENTED[0]}', COMMENTED[0]),
        *(
            (f'Action: IPythonInterpreter\nAction Input: {before}\n```\n{code}\n```', code)
            for before, code in [
                ('import x', 'print(x.y)'),
                ('import x\n\nnow:', 'x.y()'),
                ('import x', 'for x in y\n  z'),
                ('x = 1\n\nThen:', 'print(x)'),
            ]
        ),
        ('Action: IPythonInterpreter\nAction Input: ```json\n{"input": 3, "b": 4}\n```', '{"input": 3, "b": 4}'),
        ('Action: IPythonInterpreter\nAction Input: y = 1\n```\nx = ("%s"\n% 1)\n```', 'x = ("%s"\n% 1)'),
        ('Action: IPythonInterpreter\nAction Input: y = 1\n\nBetter:\n```python\nx = 1\n```', 'x = 1'),
        ('Action: IPythonInterpreter\nAction Input: y = 1\n~~~python\nx = 1', 'x = 1'),
    ],
)
def test_forms_that_are_understood(reply, code):
    action = PROTOCOL.parse(Reply(text=reply)).action
    assert (action.tool, action.code, action.problem) == (INTERPRETER, code, '')


@pytest.mark.parametrize(
    ('reply', 'thought'),
    [
        ('Action: IPythonInterpreter\nAction Input: x = 1\nThought: later', ''),
        ('I look.\nAction: IPythonInterpreter\nAction Input: x = 1', 'I look.'),
        ('Thought: t\nResponse: u\nAction: IPythonInterpreter\nAction Input: x = 1', 't\nResponse: u'),
    ],
)
def test_the_thought_is_what_is_said_before_a_call(reply, thought):
    action = PROTOCOL.parse(Reply(text=reply)).action
    assert (action.code, action.thought) == ('x = 1', thought)


@pytest.mark.parametrize(
    ('reply', 'tool', 'problem'),
    [
        ('', None, 'No tool was called'),
        ('Thought: compute\n```python\nprint(df.mean())\n# Final Answer: the mean', None, 'No tool was called'),
        ('Thought: load\n```python\n# Action: load the data\nx = 1', None, 'No tool was called'),
        ('Thought: t\nObservation: 5\nAction: None\nFinal Answer: 5', None, 'No tool was called'),
        ('```python\nprint(1)\n```', None, 'No tool was called'),
        (' <think>Action: IPythonInterpreter\nAction Input: x', None, 'No tool was called'),
        ('Thought: t\nResponse: 5\nFinal Answer: 5', None, 'No tool was called'),
        ('Action Input:\n```python\nx = 1\n```', None, 'No tool was called'),
        ('Action: IPythonInterpreter\n```python\nx = 1\n```', INTERPRETER, 'is empty'),
        ('Thought: t\nResponse: 5\nFinal Answer: 5\n' + call('x = 1'), None, 'No tool was called'),
        ('Action: Search\nAction Input: x', 'Search', "no tool named 'Search'"),
        ('Action: None\nAction Input: none', 'None', "no tool named 'None'"),
        ('Action: 不使用IPythonInterpreter\nAction Input: 无', '不使用IPythonInterpreter', 'no tool named'),
        ('Action: IPythonInterpreter', INTERPRETER, 'is empty'),
        ('Thought: no Action: IPythonInterpreter', None, 'No tool was called'),
        ('Thought: no Action: IPythonInterpreter\nit was', None, 'No tool was called'),
        ('Action: IPythonInterpreter\nAction Input:\n```python\n```', INTERPRETER, 'is empty'),
        ('Action: IPythonInterpreter\nThought: x\nAction Input: y', INTERPRETER, 'is empty'),
    ],
)
def test_replies_that_run_nothing_say_why(reply, tool, problem):
    action = PROTOCOL.parse(Reply(text=reply)).action
    assert action.code is None
    assert action.tool == tool
    assert not action.final
    assert problem in action.problem


def test_final_answer_without_action_ends_the_step():
    action = PROTOCOL.parse(Reply(text='Thought: known\nFinal Answer: 42')).action
    assert (action.final, action.argument, action.code, action.problem) == (True, '42', None, '')


@pytest.mark.parametrize('name', ['None', 'n/a', 'Finish', '无', '不需要工具。'])
def test_an_action_called_none_is_no_action_before_a_final_answer(name):
    action = PROTOCOL.parse(Reply(text=f'Action: {name}\nAction Input: none needed\nFinal Answer: 42')).action
    assert (action.final, action.argument) == (True, '42')


@pytest.mark.parametrize(
    'said',
    [
        '**Question:** How much?\n**Answer:** $18',
        'The columns are\n* Question: the text\n* Score: 7',
        'The form is\n```\nQuestion: 1\n```\nand the mean is 5.',
        'the table is\n```\nAction: buy  3\nAction Input: x',
        '```markdown\nThe plan\nAction: sell',
        '```\n3 rows\nObservation: 5 rows were dropped',
    ],
)
def test_labels_in_a_block_and_a_question_in_a_final_answer_are_not_made_up(said):
    assert PROTOCOL.parse(Reply(text=f'Final Answer: {said}')).action.argument == said


@pytest.mark.parametrize('question', ['### Question: y', 'Question：y'])
def test_marks_of_a_question_that_is_made_up(question):
    assert PROTOCOL.parse(Reply(text=f'Final Answer: 5\n\n{question}')).action.argument == '5'


@pytest.mark.parametrize('made_up', ['', '\nThought: add\nAction: IPythonInterpreter\nAction Input: x = 1'])
def test_a_question_that_is_made_up_after_a_final_answer_ends_the_reply(made_up):
    parsed = PROTOCOL.parse(Reply(text=f'Final Answer: $18\n\n**Question:** Tom has 5 apples. How many?{made_up}'))
    assert (parsed.action.final, parsed.action.argument) == (True, '$18')
    assert '5 apples' not in parsed.kept['content']


@pytest.mark.parametrize(
    ('given', 'runs'),
    [
        ('x = 1\nThought: next', True),
        ('x = 1\n\nOutput:\n```\n1\n```\nSo', True),
        ('import x\n```\nprint(x', False),
        ('s = """\n```\nx\n```\n"""', False),
        ('```python\nx = 1\nThought: y', False),
        *((f'```python\n{code}\nplot(x', False) for code in COMMENTED),
    ],
)
def test_code_has_an_end_where_another_part_begins(given, runs):
    text = f'Action: IPythonInterpreter\nAction Input: {given}'
    assert (PROTOCOL.parse(Reply(text=text, finish_reason='length')).action.code is not None) == runs


def test_labels_can_be_configured():
    labels = {'thought': '思考', 'action': '动作', 'action_input': '动作输入', 'response': '结果', 'final': '答案'}
    protocol = ReAct(prompt={'labels': labels, 'tool': 'run-python'})
    step = Step(index=0, question='q', code='x = 1', thought='想', kind='exec')
    assert protocol.parse(protocol.gold(step)).action.code == 'x = 1'
    assert protocol.stop == ['\n结果:', '\n结果：']


def test_opening_in_the_language_of_the_experiment():
    english, chinese = PROTOCOL.opening('en'), PROTOCOL.opening('cn')
    assert [m['role'] for m in english] == ['system', 'user', 'assistant', 'user']
    assert 'Rules' in english[0]['content']
    assert '要求' in chinese[0]['content']
    assert ReAct(prompt_language='en').opening('cn') == english
    assert len(ReAct(example=False).opening('en')) == 1
    assert PROTOCOL.parse(Reply(text=english[2]['content'])).action.code.startswith('import pandas')


@given(st.text(max_size=99), st.integers(30, 99))
def test_a_long_output_keeps_head_and_tail(text, limit):
    def shown(limit, text):
        done = Execution(status='ok', outputs=[Output(type='execute_result', text=text)])
        return ReAct(observation_limit=limit).observe(Action(), done, 'en')

    short, whole = (shown(most, text + 99 * '.' + text) for most in (limit, 999))
    assert short != whole and (short[: limit // 2], short[-9:]) == (whole[: limit // 2], whole[-9:])
    assert shown(limit, '') == shown(999, '')


@pytest.mark.parametrize(
    ('text', 'runs'),
    [(call('x = 1'), True), (call('x = 1').removesuffix('```'), False), (call('x = 1').replace('```', ''), False)],
)
@pytest.mark.parametrize('reason', ['length', 'content_filter'])
def test_code_that_was_cut_does_not_run(text, runs, reason):
    action = PROTOCOL.parse(Reply(text=text, finish_reason=reason)).action
    assert (action.tool, action.code is not None) == (INTERPRETER, runs)
    assert runs or 'cut' in action.problem
    assert PROTOCOL.parse(Reply(text=text)).action.code.strip() == ('x = 1' if '```' in text else 'python\nx = 1')


def test_an_object_that_was_cut_does_not_run():
    cut = Reply(text='Action: IPythonInterpreter\nAction Input: {"code": "x = {1}', finish_reason='length')
    assert 'cut' in PROTOCOL.parse(cut).action.problem


INVENTED = [
    '\nResponse: 42',
    '\nOutput:\n```\n42\n```',
    '\nThought: 42\nFinal Answer: 42',
    '\n' + call('42'),
    '\n\nIt is 42.',
]


@pytest.mark.parametrize('invented', INVENTED)
def test_what_a_model_invents_behind_its_call_is_not_in_the_conversation(invented):
    reply = Reply(text='<think>42</think>\n' + call('x = 1', after=invented))
    done = Execution(status='ok', outputs=[Output(type='stdout', text='1')])
    said, shown = PROTOCOL.exchange(PROTOCOL.parse(reply), [done], 'en')
    assert said == {'role': 'assistant', 'content': call('x = 1')}
    assert shown == {'role': 'user', 'content': 'Response: stdout:\n\n```\n1\n```'}


@pytest.mark.parametrize(
    ('text', 'kept'),
    [('I cannot', 'I cannot'), ('Final Answer: 4\nResponse: 5', 'Final Answer: 4'), ('<think>no', '…')],
)
def test_other_replies_stand_in_the_conversation_up_to_the_cut(text, kept):
    parsed = PROTOCOL.parse(Reply(text=text))
    answer = [] if parsed.action.final else [f'Response: {parsed.action.problem}']
    assert [message['content'] for message in PROTOCOL.exchange(parsed, [None], 'en')] == [kept, *answer]


def test_prompt_of_the_paper_is_upstreams_to_the_letter():
    (opening,) = ReAct(prompt='paper', prompt_language='en').opening('cn')
    assert opening['role'] == 'user'
    digest = hashlib.sha256(opening['content'].encode()).hexdigest()
    assert digest == '1de9100059249453af09e06bb6ddc8d8797fc723e80457cb2d17b811630e4167'
    assert '开始' in ReAct(prompt='paper').opening('cn')[0]['content']


PAPER = """
import pathlib, sys
from cibench_eval.agents import ReAct
from cibench_eval.schema import CibenchError

sys.path.insert(0, 'other')
for text in (None, ''):
    if text is not None:
        pathlib.Path('other/lagent/agents/react.py').write_text(text)
    try:
        ReAct(prompt='paper').opening('en')
    except CibenchError as error:
        print(error)
sys.path.pop(0)
print(len(ReAct(prompt='paper').opening('en')), *sys.modules)
"""


def test_prompt_of_the_paper_is_had_without_models_or_it_is_said_what_lacks(tmp_path):
    """Beside a lagent without the file, and one without the prompt in it."""
    (tmp_path / 'other/lagent/agents').mkdir(parents=True)
    (tmp_path / 'other/lagent/__init__.py').touch()
    done = subprocess.run([sys.executable, '-c', PAPER], capture_output=True, text=True, check=True, cwd=tmp_path)
    absent, other, had = done.stdout.splitlines()
    assert absent.startswith('lagent.agents.react: not installed, and a published prompt stands in it; install')
    assert 'react.py: has no CALL_PROTOCOL_CN, which is a published prompt; install' in other
    assert had.startswith('1 ') and 'opencompass.models' not in had.split()


def test_layout_of_the_paper():
    paper = ReAct(prompt='paper', observation_limit=20)
    reply = paper.gold(Step(index=0, question='q', code='x = 1', thought='think', kind='exec'))
    assert reply.text == 'Thought: think\nAction: IPythonInterpreter\nAction Input:```python\nx = 1\n```\n'
    action = paper.parse(reply).action
    assert action.code == 'x = 1'
    assert paper.observe(action, Execution(status='ok'), 'en') == 'Response:The code is succeed without any outputs.\n'
    failed = Execution(status='error', error=ExecutionError(name='E', value='v', traceback='long enough'))
    assert paper.observe(action, failed, 'en') == "Response:'error:\\n......ugh\\n```'\n"
    wrong = {
        'I think.': 'Please follow the format',
        'Action: Search\nAction Input: x': 'The action is invalid, please check the action name.',
        'Action: IPythonInterpreter\nAction Input:': 'The input code is empty. Please follow the format.',
    }
    for text, said in wrong.items():
        assert paper.observe(paper.parse(Reply(text=text)).action, None, 'en') == f'Response:{said}\n'
