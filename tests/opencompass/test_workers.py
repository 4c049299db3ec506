"""Runs on several GPUs of this machine: shares as processes, each with GPUs of its own."""

import re
import signal

import psutil
import pytest

from cibench_eval import cli
from tests.support.held import NAMES, eight_sessions, finish, started
from tests.support.notebooks import add_endpoint
from tests.support.runs import change, one_line, outcome, results, run_folder

VARIABLE = 'CUDA_VISIBLE_DEVICES'
WORDS = ('--models', 'mine', '--datasets', 'small', '--max-sessions', '1')
TWO = {VARIABLE: 'GPU-a,GPU-b'}


@pytest.fixture
def project(tmp_path, model, monkeypatch):
    """Eight sessions of two steps, of a model that needs a GPU; two are there."""
    change(eight_sessions(tmp_path, model) / 'models/mine.py', 'retries=0', 'retries=0, run_cfg=dict(num_gpus=1)')
    monkeypatch.setenv(VARIABLE, TWO[VARIABLE])
    return tmp_path


@pytest.fixture
def start(project):
    with started(project) as begin:
        yield lambda *words: begin(*WORDS, *words)


def workers_of(process):
    """The workers of a run, by the places of their shares."""
    found = [one for one in psutil.Process(process.pid).children() if 'cibench_eval.run.job' in one.cmdline()]
    return {one.cmdline()[-1]: one for one in found}


@pytest.mark.soak
@pytest.mark.kernel
def test_each_gpu_has_a_worker_and_the_run_ends_as_any_other(project, model, start, here, monkeypatch, capsys):
    with monkeypatch.context() as alone:
        alone.setenv(VARIABLE, '0')
        assert here(*WORDS).returncode == 0
    local = run_folder(project).rename(project / 'local')
    assert not (local / 'cluster').exists(), 'with one GPU there are no further processes'
    running = model.hold(start)  # with one session at once in a process
    workers = workers_of(running)
    assert {one.environ()[VARIABLE] for one in workers.values()} == {'GPU-a', 'GPU-b'}
    cores = [set(one.cpu_affinity()) for one in workers.values()]
    assert len(psutil.Process().cpu_affinity()) < 2 or not cores[0] & cores[1]
    assert cli.main(['status', str(run_folder(project))]) == 0
    assert re.search(r'mine +\d+/16 +0/8 .* 2 running', capsys.readouterr().out)
    assert here(*WORDS, '-r').returncode == 2, 'two runs do not run the same sessions'
    model.open.set()
    finish(running)
    folder = run_folder(project)
    assert outcome(folder) == outcome(local)
    logs = [path.read_text() for path in folder.glob('logs/infer/shares/*.out')]
    assert len(logs) == 2 and all(re.search(r'GPU GPU-[ab], \d+ of \d+ cores', log) for log in logs)


@pytest.mark.kernel
@pytest.mark.soak
def test_a_worker_that_is_killed_is_named_and_its_sessions_are_gone_on_with(project, model, start):
    running = model.hold(start)
    workers_of(running)['0'].kill()
    model.open.set()
    said = finish(running, 1)
    assert 'killed by signal 9' in said and '1 task failed' in said, said
    finish(start('-r'))
    assert model.begun == [*NAMES], 'what was done before was not done again'
    assert results(run_folder(project))['numeric_correct'] == 100


@pytest.mark.kernel
@pytest.mark.soak
@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_the_run_and_the_next_one_goes_on(project, model, start, here, monkeypatch, number):
    running = model.hold(start)
    workers = list(workers_of(running).values())
    running.send_signal(number)
    finish(running, 130 if number == signal.SIGINT else -9)
    assert not psutil.wait_procs(workers, timeout=30)[1]
    model.open.set()
    monkeypatch.setenv(VARIABLE, '0')
    assert here(*WORDS, '-r').returncode == 0
    assert model.begun == [*NAMES]


@pytest.mark.kernel
@pytest.mark.soak
def test_models_without_gpus_run_beside_them(project, model, start):
    add_endpoint(project / 'configs', 'other', model.url)
    finish(start('--models', 'mine', 'other'))
    assert outcome(run_folder(project)) == outcome(run_folder(project), 'other')


@pytest.mark.parametrize(('said', 'number'), [('0,2', 2), ('1,-1,2', 1), (' GPU-1 , MIG-2', 2)])
def test_the_gpus_are_those_that_the_process_may_use(project, here, monkeypatch, said, number):
    change(project / 'configs/models/mine.py', 'num_gpus=1', 'num_gpus=9')
    monkeypatch.setenv('PATH', str(project))
    monkeypatch.setenv(VARIABLE, said)
    one_line(here(*WORDS), 'model mine needs 9 GPUs', f'this process may use {number}:')


@pytest.mark.parametrize(
    ('script', 'number'),
    [
        ('echo "GPU 0: NVIDIA H100 (UUID: GPU-1)"; echo "GPU 1: NVIDIA H100 (UUID: GPU-2)"', 2),
        ('echo "GPU 0: failed"; echo "GPU 1: failed"; exit 9', 0),
    ],
)
def test_without_that_variable_the_driver_is_asked(project, here, monkeypatch, script, number):
    """Where it knows of no GPU, the run is one process."""
    program = project / 'nvidia-smi'
    program.write_text(f'#!/bin/sh\n{script}\n')
    program.chmod(0o755)
    monkeypatch.setenv('PATH', str(project))
    monkeypatch.delenv(VARIABLE)
    assert re.search(f'infer(, eval)?: {number or 1} task', here(*WORDS, '--dry-run').stdout)


@pytest.mark.parametrize(
    ('needs', 'gpus', 'most', 'shares'),
    [
        ([1], 8, None, 8),
        ([4], 8, None, 2),
        ([1, 0], 8, None, 9),
        ([1], 8, 2, 2),
        ([1], 8, 1, 1),
        ([1], 1, None, 1),
        ([8], 8, None, 1),
        ([0], 8, None, 1),
    ],
)
def test_a_run_is_cut_into_as_many_shares_as_there_are_places(project, here, monkeypatch, needs, gpus, most, shares):
    monkeypatch.setenv(VARIABLE, ','.join(map(str, range(gpus))))
    endpoint = project / 'configs/models/mine.py'
    names = [f'model{place}' for place in range(len(needs))]
    for name, number in zip(names, needs, strict=True):
        text = endpoint.read_text().replace("'mine'", f"'{name}'").replace('num_gpus=1', f'num_gpus={number}')
        (project / f'configs/models/{name}.py').write_text(text)
    words = ('--max-num-workers', str(most)) if most else ()
    said = here('--models', *names, '--datasets', 'small', *words, '--dry-run').stdout
    assert re.search(f'infer(, eval)?: {shares} task', said)
