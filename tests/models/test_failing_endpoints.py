"""Endpoints that fail, in every wire format: what they say instead of a reply is never the model's answer."""

import itertools

import pytest

from cibench_eval import models
from cibench_eval.schema import HarnessError, Reply
from tests.support.asking import HELLO, replies_and_faults
from tests.support.chat_server import chat_server, http
from tests.support.failing import ways
from tests.support.soak import many
from tests.support.wires import WIRES

TEXT = 'Thought: easy\nAction: IPythonInterpreter\nAction Input:\n```python\nn = 20\n```'

FEW = [name for name, wire in WIRES.items() if wire.backend != many('', 'LiteLLM')]
"""Wire formats; LiteLLM, which takes seconds to import, in the soak."""


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv('K', 'k-secret')


def replies(server, wire, number):
    """The replies and errors of a model that is asked some times."""
    path = 'openai/m' if wire.backend == 'LiteLLM' else 'm'
    options = {'path': path, 'retries': 0, **wire.options}
    return replies_and_faults(getattr(models, wire.backend), server.base_url, [HELLO] * number, **options)


@pytest.mark.parametrize('name', FEW)
def test_no_way_to_fail_is_a_reply(name):
    wire = WIRES[name]
    found = ways(wire)
    answers = itertools.chain([wire.answer(TEXT)], (way(wire, TEXT) for way in found.values()), [wire.answer(TEXT)])
    with chat_server(lambda _: next(answers)) as server:
        first, *failed, last = replies(server, wire, len(found) + 2)
    assert len(found) >= 60
    assert (first.text, last.text, first.finish_reason) == (TEXT, TEXT, 'stop')
    taken = {way: reply for way, reply in zip(found, failed, strict=True) if not isinstance(reply, HarnessError)}
    assert not taken
    for error in failed:
        assert str(error).isprintable() and len(str(error)) < 700


HALF = 'half \ud83d'


def thinking(name, whole):
    """An answer with thoughts that hold half a character, in the fields of its API."""
    if name == 'messages':
        whole['content'].insert(0, {'type': 'thinking', 'thinking': HALF, 'signature': HALF})
    if name == 'responses':
        summary = [{'type': 'summary_text', 'text': HALF}]
        whole['output'].insert(0, {'type': 'reasoning', 'id': HALF, 'encrypted_content': HALF, 'summary': summary})
    if name == 'gemini':
        parts = whole['candidates'][0]['content']['parts']
        parts.insert(0, {'text': HALF, 'thought': True, 'thoughtSignature': HALF})
    if name in ('chat', 'litellm'):
        whole['choices'][0]['message'] |= {'reasoning_content': HALF, 'reasoning_blocks': [{HALF: HALF}]}
    return whole


@pytest.mark.parametrize(
    'name', [name for name, wire in WIRES.items() if not wire.events and wire.backend != many('', 'LiteLLM')]
)
def test_half_a_character_in_a_reply_can_be_filed(name):
    wire = WIRES[name]
    with chat_server(lambda _: http(200, thinking(name, wire.whole(TEXT + HALF, wire.good)))) as server:
        (reply,) = replies(server, wire, 1)
    assert (reply.text, reply.reasoning) == (TEXT + 'half \ufffd', 'half \ufffd')
    assert Reply.model_validate_json(reply.model_dump_json()) == reply
    assert bool(reply.reasoning_blocks) == (name != 'litellm')
