"""What a check reads off the files alone: data files in gold code, twins, splits, languages."""

import pytest

from tests.sets.broken_set import ALONE, Cell, write_data, write_notebook
from tests.sets.broken_set import read_findings as found

pytestmark = pytest.mark.kernel  # it is found out before whether gold code could run


@pytest.mark.parametrize(
    ('code', 'read', 'written'),
    [
        ("pd.read_csv('data/a.csv', index_col='a')", ['data/a.csv'], set()),
        ("open('./data/a.csv')", ['data/a.csv'], set()),
        ("open('data/a.csv', 'w')", [], {'data/a.csv'}),
        ("open('data/a.csv', mode='ab')", [], {'data/a.csv'}),
        ("open('data/a.csv', 'r')", ['data/a.csv'], set()),
        ("pd.read_csv('data/a.csv').to_csv('data/b.csv')", ['data/a.csv'], {'data/b.csv'}),
        ("Path('data') / 'a.csv'", ['data/a.csv'], set()),
        ("os.path.join('data', 'a.csv')", ['data/a.csv'], set()),
        ("(Path('data') / 'a.txt').write_text('x')", [], {'data/a.txt'}),
        ("shutil.copy('data/a.csv', 'data/b.csv')", ['data/a.csv'], {'data/b.csv'}),
        ("glob('data/*.tsv')", ['data/*.tsv'], set()),
        ("f'data/{name}.csv'", [], set()),
        ('f\'{open("data/a.csv").read()}\'', ['data/a.csv'], set()),
        ("print('data/a and data/b are folders')", [], set()),
        ("read('data/two words.csv')", ['data/two words.csv'], set()),
        ("read('other/data/a.csv')\nread('https://x.org/data/a.csv')", [], set()),
        ("!ls\nread('data/a.csv')\nread('data/a.csv')", ['data/a.csv'], set()),
        ('not python', [], set()),
        *((deep, [], set()) for deep in (' / '.join(["'data'"] * 400), ' + '.join(['x'] * 400), 'f(' * 80 + ')' * 80)),
    ],
)
def test_files_that_code_names(tmp_path, code, read, written):
    """What it reads is missing; what it writes is there for the next step, which reads it."""
    write_data(tmp_path)
    cells = [Cell('exec', 'Do it.', code), *(Cell('exec', f'Read {name}.', f'open({name!r})') for name in written)]
    write_notebook(tmp_path, 'split/lib/a', cells)
    missing = [f'{name} is not in datasources/' for name in read]
    assert [finding.text for finding in found(tmp_path / 'split')] == missing


def codes(findings):
    return [(finding.notebook, finding.step, finding.code) for finding in findings]


def test_files_that_gold_code_makes_are_not_missing(tmp_path):
    write_data(tmp_path)
    making = "import os\nos.makedirs('data', exist_ok=True)\nmodel.save('data/model')\nnp.save('data/array', a)"
    reading = "load('data/model/weights')\nload('data/array.npy')\nload('data/gone.csv')\nlist(glob('data/*.png'))"
    write_notebook(tmp_path, 'split/lib/a', [Cell('exec', 'Make.', making), Cell('exec', 'Read.', reading)])
    assert [(f.step, f.text) for f in found(tmp_path / 'split')] == [(2, 'data/gone.csv is not in datasources/')]


def test_files_that_gold_code_writes_and_that_are_there_already(tmp_path):
    """What a run in Jupyter has left would be found by code that writes nothing."""
    write_data(tmp_path)
    reading = "t = open('data/table.csv').read()"
    writing = "open('data/table.csv', 'w').write(t)\nopen('data/left.txt', 'w').write(t)"
    again = "open('data/left.txt', 'a').write('x')\nopen('data/new.txt', 'w').write('x')"
    write_notebook(tmp_path, 'split/lib/a', [Cell('exec', f'Do {code}.', code) for code in (reading, writing, again)])
    (tmp_path / 'datasources/data/left.txt').write_text('x')
    (finding,) = found(tmp_path / 'split')
    assert (finding.step, finding.code, finding.severity) == (2, 'leftover_file', 'note')
    assert finding.text.startswith('it writes data/left.txt, which is in datasources/ already')


def test_a_thought_without_a_blank_line_before_it_is_told_to_models(tmp_path):
    labels = [
        'Thought: ',
        '\nthought: ',
        '\n**Gold thought:** ',
        '\nThought：',
        '思考：',
        '- _Thoughts_: ',
        '### Thought\n',
    ]
    asked = [*(f'Print it.\n{label}it is 8.' for label in labels), 'Print "Thought: none".', 'Print the thought: x.']
    asked += ['Thought: why is it 8?', 'Print a table of:\n- `thought`: text\n* "Thought": 0']
    write_notebook(tmp_path, 'lib/a', [Cell('exec', question, 'pass') for question in asked])
    assert codes(found(tmp_path)) == [('lib/a', number, 'thought') for number in range(1, len(labels) + 1)]


