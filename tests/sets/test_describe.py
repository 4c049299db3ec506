"""Descriptions of gold, made by running it: by the command, by builds, and who may see them."""

import asyncio
import json
import os

import pytest

from cibench_eval import cli
from cibench_eval.datasets import load_experiments
from cibench_eval.interpreter import Interpreter, KernelSettings
from cibench_eval.sets.checking import CheckSettings, check_set
from tests.support.notebooks import notebook, small_set

pytestmark = pytest.mark.kernel
QUIET = ('--sandbox', 'auto')
STEPS = (
    ('exec', 'Set `n` to 20 and `lucky` to a random number.', 'import random\nn, lucky = 20, random.random()', ''),
    ('exec', 'Read `data/in.txt` into `text`.', 'text = open("data/in.txt").read()', ''),
    ('num', 'Print `n` plus 1.5.', 'print(n + 1.5)', '21.5\n'),
)


@pytest.fixture
def root(tmp_path):
    folder = small_set(tmp_path, names=())
    (tmp_path / 'datasources' / 'data' / 'in.txt').write_text('words')
    for name in ('a', 'b'):
        (folder / 'math' / f'{name}.ipynb').write_text(json.dumps(notebook(*STEPS)))
    return folder


def found(root):
    """What a check finds in the files of a set."""
    return check_set(str(root), CheckSettings(repeats=0, sandbox='none')).findings


def test_a_set_gets_its_descriptions_and_a_check_says_that_it_had_none(root, capsys):
    (note,) = (one for one in found(root) if one.code == 'undescribed')
    assert note.severity == 'note' and note.text.startswith('notebooks without descriptions: 2;')
    assert cli.main(['data', 'describe', str(root), *QUIET]) == 0
    printed, logged = capsys.readouterr()
    assert printed.split() == [str(root / 'math' / f'{name}.descriptions.json') for name in ('a', 'b')]
    assert 'described 2/2' in logged
    first, _ = load_experiments(root)
    n, lucky = first.steps[0].state['n'], first.steps[0].state['lucky']
    assert n['columns'][0]['values'] == [20]
    assert lucky == {'kind': 'scalar', 'type': 'float', 'columns': [{'dtype': 'number'}], 'settled': False}
    assert first.steps[1].state['text']['columns'][0]['values'] == ['words'] and first.steps[2].state is None
    before = [path.read_bytes() for path in sorted(root.rglob('*.descriptions.json'))]
    assert cli.main(['data', 'describe', str(root / 'math' / 'a.ipynb'), *QUIET]) == 0
    assert before == [path.read_bytes() for path in sorted(root.rglob('*.descriptions.json'))]
    assert 'undescribed' not in {one.code for one in found(root)}


def test_gold_that_does_not_run_here_is_named_and_the_rest_is_described(root, capsys):
    bad = notebook(*STEPS, ('exec', 'Fail.', 'n = missing', ''))
    (root / 'math' / 'b.ipynb').write_text(json.dumps(bad))
    assert cli.main(['data', 'describe', str(root), *QUIET]) == 1
    printed, logged = capsys.readouterr()
    assert printed.split() == [str(root / 'math' / 'a.descriptions.json')]
    assert f"{root / 'math' / 'b.ipynb'}: step 4 fails here (NameError: name 'missing' is not defined)" in logged
    assert not (root / 'math' / 'b.descriptions.json').exists()


@pytest.mark.parametrize(
    ('arguments', 'problem'),
    [
        (['nowhere'], 'nowhere: no such set; there is builtin'),
        (['{root}', '--only', 'z*'], "no experiment 'z*' here"),
        (['{root}', '--environment', 'none_such'], 'none_such'),
    ],
)
def test_bad_input_is_one_line(root, capsys, arguments, problem):
    given = [argument.format(root=root) for argument in arguments]
    assert cli.main(['data', 'describe', *given, *QUIET]) == 2
    logged = capsys.readouterr().err
    assert problem in logged and logged.count('\n') == 1


def test_a_folder_that_cannot_be_written_to_is_said_before_anything_runs(root, capsys, monkeypatch):
    access = os.access  # root may write anywhere
    monkeypatch.setattr(os, 'access', lambda path, mode: path != root / 'math' and access(path, mode))
    assert cli.main(['data', 'describe', str(root), *QUIET]) == 2
    assert f'{root / "math"}: cannot be written to' in capsys.readouterr().err


def test_malformed_notebooks_are_named_and_the_rest_gets_its_outputs(root, capsys):
    (root / 'math' / 'b.ipynb').write_text('{')
    without = notebook(*((*step[:3], '') for step in STEPS), ('num', 'Print `n`.', 'print(n)', 'stale\n'))
    (root / 'math' / 'a.ipynb').write_text(json.dumps(without))
    failing = json.dumps(notebook(('num', 'Fail.', 'print(missing)', '3\n')))
    (root / 'math' / 'c.ipynb').write_text(failing)
    assert cli.main(['data', 'describe', str(root), '--outputs', *QUIET]) == 1
    printed, logged = capsys.readouterr()
    assert 'small/math/b: is no JSON' in logged and "c.ipynb: step 1 fails here (NameError: name 'missing'" in logged
    assert (root / 'math' / 'c.ipynb').read_text() == failing
    assert printed.split() == [str(root / 'math' / 'a.descriptions.json')]
    for name in 'bc':
        (root / 'math' / f'{name}.ipynb').unlink()
    (made,) = load_experiments(root)
    assert [step.text for step in made.steps] == [None, None, '21.5\n', '20\n']
    assert made.steps[0].state['n']['columns'][0]['values'] == [20]
    assert cli.main(['data', 'describe', str(root), '--outputs', '--environment', 'paper', *QUIET]) == 2
    assert 'its kernel environment is modern; give that by --environment' in capsys.readouterr().err


def test_outputs_of_a_built_in_set_are_built_and_not_stored(capsys):
    assert cli.main(['data', 'describe', 'builtin', '--outputs']) == 2
    assert 'builtin: no such folder or notebook; --outputs is for notebooks of your own' in capsys.readouterr().err


@pytest.mark.soak
def test_old_descriptions_do_not_stand_in_the_way_of_new_ones(root):
    assert cli.main(['data', 'describe', str(root), '--only', 'math/a', *QUIET]) == 0
    changed = notebook(('exec', 'Set `n` to 21.', 'n = 21', ''))
    (root / 'math' / 'a.ipynb').write_text(json.dumps(changed))
    assert cli.main(['data', 'describe', str(root), *QUIET]) == 0
    assert load_experiments(root)[0].steps[0].state['n']['columns'][0]['values'] == [21]


def test_check_reports_descriptions_of_other_code(root):
    assert cli.main(['data', 'describe', str(root), '--only', 'math/a', *QUIET]) == 0
    (root / 'math' / 'a.descriptions.json').rename(root / 'math' / 'b.descriptions.json')
    (root / 'math' / 'b.ipynb').write_text(json.dumps(notebook(STEPS[1])))
    assert [(one.code, one.severity) for one in found(root) if 'other code' in one.text] == [('format', 'defect')]


def test_no_code_of_a_session_sees_them(root):
    assert cli.main(['data', 'describe', str(root), *QUIET]) == 0

    async def session():
        settings = KernelSettings(sandbox='auto', preload=(), datasources=root.parent / 'datasources')
        async with Interpreter(settings) as interpreter:
            return await interpreter.run('import glob; print(glob.glob("**/*description*", recursive=True))')

    assert asyncio.run(session()).stdout == '[]\n'
