"""Rows of Qwen-Agent's benchmark as experiments of one step."""

import pytest

from cibench_eval.datasets import load_experiments
from cibench_eval.schema import CibenchError
from tests.support.qwen_rows import GOLD, QUERY, ROWS, write_lines, write_qwen_rows

NAME = 'eval_code_interpreter_v1.jsonl'


@pytest.fixture
def folder(tmp_path):
    return write_qwen_rows(tmp_path / 'data')


def load(path, **more):
    return load_experiments(path, format='qwen_ci', **more)


def test_rows_become_experiments(folder):
    hard, easy, general, math = load(folder)
    assert [one.id for one in (hard, easy, general, math)] == [
        'visualization_hard/0000',
        'visualization_easy/0001',
        'general/0002',
        'math/0003',
    ]
    assert [one.max_attempts for one in (hard, easy, general, math)] == [3, 3, 1, 1]
    assert [one.steps[0].kind for one in (hard, easy, general, math)] == ['plot', 'plot', 'exec', 'exec']
    assert [one.language for one in (hard, easy)] == ['en', 'cn']
    assert [one.steps[0].code for one in (hard, easy, general, math)] == GOLD
    assert hard.steps[0].question == QUERY and hard.steps[0].files == ['sales.csv'] and hard.steps[0].given is None
    assert easy.steps[0].question == '画出每月销售额的柱状图。'
    assert easy.steps[0].given.thought == '先看数据。'
    assert easy.steps[0].given.code == "df = pd.read_csv('sales.csv')\ndf.shape"
    assert hard.datasources == folder / 'upload_file_clean' and math.datasources is None


def test_a_group_and_a_file_can_be_chosen(folder):
    assert [one.id for one in load(folder / NAME, include=['visualization_*'])] == [
        'visualization_hard/0000',
        'visualization_easy/0001',
    ]


@pytest.mark.parametrize(
    'argument', ['```python\nx = 1\n```', '{"code": "x = 1"}', 'x = 1', '```py\nx = 1\n```\n'], ids=repr
)
def test_a_given_call_is_read_however_it_is_written(tmp_path, argument):
    query = f'q<|im_end|>\n<|im_start|>assistant\nThought: t\nAction: code_interpreter\nAction Input: {argument}'
    write_lines(tmp_path / NAME, [{'query': query, 'tags': 'visualization'}])
    (one,) = load(tmp_path)
    assert one.steps[0].given.code == 'x = 1'


def test_rows_of_no_known_tag_are_left_out(tmp_path):
    write_lines(tmp_path / NAME, [{'query': 'q', 'tags': 'all_ci'}, {'query': 'q', 'tags': 'general'}])
    assert [one.id for one in load(tmp_path)] == ['general/0001']


@pytest.mark.parametrize(
    ('row', 'said'),
    [
        ({'tags': 'general'}, ', line 1: query is missing'),
        ({'query': 'q', 'tags': 'general', 'lang': 'fr'}, ', line 1: lang: '),
        ({'query': 'q', 'tags': 'general', 'input_file_path': ['upload_file/no.csv']}, ', line 1: no.csv: not all'),
        ({'query': 'q<|im_end|>\nHm.', 'tags': 'visualization'}, ', line 1: its query has <|im_end|>, but no'),
    ],
)
def test_a_malformed_row_is_named(tmp_path, row, said):
    write_lines(tmp_path / NAME, [row])
    with pytest.raises(CibenchError) as error:
        load(tmp_path)
    assert said in str(error.value) and NAME in str(error.value) and '\n' not in str(error.value)


def test_a_missing_file_says_how_to_get_it(tmp_path):
    with pytest.raises(CibenchError, match='cibench data fetch qwen_ci'):
        load(tmp_path)


def test_files_may_be_elsewhere(tmp_path, folder):
    write_lines(tmp_path / NAME, ROWS[:1])
    (one,) = load(tmp_path, datasources=folder / 'upload_file_clean')
    assert one.datasources == folder / 'upload_file_clean'
