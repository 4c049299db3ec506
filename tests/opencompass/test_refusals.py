"""What cannot be run is refused in one line, before anything is written: command lines, notebooks, kernels, configs."""

import json
import re
import shutil

import pytest

from tests.support.notebooks import EXAMPLES, add_endpoint
from tests.support.runs import SMALL, change, one_line

pytestmark = pytest.mark.kernel


def spoil(project, text):
    (project / 'data/small/math/b.ipynb').write_text(text)


def change_kernels(project, old, new):
    change(project / 'configs/runtimes/local.py', old, new)


@pytest.mark.parametrize(
    ('words', 'said'),
    [
        (('--models', 'gold_replay', '--datasets', 'smal'), ('no file smal.py', 'small.py')),
        (('--models', 'gold', '--datasets', 'small'), ('no file gold.py', 'gold_replay.py')),
        (('configs/eval_dmo.py',), ('configs/eval_dmo.py', 'eval_demo.py')),
        (('--models', 'gold_replay'), ('--datasets',)),
        ((*SMALL, '-m', 'eval'), ('-r',)),
        ((*SMALL, '-r', '20010101_000000'), ('20010101_000000', 'no such run')),
        ((*SMALL, '--slurm'), ('-p',)),
    ],
)
def test_wrong_command_lines(project, here, words, said):
    one_line(here(*words), *said)
    assert not (project / 'out').exists()


@pytest.mark.parametrize(
    ('text', 'said'),
    [
        ('{"cells": [', ('b.ipynb', 'JSON')),
        (json.dumps({'cells': [], 'metadata': {}}), ('b.ipynb',)),
    ],
)
def test_broken_notebooks(project, here, text, said):
    spoil(project, text)
    one_line(here(*SMALL), *said)
    assert not (project / 'out').exists()


def test_notebook_whose_steps_do_not_match_its_metadata(project, here):
    path = project / 'data/small/math/b.ipynb'
    notebook = json.loads(path.read_text())
    notebook['metadata']['step_types'].append('num')
    spoil(project, json.dumps(notebook))
    one_line(here(*SMALL), 'b.ipynb', 'step_types')
    assert not (project / 'out').exists()


@pytest.mark.parametrize(
    ('old', 'new', 'said'),
    [
        ("environment='modern'", "environment='antique'", ('antique',)),
        ("environment='modern'", "environment='/nowhere/bin/python'", ('/nowhere/bin/python',)),
        ("sandbox='auto'", "sandbox='paper'", ('kernels: sandbox',)),
        ('timeout=60', 'timout=60', ('kernels: timout',)),
        ('timeout=60', 'timeout=-1', ('kernels: timeout',)),
    ],
)
def test_wrong_kernels(project, here, old, new, said):
    change_kernels(project, old, new)
    one_line(here(*SMALL), *said)
    assert not (project / 'out').exists()


@pytest.mark.parametrize(
    ('file', 'old', 'new', 'said'),
    [
        ('datasets/small.py', 'mode=mode', "mode='orcale'", ('small', 'orcale', "'end_to_end' or 'oracle'")),
        ('datasets/small.py', 'SessionEvaluator)', "SessionEvaluator, profile='x')", ("profile 'x'", 'official')),
        ('datasets/small.py', 'SessionEvaluator)', "SessionEvaluator, profile='qwen_ci')", ('qwen_ci has no metric',)),
        (
            'datasets/small.py',
            "split='small'",
            "splitt='small'",
            ('datasets: small and 1 more: splitt: unknown; did you mean split?',),
        ),
        ('agents/react.py', "history='final'", "history='finl'", ('history', 'finl')),
        ('agents/react.py', 'max_attempts=3', 'max_attempts=0', ('max_attempts',)),
        ('agents/react.py', 'example=True', 'exemple=True', ('protocol', 'exemple')),
        ('models/gold_replay.py', "abbr='gold-replay'", "abbr='g', size=7", ('models: g: size: unknown',)),
        ('models/gold_replay.py', 'models = ', 'model = ', ('gold_replay.py', 'models')),
        ('models/gold_replay.py', 'type=GoldReplay', "type='GoldReplay'", ('gold-replay', 'write the whole name')),
        ('models/gold_replay.py', 'type=GoldReplay', "type='nowhere.Model'", ('gold-replay', "package 'nowhere'")),
        ('models/gold_replay.py', 'type=GoldReplay, ', '', ('models: gold-replay', 'set type')),
        (
            'models/gold_replay.py',
            "abbr='gold-replay'",
            '',
            ('configs/models/gold_replay.py', 'GoldReplay has no name'),
        ),
    ],
)
def test_slips_in_config_files(project, here, file, old, new, said):
    change(project / 'configs' / file, old, new)
    one_line(here(*SMALL), *said)
    assert not (project / 'out').exists()


def test_config_that_names_an_unknown_dataset(project, here):
    path = project / 'configs/eval_mine.py'
    path.write_text(
        'from mmengine.config import read_base\nwith read_base():\n'
        '    from .datasets.unknown import unknown_datasets as datasets\n'
        '    from .models.gold_replay import models\n'
    )
    one_line(here(str(path)), 'eval_mine.py', 'unknown')
    assert not (project / 'out').exists()


def test_missing_api_key(project, here):
    add_endpoint(project / 'configs', 'mine', 'http://127.0.0.1:9/v1')
    change(project / 'configs/models/mine.py', 'retries=0', "retries=0, key='NO_SUCH_KEY_IS_SET'")
    one_line(here('--models', 'mine', '--datasets', 'small'), 'NO_SUCH_KEY_IS_SET')
    assert not (project / 'out').exists()


def test_missing_model_file(project, here):
    change(project / 'configs/models/smollm2_135m.py', "path='embedded'", "path='no/such.gguf'")
    one_line(here('--models', 'smollm2_135m', '--datasets', 'small'), 'no/such.gguf')
    assert not (project / 'out').exists()


def test_unknown_experiment_set_of_the_package(project, here):
    path = project / 'configs/datasets/small.py'
    path.write_text(re.sub(r'path=.*,', "builtin='nonesuch',", path.read_text()))
    one_line(here(*SMALL), 'nonesuch')


def test_what_a_set_lacks_is_told(project, here):
    """Data that gold code reads, modules that it imports, descriptions for `strict`'s figures and variables."""
    own = project / 'own'
    shutil.copytree(EXAMPLES / 'pandas', own / 'pandas')
    (own / 'datasources/data').mkdir(parents=True)
    change(own / 'pandas/penguins.ipynb', 'import pandas', 'import data.mine, mine, no_such_module, pandas')
    change(project / 'configs/datasets/small.py', str(project / 'data/small'), str(own))
    said = here(*SMALL, '--dry-run').stderr
    assert 'dataset small: datasources/ lacks what gold code reads: pandas/penguins, step 1: data/penguins.csv' in said
    assert 'kernel environment modern lacks what gold code imports: mine (pandas/penguins), no_such_module (' in said
    assert 'no descriptions' not in said, 'the profile `official` compares pixels'
    change(project / 'configs/datasets/small.py', 'evaluator=dict(', "evaluator=dict(profile='strict', ")
    assert 'dataset small: 1 of 1 notebooks with figures have no descriptions' in here(*SMALL, '--dry-run').stderr
