"""`cibench env`: scores of `run.py` over the wire, who is let in, who waits, and what becomes of what is killed."""

import itertools
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from http.client import HTTPConnection

import psutil
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from cibench_eval import cli
from cibench_eval.datasets import load_experiments
from cibench_eval.integrations.sessions import builtin_split, sessions_of
from cibench_eval.integrations.trl_env import TRLNotebookEnv, experiments_of
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.schema import CibenchError
from tests.support.env_server import TOKEN, Client, env_server, scores_in, sleeper, sleeping
from tests.support.integrations import CALL, ONLY, RIGHT, by_run_py, gold, wrong
from tests.support.notebooks import EXAMPLES, REPO, notebook
from tests.support.soak import many

pytestmark = pytest.mark.kernel
GOLD = {one.id: one for one in load_experiments(EXAMPLES, include=ONLY)}
PENGUINS = GOLD['pandas/penguins']
SERVED = many((), ('--only', 'pandas/*'))
"""Words that leave out notebooks whose libraries kernels would take seconds to import."""
NUMBERS = itertools.count(os.getpid() * 1000)
"""Seconds that processes sleep, by which they are known."""


@pytest.fixture(scope='module')
def server():
    """One place; a reset waits for it."""
    with env_server('--max-sessions', '1', '--wait', '60', *SERVED) as server:
        yield server


@pytest.fixture(scope='module')
def of_text():
    """A server whose agents reply as text; a reset does not wait."""
    with env_server('--max-sessions', '1', '--wait', '0', '--protocol', 'react', *SERVED) as server:
        yield server


@pytest.mark.soak
def test_the_same_replies_have_the_scores_of_run_py(of_text, tmp_path):
    """Replies as text; code is sent by OpenEnv's clients, in `test_openenv.py`."""
    ours = by_run_py(tmp_path)
    asked = [words_of(messages) for messages in ours.asked]
    with Client(of_text.url) as client:
        for experiment in GOLD.values():
            is_right = experiment.id == RIGHT
            seen = client.play(experiment, gold if is_right else wrong, CALL)
            expected = ours.of(experiment.id)
            right = [score.right for score in expected if score.right is not None]
            assert scores_in(seen) == expected
            assert sum(one['reward'] or 0 for one in seen) == sum(right)
            assert seen[-1]['observation']['score']['right'] == sum(right) / len(right)
            state = client.ask('state')
            assert state['scores'] == [score.model_dump(mode='json') for score in expected]
            assert (state['score'], state['done']) == (seen[-1]['observation']['score'], True)
            said = words_of(message for one in seen[:-1] for message in one['observation']['messages'])
            assert not is_right or said in asked, 'what run.py asks'
            assert all(right) is is_right


def words_of(messages):
    return ' '.join(message['content'] for message in messages if message['role'] != 'assistant').split()


def test_only_what_is_new_is_said(server):
    with Client(server.url) as client:
        seen = client.play(PENGUINS, wrong)
    roles = [[message['role'] for message in one['observation']['messages']] for one in seen]
    assert roles[0] == ['system', 'user'] and roles[1:-1] == [
        ['tool', 'user'],  # the first step is right
        ['tool'],  # the second fails three times
        ['tool'],
        ['tool', 'user'],
        ['tool', 'user'],
        ['tool'],  # the fourth once
        ['tool', 'user'],
    ]
    assert roles[-1] == ['tool']
    said = [one['observation']['messages'][0]['tool_call_id'] for one in seen[1:]]
    assert said == [f'call{number:05}' for number in range(1, len(seen))]
    assert [one['reward'] for one in seen] == [None, None, None, None, 0, 0, None, 1, 1]
    questions = [
        message['content'] for one in seen for message in one['observation']['messages'] if message['role'] == 'user'
    ]
    assert [step.question in said for step, said in zip(PENGUINS.steps, questions, strict=True)] == [True] * 5


