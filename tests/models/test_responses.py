"""OpenAI's Responses API, over the wire: a server that takes only what the API takes, and answers as it does."""

import json
import threading

import pytest

from cibench_eval.models import Gemini, OpenAICompatible, OpenAIResponses
from cibench_eval.models.limits import Price, usage_of
from cibench_eval.schema import HarnessError
from tests.support import asking
from tests.support.asking import CODES, CONVERSATION, FUNCTION, TOOL, session
from tests.support.chat_server import chat_server, http
from tests.support.schemas import must_be, response, response_event, responses

USAGE = {
    'input_tokens': 100,
    'input_tokens_details': {'cached_tokens': 90, 'cache_write_tokens': 0},
    'output_tokens': 27,
    'output_tokens_details': {'reasoning_tokens': 20},
    'total_tokens': 127,
}
THOUGHT = {
    'type': 'reasoning',
    'id': 'rs_1',
    'encrypted_content': 'gAAA',
    'summary': [{'type': 'summary_text', 'text': 'Let me see.'}],
}


def check(request):
    """What the API demands of a request: its fields and items, answers to calls, and what came of each thought."""
    must_be(responses(stream=request.get('stream', False)), request)
    assert request['store'] is False and request['input'][-1]['type'] in ('message', 'function_call_output')
    called = []
    for item, after in zip(request['input'], [*request['input'][1:], None], strict=True):
        if item['type'] == 'reasoning':
            assert item['encrypted_content'] and after['type'] != 'function_call_output'
            assert after.get('role') != 'user'
        if item['type'] == 'function_call':
            called.append(item['call_id'])
        if item['type'] == 'function_call_output':
            called.remove(item['call_id'])
    assert called == []


def said(*texts, phase=None):
    content = [{'type': 'output_text', 'text': text, 'annotations': []} for text in texts]
    message = {'type': 'message', 'id': 'msg_1', 'role': 'assistant', 'status': 'completed', 'content': content}
    return message | ({'phase': phase} if phase else {})


def called(code, number=0):
    arguments = json.dumps({'code': code})
    call = {'call_id': f'call_{number}', 'name': 'IPythonInterpreter', 'arguments': arguments}
    return {'type': 'function_call', 'id': f'fc_{number}', 'status': 'completed', **call}


def made(*items, status='completed', reason=None, error=None):
    """A response, as the API has it."""
    fields = {'id': 'resp_1', 'object': 'response', 'created_at': 0, 'model': 'gpt', 'output': list(items)}
    fields |= {'status': status, 'error': error, 'usage': USAGE, 'tools': [], 'tool_choice': 'auto'}
    fields |= {'incomplete_details': {'reason': reason} if reason else None, 'parallel_tool_calls': True}
    return response({**fields, 'instructions': None, 'metadata': {}, 'temperature': 1.0, 'top_p': 1.0})


def whole(*items, **fields):
    return json.dumps(made(*items, **fields)).encode()


def streamed(*events):
    """Server-sent events, as OpenAI's servers send them."""
    lines = [f'event: {event["type"]}\ndata: {json.dumps(event)}\n\n' for event in events]
    return http(200, ''.join(lines).encode(), Content_Type='text/event-stream; charset=utf-8')


def beginning(*texts):
    """The events that come before the last one of a stream."""
    started = {'response': made(status='in_progress')}
    place = {'item_id': 'msg_1', 'output_index': 0, 'content_index': 0, 'logprobs': []}
    events = [
        {'type': 'response.created', **started},
        {'type': 'response.in_progress', **started},
        *({'type': 'response.output_text.delta', 'delta': text, **place} for text in texts),
    ]
    return [response_event({**event, 'sequence_number': number}) for number, event in enumerate(events)]


def end(*items, kind='completed', **fields):
    status = {'status': kind, **fields}
    return response_event({'type': f'response.{kind}', 'sequence_number': 9, 'response': made(*items, **status)})


def error(status, message, kind='invalid_request_error', code=None, param=None):
    return http(status, {'error': {'message': message, 'type': kind, 'param': param, 'code': code}})


