"""What no question asks for and the gold would have an answer hold; what is asked for and known by its name alone."""

import json

import pytest

from cibench_eval.datasets.builtin_sets import builtin_sets
from tests.sets.broken_set import Cell, read_findings, write_notebook
from tests.support.notebooks import write_beside
from tests.support.soak import many

pytestmark = pytest.mark.kernel  # it is found out before whether gold code could run

TABLE = {'df': {'kind': 'table', 'type': 'DataFrame', 'shape': [2, 2], 'columns': [{'name': 'a', 'dtype': 'number'}]}}


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
def test_what_is_found(tmp_path, question, code, before, severity):
    cells = [Cell('exec', before or 'Begin.', 'pass'), Cell('exec', question, code)]
    path = write_notebook(tmp_path, 'lib/a', cells, language='en')
    write_beside(path, '.descriptions.json', ['pass', code], environment='modern', steps=[{}, {'state': TABLE}])
    assert [(one.step, one.severity) for one in read_findings(tmp_path) if one.code == 'unasked'] == [
        (2, one) for one in severity
    ]


@pytest.mark.parametrize(
    ('state', 'found'), [({'f': 'function'}, [2]), ({'f': 'function', 'x': 'scalar'}, []), ({'cycle': 'object'}, [2])]
)
def test_a_step_of_which_state_knows_names_alone(tmp_path, state, found):
    cells = [Cell('exec', 'Begin.', 'pass'), Cell('exec', 'Make `f` and `x`.', 'f = x = 1')]
    path = write_notebook(tmp_path, 'lib/a', cells, language='en')
    described = {name: {'kind': kind, 'type': 'x'} for name, kind in state.items()}
    write_beside(
        path, '.descriptions.json', ['pass', 'f = x = 1'], environment='modern', steps=[{}, {'state': described}]
    )
    assert [one.step for one in read_findings(tmp_path) if one.code == 'name_alone'] == found


@pytest.mark.parametrize('name', ['builtin', *many(['builtin_hard'], [])])
def test_the_built_in_sets_ask_for_all_that_they_check_and_compare_more_than_names(name):
    wrong = ('unasked', 'defect'), ('name_alone', 'note')
    assert [one for one in read_findings(name) if (one.code, one.severity) in wrong] == []


def test_a_plot_has_no_absolute_tolerance(tmp_path):
    notebook = next(builtin_sets()['builtin']['modern'].rglob('*.ipynb'))
    content = json.loads(notebook.read_text())
    kinds = content['metadata']['step_types']
    content['metadata']['tolerances'] = [{'absolute': 0.1} if kind == 'vis' else None for kind in kinds]
    assert 'vis' in kinds
    (tmp_path / 'x.ipynb').write_text(json.dumps(content))
    (finding,) = read_findings(tmp_path)
    assert 'a plot has no absolute tolerance' in finding.text
