"""What `cibench data list` counts, and that a malformed notebook is a line in it and not its end."""

import json
import re
import sys
from collections import Counter

import pytest

from cibench_eval import cli
from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import SETS, builtin_sets
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
    for name in ('cibench_dataset', 'gsm8k', 'qwen'):
        assert cli.main(['data', 'add', str(source / name)]) == 0
    return tmp_path / 'data'


@pytest.fixture
def listed(capsys):
    """What `data list` says of the sets in places: by name, as it is in JSON, and the exit code."""

    def read(*places):
        capsys.readouterr()
        code = cli.main(['data', 'list', *places, '--json'])
        sets = {found['name']: found for found in json.loads(capsys.readouterr().out)['sets']}
        assert code == int(any(found['problems'] for found in sets.values()))
        return sets

    return read


@pytest.fixture
def shown(capsys, monkeypatch):
    """The same for people, on a terminal of 100 columns."""

    def read(*places):
        capsys.readouterr()
        monkeypatch.setenv('COLUMNS', '100')
        monkeypatch.setattr(sys.stdout, 'isatty', lambda: True)
        cli.main(['data', 'list', *places])
        return re.sub(r'\x1b\[[\d;]*m', '', capsys.readouterr().out)

    return read


def libraries(found):
    return {split: list(parts['libraries']) for split, parts in found['splits'].items()}


def test_counts_of_the_official_layout(data, listed):
    found = listed('data')['cibench']
    assert found['state'] == 'intact'
    assert libraries(found) == {'cibench_generation': ['pandas'], 'cibench_template': ['pandas', 'scipy']}
    totals = {split: parts['total'] for split, parts in found['splits'].items()}
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
    assert found['datasources'] == {'files': 2, 'bytes': 1500}
    assert found['problems'] == found['notes'] == []


def test_rows_of_the_other_archives(data, listed):
    found = listed('data')
    assert found['gsm8k']['rows'] == {'test': {'en': 3}}
    assert found['qwen_ci']['rows'] == {
        'all': {'en': 2, 'zh': 1},
        'visualization': {'en': 1, 'zh': 1},
        'general': {'en': 1},
    }


def test_a_split_and_a_library_by_themselves(data, listed):
    (split,) = listed('data/cibench_dataset/cibench_template').values()
    assert libraries(split) == {'cibench_template': ['pandas', 'scipy']}
    (library,) = listed('data/cibench_dataset/cibench_template/pandas').values()
    assert libraries(library) == {'pandas': ['pandas']}
    assert library['splits']['pandas']['total']['experiments'] == 2


def test_malformed_notebooks_are_lines_and_the_rest_is_counted(data, listed, capsys):
    bad = {'cells': [{'cell_type': 'markdown', 'source': 'What?'}], 'metadata': {}}
    write(data, 'mine/hard/pandas/bad.ipynb', bad)
    write(data, 'mine/hard/pandas/worse.ipynb', '{')
    write(data, 'mine/hard/pandas/good.ipynb', experiment('good'))
    sets = listed('data')
    found = sets['mine']
    assert found['state'] == 'not recorded'
    assert found['splits']['hard']['total']['experiments'] == 1
    assert ['bad.ipynb: cell 1: a question without code' in line for line in found['problems']] == [True, False]
    assert 'worse.ipynb: is no JSON' in found['problems'][1]
    capsys.readouterr()
    assert cli.main(['data', 'list', 'data']) == 1
    said = capsys.readouterr().out
    assert all(line in said for line in found['problems'])
    assert all(line == line.rstrip() for line in said.splitlines()), 'in a pipe no line ends in blanks'
    assert set(sets) == {'cibench', 'gsm8k', 'qwen_ci', 'mine'}
    assert sets['cibench']['splits']['cibench_template']['libraries']['scipy']['steps'] == 2
    assert set(sets['cibench']['archive']) == {'url', 'sha256', 'size', 'date', 'folder'}
    assert cli.main(['data', 'list', '--json', 'data/cibench_dataset', 'builtin_qwen_ci']) == 0


def test_broken_rows_are_lines(data, listed):
    nested = '{"question": ' + '[' * 100_000
    write(data, 'gsm8k/test.jsonl', f'{{"question": "a", "answer": "b"}}\n{{"question": "a"}}\n[]\nrubbish\n{nested}')
    found = listed('data')['gsm8k']
    assert found['rows'] == {'test': {'en': 1}}
    assert [line.partition('line ')[2][:1] for line in found['problems']] == ['', '2', '3', '4', '5']
    assert 'changed or missing' in ' '.join(found['problems'])
    write(data, 'gsm8k/test.jsonl', nested)
    assert 'no notebook and no rows' in ' '.join(listed('data')['gsm8k']['problems'])


