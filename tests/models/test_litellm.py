"""LiteLLM as a backend: the library itself, against servers of the chat completions and the Messages API."""

import json
import subprocess
import sys

import pytest

from cibench_eval.models import LiteLLM
from cibench_eval.schema import CibenchError, HarnessError
from tests.models import test_anthropic as claude
from tests.models import test_gemini as gemini
from tests.models.test_streaming import SAID, chunk, events, streamed
from tests.support import asking
from tests.support.asking import CONVERSATION, TOOL, session
from tests.support.chat_server import chat_server, completion, http

pytestmark = [
    pytest.mark.filterwarnings('ignore:Accessing the .model_:DeprecationWarning'),  # the library's own
    pytest.mark.filterwarnings('error:.*never awaited:RuntimeWarning'),
]
THOUGHT = claude.THOUGHT


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """No key of the person who runs the tests is found by the library."""
    for name in ('OPENAI_API_KEY', 'ANTHROPIC_API_KEY'):
        monkeypatch.delenv(name, raising=False)


def ask(server, *details, **options):
    return asking.ask(LiteLLM, server.base_url, *details, **{'path': 'openai/m', 'key': 'MY_KEY', **options})


def message(*content, stop='end_turn'):
    """An answer of the Messages API with all that it has; the library reads more of it than we do."""
    made = json.loads(claude.message(*content, stop=stop))
    return json.dumps({**made, 'id': 'msg_1', 'model': 'claude', 'stop_sequence': None}).encode()


def error(status, said, **headers):
    return http(status, {'error': {'message': said, 'type': 'invalid_request_error', 'code': None}}, **headers)


@pytest.mark.soak
def test_request_and_reply():
    answer = completion('forty-two\nResponse: x')
    answer['choices'][0]['message'] |= {'reasoning_content': 'Let me see.'}
    answer['usage'] |= {
        'prompt_tokens_details': {'cached_tokens': 3},
        'completion_tokens_details': {'reasoning_tokens': 2},
    }
    with chat_server(lambda _: json.dumps(answer).encode()) as server:
        settings = {'seed': 3, 'max_tokens': 99}
        reply = ask(server, CONVERSATION, ['\nResponse:'], [TOOL], generation_kwargs=settings)
    said = {'messages': CONVERSATION, 'tools': [TOOL], 'stop': ['\nResponse:']}
    assert server.requests == [{'model': 'm', 'temperature': 0.0, **said, **settings}]
    assert server.keys == ['Bearer k-secret'] and server.paths == ['/v1/chat/completions']
    assert (reply.text, reply.reasoning, reply.finish_reason) == ('forty-two', 'Let me see.', 'stop')
    assert (reply.tokens_in, reply.tokens_out, reply.cached_tokens, reply.reasoning_tokens) == (7, 5, 3, 2)


@pytest.mark.soak
@pytest.mark.kernel
def test_a_session_with_a_service_that_speaks_another_api():
    """Claude's signed thoughts go back before the calls that they led to, as its own API demands it."""
    codes = ['x = 6', 'print(x * 7)']

    def answer(messages):
        done = sum(turn['role'] == 'assistant' for turn in messages)
        call = {'type': 'tool_use', 'id': f'toolu_{done}', 'name': 'IPythonInterpreter', 'input': {'code': codes[done]}}
        return message(THOUGHT, claude.text('I run it.'), call, stop='tool_use')

    kwargs = {'thinking': {'type': 'enabled', 'budget_tokens': 1024}, 'temperature': 1.0}
    with chat_server(answer) as server:
        address = server.base_url.removesuffix('/v1')
        trace = session(LiteLLM('anthropic/claude-sonnet-4-5', address, 'MY_KEY', generation_kwargs=kwargs), codes)
    assert trace.steps[1].attempts[0].execution.stdout == '42\n'
    reply = trace.steps[0].attempts[0].reply
    assert (reply.reasoning, reply.reasoning_blocks) == ('Let me see.', [THOUGHT])
    turns = server.requests[-1]['messages']
    assert [block['type'] for block in turns[1]['content']] == ['thinking', 'text', 'tool_use']
    assert turns[1]['content'][0] == THOUGHT
    assert (reply.tokens_in, reply.tokens_out, reply.cached_tokens) == (105, 7, 90)


