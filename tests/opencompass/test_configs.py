"""Every config of the repository is loaded and checked, as `--dry-run` does it, against data of the official layout."""

import json
import os
import re
import shutil
from functools import cache
from pathlib import Path

import opencompass
import pytest
from mmengine.config import Config

from cibench_eval.cache import cache_dir
from cibench_eval.config.assembly import assembled
from cibench_eval.config.config_files import read
from cibench_eval.config.session_tasks import task_of
from cibench_eval.datasets.builtin_sets import builtin_folder
from cibench_eval.interpreter import environments
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.opencompass import CIBenchDataset, SessionInferTask
from cibench_eval.run.arguments import parser
from cibench_eval.run.main import main
from cibench_eval.schema import CibenchError
from tests.support.notebooks import EXAMPLES, REPO, notebook
from tests.support.qwen_rows import PROBLEMS, write_lines, write_qwen_rows
from tests.support.soak import many

pytestmark = pytest.mark.kernel

CONFIGS = REPO / 'configs'
GENERATION = ('matplotlib', 'opencv', 'pandas', 'pytorch', 'scipy', 'seaborn')
TEMPLATE = ('lightgbm', 'nltk', 'sklearn', 'tensorflow', *GENERATION)
OFFICIAL = {'generation': GENERATION, 'template': TEMPLATE, 'template_chinese': TEMPLATE}
"""Folder below `cibench_dataset/`, without `cibench_` -> its libraries."""

KEYS = [f'{name}_API_KEY' for name in ('OPENAI', 'DASHSCOPE', 'ANTHROPIC', 'GEMINI', 'DEEPSEEK', 'MOONSHOT')]


def stems(pattern):
    """What can be named on a command line; files that begin with `_` are what others share."""
    return sorted(path.stem for path in CONFIGS.glob(pattern) if not path.name.startswith('_'))


@pytest.fixture(autouse=True)
def project(tmp_path, monkeypatch):
    """An empty folder in which everything is there that configs ask for: keys, a vLLM, files, environments."""
    monkeypatch.chdir(tmp_path)
    for name in KEYS:
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
        file.write_text('GGUF')


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
        (folder / name).write_text('#!/bin/sh\n')
        (folder / name).chmod(0o755)
    monkeypatch.setenv('PATH', f'{folder}:{os.environ["PATH"]}')


@pytest.fixture
def official(project):
    """The published archive in small: the same folders, a notebook in each."""
    root = project / 'data/cibench_dataset'
    (project / 'data/gsm8k').mkdir(parents=True)
    (root / 'datasources/data').mkdir(parents=True)
    content = json.dumps(notebook(('num', 'Print one.', 'print(1)', '1\n')))
    for split, libraries in OFFICIAL.items():
        for library in libraries:
            (root / f'cibench_{split}' / library).mkdir(parents=True)
            (root / f'cibench_{split}' / library / '1.ipynb').write_text(content)
    write_qwen_rows(project / 'data/qwen_ci')
    write_lines(project / 'data/gsm8k/test.jsonl', PROBLEMS)
    return root


def dry_run(capsys, *words):
    """The names of the tasks of a command line: (inference, scoring)."""
    code = main([*words, '--config-dir', str(CONFIGS), '--dry-run'])
    said = capsys.readouterr()
    assert code == 0, said.err
    stages = re.split(r'^[\w, ]+: \d+ tasks?\n', said.out, flags=re.MULTILINE)[1:]
    infer, *score = [[line.strip() for line in stage.splitlines() if ' × ' in line] for stage in stages]
    return infer, *(score or [infer])


@pytest.mark.parametrize('name', many(stems('eval_*.py'), ['eval_builtin', 'eval_demo', 'eval_qwen_ci']))
def test_eval_configs(official, project, capsys, name):
    path = CONFIGS / f'{name}.py'
    infer, score = dry_run(capsys, str(path))
    assert infer == score
    cfg = read(path)
    pairs = cfg.get('model_dataset_combinations') or [cfg]
    assert len(infer) == sum(len(pair['models']) * len(pair['datasets']) for pair in pairs)
    assert not (project / cfg.get('work_dir', 'outputs/default')).exists()


