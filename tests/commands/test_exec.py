"""`cibench exec`: a file's cells in one session, what is printed, and the exit code."""

import io
import json

import nbformat
import pytest

from cibench_eval import cli
from cibench_eval.commands import exec as shell
from cibench_eval.interpreter import KernelSettings
from cibench_eval.schema import CibenchError, Execution, Output

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


def execute(name, **options):
    return shell.execute(str(name), KernelSettings(sandbox='auto', start='spawn'), **options)


@pytest.mark.kernel
def test_a_script_is_run_cell_by_cell(tmp_path, capsys):
    path = tmp_path / 'a.py'
    path.write_text(SCRIPT)
    assert execute(path, figures=tmp_path / 'figures') == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(',')[0] for line in lines if line.startswith('step')] == [f'step {n}: ok' for n in (1, 2, 3)]
    assert '21' in lines
    (figure,) = (tmp_path / 'figures').glob('*.png')
    assert f'figure, {figure.stat().st_size:,} bytes: {figure}' in lines


@pytest.mark.kernel
def test_what_is_piped_is_what_the_code_printed(tmp_path, capsys):
    """Neither broken into lines nor changed: long lines, tabs, spaces at their ends."""
    path = tmp_path / 'a.py'
    path.write_text(r"print('wide ' * 100 + '\t|red   ')")
    execute(path)
    assert capsys.readouterr().out.splitlines()[1:] == ['wide ' * 100 + '\t|red   ']


def test_on_a_terminal_code_controls_nothing(monkeypatch, capsys):
    """Clipboard (OSC 52), title, cursor: what the code printed is shown, not obeyed."""
    monkeypatch.setattr('sys.stdout.isatty', lambda: True, raising=False)
    printed = '\x1b]52;c;cHduZWQ=\x07\x9b2J\r数\tx\n'
    shell.show(2, Execution(status='ok', outputs=[Output(type='stdout', text=printed)]), None)
    head, text, *_ = capsys.readouterr().out.splitlines()
    assert 'step 2: ok' in head
    assert '\\x1b]52;c;cHduZWQ=\\x07\\x9b2J\\r数\tx' in text


@pytest.mark.kernel
def test_a_notebook_with_an_error_goes_on_and_fails(tmp_path, capsys):
    path = tmp_path / 'a.ipynb'
    cells = [nbformat.v4.new_code_cell(source) for source in ('1 / 0', "print('after')")]
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell('text'), *cells]), path)
    assert execute(path, as_json=True) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.pop('step') for line in lines] == [1, 2]
    executions = [Execution.model_validate(line) for line in lines]
    assert [(e.status, e.stdout) for e in executions] == [('error', ''), ('ok', 'after\n')]


@pytest.mark.kernel
def test_standard_input_is_a_script(monkeypatch, capsys):
    monkeypatch.setattr('sys.stdin', io.StringIO('print(6 * 7)'))
    assert cli.main(['exec', '-', '--sandbox', 'auto', '--json']) == 0
    assert json.loads(capsys.readouterr().out)['outputs'][0]['text'] == '42\n'


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
        'cibench: error: kernels: timeout: Input should be greater than 0 (on the command line)\n'
    )
