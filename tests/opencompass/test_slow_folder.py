"""Jobs of nodes that see each other's files seconds late and each other's locks not at all: nothing is lost."""

import subprocess
import sys

import pytest

from tests.opencompass.test_slurm import ON_SLURM, SITE, WORDS
from tests.support.held import NAMES, eight_sessions, finish, started
from tests.support.runs import outcome, run_folder
from tests.support.shared_folder import SECONDS, seen_late
from tests.support.slurm import slurm

pytestmark = [pytest.mark.kernel, pytest.mark.soak]
PEEK = """
import os, sys, time
path = sys.argv[1]
print(os.path.exists(path), flush=True)
sys.stdin.readline()
print(os.path.exists(path), flush=True)
"""
GATHER = """
import sys
from pathlib import Path
from cibench_eval.cluster.counting import Counts, Expected
from cibench_eval.cluster.parts import gather
folder = Path(sys.argv[1])
print(Counts([Expected('mine', folder, {'small': {'a': 1}})]).look()['mine'].sessions_done, flush=True)
sys.stdin.readline()
gather(folder, ['small'])
"""


@pytest.fixture
def shared(tmp_path):
    (tmp_path / 'shared').mkdir()
    return tmp_path / 'shared'


@pytest.fixture
def machine(shared):
    """The words that make a command one of another machine."""
    with seen_late(shared) as before:
        yield before


@pytest.fixture
def there(machine):
    """Starts Python on another machine."""
    pipes = {'stdin': subprocess.PIPE, 'stdout': subprocess.PIPE, 'text': True}
    return lambda *words: subprocess.Popen([*machine, sys.executable, '-c', *words], **pipes)


def test_the_folder_is_seen_late_and_without_locks(shared, there):
    lock = f'import fcntl; fcntl.flock(open({str(shared / "lock")!r}, "w"), fcntl.LOCK_EX | fcntl.LOCK_NB)'
    holding = there(f'{lock}; print(flush=True); input()')
    holding.stdout.readline()
    assert there(lock).wait() == 0
    holding.communicate('\n')
    peeking = there(PEEK, shared / 'file')
    assert peeking.stdout.readline() == 'False\n'
    (shared / 'file').touch()
    assert peeking.communicate('\n')[0] == 'False\n', f'within {SECONDS} s'


def test_a_part_is_gathered_whole_that_was_empty_when_it_was_counted(shared, there):
    part = shared / '.parts/one.traces.jsonl'
    line = '{"dataset": "small", "experiment": "a", "steps": [], "seconds": 1}'
    part.parent.mkdir()
    part.touch()
    gathering = there(GATHER, shared)
    assert gathering.stdout.readline() == '0\n'
    part.write_text(line + '\n')
    gathering.communicate('\n')
    assert gathering.returncode == 0
    assert (shared / 'small.traces.jsonl').read_text().startswith(line[:-1])
    assert not part.exists()


@pytest.fixture
def cluster(machine, monkeypatch):
    with slurm(machine) as made:
        for name in ('SLURM_CONF', 'PATH'):
            monkeypatch.setenv(name, made.environment[name])
        yield made


@pytest.fixture
def project(shared, model):
    (eight_sessions(shared, model) / 'runtimes/site.py').write_text(SITE.format(time=None))
    return shared


def test_jobs_are_killed_and_nothing_is_lost(project, machine, model, cluster, here):
    assert here(*WORDS).returncode == 0
    local = run_folder(project).rename(project / 'local')
    model.asked.clear()
    words = (*WORDS, '--runtime', 'site', *ON_SLURM, '--max-num-workers', '4', '--max-tasks', '6')
    with started(project, machine) as begin:
        running = model.hold(begin, *words, sessions=4)
        cluster.wait(lambda: len(cluster.jobs('RUNNING')) == 4)
        killed, requeued, *_ = cluster.jobs('RUNNING')
        cluster.processes(killed)[0].kill()
        cluster.ask('scontrol', 'requeue', requeued)
        model.open.set()
        finish(running)
        assert outcome(run_folder(project)) == outcome(local)
        assert model.begun == [*NAMES], 'what was done before was not done again'
        asked = len(model.asked)
        finish(begin(*words, '-r'))
        assert len(model.asked) == asked