def test_model_configs_which_all_have_names_of_their_own(capsys):
    names = stems('models/*.py')[:: many(1, 4)]
    abbrs = [model['abbr'] for name in names for model in read(CONFIGS / f'models/{name}.py')['models']]
    assert len(set(abbrs)) == len(abbrs)
    infer, _ = dry_run(capsys, '--models', *names, '--datasets', 'demo')
    assert infer == [f'{abbr} × {dataset}' for abbr in abbrs for dataset in ('demo', 'demo_oracle')]


@pytest.mark.parametrize('name', many(stems('datasets/*.py'), ['builtin_rules', 'cibench', 'demo', 'qwen_ci_math']))
def test_dataset_configs(official, capsys, name):
    infer, _ = dry_run(capsys, '--models', 'gold_replay', '--datasets', name)
    cfg = read(CONFIGS / f'datasets/{name}.py')
    assert len(infer) == sum(len(cfg[key]) for key in cfg if key.endswith('_datasets'))


def test_agent_configs(capsys):
    names = [name for name in stems('agents/*.py') if name != 'mcp']  # which waits for a client
    infer, _ = dry_run(capsys, '--models', 'gold_replay', '--datasets', 'demo', '--agents', *names)
    assert len(set(infer)) == len(infer) == 2 * len(names)


UPSTREAM = {
    'CIBench_generation_gen_8ab0dc': ['cibench_generation_datasets'],
    'CIBench_generation_oracle_gen_c4a7c1': ['cibench_generation_oracle_datasets'],
    'CIBench_template_gen_e6b12a': ['cibench_template_datasets', 'cibench_template_cn_datasets'],
    'CIBench_template_oracle_gen_fecda1': ['cibench_template_oracle_datasets', 'cibench_template_cn_oracle_datasets'],
}
"""A dataset config of the installed OpenCompass -> our lists that are the same."""


def test_upstream_has_no_further_cibench_config():
    folder = Path(opencompass.__file__).parent / 'configs/datasets/CIBench'
    assert {path.stem for path in folder.glob('*.py')} == set(UPSTREAM)


@pytest.mark.parametrize('name', UPSTREAM)
def test_upstreams_names_are_our_datasets(official, capsys, caplog, name):
    caplog.set_level('INFO')
    infer, _ = dry_run(capsys, '--models', 'gold_replay', '--datasets', name)
    whole = read(CONFIGS / 'datasets/cibench.py')
    ours = [dataset for variable in UPSTREAM[name] for dataset in whole[variable]]
    assert infer == [f'gold-replay × {dataset["abbr"]}' for dataset in ours]
    assert f"{ours[0]['abbr']} and {len(ours) - 1} more: OpenCompass's own config; run here by sessions" in caplog.text
    theirs = load_config('--models', 'gold_replay', '--datasets', name)['datasets']
    assert [essence(dataset) for dataset in theirs] == [essence(dataset) for dataset in ours]


def load_config(*words):
    return assembled(parser().parse_args([*words, '--config-dir', str(CONFIGS)]))


def essence(cfg):
    """What of a dataset's config decides about its sessions and its scores."""
    task = task_of(Path('out'), {'abbr': 'm'}, cfg)
    return (
        *(task.dataset_name, task.split, [(e.id, e.language, e.steps[0].question) for e in task.experiments]),
        *(cfg['infer_cfg']['inferencer'], cfg['eval_cfg']['evaluator']),
    )


def test_a_task_of_opencompass_own_program_refuses_options_that_there_are_not():
    whole = load_config('--models', 'gold_replay', '--datasets', 'builtin_template/pandas')
    dataset = whole['datasets'][0]
    for options, said in ((dict(mode='end_to_endd'), "mode is 'end_to_endd'"), (dict(max_session=3), 'max_session')):
        infer = {**dataset['infer_cfg'], 'inferencer': {**dataset['infer_cfg']['inferencer'], **options}}
        cfg = {'work_dir': 'out', 'models': whole['models'], 'datasets': [[{**dataset, 'infer_cfg': infer}]]}
        with pytest.raises(CibenchError, match=said):
            SessionInferTask(cfg)


