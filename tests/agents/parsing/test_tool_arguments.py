"""The code in the arguments of a function call, well-formed and not."""

import json

import pytest

from cibench_eval.agents import ToolCalls
from cibench_eval.agents.parsing.tool_arguments import read_arguments
from cibench_eval.schema import INTERPRETER, Reply, ToolCall

CODE = 'df = x.agg({"a": "mean", "b": "sum"})\nprint(f"{df}, {df}", ", ".join(["a", "b"]))'


@pytest.mark.parametrize(
    'arguments',
    [
        json.dumps({'code': CODE}),
        json.dumps({'code': CODE}, indent=1),
        json.dumps({'code': CODE}).replace('\\n', '\n'),
        json.dumps(json.dumps({'command': CODE})),
        json.dumps(CODE),
        CODE,
        f'```python\n{CODE}\n```',
    ],
)
def test_what_needs_no_repair(arguments):
    found = read_arguments(arguments)
    assert (found.code, found.repaired) == (CODE, False)


@pytest.mark.parametrize(
    'arguments',
    [
        '{"code": "' + CODE.replace('\n', '\\n') + '"}',  # quotes are not escaped
        '{"code": "' + CODE + '"}',  # nor are line feeds
        repr({'code': CODE}),
        json.dumps({'code': CODE})[:-1],
        json.dumps({'code': CODE})[:-1] + ',}',
        json.dumps({'code': CODE}).replace('"code"', 'code', 1),
        json.dumps({'code': CODE}) + '}',
        json.dumps({'code': CODE, 'timeout': 5})[:-1] + ', "reset": True}',
    ],
)
def test_what_is_repaired_says_so(arguments):
    found = read_arguments(arguments)
    assert (found.code, found.repaired) == (CODE, True)
    said = Reply(text='', tool_calls=[ToolCall(id='a', name=INTERPRETER, arguments=arguments)])
    action = ToolCalls().parse(said).action
    assert (action.code, action.argument, action.repaired) == (CODE, arguments, True)


@pytest.mark.parametrize(
    'arguments',
    [
        '{"code": "x = 1',
        '{"code": "print(1)\\n',
        '{x for x in y}',
        '{x: 1 for x in "ab"}',
        '{',
        '{}}}',
        'print({"code": "x"})',
    ],
)
def test_what_ends_in_the_middle_or_is_code_is_taken_as_it_is(arguments):
    found = read_arguments(arguments)
    assert (found.code, found.repaired) == (arguments, False)


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
    assert read_arguments(arguments).code == arguments
