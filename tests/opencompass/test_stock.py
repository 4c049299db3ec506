"""The same config files under OpenCompass's own program, and OpenCompass's own models under ours."""

import json
import os
import subprocess
import sys

import pytest

from tests.support.notebooks import REPO
from tests.support.runs import change, results, run_folder
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


def opencompass(project, *words):
    """OpenCompass's own command, as its console script starts it."""
    code = 'import sys; from opencompass.cli.main import main; sys.argv[0] = "opencompass"; main()'
    command = [sys.executable, '-c', code, *words, '-w', 'out']
    environment = {**os.environ, 'PYTHONPATH': str(REPO)}
    return subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=600, env=environment)


@pytest.mark.soak
def test_config_file_under_the_stock_command(project):
    (project / 'configs/eval_small.py').write_text(CONFIG)
    done = opencompass(project, 'configs/eval_small.py')
    assert done.returncode == 0, done.stderr
    assert 'gold-replay' in done.stdout
    assert results(run_folder(project), 'small_oracle', 'gold-replay')['numeric_correct'] == 100.0


@pytest.mark.soak
def test_our_tasks_as_processes_of_the_stock_local_runner(project):
    stock = (
        '\ndatasets = datasets[:1]\nfrom opencompass.runners import LocalRunner\n'
        'infer["runner"]["type"] = LocalRunner\neval["runner"]["type"] = LocalRunner\n'
    )
    (project / 'configs/eval_small.py').write_text(CONFIG + stock)
    done = opencompass(project, 'configs/eval_small.py')
    assert done.returncode == 0, done.stderr
    assert results(run_folder(project), 'small', 'gold-replay')['numeric_correct'] == 100.0


@pytest.mark.soak
def test_our_classes_under_the_stock_tasks(project):
    """Without `infer` and `eval` OpenCompass fills in its own tasks, which build our classes."""
    words = ('--models', 'gold_replay', '--datasets', 'small', '--summarizer', 'cibench', '--config-dir', 'configs')
    small = project / 'configs' / 'datasets' / 'small.py'
    change(small, 'max_sessions=1', "kernels=dict(sandbox='auto', preload=[])")
    change(small, ", ('small_oracle', 'oracle'))", ',)')  # a process of OpenCompass takes long to start
    done = opencompass(project, *words)
    assert done.returncode == 0, done.stderr
    assert results(run_folder(project), 'small', 'gold-replay')['numeric_correct'] == 100.0


@pytest.mark.soak
def test_a_model_class_of_opencompass(project, here):
    """A tiny random Hugging Face model through OpenCompass's class: its noise is its own outcome, not a fault."""
    folder = save(project / 'model')
    (project / 'configs' / 'models' / 'tiny.py').write_text(
        'from opencompass.models import HuggingFacewithChatTemplate\n'
        f'models = [dict(type=HuggingFacewithChatTemplate, abbr="tiny", path={str(folder)!r}, max_seq_len=8192,\n'
        '    max_out_len=4, batch_size=1, run_cfg=dict(num_gpus=0))]\n'
    )
    assert here('--models', 'tiny', '--datasets', 'small', '--limit', '1').returncode == 0
    run = run_folder(project)
    assert results(run, 'small', 'tiny')['tool_rate'] == 0.0
    (first, *_) = (run / 'predictions/tiny/small.traces.jsonl').read_text().splitlines()
    assert all(len(step['attempts']) == 3 for step in json.loads(first)['steps'])
