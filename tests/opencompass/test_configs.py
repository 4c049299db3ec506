"""Every config of the repository is loaded and checked, as `--dry-run` does it, against data of the official layout."""

import json
import os
import re
import shutil
from collections import Counter
from functools import cache
from pathlib import Path

import jinja2
import pytest

from cibench_eval.cache import cache_dir
from cibench_eval.datasets.builtin_sets import builtin_folder
from cibench_eval.datasets.notebooks import notebook_files
from cibench_eval.interpreter import environments
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.opencompass.configs import read
from cibench_eval.opencompass.dataset import CIBenchDataset
from cibench_eval.opencompass.main import main
from cibench_eval.schema import CibenchError
from tests.support.notebooks import EXAMPLES, REPO, notebook

pytestmark = pytest.mark.kernel

CONFIGS = REPO / 'configs'
GENERATION = ('matplotlib', 'opencv', 'pandas', 'pytorch', 'scipy', 'seaborn')
TEMPLATE = ('lightgbm', 'nltk', 'sklearn', 'tensorflow', *GENERATION)
OFFICIAL = {'generation': GENERATION, 'template': TEMPLATE, 'template_chinese': TEMPLATE}
"""Folder below `cibench_dataset/`, without `cibench_` -> its libraries."""


def stems(pattern):
    """What can be named on a command line; files that begin with `_` are what others share."""
    return sorted(path.stem for path in CONFIGS.glob(pattern) if not path.name.startswith('_'))


@pytest.fixture(autouse=True)
def project(tmp_path, monkeypatch):
    """An empty folder in which everything is there that configs ask for: keys, a vLLM, files, environments."""
    monkeypatch.chdir(tmp_path)
    for name in ('OPENAI_API_KEY', 'DASHSCOPE_API_KEY'):
        monkeypatch.setenv(name, 'none')
    add_paper(tmp_path, monkeypatch)
    add_vllm(tmp_path / 'bin', monkeypatch)
    for path in paths():
        add_model(tmp_path, path)
    return tmp_path


@cache
def paths():
    models = [model for name in stems('models/*.py') for model in read(CONFIGS / f'models/{name}.py')['models']]
    return [Path(model['path']) for model in models if 'path' in model]


def add_model(folder, path):
    """What a model is read from: a GGUF file, or a folder that `cibench` makes."""
    if path.suffix == '.gguf' or path.is_relative_to('outputs'):
        file = folder / path if path.suffix == '.gguf' else folder / path / 'config.json'
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()


def add_paper(folder, monkeypatch):
    """Have `modern` stand in for `paper`, too, under a lock that is the same: good enough for what runs nothing."""
    modern = KernelEnvironment.find('modern').root
    (folder / 'locks').mkdir()
    for name in environments.names():
        shutil.copy(environments.LOCKS / 'modern.txt', folder / f'locks/{name}.txt')
    (folder / 'cache/kernels').mkdir(parents=True)
    (folder / 'cache/kernels' / modern.name).symlink_to(modern)
    (folder / 'cache/kernels' / f'paper-{modern.name}').symlink_to(modern)
    (folder / 'cache/models').symlink_to(cache_dir() / 'models')
    monkeypatch.setattr(environments, 'LOCKS', folder / 'locks')
    monkeypatch.setenv('CIBENCH_CACHE', str(folder / 'cache'))


def add_vllm(folder, monkeypatch):
    """An environment with vLLM on PATH."""
    folder.mkdir()
    for name in ('python', 'vllm'):
        (folder / name).touch(0o755)
    monkeypatch.setenv('PATH', f'{folder}:{os.environ["PATH"]}')


@pytest.fixture
def official(project):
    """The published archive in small: the same folders, a notebook in each."""
    root = project / 'data/cibench_dataset'
    (root / 'datasources/data').mkdir(parents=True)
    content = json.dumps(notebook(('num', 'Print one.', 'print(1)', '1\n')))
    for split, libraries in OFFICIAL.items():
        for library in libraries:
            (root / f'cibench_{split}' / library).mkdir(parents=True)
            (root / f'cibench_{split}' / library / '1.ipynb').write_text(content)
    return root


