"""Streamed replies, over the wire: the same reply as whole ones, and when the first token came."""

import json
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cibench_eval.models import OpenAICompatible
from tests.support import asking
from tests.support.chat_server import chat_server, completion, http

ask = partial(asking.ask, OpenAICompatible, stream=True)
USAGE = {'prompt_tokens': 7, 'completion_tokens': 5, 'completion_tokens_details': {'reasoning_tokens': 2}}


def chunk(finish=None, **delta):
    choice = {'index': 0, 'delta': delta, 'finish_reason': finish}
    return json.dumps({'object': 'chat.completion.chunk', 'choices': [choice]})


def events(*data, end='[DONE]', line='\n'):
    return ''.join(f'data: {one}{line}{line}' for one in [*data, *([end] if end else [])]).encode()


def streamed(*data, **options):
    return http(200, events(*data, **options), Content_Type='text/event-stream; charset=utf-8')


SAID = [
    chunk(role='assistant', content=''),
    chunk(reasoning_content='Let '),
    chunk(reasoning_content='me see.'),
    chunk(content='for'),
    chunk(content='ty-two'),
    chunk('stop'),
    json.dumps({'choices': [], 'usage': USAGE}),
]


@pytest.mark.parametrize('line', ['\n', '\r\n'])
def test_a_streamed_reply_is_the_whole_one(line):
    with chat_server(lambda _: streamed(*SAID, line=line)) as server:
        reply = ask(server.base_url)
    assert (reply.text, reply.reasoning, reply.finish_reason) == ('forty-two', 'Let me see.', 'stop')
    assert (reply.tokens_in, reply.tokens_out, reply.reasoning_tokens) == (7, 5, 2)
    assert 0 < reply.first_token < reply.seconds
    (request,) = server.requests
    assert (request['stream'], request['stream_options']) == (True, {'include_usage': True})


def test_calls_come_in_pieces():
    pieces = [
        chunk(tool_calls=[{'index': 0, 'id': 'a', 'function': {'name': 'IPythonInterpreter', 'arguments': ''}}]),
        chunk(tool_calls=[{'index': 0, 'function': {'arguments': '{"code": '}}]),
        chunk(tool_calls=[{'index': 0, 'function': {'arguments': '"1"}'}}]),
        chunk(tool_calls=[{'index': 1, 'id': 'b', 'function': {'name': 'other', 'arguments': '{}'}}]),
        chunk('tool_calls'),
    ]
    with chat_server(lambda _: streamed(*pieces)) as server:
        reply = ask(server.base_url)
    assert [(call.id, call.name, call.arguments) for call in reply.tool_calls] == [
        ('a', 'IPythonInterpreter', '{"code": "1"}'),
        ('b', 'other', '{}'),
    ]
    assert reply.finish_reason == 'tool_calls'


def test_a_call_in_the_field_of_2023_comes_in_pieces():
    functions = [{'name': 'python', 'arguments': ''}, {'arguments': '{"code": '}, {'arguments': '"1"}'}]
    pieces = [chunk(function_call=function) for function in functions]
    with chat_server(lambda _: streamed(*pieces, chunk('function_call'))) as server:
        (call,) = ask(server.base_url).tool_calls
    assert (call.name, call.arguments) == ('python', '{"code": "1"}')
    nothing = [chunk(content='5', function_call=none) for none in (None, {'name': '', 'arguments': ''}, 'none')]
    with chat_server(lambda _: streamed(*nothing, chunk('stop'))) as server:
        assert ask(server.base_url).tool_calls == []


def piece(arguments, **fields):
    name = {'name': fields.pop('name')} if 'name' in fields else {}
    return {**fields, 'function': {**name, 'arguments': arguments}}


