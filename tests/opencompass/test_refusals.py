"""What cannot be run is refused in one line, before anything is written: notebooks, kernels, configs."""

import shutil
from pathlib import Path

import pytest

from tests.support.notebooks import EXAMPLES, add_endpoint
from tests.support.runs import SMALL, change, one_line

pytestmark = pytest.mark.kernel


def test_a_broken_notebook(project, here):
    (project / 'data/small/math/b.ipynb').write_text('{"cells": [')
    one_line(here(*SMALL), 'b.ipynb', 'JSON')
    assert not (project / 'out').exists()


@pytest.mark.parametrize(
    ('file', 'old', 'new', 'said'),
    [
        ('datasets/small.py', 'SessionEvaluator)', "SessionEvaluator, profile='x')", ("profile 'x'", 'official')),
        ('datasets/small.py', 'SessionEvaluator)', "SessionEvaluator, profile='qwen_ci')", ('qwen_ci has no metric',)),
        ('datasets/small.py', 'path=', "builtin='nonesuch',  # ", ('nonesuch',)),
        ('runtimes/local.py', "environment='modern'", "environment='/no/bin/python'", ('/no/bin/python',)),
        ('models/gold_replay.py', "abbr='gold-replay'", '', ('models/gold_replay.py', 'GoldReplay has no name')),
        ('models/mine.py', 'retries=0', "retries=0, key='NO_SUCH_KEY_IS_SET'", ('NO_SUCH_KEY_IS_SET',)),
        ('models/smollm2_135m.py', "path='embedded'", "path='no/such.gguf'", ('no/such.gguf',)),
    ],
)
def test_slips_in_config_files(project, here, file, old, new, said):
    add_endpoint(project / 'configs', 'mine', 'http://127.0.0.1:9/v1')
    change(project / 'configs' / file, old, new)
    model = Path(file).stem if file.startswith('models/') else 'gold_replay'
    one_line(here('--models', model, '--datasets', 'small'), *said)
    assert not (project / 'out').exists()


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
