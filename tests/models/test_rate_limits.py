"""How fast an endpoint is asked: the arithmetic on a clock of the test's, and what a model does with it."""

import asyncio
import itertools
import json
from functools import partial

import pytest

from cibench_eval.models import OpenAICompatible
from cibench_eval.models.rate_limits import Bucket
from cibench_eval.schema import HarnessError
from tests.support.asking import HELLO, IMAGE, TURN, ask_each
from tests.support.chat_server import Body, chat_server, completion, http


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(autouse=True)
def _forget(monkeypatch):
    """No limit is known, and no time passes while models ask, however busy the machine is."""
    monkeypatch.setattr('cibench_eval.models.rate_limits._known', {})
    monkeypatch.setattr('cibench_eval.models.rate_limits.Bucket', partial(Bucket, clock=lambda: 100.0))


def ask(models, *, times=1):
    async def session():
        for model in models:
            async with model:
                await asyncio.gather(*(model.chat(HELLO, TURN) for _ in range(times)))

    asyncio.run(session())


def asked(limit, *conversations, **settings):
    """Ask once for each conversation; the endpoint does not say what was used."""
    body = json.dumps({**completion('hi'), 'usage': None}).encode()
    with chat_server(lambda _: body) as server:
        ask_each(OpenAICompatible, server.base_url, conversations, **limit, **settings)


def test_a_tenth_of_a_minute_at_once_then_evenly(waited):
    asked({'requests_per_minute': 60}, *[HELLO] * 9)
    assert sorted(round(seconds) for seconds in waited) == [1, 2, 3]


def test_the_first_request_of_a_slow_endpoint_does_not_wait(waited):
    asked({'requests_per_minute': 2}, *[HELLO] * 3)
    assert sorted(round(seconds) for seconds in waited) == [30, 60]


def estimated(messages, waited, **settings):
    """The tokens that a request is reckoned to have: the seconds that it waits where 60 a minute are allowed, and 6."""
    waited.clear()
    asked({'tokens_per_minute': 60}, messages, **settings)
    return round(waited[0]) + 6


def test_it_fills_with_time_up_to_its_size(clock):
    bucket = Bucket(60, least=1, clock=clock)
    assert bucket.take(6) == 0
    clock.now += 3
    assert bucket.take(4) == pytest.approx(1)
    clock.now += 3600
    assert [bucket.take(6), bucket.take(1)] == [0, 1]


def test_what_was_not_used_is_given_back(clock):
    bucket = Bucket(6000, clock=clock)
    assert bucket.take(600) == 0
    bucket.give_back(500)
    assert bucket.take(500) == 0
    bucket.give_back(-100)
    assert bucket.take(0) == 1


def test_no_minute_sees_more_than_a_tenth_above_the_limit(clock):
    bucket = Bucket(60, least=1, clock=clock)
    sent = []
    for _ in range(500):
        sent.append(clock.now + bucket.take(1))
        clock.now += 0.1
    assert max(sum(start <= time < start + 60 for time in sent) for start in sent) <= 66


@pytest.mark.parametrize(('text', 'tokens'), [('hello world ' * 100, 300), ('你好世界' * 100, 400)])
def test_estimates_are_from_above_and_no_more_than_double(waited, monkeypatch, text, tokens):
    found = []
    for settings in ({}, {'generation_kwargs': {'max_tokens': 50}}):
        monkeypatch.setattr('cibench_eval.models.rate_limits._known', {})
        found.append(estimated([{'role': 'user', 'content': text}], waited, **settings))
    assert tokens <= found[0] <= 2 * tokens and found[1] == found[0] + 50


def test_an_image_is_no_text(waited, monkeypatch):
    """A figure of 300 kB is 100,000 tokens as text, and about a thousand to any model that sees it."""
    words = {'type': 'text', 'text': 'What is this?'}
    image = {**IMAGE, 'image_url': {'url': f'data:image/png;base64,{"A" * 400_000}'}}
    without = estimated([{'role': 'user', 'content': [words]}], waited)
    monkeypatch.setattr('cibench_eval.models.rate_limits._known', {})
    assert without + 1398 <= estimated([{'role': 'user', 'content': [words, image]}], waited) <= without + 2000