def ask(server, *details, **options):
    reply = asking.ask(OpenAIResponses, server.base_url, *details, key='MY_KEY', **options)
    for request in server.requests:
        check(request)
    return reply


def test_request_and_reply():
    settings = {'max_tokens': 2048, 'reasoning_effort': 'low', 'extra_body': {'reasoning': {'summary': 'auto'}}}
    with chat_server(lambda _: whole(THOUGHT, said('forty-', 'two\nResponse: x'))) as server:
        reply = ask(server, CONVERSATION, ['\nResponse:'], [TOOL], generation_kwargs=settings)
    (request,) = server.requests
    assert 'temperature' not in request
    assert server.paths == ['/v1/responses'] and server.keys == ['Bearer k-secret']
    assert request['instructions'] == 'rules' and request['include'] == ['reasoning.encrypted_content']
    assert (request['max_output_tokens'], request['reasoning']) == (2048, {'effort': 'low', 'summary': 'auto'})
    assert [item['role'] for item in request['input']] == ['user', 'assistant', 'user']
    image = {'type': 'input_image', 'image_url': 'data:image/png;base64,AAAA', 'detail': 'auto'}
    assert request['input'][2]['content'] == [{'type': 'input_text', 'text': 'look'}, image]
    assert request['tools'] == [{'type': 'function', **FUNCTION, 'strict': False}]
    assert (reply.text, reply.reasoning, reply.finish_reason) == ('forty-two', 'Let me see.', 'stop')
    assert reply.reasoning_blocks == [THOUGHT, {'type': 'message'}]
    assert (reply.tokens_in, reply.tokens_out, reply.cached_tokens, reply.reasoning_tokens) == (100, 27, 90, 20)


@pytest.mark.kernel
def test_a_session_of_calls_with_thinking_and_figures():
    """Encrypted thoughts go back in their places; after the answer to a call come its figures and the next question."""

    def answer(request):
        check(request)
        done = sum(item['type'] == 'function_call' for item in request['input'])
        later = {**THOUGHT, 'id': f'rs_{done}_2'}
        first = {**THOUGHT, 'id': f'rs_{done}'}
        return whole(first, said('I run it.', phase='commentary'), later, called(CODES[done], done))

    with chat_server(answer) as server:
        trace = session(OpenAIResponses('gpt', server.base_url, 'MY_KEY'))
    assert trace.steps[2].attempts[0].execution.stdout == '42\n'
    last = server.requests[-1]['input']
    assert [item['type'] for item in last] == [
        *('message', 'reasoning', 'message', 'reasoning', 'function_call', 'function_call_output'),
        *('message', 'reasoning', 'message', 'reasoning', 'function_call', 'function_call_output', 'message'),
    ]
    assert [item['id'] for item in last if item['type'] == 'reasoning'] == ['rs_0', 'rs_0_2', 'rs_1', 'rs_1_2']
    assert [item.get('phase') for item in last if item['type'] == 'message'] == [None, 'commentary'] * 2 + [None]
    assert [part['type'] for part in last[-1]['content']] == ['input_text', 'input_image', 'input_text']
    cost = usage_of(trace.steps, Price(input=10, output=100, cached=1)).cost
    assert cost == pytest.approx(3 * (10 * 10 + 90 * 1 + 27 * 100) / 1e6)


def turn(*blocks, content='a'):
    thought = {'type': 'reasoning', 'text': 'hm', 'blocks': list(blocks)}
    return {'role': 'assistant', 'content': [thought, {'type': 'text', 'text': content}]}


def talk(*turns):
    questions = [{'role': 'user', 'content': f'question {number}'} for number in range(len(turns) + 1)]
    return [message for pair in zip(questions, turns, strict=False) for message in pair] + questions[-1:]


def test_thoughts_that_nothing_follows_stay_away():
    """Of a reply that was cut: the API takes no thought without what came of it."""
    with chat_server(lambda _: whole(said('so'))) as server:
        ask(server, talk(turn(THOUGHT, content=''), turn(THOUGHT, {'type': 'message'})))
    assert [item['type'] for item in server.requests[0]['input']] == [
        *('message', 'message', 'reasoning', 'message', 'message')
    ]


