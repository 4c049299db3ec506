"""OpenEnv: the clients of its real packages play our notebooks to the scores of `run.py`."""

import json
from pathlib import Path

import pytest

from cibench_eval.datasets import load_experiments
from tests.support.env_server import TOKEN, env_server, scores_in
from tests.support.integrations import ONLY, RIGHT, by_run_py, gold, new_python, told, trl_python, wrong
from tests.support.notebooks import EXAMPLES

pytestmark = [pytest.mark.kernel, pytest.mark.soak]
PROGRAM = Path(__file__).with_name('openenv_program.py')
SCRIPTS = {
    one.id: [
        [(gold if one.id == RIGHT else wrong)(step.code, step.index, failed) for failed in range(3)]
        for step in one.steps
    ]
    for one in load_experiments(EXAMPLES, include=ONLY)
}


@pytest.fixture(scope='module')
def server():
    with env_server('--max-sessions', '1', '--wait', '0') as server:
        yield server


def alone(near):
    """A Python with OpenEnv and nothing of ours."""
    return new_python(near / 'venv', 'openenv==0.10.0')


@pytest.mark.parametrize(('made', 'ways'), [(trl_python, 1), (alone, 2)], ids=['openenv-core 0.3', 'openenv 0.10'])
def test_its_clients_play_to_the_scores_of_run_py(made, ways, server, tmp_path):
    """With the token as a password and, where they send headers, as a header."""
    ours = by_run_py(tmp_path)
    found = told(made(tmp_path), PROGRAM, server.url, TOKEN, json.dumps(SCRIPTS))
    assert len(found['played']) == ways * len(ONLY)
    for one in found['played']:
        expected = ours.of(one['state']['experiment'])
        right = sum(score.outcome == 'correct' for score in expected)
        assert scores_in(one['seen']) == expected
        assert one['state']['scores'] == [score.model_dump(mode='json') for score in expected]
        assert sum(seen['reward'] or 0 for seen in one['seen']) == right < len(expected)
        assert (one['state']['episode_id'], one['state']['done']) == ('one', True)
    full, no_action, done = found['said']
    assert '1 of 1 places are taken' in full and '(code: CAPACITY_REACHED)' in full
    assert '(code: VALIDATION_ERROR)' in no_action and done is True
    assert 'HTTP 401' in found['refused']
