"""Weights & Biases: its own package writes our runs without a server, and reads them back.

wandb needs packages that nothing else here does, so it has an environment of its own.
"""

import csv
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from cibench_eval import cli
from tests.support.integrations import python_with, told
from tests.support.notebooks import config_folder, small_set
from tests.support.runs import SMALL, run_here
from tests.support.viewer_runs import two_models

pytestmark = [pytest.mark.kernel, pytest.mark.soak]
PROGRAM = Path(__file__).with_name('wandb_program.py')


@pytest.fixture(scope='module')
def python(tmp_path_factory):
    return python_with(tmp_path_factory.mktemp('wandb') / 'venv', 'wandb==0.31.0')


@pytest.fixture(scope='module')
def run(tmp_path_factory):
    return two_models(tmp_path_factory.mktemp('run'))


def exported(python, run, out):
    """What the export says. No server is asked, whatever the user's own settings are."""
    words = [python, '-P', '-m', 'cibench_eval.cli', 'export', run, '--to', 'wandb-offline', '--out', out]
    environment = {**os.environ, 'WANDB_MODE': 'online', 'WANDB_BASE_URL': 'http://127.0.0.1:9'}
    return subprocess.run(words, capture_output=True, text=True, env=environment)


def test_runs_hold_what_the_tables_of_a_run_do(python, run, tmp_path):
    done = exported(python, run, tmp_path)
    assert (done.returncode, done.stderr) == (0, '')
    assert f'{tmp_path}/wandb: 2 runs' in done.stdout
    found = {one['name']: one for one in told(python, PROGRAM, tmp_path)}
    assert set(found) == {'good', 'evil'} and found['good']['id'] != found['evil']['id']
    assert found['good']['group'] == run.name
    assert found['good']['config']['profile'] == 'strict'
    assert cli.main(['export', str(run), '--to', 'csv', '--out', str(tmp_path / 'steps.csv')]) == 0
    with (tmp_path / 'steps.csv').open(encoding='utf-8') as file:
        rows = list(csv.DictReader(file))
    for model, one in found.items():
        own = [row for row in rows if row['model'] == model]
        codes = [dict(zip(one['steps']['columns'], line, strict=True))['code'] for line in one['steps']['data']]
        assert codes == [row['code'] or None for row in own]
        worth = [float(row['tool_rate']) for row in own if row['mode'] == 'end_to_end']
        assert one['summary']['examples/end_to_end/tool_rate'] == pytest.approx(100 * sum(worth) / len(worth))


def test_a_summary_says_what_its_figures_lack(python, run, tmp_path):
    """A model without any session has no run."""
    part = tmp_path / 'part'
    shutil.copytree(run, part)
    for path in part.glob('results/good/*_oracle.json'):
        path.unlink()
    for path in part.glob('predictions/evil/*.traces.jsonl'):
        path.write_text('')
    done = exported(python, part, tmp_path)
    assert 'evil' in done.stderr and 'Traceback' not in done.stderr
    (one,) = told(python, PROGRAM, tmp_path)
    assert (one['name'], one['summary']['examples/harness_errors']) == ('good', 0)
    assert one['summary']['examples/missing'].endswith('_oracle')


def test_a_summary_has_what_several_runs_of_each_experiment_say(python, tmp_path):
    config_folder(tmp_path, small_set(tmp_path / 'data', ('a',)))
    assert exported(python, run_here(tmp_path, *SMALL, '--epochs', '2'), tmp_path).returncode == 0
    (one,) = told(python, PROGRAM, tmp_path)
    passes = {name.partition('/')[2]: value for name, value in one['summary'].items() if '/pass_' in name}
    kinds = [f'{mode}/pass_{kind}' for mode in ('end_to_end', 'oracle') for kind in ('at_1', 'at_2', 'hat_2')]
    assert passes == dict.fromkeys(kinds, 100)


def test_without_the_package_one_line_says_what_to_install(run, tmp_path, capsys):
    assert cli.main(['export', str(run), '--to', 'wandb-offline', '--out', str(tmp_path)]) == 2
    assert "pip install 'wandb>=0.31'" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]
