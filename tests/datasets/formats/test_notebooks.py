"""The official notebook format: what is read, in which order, and every way a notebook can be malformed."""

import base64
import json
import subprocess
import sys
import zlib
from collections import Counter

import pytest

from cibench_eval.datasets import load_experiment, load_experiments
from cibench_eval.schema import CibenchError
from tests.support import pngs
from tests.support.cells import code, display, figure, markdown, result, stdout, write
from tests.support.notebooks import EXAMPLES


def png(shade: int = 0) -> str:
    pixels = pngs.chunk(b'IDAT', zlib.compress(bytes([0, shade])))
    return base64.b64encode(pngs.png(pngs.header(1, 1, colour=0), pixels)).decode()


def load(folder, *cells, **metadata):
    return load_experiment(write(folder, *cells, **metadata), folder)


def test_examples_have_every_kind_and_both_languages():
    experiments = load_experiments(EXAMPLES)
    kinds = Counter(step.kind for experiment in experiments for step in experiment.steps)
    assert min(kinds[kind] for kind in ('exec', 'num', 'text', 'vis')) >= 5
    assert kinds.total() >= 30
    assert Counter(experiment.language for experiment in experiments) == {'en': 4, 'cn': 2}
    assert all(experiment.typed for experiment in experiments)
    assert {experiment.datasources for experiment in experiments} == {EXAMPLES.parent / 'datasources'}


@pytest.mark.parametrize('end', ['\n', '\r\n', '\r'])
def test_question_thought_and_modules(tmp_path, end):
    asked = markdown([f'  Show it.{end}', end, f'Thought: As{end}', f'follows. {end}'])
    gold = code(stdout(), source=f'x = 1{end}x')
    (step,) = load(tmp_path, asked, gold, modules=['pandas &numpy'], step_types=['num']).steps
    assert step.question == 'Show it.Please use pandas and numpy modules.\n'
    assert (step.thought, step.modules, step.code) == ('As\nfollows.', ['pandas', 'numpy'], 'x = 1\nx')


def test_question_without_thought_and_modules(tmp_path):
    experiment = load(tmp_path, markdown('Show it.\n'), code(stdout()))
    assert (experiment.id, experiment.typed) == ('pandas/a', False)
    assert (experiment.steps[0].question, experiment.steps[0].thought) == ('Show it.\n', '')


@pytest.mark.parametrize(
    ('outputs', 'text'),
    [
        ([stdout('1\n'), result('2')], '2'),
        ([stdout(['4\n', '5\n'])], '4\n5\n'),
        ([stdout('6\n'), stdout('warning', name='stderr')], '6\n'),
        ([stdout('7\n'), figure(png())], '7\n'),
        ([stdout('8\n'), display('9'), display('<Axes: >'), display('10')], '9\n10\n'),
        ([stdout('7\n'), display('<Axes: >'), display('0', **{'application/vnd.jupyter.widget-view+json': {}})], '7\n'),
        ([stdout('7\n'), display('8', **{'application/vnd.google.colaboratory.intrinsic+json': {}})], '8\n'),
        ([stdout('9\n'), {'output_type': 'error', 'data': None}], '9\n'),
    ],
)
def test_gold_text_is_the_last_stdout_result_or_display(tmp_path, outputs, text):
    (step,) = load(tmp_path, markdown(), code(*outputs), step_types=['num']).steps
    assert (step.text, step.figure) == (text, None)


@pytest.mark.parametrize(
    'outputs',
    [
        [figure(png(9)), figure(png(8))],
        [figure(png(8), kind='execute_result'), figure(png(9))],
        [stdout(), figure([png(9)[:20] + '\n', png(9)[20:] + '\n'])],
        [figure(png(9), kind='execute_result')],
    ],
)
def test_gold_figure_is_the_first_displayed(tmp_path, outputs):
    (step,) = load(tmp_path, markdown(), code(*outputs), step_types=['vis']).steps
    assert step.figure.data == base64.b64decode(png(9))
    assert step.text is None


def test_all_displayed_figures_are_kept_in_order(tmp_path):
    (step,) = load(tmp_path, markdown(), code(*(figure(png(shade)) for shade in (9, 8, 7)))).steps
    assert [one.data for one in step.figures] == [base64.b64decode(png(shade)) for shade in (9, 8, 7)]


