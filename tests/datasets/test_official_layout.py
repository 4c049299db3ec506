"""An archive in the official layout with what upstream's loader trips over, from `add` to the configs' datasets."""

import json
import zipfile
from collections import Counter
from pathlib import Path

from cibench_eval.config.config_files import read
from cibench_eval.config.session_tasks import task_of
from cibench_eval.datasets import load_experiments
from cibench_eval.sets.archives.store import Store
from tests.datasets.formats.test_notebooks import code, figure, markdown, png, stdout

CONFIGS = Path(__file__).parents[2] / 'configs'
CHECKPOINT = 'cibench_dataset/cibench_template/pandas/.ipynb_checkpoints/rain-checkpoint.ipynb'
TYPED = {'modules': ['pandas', 'pandas & numpy', 'matplotlib', 'pandas'], 'step_types': ['exec', 'num', 'vis', 'text']}
LIBRARIES = {
    name: [
        dataset['experiments'][0].partition('/')[0]
        for dataset in read(CONFIGS / 'datasets' / f'{name}.py')[f'{name}_datasets']
    ]
    for name in ('cibench_generation', 'cibench_template', 'cibench_template_cn')
}


def notebook(*cells, **metadata):
    return {'cells': cells, 'metadata': metadata, 'nbformat': 4, 'nbformat_minor': 5}


def template(question='How much rain?'):
    return notebook(
        markdown('Load data/rain.csv.'),
        code(source='import pandas as pd'),
        markdown(question),
        code(stdout('1.5\n')),
        markdown('Plot it.'),
        code(figure(png(3))),
        markdown('Describe it.'),
        code(stdout('dry\n')),
        **TYPED,
    )


def official():
    files = {
        'cibench_dataset/datasources/data/rain.csv': 'mm\n1.5\n',
        CHECKPOINT: '{',
        '__MACOSX/cibench_dataset/._x': '',
    }
    for folder, config, content in (
        ('cibench_generation', 'cibench_generation', template()),
        ('cibench_template', 'cibench_template', template()),
        ('cibench_template_chinese', 'cibench_template_cn', template('雨量是多少？')),
    ):
        for library in LIBRARIES[config]:
            files[f'cibench_dataset/{folder}/{library}/rain.ipynb'] = json.dumps(content)
    return files


def test_every_dataset_of_the_configs_is_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with zipfile.ZipFile('cibench_dataset.zip', 'w', zipfile.ZIP_DEFLATED) as archive:
        for name, content in official().items():
            archive.writestr(name, content)
    folder = Store(Path('data'), lambda line: None).add(Path('cibench_dataset.zip'))
    assert folder == Path('data/cibench_dataset')
    modes = Counter()
    for name, libraries in LIBRARIES.items():
        config = read(CONFIGS / 'datasets' / f'{name}.py')
        for dataset in [*config[f'{name}_datasets'], *config[f'{name}_oracle_datasets']]:
            (experiment,) = task_of(Path('out'), {'abbr': 'm'}, dataset).experiments
            assert dataset['experiments'] == [experiment.id.replace('/rain', '/*')]
            assert experiment.datasources.resolve() == (folder / 'datasources').resolve()
            assert experiment.language == ('cn' if name.endswith('cn') else 'en')
            modes[dataset['infer_cfg']['inferencer']['mode']] += 1
        assert len(libraries) == len(set(libraries))
    assert modes == {'end_to_end': 26, 'oracle': 26}
    assert (folder.parent / CHECKPOINT).exists(), 'it is kept as it was published, but is no experiment'
    assert len(load_experiments(folder / 'cibench_template')) == len(LIBRARIES['cibench_template'])
