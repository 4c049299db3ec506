"""A hostile session is contained: an honest one beside several of them does what it does alone."""

import json
import os
import subprocess
import sys

import pytest

from tests.interpreter.neighbours import COSTLY, HONEST, HOSTILE
from tests.interpreter.nobody import nobody_problem, run_as_nobody
from tests.interpreter.programs import ENGINE, FORK, REPO, level_problem

pytestmark = [pytest.mark.kernel, pytest.mark.soak]
MODULE = 'tests.interpreter.neighbours'
AS_MODULE = f'import runpy, sys\nsys.argv[1:] = ["fork"]\nrunpy.run_module({MODULE!r}, run_name="__main__")'


def as_this_user(how='fork', names=(*HOSTILE, *COSTLY)):
    env = {**os.environ, 'PYTHONPATH': str(REPO)}
    command = [sys.executable, '-m', MODULE, how, *names]
    return subprocess.run(command, env=env, cwd=REPO, capture_output=True, text=True)


def as_ordinary_user():
    if problem := nobody_problem():
        pytest.skip(problem)
    return run_as_nobody(AS_MODULE)


def in_containers():
    if problem := level_problem(ENGINE):
        pytest.skip(problem)
    with ENGINE.imposed():
        return as_this_user('engine', OF_THE_MACHINE)


OF_THE_MACHINE = ('fork_bomb', 'flood', 'sockets', 'burners', 'watchdog_trap')
"""What takes of the machine, which the engine shares out; what the harness reads is the same without it."""


@pytest.mark.parametrize('run', [as_this_user, as_ordinary_user, in_containers])
def test_an_honest_session_beside_hostile_ones(run):
    """In a process of its own, because what a process has used at most never shrinks."""
    if problem := level_problem(FORK):
        pytest.skip(problem)
    done = run()
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found['failed'] == []
    assert all(ends.get('begun') for ends in found['hostile'].values()), found['hostile']
    assert found['beside'] == found['after'] == found['quiet']
    assert len(found['quiet']) == len(HONEST)
    assert found['memory'] < 300
    assert found['busy'] < 0.5
