"""Runs on a real Slurm: jobs that are killed, cancelled and queued again, nodes that fail, submitters that go away."""

import json
import os
import re
import signal
import subprocess
import sys
from pwd import getpwnam

import pytest

from tests.support.held import NAMES, eight_sessions, finish, held_model, started
from tests.support.notebooks import add_endpoint
from tests.support.runs import change, outcome, results, run_folder, run_here
from tests.support.slurm import PARTITION, slurm

pytestmark = pytest.mark.kernel

WORDS = ('--models', 'mine', '--datasets', 'small')
ON_SLURM = ('--slurm', '-p', PARTITION, '--max-num-workers', '2')
SITE = """
from mmengine.config import read_base

with read_base():
    from .slurm import eval, infer, kernels

infer['runner'].update(cpus_per_task=1, memory=None, time={time!r}, poll_seconds=0.2)
"""


@pytest.fixture(scope='module')
def cluster(request):
    with slurm(standby=getattr(request, 'param', False)) as made:
        yield made


@pytest.fixture
def project(tmp_path, model, cluster, monkeypatch):
    """Eight sessions of two steps. What is started in the folder finds the Slurm."""
    (eight_sessions(tmp_path, model) / 'runtimes/site.py').write_text(SITE.format(time=None))
    for name in ('SLURM_CONF', 'PATH'):
        monkeypatch.setenv(name, cluster.environment[name])
    return tmp_path


@pytest.fixture(scope='module')
def local(tmp_path_factory):
    """The outcome of a run without Slurm."""
    project = tmp_path_factory.mktemp('local')
    with held_model() as model:
        eight_sessions(project, model)
        return outcome(run_here(project, *WORDS))


@pytest.fixture
def start(project):
    """Start `run.py` on the Slurm in a process of its own; two jobs at a time."""
    with started(project) as begin:
        yield lambda *words: begin(*WORDS, '--runtime', 'site', *ON_SLURM, '--max-tasks', '3', *words)


def cibench(cluster, *words):
    """What a command prints."""
    argv = [sys.executable, '-m', 'cibench_eval.cli', *map(str, words)]
    return subprocess.run(argv, env=cluster.environment, capture_output=True, text=True, timeout=600).stdout


@pytest.mark.soak
def test_jobs_are_killed_and_queued_again_and_the_controller_dies(project, model, cluster, start, local):
    running = model.hold(start, '--max-tasks', '4')
    cluster.wait(lambda: len(cluster.jobs('RUNNING')) == 2)
    killed, requeued = cluster.jobs('RUNNING')
    assert len(cluster.jobs('PENDING')) == 2
    cluster.processes(killed)[0].kill()
    cluster.ask('scontrol', 'requeue', requeued)
    cluster.restart_controller()
    model.open.set()
    finish(running)
    folder = run_folder(project)
    assert outcome(folder) == local
    assert 'killed by signal 9; queued again' in ''.join(p.read_text() for p in folder.glob('logs/infer/shares/*.out'))
    assert model.begun == [*NAMES], 'what was done before was not done again'
    of_model = sorted(path.name for path in (folder / 'predictions/mine').iterdir())
    assert of_model == ['small.json', 'small.traces.jsonl']
    beats = (folder / 'cluster/jobs.jsonl').read_text().splitlines()
    assert sorted(json.loads(line)['job'] for line in beats) == [f'1-{index}' for index in range(4)]
    assert [path.name for path in (folder / 'predictions').glob('usage*')] == ['usage.jsonl']


@pytest.mark.soak
@pytest.mark.skipif(os.geteuid() != 0, reason='a second controller has a name of its own, which takes root')
@pytest.mark.parametrize('cluster', [True], ids=['two controllers'], indirect=True)
def test_the_controller_is_lost_and_a_second_one_takes_over(project, model, cluster, start):
    """Jobs go on, and what waited in the queue is run."""
    running = model.hold(start)
    cluster.lose_controller()
    model.open.set()
    finish(running)
    assert 'Slurmctld(backup) at second is UP' in cluster.ask('scontrol', 'ping')
    assert results(run_folder(project))['numeric_correct'] == 100
    assert len(model.asked) == 2 * len(NAMES), 'no session was run twice'


@pytest.mark.soak
@pytest.mark.skipif(os.geteuid() != 0, reason='only root hands jobs over for another user')
def test_jobs_of_another_user_are_seen(project, model, cluster, start, here):
    """Who goes on with a run of a colleague whose jobs wait runs nothing twice."""
    change(project / 'configs/runtimes/site.py', 'cpus_per_task=1', "options=['--uid=nobody', '--hold']")
    finish(start('--detach', '--retry', '0'))
    assert '-lt 0 ' in (run_folder(project) / 'cluster/plan-1.sh').read_text()
    for plan in run_folder(project).glob('cluster/plan-*.json'):
        os.chown(plan, getpwnam('nobody').pw_uid, -1)
    refused = here(*WORDS, '-r')
    assert refused.returncode == 2
    assert 'Slurm jobs of this run in the queue: 3; watch them with --slurm' in refused.stderr
    assert '3 waiting' in cibench(cluster, 'status', run_folder(project))
    cluster.ask('scancel', '--user=nobody')
    cluster.wait(lambda: not cluster.jobs())
    assert here(*WORDS, '-r').returncode == 0
    assert len(model.asked) == 2 * len(NAMES)


