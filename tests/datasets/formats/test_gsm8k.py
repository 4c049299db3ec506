"""GSM8K as experiments of one step, and the code that its calculator's work is made of."""

import os
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

from cibench_eval.datasets import load_experiments
from cibench_eval.schema import CibenchError
from tests.support.qwen_rows import PROBLEMS, write_lines, write_qwen_rows

WHOLE = os.environ.get('GSM8K_TEST', '')
"""The original `test.jsonl`, where it is at hand."""


def load(path):
    return load_experiments(path, format='gsm8k')


def printed(code, capsys):
    exec(code, {})
    return capsys.readouterr().out.strip()


def test_rows_become_experiments(tmp_path, capsys):
    found = load(write_qwen_rows(tmp_path / 'data'))
    assert [one.id for one in found] == ['gsm8k/0000', 'gsm8k/0001', 'gsm8k/0002']
    assert {one.steps[0].kind for one in found} == {'math'} and {one.max_attempts for one in found} == {3}
    assert [one.steps[0].text for one in found] == ['13', '2500', '7']
    assert [printed(one.steps[0].code, capsys) for one in found] == ['13', '2500', '7']
    assert found[0].steps[0].code == 'step_1 = 4*4\nstep_2 = 16-3\nprint(step_2)'  # the calculator's own work


def test_the_files_of_hugging_face_are_read(tmp_path):
    (tmp_path / 'main').mkdir()
    parquet.write_table(pyarrow.Table.from_pylist(PROBLEMS), tmp_path / 'main' / 'test-00000-of-00001.parquet')
    assert [one.steps[0].question for one in load(tmp_path)] == [row['question'] for row in PROBLEMS]


@pytest.mark.parametrize(
    ('answer', 'code'),
    [
        ('She has 3 + 4 = 7 now.\n#### 7', 'print(3 + 4)'),  # the equation of a sentence, without the calculator
        ('<<007-1=6>>\n#### 6', 'step_1 = 7-1\nprint(step_1)'),
        *(
            (f'<<{term}=1>>\n#### 1', 'print(1)')  # only plain arithmetic is code
            for term in ['__import__("os")', 'x', '2**9', '1/0', '(', '"a"', 'True and 1', '9' * 5000]
        ),
    ],
)
def test_gold_code_is_plain_arithmetic(tmp_path, answer, code):
    write_lines(tmp_path / 'test.jsonl', [{'question': 'q', 'answer': answer}])
    (one,) = load(tmp_path)
    assert one.steps[0].code == code


@pytest.mark.parametrize(
    'answer',
    ['no mark', '#### many', '####', '#### 3/4', '#### 50%', '#### 1_0', '#### --5', '#### 5 # 3', '#### True'],
)
def test_an_answer_without_its_number_is_named(tmp_path, answer):
    write_lines(tmp_path / 'test.jsonl', [{'question': 'q', 'answer': answer}])
    with pytest.raises(CibenchError, match=r'test.jsonl, row 1: its answer does not end with'):
        load(tmp_path)


def test_a_missing_file_says_how_to_get_it(tmp_path):
    with pytest.raises(CibenchError, match='cibench data fetch gsm8k'):
        load(tmp_path)


@pytest.mark.skipif(not WHOLE, reason='GSM8K_TEST does not name the original test.jsonl')
def test_every_problem_of_the_original_is_solved_by_its_own_work(capsys):
    found = load(Path(WHOLE))
    assert len(found) == 1319
    for one in found:
        assert float(printed(one.steps[0].code, capsys)) == pytest.approx(float(one.steps[0].text))
