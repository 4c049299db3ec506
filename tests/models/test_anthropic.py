"""Anthropic's Messages API, over the wire: a server that takes only what the API takes, and answers as it does."""

import json
from functools import partial

import pytest

from cibench_eval.models import Anthropic
from cibench_eval.models.limits import Price, usage_of
from cibench_eval.schema import HarnessError, StepTrace
from tests.support import asking
from tests.support.asking import CODES, CONVERSATION, session
from tests.support.chat_server import chat_server, http

ask = partial(asking.ask, Anthropic, key='MY_KEY')
REQUIRED = {'model', 'messages', 'max_tokens'}
SETTINGS = {*REQUIRED, 'system', 'tools', 'stop_sequences', 'temperature', 'thinking', 'top_k'}
BLOCKS = {
    'text': {'text'},
    'image': {'source'},
    'thinking': {'thinking', 'signature'},
    'tool_use': {'id', 'name', 'input'},
    'tool_result': {'tool_use_id', 'content'},
}
THOUGHT = {'type': 'thinking', 'thinking': 'Let me see.', 'signature': 'c2lnbmVk'}
USAGE = {'input_tokens': 10, 'cache_read_input_tokens': 90, 'cache_creation_input_tokens': 5, 'output_tokens': 7}


def check_block(block, role):
    assert block.keys() - {'type', 'cache_control'} == BLOCKS[block['type']], block
    if block['type'] == 'text':
        assert block['text'].strip()
    if block['type'] == 'image':
        assert block['source'].keys() == {'type', 'media_type', 'data'} and role == 'user'
        assert (block['source']['type'], block['source']['media_type']) == ('base64', 'image/png')
    if block['type'] in ('thinking', 'tool_use'):
        assert role == 'assistant'
    if block['type'] == 'tool_result':
        assert role == 'user'
        for inner in block['content']:
            check_block(inner, role)


def check(request):
    """What the API demands of a request: fields, turns that alternate, blocks by role, an answer to each call."""
    assert request.keys() <= SETTINGS and request.keys() >= REQUIRED
    for block in request.get('system', []):
        check_block(block, 'system')
    for tool in request.get('tools', []):
        assert tool.keys() == {'name', 'description', 'input_schema'}
    roles = [turn['role'] for turn in request['messages']]
    assert roles == (['user', 'assistant'] * len(roles))[: len(roles)] and roles[-1] == 'user'
    called = []
    for turn in request['messages']:
        assert turn.keys() == {'role', 'content'} and turn['content']
        for block in turn['content']:
            check_block(block, turn['role'])
        answered = [block['tool_use_id'] for block in turn['content'] if block['type'] == 'tool_result']
        assert answered == called
        called = [block['id'] for block in turn['content'] if block['type'] == 'tool_use']


def message(*content, stop='end_turn'):
    return json.dumps(
        {'type': 'message', 'role': 'assistant', 'content': list(content), 'stop_reason': stop, 'usage': USAGE}
    ).encode()


def text(said):
    return {'type': 'text', 'text': said}


def error(kind, said):
    return {'type': 'error', 'error': {'type': kind, 'message': said}}


def test_request_and_reply():
    with chat_server(lambda _: message(THOUGHT, text('forty-'), text('two'))) as server:
        settings = {'thinking': {'type': 'enabled', 'budget_tokens': 1024}, 'max_tokens': 2048}
        reply = ask(server.base_url, CONVERSATION, ['\n', '\nResponse:'], generation_kwargs=settings)
    (request,) = server.requests
    check(request)
    assert {name: request[name] for name in settings} == settings and 'temperature' not in request
    assert (request['stop_sequences'], server.paths) == (['\nResponse:'], ['/v1/messages'])
    assert request['system'] == [{**text('rules'), 'cache_control': {'type': 'ephemeral'}}]
    assert request['messages'][-1]['content'][-1]['cache_control'] == {'type': 'ephemeral'}
    (headers,) = server.headers
    assert (headers['x-api-key'], headers['anthropic-version']) == ('k-secret', '2023-06-01')
    assert (reply.text, reply.reasoning, reply.reasoning_blocks) == ('forty-two', 'Let me see.', [THOUGHT])
    assert (reply.tokens_in, reply.tokens_out, reply.cached_tokens) == (105, 7, 90)


@pytest.mark.soak
@pytest.mark.kernel
def test_a_session_of_calls_with_thinking_and_figures():
    """Signed thinking goes back before its calls; the answers to calls and the next question are one turn."""

    def answer(messages):
        check(server.requests[-1])
        done = sum(block['type'] == 'tool_use' for turn in messages for block in turn['content'])
        call = {'type': 'tool_use', 'id': f'toolu_{done}', 'name': 'IPythonInterpreter', 'input': {'code': CODES[done]}}
        return message(THOUGHT, text('I run it.'), call, stop='tool_use')

    with chat_server(answer) as server:
        trace = session(Anthropic('claude', server.base_url, 'MY_KEY'))
    assert trace.steps[2].attempts[0].execution.stdout == '42\n'
    last = server.requests[-1]['messages']
    assert sum(block == THOUGHT for turn in last for block in turn['content']) == 2
    assert [block['type'] for block in last[-1]['content']] == ['tool_result', 'text', 'image', 'text']
    price = Price(input=10, output=100, cached=1)
    assert usage_of(trace.steps, price).cost == pytest.approx(3 * (15 * 10 + 90 * 1 + 7 * 100) / 1e6)
    assert usage_of([StepTrace(index=0, question='', attempts=[])], price).cost == 0


TOO_LONG = error('invalid_request_error', 'prompt is too long: 209921 tokens > 200000 maximum')


@pytest.mark.parametrize(
    ('answer', 'finish'),
    [
        (lambda: message(text('so'), stop='max_tokens'), 'length'),
        (lambda: message(text('so'), stop='refusal'), 'content_filter'),
        (lambda: message(text('so'), stop='stop_sequence'), 'stop'),
        (lambda: message(text('so'), stop='pause_turn'), 'stop'),
        (lambda: http(400, TOO_LONG), 'context_overflow'),
    ],
)
def test_why_a_reply_ended(answer, finish):
    with chat_server(lambda _: answer()) as server:
        assert ask(server.base_url).finish_reason == finish


@pytest.mark.parametrize(
    ('answer', 'says'),
    [
        (
            lambda: http(401, error('authentication_error', 'invalid x-api-key k-secret')),
            'invalid x-api-key [key]; check the API key in MY_KEY',
        ),
        (lambda: http(529, error('overloaded_error', 'Overloaded')), '2 times: HTTP 529: Overloaded'),
        (lambda: http(429, error('rate_limit_error', 'slow'), Retry_After=0), '2 times: HTTP 429: slow'),
        (lambda: b'{"type": "message"}', '2 times: what it answered is no message (KeyError'),
    ],
)
def test_faults_are_named_and_what_may_pass_is_tried_again(answer, says):
    with chat_server(lambda _: answer()) as server, pytest.raises(HarnessError) as raised:
        ask(server.base_url, retries=1)
    assert says in str(raised.value)
