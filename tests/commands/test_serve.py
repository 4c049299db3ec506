"""`cibench serve`: an MCP client sits a run over stdio and over HTTP, leaves it, comes back, and is kept out."""

import asyncio
import base64
import csv
import io
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from PIL import Image

from cibench_eval import cli
from cibench_eval.agents import FunctionAgent, Session
from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import builtin_folder
from cibench_eval.models import NoModel
from cibench_eval.traces import TraceStore
from tests.support.env_server import sleeper, sleeping
from tests.support.notebooks import config_folder, small_set
from tests.support.sessions import experiment, settings_of

pytestmark = pytest.mark.kernel
ROOT = Path(__file__).parents[2]
TOKEN = 'secret-1'
TWO = ['matplotlib/wind_rose', 'pandas/titanic']
GOLD = {
    one.id: one for one in load_experiments(builtin_folder('builtin', 'modern') / 'cibench_generation', include=TWO)
}


def words(tmp_path):
    return [
        '--datasets',
        *(f'builtin_generation/{name.partition("/")[2]}' for name in TWO),
        '-w',
        str(tmp_path / 'runs'),
    ]


def over_stdio(tmp_path, *more, log):
    from mcp import Client, StdioServerParameters, stdio_client  # here: every process of the tests reads this file

    command = StdioServerParameters(
        command=sys.executable,
        args=['-m', 'cibench_eval.cli', 'serve', *more, *words(tmp_path)],
        cwd=str(ROOT),
        env=dict(os.environ),
    )
    return Client(stdio_client(command, errlog=log))


@contextmanager
def served(*more):
    """A server of HTTP while the block runs, whose standard error says the rest, and what lets a client ask it."""
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    def asking(ask):
        async def asked():
            http = httpx2.AsyncClient(headers={'Authorization': f'Bearer {TOKEN}'}, timeout=120)
            async with http, Client(streamable_http_client(server.address, http_client=http)) as client:
                return await ask(client)

        return asyncio.run(asyncio.wait_for(asked(), 120))

    command = [sys.executable, '-m', 'cibench_eval.cli', 'serve', '--http', '0', '--token', 'MY_TOKEN', *more]
    options = {'cwd': ROOT, 'env': {**os.environ, 'MY_TOKEN': TOKEN}, 'stderr': subprocess.PIPE, 'text': True}
    with subprocess.Popen(command, **options) as server:
        try:
            server.address = next(line for line in server.stderr if line.startswith('MCP server: ')).split()[-1]
            yield server, asking
        finally:
            server.terminate()


