"""The client against a server on loopback: what goes over the wire, and what becomes of faults."""

import asyncio
import json
import socket

import pytest

from cibench_eval.models.openai_compatible import OpenAICompatible
from cibench_eval.schema import CibenchError, HarnessError
from tests.support.chat_server import Body, chat_server, completion

HELLO = [{'role': 'user', 'content': 'hello'}]


def ask(base_url, *, stop=(), max_out_len=None, **options):
    async def session():
        model = OpenAICompatible('m', base_url, **options)
        model.max_out_len = max_out_len
        async with model:
            return await model.chat(HELLO, None, list(stop))

    return asyncio.run(session())


def test_request_and_reply(monkeypatch):
    monkeypatch.setenv('MY_KEY', 'k-1')
    with chat_server(lambda messages: f'you said {messages[-1]["content"]}') as server:
        reply = ask(server.base_url, stop=['\nResponse:'], max_out_len=99, key='MY_KEY', generation_kwargs={'seed': 3})
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ('you said hello', 7, 5)
    assert server.requests == [
        {
            'model': 'm',
            'messages': HELLO,
            'temperature': 0.0,
            'seed': 3,
            'stop': ['\nResponse:'],
            'max_tokens': 99,
        }
    ]
    assert server.keys == ['Bearer k-1']


def test_missing_key_is_named(monkeypatch):
    monkeypatch.delenv('MY_KEY', raising=False)
    with pytest.raises(CibenchError, match='MY_KEY'):
        ask('http://127.0.0.1:9/v1', key='MY_KEY')


@pytest.mark.parametrize('status', [429, 500])
def test_passing_faults_are_tried_again(status):
    answers = iter([status, 'at last'])
    with chat_server(lambda _: next(answers)) as server:
        assert ask(server.base_url).text == 'at last'
    assert len(server.requests) == 2


@pytest.mark.parametrize(('status', 'asked'), [(401, 1), (400, 1), (500, 2)])
def test_lasting_faults_name_the_endpoint(status, asked):
    with chat_server(lambda _: status) as server, pytest.raises(HarnessError, match=server.base_url):
        ask(server.base_url, retries=1)
    assert len(server.requests) == asked


@pytest.mark.parametrize('body', [b'{not json', b'{}', b'[]', b'{"choices": []}', b'null', b'"text"'])
def test_answers_that_are_none_are_the_endpoints_fault(body):
    with chat_server(lambda _: body) as server, pytest.raises(HarnessError, match='model m'):
        ask(server.base_url, retries=0)


def test_refused_connection_is_one_line():
    with socket.create_server(('127.0.0.1', 0)) as probe:
        port = probe.getsockname()[1]
    with pytest.raises(HarnessError, match=f'127.0.0.1:{port}') as error:
        ask(f'http://127.0.0.1:{port}/v1', retries=0)
    assert '\n' not in str(error.value)


def test_too_long_a_history_is_the_models_outcome():
    body = b'{"error": {"message": "too long", "type": "exceed_context_size_error", "code": 400}}'
    with chat_server(lambda _: Body(body)) as server:
        reply = ask(server.base_url)
    assert (reply.text, reply.finish_reason) == ('', 'context_overflow')


def test_empty_content_is_an_empty_reply():
    said = completion('')
    said['choices'][0]['message']['content'] = None
    with chat_server(lambda _: json.dumps(said).encode()) as server:
        assert ask(server.base_url).text == ''


def test_half_a_character_is_replaced():
    """A lone surrogate can come over the wire as JSON, but no file of ours could hold it."""
    body = json.dumps(completion('half \ud83d')).encode()
    with chat_server(lambda _: body) as server:
        assert ask(server.base_url).text == 'half \ufffd'