def test_a_config_file_may_take_upstreams_datasets(official, project, capsys):
    (project / 'eval_theirs.py').write_text(
        'from mmengine.config import read_base\nwith read_base():\n'
        '    from opencompass.configs.datasets.CIBench.CIBench_generation_gen_8ab0dc import cibench_datasets\n'
        "datasets = sum((v for k, v in locals().items() if k.endswith('_datasets')), [])\n"
    )
    infer, _ = dry_run(capsys, 'eval_theirs.py', '--models', 'gold_replay')
    assert infer == [f'gold-replay × cibench_generation/{library}' for library in GENERATION]


@pytest.mark.parametrize(
    ('name', 'said'),
    [
        ('gsm8k_gen', 'gsm8k_gen.py: datasets: gsm8k: of another benchmark of OpenCompass; this program runs sessions'),
        ('mmlu_gen', 'datasets: lukaemon_mmlu_college_biology and 56 more: of another benchmark of OpenCompass'),
    ],
)
def test_other_benchmarks_of_opencompass_are_left_to_it(capsys, name, said):
    words = ['--models', 'gold_replay', '--datasets', name, '--config-dir', str(CONFIGS), '--dry-run']
    assert main(words) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert said in line
    assert line.endswith('and `opencompass` runs that one')


def test_summarizers_of_opencompass_reach_ours():
    words = ('--models', 'gold_replay', '--datasets', 'demo')
    assert load_config(*words)['summarizer'] == {'type': OURS}
    theirs = load_config(*words, '--summarizer', 'agent_bench')['summarizer']
    assert theirs['type'] == OURS
    assert 'cibench_template' in theirs['dataset_abbrs']
    groups = {group['name']: group for group in theirs['summary_groups']}
    assert groups['cibench_generation:vis_sim']['subsets'][0] == ['cibench_generation/pandas', 'vis_sim']
    assert groups['cibench_generation:vis_sim']['weights']['cibench_generation/pandas'] == 38


OURS = 'cibench_eval.opencompass.CIBenchSummarizer'


@pytest.mark.parametrize(
    ('words', 'tasks'),
    [
        (['demo.py'], ['demo', 'demo_oracle']),
        (['configs/datasets/demo.py'], ['demo', 'demo_oracle']),
        (['./configs/datasets/demo'], ['demo', 'demo_oracle']),
        (['{project}/configs/datasets/demo.py'], ['demo', 'demo_oracle']),
        (['builtin_template/pandas'], ['builtin_template/pandas', 'builtin_template_oracle/pandas']),
        (
            ['configs/datasets/builtin_template.py/pandas'],
            ['builtin_template/pandas', 'builtin_template_oracle/pandas'],
        ),
        (['demo_slice/slice_datasets'], ['demo_slice', 'demo_slice_oracle']),
    ],
)
def test_datasets_are_named_by_file_path_and_part(project, capsys, words, tasks):
    shutil.copytree(CONFIGS, project / 'configs')
    named = [word.format(project=project) for word in words]
    infer, _ = dry_run(capsys, '--models', 'gold_replay', '--datasets', *named)
    assert infer == [f'gold-replay × {task}' for task in tasks]


@pytest.mark.parametrize('word', ['builtin_template/pandas/reshaping_elnino', 'builtin/pandas/reshaping_elnino'])
def test_one_experiment(capsys, word):
    datasets = load_config('--models', 'gold_replay', '--datasets', word)['datasets']
    ids = {
        experiment.id for dataset in datasets for experiment in task_of(Path('out'), {'abbr': 'm'}, dataset).experiments
    }
    assert ids == {'pandas/reshaping_elnino'}
    assert {dataset['abbr'] for dataset in datasets} >= {'builtin_template/pandas', 'builtin_template_oracle/pandas'}


