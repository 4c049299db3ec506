"""The built-in stand-in for Qwen-Agent's benchmark: what its sources make, and that its gold solves it."""

import json
import re
from pathlib import Path

import pytest

from cibench_eval import cli
from cibench_eval.datasets.builtin_sets import SETS
from cibench_eval.run.main import main
from cibench_eval.run.run_folder import recorded_datasets
from tests.support.notebooks import REPO
from tests.support.soak import SOAK

SET = SETS / 'builtin_qwen_ci'
ROWS = 'eval_code_interpreter_v1.jsonl'


def rows():
    return [json.loads(line) for line in (SET / ROWS).read_text(encoding='utf-8').splitlines()]


def problems():
    return [json.loads(line) for line in (SET / 'gsm8k/test.jsonl').read_text(encoding='utf-8').splitlines()]


def test_rows_have_the_fields_of_the_published_ones_and_no_others():
    assert {tuple(row) for row in rows()} == {('query', 'input_file_path', 'lang', 'tags')}
    assert {tuple(row) for row in problems()} == {('question', 'answer')}


def test_every_file_that_is_named_is_there_and_the_other_way_round():
    named = {path.removeprefix('upload_file/') for row in rows() for path in row['input_file_path']}
    assert named == {path.name for path in (SET / 'upload_file_clean').iterdir()}


def test_the_calculator_is_right_and_its_last_result_the_answer():
    for row in problems():
        work = re.findall(r'<<(.*?)=(.*?)>>', row['answer'])
        assert all(eval(term) == pytest.approx(float(result)) for term, result in work)
        assert float(work[-1][1]) == float(row['answer'].rpartition('####')[2])


@pytest.fixture
def build(tmp_path, monkeypatch, capsys):
    """Build the set elsewhere, by the command: the files that it names, and those that they should be."""

    def built():
        folder = tmp_path / SET.name
        folder.mkdir()
        (folder / ROWS).touch()
        (folder / 'sources').symlink_to(SET / 'sources')
        monkeypatch.setattr('cibench_eval.datasets.builtin_sets.SETS', tmp_path)
        assert cli.main(['data', 'build', SET.name]) == 0
        made = [Path(line) for line in capsys.readouterr().out.splitlines()]
        return {path: SET / path.relative_to(folder) for path in made}

    return built


@pytest.mark.kernel
def test_sources_make_what_is_there(build, tmp_path, monkeypatch):
    def as_before(question, uploads):
        return next(row['query'] for row in rows() if row['query'].partition('<|im_end|>')[0] == question['query'])

    if not SOAK:  # in which the first calls are run
        monkeypatch.setattr('cibench_eval.sets.qwen_rows._query', as_before)
    for path, there in build().items():
        assert path.read_bytes() == there.read_bytes()
    for path in (tmp_path / SET.name / 'upload_file_clean').iterdir():
        if path.suffix not in ('.png', '.sqlite', '.zip'):  # whose bytes hang on the version of a library
            assert path.read_bytes() == (SET / 'upload_file_clean' / path.name).read_bytes()


@pytest.mark.soak
@pytest.mark.kernel
def test_the_gold_solves_every_question(tmp_path, monkeypatch):
    monkeypatch.chdir(REPO)
    assert main(['configs/eval_builtin_qwen_ci.py', '-w', str(tmp_path)]) == 0
    (run,) = tmp_path.iterdir()
    steps = [step for one in recorded_datasets(run) for step in one.results().steps]
    assert len(steps) == len(rows()) + len(problems())
    assert {value for step in steps for value in step.values.values()} == {1.0}
    assert sum('figure_shown' in step.values for step in steps) >= 40
