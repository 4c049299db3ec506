"""Secrets in configs are refused without being shown, and those that an endpoint quotes are masked."""

import logging

import pytest

from cibench_eval.models import Anthropic, Gemini, LiteLLM, OpenAICompatible, OpenAIResponses
from cibench_eval.schema import CibenchError, HarnessError
from tests.support.asking import ask
from tests.support.chat_server import chat_server, http

SECRET = 'sk-proj-aB3dE5fG7hI9jK1l'
BACKENDS = [OpenAICompatible, OpenAIResponses, Anthropic, Gemini, LiteLLM]


def refused(backend, **options):
    with pytest.raises(CibenchError) as raised:
        backend('openai/m', **options).check()
    (line,) = str(raised.value).splitlines()
    return line


@pytest.mark.parametrize('backend', BACKENDS)
@pytest.mark.parametrize(
    'address', ['https://me:{}@host/v1', 'https://{}@host/v1', 'me:{}@host/v1', 'https://h/v1?api-key={}', 'h://h/#{}']
)
def test_an_address_with_a_secret_is_refused_and_not_shown(monkeypatch, backend, address):
    monkeypatch.setenv('K', 'k-secret')
    said = refused(backend, base_url=address.format(SECRET), key='K')
    assert 'base_url has a' in said and '`key`' in said
    assert SECRET not in said


@pytest.mark.parametrize('backend', BACKENDS)
@pytest.mark.parametrize('key', [SECRET, 'hf_aB3dE5fG7hI9jK1lMnOpQr', '0123456789abcdef0123456789abcdef', 'a b', ''])
def test_a_key_in_the_place_of_its_name_is_refused_and_not_shown(backend, key):
    said = refused(backend, base_url='http://127.0.0.1:9/v1', key=key)
    assert (
        said
        == "model openai/m: key must be the NAME of the environment variable with the API key, as in key='MY_API_KEY'"
    )


@pytest.mark.parametrize(
    'key', ['OPENAI_API_KEY', 'key_2', 'MY_KEY_OF_THE_YEAR_2026', 'my_own_key_for_this', 'my_own_key_of_the_year_2026']
)
def test_names_of_variables_are_names(monkeypatch, key):
    monkeypatch.delenv(key, raising=False)
    said = refused(OpenAICompatible, base_url='http://127.0.0.1:9/v1', key=key)
    assert f'environment variable {key} (its API key) is not set' in said


def test_a_word_like_a_key_is_a_name_where_it_names_a_variable(monkeypatch):
    word = 'keyofmyownoftheyear2026'
    assert 'must be the NAME' in refused(OpenAICompatible, base_url='http://127.0.0.1:9/v1', key=word)
    monkeypatch.setenv(word, 'x')
    OpenAICompatible('m', 'http://127.0.0.1:9/v1', key=word).check()


@pytest.mark.parametrize(
    ('backend', 'key'),
    [(Anthropic, 'ANTHROPIC_API_KEY'), (Gemini, 'GEMINI_API_KEY'), (OpenAIResponses, 'OPENAI_API_KEY')],
)
def test_vendors_have_a_usual_key(monkeypatch, backend, key):
    monkeypatch.delenv(key, raising=False)
    assert f'environment variable {key} (its API key) is not set' in refused(backend)


def test_a_key_that_a_framework_gives_is_read_as_one_of_the_environment_is():
    model = OpenAICompatible('m', 'http://127.0.0.1:9/v1')
    model.given = 'sk-x\n'
    assert model.headers == {'Authorization': 'Bearer sk-x'}
    model.given = 'sk-x\ny'
    with pytest.raises(CibenchError, match='model m: what it was given does not hold an API key: it has a line break'):
        model.check()


QUOTES = [
    f'Authorization: Bearer {SECRET}',
    'Authorization: Basic bWU6c2VjcmV0',
    'proxy-authorization: basic bWU6c2VjcmV0',
    f'got headers {{"x-api-key": "{SECRET}", "accept": "*/*"}}',
    f"[(b'x-goog-api-key', b'{SECRET}')]",
    f'{{\\"api_key\\": \\"{SECRET}\\"}}',
    f'api-key={SECRET}',
    f'POST https://host/v1/chat?api-version=1&key={SECRET} failed',
    f'https://me:{SECRET}@host/v1 is down',
    f'invalid token Bearer {SECRET}',
    'invalid token Basic bWU6c2VjcmV0',
    f'Incorrect API key provided: {SECRET}.',
    f'Cookie: session={SECRET}',
]


@pytest.mark.parametrize('said', QUOTES)
def test_what_an_endpoint_quotes_of_a_request_is_masked(said, caplog):
    caplog.set_level(logging.INFO)
    with (
        chat_server(lambda _: http(500, {'error': {'message': said}})) as server,
        pytest.raises(HarnessError) as raised,
    ):
        ask(OpenAICompatible, server.base_url, retries=1)
    for text in (str(raised.value), caplog.text):
        assert '[key]' in text
        assert SECRET not in text and 'bWU6c2VjcmV0' not in text


@pytest.mark.parametrize(
    'said',
    [
        'Basic authentication is required',
        'set the x-api-key header',
        'You need a Bearer token to use this',
        'what? a=b',
        'the key of task-1 is not there',
        'http://127.0.0.1:8000/v1/chat/completions was not found',
    ],
)
def test_other_words_stay(said):
    with (
        chat_server(lambda _: http(400, {'error': {'message': said}})) as server,
        pytest.raises(HarnessError) as raised,
    ):
        ask(OpenAICompatible, server.base_url)
    assert f'HTTP 400: {said};' in str(raised.value)