@pytest.mark.parametrize(
    'pieces',
    [
        # All have the same index (github.com/ollama/ollama/issues/15457), in chunks of their own or in one.
        [[piece('{"n": 1}', index=0, id='a', name='f')], [piece('{"n": 2}', index=0, id='b', name='f')]],
        [[piece('{"n": 1}', index=0, id='a', name='f'), piece('{"n": 2}', index=0, id='b', name='f')]],
        [
            *([piece('{"n"', index=0, id='a', name='f')], [piece(': 1}', index=0, id='a')]),
            *([piece('{"n"', index=0, id='b', name='f')], [piece(': 2}', index=0)]),
        ],
        # They are counted from 1, behind a text (github.com/router-for-me/CLIProxyAPI/issues/5229).
        [
            *([piece('{"n"', index=1, id='a', name='f')], [piece('{"n"', index=2, id='b', name='f')]),
            *([piece(': 1}', index=1)], [piece(': 2}', index=2)]),
        ],
        # They have no index (github.com/oracle/langchain-oracle/issues/253), or arguments that are an object
        # (github.com/zai-org/GLM-4.5/issues/17).
        [*([piece('', id='a', name='f')], [piece('{"n": 1}')], [piece('', id='b', name='f')]), [piece('{"n": 2}')]],
        [[piece({'n': 1}, index=-1, id='a', name='f')], [piece({'n': 2}, index=-1, id='b', name='f')]],
        [[piece('{"n": 1}', name='f'), piece('{"n": 2}', name='f')]],
    ],
)
def test_calls_that_are_counted_in_other_ways(pieces):
    chunks = [chunk(tool_calls=some) for some in pieces]
    with chat_server(lambda _: streamed(*chunks, chunk('tool_calls'))) as server:
        calls = ask(server.base_url).tool_calls
    assert [(call.name, json.loads(call.arguments)) for call in calls] == [('f', {'n': 1}), ('f', {'n': 2})]


def test_a_whole_reply_where_a_piece_should_be():
    whole = json.dumps({'choices': [{'message': {'content': 'forty-two'}, 'finish_reason': 'stop'}]})
    with chat_server(lambda _: streamed('', chunk(content='forty'), whole, end='[DONE] ')) as server:
        assert ask(server.base_url).text == 'forty-two'


@pytest.mark.parametrize('headers', [{}, {'Content_Type': 'text/plain'}, {'Content_Type': 'Text/Event-Stream'}])
def test_a_stream_that_is_not_named_as_one(headers):
    with chat_server(lambda _: http(200, events(*SAID), **headers)) as server:
        assert ask(server.base_url).text == 'forty-two'


def test_an_endpoint_that_does_not_stream_or_does_not_count():
    with chat_server(lambda _: 'whole') as server:
        reply = ask(server.base_url)
    assert (reply.text, reply.first_token) == ('whole', None)

    def refuses(_):
        if 'stream_options' in server.requests[-1]:
            error = {'message': "Unsupported parameter: 'stream_options'", 'code': 'unsupported_parameter'}
            return http(400, {'error': {**error, 'param': 'stream_options'}})
        return streamed(*SAID)

    with chat_server(refuses) as server:
        assert ask(server.base_url).text == 'forty-two'
    assert [sorted(request) for request in server.requests][1:] == [['messages', 'model', 'stream', 'temperature']]


def replies(answers):
    """The reply to each answer, or an error."""
    left = iter(answers)
    with chat_server(lambda _: next(left)) as server:
        conversations = [asking.HELLO] * len(answers)
        return asking.replies_and_faults(OpenAICompatible, server.base_url, conversations, stream=True, retries=0)


CUTS = st.tuples(st.text(max_size=40), st.lists(st.integers(0, 40), max_size=6))
LINES = [b'data: ', b'{"choices":[{"delta":', b'{"tool_calls":[{}]}', b'}]}', b'\n\n', b'null', b'[DONE]', b'1']
LINES += [b'"function":', b'"content":']
BODIES = st.binary(max_size=200) | st.lists(st.sampled_from(LINES)).map(b''.join)


@settings(max_examples=3)
@given(st.lists(CUTS, min_size=20, max_size=20))
def test_it_does_not_matter_how_a_text_is_cut(texts):
    answers = []
    for drawn, cuts in texts:
        text = drawn.encode('utf-16', 'surrogatepass').decode('utf-16', 'replace')
        places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
        pieces = [chunk(content=text[start:end]) for start, end in zip(places, [*places[1:], None], strict=False)]
        answers += [streamed(*pieces, chunk('stop')), json.dumps(completion(text)).encode()]
    texts = [reply.text for reply in replies(answers)]
    assert texts[::2] == texts[1::2]


@settings(max_examples=3)
@given(st.lists(BODIES, min_size=20, max_size=20))
def test_any_stream_is_read_or_refused(bodies):
    answers = [http(200, body, Content_Type='text/event-stream', Content_Length=len(body)) for body in bodies]
    assert len(replies(answers)) == len(bodies)  # and no other error comes through
