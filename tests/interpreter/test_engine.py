"""Sessions in containers: in the soak those of the machine's own engine, Podman, or Docker with CIBENCH_ENGINE=docker.

Otherwise, and where it has none, those of the scripted docker. The hostile programs run in both, too (`programs.py`).
"""

import asyncio
import functools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from cibench_eval.analysis.results import Results
from cibench_eval.interpreter import Interpreter, KernelSettings
from cibench_eval.interpreter.scratch import scratch
from cibench_eval.run.main import main
from cibench_eval.schema import CibenchError
from tests.interpreter.engines import engine_problem, forget_engine, put_docker_on_path, put_engine_on_path, store
from tests.interpreter.programs import DOCKER, ENGINE, FORK, GIB, MIB, REPO, children, level_problem, run
from tests.support.soak import SOAK

OWN = SOAK and not engine_problem()
CONTAINER = ENGINE if OWN else DOCKER
PROBLEM = '' if OWN else level_problem(FORK)
pytestmark = [pytest.mark.kernel, pytest.mark.skipif(bool(PROBLEM), reason=f'no container here: {PROBLEM}')]
SETTINGS = KernelSettings(**CONTAINER.settings)
execute = functools.partial(run, **CONTAINER.settings)


OF_THE_ENGINE = [pytest.mark.soak, pytest.mark.skipif(not OWN, reason=f'no engine here: {engine_problem()}')]
"""Marks of what the scripted docker does not have."""


def of_the_engine(test):
    for mark in OF_THE_ENGINE:
        test = mark(test)
    return test


@pytest.fixture(autouse=True)
def engine(monkeypatch, tmp_path):
    """Puts it on PATH; afterwards nothing of its containers is left."""
    (tmp_path / 'bin').mkdir()
    (put_engine_on_path if OWN else put_docker_on_path)(monkeypatch, tmp_path / 'bin')
    before = children()
    yield
    assert wait_until(lambda: containers() == []), containers()
    assert wait_until(lambda: children() - before == set())
    assert [path for path in scratch().iterdir() if (path / 'sockets').exists()] == []
    forget_engine()


def wait_until(holds):
    """Whether something holds within half a minute."""
    deadline = time.monotonic() + 30
    while not (found := holds()) and time.monotonic() < deadline:
        pass
    return found


def ask(*words):
    return subprocess.run([ENGINE.engine, *words], capture_output=True, text=True, check=True).stdout


def containers():
    """Names of the containers of sessions, also of those that have ended."""
    if not OWN:
        return [file.name for file in scripted().glob('container-*')]
    return [name for name in ask('ps', '--all', '--format', '{{.Names}}').split() if name.startswith('cibench-')]


def scripted():
    return Path(os.environ['SCRIPTED_DOCKER'])


def about(container):
    return json.loads(ask('inspect', container))[0]


def pid_in(container):
    return about(container)['State']['Pid'] if OWN else json.loads((scripted() / container).read_text())['pid']


WORK = (
    "import pandas as pd, os\nprint(os.getcwd(), os.environ['HOME'], sorted(os.environ))\n"
    "pd.read_csv('data/x.csv').describe()",
    "import matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\nplt.title('每月')\nplt.show()",
    "open('data/x.csv', 'a').write('+')\nimport numpy as np\nnp.linalg.svd(np.vander(np.arange(1, 9.0)))[1]",
    '!echo from a shell\n1 / 0',
)


@pytest.mark.soak
def test_outputs_are_those_of_bubblewrap(tmp_path):
    if problem := level_problem(FORK):
        pytest.skip(problem)
    (tmp_path / 'sources' / 'data').mkdir(parents=True)
    (tmp_path / 'sources' / 'data' / 'x.csv').write_text('a\n1\n2\n')
    here, there = (run(*WORK, **level.settings, datasources=tmp_path / 'sources') for level in (CONTAINER, FORK))
    for one, other in zip(here, there, strict=True):
        assert (one.status, one.error and one.error.value) == (other.status, other.error and other.error.value)
        assert [(o.type, o.text, o.html) for o in one.outputs] == [(o.type, o.text, o.html) for o in other.outputs]
        assert [figure.sha256 for figure in one.figures] == [figure.sha256 for figure in other.figures]
    assert [e.status for e in here] == ['ok', 'ok', 'ok', 'error']
    assert (tmp_path / 'sources' / 'data' / 'x.csv').read_text() == 'a\n1\n2\n'