def test_thoughts_without_content_are_not_kept():
    """They are names of what the endpoint was told not to keep."""
    bare = {'type': 'reasoning', 'id': 'rs_1', 'summary': []}
    with chat_server(lambda _: whole(bare, said('so'))) as server:
        assert ask(server).reasoning_blocks == []


def test_thoughts_that_cannot_be_read_any_more_are_left_out(caplog):
    def answer(request):
        stale = any(item.get('id') == 'rs_1' for item in request['input'])
        message = 'The encrypted content gAAA could not be verified.'
        return error(400, message, code='invalid_encrypted_content') if stale else whole(said('so'))

    with chat_server(answer) as server:
        conversation = talk(turn(THOUGHT, {'type': 'message'}))
        assert ask(server, conversation, retries=0).text == 'so'
    assert [len(request['input']) for request in server.requests] == [4, 3]
    assert 'cannot read 1 of its earlier thoughts' in caplog.text


def test_a_model_that_does_not_think():
    """It takes neither encrypted thoughts nor, if it does think, a temperature: both are learned."""

    def answer(request):
        if 'include' in request:
            return error(400, 'Encrypted content is not supported with this model.', param='include')
        if 'temperature' in request:
            return error(
                400, "Unsupported parameter: 'temperature' is not supported with this model.", param='temperature'
            )
        return whole(said('so'))

    with chat_server(answer) as server:
        assert ask(server, retries=0, generation_kwargs={'temperature': 0}).text == 'so'
    assert len(server.requests) == 3


@pytest.mark.parametrize('stream', [False, True])
@pytest.mark.parametrize(('reason', 'finish'), [('max_output_tokens', 'length'), ('content_filter', 'content_filter')])
def test_why_a_response_is_incomplete(stream, reason, finish):
    fields = {'reason': reason}
    answer = whole(said('so'), status='incomplete', **fields)
    if stream:
        answer = streamed(*beginning('so'), end(said('so'), kind='incomplete', **fields))
    with chat_server(lambda _: answer) as server:
        reply = ask(server, stream=stream)
    assert (reply.text, reply.finish_reason) == ('so', finish)


def test_a_refusal_is_the_models_text():
    refusal = {**said(), 'content': [{'type': 'refusal', 'refusal': 'I cannot.'}]}
    with chat_server(lambda _: whole(refusal)) as server:
        assert ask(server).text == 'I cannot.'


def test_a_stream_is_the_whole_reply():
    items = THOUGHT, said('forty-two', phase='commentary'), called('x = 1')
    with chat_server(lambda _: streamed(*beginning('forty-', 'two'), end(*items))) as server:
        reply = ask(server, stream=True)
    with chat_server(lambda _: whole(*items)) as unstreamed:
        timed = {'seconds', 'first_token', 'waited'}
        assert reply.model_dump(exclude=timed) == ask(unstreamed).model_dump(exclude=timed)
    assert (reply.text, reply.reasoning, reply.tokens_out) == ('forty-two', 'Let me see.', 27)
    assert 0 < reply.first_token < reply.seconds
    assert server.requests[0]['stream'] is True


class Clock:
    """A clock that ticks when it is read."""

    def __init__(self):
        self.reads = 0
        self.read = threading.Event()

    def monotonic(self):
        self.reads += 1
        self.read.set()
        return float(self.reads)


def chunk(**delta):
    return {'choices': [{'delta': delta, 'finish_reason': 'stop'}]}


def contents(text):
    return {'candidates': [{'content': {'role': 'model', 'parts': [{'text': text}]}, 'finishReason': 'STOP'}]}