def test_kinds_are_read_off_the_outputs_where_none_is_stated(tmp_path):
    golds = [code(), code(stdout()), code(result()), code(stdout(), figure(png())), code(stdout(' \n'))]
    golds += [code(display('7', **{'text/html': '<b>7</b>'})), code(display('<Axes: >'))]
    steps = load(tmp_path, *(cell for gold in golds for cell in (markdown(), gold))).steps
    assert [step.kind for step in steps] == ['exec', 'general', 'general', 'vis', 'exec', 'general', 'exec']


def test_declared_answers_and_the_version_of_the_set(tmp_path):
    asked = markdown('How many? Leave it in `rows`, and in `names` which.')
    gold = code(stdout(), source="rows, names = 2, ['a', 'b']")
    metadata = {'step_types': ['num', 'exec'], 'answers': ['rows: count; names: list[text]', None], 'set_version': '7'}
    experiment = load(tmp_path, asked, gold, markdown(), code(), **metadata)
    first, second = experiment.steps
    assert {name: answer.kind for name, answer in first.answers.items()} == {'rows': 'count', 'names': 'list'}
    assert second.answers == {}
    assert experiment.version == '7'


def test_stated_kinds_win(tmp_path):
    steps = load(
        tmp_path, *[markdown(), code(stdout(), figure(png()))] * 4, step_types=['exec', 'num', 'text', 'vis']
    ).steps
    assert [step.kind for step in steps] == ['exec', 'num', 'text', 'vis']
    assert [bool(step.figure) for step in steps] == [False, False, False, True]


def test_raw_and_empty_cells_say_nothing(tmp_path):
    raw = {'cell_type': 'raw', 'metadata': {}, 'source': 'by A. N. Other'}
    assert len(load(tmp_path, raw, markdown(), code(stdout()), code(source=' \n'), markdown('')).steps) == 1


def test_missing_metadata_is_no_fault(tmp_path):
    path = tmp_path / 'a.ipynb'
    path.write_text(json.dumps({'cells': [markdown(), code()]}), encoding='utf-8-sig')
    assert load_experiment(path, tmp_path).language == 'en', 'with or without a mark of the order of bytes'


