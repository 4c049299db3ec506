"""Descriptions of gold beside a notebook: what is read of them, and what is refused."""

import base64
import json

import pytest

from cibench_eval.agents import AgentSettings, SessionSettings
from cibench_eval.agents.identity import identity_of
from cibench_eval.datasets import load_experiments
from cibench_eval.interpreter import KernelSettings
from cibench_eval.plots import Plot
from cibench_eval.schema import CibenchError
from tests.support.notebooks import notebook, small_set, write_beside
from tests.support.pngs import png

PLOT_SIZE = 400_000

STATE = {'n': {'kind': 'scalar', 'type': 'int', 'columns': [{'dtype': 'number', 'values': [20]}]}}
PLOT = {'axes': [{'x': {}, 'y': {}, 'series': []}]}
CODES = ('n = 20', 'print(n + 1.5)')


@pytest.fixture
def root(tmp_path):
    return small_set(tmp_path, names=('a',))


def describe(root, codes=CODES, **first):
    return described(root / 'math' / 'a.ipynb', codes, {'state': STATE, **first}, {})


def described(path, codes, *steps):
    return write_beside(path, '.descriptions.json', codes, environment='modern', steps=steps)


def drawing(folder, figures):
    """A notebook of one step with so many figures."""
    raw = notebook(('vis', 'Draw.', 'draw()', ''))
    image = {'image/png': base64.b64encode(png()).decode(), 'application/vnd.cibench.plot+json': PLOT}
    shown = {'output_type': 'display_data', 'metadata': {}, 'data': image}
    raw['cells'][1]['outputs'] = [shown] * figures
    path = folder / 'a.ipynb'
    path.write_text(json.dumps(raw))
    return path


def test_steps_have_what_is_said_of_them(root):
    (before,) = load_experiments(root)
    assert [step.state for step in before.steps] == [None, None]
    describe(root)
    (after,) = load_experiments(root)
    assert [step.state for step in after.steps] == [STATE, None]


def test_figures_have_theirs_and_notebooks_none(tmp_path):
    path = drawing(tmp_path, 2)
    assert [figure.plot for figure in load_experiments(tmp_path)[0].steps[0].figures] == [None, None]
    described(path, ['draw()'], {'plots': [None, PLOT]})
    first, second = load_experiments(tmp_path)[0].steps[0].figures
    assert first.plot is None and second.plot == Plot.of(PLOT)


def test_the_largest_description_of_a_figure_is_kept_whole(tmp_path):
    series = {'kind': 'line', 'size': 200, 'fields': ['x', 'y'], 'columns': [[1 / 7] * 200] * 2}
    axes = {'x': {}, 'y': {}, 'series': [series] * 10}
    plot = Plot.of({'axes': [axes] * 4})
    assert len(plot.json_bytes()) > 0.75 * PLOT_SIZE
    described(drawing(tmp_path, 1), ['draw()'], {'plots': [json.loads(plot.json_bytes())]})
    assert load_experiments(tmp_path)[0].steps[0].figures[0].plot == plot


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
    'another format': (lambda file: _change(file, format=2), 'format: it must be 1'),
    'unknown field': (lambda file: _change(file, more=2), 'more is unknown'),
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