@pytest.mark.soak
def test_a_node_fails_another_is_drained_and_their_jobs_end_elsewhere(project, model, cluster, start, local):
    running = model.hold(start, '--max-num-workers', '6', '--max-tasks', '6', sessions=6)
    cluster.wait(lambda: len(cluster.jobs('RUNNING')) == 6)
    before = {job: cluster.node(job) for job in cluster.jobs('RUNNING')}
    failing, draining, *others = sorted(set(before.values()))
    assert others
    cluster.fail(failing)
    cluster.ask('scontrol', 'update', f'NodeName={draining}', 'State=DRAIN', 'Reason=test')
    cluster.wait(lambda: cluster.states()[failing].startswith('down') and 'drain' in cluster.states()[draining])
    model.open.set()
    finish(running)
    after = {job: cluster.node(job) for job in before}
    assert failing not in after.values()
    assert all(after[job] == before[job] for job in before if before[job] != failing)
    folder = run_folder(project)
    assert outcome(folder) == local
    cluster.start_node(failing)
    cluster.ask('scontrol', 'update', f'NodeName={draining}', 'State=RESUME')
    cluster.wait(lambda: set(cluster.states().values()) == {'idle'})


@pytest.mark.soak
def test_a_submitter_that_is_ended_leaves_jobs_that_another_one_watches(project, model, cluster, start, here):
    gone = model.hold(start)
    gone.terminate()
    finish(gone, 130)
    assert len(cluster.jobs()) == 3
    refused = here(*WORDS, '-r')
    assert refused.returncode == 2
    assert 'Slurm jobs of this run in the queue: 3; watch them with --slurm' in refused.stderr
    shown = cibench(cluster, 'status', run_folder(project))
    assert re.search(r'mine +\d+/16 +0/8 .* 2 running, 1 waiting', shown), shown
    assert re.search(r'1-0 +mine +\d+_0 +\w+ +\d+/6 +running', shown), shown
    again = start('-r')
    said = again.stderr.readline() + again.stderr.readline()
    assert '3 jobs of an earlier start are in the queue' in said
    model.open.set()
    finish(again)
    assert len(model.asked) == 2 * len(NAMES), 'no session was run twice'
    assert results(run_folder(project))['numeric_correct'] == 100


@pytest.mark.soak
def test_ctrl_c_cancels_what_was_handed_over(project, model, cluster, start):
    running = model.hold(start)
    running.send_signal(signal.SIGINT)
    assert '3 jobs of this run cancelled' in finish(running, 130)
    cluster.wait(lambda: not cluster.jobs())


@pytest.mark.soak
def test_what_ended_jobs_is_named_and_the_next_start_goes_on_with_them(project, model, cluster, start, here):
    """One is cancelled, the time limit of another is over, which is moved, since the shortest is a minute."""
    running = model.hold(start)
    cancelled, limited = cluster.jobs('RUNNING')
    cluster.ask('scontrol', 'update', f'JobId={limited}', 'EndTime=now+2')
    cluster.ask('scancel', cancelled)
    cluster.wait(lambda: not {cancelled, limited} & {*cluster.jobs()})
    model.open.set()
    said = finish(running, 1)
    assert 'Slurm job: it was cancelled' in said and 'its time limit was over' in said
    assert '2 tasks failed' in said
    assert here(*WORDS, '-r').returncode == 0
    assert results(run_folder(project))['numeric_correct'] == 100
    assert model.begun == [*NAMES], 'it was kept'


@pytest.mark.soak
def test_detached_jobs_go_on_by_themselves(project, model, cluster, start, here):
    assert 'handed over' in finish(start('--detach'))
    cluster.wait(lambda: not cluster.jobs())
    assert not (run_folder(project) / 'results').exists()
    asked = len(model.asked)
    assert here(*WORDS, '-r').returncode == 0
    assert len(model.asked) == asked == 2 * len(NAMES)
    assert re.search(r'mine +16/16 +8/8 ', cibench(cluster, 'status', run_folder(project)))
    assert results(run_folder(project))['numeric_correct'] == 100


@pytest.mark.parametrize(
    ('words', 'gpus', 'time', 'says'),
    [
        (('-p', 'nowhere'), 0, None, 'Invalid partition name specified'),
        (('--quotatype', 'spot'), 0, None, "unrecognized option '--quotatype=spot'"),
        ((), 0, '10:00:00', 'time limit is invalid'),
        ((), 3, None, 'Requested node configuration is not available'),
    ],
)
def test_what_slurm_refuses_is_one_line(project, cluster, here, words, gpus, time, says):
    (project / 'configs/runtimes/site.py').write_text(SITE.format(time=time))
    change(project / 'configs/models/mine.py', 'retries=0', f'retries=0, run_cfg=dict(num_gpus={gpus})')
    done = here(*WORDS, '--runtime', 'site', *ON_SLURM, *words)
    assert done.returncode == 2
    assert [says in line for line in done.stderr.splitlines() if 'error' in line] == [True]
    assert cluster.jobs() == []
    assert [*(project / 'out').iterdir()] == [], 'no empty run is the latest one'


def test_what_was_handed_over_before_a_refusal_is_cancelled(project, model, cluster, here):
    change(project / 'configs/runtimes/site.py', 'cpus_per_task=1', "options=['--hold']")
    add_endpoint(project / 'configs', 'large', model.url)
    change(project / 'configs/models/large.py', 'retries=0', 'retries=0, run_cfg=dict(num_gpus=9)')
    done = here('--models', 'mine', 'large', *WORDS[2:], '--runtime', 'site', *ON_SLURM)
    assert done.returncode == 2
    assert '9 GPUs cannot be shared out evenly' in done.stderr
    assert 'job of this run cancelled' in done.stderr
    cluster.wait(lambda: not cluster.jobs())
