"""Gemini's own API, over the wire: a server that takes only what the API takes, and answers as it does."""

import json

import pytest

from cibench_eval.models import Gemini
from cibench_eval.models.limits import Price, usage_of
from cibench_eval.schema import HarnessError
from tests.support import asking
from tests.support.asking import CODES, CONVERSATION, FUNCTION, TOOL, session
from tests.support.chat_server import chat_server, http
from tests.support.schemas import gemini, must_be

READ = {'promptTokenCount': 100, 'cachedContentTokenCount': 90}
USAGE = {**READ, 'candidatesTokenCount': 7, 'thoughtsTokenCount': 20}
THOUGHT = {'text': 'Let me see.', 'thought': True}
SIGNED = {'thoughtSignature': 'c2lnbmVk'}
CALL = {'functionCall': {'id': 'f-1', 'name': 'IPythonInterpreter', 'args': {'code': 'x = 1'}}}


def check(request):
    """What the API demands of a request: its fields, roles, and an answer to each call of the turn before."""
    must_be(gemini('GenerateContentRequest'), request)
    assert request['contents'][0]['role'] == 'user' == request['contents'][-1]['role']
    called = []
    for content in request['contents']:
        assert content['parts'] and all(len(part.keys() - SIGNED.keys()) == 1 for part in content['parts'])
        answered = [part['functionResponse'] for part in content['parts'] if 'functionResponse' in part]
        assert [(answer['id'], answer['name']) for answer in answered] == called
        assert not answered or len(answered) == len(content['parts'])
        calls = [part['functionCall'] for part in content['parts'] if 'functionCall' in part]
        called = [(call['id'], call['name']) for call in calls]
        assert content['role'] == 'model' or not (calls or any('thoughtSignature' in part for part in content['parts']))


def content(*parts, finish='STOP', usage=USAGE, **fields):
    """An answer, or a chunk of one; `finish` None is one that goes on."""
    candidate = {'content': {'role': 'model', 'parts': list(parts)}, 'index': 0}
    candidate |= {'finishReason': finish} if finish else {}
    answer = {'candidates': [candidate], 'usageMetadata': usage, 'modelVersion': 'gemini-3-pro', **fields}
    must_be(gemini('GenerateContentResponse'), answer)
    return json.dumps(answer).encode()


def streamed(*chunks):
    """Server-sent events, as Google's servers send them."""
    data = b''.join(b'data: ' + chunk + b'\r\n\r\n' for chunk in chunks)
    return http(200, data, Content_Type='text/event-stream')


def error(code, status, said, *details):
    return http(code, {'error': {'code': code, 'message': said, 'status': status, 'details': list(details)}})


def invalid(said):
    return error(400, 'INVALID_ARGUMENT', said)


def ask(server, *details, **options):
    reply = asking.ask(Gemini, server.base_url, *details, key='MY_KEY', **options)
    for request in server.requests:
        check(request)
    return reply


def test_request_and_reply():
    thinking = {'thinkingLevel': 'LOW', 'includeThoughts': True}
    safety = [{'category': 'HARM_CATEGORY_HARASSMENT', 'threshold': 'BLOCK_NONE'}]
    settings = {'max_tokens': 2048, 'top_p': 0.9, 'seed': 3, 'thinking': thinking}
    settings |= {'extra_body': {'topK': 40, 'safetySettings': safety}}
    with chat_server(lambda _: content(THOUGHT, {'text': 'forty-'}, {'text': 'two', **SIGNED})) as server:
        reply = ask(server, CONVERSATION, ['\nResponse:'], [TOOL], generation_kwargs=settings)
    (request,) = server.requests
    assert server.paths == ['/v1/models/m:generateContent']
    assert request['systemInstruction'] == {'parts': [{'text': 'rules'}]}
    sampling = {'maxOutputTokens': 2048, 'topP': 0.9, 'seed': 3, 'topK': 40, 'stopSequences': ['\nResponse:']}
    assert request['generationConfig'] == {**sampling, 'thinkingConfig': thinking}
    assert request['safetySettings'] == safety
    assert [one['role'] for one in request['contents']] == ['user', 'model', 'user']
    image = {'inlineData': {'mimeType': 'image/png', 'data': 'AAAA'}}
    assert request['contents'][2]['parts'] == [{'text': 'look'}, image]
    (declared,) = request['tools'][0]['functionDeclarations']
    assert declared == {'name': 'f', 'description': 'd', 'parametersJsonSchema': FUNCTION['parameters']}
    (headers,) = server.headers
    assert headers['x-goog-api-key'] == 'k-secret' and 'authorization' not in headers
    assert (reply.text, reply.reasoning, reply.finish_reason) == ('forty-two', 'Let me see.', 'stop')
    assert reply.reasoning_blocks == [{'on': 'text', **SIGNED}]
    assert (reply.tokens_in, reply.tokens_out, reply.cached_tokens, reply.reasoning_tokens) == (100, 27, 90, 20)