def test_experiments_of_one_library_that_are_named_one_by_one_are_of_one_dataset():
    words = ['builtin_hard/text/parish_alwin', 'builtin_hard/text/parish_kelby', 'builtin_hard/science/seals_islet']
    datasets = load_config('--models', 'gold_replay', '--datasets', *words)['datasets']
    chosen = {dataset['abbr']: dataset['experiments'] for dataset in datasets}
    assert len(chosen) == len(datasets) == 8
    assert (
        chosen['builtin_hard/text']
        == chosen['builtin_hard_cn_oracle/text']
        == ['text/parish_alwin', 'text/parish_kelby']
    )
    assert chosen['builtin_hard/science'] == ['science/seals_islet']


@pytest.mark.parametrize('word', ['demo/pandas', 'demo/pandas/*'])
def test_experiments_of_one_library_of_a_dataset_of_several(word):
    end_to_end, _ = load_config('--models', 'gold_replay', '--datasets', word)['datasets']
    assert end_to_end['experiments'] == [
        'cibench_generation/pandas/titanic',
        'cibench_template/pandas/grouping_penguins',
    ]


def test_models_are_named_by_path(project, capsys):
    path = project / 'elsewhere' / 'mine.py'
    path.parent.mkdir()
    path.write_text((CONFIGS / 'models/gold_replay.py').read_text().replace('gold-replay', 'mine'))
    for word in (str(path), 'elsewhere/mine.py', 'elsewhere/mine'):
        infer, _ = dry_run(capsys, '--models', word, '--datasets', 'demo')
        assert infer == ['mine × demo', 'mine × demo_oracle']
    assert main(['--models', 'elsewhere/other.py', '--datasets', 'demo', '--config-dir', str(CONFIGS)]) == 2
    assert 'elsewhere/other.py: no such config file; there is mine.py' in capsys.readouterr().err


def test_what_is_named_takes_the_place_of_a_configs_own(project):
    path = str(CONFIGS / 'eval_builtin.py')
    parts = ['--agents', 'tool_calls', '--runtime', 'paper', '--summarizer', 'agent_bench']
    named = load_config(path, '--models', 'smollm2_135m', '--datasets', 'builtin_template/pandas', *parts)
    assert [model['abbr'] for model in named['models']] == ['smollm2-135m']
    assert {one['abbr'] for one in named['datasets']} == {f'builtin_template{mode}/pandas' for mode in ('', '_oracle')}
    assert [agent['abbr'] for agent in named['agents']] == ['tool_calls']
    assert named['kernels']['environment'] == 'paper'
    assert 'summary_groups' in named['summarizer']
    own = load_config(path)
    assert [agent['abbr'] for agent in own['agents']] == ['react']
    assert (own['kernels']['environment'], own['work_dir']) == ('modern', 'outputs/builtin')


def test_a_runtime_file_may_name_kernels_alone(project):
    (project / 'mine.py').write_text("kernels = dict(environment='paper')\n")
    cfg = load_config('--models', 'gold_replay', '--datasets', 'demo', '--runtime', 'mine.py')
    assert cfg['kernels'] == {'environment': 'paper'}
    assert cfg['infer'] == load_config('--models', 'gold_replay', '--datasets', 'demo')['infer']


def test_equal_names_in_one_split_are_refused_before_the_run(official, project, capsys):
    """OpenCompass's own style, a path for each library: the table of the split could not tell 1.ipynb from 1.ipynb."""
    shutil.copytree(CONFIGS, project / 'configs')
    (project / 'configs/datasets/split.py').write_text(
        'from mmengine.config import read_base\nwith read_base():\n    from ._base import end_to_end, strict\n'
        "path = 'data/cibench_dataset/cibench_template/'\n"
        "split_datasets = [dict(end_to_end, abbr=name, path=path + name, split='s', eval_cfg=strict)\n"
        "    for name in ('pandas', 'scipy')]\n"
    )
    assert main(['--models', 'gold_replay', '--datasets', 'split']) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert "datasets pandas and scipy: both have an experiment '1' in the split 's'; give them one `path`" in line
    assert not (project / 'outputs/default').exists()


