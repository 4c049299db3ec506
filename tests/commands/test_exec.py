"""`cibench exec`: a file's cells in one session, what is printed, and the exit code."""

import io
import json
import re
import sys
import warnings

import pytest

from cibench_eval import cli
from cibench_eval.schema import CibenchError, Execution
from tests.support.hostile_text import HOSTILE, harmless, on_terminal
from tests.support.soak import many

SCRIPT = """\
x = 20
# %% [markdown]
# Not code.
# %%
%pwd
x + 1
# %%
import matplotlib.pyplot as plt
plt.plot([1, 2]);
"""


def execute(*words):
    return cli.call(['exec', *map(str, words), '--sandbox', 'auto'])


@pytest.mark.kernel
def test_a_script_is_run_cell_by_cell(tmp_path, capsys):
    path = tmp_path / 'a.py'
    path.write_text(SCRIPT)
    assert execute(path, '--figures', tmp_path / 'figures') == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(',')[0] for line in lines if line.startswith('step')] == [f'step {n}: ok' for n in (1, 2, 3)]
    assert '21' in lines
    (figure,) = (tmp_path / 'figures').glob('*.png')
    assert f'figure, {figure.stat().st_size:,} bytes: {figure}' in lines


def test_a_page_of_text_is_not_run_as_python(tmp_path):
    (tmp_path / 'README.md').write_text('# Title\n')
    with pytest.raises(CibenchError, match=r'README\.md: is no \.py and no \.ipynb; give one'):
        execute(tmp_path / 'README.md')


@pytest.mark.kernel
def test_what_is_piped_is_what_the_code_printed(tmp_path, capsys):
    """Neither broken into lines nor changed: long lines, tabs, spaces at their ends."""
    path = tmp_path / 'a.py'
    path.write_text(r"print('wide ' * 100 + '\t|red   ')")
    execute(path)
    assert capsys.readouterr().out.splitlines()[1:] == ['wide ' * 100 + '\t|red   ']


PROGRAM = f'import sys; x = {HOSTILE!a}; print(x + "\\u6570\\tx"); print(x, file=sys.stderr); raise ValueError(x)'


@pytest.mark.kernel
def test_what_code_printed_is_shown_and_not_obeyed_where_it_is_piped(tmp_path, capsys):
    """Clipboard (OSC 52), title, cursor: for a pager, or a file that is shown on a terminal later."""
    path = tmp_path / 'a.py'
    path.write_text(PROGRAM)
    assert execute(path) == 1
    text = capsys.readouterr().out
    assert 'step 1: error' in text
    assert harmless(text)
    assert '\\x1b]52;c;cHduZWQ=\\x07' in text
    assert '数\tx' in text


@pytest.mark.kernel
@pytest.mark.parametrize('words', [(), *many([('--json',)], [])])
def test_a_hostile_program_commands_no_terminal(tmp_path, words):
    """On a real one, and for its errors, too."""
    path = tmp_path / 'a.py'
    path.write_text(PROGRAM)
    command = [sys.executable, '-m', 'cibench_eval.cli', 'exec', str(path), '--sandbox', 'auto', *words]
    text, code = on_terminal(command)
    assert code == 1
    for colour in (0, 31, 32):
        text = text.replace(f'\x1b[{colour}m', '')
    assert harmless(text.replace('\r\n', '\n'))
    assert '52;c;cHduZWQ=' in text


@pytest.mark.kernel
def test_a_notebook_with_an_error_goes_on_and_fails(tmp_path, capsys):
    import nbformat
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

    path = tmp_path / 'a.ipynb'
    cells = [new_code_cell(source) for source in ('1 / 0', "print('after')")]
    nbformat.write(new_notebook(cells=[new_markdown_cell('text'), *cells]), path)
    path.write_text(re.sub(r'"id": "\w+",?', '', path.read_text()))  # notebooks of hand-made and older tools have none
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        assert execute(path, '--json') == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.pop('step') for line in lines] == [1, 2]
    executions = [Execution.model_validate(line) for line in lines]
    assert [(e.status, e.stdout) for e in executions] == [('error', ''), ('ok', 'after\n')]


@pytest.mark.kernel
def test_a_step_that_is_stopped_names_its_limit(monkeypatch, capsys):
    monkeypatch.setattr('sys.stdin', io.StringIO('while True: pass'))
    assert cli.main(['exec', '-', '--sandbox', 'auto', '--timeout', '0.5']) == 1
    assert re.match(r'step 1: timeout, \d+\.\d\d s, over its limit of 0\.5 s \(', capsys.readouterr().out)


@pytest.mark.parametrize(
    ('name', 'content', 'words'),
    [
        ('none.py', None, 'none.py: cannot be read: No such file'),
        ('a.ipynb', '{}', 'a.ipynb: is not a Jupyter notebook'),
        ('a.ipynb', 'print(1)', 'a.ipynb: is not a Jupyter notebook'),
        ('a.ipynb', '{"cells": [], "metadata": {}, "nbformat": 9}', 'a.ipynb: is not a Jupyter notebook'),
        ('a.ipynb', '{"cells": [3], "metadata": {}, "nbformat": 4}', 'a.ipynb: is not a Jupyter notebook'),
        ('a.ipynb', '[' * 10**5, 'a.ipynb: is not a Jupyter notebook'),
        ('a.py', '\n', 'a.py: there is no code in it'),
        ('a.py', b'\xff\xfe', 'a.py: cannot be read: it is not UTF-8 text'),
    ],
)
def test_what_is_no_code_is_one_line(tmp_path, name, content, words):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(CibenchError, match=words):
        execute(path)


def test_standard_input_that_is_no_text_is_one_line(monkeypatch):
    monkeypatch.setattr('sys.stdin', io.TextIOWrapper(io.BytesIO(b'x = "\xff"'), encoding='utf-8'))
    with pytest.raises(CibenchError, match='-: cannot be read: it is not UTF-8 text'):
        execute('-')


def test_a_wrong_setting_is_one_line(capsys):
    assert cli.main(['exec', '-', '--timeout', '-1']) == 2
    assert capsys.readouterr().err == (
        'cibench: error: kernels: timeout: it must be greater than 0 (on the command line)\n'
    )
