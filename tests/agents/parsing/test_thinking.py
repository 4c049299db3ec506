"""What a model thinks in the text of its reply: it is never code, and no code behind it is lost."""

import pytest

from cibench_eval.agents import CodeBlock, InternLMReAct, LlamaReAct, QwenReAct, ReAct, ToolCalls
from cibench_eval.schema import INTERPRETER, Reply, Step, ToolCall
from tests.support.hostile_sizes import within
from tests.support.soak import many

PROTOCOLS = [ReAct(), ReAct(prompt='paper'), CodeBlock(), QwenReAct(), InternLMReAct(), LlamaReAct(), ToolCalls()]
GOLD = Step(index=0, question='q', code='x = 1', thought='think', kind='exec')
FENCED = '```python\nx = 1\n```'
MARKS = {
    '<think>': '</think>',
    '<thinking>': '</thinking>',
    '[THINK]': '[/THINK]',
    '<seed:think>': '</seed:think>',
    '<|START_THINKING|>': '<|END_THINKING|>',
    '◁think▷': '◁/think▷',
}
THOUGHT = 'Action: no\n```python\nbad = 2\n'
"""What is not to be run, its fence left open."""
each_protocol = pytest.mark.parametrize('protocol', PROTOCOLS, ids=lambda protocol: protocol.name + protocol.prompt)
PAIRS = [pytest.param(opening, closing, id=opening) for opening, closing in MARKS.items()]


def split_thinking(text):
    reply = ToolCalls().parse(Reply(text=text)).reply
    return reply.reasoning, reply.text


def harmony(thought, text):
    message = '<|channel|>{}<|message|>{}'.format
    return f'{message("analysis", thought)}<|end|><|start|>assistant{message("final", text)}<|return|>'


@pytest.mark.parametrize(('opening', 'closing'), PAIRS)
@each_protocol
def test_code_behind_thinking_runs_whatever_marks_it(protocol, opening, closing):
    gold = protocol.gold(GOLD)
    for text in (
        f'{opening}{THOUGHT}{closing}{gold.text}',
        f'\n {opening}{THOUGHT}{closing}\n\n{opening}more{closing}\n{gold.text}',
        f'First I think.\nAction: no\n{closing}\n{gold.text}',
    ):
        parsed = protocol.parse(gold.model_copy(update={'text': text}))
        assert (parsed.action.code, parsed.action.final) == ('x = 1', False)
        assert 'Action: no' in parsed.reply.reasoning
        assert parsed.kept == protocol.parse(gold).kept


@each_protocol
def test_code_behind_the_channels_of_harmony_runs(protocol):
    gold = protocol.gold(GOLD)
    for text in (
        harmony(THOUGHT, gold.text),
        f'<|start|>assistant{harmony(THOUGHT, gold.text)}',
        harmony(THOUGHT, gold.text).removesuffix('<|return|>'),
        f'analysis{THOUGHT}assistantfinal{gold.text}',
    ):
        parsed = protocol.parse(gold.model_copy(update={'text': text}))
        assert (parsed.action.code, parsed.kept) == ('x = 1', protocol.parse(gold).kept)
        assert parsed.reply.reasoning == THOUGHT.strip()


@pytest.mark.parametrize(('opening', 'closing'), PAIRS)
def test_code_before_thinking_is_not_lost(opening, closing):
    assert split_thinking(f'{FENCED}\n{opening}Did it run?{closing}\nDone.') == ('Did it run?', f'{FENCED}\n\nDone.')
    assert split_thinking(f'{FENCED}\n{opening}Did it ru') == ('Did it ru', f'{FENCED}\n')
    assert split_thinking(f'Thought: {opening}hm{closing}go\n{FENCED}') == ('hm', f'Thought: go\n{FENCED}')


@pytest.mark.parametrize(('opening', 'closing'), PAIRS)
def test_thinking_that_was_cut_runs_nothing(opening, closing):
    for protocol in PROTOCOLS:
        said = Reply(text=f'{opening}I write:\n{protocol.gold(GOLD).text}', finish_reason='length')
        parsed = protocol.parse(said)
        assert (parsed.action.code, parsed.action.final, bool(parsed.action.problem)) == (None, False, True)
        assert parsed.kept['content'] == '…'


@pytest.mark.parametrize(('opening', 'closing'), PAIRS)
@each_protocol
def test_marks_in_code_are_code(protocol, opening, closing):
    code = f's = """\n{opening}\n{closing}\n"""\nprint("{closing}", "{opening}")'
    gold = protocol.gold(GOLD.model_copy(update={'code': code}))
    for text in (gold.text, f'{opening}hm{closing}{gold.text}'):
        assert protocol.parse(gold.model_copy(update={'text': text})).action.code == code


