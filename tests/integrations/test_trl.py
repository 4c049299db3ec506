"""TRL: a step of its real GRPO trainer over our environment, beside OpenEnv and the core, with numpy 2."""

import json
import math
import subprocess
from pathlib import Path

import pytest

from cibench_eval.datasets import load_experiments
from tests.support.chat_server import chat_server
from tests.support.env_server import TOKEN, env_server
from tests.support.integrations import answering, gold, new_python, scores_by_run_py, told, wrong
from tests.support.notebooks import EXAMPLES, REPO

pytestmark = [pytest.mark.kernel, pytest.mark.soak]
PROGRAM = Path(__file__).with_name('trl_program.py')
PACKAGES = ['trl==1.16.0', 'torch==2.13.0', 'openenv-core==0.3.0', f'{REPO / "distributions/core"}[env]']
(PENGUINS,) = load_experiments(EXAMPLES, include=['pandas/penguins'])


@pytest.fixture(scope='module')
def python(tmp_path_factory):
    python = new_python(tmp_path_factory.mktemp('trl') / 'venv', *PACKAGES)
    imports = 'import numpy, openenv, trl, cibench_eval; print(numpy.__version__)'
    assert subprocess.check_output([python, '-P', '-c', imports], text=True, cwd='/').startswith('2.')
    return python


def trained(python, code_of, attempts, *, ends=False):
    script = {
        step.question.strip(): [code_of(step.code, step.index, failed) for failed in range(attempts)]
        for step in PENGUINS.steps
    }
    with env_server('--max-sessions', '2', '--wait', '0') as server:
        words = [server.url, TOKEN, PENGUINS.id, json.dumps(script), server.process.pid if ends else 0]
        return told(python, PROGRAM, *words)


@pytest.mark.parametrize(('code_of', 'attempts'), [(gold, 1), (wrong, 3)])
def test_the_reward_of_a_rollout_is_the_share_of_right_steps_of_run_py(python, tmp_path, code_of, attempts):
    with chat_server(answering([PENGUINS.id], code_of)) as endpoint:
        ours = scores_by_run_py(tmp_path, endpoint.base_url, [PENGUINS.id])['end_to_end']
    known = [score.right for score in ours if score.right is not None]
    right = sum(known) / len(known)
    found = trained(python, code_of, attempts)
    assert found['tools'] == ['answer', 'run_code']
    assert found['found'] == [{'right': right, 'invalid': ''}] * 2
    assert found['log']['reward'] == found['log']['rewards/TRLNotebookEnv/mean'] == pytest.approx(right)
    assert found['log']['tools/failure_frequency'] == 0
    assert (right == 1) is (code_of is gold)


def test_rollouts_without_a_result_have_no_reward(python):
    """The server is killed when it has asked its first question; the trainer leaves such rollouts out."""
    found = trained(python, gold, 1, ends=True)
    assert [one['right'] for one in found['found']] == [None, None]
    assert all(one['invalid'].startswith('the server is gone') for one in found['found'])
    assert found['log']['reward'] is None or math.isnan(found['log']['reward'])
