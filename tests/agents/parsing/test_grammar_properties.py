"""What holds for every protocol and any text: nothing raises, and gold code reads back as it was."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cibench_eval.agents import CodeBlock, InternLMReAct, LlamaReAct, QwenReAct, ReAct, ToolCalls
from cibench_eval.schema import INTERPRETER, Action, CibenchError, Execution, Reply, Step, ToolCall
from tests.support.hostile_sizes import within
from tests.support.sessions import request
from tests.support.soak import many

TEXT = [ReAct(), ReAct(prompt='paper'), CodeBlock(), QwenReAct(), InternLMReAct(), LlamaReAct()]
PROTOCOLS = [*TEXT, ToolCalls()]
FIXED = settings(derandomize=True, deadline=None, max_examples=many(30, 15), database=None)
WORDS = [
    *('```', '````', '```python', '~~~', '`', '"""', "'''", '"', "'", '#', '\\'),
    *('\n', '\n\n', '\r\n', '\r', '  ', '\t'),
    *('Thought:', 'Action:', 'Action：', 'Action Input:', 'ActionInput:', 'Response:', 'Observation:', 'Final Answer:'),
    *('Output of the code:', '代码的输出：', '<think>', '</think>', '<thinking>', '[/THINK]'),
    *('<|channel|>analysis<|message|>', '<|end|>', '<tool_call>'),
    *('{"code": "', '{"code": "x"}', r'{"code": "\ud83d"}', '{', '}'),
    *('IPythonInterpreter', 'code_interpreter', 'x = 1', 'print(x)', 'json', '\x0c', '\u2028', '𝒳', '答案', '\x00'),
]
texts = st.lists(st.sampled_from(WORDS) | st.text(max_size=3), max_size=12).map(''.join)
codes = texts.filter(str.strip)
replies = st.builds(
    Reply,
    text=texts,
    tool_calls=st.lists(
        st.builds(
            ToolCall,
            id=st.sampled_from(['', 'a', 'b']),
            name=st.sampled_from([INTERPRETER, 'functions.IPythonInterpreter', '', 'other one']) | texts,
            arguments=texts | texts.map(lambda text: json.dumps({'code': text})) | texts.map(json.dumps),
        ),
        max_size=3,
    ),
    finish_reason=st.sampled_from(['stop', 'length', 'tool_calls']),
)
each_protocol, each_text = (
    pytest.mark.parametrize('protocol', those, ids=lambda p: p.name + p.prompt) for those in (PROTOCOLS, TEXT)
)


def gold(code):
    return Step(index=3, question='q', code=code, thought='think', kind='exec')


@each_protocol
def test_any_reply_is_read_and_put_into_the_conversation(protocol):
    @FIXED
    @given(reply=replies)
    def holds(reply):
        parsed = protocol.parse(reply)
        action = parsed.action
        assert action.final + bool(action.problem) + (action.code is not None) == 1
        assert action.code is None or action.code.strip()
        assert Action.model_validate_json(action.model_dump_json()) == action
        if action.final:
            assert action.argument.strip() or action.tool is None
        done = [None if one.code is None else Execution(status='ok') for one in parsed.actions]
        place = parsed.counts
        check(protocol.exchange(parsed, done, 'en'), action, protocol.observe(action, done[place], 'en'), place)

    holds()


def check(messages, action, observation, place):
    """One turn of the model, then what answers it: a message a call, or one of the user."""
    said, *shown = messages
    assert said['role'] == 'assistant'
    calls = said.get('tool_calls', [])
    assert calls or said['content'].strip()
    if calls:
        assert [message['tool_call_id'] for message in shown] == [call['id'] for call in calls]
        assert len({call['id'] for call in calls}) == len(calls)
        assert all(call['id'].strip() and isinstance(json.loads(arguments(call))['code'], str) for call in calls)
        assert shown[place]['content'] == observation
        assert action.code is None or json.loads(arguments(calls[place])) == {'code': action.code}
    else:
        assert [message['role'] for message in shown] == ([] if action.final else ['user'])
    asked = [{'role': 'user', 'content': 'q'}]
    assert request((asked, [messages]))[1:] == messages


def arguments(call):
    return call['function']['arguments']


@each_protocol
def test_gold_reads_back_whatever_the_code(protocol):
    @FIXED
    @given(code=codes)
    def holds(code):
        parsed = protocol.parse(protocol.gold(gold(code)))
        action, again = parsed.action, parsed.kept
        assert (action.code, action.tool, action.thought.removeprefix('Thought: ')) == (code, INTERPRETER, 'think')
        calls = [ToolCall(id=c['id'], name=INTERPRETER, arguments=arguments(c)) for c in again.get('tool_calls', [])]
        if not code.lstrip().startswith(('{', '`', '~')):  # else it might be called for a wrapping of code
            assert protocol.parse(Reply(text=again['content'], tool_calls=calls)).action.code == code

    holds()


