"""Servers that misbehave, on loopback: each ends as documented, after a bounded number of tries."""

import contextlib
import itertools
import json
import os
import shutil
import socket
import ssl
import subprocess
import threading
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import partial
from http.server import ThreadingHTTPServer

import httpx
import pytest

from cibench_eval.models import OpenAICompatible
from cibench_eval.schema import CibenchError, HarnessError
from tests.models.test_streaming import SAID, streamed
from tests.support import asking
from tests.support.chat_server import chat_server, completion, http

ask = partial(asking.ask, OpenAICompatible, retries=2)
HTTP = 'cibench_eval.models.http_model'
RESTARTING, LONGEST_WAIT = 0.3, 120
OK = json.dumps(completion('at last')).encode()


def error(message='', **fields):
    return {'error': {'message': message, **fields}}


def ends_well(*answers, **options):
    """The reply after these answers, each of which is needed."""
    left = iter([*answers, OK])
    with chat_server(lambda _: next(left)) as server:
        reply = ask(server.base_url, **options)
    assert len(server.requests) == 1 + len(answers)
    return reply


def ends_badly(answer, *, asked, **options):
    """The error after an endpoint that always answers so."""
    with chat_server(lambda _: answer()) as server, pytest.raises(HarnessError) as raised:
        ask(server.base_url, **options)
    assert len(server.requests) == asked
    said = str(raised.value)
    assert said.startswith(f'model m: {server.base_url}: ')
    assert said.isprintable() and len(said) < 700
    return said


# What passes.

HALF = {**completion('hal')}
HALF['choices'] = [{**HALF['choices'][0], 'finish_reason': 'abort'}]


def test_faults_that_pass():
    faults = [b'{"choices": ', json.dumps(HALF).encode(), json.dumps(error('upstream is down', code=502)).encode()]
    assert ends_well(*faults, streamed(*SAID[:4], end=''), retries=4).text == 'at last'


# What does not: tried again as often as was allowed, then an error.


@pytest.mark.parametrize(
    ('answer', 'says'),
    [
        (
            lambda: http(429, error('slow down')),
            'failed 3 times: HTTP 429: slow down; set or lower requests_per_minute',
        ),
        (lambda: 500, 'failed 3 times: HTTP 500: status 500; see what is wrong there, then go on'),
        (lambda: http(500), 'HTTP 500; see'),
        (lambda: http(502, b'<html><title>Bad Gateway</title></html>'), 'HTTP 502: an HTML page: Bad Gateway;'),
        (lambda: b'{"choices": [', 'what it answered is not JSON'),
        (lambda: b'{"choices": []}', 'not a chat completion (choices'),
        (lambda: b'{"choices": [{"message": {"content": 5}}]}', 'not a chat completion (choices.0.message.content'),
        (lambda: b'{"object": "list", "data": []}', 'not a chat completion (choices is missing)'),
        (lambda: b'[]', 'not a chat completion (it is no mapping'),
        (lambda: http(200, OK[:40], Content_Length=len(OK)), 'connection lost'),
        (lambda: iter(()), 'connection lost'),
        (lambda: streamed(*SAID[:4], end=''), 'broke the stream off before the reply ended'),
        (
            lambda: streamed(*SAID[:4], json.dumps(error('overloaded', code=503)), end=''),
            'HTTP 503: broke the stream off with an error: overloaded',
        ),
        (lambda: http(500, b'[' * 200_000), 'HTTP 500: [[['),
        (lambda: http(500, error('\x1b[31mred\n\ud83d')), 'HTTP 500: [31mred'),
    ],
)
def test_is_tried_again_as_often_as_allowed(answer, says):
    assert says in ends_badly(answer, asked=3)


# What lasts: not tried again.


