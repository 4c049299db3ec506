"""Descriptions of gold beside a notebook: what is read of them, and what is refused."""

import base64
import json

import pytest

from cibench_eval.agents.identity import identity_of
from cibench_eval.agents.settings import AgentSettings, SessionSettings
from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.descriptions import (
    Descriptions,
    StepDescription,
    descriptions_file,
    hash_of,
    read_descriptions,
    write_descriptions,
)
from cibench_eval.interpreter import KernelSettings
from cibench_eval.plots import PLOT_SIZE, Plot
from cibench_eval.schema import CibenchError
from tests.support.notebooks import small_set

STATE = {'n': {'kind': 'scalar', 'type': 'int', 'columns': [{'dtype': 'number', 'values': [20]}]}}
PLOT = {'axes': [{'x': {}, 'y': {}, 'series': []}]}
CODES = ('n = 20', 'print(n + 1.5)')


@pytest.fixture
def root(tmp_path):
    return small_set(tmp_path, names=('a',))


def describe(root, codes=CODES, **first):
    steps = [StepDescription(**{'state': STATE, **first}), StepDescription()]
    return write_descriptions(
        root / 'math' / 'a.ipynb', Descriptions(environment='modern', code=hash_of(codes), steps=steps)
    )


def test_steps_have_what_is_said_of_them(root):
    (before,) = load_experiments(root)
    assert [step.state for step in before.steps] == [None, None]
    file = describe(root)
    assert file == root / 'math' / 'a.descriptions.json' == descriptions_file(before.path)
    (after,) = load_experiments(root)
    assert [step.state for step in after.steps] == [STATE, None]
    assert read_descriptions(before.path).environment == 'modern'


def test_figures_have_theirs_and_notebooks_none(tmp_path):
    from cibench_eval.datasets.formats.notebooks import load_experiment
    from tests.support.notebooks import notebook
    from tests.support.pngs import png

    raw = notebook(('vis', 'Draw.', 'draw()', ''))
    image = {'image/png': base64.b64encode(png()).decode(), 'application/vnd.cibench.plot+json': PLOT}
    shown = {'output_type': 'display_data', 'metadata': {}, 'data': image}
    raw['cells'][1]['outputs'] = [shown, shown]
    path = tmp_path / 'a.ipynb'
    path.write_text(json.dumps(raw))
    assert [figure.plot for figure in load_experiment(path, tmp_path).steps[0].figures] == [None, None]
    said = Descriptions(environment='modern', code=hash_of(['draw()']), steps=[StepDescription(plots=[None, PLOT])])
    write_descriptions(path, said)
    first, second = load_experiment(path, tmp_path).steps[0].figures
    assert first.plot is None and second.plot == Plot.of(PLOT)


def test_the_largest_description_of_a_figure_is_kept_whole(root):
    series = {'kind': 'line', 'size': 200, 'fields': ['x', 'y'], 'columns': [[1 / 7] * 200] * 2}
    axes = {'x': {}, 'y': {}, 'series': [series] * 10}
    plot = Plot.of({'axes': [axes] * 4})
    file = describe(root, plots=[json.loads(plot.json_bytes())])
    assert len(plot.json_bytes()) > 0.75 * PLOT_SIZE
    assert Plot.of(read_descriptions(root / 'math' / 'a.ipynb').steps[0].plots[0]) == plot and file.exists()


def test_they_are_no_part_of_what_a_session_is(root):
    settings = SessionSettings(AgentSettings(), KernelSettings(sandbox='none'), 'end_to_end')
    (before,) = load_experiments(root)
    describe(root)
    (after,) = load_experiments(root)
    assert identity_of(settings, before) == identity_of(settings, after)
    assert 'state' not in after.steps[0].model_dump()


BAD = {
    'other code': (lambda file: None, r'a.descriptions.json: it describes other code than that of the notebook; make'),
    'no JSON': (lambda file: file.write_text('{'), r'a.descriptions.json: no file of descriptions'),
    'another format': (lambda file: _change(file, format=2), 'format: Input should be 1'),
    'unknown field': (lambda file: _change(file, more=2), 'more: Extra inputs'),
    'fewer steps': (lambda file: _change(file, steps=[]), 'it describes other code'),
    'no state': (lambda file: _change(file, steps=[{'state': {'n': 5}}, {}]), 'step 1: its `state` describes no var'),
    'a folder': (lambda file: (file.unlink(), file.mkdir()), 'cannot be read'),
}


def _change(file, **fields):
    file.write_text(json.dumps({**json.loads(file.read_text()), **fields}))


@pytest.mark.parametrize('case', BAD)
def test_what_does_not_fit_is_one_line_with_the_fix(root, case):
    damage, problem = BAD[case]
    damage(describe(root, codes=('n = 21', CODES[1]) if case == 'other code' else CODES))
    with pytest.raises(CibenchError, match=problem) as error:
        load_experiments(root)
    assert '\n' not in str(error.value) and ('cibench data describe' in str(error.value) or case == 'a folder')


def test_outputs_and_questions_do_not_change_the_code(root):
    describe(root)
    path = root / 'math' / 'a.ipynb'
    raw = json.loads(path.read_text())
    raw['cells'][0]['source'] = 'Another question.'
    raw['cells'][3]['outputs'][0]['text'] = '3\n'
    path.write_text(json.dumps(raw))
    (experiment,) = load_experiments(root)
    assert experiment.steps[0].state == STATE