@pytest.mark.parametrize(
    ('backend', 'events'),
    [
        (OpenAIResponses, [*beginning('forty'), end(said('forty'))]),
        (
            OpenAICompatible,
            [chunk(role='assistant', content='', tool_calls=[]), chunk(reasoning_details=[{'text': 'a'}])],
        ),
        (OpenAICompatible, [chunk(content='', reasoning=None), chunk(tool_calls=[{'function': {'name': 'f'}}])]),
        (Gemini, [contents(''), contents('forty')]),
    ],
)
def test_the_first_token_is_no_announcement(monkeypatch, backend, events):
    """Events come before it that say that a response is on its way."""
    clock = Clock()
    monkeypatch.setattr('cibench_eval.models.connections.time', clock)

    def answer(_):
        yield b'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n'
        announced, *others = events
        clock.read.clear()
        yield f'data: {json.dumps(announced)}\n\n'.encode()
        clock.read.wait()  # until the client has taken it
        yield ''.join(f'data: {json.dumps(event)}\n\n' for event in others).encode()

    with chat_server(answer) as server:
        assert asking.ask(backend, server.base_url, key='MY_KEY', stream=True).first_token == 2


FAILED = {'code': 'server_error', 'message': 'The server had an error while processing your request.'}
EVENT = {'type': 'error', 'code': 'rate_limit_exceeded', 'message': 'slow down', 'param': None, 'sequence_number': 2}


OVERFLOW = {
    'type': 'invalid_request_error',
    'code': 'context_length_exceeded',
    'param': 'input',
    'message': 'Your input exceeds the context window of this model. Please adjust your input and try again.',
}
POLICY = {
    'code': 'invalid_prompt',
    'message': 'Invalid prompt: your prompt was flagged as potentially violating our policy',
}


@pytest.mark.parametrize(
    ('answer', 'finish'),
    [
        (lambda: http(400, {'error': OVERFLOW}), 'context_overflow'),
        (
            lambda: streamed(*beginning(), {'type': 'error', 'sequence_number': 2, 'error': OVERFLOW}),
            'context_overflow',
        ),
        (lambda: http(400, {'error': {**POLICY, 'type': 'invalid_request_error', 'param': None}}), 'content_filter'),
        (lambda: whole(status='failed', error=POLICY), 'content_filter'),
        (lambda: streamed(*beginning(), end(kind='failed', error=POLICY)), 'content_filter'),
    ],
)
def test_what_is_the_models_outcome(answer, finish):
    with chat_server(lambda _: answer()) as server:
        assert ask(server, stream=True, retries=0).finish_reason == finish


@pytest.mark.parametrize(
    ('answer', 'says'),
    [
        (
            lambda: error(401, 'Incorrect API key provided: k-secret.', code='invalid_api_key'),
            'Incorrect API key provided: [key]; check the API key in MY_KEY',
        ),
        (lambda: error(429, 'quota', 'insufficient_quota', 'insufficient_quota'), 'the account has no credit left'),
        (lambda: error(429, 'slow down', 'requests', 'rate_limit_exceeded'), '2 times: HTTP 429: slow down'),
        (lambda: b'{"object": "response"}', "2 times: what it answered is no response (KeyError: 'output')"),
        (lambda: b'[]', 'what it answered is no response (AttributeError'),
        (lambda: b'nothing', 'what it answered is no response (JSONDecodeError'),
        (lambda: whole(status='failed', error=FAILED), '2 times: it answered with an error'),
        (lambda: streamed(*beginning('for'), end(kind='failed', error=FAILED)), '2 times: it answered with an error'),
        (lambda: streamed(*beginning('for'), response_event(EVENT)), '2 times: broke the stream off with an error'),
        (lambda: streamed(*beginning('for')), '2 times: broke the stream off before'),
        (lambda: http(200, b'data: {}\n\n', Content_Type='text/event-stream'), 'no stream of a response (KeyError'),
        (lambda: http(200, b'data: {"\n\n', Content_Type='text/event-stream'), 'a chunk of its stream is not JSON'),
    ],
)
def test_faults_are_named_and_what_may_pass_is_tried_again(answer, says):
    with chat_server(lambda _: answer()) as server, pytest.raises(HarnessError) as raised:
        ask(server, retries=1)
    assert says in str(raised.value)