@pytest.mark.parametrize(
    ('answer', 'says'),
    [
        (
            lambda: http(429, error('You exceeded your quota', type='insufficient_quota', code='insufficient_quota')),
            'HTTP 429: You exceeded your quota; the account has no credit left',
        ),
        (
            lambda: http(400, error('Your credit balance is too low to access the Anthropic API.')),
            'Your credit balance is too low to access the Anthropic API; the account has no credit left',
        ),
        (lambda: http(429, error('later'), Retry_After=7200), 'it wants 7200 s of waiting: go on after that'),
        (lambda: http(429, error('Request too large for m on tokens per min')), 'HTTP 429: Request too large'),
        (lambda: http(503, error('no'), X_Should_Retry='false'), 'HTTP 503: no; see'),
        (lambda: 401, 'HTTP 401: status 401; check the API key in MY_KEY'),
        (lambda: 403, 'HTTP 403: status 403; check the API key in MY_KEY'),
        (lambda: 404, 'HTTP 404: status 404; check base_url (up to and including /v1) and the name of the model'),
        (
            lambda: b' <html><body>Welcome</body></html>',
            'it answered with status 200: an HTML page: Welcome; check base_url (up to and including /v1)',
        ),
        (lambda: http(413, b'<html>Too Large</html>'), 'raise its limit, or show the model less (max_images,'),
        (lambda: 400, 'HTTP 400: status 400; the request does not suit this endpoint'),
        (lambda: http(422, {'detail': [{'msg': 'no such field'}]}), 'HTTP 422: {"detail": [{"msg": "no such field"}]}'),
        (
            lambda: http(307, Location='https://elsewhere.test/v1'),
            'redirect to https://elsewhere.test/v1; set base_url',
        ),
        (
            lambda: http(500, error('image input is not supported - hint: you may need to provide the mmproj')),
            "show it no figures (figures='name' or 'describe' in the agent's config), or fewer (max_images; of a",
        ),
        (
            lambda: http(400, error('Invalid content type. image_url is only supported by certain models.')),
            'show it no',
        ),
        (lambda: http(404, error('No endpoints found that support tool use.')), 'an agent without them (react'),
        (lambda: http(405, error('Tool calling is not supported for model: m')), 'an agent without them (react'),
        (
            lambda: http(
                400, error('thinking is enabled but reasoning_content is missing in assistant tool call message')
            ),
            "set send_reasoning='reasoning_content' in the model's config",
        ),
        (
            lambda: http(400, error('The `reasoning_content` in the thinking mode must be passed back.')),
            'send_reasoning=',
        ),
        (lambda: http(400, error('Missing `reasoning_content` field in the assistant message')), 'send_reasoning='),
        (lambda: http(500, error('tools param requires --jinja flag')), 'let its server offer function calls, or'),
        (lambda: http(400, error('At most 4 image(s) may be provided in one prompt.')), 'let its server take 16)'),
        (lambda: http(401, error('unknown key k-secret')), 'HTTP 401: unknown key [key]; check'),
    ],
)
def test_is_not_tried_again(answer, says):
    assert says in ends_badly(answer, asked=1, key='MY_KEY')


def test_a_short_key_is_masked_where_it_stands_alone(monkeypatch):
    monkeypatch.setenv('MY_KEY', 'x')
    said = ends_badly(lambda: http(401, error('key x does not exist')), asked=1, key='MY_KEY')
    assert 'HTTP 401: key [key] does not exist' in said


def test_fewer_retries_than_none_are_none():
    answers = iter([500, OK])
    with chat_server(lambda _: next(answers)) as server, pytest.raises(HarnessError, match='HTTP 500'):
        ask(server.base_url, retries=-1)


def test_missing_key_is_the_mend_where_none_is_set():
    assert 'it wants an API key: set `key`' in ends_badly(lambda: 401, asked=1)


def test_an_answer_above_the_cap_is_not_read_to_its_end():
    sent = itertools.count()

    def endless():
        yield b'HTTP/1.1 200 OK\r\n\r\n'
        for _ in sent:
            yield b' ' * 2**20

    assert 'longer than 16 MiB' in ends_badly(endless, asked=1)
    assert next(sent) < 64