async def said(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    return result.content


def place_of(question):
    """Experiment and step that a question says it is of."""
    head = question.removeprefix('Experiment ').splitlines()[0]
    name, _, rest = head.partition(', step ')
    return GOLD[name], int(rest.split()[0]) - 1


async def sit(client, most=None):
    """Answer every question with its gold code, at most `most` of them; the last thing that was said."""
    ((first),) = await said(client, 'question')
    text, number = first.text, 0
    while text.startswith('Experiment ') and number != most:
        experiment, step = place_of(text)
        assert experiment.steps[step].question in text
        shown = await said(client, 'run_python', code=experiment.steps[step].code)
        assert 'attempts left' in shown[0].text
        if experiment.steps[step].kind == 'vis':
            assert Image.open(io.BytesIO(base64.b64decode(shown[1].data))).format == 'PNG'
        ((after),) = await said(client, 'submit')
        text, number = after.text, number + 1
    return text


def run_folder(tmp_path):
    (folder,) = (tmp_path / 'runs').iterdir()
    return folder


@pytest.mark.soak
def test_two_whole_experiments_to_100_over_stdio_with_a_pause(tmp_path):
    """The client leaves after two questions; the next one goes on where it was."""

    async def twice():
        with (tmp_path / 'log').open('w') as log:
            async with over_stdio(tmp_path, '--name', 'scripted', log=log) as client:
                tools = (await client.list_tools()).tools
                assert sorted(tool.name for tool in tools) == ['question', 'run_python', 'submit']
                assert (await sit(client, 2)).startswith('Experiment ')
            async with over_stdio(tmp_path, '--name', 'scripted', '-r', log=log) as client:
                ((question),) = await said(client, 'question')
                assert 'The session has come so far' in question.text
                assert await sit(client) == 'That was the last question. Thank you.'

    asyncio.run(asyncio.wait_for(twice(), 300))
    folder = run_folder(tmp_path)
    stores = map(TraceStore, folder.glob('predictions/**/*.traces.jsonl'))
    traces = [trace for store in stores for trace in store.load().values()]
    assert {trace.experiment for trace in traces} == set(GOLD)
    for trace in traces:
        gold = GOLD[trace.experiment]
        assert [step.attempts[-1].action.code for step in trace.steps] == [step.code for step in gold.steps]
    table = sorted((folder / 'summary').glob('*.csv'))[-1]
    whole = next(csv.DictReader(table.open(encoding='utf-8')))
    assert (whole['model'], whole['experiments'], whole['average'], whole['whole_sessions']) == (
        'scripted',
        '2',
        '100.0',
        '100.0',
    )


@pytest.mark.parametrize('mode', ['end_to_end', 'oracle'])
def test_who_is_asked_in_the_golds_state_is_shown_how_it_came_about(monkeypatch, mode):
    from cibench_eval.agents import mcp_server

    desk = mcp_server.Desk()
    monkeypatch.setattr(mcp_server, 'DESK', desk)
    tools = mcp_server.Tools(desk)
    protocol = FunctionAgent(path='cibench_eval.agents.mcp_server:ServedAgent')
    session = Session(experiment('gold = 20', 'print(gold + 1)'), NoModel(), settings_of(protocol, mode))

    async def client():
        first = await tools.question()
        await tools.run_python('```python\nown = 1\n```')
        (nothing,) = await tools.run_python('')
        assert 'There was no code; give some.' in nothing and '1 attempt left' in nothing
        second = await tools.submit()
        (held,) = await tools.run_python("sorted({'own', 'gold'} & {*globals()})")
        await tools.submit()
        return first, second, held

    async def both():
        sat = asyncio.create_task(client())
        await session.run()
        desk.close()
        return await sat

    first, second, held = asyncio.run(asyncio.wait_for(both(), 120))
    assert first.endswith('no variables are defined yet.\n\nquestion 0') and second.endswith('\n\nquestion 1')
    oracle = mode == 'oracle'
    assert ('nothing of yours' in second, 'gold = 20' in second) == (oracle, oracle)
    assert ("['gold']" if oracle else "['own']") in held


@pytest.mark.soak
def test_http_with_a_token(tmp_path):
    async def ask(client):
        ((question),) = await said(client, 'question')
        ((again),) = await said(client, 'question')
        assert question.text == again.text
        ((refused),) = await said(client, 'submit')
        assert 'Nothing was run for this question yet' in refused.text
        for left in [f'{n} attempt{"" if n == 1 else "s"} left' for n in range(5, -1, -1)]:
            shown = await said(client, 'run_python', code='1 / 0')
            assert 'ZeroDivisionError' in shown[0].text and left in shown[0].text
        (over,) = await said(client, 'run_python', code='1')
        assert over.text == 'There are no attempts left at this question: call submit.'
        ((following),) = await said(client, 'submit')
        assert ', step 2 of ' in following.text
        running = asyncio.ensure_future(said(client, 'run_python', code='sum(range(10**7))'))
        await said(client, 'question')  # comes behind the code, which is still running
        ((third),) = await said(client, 'submit')
        assert '5 attempts left' in (await running)[0].text and ', step 3 of ' in third.text

    with served(*words(tmp_path)) as (server, asking):
        for token in (None, 'Bearer wrong'):
            headers = {'Authorization': token} if token else {}
            assert httpx2.post(server.address, headers=headers, json={}, timeout=120).status_code == 401
        asking(ask)


@pytest.mark.parametrize(
    ('more', 'says'),
    [
        (['--models', 'gold_replay'], 'serve: --models: not with this command, whose agent is the client'),
        (['--datasets', 'demo', '--model', 'gold_replay'], '--model: no such flag; did you mean --models?'),
        (['--datasets', 'demo', '--http', '0', '--token', 'NOT_SET'], 'the environment variable NOT_SET is not set'),
        (['--datasets', 'demo', '--name', 'my agent/x'], "serve: --name is 'my agent/x'; it cannot have a slash"),
        (['--datasets', 'nothing'], 'configs/datasets: no file nothing.py'),
    ],
)
def test_wrong_flags_end_it_before_a_client_is_there(capsys, more, says):
    with pytest.raises(SystemExit) as ended:
        sys.exit(cli.main(['serve', *more]))
    assert (ended.value.code, says in capsys.readouterr().err) == (2, True)


@pytest.mark.soak
def test_over_http_it_ends_with_the_run(tmp_path, monkeypatch):
    """With the tables, and nothing behind them; the client has its last answer."""
    small = small_set(tmp_path / 'data', ('a',))
    for one in load_experiments(small):
        monkeypatch.setitem(GOLD, one.id, one)
    run = ['--datasets', 'small', '--config-dir', str(config_folder(tmp_path, small)), '-w', str(tmp_path / 'runs')]
    with served(*run) as (server, asking):
        assert asking(sit) == 'That was the last question. Thank you.'
        said_at_last = server.stderr.read()
    assert server.returncode == 0
    assert 'Whole is the share of sessions' in said_at_last and 'Traceback' not in said_at_last


@pytest.mark.soak
def test_it_is_ended_while_nobody_asks(tmp_path):
    with served('--datasets', 'demo_slice', '-w', str(tmp_path)) as (server, _):
        next(line for line in server.stderr if '1 running' in line or 'sessions,' in line)
        server.send_signal(signal.SIGTERM)
        said = server.stderr.read()
    assert server.returncode and 'Traceback' not in said
    assert 'go on with: the same command with -r' in said


@pytest.mark.soak
def test_it_is_interrupted_while_code_runs(tmp_path):
    """At once: nobody waits for the end of that code."""
    number = os.getpid() * 1000

    async def ask(client):
        running = asyncio.ensure_future(client.call_tool('run_python', {'code': f'{sleeper(number)}sleeper.wait()'}))
        while not sleeping(number):
            await asyncio.sleep(0)
        server.send_signal(signal.SIGINT)
        await asyncio.wait([running])

    with served(*words(tmp_path)) as (server, asking):
        try:
            asking(ask)
        except* httpx2.TransportError:
            pass  # the client leaves when the server is gone
        said = server.stderr.read()
    assert (server.returncode, 'Traceback' in said, sleeping(number)) == (130, False, [])
    assert said.count('cibench: interrupted') == 1
    assert 'go on with: the same command with -r' in said