@pytest.mark.parametrize(
    ('text', 'reasoning', 'rest'),
    [
        ('', '', ''),
        (FENCED, '', FENCED),
        (f'Use the <think> tag.\n{FENCED}', '', f'Use the <think> tag.\n{FENCED}'),
        ('<think>\n\n</think>\n\nYes.', '', '\n\nYes.'),
        ('a</think>b</think>c', 'a', 'b</think>c'),
        ('<think>a</think>b</think>c', 'a', 'b</think>c'),
        ('<|channel|>analysis<|message|>never en', 'never en', ''),
        ('<|channel|>', '', '<|channel|>'),
        ('<|channel|>commentary<|message|>I load it.<|end|>' + harmony('hm', 'Yes.'), 'hm', 'I load it.\n\nYes.'),
    ],
)
def test_what_is_thought_and_what_is_said(text, reasoning, rest):
    assert split_thinking(text) == (reasoning, rest)


def test_marks_of_harmony_in_code_are_code():
    code = 'tokens = ["<|end|>", "<|start|>"]\ns = "<|call|>\\n"'
    assert split_thinking(harmony('hm', f'```python\n{code}\n```')) == ('hm', f'```python\n{code}\n```')


@pytest.mark.parametrize('other', ['user', 'functions.IPythonInterpreter to=assistant<|channel|>commentary'])
def test_a_message_of_another_is_made_up(other):
    made_up = f'<|start|>{other}<|message|>5<|end|><|start|>assistant{harmony("so", "Yes.")}'
    assert split_thinking(harmony('hm', FENCED) + made_up) == ('hm', FENCED)
    for reason, cut in (('length', 'stop'), ('content_filter', 'content_filter')):
        said = Reply(text=harmony('hm', 'Yes.') + made_up, finish_reason=reason)
        assert ToolCalls().parse(said).reply.finish_reason == cut
    assert ToolCalls().parse(Reply(text=harmony('hm', 'Yes.'), finish_reason='length')).reply.finish_reason == 'length'


@pytest.mark.parametrize('thought', ['hm', THOUGHT, 'Hm:\n```\nbad = 2'])
def test_a_message_of_another_in_code_is_code(thought):
    code = '```python\nsep = "<|end|><|start|>user<|message|>"\nprint(sep)\n```'
    assert split_thinking(harmony(thought, code)) == (thought.strip(), code)
    assert split_thinking(harmony(thought, f'{code}\nDone.') + '<|start|>user<|message|>5') == (
        thought.strip(),
        f'{code}\nDone.',
    )


def test_a_call_in_the_text_of_harmony_is_a_call_and_no_thought():
    call = '<|channel|>analysis to=python code<|message|>x = 1<|call|>'
    assert split_thinking(f'<|channel|>analysis<|message|>hm<|end|>{call}') == ('hm', call)
    action = ToolCalls().parse(Reply(text=f'<|channel|>analysis<|message|>hm<|end|>{call}')).action
    assert (action.final, action.code) == (False, None)
    assert 'is not run; call the function' in action.problem


def test_thinking_that_the_endpoint_gives_apart_stays_beside_that_in_the_text():
    call = ToolCall(id='a', name=INTERPRETER, arguments='{"code": "x = 1"}')
    said = Reply(text='<think>two</think>Now.', reasoning='one', tool_calls=[call])
    parsed = ToolCalls().parse(said)
    assert (parsed.reply.text, parsed.reply.reasoning, parsed.action.thought) == ('Now.', 'one\n\ntwo', 'Now.')


HARD = [
    *('<think>', '</think>', '<think></think>', '<think>\n```\n</think>', 'x<think>', 'x <think>\n'),
    *('```\n</think>\n', '<think></think>```python\ns = """\n', '<|channel|>', '<|channel|>analysis<|message|>'),
    *('<|start|>assistant', 'analysis', '<|channel|>a<|message|>```\n<|end|><|start|>u\n```\n'),
    '<|channel|>a<|message|>```\n<|end|><|start|>assistant\n```\n<|end|><|start|>u',
    '<|channel|>a<|message|>```\n"""\n<|end|>\n<|start|>u\n',
]


@pytest.mark.parametrize('text', many(HARD, HARD[::4]))
def test_very_many_marks_are_read_at_once(text):
    """A search that is quadratic in one of them takes minutes for it, not milliseconds."""
    within(5, lambda: split_thinking(text * (300_000 // len(text))))