# What never ends: bounded by the timeout of the whole try.


@pytest.mark.parametrize('header', [b'', b'Transfer-Encoding: chunked\r\n', b'Content-Length: 1000000\r\n'])
def test_a_server_that_drips(forever, header):
    def drip():
        yield b'HTTP/1.1 200 OK\r\n' + header + b'\r\n'
        while not forever.wait(0.01):
            yield b'1\r\n \r\n' if b'chunked' in header else b' '

    assert 'no whole answer within 0.3 s' in ends_badly(drip, asked=2, timeout=0.3, retries=1)


# Where there is no server.


@pytest.fixture
def lost():
    """A server that has closed its port, until `reopen`."""
    with chat_server(lambda _: 'at last') as server:
        server.close()
        yield server


def reopen(server):
    """Open a server again where it was."""
    closed = server._server
    server._server = ThreadingHTTPServer(closed.server_address, closed.RequestHandlerClass)
    threading.Thread(target=server._server.serve_forever, args=(0.02,), daemon=True).start()


def given_up(base_url, fix='start the server, correct base_url or fix the network, then go on'):
    """Why an endpoint is given up that was not reached."""
    OpenAICompatible('m', base_url).check()  # nothing is asked before a model is opened
    with pytest.raises(HarnessError) as raised:
        ask(base_url, retries=5, retry_wait=1, timeout=2)
    said, mend = str(raised.value).split('; ')
    assert mend == fix
    return said.removeprefix(f'model m: {base_url}: ')


def test_a_port_that_nobody_listens_on(waited, lost):
    assert given_up(lost.base_url) == 'no connection (Connection refused)'
    assert waited == [RESTARTING]


def test_a_name_that_does_not_resolve(waited):
    assert given_up('http://nothing.invalid/v1').startswith('no connection (')
    assert waited == [RESTARTING]


def test_a_host_that_does_not_answer(waited, monkeypatch):
    monkeypatch.setattr(f'{HTTP}.CONNECTING', 1.0)  # a stall as long as that would pass for a late answer
    with ExitStack() as stack:
        full = stack.enter_context(socket.create_server(('127.0.0.1', 0), backlog=0))
        for _ in range(3):
            caller = stack.enter_context(socket.socket())
            caller.setblocking(False)
            caller.connect_ex(full.getsockname())
        assert given_up(f'http://127.0.0.1:{full.getsockname()[1]}/v1') == 'no connection (ConnectTimeout)'


def test_a_server_without_tls(waited):
    with chat_server(lambda _: 'never') as server:
        said = given_up(server.base_url.replace('http', 'https'), 'the server speaks no TLS: write http:// in base_url')
    assert said.startswith('no connection (ConnectError: [SSL') and not server.requests


@pytest.fixture
def certificate(tmp_path):
    """A file with the key and the certificate of a server on this machine, signed by itself."""
    file = tmp_path / 'server.pem'
    command = 'openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1'
    subprocess.run([*command.split(), '-keyout', file, '-out', tmp_path / 'c'], check=True, capture_output=True)
    file.write_bytes(file.read_bytes() + (tmp_path / 'c').read_bytes())
    return file


@pytest.mark.skipif(not shutil.which('openssl'), reason='makes its certificate with openssl')
def test_a_server_whose_certificate_nobody_knows(waited, certificate, monkeypatch):
    monkeypatch.delenv('SSL_CERT_FILE', raising=False)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    with chat_server(lambda _: 'at last') as server:
        server._server.socket = tls.wrap_socket(server._server.socket, server_side=True)
        address = server.base_url.replace('http', 'https')
        mend = 'let the environment variable SSL_CERT_FILE name a file with the certificate of its authority'
        assert 'self-signed certificate' in given_up(address, mend)
        monkeypatch.setenv('SSL_CERT_FILE', str(certificate))
        assert ask(address).text == 'at last'
    monkeypatch.setenv('SSL_CERT_FILE', 'gone.pem')
    with pytest.raises(CibenchError, match='correct or unset SSL_CERT_FILE'):
        ask(address)