ONE = (markdown(), code(stdout()))
PROSE = markdown('More words.')
BROKEN_PNG = base64.b64encode(b'GIF89a').decode()
FAULTS = {
    'two questions': ((markdown(), PROSE, code()), {}, ['cell 2', 'second markdown cell after cell 1']),
    'a raw cell between': (
        (markdown(), {'cell_type': 'raw', 'source': 'note'}, PROSE, code()),
        {},
        ['cell 3: a second markdown cell after cell 1'],
    ),
    'two codes': ((*ONE, code(source='y')), {}, ['cell 3', 'second code cell after cell 2']),
    'code first': ((code(), *ONE), {'step_types': ['num']}, ['cell 1', 'code without a question']),
    'question last': ((*ONE, markdown()), {}, ['cell 3', 'a question without code']),
    'empty gold': ((*ONE, markdown(), code(source='')), {}, ['cell 3', 'a question without code']),
    'no cells': ((), {}, ['no cells']),
    'two thoughts': ((markdown('Q\n\nThought: a\n\nThought: b'), code()), {}, ['cell 1', '2 times "Thought: "']),
    'unknown kind': (ONE, {'step_types': ['number']}, ['cell 2', "'number'", 'exec | num | text | vis']),
    'kind without a type': (ONE, {'step_types': ['general']}, ['cell 2', "'general'"]),
    'few kinds': (ONE * 2, {'step_types': ['num']}, ['2 steps', '1 in metadata `step_types`']),
    'many kinds': (ONE, {'step_types': ['num', 'num']}, ['1 steps', '2 in metadata `step_types`']),
    'few modules': (ONE * 2, {'modules': ['a'], 'step_types': ['num'] * 2}, ['`modules` has 1', '2']),
    'modules no list': (ONE, {'modules': 'a', 'step_types': ['num']}, ['`modules` is malformed']),
    'language': (ONE, {'language': 'de'}, ["`language` is 'de'"]),
    'environment no text': (ONE, {'kernel_environment': 5}, ['`kernel_environment` is 5']),
    'version no text': (ONE, {'set_version': 2}, ['`set_version` is 2', 'a string']),
    'no declaration': (
        ONE,
        {'step_types': ['num'], 'answers': ['number']},
        ["`answers`, step 1: 'number' is no kind", 'write it such as'],
    ),
    'answers no list': (ONE, {'answers': 'count'}, ['`answers` is malformed']),
    'a negative tolerance': (ONE * 2, {'tolerances': [0.1, -1]}, ['`tolerances` is malformed at step 2']),
    'answer not named': (ONE, {'step_types': ['num'], 'answers': ['count']}, ['cell 2', 'declares `answer`']),
    'answer of a figure': (
        (markdown('Plot `x`.'), code(figure(png()), source='x = 1')),
        {'step_types': ['vis'], 'answers': ['x: count']},
        ['cell 2', 'a vis step has no answer'],
    ),
    'surrogate in an environment': (ONE, {'kernel_environment': 'a\ud800'}, ['`kernel_environment` is', 'ud800']),
    'surrogate in a question': ((markdown('What\ud800?'), code()), {}, ['cell 1', 'lone surrogate', 'ud800']),
    'surrogate in an output': ((markdown(), code(stdout('\ud800'))), {}, ['cell 2', 'lone surrogate', 'ud800']),
    'surrogate in modules': (ONE, {'modules': ['\ud800'], 'step_types': ['num']}, ['`modules` is malformed']),
    'num without text': ((markdown(), code(figure(png()))), {'step_types': ['num']}, ['cell 2', 'no text output']),
    'blank text': ((markdown(), code(stdout('\n'))), {'step_types': ['text']}, ['cell 2', 'let it show its answer']),
    'vis without figure': (ONE, {'step_types': ['vis']}, ['cell 2', 'no image/png']),
    'not base64': ((markdown(), code(figure('~~~'))), {'step_types': ['vis']}, ['cell 2', 'not base64']),
    'no PNG': ((markdown(), code(figure(BROKEN_PNG))), {}, ['cell 2', 'not a whole PNG']),
    'cut PNG': ((markdown(), code(figure(png()[:40]))), {}, ['cell 2', 'not a whole PNG']),
    'cell no mapping': ((*ONE, 'text'), {}, ['cell 3', 'no cell of notebook format 4']),
    'no outputs': ((markdown(), {'cell_type': 'code', 'source': 'x'}), {}, ['cell 2', "'outputs'"]),
    'output no text': ((markdown(), code(result(3))), {}, ['cell 2', 'no cell of notebook format 4']),
}


@pytest.mark.parametrize('fault', FAULTS)
def test_malformed_notebook_is_one_line_that_names_file_cell_and_cause(tmp_path, fault):
    cells, metadata, words = FAULTS[fault]
    path = write(tmp_path, *cells, **metadata)
    with pytest.raises(CibenchError) as error:
        load_experiments(tmp_path)
    message = str(error.value)
    assert message.startswith(f'{path}: ')
    assert '\n' not in message
    assert [word for word in words if word not in message] == []


@pytest.mark.parametrize(
    ('content', 'cause'),
    [
        (b'{"cells": [', 'is no JSON'),
        (b'\xff\xfe{}', 'is not in UTF-8'),
        (b'[]', 'no notebook of format 4'),
        (b'{"worksheets": [{"cells": []}], "nbformat": 3}', 'no notebook of format 4'),
        (b'{"cells": [], "metadata": []}', '`metadata` is no mapping'),
        (b'{"cells": ' + b'[' * 100_000, 'is nested too deep'),
    ],
)
def test_not_a_notebook(tmp_path, content, cause):
    (tmp_path / 'a.ipynb').write_bytes(content)
    with pytest.raises(CibenchError, match=cause) as error:
        load_experiments(tmp_path)
    assert str(tmp_path / 'a.ipynb') in str(error.value)
    assert '\n' not in str(error.value)


