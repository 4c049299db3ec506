"""TRL: steps of its real GRPO trainer over our environment, beside OpenEnv and the core, with numpy 2."""

import json
import math
import subprocess
from pathlib import Path

import pytest

from cibench_eval.datasets import load_experiments
from tests.support.env_server import TOKEN, env_server
from tests.support.integrations import WRONG, by_run_py, gold, told, trl_python, wrong
from tests.support.notebooks import EXAMPLES

pytestmark = [pytest.mark.kernel, pytest.mark.soak]
PROGRAM = Path(__file__).with_name('trl_program.py')
(PENGUINS,) = load_experiments(EXAMPLES, include=[WRONG])


def script_of(code_of, attempts):
    return {
        step.question.strip(): [code_of(step.code, step.index, failed) for failed in range(attempts)]
        for step in PENGUINS.steps
    }


@pytest.fixture(scope='module')
def trained(tmp_path_factory):
    """What a step comes to whose model is `wrong`, and one whose server is killed when it has asked its first question.

    One process takes both, since to import TRL takes longer than they do.
    """
    python = trl_python(tmp_path_factory.mktemp('trl'))
    imports = 'import numpy, openenv, trl, cibench_eval; print(numpy.__version__)'
    assert subprocess.check_output([python, '-P', '-c', imports], text=True, cwd='/').startswith('2.')
    options = ('--max-sessions', '2', '--wait', '0')
    with env_server(*options) as server, env_server(*options) as ending:
        jobs = [
            [server.url, TOKEN, PENGUINS.id, script_of(wrong, 3), 0],
            [ending.url, TOKEN, PENGUINS.id, script_of(gold, 1), ending.process.pid],
        ]
        return told(python, PROGRAM, json.dumps(jobs))


def test_the_reward_of_a_rollout_is_the_share_of_right_steps_of_run_py(trained, tmp_path):
    found, _ = trained
    known = [score.right for score in by_run_py(tmp_path).of(WRONG) if score.right is not None]
    right = sum(known) / len(known)
    assert found['tools'] == ['answer', 'run_code']
    assert found['found'] == [{'right': right, 'invalid': ''}] * 2
    assert found['log']['reward'] == found['log']['rewards/TRLNotebookEnv/mean'] == pytest.approx(right)
    assert found['log']['tools/failure_frequency'] == 0
    assert 0 < right < 1


def test_rollouts_without_a_result_have_no_reward(trained):
    """The trainer leaves such rollouts out."""
    _, found = trained
    assert [one['right'] for one in found['found']] == [None, None]
    assert all(one['invalid'].startswith('the server is gone') for one in found['found'])
    assert found['log']['reward'] is None or math.isnan(found['log']['reward'])