@pytest.mark.soak
@pytest.mark.kernel
def test_a_session_of_calls_with_thinking_and_figures():
    """Signatures go back on their calls; the answers to calls are a content of their own."""

    def answer(request):
        check(request)
        done = sum('functionCall' in part for one in request['contents'] for part in one['parts'])
        made = {'id': f'f-{done}', 'name': 'IPythonInterpreter', 'args': {'code': CODES[done]}}
        return content(THOUGHT, {'text': 'I run it.'}, {'functionCall': made, 'thoughtSignature': f'c2ln{done}w=='})

    with chat_server(answer) as server:
        trace = session(Gemini('gemini-3-pro', server.base_url, 'MY_KEY'))
    assert trace.steps[2].attempts[0].execution.stdout == '42\n'
    last = server.requests[-1]['contents']
    signed = [part['thoughtSignature'] for one in last for part in one['parts'] if 'functionCall' in part]
    assert signed == ['c2ln0w==', 'c2ln1w==']
    assert [[*part] for part in last[-1]['parts']] == [['text'], ['inlineData'], ['text']]
    assert [[*part] for part in last[-2]['parts']] == [['functionResponse']]
    cost = usage_of(trace.steps, Price(input=10, output=100, cached=1)).cost
    assert cost == pytest.approx(3 * (10 * 10 + 90 * 1 + 27 * 100) / 1e6)


def test_signatures_go_back_where_they_were():
    """On the second of two calls, and on a text that is empty."""
    calls = [{'id': f'f-{n}', 'type': 'function', 'function': {'name': 'f', 'arguments': '{}'}} for n in range(2)]
    blocks = [{'on': 1, 'thoughtSignature': 'b24='}, {'on': 'text', 'thoughtSignature': 'dGV4dA=='}]
    thought = {'type': 'reasoning', 'text': 'hm', 'blocks': blocks}
    turn = {'role': 'assistant', 'content': [thought], 'tool_calls': calls}
    answers = [{'role': 'tool', 'tool_call_id': call['id'], 'content': 'done'} for call in calls]
    with chat_server(lambda _: content({'text': 'so'})) as server:
        ask(server, [{'role': 'user', 'content': 'q'}, turn, *answers])
    _, model, answered = server.requests[0]['contents']
    assert model['parts'][0] == {'text': '', 'thoughtSignature': 'dGV4dA=='}
    assert [part.get('thoughtSignature') for part in model['parts'][1:]] == [None, 'b24=']
    assert [part['functionResponse']['response'] for part in answered['parts']] == [{'output': 'done'}] * 2


@pytest.mark.parametrize('finish', [None, 'MISSING_THOUGHT_SIGNATURE'])
def test_calls_that_never_had_a_signature(finish, caplog):
    """Of gold, or of another model. What the API has for them goes with them once it has refused one."""
    call = {'id': 'gold', 'type': 'function', 'function': {'name': 'f', 'arguments': '{}'}}
    conversation = [
        {'role': 'user', 'content': 'q'},
        {'role': 'assistant', 'content': [{'type': 'reasoning', 'text': 'hm'}], 'tool_calls': [call]},
        {'role': 'tool', 'tool_call_id': 'gold', 'content': 'done'},
    ]

    def answer(request):
        if 'thoughtSignature' in request['contents'][1]['parts'][0]:
            return content({'text': 'so'})
        said = 'Function call is missing a thought_signature in functionCall parts. This is required for tools to work'
        return content(finish=finish) if finish else invalid(said)

    with chat_server(answer) as server:
        assert ask(server, conversation, retries=0).text == 'so'
    first, second = (request['contents'][1]['parts'][0] for request in server.requests)
    assert 'thoughtSignature' not in first and second['thoughtSignature'] == 'skip_thought_signature_validator'
    assert 'wants a signature on each call' in caplog.text


TOO_LONG = 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'


@pytest.mark.parametrize(
    ('answer', 'finish'),
    [
        (lambda: content(finish='SAFETY'), 'content_filter'),
        (lambda: content(finish='RECITATION'), 'content_filter'),
        (lambda: content(finish='PROHIBITED_CONTENT'), 'content_filter'),
        (lambda: content(finish='MAX_TOKENS'), 'length'),
        (lambda: content(finish='MALFORMED_FUNCTION_CALL'), 'malformed_function_call'),
        (lambda: invalid(TOO_LONG), 'context_overflow'),
    ],
)
def test_why_a_reply_ended(answer, finish):
    with chat_server(lambda _: answer()) as server:
        reply = ask(server)
    assert (reply.text, reply.finish_reason) == ('', finish)


