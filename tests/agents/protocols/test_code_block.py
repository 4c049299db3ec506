"""Code blocks: which of a reply's blocks runs, and when none does."""

import pytest

from cibench_eval.agents import CodeBlock
from cibench_eval.schema import INTERPRETER, Execution, Reply, Step

PROTOCOL = CodeBlock()


def block(code, language='python'):
    return f'```{language}\n{code}\n```'


USERS = ['User:', '### Human:', '**Question**:', 'Observation:', '<|im_start|>user\n', '用户：']
USERS += ['USER:', '<|User|>:', '<｜User｜>', '<s>[INST]', '### Instruction:']
"""How a model begins a turn that it makes up."""


@pytest.mark.parametrize(
    'reply',
    [
        block('x = 1'),
        block('x = 1', ''),
        block('x = 1', 'py'),
        block('x = 1', 'tool_code'),
        block('x = 1', '{python}'),
        block('x = 1', 'Python title="a"'),
        block('x = 1', 'python:main.py'),
        block('x = 1', 'python3.11,linenos'),
        'I load it. ' + block('x = 1') + '\nDone.',
        '1. ' + block('x = 1'),
        '- ' + block('  x = 1').replace('```\n', '  ```\n'),
        '<answer>' + block('x = 1') + '</answer>',
        block('x = 1') + '<|im_end|>',
        block('x = 1') + ' This sets x.\nOK?',
        '```python x = 1\n```',
        '```\n' + block('x = 1') + '\n```',
        block('# Use it', 'markdown').removesuffix('\n```') + '\n' + block('x = 1') + '\n```',
        block('y = 2').removesuffix('```') + block('x = 1'),
        'Draft:\n```python\ny = 2\nNo.\n</think>\n\n' + block('x = 1'),
        f'<thought>{block("y = 2")}</thought>{block("x = 1")}',
        block('x = 1', '') + '\nshows\n' + block('42', ''),
        block('x = 1', '') + '\nshows\n' + block('id  value\n0   42', ''),
        'Output of the code:\n' + block('x = 1'),
        f'First\n{block("y = 2")}\nno, better\n{block("x = 1")}\nDone.',
        f'{block("x = 1")}\nwhich shows\n{block("42", "")}',
        f'{block("pip install x", "bash")}\n{block("x = 1")}\n{block("{}", "json")}',
        f'{block("x = 1")}\nOutput of the code:\n42\n{block("y = 2")}',
        f'{block("x = 1")}\n代码的输出：42\n{block("y = 2")}',
        f'<think>{block("y = 2")}</think>{block("x = 1")}',
        f'<think>{block("y = 2")}\n</think>\nSee: {block("x = 1")}',
        *(f'{block("x = 1")}\n\n{user} Go on.\n\nA:\n{block("y = 2")}' for user in USERS),
        f'User: I need x.\n{block("x = 1")}',
        *('```python x = 1```', 'Run this:\n\n```py x = 1```\n'),
        f'{block("df = 1")}\n* User: the id of the user\n{block("x = 1")}',
        f'Not ```python y = 2```, but\n{block("x = 1")}',
        'Here: ```python\nx = 1\n```',
        '```python\nx = 1',
        '```python\nx = 1```',
        block('x = 1').replace('\n', '\r\n'),
        f'{block("x = 1")}\n```python\n```',
        f'{block("x = 1", "")}\nOutput:\n{block("(10, 2)")}',
        *(f'{block("x = 1")}\nOutput:\n{block(shown)}' for shown in ('# 342 4201.75', '[342, -4.5]', "'a'\n4 # b")),
    ],
)
def test_the_block_that_runs(reply):
    action = PROTOCOL.parse(Reply(text=reply)).action
    assert (action.tool, action.code, action.problem, action.final) == (INTERPRETER, 'x = 1', '', False)


def test_of_over_100_000_characters_in_blocks_none_is_parsed():
    many = '\n'.join([block('x = 1'), *[block('[' + '1, ' * 9_999 + '1]')] * 4, block('42')])
    assert PROTOCOL.parse(Reply(text=many)).action.code == '42'