@each_text
def test_what_is_thought_before_and_invented_behind_changes_nothing(protocol):
    """A second action may be anything that has no quotation marks: those could close a string of the first."""
    label = getattr(protocol, 'labels', None)
    answer = f'\n{label.response}: 42\n' if label else '\nOutput of the code:\n42\n'

    @FIXED
    @given(code=codes, thinking=texts.filter(lambda text: '</think>' not in text), other=st.integers(0, 9))
    def holds(code, thinking, other):
        reply = protocol.gold(gold(code)).text
        more = reply + answer + protocol.gold(gold(f'other{other}')).text + answer
        parsed = protocol.parse(Reply(text=f'<think>{thinking}</think>{more}'))
        assert (parsed.action.code, parsed.action.final) == (code, False)
        assert (parsed.kept['content'], parsed.reply.reasoning) == (reply.strip(), thinking.strip())

    holds()


@pytest.mark.parametrize(
    ('setting', 'value'),
    [
        *(('prompt_language', 'zh'), ('observation_limit', 0), ('observation_limit', '9')),
        *(('figures', 'show'), ('figure_side', 0), ('max_images', 'all')),
    ],
)
def test_a_wrong_setting_is_refused_before_anything_runs(setting, value):
    with pytest.raises(CibenchError, match=f'agents: {setting} is {value!r}; it must be'):
        ToolCalls(**{setting: value})


@each_text
def test_half_a_character_in_json_can_be_filed(protocol):
    said = Reply(text='Action: IPythonInterpreter\nAction Input:\n```\n{"code": "x = \'\\ud83d\'"}\n```')
    action = protocol.parse(said).action
    assert Action.model_validate_json(action.model_dump_json()) == action
    assert 'x = ' in action.code


HARD = {
    'back-ticks': '`',
    'back-ticks in a line': 'so ' + '`' * 99_000,
    'fences': '```\n',
    'fences with code': '```python\nx = 1\n',
    'blocks': '```python\nx = 1\n```\n',
    'fences in strings': '```python\ns = """\n```\n',
    'fences in both strings': '```\ns = """\n```\n```\ns = \'\'\'\n```\n',
    'quotation marks': '"',
    'runs': '``` ',
    'fences behind colons': ':``` ',
    'fences behind labels': 'Action Input: ```\n',
    'fences behind marks of a list': '- ```python\n',
    'spaces behind a language': '```python' + ' ' * 99_000,
    'words behind a language': '```python ' + 'a ' * 49_000,
    'lines in an unmarked block': '```\n' + '\n' * 99_000 + '```\n',
    'spaces in an unmarked block': '```\n' + ' ' * 99_000 + '\n```\n',
    'spaces behind a name': 'IPythonInterpreter' + ' ' * 99_000,
    'marks of a call': '<tool',
    'labels': 'Thought: x\nAction: y\nAction Input: z\n',
    'answers': 'Final Answer: x\n',
    'observations': 'Thought: x\nObservation: y\n',
    'observations in code': '```python\nx = """\nObservation: y\n',
    'further keys': '{"code": "' + '", "a": ' * 12_000 + '"}',
    'spaces behind a label': 'Action' + ' ' * 99_000,
    'stars behind a label': 'Action' + ' * ' * 33_000,
    'marks before a label': '> ',
    'think': '<think>',
    'behind thinking': '```\n</think>\n',
    'braces': '{',
    'nested': '{"code": ',
    'brackets': '{"code": ' + '[' * 99_000,
    'python': "{'" + '{' * 99_000,
    'broken': '{"code": "' + '"}' * 49_000,
    'backslashes': '{"code": "' + '\\' * 99_001 + '"}',
    'digits': '{"code": ' + '9' * 99_000 + '}',
    'solution': 'def solution()',
    'lines': '\n',
    'cr lf': '\r\n',
    'outputs': 'Output of the code:\n',
}
"""Texts that are made to be hard. A grammar that is quadratic in one of them takes minutes for it, not milliseconds."""


def read_all(text, protocols):
    for protocol in protocols:
        for reply in (text, f'Action: IPythonInterpreter\nAction Input:\n```python\n{text}'):
            protocol.parse(Reply(text=reply))
    call = Reply(text=text, tool_calls=[ToolCall(id='', name=INTERPRETER, arguments=text)])
    ToolCalls().parse(call)
    ToolCalls().parse(Reply(text=text))


@pytest.mark.parametrize('name', many(list(HARD), list(HARD)[::5]))
def test_hard_texts_are_read_at_once(name):
    text = HARD[name]
    within(20, lambda: read_all(text * (50_000 // len(text) or 1), [InternLMReAct(), CodeBlock()]))


@pytest.mark.soak
def test_all_of_them_in_one_text_are_read_at_once():
    text = ''.join(text * (12_000 // len(text) or 1) for text in HARD.values())[:1_000_000]
    within(20, lambda: read_all(text, [InternLMReAct(), CodeBlock()]))
