"""Percent sources -> executed notebooks, with canned executions and on the real interpreter."""

import base64
import json
from pathlib import Path

import pytest

from cibench_eval import cli
from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import SETS
from cibench_eval.schema import CibenchError, Execution, ExecutionError, Figure, Output
from cibench_eval.sets.build import build
from cibench_eval.sets.templates import read_sources
from tests.support.notebooks import REPO

SOURCE = """\
# ---
# jupyter:
#   language: cn
# ---

# %% [markdown] kind="exec" modules="math"
# 令 `n` 等于 20。
#
# Thought: 直接赋值。

# %%
n = 20

# %% [markdown] kind="num" modules="math & numpy"
# 打印 `n` 的平方根，
# 保留 3 位小数。
#
# Thought: 用 sqrt。

# %%
import math

print(round(math.sqrt(n), 3))
"""
PNG = b'\x89PNG\r\n\x1a\n' + b'IEND\xaeB`\x82'
SILENT = Execution(status='ok')


def printed(text, kind='stdout'):
    return Execution(status='ok', outputs=[Output(type=kind, text=text)])


def sources(folder, text=SOURCE):
    (folder / 'sources' / 'math').mkdir(parents=True)
    (folder / 'sources' / 'math' / 'root.py').write_text(text, encoding='utf-8')
    return folder / 'sources'


def built(folder, *executions, text=SOURCE):
    drafts = [draft for source in read_sources(sources(folder, text)) for draft in source.drafts()]
    return build(drafts, folder / 'modern', lambda experiments: [list(executions)], 'modern', folder)


def test_notebook_holds_what_the_source_says(tmp_path):
    (path,) = built(tmp_path, SILENT, printed('4.472\n'))
    assert path == tmp_path / 'modern' / 'math' / 'root.ipynb'
    (experiment,) = load_experiments(tmp_path / 'modern')
    assert (experiment.language, experiment.typed) == ('cn', True)
    first, second = experiment.steps
    assert (first.kind, first.code, first.thought) == ('exec', 'n = 20', '直接赋值。')
    assert second.question == '打印 `n` 的平方根，\n保留 3 位小数。\n请用 math 和 numpy 模块.\n'
    assert (second.kind, second.text) == ('num', '4.472\n')


def test_notebook_is_plain_and_the_same_each_time(tmp_path):
    (path,) = built(tmp_path / 'a', SILENT, printed('4.472\n'))
    (again,) = built(tmp_path / 'b', SILENT, printed('4.472\n').model_copy(update={'seconds': 3.0}))
    assert path.read_bytes() == again.read_bytes()
    notebook = json.loads(path.read_text())
    assert [cell.get('execution_count') for cell in notebook['cells']] == [None, 1, None, 2]
    assert [cell['id'] for cell in notebook['cells'][:2]] == ['step-1-question', 'step-1-code']
    assert all(cell['metadata'] == {} for cell in notebook['cells'])
    assert notebook['metadata']['kernel_environment'] == 'modern'
    assert notebook['metadata']['modules'] == ['math', 'math & numpy']


def test_every_output_is_kept_in_order(tmp_path):
    outputs = [
        Output(type='stdout', text='4.472\n'),
        Output(type='display_data', text='<Figure>', figure=Figure.of(PNG)),
        Output(type='execute_result', text='4.5', html='<b>4.5</b>'),
    ]
    (path,) = built(tmp_path, SILENT, Execution(status='ok', outputs=outputs))
    stream, display, result = json.loads(path.read_text())['cells'][3]['outputs']
    assert (stream['output_type'], stream['name']) == ('stream', 'stdout')
    assert base64.b64decode(display['data']['image/png']) == PNG
    assert (result['execution_count'], sorted(result['data'])) == (2, ['text/html', 'text/plain'])


FAILED = Execution(status='error', error=ExecutionError(name='NameError', value='n\nis not defined'))
UNSOUND = {
    'failed': (FAILED, 'root: step 2: NameError: n; gold code must run clean'),
    'timeout': (Execution(status='timeout', seconds=60), 'root: step 2: timeout after 60.0 s'),
    'died': (Execution(status='kernel_died'), 'root: step 2: kernel_died'),
    'warned': (printed('a\nUserWarning: b\n', kind='stderr'), 'root: step 2: it writes on stderr: UserWarning: b'),
    'cut': (printed('4.4').model_copy(update={'truncated': True}), 'root: step 2: its output is over the cap'),
    'silent': (SILENT, "root.ipynb: cell 4: no text output, but its step is 'num'"),
}


@pytest.mark.parametrize('case', UNSOUND)
def test_unsound_gold_is_refused_and_nothing_is_written(tmp_path, case):
    execution, problem = UNSOUND[case]
    with pytest.raises(CibenchError) as error:
        built(tmp_path, SILENT, execution)
    assert f'{tmp_path}/sources/math/root.py' in str(error.value) and problem in str(error.value)
    assert '\n' not in str(error.value)
    assert not (tmp_path / 'modern').exists()


@pytest.mark.parametrize(
    ('old', 'new', 'problem'),
    [
        ('# %%\nn = 20\n', '', 'cell 3: 2 questions before it'),
        (
            SOURCE[SOURCE.index('# %% [markdown] kind="num"') :],
            '# %% [markdown]\n# Only asked.\n',
            'last cell is no code',
        ),
        (SOURCE[SOURCE.index('# %% [markdown] kind="exec"') : SOURCE.index('# %%\nn')], '', 'cell 1: code without'),
        (' modules="math"', '', 'cell 1: its header lacks'),
        ('kind="num"', 'kind="number"', 'cell 3: kind="number"; write exec'),
        ('language: cn', 'language: de', "root.py: language: it must be 'en' or 'cn'"),
    ],
)
def test_malformed_source_is_refused(tmp_path, old, new, problem):
    with pytest.raises(CibenchError, match=problem):
        built(tmp_path, SILENT, printed('4.472\n'), text=SOURCE.replace(old, new))


def test_no_sources(tmp_path):
    with pytest.raises(CibenchError, match='no sources'):
        read_sources(tmp_path)
    with pytest.raises(CibenchError, match=r"no source 'pandas/.' here; there is math/root"):
        read_sources(sources(tmp_path), 'pandas/*')


@pytest.mark.soak
@pytest.mark.kernel
def test_example_of_the_docs_works(tmp_path, monkeypatch, capsys):
    """`docs/datasets.md`, "Add an experiment in five minutes"."""
    text = (REPO / 'docs' / 'datasets.md').read_text(encoding='utf-8')
    source = text[text.index('```python\n# ---') :].split('```')[1].removeprefix('python\n')
    path = tmp_path / 'own' / 'sources' / 'cibench_template' / 'pandas' / 'ranking.py'
    path.parent.mkdir(parents=True)
    path.write_text(source, encoding='utf-8')
    (tmp_path / 'own' / 'datasources').symlink_to(SETS / 'builtin' / 'datasources')
    monkeypatch.setattr('cibench_eval.sets.build.SETS', tmp_path)
    monkeypatch.setattr('cibench_eval.sets.sources.SETS', tmp_path)
    left = tmp_path / 'own' / 'modern' / 'without_source.ipynb'
    left.parent.mkdir()
    left.write_text('{}')
    assert cli.main(['data', 'build', 'own']) == 0
    built = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert [path.parent.parent.name for path in built] == ['cibench_template', 'cibench_template_chinese'] * 2
    experiments = load_experiments(tmp_path / 'own' / 'modern')
    assert all(len(one.steps) == 3 and one.steps[2].figure for one in experiments)
    assert not left.exists()
