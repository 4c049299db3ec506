"""Marks of a chat template that a server lets into a reply: the reply ends there, and they are no code."""

from itertools import product

import pytest

from cibench_eval.agents import CodeBlock, ReAct, ToolCalls
from cibench_eval.schema import Reply
from tests.support.hostile_sizes import within
from tests.support.soak import many

MARKS = ['<|im_end|>', '<|eot_id|>', '<|endoftext|>', '<|end|>', '<|user|>', '<end_of_turn>', '</s>']
MARKS += ['<|eom_id|>', '<|eos|>', '<|return|>', '<|observation|>', '<|action_end|>', '<start_of_turn>user']
MARKS += ['<｜end▁of▁sentence｜>', '<|END_OF_TURN_TOKEN|>', '<|im_start|>user']
BEHIND = ['', '\n', '<|endoftext|>', '<|im_start|>user\nAnd now?', ' \n<|im_start|>user\nResponse: 5\n']
BEHIND += ['</s><s>[INST] y', '<|im_end|> \nMore']
BEHIND += ['\n<|im_start|>assistant\n```python\nx = 2\n```']
OPEN = [
    (ReAct(), 'Action: IPythonInterpreter\nAction Input: x = 1'),
    (ReAct(), 'Action: IPythonInterpreter\nAction Input:\n```python\nx = 1'),
    (CodeBlock(), '```python\nx = 1'),
    (CodeBlock(), '```python\nx = 1\n```'),
]


@pytest.mark.parametrize('mark', MARKS)
@pytest.mark.parametrize(('protocol', 'said'), OPEN)
def test_a_reply_ends_at_the_first(protocol, said, mark):
    for behind, finish in product(BEHIND, ('stop', 'length')):  # some models went on to their limit
        parsed = protocol.parse(Reply(text=said + mark + behind, finish_reason=finish))
        assert (parsed.action.code, parsed.action.problem, parsed.kept['content']) == ('x = 1', '', said), behind


def test_a_filter_ends_no_turn():
    said = Reply(text='```python\nx = 1<|im_end|>', finish_reason='content_filter')
    assert 'cut' in CodeBlock().parse(said).action.problem


@pytest.mark.parametrize('code', ['s = """<|im_end|>\n"""', 'print("<|im_end|>")  # </s>', '# <|user|>'])
def test_in_code_they_are_code(code):
    for protocol, text in (
        (CodeBlock(), f'```python\n{code}\n```'),
        (ReAct(), f'Action: IPythonInterpreter\nAction Input:\n```python\n{code}\n```\n<|im_end|>'),
    ):
        assert protocol.parse(Reply(text=text)).action.code == code
    for code in ('x = "</s>"', 'html = """\n<p><s>old</s>\n<s>older</s> <s>oldest</s></p>"""'):
        assert ReAct().parse(Reply(text=f'Action: IPythonInterpreter\nAction Input: {code}')).action.code == code


@pytest.mark.parametrize(
    'text', ['<|im_end|>\n<|im_start|>user\nNow plot it.', '<|user|>\nNow plot it.', '</s>[INST] Now']
)
def test_a_turn_that_ends_at_once_says_nothing(text):
    assert ToolCalls().parse(Reply(text=text, finish_reason='length')).kept['content'] == '…'


def test_html_before_a_block_ends_no_reply():
    assert CodeBlock().parse(Reply(text='I close it with </s>\n```python\nx = 1\n```')).action.code == 'x = 1'


def test_a_message_of_harmony_does_not_end_the_reply():
    text = 'Hm.<|end|><|start|>assistant<|channel|>final<|message|>\n```python\nx = 1\n```'
    assert CodeBlock().parse(Reply(text=text)).action.code == 'x = 1'


def test_they_are_not_in_an_answer():
    assert ToolCalls().parse(Reply(text='It is 42.<|im_end|>')).action.argument == 'It is 42.'


@pytest.mark.parametrize(
    'text', ['<|im_end|>', *many(['```\n<|im_end|>\n```\n', '</s>\t', '<|end'], []), '```python\n</s>\n']
)
def test_very_many_are_read_at_once(text):
    within(5, lambda: CodeBlock().parse(Reply(text=text * (200_000 // len(text)))))
