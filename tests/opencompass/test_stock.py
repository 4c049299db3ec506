"""The same config files under OpenCompass's own program, and OpenCompass's own models under ours."""

import json
import os
import subprocess
import sys

import pytest

from tests.support.notebooks import REPO, config_folder, small_set
from tests.support.runs import change
from tests.support.tiny_hf import save

pytestmark = pytest.mark.kernel

CONFIG = """
from mmengine.config import read_base

with read_base():
    from .agents.react import agents
    from .datasets.small import small_datasets
    from .models.gold_replay import models as gold_replay_model
    from .runtimes.local import eval, infer, kernels
    from .summarizers.cibench import summarizer

datasets = sum((v for k, v in locals().items() if k.endswith('_datasets')), [])
models = sum((v for k, v in locals().items() if k.endswith('_model')), [])
"""


STOCK_RUNNER = """
datasets = datasets[:1]
from opencompass.runners import LocalRunner
infer["runner"]["type"] = LocalRunner
eval["runner"]["type"] = LocalRunner
"""
NAMED = (
    '--models',
    'gold_replay',
    '--datasets',
    'small',
    '--summarizer',
    'cibench',
    '--config-dir',
    'configs',
    '--debug',
)
PROGRAM = """
import json, os, sys
from opencompass.cli.main import main
for folder, *words in json.loads(sys.argv[1]):
    if not os.fork():
        os.chdir(folder)
        said = os.open('said', os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(said, 1)
        os.dup2(said, 2)
        sys.argv = ['opencompass', *words]
        sys.exit(main())
    print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
"""
"""OpenCompass's own command in each folder, as its console script starts it; all are forks of one that has imported
it, since that takes longer than the runs."""


@pytest.fixture(scope='module')
def stock(tmp_path_factory):
    """By the name of a project: its folder, and how the command ended in it."""
    projects = {name: tmp_path_factory.mktemp(name) for name in ('config', 'runner', 'tasks')}
    for project in projects.values():
        config_folder(project, small_set(project / 'data'))
    (projects['config'] / 'configs/eval_small.py').write_text(CONFIG)
    (projects['runner'] / 'configs/eval_small.py').write_text(CONFIG + STOCK_RUNNER)
    small = projects['tasks'] / 'configs/datasets/small.py'
    change(small, 'max_sessions=1', "kernels=dict(sandbox='auto', preload=[])")
    change(small, ", ('small_oracle', 'oracle'))", ',)')  # a process of OpenCompass takes long to start
    words = {name: NAMED if name == 'tasks' else ('configs/eval_small.py',) for name in projects}
    given = json.dumps([[str(project), *words[name], '-w', 'out'] for name, project in projects.items()])
    command = [sys.executable, '-c', PROGRAM, given]
    environment = {**os.environ, 'PYTHONPATH': str(REPO)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200, env=environment)
    assert done.returncode == 0, done.stderr
    return dict(zip(projects, zip(projects.values(), map(int, done.stdout.split()), strict=True), strict=True))


def results(project, model, dataset):
    (run,) = (project / 'out').iterdir()
    return json.loads((run / 'results' / model / f'{dataset}.json').read_text())


@pytest.mark.soak
def test_config_file_under_the_stock_command(stock):
    project, code = stock['config']
    said = (project / 'said').read_text()
    assert code == 0, said
    assert 'gold-replay' in said
    assert results(project, 'gold-replay', 'small_oracle')['numeric_correct'] == 100.0


@pytest.mark.soak
def test_our_tasks_as_processes_of_the_stock_local_runner(stock):
    project, code = stock['runner']
    assert code == 0, (project / 'said').read_text()
    assert results(project, 'gold-replay', 'small')['numeric_correct'] == 100.0


@pytest.mark.soak
def test_our_classes_under_the_stock_tasks(stock):
    """Without `infer` and `eval` OpenCompass fills in its own tasks, which build our classes."""
    project, code = stock['tasks']
    assert code == 0, (project / 'said').read_text()
    assert results(project, 'gold-replay', 'small')['numeric_correct'] == 100.0


@pytest.mark.soak
def test_a_model_class_of_opencompass(project, here):
    """A tiny random Hugging Face model through OpenCompass's class: its noise is its own outcome, not a fault."""
    folder = save(project / 'model')
    (project / 'configs' / 'models' / 'tiny.py').write_text(
        'from opencompass.models import HuggingFacewithChatTemplate\n'
        f'models = [dict(type=HuggingFacewithChatTemplate, abbr="tiny", path={str(folder)!r}, max_seq_len=8192,\n'
        '    max_out_len=4, batch_size=1, run_cfg=dict(num_gpus=0))]\n'
    )
    assert here('--models', 'tiny', '--datasets', 'small').returncode == 0
    assert results(project, 'tiny', 'small')['tool_rate'] == 0.0
    (run,) = (project / 'out').iterdir()
    (first, *_) = (run / 'predictions/tiny/small.traces.jsonl').read_text().splitlines()
    assert all(len(step['attempts']) == 3 for step in json.loads(first)['steps'])
