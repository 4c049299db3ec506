"""Harbor's tasks in containers of the machine's Podman, built of an image that `cibench kernel image` has made.

What Harbor does is done by hand: both images of a task are built, its solution runs in the agent's container, and what
it leaves in /app/answers goes into the verifier's container, which has no network.
"""

import json
import shutil
import subprocess
import sys

import pytest

from cibench_eval import cli
from cibench_eval.interpreter.environments import KernelEnvironment
from tests.integrations.test_harbor import exported, missing, spoiled
from tests.interpreter.engines import forget_engine, podman_problem, put_podman_on_path, small_system
from tests.interpreter.programs import ENGINE, run
from tests.support.chat_server import chat_server
from tests.support.integrations import answering, scores_by_run_py
from tests.support.notebooks import EXAMPLES

ROOM = 20 * 10**9
"""Bytes that making an image takes for a while: three times its size, by Podman's way, and the images of tasks."""
pytestmark = [
    pytest.mark.kernel,
    pytest.mark.soak,
    pytest.mark.skipif(shutil.disk_usage('/var/tmp').free < ROOM, reason='less than 20 GB of free disk'),
]
TASK = 'matplotlib/weather_cn'
"""What has figures with Chinese text, whose font is in the image."""
LIMITS = ('--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096')


def podman(*words):
    done = subprocess.run(['podman', *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def in_container(image, *command, volumes=()):
    mounts = [word for path, inside in volumes for word in ('--volume', f'{path}:{inside}')]
    return podman('run', '--rm', '--network', 'none', *LIMITS, *mounts, image, *command)


@pytest.fixture(scope='module')
def base(tmp_path_factory):
    if problem := podman_problem():
        pytest.skip(f'no container of Podman: {problem}')
    folder = tmp_path_factory.mktemp('base')
    small_system(folder / 'system', KernelEnvironment.find('modern'))
    words = ['kernel', 'image', 'modern', '--command', 'podman', '--tag', 'k:1', '--root', str(folder / 'system')]
    with pytest.MonkeyPatch.context() as patch:
        put_podman_on_path(patch, folder)
        assert cli.main(words) == 0
        yield 'k:1'
    forget_engine()


def test_an_image_of_a_kernel_environment_needs_nothing_of_this_machine(base):
    imports = 'import matplotlib, cv2, pandas, torch, scipy, seaborn, lightgbm, nltk, sklearn, tensorflow\nprint("all")'
    assert in_container(base, 'python', '-c', imports) == 'all\n'


def test_a_session_in_it_has_the_outputs_of_one_in_the_files_of_this_machine(base):
    code = 'import pandas as pd, matplotlib.pyplot as plt\nplt.plot([1, 3])\nplt.show()\npd.Series([1.5, 2]).describe()'
    options = ENGINE.settings | {'sandbox_options': {'command': 'podman', 'image': base}}
    (here,), (there,) = (run(code, '1', **settings)[:1] for settings in (options, ENGINE.settings))
    assert here.status == 'ok'
    assert [(o.type, o.text, o.html) for o in here.outputs] == [(o.type, o.text, o.html) for o in there.outputs]
    assert [figure.sha256 for figure in here.figures] == [figure.sha256 for figure in there.figures]


def test_rewards_in_containers_are_those_of_run_py(base, tmp_path):
    """Images are built without a network; the packages that they install are at hand."""
    task = exported(tmp_path / 'tasks', EXAMPLES, '--base', base) / TASK.replace('/', '-')
    wheels, requirements = tmp_path / 'wheels', task / 'tests/requirements.txt'
    subprocess.run([sys.executable, '-m', 'pip', 'wheel', '-q', '-w', wheels, '-r', requirements], check=True)
    (tmp_path / 'pip.conf').write_text('[global]\nno-index = true\nfind-links = /wheels\n')
    mounts = ['--volume', f'{wheels}:/wheels:ro', '--volume', f'{tmp_path}/pip.conf:/etc/pip.conf:ro']
    for part in ('environment', 'tests'):
        podman('build', '--quiet', '--network', 'none', *LIMITS, *mounts, '--tag', f'{part}:1', task / part)
    assert in_container('environment:1', 'find', '/', '-xdev', '-name', task.name.partition('-')[2] + '.ipynb') == ''
    answers = tmp_path / 'answers'
    answers.mkdir()
    in_container(
        'environment:1',
        *('sh', '/solution/solve.sh'),
        volumes=[(task / 'solution', '/solution:ro'), (answers, '/app/answers')],
    )
    reward, scores = verified(answers, tmp_path / 'gold')
    assert (reward['reward'], reward['whole_sessions']) == (1, 1), scores
    reward, scores = verified(spoiled(answers), tmp_path / 'wrong')
    with chat_server(answering([TASK], missing)) as server:
        expected = scores_by_run_py(tmp_path, server.base_url, [TASK])['end_to_end']
    assert scores == [one.model_dump(mode='json') for one in expected]
    right = [one.right for one in expected if one.right is not None]
    assert reward['reward'] == pytest.approx(sum(right) / len(right))
    assert 0 < sum(right) < len(right)


def verified(answers, logs):
    logs.mkdir()
    in_container('tests:1', 'sh', '/tests/test.sh', volumes=[(answers, '/app/answers:ro'), (logs, '/logs/verifier')])
    return [json.loads((logs / f'{name}.json').read_text()) for name in ('reward', 'scores')]
