"""Fresh data from a seed, and the twin of templates on it."""

import csv
import io

import numpy as np
import pytest
from PIL import Image

from cibench_eval import cli
from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import SETS
from cibench_eval.schema import CibenchError
from cibench_eval.sets.fresh import Fresh
from cibench_eval.sets.templates import read_sources

VARIED = {
    'file': {'table': 200},
    'group': {'words': 4},
    'value': {'normal': [50, 5], 'digits': 1, 'by': 'group', 'gaps': 0.1},
    'other': {'follows': {'value': 2.0}, 'noise': 0.5},
    'count': {'integers': [1, 6]},
    'day': {'days': '2024-02-27'},
    'time': {'order': 0.25},
    'wave': {'sine': [18, 22], 'scale': 3},
    'kind': {'classes': ['value', 'other'], 'of': 3},
    'level': {'level_of': 'group'},
    'levels': {'levels_of': 'group'},
    'cut': {'quantile_of': 'value', 'q': 0.9},
    'features': {'columns': ['value', 'other']},
    'k': {'pick': [3, 5]},
    'n': {'between': [10, 20]},
    'second': {'table': 5},
    'alone': {'uniform': [0, 1], 'digits': 3},
    'text': {'prose': 8},
    'picture': {'image': [60, 80]},
}


def fresh(seed=1, **more):
    return Fresh({**VARIED, **more}, 'csv/all', seed)


def rows(made, file):
    return list(csv.DictReader(io.StringIO(made.files[made.parameters[file]].decode())))


def column(made, parameter, file='file'):
    return [row[made.parameters[parameter]] for row in rows(made, file)]


def test_table_is_what_was_described():
    made = fresh()
    assert len(rows(made, 'file')) == 200
    assert sorted(set(column(made, 'group'))) == made.parameters['levels']
    assert made.parameters['level'] in made.parameters['levels'] and len(made.parameters['levels']) == 4
    values = column(made, 'value')
    assert 5 < values.count('') < 40
    known = np.array([float(value or 'nan') for value in values])
    assert np.isclose(np.nanmean(known > made.parameters['cut']), 0.1, atol=0.03)
    other = np.array(column(made, 'other'), dtype=float)
    assert np.corrcoef(known[~np.isnan(known)], other[~np.isnan(known)])[0, 1] > 0.9
    assert set(column(made, 'count')) == set('123456')
    assert column(made, 'day')[:3] == ['2024-02-27', '2024-02-28', '2024-02-29']
    assert column(made, 'time')[:3] == ['0.0', '0.25', '0.5']
    assert sorted(column(made, 'kind').count(kind) for kind in set(column(made, 'kind'))) == [66, 67, 67]
    assert made.parameters['features'] == [made.parameters['value'], made.parameters['other']]
    assert made.parameters['k'] in (3, 5) and 10 <= made.parameters['n'] <= 20


def test_a_gap_in_a_text_is_an_empty_field():
    assert set(column(fresh(group={'words': 2, 'gaps': 0.5}), 'group')) == {
        '',
        *fresh(group={'words': 2}).parameters['levels'],
    }


def test_column_stands_in_the_last_table_before_it():
    made = fresh()
    assert list(rows(made, 'second')[0]) == [made.parameters['alone']]
    assert len(rows(made, 'second')) == 5


def test_text_and_picture():
    made = fresh()
    text = made.files[made.parameters['text']].decode()
    assert text.count('.') == 8 and '{' not in text
    picture = Image.open(io.BytesIO(made.files[made.parameters['picture']]))
    assert picture.size == (80, 60) and len(np.unique(picture)) > 20


def test_seed_decides():
    assert fresh(1).files == fresh(1).files
    assert fresh(1).files != fresh(2).files
    assert fresh(1).parameters['value'] != fresh(2).parameters['value']
    assert Fresh(VARIED, 'csv/other', 1).files != fresh(1).files


@pytest.mark.parametrize(
    'description',
    [{'gauss': [0, 1]}, {'normal': 5}, {'follows': {'nothing': 1}}, {'level_of': 'nobody'}, {}, 'normal', {'pick': []}],
)
def test_unknown_description_is_refused(description):
    with pytest.raises(CibenchError, match='csv/all: varied: wrong'):
        fresh(wrong=description)


@pytest.mark.soak
def test_every_template_can_be_varied():
    """Descriptions fit, no two parameters are the same column, every file is there."""
    for source in read_sources(SETS / 'builtin' / 'sources' / 'cibench_template'):
        made = Fresh(source.varied, source.name.as_posix(), 5)
        for draft in source.instantiate('seed5', made.parameters):
            assert not {name for name in map(str, source.instances) if name in draft.target.name}
        assert made.files.keys() <= {value for value in made.parameters.values() if isinstance(value, str)}


@pytest.mark.kernel
def test_twin_is_sound_and_says_nothing_of_where_it_was_made(tmp_path, capsys):
    """The folder has another name each time."""
    out = tmp_path / 'a'
    assert cli.main(['data', 'vary', '--seed', '3', '--out', str(out), '--only', 'pandas/grouping']) == 0
    assert capsys.readouterr().out.splitlines() == [
        f'{out}/cibench_template/pandas/grouping_seed3.ipynb',
        f'{out}/cibench_template_chinese/pandas/grouping_seed3.ipynb',
    ]
    texts = [path.read_bytes() for path in out.rglob('*') if path.is_file()]
    assert not any(str(tmp_path).encode() in text or b'.vary-' in text for text in texts)
    (english,) = load_experiments(out / 'cibench_template')
    assert english.datasources == out / 'datasources'
    shipped = load_experiments(SETS / 'builtin' / 'modern' / 'cibench_template', include=['pandas/grouping_*'])
    assert len(english.steps) == len(shipped[0].steps)
    assert not {step.text for step in english.steps if step.text} & {step.text for step in shipped[0].steps}


def test_negative_seed_is_refused(tmp_path, capsys):
    assert cli.main(['data', 'vary', '--seed', '-1', '--out', str(tmp_path / 'new')]) == 2
    assert 'seed: -1 is negative' in capsys.readouterr().err
    assert not (tmp_path / 'new').exists()


def test_folder_with_something_in_it_is_refused(tmp_path, capsys):
    (tmp_path / 'mine.txt').write_text('kept')
    assert cli.main(['data', 'vary', '--seed', '1', '--out', str(tmp_path)]) == 2
    assert 'not empty; give a new folder' in capsys.readouterr().err
    assert (tmp_path / 'mine.txt').read_text() == 'kept'