def test_models_of_one_endpoint_and_key_wait_for_each_other_and_the_lowest_limit_counts(waited, monkeypatch):
    monkeypatch.setenv('K', 'k')
    with chat_server(lambda _: 'hi') as server:
        first = OpenAICompatible('m', server.base_url, requests_per_minute=600)
        lowest = OpenAICompatible('m', f'{server.base_url}/', requests_per_minute=1)
        ask([first, lowest, OpenAICompatible('m', server.base_url)], times=2)
        ask([OpenAICompatible('m', server.base_url, 'K', requests_per_minute=1)])
    assert len(server.requests) == 7
    assert [round(seconds / 60) for seconds in waited] == [1, 2, 3]


def test_the_longer_of_both_waits(waited):
    limits = {'requests_per_minute': 60_000, 'tokens_per_minute': 600}
    with chat_server(lambda _: 'hi') as server:
        ask([OpenAICompatible('m', server.base_url, generation_kwargs={'max_tokens': 120}, **limits)])
    assert waited == [pytest.approx(8, abs=1)]


def test_retries_count_as_requests(waited):
    answers = iter([500, 'hi'])
    with chat_server(lambda _: next(answers)) as server:
        ask([OpenAICompatible('m', server.base_url, retry_wait=0, requests_per_minute=1)])
    assert [round(seconds / 60) for seconds in waited if seconds] == [1]


def test_the_estimate_is_corrected_by_what_was_used(waited):
    """Each reply may have 1,000 tokens and has 5: reckoned by estimates alone, the second would wait a minute."""
    settings = {'max_tokens': 1000}
    with chat_server(lambda _: 'hi') as server:
        model = OpenAICompatible('m', server.base_url, generation_kwargs=settings, tokens_per_minute=11_000)
        ask([model, model, model])
    assert waited == []


LONG = [{'role': 'user', 'content': 'x' * 8_000}]
OVERFLOW = b'{"error": {"message": "too long", "code": "context_length_exceeded"}}'


def test_what_is_refused_costs_no_tokens(waited):
    """Eight conversations that are too long, 2,700 tokens each, where 60,000 a minute are allowed."""
    with chat_server(lambda _: Body(OVERFLOW)) as server:
        replies = ask_each(OpenAICompatible, server.base_url, [LONG] * 8, tokens_per_minute=60_000)
    assert [reply.finish_reason for reply in replies] == ['context_overflow'] * 8
    assert waited == []


def test_what_fails_costs_no_tokens(waited):
    answers = iter([500, b'half an answ', 503, http(500), 'hi'])
    with chat_server(lambda _: next(answers)) as server:
        (reply,) = ask_each(OpenAICompatible, server.base_url, [LONG], tokens_per_minute=60_000)
    assert reply.text == 'hi'
    assert waited == [0] * 4  # before the retries


def test_a_request_that_is_given_up_takes_nothing_from_the_others(request):
    async def session():
        async with OpenAICompatible('m', server.base_url, tokens_per_minute=6_000) as model:
            waiting = asyncio.create_task(model.chat(LONG, TURN))
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting

    with chat_server(lambda _: 'hi') as server:
        asyncio.run(session())
        assert server.requests == []
        waited = request.getfixturevalue('waited')
        ask([OpenAICompatible('m', server.base_url, tokens_per_minute=6_000)])
    assert waited == []


def test_the_estimate_stays_where_no_usage_is_told(waited):
    asked({'tokens_per_minute': 11_000}, HELLO, HELLO, generation_kwargs={'max_tokens': 1000})
    assert len(waited) == 1


def test_a_rate_limit_loses_no_request_while_others_are_answered():
    """A server answers every sixth request: with five retries each, eight at once would not all come to theirs."""
    count = itertools.count(1)

    def answer(_):
        return json.dumps(completion('hi')).encode() if next(count) % 6 == 0 else http(429, {'error': {}})

    with chat_server(answer) as server:
        ask([OpenAICompatible('m', server.base_url, retry_wait=0)], times=8)
    assert next(count) == 6 * 8 + 1


def test_waits_for_a_limit_of_a_minute_are_longer_than_a_minute(waited):
    with chat_server(lambda _: http(429, {'error': {}})) as server, pytest.raises(HarnessError, match='failed 6 times'):
        ask([OpenAICompatible('m', server.base_url)])
    assert [at for at, seconds in enumerate(waited) if not 4 * 2**at <= seconds <= 5 * 2**at] == []
    assert sum(waited) > 60