@pytest.mark.parametrize(
    ('metadata', 'problem'),
    [
        ({'tolerance': [0.1]}, 'metadata `tolerance` is read by nothing; call it `tolerances`, or otherwise'),
        ({'held-out': [None]}, 'metadata `held-out` is read by nothing; call it `held_out`, or otherwise'),
        ({'depends': [[1]]}, 'metadata `depends` lets step 1 depend on step 1; name earlier steps alone'),
    ],
)
def test_metadata_that_would_count_for_nothing_are_an_error(tmp_path, metadata, problem):
    write_notebook(tmp_path, 'lib/a', ALONE, **metadata)
    assert [(f.code, f.text) for f in found(tmp_path)] == [('format', problem)]


def test_a_step_without_output_is_that_whatever_it_declares(tmp_path):
    empty = Cell('num', 'Put a third into `x`.', 'x = 1 / 3')
    write_notebook(tmp_path, 'lib/a', [empty, *ALONE], answers=['x: real(2)', None])
    assert codes(found(tmp_path)) == [('lib/a', 1, 'empty')]


def test_metadata_of_other_programs_are_none(tmp_path):
    other = {'language_info': {'name': 'python'}, 'kernelspec': {}, 'colab': {}, 'toc': {}, 'version': 1, 'widgets': {}}
    write_notebook(tmp_path, 'lib/a', ALONE, **other)
    assert found(tmp_path) == []


def test_values_that_a_tolerance_does_not_tell_apart(tmp_path):
    cells = [Cell('num', text, 'print(x)', text) for text in ('8.48 9.1 8.52', '0.9 0.1', '100 2.5', '3 4')]
    tolerances = [0.01, {'absolute': 0.1}, 0.01, 0.01]
    write_notebook(tmp_path, 'split/lib/a', cells, tolerances=tolerances)
    found_here = [(f.step, f.severity, f.text) for f in found(tmp_path / 'split') if f.code == 'close_values']
    assert found_here == [
        (1, 'note', '8.48 and 8.52 lie within its tolerance of each other'),
        (2, 'note', '0.9 is not told from 1 by its tolerance; 0.1 is not told from 0 by its tolerance'),
        (3, 'note', '2.5 is not told from 99 for 100 rows by its tolerance'),
    ]


@pytest.mark.parametrize('name', ['data/**.csv', 'data/*/[a', 'data/\\0*/*', f'data/{"x" * 300}', 'data/\\ud800.csv'])
def test_names_that_no_file_can_have_are_missing_files(tmp_path, name):
    write_data(tmp_path)
    (tmp_path / 'datasources' / 'data' / 'table.csv').rename(tmp_path / 'datasources' / 'data' / 'table.txt')
    write_notebook(tmp_path, 'split/lib/a', [Cell('exec', 'Read.', f"glob('{name}')")])
    (finding,) = found(tmp_path / 'split')
    assert (finding.code, finding.step) == ('missing_file', 1)
    assert finding.model_dump_json().startswith('{')


def test_stars_mean_what_they_mean_to_glob(tmp_path):
    write_data(tmp_path)
    write_notebook(tmp_path, 'split/lib/a', [Cell('exec', 'Read.', "glob('data/**.csv') + glob('data/**/table.*')")])
    assert found(tmp_path / 'split') == []


def test_files_beside_the_data_folder_are_missing(tmp_path):
    write_data(tmp_path)
    (tmp_path / 'gold.csv').write_text('1')
    write_notebook(tmp_path, 'split/lib/a', [Cell('exec', 'Read.', "open('data/../../gold.csv')")])
    assert codes(found(tmp_path / 'split')) == [('lib/a', 1, 'missing_file')]


def test_no_datasources_above_the_notebook(tmp_path):
    write_notebook(tmp_path, 'lib/a', [Cell('exec', 'Read.', "open('data/a.csv')")])
    assert [f.text for f in found(tmp_path)] == ['data/a.csv is not here: there is no datasources/ above the notebook']


def test_a_large_file_that_no_step_names_is_the_sets(tmp_path):
    write_data(tmp_path)
    write_notebook(tmp_path, 'split/lib/a', ALONE)
    (finding,) = found(tmp_path / 'split', largest=100_000)
    assert (finding.notebook, finding.step, finding.set) == ('', None, 'split')
    assert 'data/large.bin' in finding.text


REACHING = [
    '!pip install -q lightgbm',
    '%pip install x',
    '%%bash\ncd /tmp\ncurl http://x.org',
    'x = 1\n!wget http://x.org',
]


