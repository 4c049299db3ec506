"""A model that knows the gold behind an endpoint that fails: 100, or sessions that are named and run again by `-r`."""

import itertools
import json
import random
import re

import pytest

from cibench_eval.models import BACKENDS
from cibench_eval.run.main import main
from tests.support.chat_server import chat_server, http
from tests.support.failing import ways
from tests.support.notebooks import config_folder, small_set, solve
from tests.support.wires import WIRES

pytestmark = pytest.mark.kernel
MODEL = """
from cibench_eval.models import {backend}

models = [dict(type={backend}, abbr='mine', path={path!r}, base_url={url!r}, retries=1, retry_wait=0, **{options!r})]
"""
PART = 0.5
"""Of the replies, how many fail."""


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv('K', 'k-secret')
    config_folder(tmp_path, small_set(tmp_path / 'data', ('a', 'b')))
    return tmp_path


def gold(request):
    """What the model says: the gold code of the last question."""
    asked = re.findall(r'Set n to 20|Print n plus 1\.5', json.dumps(request))
    return solve([{'content': asked[-1]}])


def failing(wire, kinds):
    """Answers of an endpoint that fails now and then, in one way after the other."""
    chosen, dice = itertools.cycle(kinds), random.Random(0)

    def answer(request):
        way = next(chosen) if dice.random() < PART else None
        return way(wire, gold(request)) if way else wire.answer(gold(request))

    return answer


def run(project, wire, server, *words):
    path = 'openai/m' if wire.backend == 'LiteLLM' else 'm'
    config = MODEL.format(backend=wire.backend, path=path, url=server.base_url, options=wire.options)
    (project / 'configs/models/mine.py').write_text(config)
    return main(['--models', 'mine', '--datasets', 'small', '-w', str(project / 'out'), *words])


def scores(project):
    """Of each dataset and epoch: its figure, and the sessions that it lacks."""
    found = [json.loads(path.read_text()) for path in (project / 'out').glob('*/results/mine/*[!t].json')]
    return [(result.get('numeric_correct'), len(result['harness_errors'])) for result in found]


def comes_right(project, wire, kinds, epochs):
    """Run with an endpoint that fails and go on with one that does not; how often the first was asked."""
    with chat_server(failing(wire, kinds)) as server:
        code = run(project, wire, server, '--epochs', str(epochs))
        asked = len(server.requests)
    first = scores(project)
    assert {score for score, _ in first} <= {100.0, None}
    assert code == int(any(lost for _, lost in first) or len(first) < 2 * epochs)
    with chat_server(lambda request: wire.answer(gold(request))) as server:
        assert run(project, wire, server, '--epochs', str(epochs), '-r') == 0
    assert scores(project) == [(100.0, 0)] * 2 * epochs
    return asked


@pytest.mark.soak
@pytest.mark.parametrize('name', ['chat, streamed', *(name for name, wire in WIRES.items() if not wire.events)])
def test_a_model_that_knows_the_gold_gets_all_of_it(project, name):
    """Each by other ways; tests/models/test_failing_endpoints.py has every way in every wire format."""
    wire = WIRES[name]
    kinds = list(ways(wire).values())
    random.Random(name).shuffle(kinds)
    asked = comes_right(project, wire, kinds, epochs=3)
    assert asked * PART > 6


@pytest.mark.soak
def test_a_run_that_lost_long_replies_goes_on_with_streams(project):
    """As it does where a proxy closes connections on which nothing comes."""
    whole, streamed = WIRES['chat'], WIRES['chat, streamed']
    answered = itertools.count()
    with chat_server(lambda request: whole.answer(gold(request)) if next(answered) < 3 else iter(())) as server:
        assert run(project, whole, server) == 1
    with chat_server(lambda request: streamed.answer(gold(request))) as server:
        assert run(project, streamed, server, '-r') == 0
        assert len(server.requests) == 5
    assert scores(project) == [(100.0, 0)] * 2


@pytest.mark.parametrize(
    ('answer', 'note'),
    [
        (lambda: '', 'replies were empty; look at its chat template and its max_out_len'),
        (
            lambda: http(400, {'error': {'message': 'flagged', 'code': 'content_filter'}}),
            'replies were stopped by a content filter of its endpoint',
        ),
        (
            lambda: http(400, {'error': {'message': "This model's maximum context length is 64 tokens", 'code': 400}}),
            'requests did not fit into its window; look at the length that its server was given',
        ),
        (
            lambda: '```python\nprint(1)\n```',
            'steps called no code in the form that the agent react asks for; if the model writes code in another, try '
            '--agents code_block or tool_calls',
        ),
    ],
)
def test_a_table_says_that_nothing_was_answered(project, capsys, answer, note):
    too_long = 'did not fit' in note
    with chat_server(lambda request: answer()) as server:
        assert run(project, WIRES['chat'], server) == int(too_long)
    said = capsys.readouterr()
    assert re.search(rf'mine: (\d+) of \1 {note}', ' '.join(said.out.split()))
    assert bool(re.fullmatch('mine: none of its .* start a new run\n', said.err)) == too_long


def test_every_backend_with_an_endpoint_is_tested():
    others = {'LlamaCpp', 'VLLM', 'NoModel', 'GoldReplay', 'TraceReplay', 'ScriptReplay'}
    assert {wire.backend for wire in WIRES.values()} == BACKENDS.keys() - others