@pytest.mark.skipif(not shutil.which('openssl'), reason='makes its certificate with openssl')
def test_tls_that_is_broken_in_the_middle_of_an_answer_is_a_lost_connection(certificate, monkeypatch):
    monkeypatch.setenv('SSL_CERT_FILE', str(certificate))
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)

    def answer():
        for _ in range(2):  # to the first connection, and to the request
            plain, _ = listening.accept()
            with socket.socket(fileno=os.dup(plain.fileno())) as raw, tls.wrap_socket(plain, server_side=True) as seen:
                seen.recv(65536)
                seen.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{')
                raw.sendall(b'\x17\x03\x03\x00\x20' + bytes(32))
                with contextlib.suppress(ConnectionError):
                    raw.recv(1000)  # until the client leaves

    with socket.create_server(('127.0.0.1', 0)) as listening:
        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(HarnessError, match=r'connection lost \(ReadError'):
            ask(f'https://127.0.0.1:{listening.getsockname()[1]}/v1', retries=0)


def test_a_server_that_is_restarting(waited, lost):
    waited.then = lambda: reopen(lost)
    assert ask(lost.base_url).text == 'at last'
    assert waited == [RESTARTING]


def test_a_server_that_was_reached_is_waited_for(waited, lost, caplog):
    """Also where the next task opens the model while the server is away. The first retry of a kind is told."""
    caplog.set_level('DEBUG', 'cibench_eval')
    reopen(lost)
    ask(lost.base_url)
    lost.close()
    waited.then = lambda: reopen(lost) if len(waited) == 2 else None
    assert ask(lost.base_url, retries=5, retry_wait=1).text == 'at last'
    assert 1 <= waited[0] <= 1.25 and 2 <= waited[1] <= 2.5
    cause = f'model m: {lost.base_url}: no connection (Connection refused)'
    told = [(one.levelname, one.getMessage()) for one in caplog.records if one.name.startswith('cibench_eval')]
    assert told == [
        ('INFO', f'{cause}; waiting {waited[0]:.1f} s for it, then try 2 of 6'),
        ('DEBUG', f'{cause}; waiting {waited[1]:.1f} s for it, then try 3 of 6'),
    ]


def test_a_server_that_was_reached_and_does_not_come_back(waited, lost):
    reopen(lost)
    ask(lost.base_url)
    lost.close()
    assert given_up(lost.base_url) == 'failed 6 times: no connection (Connection refused)'
    assert len(waited) == 5


def test_a_server_that_does_not_list_its_models(waited, monkeypatch, forever):
    monkeypatch.setattr(f'{HTTP}.CONNECTING', 0.1)
    with chat_server(lambda _: 'at last') as server:
        server._server.RequestHandlerClass.do_GET = lambda _: forever.wait()
        assert ask(server.base_url).text == 'at last'
    assert waited == []


def test_a_server_that_only_a_proxy_can_reach(waited, monkeypatch):
    with chat_server(lambda _: 'at last') as proxy:
        monkeypatch.setenv('http_proxy', proxy.base_url.removesuffix('/v1'))
        assert ask('http://nothing.invalid/v1').text == 'at last'


@pytest.mark.parametrize('proxy', ['socks://127.0.0.1:9', 'http://[::1', 'http://h:x'])
def test_a_proxy_that_is_none_is_named(monkeypatch, proxy):
    monkeypatch.setenv('ALL_PROXY', proxy)
    with pytest.raises(CibenchError, match=r'model m: the proxy of .*used: .+; correct or unset ALL_PROXY'):
        ask('http://nothing.invalid/v1')


def test_a_retry_is_told_without_the_key(waited, caplog):
    caplog.set_level('INFO', 'cibench_eval')
    ends_well(http(503, error('too busy for k-secret')), key='MY_KEY', retries=2)
    assert 'HTTP 503: too busy for [key]; waiting 0.0 s for it, then try 2 of 3' in caplog.text


BAD_ADDRESSES = ['127.0.0.1:80/v1', 'http://', 'ftp://host/v1', 'http://[::1/v1', 'http://h:x/v1', 'http://h\t/v1']
BAD_ADDRESSES += [' http://h/v1', 'http://h/v1 ', 'http://a..b/v1', f'http://{"a" * 64}.com/v1']


@pytest.mark.parametrize('base_url', [*BAD_ADDRESSES, 'http://h\x7f/v1'])
def test_what_is_no_address_is_said_before_anything_is_asked(base_url):
    with pytest.raises(CibenchError, match='base_url'):
        OpenAICompatible('m', base_url).check()


def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(monkeypatch):
    for name in ('http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'):
        monkeypatch.setenv(name, 'http://127.0.0.1:9')
    assert ends_well().text == 'at last'


# How long is waited.


def waits(waited, asked, tries):
    """The seconds that are waited before each of some retries; the endpoint asks for `asked`, or for nothing."""
    waited.clear()
    headers = {} if asked is None else {'Retry_After': asked}
    with chat_server(lambda _: http(503, error(), **headers)) as server, pytest.raises(HarnessError):
        ask(server.base_url, retries=tries, retry_wait=2)
    return list(waited)


def test_waits_follow_the_endpoint_and_are_bounded(waited):
    assert all(7 <= wait <= 8.75 for wait in waits(waited, 7, 2))
    assert waits(waited, 0, 1) == [0]
    assert min(waits(waited, 0, 3)[1:]) >= 4  # a server under load that asks for no wait is not asked without a pause
    assert max(waits(waited, LONGEST_WAIT, 3) + waits(waited, None, 12)) <= LONGEST_WAIT


@pytest.mark.parametrize(
    ('headers', 'seconds'),
    [
        ({'retry-after': '7'}, 7),
        ({'retry-after': '0.5'}, 0.5),
        ({'retry-after-ms': '250', 'retry-after': '9'}, 0.25),
        ({'retry-after': 'soon'}, None),
        ({'retry-after': '-3'}, None),
        ({'retry-after': 'nan'}, None),
        ({'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT'}, 0),
        ({'retry-after': f'Wed, 21 Oct 2015 07:28:00 +{"9" * 30}'}, None),
    ],
)
def test_retry_after(waited, headers, seconds):
    ends_well(http(503, error(), **headers), retry_wait=3)
    assert (3 if seconds is None else seconds) <= waited[0] <= 1.25 * (3 if seconds is None else seconds)


@pytest.mark.parametrize(
    ('asked', 'says'),
    [
        ('9' * 400, 'it wants inf s'),
        ((datetime.now(UTC) + timedelta(hours=11)).strftime('%a, %d %b %Y %H:%M:%S GMT'), 'it wants 3'),
    ],
    ids=['seconds', 'date'],
)
def test_a_wait_that_is_too_long_is_not_waited_for(asked, says):
    assert says in ends_badly(lambda: http(503, error(), retry_after=asked), asked=1)


def test_causes_that_go_in_a_circle_come_to_an_end(monkeypatch):
    async def send(_, request, **__):
        first, second = ConnectionError('lost'), ValueError('first')
        first.__cause__, second.__context__ = second, first
        raise httpx.ConnectError('failed', request=request) from first

    monkeypatch.setattr(httpx.AsyncClient, 'send', send)
    with pytest.raises(HarnessError, match=r'no connection \(ConnectError: failed\)'):
        ask('http://127.0.0.1:9/v1', retries=0)