def dry_run(capsys, *words):
    """The names of the tasks of a command line: (inference, scoring)."""
    code = main([*words, '--config-dir', str(CONFIGS), '--dry-run'])
    said = capsys.readouterr()
    assert code == 0, said.err
    stages = re.split(r'^\w+: \d+ tasks\n', said.out, flags=re.MULTILINE)[1:]
    return [[line.strip() for line in stage.splitlines()] for stage in stages]


@pytest.mark.parametrize('name', stems('eval_*.py'))
def test_eval_configs(official, project, capsys, name):
    path = CONFIGS / f'{name}.py'
    infer, score = dry_run(capsys, str(path))
    assert infer == score
    cfg = read(path)
    pairs = cfg.get('model_dataset_combinations') or [cfg]
    assert len(infer) == sum(len(pair['models']) * len(pair['datasets']) for pair in pairs)
    assert not (project / cfg.get('work_dir', 'outputs/default')).exists()


@pytest.mark.parametrize('name', stems('models/*.py'))
def test_model_configs(capsys, name):
    models = read(CONFIGS / f'models/{name}.py')['models']
    infer, _ = dry_run(capsys, '--models', name, '--datasets', 'demo')
    assert infer == [f'{model["abbr"]} × {dataset}' for model in models for dataset in ('demo', 'demo_oracle')]


def test_no_two_models_have_one_name():
    abbrs = [model['abbr'] for name in stems('models/*.py') for model in read(CONFIGS / f'models/{name}.py')['models']]
    assert len(set(abbrs)) == len(abbrs)


@pytest.mark.parametrize('name', stems('datasets/*.py'))
def test_dataset_configs(official, capsys, name):
    infer, _ = dry_run(capsys, '--models', 'gold_replay', '--datasets', name)
    cfg = read(CONFIGS / f'datasets/{name}.py')
    assert len(infer) == sum(len(cfg[key]) for key in cfg if key.endswith('_datasets'))


@pytest.mark.parametrize('name', stems('agents/*.py'))
def test_agent_configs(capsys, name):
    infer, _ = dry_run(capsys, '--models', 'gold_replay', '--datasets', 'demo', '--agents', name)
    assert len(infer) == 2


def test_the_official_datasets_are_upstreams(official, capsys):
    names = ('cibench_generation', 'cibench_template', 'cibench_template_cn')
    infer, _ = dry_run(capsys, '--models', 'gold_replay', '--datasets', *names)
    assert Counter(line.partition(' × ')[2].rpartition('/')[0] for line in infer) == {
        'cibench_generation': 6,
        'cibench_generation_oracle': 6,
        'cibench_template': 10,
        'cibench_template_oracle': 10,
        'cibench_template_chinese': 10,
        'cibench_template_oracle_chinese': 10,
    }


@pytest.mark.parametrize('name', ['eval_cibench_7b', 'eval_cibench_oracle'])
def test_missing_archive_is_one_line(capsys, name):
    assert main([str(CONFIGS / f'{name}.py'), '--dry-run']) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert 'data/cibench_dataset/cibench_generation: no such folder; run `cibench data fetch cibench`' in line


def test_models_and_datasets_that_are_named_take_the_place_of_a_configs_own(capsys):
    words = [str(CONFIGS / 'eval_demo.py'), '--models', 'smollm2_135m', '--datasets', 'builtin_template/pandas']
    infer, _ = dry_run(capsys, *words)
    assert infer == [f'smollm2-135m × builtin_template{mode}/pandas' for mode in ('', '_oracle')]