def test_who_has_no_token_is_refused(server):
    for token in ('', 'wrong', f'{TOKEN}x'):
        with pytest.raises(InvalidStatus, match='401'):
            Client(server.url, token)
    assert page(server, '/experiments') == (401, 'the token is missing or wrong\n')
    for ask in (experiments_of, lambda url, token: TRLNotebookEnv(url, token).reset('pandas/penguins')):
        for url, says in (
            (server.url, r'no `cibench env` that takes this token \(.*401'),
            ('http://127.0.0.1:1', r'no server there \(\[Errno 111\] .*\); start it with cibench env SET --http PORT'),
            (server.url.removeprefix('http://'), 'no address; write it as the server prints it, http://HOST:PORT'),
        ):
            with pytest.raises(CibenchError, match=says):
                ask(url, 'wrong')
    assert page(server, '/health') == (200, '{"status": "healthy"}')
    status, text = page(server, '/experiments', f'bEARER {TOKEN}')
    assert (status, json.loads(text)) == (
        200,
        [one.id for one in load_experiments(EXAMPLES, include=[*SERVED[1:]] or None)],
    )
    status, text = page(server, '/schema', f'Bearer {TOKEN}')
    assert set(json.loads(text)) == {'action', 'observation', 'state'}
    assert page(server, '/nothing', f'Bearer {TOKEN}')[0] == 404
    assert page(server, '/ws', 'Basic !')[0] == page(server, '/ws', 'Bearer \xff')[0] == 401


def page(server, path, authorization=None):
    connection = HTTPConnection(server.url.removeprefix('http://'))
    connection.request('GET', path, headers={'Authorization': authorization} if authorization else {})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


@pytest.mark.soak
def test_who_finds_no_place_is_told_so_or_waits(server, of_text):
    with Client(of_text.url) as first, Client(of_text.url) as second:
        first_of_all = first.ask('reset')['observation']['experiment']
        data = second.ask('reset')['data']
        assert (data['code'], data['active_sessions'], data['max_sessions']) == ('CAPACITY_REACHED', 1, 1)
        assert data['message'].startswith('1 of 1 places are taken, after 0 s of waiting; ')
        assert first.ask('step', end=True)['done']
        ids = experiments_of(of_text.url, TOKEN)
        next_one = second.ask('reset')['observation']['experiment']
        assert ids.index(next_one) == (ids.index(first_of_all) + 1) % len(ids)  # what is refused takes none
    with Client(server.url) as second:
        with Client(server.url) as first:
            assert not first.ask('reset')['done']
            second.send('reset')
        assert not second.answer()['done']


def test_what_is_no_message_changes_nothing(server):
    with Client(server.url) as client:
        assert client.ask('step', code='1')['data']['code'] == 'SESSION_ERROR'
        client.ask('reset', experiment=PENGUINS.id)
        client.socket.send('{')
        assert client.answer()['data']['code'] == 'INVALID_JSON'
        for kind, data, code, says in (
            ('close it', {}, 'UNKNOWN_TYPE', 'close it: no type of message; there is reset, step, state, close'),
            (['step'], {}, 'UNKNOWN_TYPE', "['step']: no type of message"),
            ('step', {}, 'VALIDATION_ERROR', 'step: give code or text, or else end'),
            ('step', {'code': '1', 'end': True}, 'VALIDATION_ERROR', 'step: give code or text, or else end'),
            ('step', {'text': '1', 'end': True}, 'VALIDATION_ERROR', 'step: give code or text, or else end'),
            ('step', {'code': 5}, 'VALIDATION_ERROR', 'step: code: it must be a valid string'),
            ('step', {'cod': '1'}, 'VALIDATION_ERROR', 'step: cod is unknown'),
            ('reset', {'experiment': 'x'}, 'EXECUTION_ERROR', 'experiment: x: no notebook of this server'),
            ('reset', {'seed': -1}, 'VALIDATION_ERROR', 'seed: it must be greater than or equal to 0'),
        ):
            found = client.ask(kind, **data)['data']
            assert (found['code'], says in found['message']) == (code, True), found
        much = 'x' * 2**20
        assert client.ask('step', code=f'{PENGUINS.steps[0].code}  # \ud800 {much}')['observation']['step'] == 2
        assert client.ask('state') | {'scores': []} == {
            'episode_id': None,
            'step_count': 1,
            'experiment': PENGUINS.id,
            'scores': [],
            'score': {},
            'invalid': '',
            'done': False,
        }


def test_a_session_that_is_ended_early_is_scored(server):
    with Client(server.url) as client:
        client.ask('reset', seed=3, episode_id='mine')
        client.ask('step', code=PENGUINS.steps[0].code, text=None)
        (blank,) = client.ask('step', text='')['observation']['messages']
        assert 'There was no answer' in blank['content']
        seen = client.ask('step', code=None, text='', end=True)
        assert (seen['reward'], seen['done'], seen['observation']['score']['right']) == (0, True, 0)
        assert [one['outcome'] for one in seen['observation']['scores']] == ['no_tool'] * 4
        assert client.ask('state')['episode_id'] == 'mine'
        assert client.ask('step', code='1')['data']['message'] == 'the session is over: reset begins another'