def test_signatures_of_gemini_go_back_in_the_ids_of_calls():
    called = {'functionCall': {'name': 'f', 'args': {'code': 'x'}}, **gemini.SIGNED}
    options = {'path': 'gemini/gemini-3-pro-preview', 'tools': [TOOL]}
    question = {'role': 'user', 'content': 'q'}
    with chat_server(lambda _: gemini.content(gemini.THOUGHT, called)) as server:
        reply = ask(server, [question], **options)
        (call,) = reply.tool_calls
        made = {'id': call.id, 'type': 'function', 'function': {'name': call.name, 'arguments': call.arguments}}
        turn = {'role': 'assistant', 'content': '', 'tool_calls': [made]}
        ask(server, [question, turn, {'role': 'tool', 'tool_call_id': call.id, 'content': 'done'}], **options)
    assert (reply.reasoning, reply.tokens_in, reply.tokens_out) == ('Let me see.', 100, 27)
    *_, back = server.requests[1]['contents'][1]['parts']
    assert back['thoughtSignature'] == gemini.SIGNED['thoughtSignature']


def test_reasoning_without_a_signature_stays_away():
    thought = [{'type': 'reasoning', 'text': 'hm'}, {'type': 'text', 'text': 'a'}]
    conversation = [
        {'role': 'user', 'content': 'q'},
        {'role': 'assistant', 'content': thought},
        {'role': 'user', 'content': 'q'},
    ]
    with chat_server(lambda _: 'yes') as server:
        ask(server, conversation)
        ask(server, conversation, send_reasoning='reasoning_content')
    assert [request['messages'][1] for request in server.requests] == [
        {'role': 'assistant', 'content': 'a'},
        {'role': 'assistant', 'content': 'a', 'reasoning_content': 'hm'},
    ]


@pytest.mark.parametrize('finish', ['stop', 'length', 'content_filter'])
def test_why_a_streamed_reply_ended(finish):
    with chat_server(lambda _: streamed(*SAID[:5], chunk(finish), SAID[6])) as server:
        assert ask(server, stream=True).finish_reason == finish


def test_a_stream_is_the_whole_reply():
    function = {'name': 'f', 'arguments': '{"code": "1"}'}
    call = chunk(tool_calls=[{'index': 0, 'id': 'a', 'type': 'function', 'function': function}])
    with chat_server(lambda _: streamed(*SAID[:5], call, chunk('tool_calls'), SAID[6])) as server:
        reply = ask(server, stream=True)
    assert (reply.text, reply.reasoning, reply.finish_reason) == ('forty-two', 'Let me see.', 'tool_calls')
    assert [(call.id, call.name, call.arguments) for call in reply.tool_calls] == [('a', 'f', '{"code": "1"}')]
    assert (reply.tokens_in, reply.tokens_out, reply.reasoning_tokens) == (7, 5, 2)
    assert 0 < reply.first_token < reply.seconds


@pytest.mark.parametrize(
    'fault',
    [
        lambda: error(503, 'overloaded'),
        lambda: error(429, 'slow down', Retry_After=0),
        lambda: b'{"choices": [',
        lambda: streamed(*SAID[:4], end=''),  # the library calls this one whole
        lambda: http(200, events(*SAID[:4], end=''), Content_Type='text/event-stream', Content_Length=100_000),
        lambda: streamed(*SAID[:4], json.dumps({'error': {'message': 'overloaded', 'code': 503}}), end=''),
        lambda: streamed(*SAID[:4], '{"choices": ['),
    ],
)
def test_what_passes_is_tried_again(fault):
    answers = [fault(), streamed(*SAID)]
    with chat_server(lambda _: answers.pop(0)) as server:
        assert ask(server, stream=True).text == 'forty-two'
    with chat_server(lambda _: fault()) as server, pytest.raises(HarnessError, match='failed 2 times'):
        ask(server, stream=True, retries=1)
    assert len(server.requests) == 2


def test_it_is_waited_for_as_long_as_the_service_asks(waited):
    answers = [error(429, 'slow down', Retry_After=7), json.dumps(completion('yes')).encode()]
    with chat_server(lambda _: answers.pop(0)) as server:
        assert ask(server).text == 'yes'
    assert any(7 <= seconds <= 8.75 for seconds in waited)


@pytest.mark.parametrize(
    ('said', 'finish'),
    [
        ("This model's maximum context length is 4096 tokens. However, you requested 5000", 'context_overflow'),
        ("The input (5000 tokens) is longer than the model's context length (4096 tokens).", 'context_overflow'),
        ('content_policy_violation (invalid_request_error): it was rejected by our safety system', 'content_filter'),
    ],
)
def test_what_is_the_models_outcome(said, finish):
    with chat_server(lambda _: error(400, said)) as server:
        assert ask(server).finish_reason == finish


