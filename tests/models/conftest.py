"""Time that passes at once, answers that never come, a key, and no server that a test leaves behind."""

import asyncio
import threading

import pytest

from cibench_eval.models import servers

SLEEP = asyncio.sleep


class Waited(list):
    """Seconds; what stands in `then` is called before a sleep is over."""

    then = staticmethod(lambda: None)

    async def sleep(self, seconds):
        self.append(seconds)
        self.then()
        await SLEEP(0)


@pytest.fixture
def waited(monkeypatch):
    """The seconds that were to be slept, and were not; no endpoint was reached before."""
    monkeypatch.setattr('cibench_eval.models.http_model._reached', set())
    waited = Waited()
    monkeypatch.setattr(asyncio, 'sleep', waited.sleep)
    return waited


@pytest.fixture
def forever():
    """An event that is set when the test is over: what waits for it waits for as long as the test asks."""
    over = threading.Event()
    yield over
    over.set()


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv('MY_KEY', 'k-secret')


@pytest.fixture(autouse=True)
def no_server_is_left():
    yield
    servers.stop_all()
