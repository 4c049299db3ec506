"""What a run shows and logs: in a locale of few characters, on a full disk, of jobs of Slurm."""

import os
import re
import sys

import pytest

from tests.support.notebooks import add_endpoint
from tests.support.runs import SMALL, change, run, run_folder

pytestmark = pytest.mark.kernel


@pytest.mark.soak
def test_the_table_is_shown_where_the_locale_knows_ascii_alone(project, here):
    assert here(*SMALL, '-m', 'infer').returncode == 0
    done = run(project, *SMALL, '-m', 'viz', '-r', PYTHONIOENCODING='ascii')
    assert done.returncode == 1, done.stderr  # nothing is scored
    assert re.search(r'^gold-replay[ |]+-', done.stdout, re.MULTILINE), done.stdout


@pytest.mark.soak
def test_a_log_on_a_full_disk_stops_nothing_and_shows_no_traceback(project, here):
    log = project / 'out/20260101_000000/logs/infer/gold-replay/small.out'
    log.parent.mkdir(parents=True)
    log.symlink_to('/dev/full')
    done = here(*SMALL, '-m', 'infer', '-r', '20260101_000000')
    assert done.returncode == 0, done.stderr
    assert 'Traceback' not in done.stderr
    assert 'Logging error' not in done.stderr
    assert (project / 'out/20260101_000000/predictions/gold-replay/small.json').exists()


def test_a_log_that_cannot_be_made_fails_its_task_by_name(project, here):
    folder = project / 'out/20260101_000000/logs/infer'
    folder.mkdir(parents=True)
    (folder / 'gold-replay').write_text('')
    done = here(*SMALL, '-m', 'infer', '-r', '20260101_000000')
    assert done.returncode == 1
    assert 'gold-replay/small.out: no log can be written (File exists)' in done.stderr
    assert 'SessionInfer[gold-replay/small]' in done.stderr


LOGS = {
    'killed': 'Traceback (most recent call last):\n  File "x.py"\nKeyError: 3\nsrun: error: task 0\n',
    'refused': 'srun: error: Unable to allocate resources: Invalid partition\n',
    'silent': '',
    'gone': None,
}
"""What a job that does not begin leaves in its log, by the name of its model; None where it leaves none."""
SRUN = """#!{python}
import os, subprocess, sys
at = sys.argv.index('-J')
for name, log in {logs!r}.items():
    if name in sys.argv[at + 1]:
        os.unlink(os.readlink('/proc/self/fd/1')) if log is None else print(log, end='')
        sys.exit(1)
code = subprocess.run(sys.argv[at + 2 :]).returncode
if code:
    print('srun: error: node1: task 0: Exited with exit code', code, file=sys.stderr)
sys.exit(code)
"""
"""Starts a job here, as Slurm's own does on a node."""
STOCK = """
from mmengine.config import read_base

with read_base():
    from .local import eval, infer, kernels

infer['runner'].update(type='opencompass.runners.slurm.SlurmRunner', partition='x', retry=0)
"""
"""OpenCompass's own runner, which a config can name."""


@pytest.mark.soak
def test_a_task_that_fails_under_the_slurm_runner_of_opencompass_says_why(project, here, monkeypatch):
    (project / 'bin').mkdir()
    (project / 'bin/srun').write_text(SRUN.format(python=sys.executable, logs=LOGS))
    (project / 'bin/srun').chmod(0o755)
    monkeypatch.setenv('PATH', f'{project / "bin"}:{os.environ["PATH"]}')
    monkeypatch.setattr('random.randint', lambda low, high: 0)  # seconds that OpenCompass's runner waits
    for name in ('mine', *LOGS):
        add_endpoint(project / 'configs', name, 'http://127.0.0.1:9/v1')
    change(project / 'configs/datasets/small.py', ", ('small_oracle', 'oracle'))", ',)')
    (project / 'configs/runtimes/stock.py').write_text(STOCK)
    words = ('--models', 'mine', *LOGS, '--datasets', 'small', '--runtime', 'stock')
    done = here(*words, '-m', 'infer')
    assert done.returncode == 1
    logs = run_folder(project) / 'logs/infer'
    said = re.findall(r'^  (.*) \(logs: (.*)\) \(SessionInfer\[(\w+)/small\]\)$', done.stderr, re.MULTILINE)
    causes = {name: cause for cause, place, name in said if place == str(logs)}
    assert causes.pop('mine').startswith('model mine: http://127.0.0.1:9/v1: no connection (Connection refused)')
    assert causes == {
        'killed': 'KeyError: 3',
        'refused': 'srun: error: Unable to allocate resources: Invalid partition',
        'silent': 'its log is empty',
        'gone': f'no log (No such file or directory), so its job may not have started ({logs}/gone/small.out)',
    }
