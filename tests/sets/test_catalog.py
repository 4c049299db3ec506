"""What `cibench data list` counts, and that a malformed notebook is a line in it and not its end."""

import io
import json
from collections import Counter

import pytest
from rich.console import Console

from cibench_eval import cli
from cibench_eval.commands.data.list import show
from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import builtin_sets
from cibench_eval.schema import CibenchError
from cibench_eval.sets.archives.catalog import find_sets
from cibench_eval.sets.archives.store import Store
from tests.support.notebooks import experiment, notebook

UNTYPED = notebook(('num', 'What?', 'print(1)', '1\n'), ('exec', 'Do it.', 'x = 1', ''), ('num', 'What?', '2', '2\n'))
del UNTYPED['metadata']['step_types'], UNTYPED['metadata']['modules']


def write(folder, name, content):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A `data/` with the three kinds of set, one of them with two malformed notebooks."""
    monkeypatch.chdir(tmp_path)
    source = tmp_path / 'given'
    write(source, 'cibench_dataset/cibench_generation/pandas/a.ipynb', UNTYPED)
    write(source, 'cibench_dataset/cibench_template/pandas/a.ipynb', experiment('a'))
    write(source, 'cibench_dataset/cibench_template/pandas/b.ipynb', experiment('b'))
    write(source, 'cibench_dataset/cibench_template/scipy/a.ipynb', experiment('a'))
    write(source, 'cibench_dataset/cibench_template/.ipynb_checkpoints/a.ipynb', '{')
    write(source, 'cibench_dataset/datasources/data/a.csv', 'x' * 1000)
    write(source, 'cibench_dataset/datasources/data/deep/b.csv', 'x' * 500)
    rows = [{'question': '1 + 1?', 'answer': '#### 2'}] * 3
    write(source, 'gsm8k/test.jsonl', '\n'.join(json.dumps(row) for row in rows))
    queries = [
        {'query': 'Draw.', 'lang': 'en', 'tags': ['visualization', 'all_ci']},
        {'query': '画。', 'lang': 'zh', 'tags': ['visualization', 'all_ci']},
        {'query': 'Unzip.', 'lang': 'en', 'tags': 'general'},
    ]
    write(source, 'qwen/eval_code_interpreter_v1.jsonl', '\n'.join(json.dumps(row) for row in queries))
    store = Store(tmp_path / 'data', lambda line: None)
    for name in ('cibench_dataset', 'gsm8k', 'qwen'):
        store.add(source / name)
    return tmp_path / 'data'


def by_name(sets):
    return {found.name: found for found in sets}


def text(sets, width=100):
    out = io.StringIO()
    show(sets, console=Console(file=out, width=width, highlight=False))
    return out.getvalue()


def test_counts_of_the_official_layout(data):
    found = by_name(find_sets(['data']))['cibench']
    assert found.state == 'intact'
    assert {split: list(libraries) for split, libraries in found.splits.items()} == {
        'cibench_generation': ['pandas'],
        'cibench_template': ['pandas', 'scipy'],
    }
    totals = {split: counts.as_json() for split, counts in found.totals().items()}
    assert totals['cibench_template'] == {
        'experiments': 3,
        'steps': 6,
        'steps_each': {'mean': 2.0, 'min': 2, 'max': 2},
        'kinds': {'exec': 3, 'num': 3, 'text': 0, 'vis': 0, 'general': 0},
        'modules_each': 1.0,
        'languages': {'en': 3},
    }
    assert totals['cibench_generation']['kinds'] == {'exec': 1, 'num': 0, 'text': 0, 'vis': 0, 'general': 2}
    assert totals['cibench_generation']['steps_each'] == {'mean': 3.0, 'min': 3, 'max': 3}
    assert (found.data_files, found.data_size) == (2, 1500)
    assert found.problems == found.notes == []


def test_rows_of_the_other_archives(data):
    found = by_name(find_sets(['data']))
    assert found['gsm8k'].rows == {'test': {'en': 3}}
    assert found['qwen_ci'].rows == {
        'all': {'en': 2, 'zh': 1},
        'visualization': {'en': 1, 'zh': 1},
        'general': {'en': 1},
    }


def test_a_split_and_a_library_by_themselves(data):
    (split,) = find_sets(['data/cibench_dataset/cibench_template'])
    assert {name: list(libraries) for name, libraries in split.splits.items()} == {
        'cibench_template': ['pandas', 'scipy']
    }
    (library,) = find_sets(['data/cibench_dataset/cibench_template/pandas'])
    assert {name: list(libraries) for name, libraries in library.splits.items()} == {'pandas': ['pandas']}
    assert library.totals()['pandas'].experiments == 2


def test_malformed_notebooks_are_lines_and_the_rest_is_counted(data, capsys):
    bad = {'cells': [{'cell_type': 'markdown', 'source': 'What?'}], 'metadata': {}}
    write(data, 'mine/hard/pandas/bad.ipynb', bad)
    write(data, 'mine/hard/pandas/worse.ipynb', '{')
    write(data, 'mine/hard/pandas/good.ipynb', experiment('good'))
    found = by_name(find_sets(['data']))['mine']
    assert found.state == 'not recorded'
    assert found.totals()['hard'].experiments == 1
    assert ['bad.ipynb: cell 1: a question without code' in line for line in found.problems] == [True, False]
    assert 'worse.ipynb: broken JSON' in found.problems[1]
    shown = text(find_sets(['data']))
    assert all(line in shown for line in found.problems)

    assert cli.main(['data', 'list', 'data', '--json']) == 1
    sets = {entry['name']: entry for entry in json.loads(capsys.readouterr().out)['sets']}
    assert set(sets) == {'cibench', 'gsm8k', 'qwen_ci', 'mine'}
    assert len(sets['mine']['problems']) == 2
    assert sets['cibench']['splits']['cibench_template']['libraries']['scipy']['steps'] == 2
    assert set(sets['cibench']['archive']) == {'url', 'sha256', 'size', 'date', 'folder'}
    assert cli.main(['data', 'list', '--json', 'data/cibench_dataset', 'builtin_qwen_ci']) == 0


def test_broken_rows_are_lines(data):
    write(data, 'gsm8k/test.jsonl', '{"question": "a", "answer": "b"}\n{"question": "a"}\n[]\nrubbish\n')
    found = by_name(find_sets(['data']))['gsm8k']
    assert found.rows == {'test': {'en': 1}}
    assert [line.partition('line ')[2][:1] for line in found.problems] == ['', '2', '3', '4']
    assert 'changed or missing' in ' '.join(found.problems)


def test_rows_end_at_line_feeds_alone(data):
    """JSON may hold U+2028 and U+0085 as they are; they are no ends of lines."""
    row = json.dumps({'question': 'a\u2028b\x85c', 'answer': '1'}, ensure_ascii=False)
    write(data, 'gsm8k/test.jsonl', f'{row}\r\n{row}\n')
    found = by_name(find_sets(['data']))['gsm8k']
    assert found.rows == {'test': {'en': 2}}
    assert ['line' in line for line in found.problems] == [False]


@pytest.mark.parametrize('row', [{'tags': [{'a': 1}]}, {'tags': 5}, {'tags': [], 'lang': []}, {'tags': '', 'lang': 5}])
def test_rows_whose_tags_or_language_are_no_text_are_lines(data, row):
    good = {'query': 'Draw.', 'tags': ['visualization']}
    write(data, 'qwen_ci/eval_code_interpreter_v1.jsonl', '\n'.join(json.dumps(r) for r in (good, good | row)))
    found = by_name(find_sets(['data']))['qwen_ci']
    assert found.rows == {'all': {'en': 1}, 'visualization': {'en': 1}}
    assert [line.partition('line ')[2][:2] for line in found.problems] == ['', '2:']


def test_deeply_nested_rows_are_no_rows(data):
    nested = '{"question": ' + '[' * 100_000
    write(data, 'gsm8k/test.jsonl', '{"question": "a", "answer": "b"}\n' + nested)
    assert 'line 2: Invalid JSON' in by_name(find_sets(['data']))['gsm8k'].problems[1]
    write(data, 'gsm8k/test.jsonl', nested)
    assert 'no notebook and no rows' in ' '.join(by_name(find_sets(['data']))['gsm8k'].problems)


def test_folder_with_hidden_notebooks_alone_is_no_set(data):
    write(data, 'notes/.ipynb_checkpoints/a-checkpoint.ipynb', experiment('a'))
    assert set(by_name(find_sets(['data']))) == {'cibench', 'gsm8k', 'qwen_ci'}


def test_recorded_set_that_is_gone_is_a_problem(data):
    (data / 'gsm8k' / 'test.jsonl').unlink()
    (data / 'gsm8k').rmdir()
    found = by_name(find_sets(['data']))['gsm8k']
    assert found.state == 'damaged'
    assert 'run `cibench data fetch gsm8k`' in found.problems[0]


def test_what_is_no_set(data, tmp_path):
    with pytest.raises(CibenchError, match=r'nope: no such folder, and no built-in set \(there are .*\)'):
        find_sets(['nope'])
    (tmp_path / 'empty').mkdir()
    assert 'no notebook' in find_sets([str(tmp_path / 'empty')])[0].problems[0]


def test_tables_fit_a_terminal_of_100_columns(data):
    shown = text(find_sets(['data']))
    told = ('  datasources', '  sha256', '  /', '  file:')  # of where a set came from: paths and hashes are not folded
    tables = [line for line in shown.splitlines() if not line.startswith(told)]
    assert max(len(line.rstrip()) for line in tables if ' problem' not in line and 'pytest-' not in line) <= 100
    assert '…' not in shown
    lines = [line.split() for line in shown.splitlines()]
    assert ['cibench_template', '3', '6', '3', '3', '-', '-', '-', '1.0', 'en'] in lines
    assert ['cibench_generation', '1', '3', '3–3', '-', '-', '-', '67', '33'] in lines
    assert ['visualization', '1', '1', '2'] in lines
    assert 'not here' not in shown


def test_without_data_the_built_in_sets_as_they_are_loaded_and_how_to_get_more(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sets = find_sets([])
    shown = text(sets)
    assert all(name in shown for name in (*builtin_sets(), 'builtin_qwen_ci'))
    assert 'not here: cibench, gsm8k, qwen_ci (cibench data fetch NAME, or add FILE)' in shown
    found, environments = by_name(sets)['builtin'], builtin_sets()['builtin']
    assert found.state == 'built in' and {split.partition('/')[0] for split in found.splits} == set(environments)
    experiments = load_experiments(environments['modern'] / 'cibench_template')
    counts = found.totals()['modern/cibench_template']
    assert counts.experiments == len(experiments)
    assert counts.kinds == Counter(step.kind for one in experiments for step in one.steps)
    assert counts.languages == Counter(one.language for one in experiments)