ALONE = """
import sys
from tests.support.env_server import Client, sleeper
with Client(sys.argv[1]) as client:
    client.ask('reset')
    client.ask('step', code=sleeper(int(sys.argv[2])) + '1 / 0')
    client.send('step', code='import time\\ntime.sleep(86400)')
    print('busy', flush=True)
    client.answer()
"""


def test_a_client_that_is_killed_leaves_no_kernel(server):
    """While its code runs. Its place is free when all of its session has ended."""
    number = next(NUMBERS)
    words = [sys.executable, '-c', ALONE, server.url, str(number)]
    with subprocess.Popen(words, cwd=REPO, stdout=subprocess.PIPE, text=True) as client:
        assert client.stdout.readline() == 'busy\n'
        assert sleeping(number)
        client.kill()
    with Client(server.url) as other:
        assert not other.ask('reset')['done']
        assert not sleeping(number)


def test_a_kernel_that_is_killed_costs_nothing(server):
    number = next(NUMBERS)
    with Client(server.url) as client:
        client.ask('reset', experiment=PENGUINS.id)
        rewards = []
        for index, step in enumerate(PENGUINS.steps):
            seen = client.ask('step', code=('' if index else sleeper(number)) + step.code)
            rewards.append(seen['reward'])
            if not index:
                (child,) = sleeping(number)
                child.parent().kill()
        assert (rewards, seen['done'], seen['observation']['invalid']) == ([None, 1, 1, 1, 1], True, '')
        assert not sleeping(number)


