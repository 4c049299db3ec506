"""verifiers: its own package runs our notebooks to the scores of `run.py`, and gets rewards of them."""

import json
import os
import re
import subprocess
import threading
from collections import defaultdict
from pathlib import Path

import pytest

from tests.support.chat_server import Body, chat_server
from tests.support.integrations import answering, gold, python_with, scores_by_run_py, told, wrong
from tests.support.notebooks import EXAMPLES, REPO

pytestmark = [pytest.mark.kernel, pytest.mark.soak]
PROGRAM = Path(__file__).with_name('verifiers_program.py')
ONLY = ['pandas/penguins', 'scipy/oscillation']


@pytest.fixture(scope='module')
def python(tmp_path_factory):
    """A Python with verifiers beside the very versions that the harness has: both can be in one environment."""
    folder = tmp_path_factory.mktemp('verifiers') / 'venv'
    return python_with(folder, '-c', str(REPO / 'requirements/harness.lock'), 'verifiers>=0.2,<0.3')


def job(rollouts=1, turns=-1, **options):
    known = {'path': str(EXAMPLES), 'only': ONLY, 'protocol': 'react'}
    return {'options': known | options, 'rollouts': rollouts, 'turns': turns}


def by_step(scores):
    return {(one['experiment'], one['index']): (one['outcome'], one['values'], one['details']) for one in scores}


@pytest.mark.parametrize('code_of', [gold, wrong])
def test_the_same_replies_have_the_scores_of_run_py(python, tmp_path, code_of):
    with chat_server(answering(ONLY, code_of)) as server:
        ours = scores_by_run_py(tmp_path, server.base_url, ONLY)
        jobs = json.dumps([job(2), job(mode='oracle')])
        theirs = dict(zip(('end_to_end', 'oracle'), told(python, PROGRAM, server.base_url, jobs), strict=True))
    assert (len(theirs['end_to_end']), len(theirs['oracle'])) == (4, 2)
    for mode, scores in ours.items():
        expected = by_step(one.model_dump(mode='json') for one in scores)
        rights = defaultdict(list)
        for one in scores:
            rights[one.experiment].append(one.outcome == 'correct')
        for rollout in theirs[mode]:
            own = by_step(rollout['scores'])
            assert own == {key: expected[key] for key in own}
            right = rights[rollout['experiment']]
            assert (rollout['error'], len(own)) == (None, len(right))
            assert rollout['reward'] == rollout['metrics']['right'] == pytest.approx(sum(right) / len(right))
            assert rollout['metrics']['whole_sessions'] == all(right)
            assert all(right) is (code_of is gold)


def test_rewards_of_steps_of_sessions_and_by_degrees(python):
    with chat_server(answering(ONLY, wrong)) as server:
        options = [dict(), dict(per_step=True), dict(reward='session'), dict(reward='graded')]
        jobs = json.dumps([job(only='pandas/penguins', **one) for one in options])
        rollouts = [found for (found,) in told(python, PROGRAM, server.base_url, jobs)]
    steps, turned, session, graded = rollouts
    assert session['reward'] == 0 < steps['reward'] <= graded['reward'] < 1
    assert {reward for _, reward in steps['turns']} <= {None, steps['reward']}
    outcomes = [float(one['outcome'] == 'correct') for one in turned['scores']]
    assert turned['turns'] == [[step, outcomes[step]] for step in (0, 1, 1, 1, 2, 3, 3, 4)]
    assert steps['completion'].count('assistant') == 8, 'every attempt, those that later requests leave out as well'


def test_its_own_program_finds_the_environment_and_runs_it_in_processes_of_its_own(python, tmp_path):
    with chat_server(answering(ONLY, wrong)) as server:
        options = {'path': str(EXAMPLES), 'only': 'pandas/penguins', 'protocol': 'react', 'sandbox': 'auto'}
        words = ['cibench-eval', '-m', 'any', '-b', server.base_url, '-k', 'ANY_KEY', '-r', '2', '--disable-tui']
        done = subprocess.run(
            [python.with_name('vf-eval'), *words, '-a', json.dumps(options)],
            env=os.environ | {'ANY_KEY': 'any'},
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
    assert (done.returncode, 'ERROR' in done.stderr) == (0, False), done.stderr
    means = dict(re.findall(r'^(\w+): avg - ([\d.]+)', done.stdout, re.MULTILINE))
    expected = {'reward': '0.600', 'right': '0.600', 'whole_sessions': '0.000', 'executable': '0.800'}
    assert expected.items() <= means.items()


def test_a_rollout_that_is_cut_short_is_scored_and_one_that_fails_is_no_score(python):
    with chat_server(answering(ONLY, gold)) as server:
        ((short,),) = told(python, PROGRAM, server.base_url, json.dumps([job(turns=2, only='pandas/penguins')]))
    assert (short['stop'], short['error'], len(short['turns'])) == ('max_turns_reached', None, 2)
    assert [one['outcome'] for one in short['scores']] == ['correct', 'correct', 'no_tool', 'no_tool', 'no_tool']
    with chat_server(lambda messages: 500) as server:
        ((failed,),) = told(python, PROGRAM, server.base_url, json.dumps([job(only='pandas/penguins')]))
    assert (failed['stop'], failed['error'], failed['scores']) == ('has_error', 'ModelError', None)


def test_a_conversation_that_is_too_long_is_asked_again_without_its_oldest_parts(python, tmp_path):
    """The window ends behind the second step, so the third is asked without what the first showed."""
    answer, refused, lock = answering(ONLY, gold), [], threading.Lock()

    def narrow(messages):
        size = sum(len(message['content']) for message in messages)
        with lock:
            sizes.append(size)
        if size > limit:
            refused.append(size)
            return Body(json.dumps(TOO_LONG).encode())
        return answer(messages)

    only, sizes, limit = ['pandas/penguins'], [], 10**9
    with chat_server(narrow) as server:
        scores_by_run_py(tmp_path, server.base_url, only)
        limit = sorted(sizes)[-1] - 1
        again = tmp_path / 'again'
        again.mkdir()
        ours = by_step(one.model_dump(mode='json') for one in scores_by_run_py(again, server.base_url, only)['oracle'])
        before = len(refused)
        ((theirs,),) = told(python, PROGRAM, server.base_url, json.dumps([job(only=only, mode='oracle')]))
    assert 0 < before < len(refused)
    assert (theirs['error'], by_step(theirs['scores'])) == (None, ours)


TOO_LONG = {
    'error': {
        'message': "This model's maximum context length is 100 tokens. Please reduce the length of the messages.",
        'type': 'invalid_request_error',
        'code': 'context_length_exceeded',
    }
}
