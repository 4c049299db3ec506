"""The prompt families of Qwen-Agent's benchmark: their format elements, and the relaxed grammar they share."""

import pytest

from cibench_eval.agents import InternLMReAct, LlamaReAct, QwenReAct
from cibench_eval.schema import INTERPRETER, Execution, Reply, Step
from tests.support.sessions import request

FAMILIES = [QwenReAct(), LlamaReAct(), InternLMReAct()]
each_family = pytest.mark.parametrize('family', FAMILIES, ids=lambda family: family.name)


def call(family, code='x = 1'):
    return family.gold(Step(index=0, question='q', code=code, thought='t', kind='exec')).text.partition('\n')[2]


@each_family
@pytest.mark.parametrize('language', ['en', 'cn'])
def test_prompt_names_the_tool_and_every_label(family, language):
    opening = family.opening(language)
    instructions = opening[-1]['content']
    for word in (*dict(family.texts.labels).values(), family.texts.tool):
        assert word in instructions
    assert '{' not in instructions.replace("{'PythonInterpreter': ", '').replace('[{"name": "code"', '')
    roles = [message['role'] for message in request((family.ask('q', language), []), opening=opening)]
    assert roles == (['user'] if family.name == 'llama_react' else ['system', 'user'])


def test_format_elements_of_each_family():
    qwen, llama, internlm = (family.opening('en')[-1]['content'] for family in FAMILIES)
    assert QwenReAct().opening('cn')[0] == {'role': 'system', 'content': 'You are a helpful assistant.'}
    assert 'Parameters: [{"name": "code", "type": "string", "description": "' in qwen
    assert 'Parameters:\n```py\ncode\n```' in llama
    assert "one of ['PythonInterpreter']" in internlm
    assert 'def solution():' in internlm
    for family, observation, question in zip(
        FAMILIES, ['Observation', 'Observation', 'Response'], ['Question: {x}', 'Question: {x}', '{x}'], strict=True
    ):
        assert f'\n{observation}:' in family.stop
        assert family.ask('{x}', 'en') == [{'role': 'user', 'content': question}]
        action = family.parse(Reply(text=call(family))).action
        assert family.observe(action, Execution(status='ok'), 'en').startswith(f'{observation}: ')
        assert family.texts.labels.action_input == (
            'ActionInput' if family.name == 'internlm_react' else 'Action Input'
        )


@each_family
@pytest.mark.parametrize(
    'form',
    [
        'Thought: t\n{call}',
        'I know what to do.\n{call}',  # the question ended with `Thought:`
        'Action: python\nAction Input:\n```\nx = 1\n```',  # whatever the tool is called
        'Action: code_interpreter\nActionInput: x = 1',
        'Action: code_interpreter\n```py\nx = 1\n```',
        'Action Input:\n```py\nx = 1\n```',
        'Action Input: {{"code": "x = 1"}}',
        '~~~python\nx = 1\n~~~',
        'Action:\nIPythonInterpreter\nx = 1',
        '**Action:**\n\n  IPythonInterpreter\n  x = 1',
        '```py\nx = 1\n```',  # the question ended with `Action Input:`
        '\n{{"code": "x = 1"}}',
        '{call}\nObservation: 2\nThought: now\n{other}\nResponse: 2\n{other}',
        '{call}\nThought: I know\nFinal Answer: 2\nFinalAnswer: 2',
    ],
)
def test_calls_that_are_understood(family, form):
    text = form.format(call=call(family), other=call(family, 'y = 2'))
    action = family.parse(Reply(text=text)).action
    assert (action.tool, action.code, action.final) == (INTERPRETER, 'x = 1', False)


@each_family
@pytest.mark.parametrize('label', ['Action', 'Observation', 'Response', 'Thought'])
@pytest.mark.parametrize('before', ['', 'Action: code_interpreter\n'])
def test_comments_in_a_block_without_an_end_are_no_labels(family, label, before):
    code = f'import os\nx = 1\n# {label}: plot it\ny = 2'
    assert family.parse(Reply(text=f'{before}```py\n{code}')).action.code == code
    for cut in (code, code.replace('# ', '')):
        action = family.parse(Reply(text=f'{before}```py\n{cut}', finish_reason='length')).action
        assert (action.code, 'cut' in action.problem) == (None, True)


@each_family
def test_what_stands_behind_a_call_that_names_no_tool(family):
    action = family.parse(Reply(text='Action Input: x = 1\nThought: later')).action
    assert (action.code, action.thought) == ('x = 1', '')
    said = f'```python\nx = 1\n```\n{family.texts.labels.final}: 5'
    assert family.parse(Reply(text=said)).action.argument == '5'


@each_family
def test_replies_that_run_nothing(family):
    answer = family.parse(Reply(text=f'easy\n{family.texts.labels.final}: 42')).action
    assert (answer.final, answer.argument, answer.code) == (True, '42', None)
    for text in ('', 'no idea', f'Action: {family.texts.tool}', 'x = 1'):
        action = family.parse(Reply(text=text)).action
        assert (action.code, action.final, bool(action.problem)) == (None, False, True)


@each_family
def test_an_action_without_an_input_is_no_call(family):
    action = family.parse(Reply(text='Thought: She earns $18.\nAction: None')).action
    assert (action.tool, action.argument) == (None, 'Thought: She earns $18.\nAction: None')
    assert family.parse(Reply(text=f'Action: python\n{family.texts.labels.final}: 18')).action.argument == '18'


def test_a_solution_is_called_once():
    internlm = InternLMReAct()
    code = 'def solution():\n    return 1'
    assert internlm.parse(Reply(text=call(internlm, code))).action.code == f'{code}\nsolution()'
    for called in (
        f'{code}\nprint("It is", solution())',
        f'{code}\nsolution()',
        f'{code}\nx = solution()\nprint(2 * x)',
        'def other():\n    return 1',
    ):
        assert internlm.parse(Reply(text=call(internlm, called))).action.code == called
    for silent in (f'{code}\nx = solution()', f'{code}\n# solution() tells', code.replace('1', '1  # by solution()')):
        assert internlm.parse(Reply(text=call(internlm, silent))).action.code == f'{silent}\nsolution()'
    assert QwenReAct().parse(Reply(text=call(QwenReAct(), code))).action.code == code


def test_a_worked_example_can_be_shown():
    opening = QwenReAct(example=True).opening('en')
    assert [message['role'] for message in request(([], []), opening=opening)] == [
        'system',
        'user',
        'assistant',
        'user',
    ]
    assert QwenReAct().parse(Reply(text=opening[-2]['content'])).action.code.startswith('import pandas')