@pytest.mark.parametrize('shown', ['42', 'id  value\n0   42', "['a', 'b']"])
def test_an_output_that_closing_words_show_does_not_run(shown):
    action = CodeBlock(explore=True).parse(Reply(text=f'The result is\n{block(shown, "")}')).action
    assert (action.code, action.final) == (None, True)


@pytest.mark.parametrize(
    'said',
    [
        'import math\nmath.pi',
        '{"code": "x = 1"}',
        "{'code': 'x = 1'}",
        block('{"code": "x = 1"}', 'json'),
        '<execute>\nx = 1\n</execute>',
        '<code>\nx = 1\n</code>',
        '[PYTHON]\nx = 1\n[/PYTHON]',
    ],
)
def test_code_in_another_form_ends_no_step(said):
    action = CodeBlock(explore=True).parse(Reply(text=said)).action
    assert (action.code, action.final, '```python block' in action.problem) == (None, False, True)


@pytest.mark.parametrize(
    'reply',
    [
        '',
        'It is 42.',
        '<think>' + block('x = 1'),
        block('{"x": 1}', 'json'),
        block('ls', 'bash'),
        block(' \n'),
        'x = 1',
        'A ```python block on one line``` it is.',
        'I did not use ```python df.drop()```, because it loses data.',
    ],
)
def test_without_a_block_nothing_runs_and_nothing_ends(reply):
    action = PROTOCOL.parse(Reply(text=reply)).action
    assert (action.tool, action.code, action.final) == (None, None, False)
    assert '```python block' in PROTOCOL.observe(action, None, 'en')


@pytest.mark.parametrize('reason', ['length', 'content_filter'])
def test_a_block_that_was_cut_does_not_run(reason):
    action = PROTOCOL.parse(Reply(text='```python\nx = 1', finish_reason=reason)).action
    assert (action.tool, action.code) == (None, None)
    assert 'cut' in action.problem and ('filter' in action.problem) == (reason == 'content_filter')
    for rest in ('\nIt', '\nOr:\n```python\ny = 2'):
        reply = Reply(text=block('x = 1') + rest, finish_reason=reason)
        parsed = PROTOCOL.parse(reply)
        assert (parsed.action.code, parsed.kept['content']) == ('x = 1', block('x = 1'))


def test_what_is_invented_behind_the_block_is_not_in_the_conversation():
    text = f'I do it.\n{block("x = 1")}'
    for invented in ('\nOutput of the code:\n42', '\n' + block('42', ''), '\nIt is 42.'):
        reply = Reply(text=f'<think>hm</think>{text}{invented}')
        parsed = PROTOCOL.parse(reply)
        assert parsed.action.thought == 'I do it.'
        said, shown = PROTOCOL.exchange(parsed, [Execution(status='ok')], 'en')
        assert said == {'role': 'assistant', 'content': text}
        assert shown == {'role': 'user', 'content': 'Output of the code:\nThe code ran and showed nothing.'}


def test_gold_and_example_are_of_the_form_that_is_asked_for():
    step = Step(index=0, question='q', code='s = """\n```\n"""', thought='', kind='exec')
    assert PROTOCOL.gold(step).text == '````python\ns = """\n```\n"""\n````'
    _, _, answer, output = opening = PROTOCOL.opening('en')
    assert [message['role'] for message in opening] == ['system', 'user', 'assistant', 'user']
    assert PROTOCOL.parse(Reply(text=answer['content'])).action.code.startswith('import pandas')
    assert output['content'].startswith('Output of the code:\n')
    assert '代码' in PROTOCOL.opening('cn')[0]['content']
    assert len(CodeBlock(example=False).opening('en')) == 1
    assert len(PROTOCOL.stop) <= 4  # no API takes more
    action = PROTOCOL.parse(Reply(text=block('x = 1'))).action
    assert PROTOCOL.observe(action, Execution(status='ok'), 'cn') == '代码的输出:\n代码运行成功，没有输出。'