def test_missing_file_and_folders(tmp_path):
    for path, cause in [(tmp_path, 'no notebook'), (tmp_path / 'gone', 'no such folder')]:
        with pytest.raises(CibenchError, match=cause):
            load_experiments(path)
    with pytest.raises(CibenchError, match='No such file'):
        load_experiment(tmp_path / 'gone.ipynb', tmp_path)
    write(tmp_path, *ONE)
    with pytest.raises(CibenchError, match='`datasources` is the folder'):
        load_experiments(tmp_path, datasources=tmp_path / 'gone')


def test_order_is_files_then_folders_and_hidden_ones_are_left_out(tmp_path):
    names = ['z', 'b/x', 'B/y', 'b/c/d', 'b/10', 'b/9', 'b/.ipynb_checkpoints/x-checkpoint', '.git/x', 'b/.x']
    for name in names:
        write(tmp_path, *ONE, name=f'{name}.ipynb')
    (tmp_path / 'b' / 'notes.ipynb.txt').write_text('no notebook')
    assert [e.id for e in load_experiments(tmp_path)] == ['z', 'B/y', 'b/10', 'b/9', 'b/x', 'b/c/d']


def test_include(tmp_path):
    for name in ('a/1', 'a/2', 'b/1'):
        write(tmp_path, *ONE, name=f'{name}.ipynb')
    write(tmp_path, 'malformed', name='c/1.ipynb')
    assert [e.id for e in load_experiments(tmp_path, include=['b/1', 'a/*'])] == ['a/1', 'a/2', 'b/1']
    with pytest.raises(CibenchError, match=r"no experiment 'a/3' here; there is a/[12], a/[12], ./. and 1 more"):
        load_experiments(tmp_path, include=['a/1', 'a/3'])


def test_language_is_given_else_stated_else_in_the_path(tmp_path):
    folder = tmp_path / 'cibench_template_chinese'
    write(folder, *ONE, name='a.ipynb')
    write(folder, *ONE, name='b.ipynb', language='en')
    assert [e.language for e in load_experiments(folder)] == ['cn', 'en']
    assert [e.language for e in load_experiments(folder, language='en')] == ['en', 'en']


def test_datasources_are_given_else_the_nearest(tmp_path):
    path = write(tmp_path / 'set' / 'split', *ONE)
    (tmp_path / 'datasources').mkdir()
    assert load_experiment(path, path.parent).datasources == tmp_path / 'datasources'
    (tmp_path / 'set' / 'datasources').mkdir()
    assert load_experiment(path, path.parent).datasources == tmp_path / 'set' / 'datasources'
    assert load_experiment(path, path.parent, datasources=tmp_path).datasources == tmp_path


def test_loading_needs_no_jupyter():
    check = "import sys, cibench_eval.datasets; print({'nbformat', 'jupytext'} & set(sys.modules))"
    process = subprocess.run([sys.executable, '-c', check], capture_output=True, text=True, check=True)
    assert process.stdout == 'set()\n'


def test_the_libraries_of_notebooks_build_no_grammar_of_addresses():
    check = "import sys, cibench_eval.notebook_libraries; print({'lark', 'nbformat'} & set(sys.modules))"
    process = subprocess.run([sys.executable, '-c', check], capture_output=True, text=True, check=True)
    assert process.stdout == "{'nbformat'}\n"


@pytest.mark.parametrize('datasources', [True, False])
def test_folders_above_a_set_say_nothing_of_its_language(tmp_path, datasources):
    folder = tmp_path / 'chinese-llm' / 'set'
    for split in ('cibench_template', 'cibench_template_chinese'):
        write(folder / split, markdown(), code(stdout()))
    if datasources:
        (folder / 'datasources').mkdir()
    splits = {split: load_experiments(folder / split) for split in ('cibench_template', 'cibench_template_chinese')}
    assert {split: one.language for split, (one,) in splits.items()} == {
        'cibench_template': 'en',
        'cibench_template_chinese': 'cn',
    }


def test_a_library_is_of_the_language_of_its_split(tmp_path):
    (tmp_path / 'chinese-llm/set/datasources').mkdir(parents=True)
    split = tmp_path / 'chinese-llm/set/cibench_template_chinese'
    write(split, markdown(), code(stdout()))
    (one,) = load_experiments(split / 'pandas')
    assert one.language == 'cn'
    (whole,) = load_experiments(split.parent)
    assert (whole.id, whole.language) == ('cibench_template_chinese/pandas/a', 'cn')