def test_rows_end_at_line_feeds_alone(data, listed):
    """JSON may hold U+2028 and U+0085 as they are; they are no ends of lines."""
    row = json.dumps({'question': 'a\u2028b\x85c', 'answer': '1'}, ensure_ascii=False)
    write(data, 'gsm8k/test.jsonl', f'{row}\r\n{row}\n')
    found = listed('data')['gsm8k']
    assert found['rows'] == {'test': {'en': 2}}
    assert ['line' in line for line in found['problems']] == [False]


@pytest.mark.parametrize('row', [{'tags': [{'a': 1}]}, {'tags': 5}, {'tags': [], 'lang': []}, {'tags': '', 'lang': 5}])
def test_rows_whose_tags_or_language_are_no_text_are_lines(data, listed, row):
    good = {'query': 'Draw.', 'tags': ['visualization']}
    write(data, 'qwen_ci/eval_code_interpreter_v1.jsonl', '\n'.join(json.dumps(r) for r in (good, good | row)))
    found = listed('data')['qwen_ci']
    assert found['rows'] == {'all': {'en': 1}, 'visualization': {'en': 1}}
    assert [line.partition('line ')[2][:2] for line in found['problems']] == ['', '2:']


def test_folder_with_hidden_notebooks_alone_is_no_set(data, listed):
    write(data, 'notes/.ipynb_checkpoints/a-checkpoint.ipynb', experiment('a'))
    assert set(listed('data')) == {'cibench', 'gsm8k', 'qwen_ci'}


def test_recorded_set_that_is_gone_is_a_problem(data, listed):
    (data / 'gsm8k' / 'test.jsonl').unlink()
    (data / 'gsm8k').rmdir()
    found = listed('data')['gsm8k']
    assert found['state'] == 'damaged'
    assert 'run `cibench data fetch gsm8k`' in found['problems'][0]


def test_what_is_no_set(data, listed, tmp_path, capsys):
    assert cli.main(['data', 'list', 'nope']) == 2
    assert re.search(r'nope: no such folder, and no built-in set \(there are .*\)', capsys.readouterr().err)
    (tmp_path / 'empty').mkdir()
    assert 'no notebook' in listed(str(tmp_path / 'empty'))['empty']['problems'][0]


def test_tables_fit_a_terminal_of_100_columns(data, shown):
    said = shown('data')
    told = ('  datasources', '  sha256', '  /', '  file:')  # of where a set came from: paths and hashes are not folded
    tables = [line for line in said.splitlines() if not line.startswith(told)]
    assert max(len(line.rstrip()) for line in tables if ' problem' not in line and 'pytest-' not in line) <= 100
    assert '…' not in said
    lines = [line.split() for line in said.splitlines()]
    assert ['cibench_template', '3', '6', '3', '3', '-', '-', '-', '1.0', 'en'] in lines
    assert ['cibench_generation', '1', '3', '3–3', '-', '-', '-', '67', '33'] in lines
    assert ['visualization', '1', '1', '2'] in lines
    assert 'not here' not in said


def test_without_data_the_built_in_sets_as_they_are_loaded_and_how_to_get_more(tmp_path, monkeypatch, capsys, listed):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'sets').mkdir()
    for name in ('builtin', 'builtin_qwen_ci'):
        (tmp_path / 'sets' / name).symlink_to(SETS / name)
    monkeypatch.setattr('cibench_eval.datasets.builtin_sets.SETS', tmp_path / 'sets')
    sets = listed()
    assert {*sets} == {*builtin_sets(), 'builtin_qwen_ci'}
    found, environments = sets['builtin'], builtin_sets()['builtin']
    assert found['state'] == 'built in'
    assert {split.partition('/')[0] for split in found['splits']} == set(environments)
    experiments = load_experiments(environments['modern'] / 'cibench_template')
    counts = found['splits']['modern/cibench_template']['total']
    assert counts['experiments'] == len(experiments)
    kinds = Counter(step.kind for one in experiments for step in one.steps)
    assert {kind: number for kind, number in counts['kinds'].items() if number} == kinds
    assert counts['languages'] == Counter(one.language for one in experiments)
    assert cli.main(['data', 'list', 'builtin_qwen_ci']) == 0
    assert 'not here: cibench, gsm8k, qwen_ci (cibench data fetch NAME, or add FILE)' in capsys.readouterr().out