@pytest.mark.parametrize('name', ['eval_cibench_7b', 'eval_cibench_oracle', 'eval_cibench_api'])
def test_missing_archive_is_one_line_and_named_before_servers_and_keys(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv('OPENAI_API_KEY', raising=False)
    assert main([str(CONFIGS / f'{name}.py')]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert 'data/cibench_dataset/cibench_generation: no such folder; correct path, or run `cibench data fetch' in line


@pytest.mark.parametrize(
    ('words', 'said'),
    [
        (['--datasets', 'builtin_template/panda'], 'builtin_template.py: nothing in it is named …/panda; there is'),
        (['--datasets', 'builtin_template', '--runtime', 'paper'], "set environment='modern' in kernels (or, in a"),
        (['--datasets', 'private'], 'its code reads data/…, but there is no datasources/ folder'),
        (['--datasets', 'deep'], 'its code reads data/…, but deep/data holds no data/; put it there, or set'),
        (['--datasets', 'foreign'], 'environment tools/python, which is none of ours; name modern or paper in its'),
    ],
)
def test_datasets_that_do_not_fit_are_one_line(project, capsys, words, said):
    configs = shutil.copytree(CONFIGS, project / 'configs')
    (project / 'mine').mkdir()
    (project / 'mine' / 'a.ipynb').write_text(json.dumps(notebook(('exec', 'Read.', "open('data/x.csv')", ''))))
    made = notebook(('exec', 'Say.', 'print(1)', '')) | {'metadata': {'kernel_environment': 'tools/python'}}
    (project / 'other').mkdir()
    (project / 'other' / 'a.ipynb').write_text(json.dumps(made))
    text = 'from mmengine.config import read_base\nwith read_base():\n    from .demo import demo_datasets as whole\n'
    mine = "private_datasets = [dict(whole[0], builtin=None, path='mine', experiments=None)]\n"
    (configs / 'datasets/private.py').write_text(text + mine)
    (project / 'deep/data').mkdir(parents=True)
    (configs / 'datasets/deep.py').write_text(text + mine.replace('None)', "None, datasources='deep/data')"))
    (configs / 'datasets/foreign.py').write_text(text + mine.replace("'mine'", "'other'"))
    assert main(['--models', 'gold_replay', *words, '--config-dir', str(configs), '--dry-run']) == 2
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
        _ = CIBenchDataset(builtin='builtin', experiments=['*/pandas/*', 'cibench_generation/panda/stock']).experiments
    assert "no experiment 'cibench_generation/panda/stock'" in str(caught.value)
    assert 'cibench_generation/pandas/stocks' in str(caught.value)
    folder = builtin_folder('builtin', 'modern')
    ids = [file.relative_to(folder).with_suffix('').as_posix() for file in folder.rglob('*.ipynb')]
    assert sum(name in str(caught.value) for name in ids) == 3
    assert f'and {len(ids) - 3} more' in str(caught.value)


def plain_values(cfg):
    """What of mmengine's reading is data: it also keeps functions and open files."""
    return {name: value for name, value in cfg.items() if not name.startswith('__') and is_data(value)}


def is_data(value):
    return isinstance(value, dict | list | tuple | str | int | float | bool | None)


ZOO = Path(opencompass.__file__).parent / 'configs'
UNREADABLE = {
    'charm_reason_settings.py': 'mmengine knows no `__file__` there',
    'aa_lcr/__init__.py': 'no config: it imports others without read_base',
}


@pytest.mark.soak
@pytest.mark.filterwarnings('ignore:invalid escape sequence')  # of those who wrote them
def test_configs_mean_what_they_mean_to_mmengine():
    """Our configs and OpenCompass's; what mmengine cannot read, we need not."""
    paths = [*sorted(CONFIGS.rglob('*.py')), *sorted(ZOO.rglob('*.py'))[::40]]
    same = 0
    for path in paths:
        try:
            theirs = Config.fromfile(str(path), format_python_code=False).to_dict()
        except Exception:  # noqa: BLE001 - whatever a config raises there
            continue
        if not any(str(path).endswith(name) for name in UNREADABLE):
            assert plain_values(read(path)) == plain_values(theirs), path
            same += 1
    assert same > 0.95 * len(paths)