@pytest.mark.parametrize('stream', [False, True])
def test_a_prompt_that_was_blocked(stream):
    answer = {'promptFeedback': {'blockReason': 'SAFETY'}, 'usageMetadata': {'promptTokenCount': 4}}
    must_be(gemini('GenerateContentResponse'), answer)
    body = json.dumps(answer).encode()
    with chat_server(lambda _: streamed(body) if stream else body) as server:
        reply = ask(server, stream=stream)
    assert (reply.text, reply.finish_reason, reply.tokens_in, reply.tokens_out) == ('', 'content_filter', 4, 0)


def test_a_call_without_an_id():
    made = {'functionCall': {'name': 'IPythonInterpreter', 'args': {'code': 'x = 1'}}}
    with chat_server(lambda _: content(made)) as server:
        (call,) = ask(server).tool_calls
    assert (call.id, call.name, json.loads(call.arguments)) == ('call_0', 'IPythonInterpreter', {'code': 'x = 1'})


def test_a_stream_is_the_whole_reply():
    parts = (THOUGHT, {'text': 'forty-'}, {'text': 'two'}, CALL | SIGNED)
    pieces = [content(part, finish=None) for part in parts]
    with chat_server(lambda _: streamed(*pieces, content())) as server:
        reply = ask(server, stream=True)
    assert server.paths == ['/v1/models/m:streamGenerateContent?alt=sse']
    with chat_server(lambda _: content(*parts)) as unstreamed:
        timed = {'seconds', 'first_token', 'waited'}
        assert reply.model_dump(exclude=timed) == ask(unstreamed).model_dump(exclude=timed)
    assert (reply.text, reply.reasoning, reply.tokens_out) == ('forty-two', 'Let me see.', 27)
    assert reply.reasoning_blocks == [{'on': 0, **SIGNED}]
    assert 0 < reply.first_token < reply.seconds


OVERLOADED = {'code': 503, 'message': 'The model is overloaded. Please try again later.', 'status': 'UNAVAILABLE'}
QUOTA = 'You exceeded your current quota, please check your plan and billing details.'
RETRY = {'@type': 'type.googleapis.com/google.rpc.RetryInfo', 'retryDelay': '0.05s'}


def test_it_is_waited_for_as_long_as_google_asks(waited):
    retry = {**RETRY, 'retryDelay': '34.07s'}
    answers = [error(429, 'RESOURCE_EXHAUSTED', QUOTA, retry), content({'text': 'yes'})]
    with chat_server(lambda _: answers.pop(0)) as server:
        ask(server)
    (seconds,) = waited
    assert 34.07 <= seconds <= 1.25 * 34.07


DAY = {
    '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
    'violations': [{'quotaId': 'GenerateRequestsPerDayPerProjectPerModel-FreeTier'}],
}
NO_KEY = {'@type': 'type.googleapis.com/google.rpc.ErrorInfo', 'reason': 'API_KEY_INVALID', 'domain': 'googleapis.com'}


@pytest.mark.parametrize(
    ('answer', 'says'),
    [
        (
            lambda: error(400, 'INVALID_ARGUMENT', 'API key not valid: k-secret. Please pass a valid API key.', NO_KEY),
            'API key not valid: [key]. Please pass a valid API key; check the API key in MY_KEY',
        ),
        (lambda: error(429, 'RESOURCE_EXHAUSTED', QUOTA, DAY, RETRY), "the day's quota is used up: go on tomorrow"),
        (lambda: b'{"usageMetadata": {}}', "2 times: what it answered is no content (KeyError: 'candidates')"),
        (lambda: content({'functionCall': {'name': 'f'}}).replace(b'"name"', b'"nom"'), 'no content (KeyError'),
        (lambda: streamed(content({'text': 'for'}, finish=None)), '2 times: broke the stream off before'),
        (
            lambda: streamed(json.dumps({'error': OVERLOADED}).encode()),
            '2 times: HTTP 503: broke the stream off with an error: The model',
        ),
        (lambda: streamed(b'[1]'), 'a chunk of its stream is not an object'),
    ],
)
def test_faults_are_named_and_what_may_pass_is_tried_again(answer, says):
    with chat_server(lambda _: answer()) as server, pytest.raises(HarnessError) as raised:
        ask(server, retries=1)
    assert says in str(raised.value)