@pytest.mark.parametrize(
    ('words', 'said'),
    [
        (['--datasets', 'builtin_template/panda'], 'builtin_template.py: nothing in it is named …/panda; there is'),
        (['--datasets', 'builtin_template', '--runtime', 'paper'], "set environment='modern' in kernels (or, in a"),
        (['--datasets', 'private'], 'its code reads data/…, but there is no datasources/ folder'),
        (['--datasets', 'one'], 'datasets must be a list of dicts'),
    ],
)
def test_datasets_that_do_not_fit_are_one_line(project, capsys, words, said):
    configs = shutil.copytree(CONFIGS, project / 'configs')
    (project / 'mine').mkdir()
    (project / 'mine' / 'a.ipynb').write_text(json.dumps(notebook(('exec', 'Read.', "open('data/x.csv')", ''))))
    text = 'from mmengine.config import read_base\nwith read_base():\n    from .demo import demo_datasets as whole\n'
    mine = "private_datasets = [dict(whole[0], builtin=None, path='mine', experiments=None)]\n"
    (configs / 'datasets/private.py').write_text(text + mine)
    (configs / 'eval_one.py').write_text((configs / 'eval_builtin.py').read_text() + "datasets = dict(abbr='x')\n")
    line = ['--models', 'gold_replay', *words] if 'one' not in words else [str(configs / 'eval_one.py')]
    assert main([*line, '--config-dir', str(configs), '--dry-run']) == 2
    (told,) = capsys.readouterr().err.strip().splitlines()
    assert said in told


def test_experiments_are_a_list_or_one():
    for given in ('pandas/*', ['pandas/*']):
        (one,) = CIBenchDataset(str(EXAMPLES), experiments=given).experiments
        assert one.id == 'pandas/penguins'
    with pytest.raises(CibenchError, match='dataset d: experiments is 3; give a list of ids or globs'):
        CIBenchDataset(str(EXAMPLES), experiments=3, abbr='d')


def test_an_experiment_that_is_not_there_is_told_with_those_of_like_names():
    with pytest.raises(CibenchError) as caught:
        CIBenchDataset(builtin='builtin', experiments=['*/pandas/*', 'cibench_generation/panda/stock'])
    assert "no experiment 'cibench_generation/panda/stock'" in str(caught.value)
    assert 'cibench_generation/pandas/stocks' in str(caught.value)
    folder = builtin_folder('builtin', 'modern')
    ids = [file.relative_to(folder).with_suffix('').as_posix() for file in notebook_files(folder)]
    assert sum(name in str(caught.value) for name in ids) == 3
    assert f'and {len(ids) - 3} more' in str(caught.value)


def test_run_folder_that_cannot_be_made_is_one_line(project, capsys):
    (project / 'file').write_text('')
    words = ['--models', 'gold_replay', '--datasets', 'demo', '--config-dir', str(CONFIGS), '-w', 'file']
    assert main(words) == 2
    (told,) = capsys.readouterr().err.strip().splitlines()
    assert 'cannot be written (Not a directory); name another folder with -w' in told


CONVERSATION = [
    {'role': 'system', 'content': 'S'},
    {'role': 'user', 'content': 'Q1'},
    {'role': 'assistant', 'content': 'A1'},
    {'role': 'user', 'content': 'Q2'},
]
CHATML = (
    '<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nQ1<|im_end|>\n<|im_start|>assistant\nA1<|im_end|>\n'
    '<|im_start|>user\nQ2<|im_end|>\n<|im_start|>assistant\n'
)
VICUNA = '<s>S USER: Q1 ASSISTANT: A1</s>USER: Q2 ASSISTANT:'
INTERNLM = '<s><|System|>:S\n<|User|>:Q1\n<|Bot|>:A1<eoa>\n<|User|>:Q2\n<|Bot|>:'


@pytest.mark.parametrize(
    ('name', 'rendered'),
    [
        *[(f'vllm_qwen_{size}_chat', CHATML) for size in ('1_8b', '7b', '14b', '72b')],
        *[(f'vllm_vicuna_{size}_v1_5', VICUNA) for size in ('7b', '13b')],
        *[(f'vllm_internlm_chat_{size}', INTERNLM) for size in ('7b_v1_1', '20b')],
    ],
)
def test_chat_templates(name, rendered):
    """What models without a chat template of their own are shown is their published format."""
    (model,) = read(CONFIGS / f'models/{name}.py')['models']
    template = jinja2.Environment().from_string(model['arguments']['chat_template'])
    names = {'bos_token': '<s>', 'eos_token': '</s>', 'add_generation_prompt': True}
    assert template.render(messages=CONVERSATION, **names) == rendered