def running_below(pid):
    """The processes below a process that have not ended."""
    below = psutil.Process(pid).children(recursive=True)
    return [one for one in below if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.soak
def test_a_session_without_a_kernel_is_no_result(tmp_path):
    """Where no new kernel can be started in the place of one that was killed. The server goes on."""
    python, away = tmp_path / 'bin/python', tmp_path / 'away'
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nexec {KernelEnvironment.find("modern").python} "$@"\n')
    python.chmod(0o755)
    words = ('--only', PENGUINS.id, '--sandbox', 'none', '--environment', str(python))
    with env_server(*words) as server, Client(server.url) as client:
        client.ask('reset', experiment=PENGUINS.id)
        first = client.ask('step', code=PENGUINS.steps[0].code)
        python.rename(away)
        while below := running_below(server.process.pid):  # spare kernels may be on their way
            for one in below:
                with suppress(psutil.NoSuchProcess):
                    one.kill()
        lost = client.ask('step', code=PENGUINS.steps[1].code)
        state = client.ask('state')
        away.rename(python)
        again = client.ask('reset', experiment=PENGUINS.id)
        after = client.ask('step', code=PENGUINS.steps[0].code)
    assert (first['reward'], first['done']) == (None, False)
    assert (lost['reward'], lost['done'], lost['observation']['scores']) == (None, True, [])
    assert (
        lost['observation']['invalid']
        == state['invalid']
        == f'kernels: {python} does not start: No such file or directory'
    )
    assert state['score'] == {}
    assert (again['done'], after['reward']) == (False, None)


@pytest.mark.soak
@pytest.mark.parametrize('by', [signal.SIGINT, *many([signal.SIGKILL, signal.SIGTERM], [])])
def test_a_server_that_ends_leaves_nothing(by):
    number = next(NUMBERS)
    with env_server() as server:
        with Client(server.url) as client:
            client.ask('reset', experiment=PENGUINS.id)
            client.ask('step', code=sleeper(number) + PENGUINS.steps[0].code)
            below = psutil.Process(server.process.pid).children(recursive=True)
            assert len(sleeping(number)) == 1 and sleeping(number)[0] in below
            client.send('step', code='import time\ntime.sleep(86400)')
            server.process.send_signal(by)
            with pytest.raises(ConnectionClosed):
                client.answer()
        assert server.process.wait(60) == (-by if by == signal.SIGKILL else 0)
        _, alive = psutil.wait_procs(below, timeout=60)
        assert not alive


def test_the_class_for_trl_plays_a_session_with_its_tools(server, of_text):
    rollout = TRLNotebookEnv(server.url, TOKEN)
    assert PENGUINS.id in experiments_of(server.url, TOKEN)
    first = rollout.reset(experiment=PENGUINS.id, prompt='a column of the data set')
    assert first.startswith('Answer data science') and PENGUINS.steps[0].question.strip() in first
    nothing = 'There was no code; call run_code with some.'
    assert rollout.run_code(' ') == nothing
    assert PENGUINS.steps[1].question.strip() in rollout.run_code(PENGUINS.steps[0].code)
    assert 'ZeroDivisionError' in rollout.run_code('1 / 0')
    assert PENGUINS.steps[2].question.strip() in rollout.answer('I do not know.')
    assert rollout.get_reward() == 0 == rollout.get_reward()
    rollout.reset(seed=3)
    for step in PENGUINS.steps:
        said = rollout.run_code(step.code)
    assert said.endswith('That was the last question.') and rollout.run_code('1') == 'That was the last question.'
    assert (rollout.get_reward(), rollout.invalid) == (1, '')
    with Client(of_text.url) as other, pytest.raises(CibenchError, match='1 of 1 places are taken'):
        other.ask('reset')
        TRLNotebookEnv(of_text.url, TOKEN).reset(seed=0)
    with pytest.raises(CibenchError, match='no column `experiment`'):
        rollout.reset(prompt='alone')
    for _ in range(2):  # one that is dropped gives its place back
        TRLNotebookEnv(server.url, TOKEN).reset(seed=0)


@pytest.mark.soak
def test_the_class_for_trl_gives_no_reward_where_the_server_is_gone():
    with env_server() as server:
        rollout = TRLNotebookEnv(server.url, TOKEN)
        rollout.reset(experiment=PENGUINS.id)
        assert rollout.run_code(PENGUINS.steps[0].code)
        server.process.kill()
        lost = 'The session is lost; there are no more questions.'
        assert rollout.run_code(PENGUINS.steps[1].code) == lost == rollout.answer('')
    assert rollout.get_reward() is None and rollout.invalid.startswith('the server is gone: ')


@pytest.mark.parametrize(
    ('words', 'says'),
    [
        (['--http', 'here'], "env: --http: 'here' is no [HOST:]PORT; give 8000, or 127.0.0.1:8000"),
        pytest.param(['--http', '192.0.2.1:0'], 'env: 192.0.2.1:0 cannot be had', marks=pytest.mark.soak),
        (['--token', 'NOT_SET'], 'env: --token: the environment variable NOT_SET is not set'),
        (['--environment', 'paper'], 'are of the kernel environment modern, kernels run in paper'),
    ],
)
def test_wrong_words_are_one_line_each(words, says, capsys):
    assert cli.main(['env', str(EXAMPLES), '--sandbox', 'auto', *words]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    ('options', 'says'),
    [
        (dict(onli='x'), 'onli is unknown; did you mean only?'),
        (dict(splt='x'), 'splt is unknown; did you mean split?'),
        (dict(mode='orcale'), "mode: it must be 'end_to_end' or 'oracle'"),
        (dict(explore='maybe'), 'explore: it must be a valid boolean'),
    ],
)
def test_wrong_options_of_any_framework_are_one_line_each(options, says):
    with pytest.raises(CibenchError) as raised:
        sessions_of(EXAMPLES, **options)
    assert str(raised.value).startswith(says)


def test_a_split_is_found_by_the_name_of_its_set_and_the_nearest_is_named():
    assert builtin_split('builtin_hard_chinese') == builtin_split('hard_chinese')
    for split, near in (('builtin_hrad', 'hard'), ('builtin_generation', 'cibench_generation')):
        with pytest.raises(CibenchError) as raised:
            builtin_split(split)
        assert str(raised.value).endswith(f'or a folder of notebooks; did you mean {near}?')


@pytest.mark.soak
def test_a_set_that_gives_no_reward_is_refused(tmp_path, capsys):
    (tmp_path / 'a.ipynb').write_text(json.dumps(notebook(('exec', 'let `n` be 2.', 'n = 2', ''))))
    for name in (str(tmp_path), 'easy'):
        assert cli.main(['env', name, '--http', '192.0.2.1:0']) == 2
    undecided, unknown = capsys.readouterr().err.splitlines()
    assert 'a.ipynb: nothing decides whether one of its steps is right' in undecided
    assert 'easy: no split of a built-in set; there is cibench_generation, cibench_template, ' in unknown
