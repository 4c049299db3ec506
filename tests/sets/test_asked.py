"""What no question asks for and the gold would have an answer hold."""

import json
from pathlib import Path

import pytest

from cibench_eval.datasets.builtin_sets import builtin_sets
from cibench_eval.schema import Experiment, Step
from cibench_eval.sets.checking.static import load_set, unasked

TABLE = {'df': {'kind': 'table', 'type': 'DataFrame', 'shape': [2, 2], 'columns': [{'name': 'a', 'dtype': 'number'}]}}


def found(question, code, state=TABLE, before=''):
    steps = [
        Step(index=0, question=before, code='pass', kind='exec'),
        Step(index=1, question=question, code=code, kind='exec', state=state),
    ]
    experiment = Experiment(id='m/x', path=Path('x.ipynb'), language='en', steps=steps, typed=True)
    return [(index, severity) for index, _, severity in unasked(experiment)]


@pytest.mark.parametrize(
    ('question', 'code', 'before', 'severity'),
    [
        ('Make `df`.', "df = 1\ndf['a'] = 2", '', ['defect']),
        ('Make `df`.', "df.loc[rows, 'a'] = 2", '', ['defect']),
        ('Make `df` with the column `a`.', "df['a'] = 2", '', []),
        ('Change `df`.', "df['a'] = 2", 'It has a column `a`.', []),
        ('Make `df`.', "df['b'] = 2\ndel df['b']", '', []),  # what is gone at the end is asked of nobody
        ('Make `df` with the column `a`.', 'a = 1\ndf = a', '', ['note']),
        ('Make `df` with the column `a`.', 'for a in x:\n    df = a', '', []),
        ('Make `df`.', "def f():\n    df['a'] = 2\ndf = f()", '', []),
        ('Make `df`.', 'df = (', '', []),
    ],
)
def test_what_is_found(question, code, before, severity):
    assert found(question, code, before=before) == [(1, one) for one in severity]


@pytest.mark.parametrize('name', ['builtin', 'builtin_hard'])
def test_the_built_in_sets_ask_for_all_that_they_check(name):
    members = load_set(builtin_sets()[name]['modern'], name).members
    assert members
    assert [one for member in members for one in unasked(member.experiment) if one[2] == 'defect'] == []


def test_a_plot_has_no_absolute_tolerance(tmp_path):
    notebook = next(builtin_sets()['builtin']['modern'].rglob('*.ipynb'))
    content = json.loads(notebook.read_text())
    kinds = content['metadata']['step_types']
    content['metadata']['tolerances'] = [{'absolute': 0.1} if kind == 'vis' else None for kind in kinds]
    assert 'vis' in kinds
    (tmp_path / 'x.ipynb').write_text(json.dumps(content))
    (finding,) = load_set(tmp_path, 'x').findings
    assert 'a plot has no absolute tolerance' in finding.text