RUNTIME = """\
from mmengine.config import read_base

with read_base():
    from .local import eval, infer, kernels

kernels = dict(kernels, **{changes})
"""


@of_the_engine
def test_a_whole_run_of_gold_has_full_marks(tmp_path):
    shutil.copytree(REPO / 'configs', tmp_path / 'configs')
    (tmp_path / 'configs/runtimes/here.py').write_text(RUNTIME.format(changes=ENGINE.settings))
    words = ['--models', 'gold_replay', '--datasets', 'demo_slice', '--config-dir', str(tmp_path / 'configs')]
    assert main([*words, '--runtime', 'here', '-w', str(tmp_path / 'out')]) == 0
    found = [Results.read(path).steps for path in tmp_path.glob('out/*/results/gold-replay/demo_slice*.json')]
    assert [len(steps) for steps in found] == [8, 8]
    assert {one.outcome for steps in found for one in steps} == {'correct'}
    assert {value for steps in found for one in steps for value in one.values.values()} == {1}


@of_the_engine
def test_results_name_it():
    found = SETTINGS.provenance()
    assert (found['sandbox'], found['kernel_start'], found['limits']) == (ENGINE.engine, 'spawn', 'container')


@of_the_engine
def test_it_sees_nothing_that_describes_the_machine():
    (execution,) = execute(
        'import os\n'
        'of_engine = ("/etc/hosts", "/etc/resolv.conf", "/run/.containerenv")\n'
        'print([os.listdir(name) for name in ("/sys/class", "/sys/devices", "/sys/kernel")])\n'
        'print("passwd" in os.listdir("/etc"), [open(name).read() for name in of_engine if os.path.exists(name)])'
    )
    hardware, files = execution.stdout.splitlines()
    assert hardware == '[[], [], []]'
    assert files.startswith('False ')
    assert socket.gethostname() not in files
    for line in Path('/etc/resolv.conf').read_text().splitlines():
        assert line.split()[-1] not in files


@pytest.mark.soak
def test_time_limits_deaths_and_recovery():
    stubborn = 'import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass'
    codes = ('a = 5', 'while True: pass', 'a', stubborn, 'a', 'import os; os._exit(3)', 'a', 'os.kill(1, 9); 7')
    found = execute(*codes, timeout=1.5, grace=0.5)
    assert [e.status for e in found] == ['ok', 'timeout', 'ok', 'timeout', 'ok', 'kernel_died', 'ok', 'error']
    assert [found[at].result for at in (2, 4, 6)] == ['5'] * 3