def test_a_setting_that_the_model_refuses_is_left_out(caplog):
    """Whether the service says so, or the library before it asks."""

    def answer(_):
        if 'temperature' in server.requests[-1]:
            return error(400, "Unsupported parameter: 'temperature' is not supported with this model.")
        return json.dumps(completion('yes')).encode()

    with chat_server(answer) as server:
        assert ask(server, retries=0).text == 'yes'
        assert ask(server, retries=0, path='openai/gpt-5', generation_kwargs={'temperature': 0.5}).text == 'yes'
    assert len(server.requests) == 3
    assert [record.message for record in caplog.records if record.name.startswith('cibench')] == [
        'model openai/m does not take temperature; it is left out from now on',
        'model openai/gpt-5 does not take temperature; it is left out from now on',
    ]


def test_tokens_that_were_not_counted_are_not_told():
    answer = completion('yes')
    del answer['usage']
    with chat_server(lambda _: json.dumps(answer).encode()) as server:
        reply = ask(server)
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ('yes', None, None)


@pytest.mark.parametrize(
    ('answer', 'says'),
    [
        (
            lambda: error(401, 'bad key k-secret'),
            'HTTP 401: OpenAIException - bad key [key]; check the API key in MY_KEY',
        ),
        (lambda: error(404, 'no such model'), 'HTTP 404: OpenAIException - no such model; check base_url'),
        (lambda: error(400, 'no such field'), 'HTTP 400: OpenAIException - no such field; the request does not suit'),
        (lambda: b'nothing', 'HTTP 500: OpenAIException - Expecting value'),
        (lambda: iter(()), 'Connection error'),
    ],
)
def test_faults_are_named(answer, says):
    with chat_server(lambda _: answer()) as server, pytest.raises(HarnessError) as raised:
        ask(server, retries=0)
    assert says in str(raised.value)
    assert str(raised.value).isprintable()


def test_a_service_that_the_library_does_not_know():
    with chat_server(lambda _: 'never') as server, pytest.raises(HarnessError, match='LLM Provider NOT provided'):
        ask(server, path='nonsense')
    assert not server.requests


@pytest.mark.parametrize(
    ('path', 'says'),
    [
        ('openai/m', 'HTTP 401: OpenAIException - Missing credentials'),
        ('bedrock/anthropic.claude-v2', 'LiteLLM: import of boto3 halted; None in sys.modules; pip install boto3'),
    ],
)
def test_what_the_library_lacks_is_not_tried_again(monkeypatch, path, says):
    monkeypatch.setitem(sys.modules, 'boto3', None)
    with pytest.raises(HarnessError) as raised:
        asking.ask(LiteLLM, None, path=path)
    assert says in str(raised.value) and 'times' not in str(raised.value)


def test_a_server_that_never_answers(forever):
    def silent():
        forever.wait()
        yield b''

    with chat_server(lambda _: silent()) as server, pytest.raises(HarnessError, match='no whole answer within'):
        ask(server, timeout=0.3, retries=0)


def test_the_library_is_an_extra(monkeypatch):
    model = LiteLLM('bedrock/claude', key='MY_KEY')
    model.check()
    monkeypatch.setitem(sys.modules, 'litellm', None)
    with pytest.raises(CibenchError, match=r"litellm: not installed here; pip install 'litellm>=1\.83'"):
        model.check()
    monkeypatch.delenv('MY_KEY')
    with pytest.raises(CibenchError, match='MY_KEY'):
        LiteLLM('bedrock/claude', key='MY_KEY').check_settings()


OPENED = """
import asyncio, socket, sys
from cibench_eval.models import LiteLLM
model = LiteLLM('bedrock/anthropic.claude')
model.check()
assert 'litellm' not in sys.modules
def refuse(*_, **__): raise SystemExit('it asks the network')
socket.getaddrinfo = socket.socket.connect = refuse
async def opened():
    async with model: return sys.modules['litellm'].__name__
print(asyncio.run(opened()))
"""


@pytest.mark.soak
def test_importing_it_asks_nobody_and_reads_no_env_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / '.env').write_text('SET_BY_A_FILE=1\n', encoding='utf-8')
    program = f'{OPENED}\nimport os\nassert "SET_BY_A_FILE" not in os.environ'
    done = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ('litellm\n', '')