@pytest.mark.parametrize('code', [*REACHING, '!ls data', '%matplotlib inline', '%pip list', 'curl = 1\nwget = 2'])
def test_shell_escapes_that_reach_other_machines(tmp_path, code):
    write_notebook(tmp_path, 'lib/a', [Cell('exec', 'Do.', code)])
    assert codes(found(tmp_path)) == ([('lib/a', 1, 'network')] if code in REACHING else [])


def test_a_template_on_other_data_is_no_duplicate_and_neither_is_another_language(tmp_path):
    for name, data, language in (('a', 'iris', 'en'), ('b', 'tips', 'en'), ('c', 'iris', 'cn')):
        cells = [Cell('exec', f'Load {data}. 数据', 'pass'), Cell('exec', 'Scale it. 缩放', 'pass')]
        write_notebook(tmp_path, f'lib/{name}', cells, language=language)
    assert found(tmp_path) == []
    write_notebook(
        tmp_path, 'lib/d', [Cell('exec', 'Load  tips. 数据', 'pass'), Cell('exec', 'Scale it. 缩放', 'pass')]
    )
    assert codes(found(tmp_path)) == [('lib/d', None, 'duplicate_question')]


def test_what_a_question_cites_has_no_language(tmp_path):
    cells = [Cell('exec', 'Set the title to “月平均气温与降水量”.', 'pass')]
    write_notebook(tmp_path, 'lib/names_in_chinese', cells, language='en')
    assert found(tmp_path) == [], 'nor has a notebook that has its name of its topic'


NAMES = ('a/lib/x', 'a/lib/y', 'b/lib/x', 'a/.ipynb_checkpoints/x-checkpoint')


@pytest.mark.parametrize(
    ('path', 'only', 'notebooks'),
    [
        ('', None, ['a: lib/x', 'a: lib/y', 'b: lib/x']),
        ('a', None, ['a: lib/x', 'a: lib/y']),
        ('a/lib', None, ['lib: x', 'lib: y']),
        ('a/lib/x.ipynb', None, ['lib: x']),
        ('', 'lib/x', ['a: lib/x', 'b: lib/x']),
        ('', 'a/*', ['a: lib/x', 'a: lib/y']),
    ],
)
def test_a_path_is_a_set_a_split_a_library_or_a_notebook_and_a_pattern_chooses(tmp_path, path, only, notebooks):
    for name in NAMES:
        write_notebook(tmp_path, name, [Cell('exec', f'Read {name}.', "open('data/gone.csv')")])
    assert [f'{one.set}: {one.notebook}' for one in found(tmp_path / path, only=only)] == notebooks


@pytest.mark.parametrize(
    ('english', 'chinese', 'problem'),
    [
        ('Take the first 5 rows of `df`.', '取 `df` 的前5行。', ''),
        ('Take the five largest in March 2020.', '取2020年3月最大的5个。', ''),
        ('Print 1,000 numbers with 2 decimals.', '打印 1000 个数，保留两位小数。', ''),
        ('Set the title `Sales` of `ax2`.', '把 `ax2` 的标题设为 `销售额`。', ''),
        ('Use the title `All sales` and the label `shops`.', '标题为“总销售额”，标签为“商店”。', ''),
        ('Draw it in `red`, 2 wide.', '用 `red` 画出，`linewidth=2`。', ''),
        ('Take 5 rows.', '取 6 行。', 'question does not say 5'),
        ('Print with 3 decimals.', '打印，保留两位小数。', 'question does not say 3'),
        ('Sort `df` by `a`.', '把 `df` 排序。', 'question does not name `a`'),
    ],
)
def test_translations(tmp_path, english, chinese, problem):
    write_notebook(tmp_path, 'x/lib/a', [Cell('exec', english, 'pass')], language='en')
    write_notebook(tmp_path, 'x_chinese/lib/a', [Cell('exec', chinese, 'pass')], language='cn')
    texts = ' '.join(finding.text for finding in found(tmp_path) if finding.code == 'twin')
    assert problem in texts if problem else not texts


def test_twins_within_a_split_have_names_that_differ_in_a_suffix(tmp_path):
    write_notebook(tmp_path, 'lib/a', [Cell('exec', 'Take 5.', 'pass')], language='en')
    write_notebook(tmp_path, 'lib/a_cn', [Cell('exec', '取 6。', 'pass')], language='cn')
    write_notebook(tmp_path, 'lib/b_cn', [Cell('exec', '取 7。', 'pass')], language='cn')
    write_notebook(tmp_path, 'lib/c', [Cell('exec', 'Take 5.', 'pass')])
    write_notebook(tmp_path, 'lib/c_cn', [Cell('exec', '取 6。', 'pass')])
    findings = [finding for finding in found(tmp_path) if finding.code == 'twin']
    assert {(one.notebook, one.severity) for one in findings} == {('lib/a_cn', 'defect'), ('lib/c_cn', 'defect')}