@pytest.mark.soak
@pytest.mark.skipif(bool(level_problem(CONTAINER)), reason=level_problem(CONTAINER))
def test_memory_that_runs_out_is_named(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path / 'bin')
    before = {*Path.cwd().iterdir()}
    code = 'blocks = []\nwhile True: blocks.append(bytearray(range(256)) * 2**16)'
    died, after = execute(code, '1', memory=GIB // 4)
    assert died.error.value.startswith('the session used more than 0.25 GiB of memory')
    assert after.result == '1'
    assert not OWN or {*Path.cwd().iterdir()} == before  # the monitor of a container that ran out of it writes a file


@of_the_engine
def test_limits_are_those_of_its_control_groups():
    async def session():
        async with Interpreter(SETTINGS.model_copy(update={'memory': GIB // 4, 'processes': 20})) as interpreter:
            execution = await interpreter.run(bomb)
            (container,) = containers()
            return execution, about(container)['HostConfig']

    bomb = 'import threading, time\nfor _ in range(99):\n    threading.Thread(target=time.sleep, args=(9,)).start()'
    execution, host = asyncio.run(session())
    assert (host['Memory'], host['MemorySwap'], host['PidsLimit']) == (GIB // 4, GIB // 4, 20)
    assert execution.error.value == "can't start new thread"


@pytest.mark.soak
def test_data_that_do_not_fit_are_one_line(tmp_path):
    (tmp_path / 'sources' / 'data').mkdir(parents=True)
    (tmp_path / 'sources' / 'data' / 'x.bin').write_bytes(bytes(3 * MIB))
    with pytest.raises(CibenchError, match=r'datasources: .* cannot be copied into a session: .*No space left'):
        execute('1', datasources=tmp_path / 'sources', disk=2 * MIB)


def killed_container(container):
    os.kill(pid_in(container), signal.SIGKILL)


def killed_by_the_engine(container):
    ask('kill', container)


def killed_monitor(container):
    psutil.Process(pid_in(container)).parent().kill()


def killed_client(container):
    (client,) = [p for p in psutil.Process().children() if container in p.cmdline()]
    client.kill()


@pytest.mark.soak
@pytest.mark.parametrize(
    'kill',
    [
        killed_container,
        *(pytest.param(by, marks=OF_THE_ENGINE) for by in (killed_by_the_engine, killed_monitor, killed_client)),
    ],
)
def test_a_session_whose_container_or_engine_is_killed_goes_on(kill):
    async def session():
        async with Interpreter(SETTINGS) as interpreter:
            await interpreter.run('a = 3')
            (container,) = containers()
            kill(container)
            async with asyncio.timeout(30):
                await interpreter._kernel._process.wait()
            return await interpreter.run('a')

    assert asyncio.run(session()).result == '3'


HARNESS = f"""\
import asyncio
from cibench_eval.interpreter import Interpreter, KernelSettings
async def session():
    async with Interpreter(KernelSettings(**{CONTAINER.settings})) as interpreter:
        await interpreter.run('1')
        print('runs', flush=True)
        await interpreter.run('while True: pass')
asyncio.run(session())
"""


@pytest.mark.soak
def test_containers_end_with_their_killed_harness():
    harness = subprocess.Popen(
        [sys.executable, '-c', HARNESS], cwd=REPO, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert harness.stdout.readline() == 'runs\n'
    (container,) = containers()
    clients = [process for process in psutil.Process(harness.pid).children() if 'run' in process.cmdline()]
    inside = psutil.Process(pid_in(container))
    harness.kill()
    harness.wait()
    assert psutil.wait_procs([inside, *clients], timeout=30)[1] == []
    assert clients


@pytest.mark.soak
def test_sessions_that_are_cancelled_leave_nothing():
    async def begin():
        async with Interpreter(SETTINGS) as interpreter:
            await interpreter.run('while True: pass')

    async def session(seconds):
        task = asyncio.create_task(begin())
        await asyncio.wait([task], timeout=seconds)
        task.cancel()
        await asyncio.wait([task])

    for seconds in (0.01, 0.1, 0.2, 0.3, 0.5):
        asyncio.run(session(seconds))
        assert wait_until(lambda: containers() == [])


@of_the_engine
def test_nothing_of_its_groups_and_mounts_is_left():
    async def session():
        async with Interpreter(SETTINGS) as interpreter:
            await interpreter.run('1')
            (container,) = containers()
            name = about(container)['Id']
            return [path for path in Path('/sys/fs/cgroup').glob('*/*/*') if name in path.name]

    def mounts():
        return [line for line in Path('/proc/mounts').read_text().splitlines() if str(store()) in line]

    before = mounts()
    if not (groups := asyncio.run(session())):
        pytest.skip('its control groups are elsewhere than engines make them for root in version 1')
    assert wait_until(lambda: not any(path.exists() for path in groups))
    assert mounts() == before
