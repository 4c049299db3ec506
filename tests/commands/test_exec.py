"""`cibench exec`: a file's cells in one session, what is printed, and the exit code."""

import io
import json

import nbformat
import pytest
from rich.console import Console

from cibench_eval import cli
from cibench_eval.commands import exec as shell
from cibench_eval.interpreter import KernelSettings
from cibench_eval.schema import CibenchError, Execution

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
    out = io.StringIO()
    settings = KernelSettings(sandbox='auto', start='spawn')
    code = shell.execute(str(name), settings, console=Console(file=out, width=100), **options)
    return code, out.getvalue()


@pytest.mark.kernel
def test_a_script_is_run_cell_by_cell(tmp_path):
    path = tmp_path / 'a.py'
    path.write_text(SCRIPT)
    code, said = execute(path, figures=tmp_path / 'figures')
    assert code == 0
    assert [line[:10] for line in said.splitlines() if line.startswith('cell')] == [f'cell {n}: ok' for n in (1, 2, 3)]
    assert '21' in said.splitlines()
    (figure,) = (tmp_path / 'figures').glob('*.png')
    assert figure.name in said.replace('\n', '')  # a long path is broken over lines


@pytest.mark.kernel
def test_a_notebook_with_an_error_goes_on_and_fails(tmp_path, capsys):
    path = tmp_path / 'a.ipynb'
    cells = [nbformat.v4.new_code_cell(source) for source in ('1 / 0', "print('after')")]
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell('text'), *cells]), path)
    code, _ = execute(path, as_json=True)
    executions = [Execution.model_validate_json(line) for line in capsys.readouterr().out.splitlines()]
    assert code == 1
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
