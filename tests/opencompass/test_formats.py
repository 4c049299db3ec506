"""A format of data is one file: experiments that are lines of JSON, run and scored as notebooks are."""

import json

import pytest

from cibench_eval.opencompass import CIBenchDataset, SessionEvaluator
from tests.support.runs import SMALL, change, one_line, run_folder

FORMAT = """
import json
from cibench_eval.datasets.formats import Format
from cibench_eval.schema import Experiment, Step

def lines(path):
    return {(line := json.loads(text))['id']: line for text in path.read_text().splitlines()}

def load(path, id_, language, datasources):
    line = lines(path)[id_]
    step = Step(index=0, question=line['question'], code=line['code'], kind='num', text=line['answer'])
    return Experiment(id=id_, path=path, language=language or 'en', steps=[step], typed=True, datasources=datasources)

FORMAT = Format(lambda path: list(lines(path)), load)
"""
ODD = """
from lines_of_json import FORMAT, Format, lines, load

def from_1(*key):
    found = load(*key)
    return found.model_copy(update={'steps': [step.model_copy(update={'index': 1}) for step in found.steps]})

NONE, FROM_1 = Format(FORMAT.ids, lambda *key: None), Format(FORMAT.ids, from_1)
"""
QUESTIONS = [
    {'id': 'math/sum', 'question': 'What is 20 plus 1.5?', 'code': 'print(20 + 1.5)', 'answer': '21.5'},
    {'id': 'math/product', 'question': 'What is 6 times 7?', 'code': 'print(6 * 7)', 'answer': '42'},
]


@pytest.fixture
def questions(project, monkeypatch):
    """The dataset `small` as lines of JSON, read by a module that stands outside the package."""
    (project / 'lines_of_json.py').write_text(FORMAT)
    monkeypatch.syspath_prepend(str(project))
    file = project / 'questions.jsonl'
    file.write_text('\n'.join(map(json.dumps, QUESTIONS)))
    dataset = project / 'configs' / 'datasets' / 'small.py'
    notebooks = str(project / 'data' / 'small')
    change(dataset, f'path={notebooks!r}', f"path={str(file)!r},\n        format='lines_of_json.FORMAT'")
    return file


@pytest.mark.kernel
def test_a_format_of_ones_own_is_run_and_scored(project, here, questions):
    done = here(*SMALL)
    assert done.returncode == 0, done.stderr
    results = json.loads((run_folder(project) / 'results/gold-replay/small.json').read_text())
    assert (results['numeric_correct'], results['counts']['numeric_correct']) == (100.0, 2)


@pytest.mark.kernel
def test_one_of_its_experiments_is_named_on_the_command_line(project, here, questions):
    assert here('--models', 'gold_replay', '--datasets', 'small/math/product').returncode == 0
    results = json.loads((run_folder(project) / 'results/gold-replay/small.json').read_text())
    assert [step['experiment'] for step in results['steps']] == ['math/product']


@pytest.mark.soak
def test_the_stock_evaluation_finds_its_gold_again(questions):
    dataset = CIBenchDataset(
        path=str(questions),
        format='lines_of_json.FORMAT',
        reader_cfg={'input_columns': ['questions'], 'output_column': 'references'},
    )
    right = {'type': 'IPythonInterpreter', 'result': {'text': 'stdout:\n\n```\n42\n```'}, 'errmsg': None}
    found = SessionEvaluator('strict').score([], dataset.test['references'], [[[]], [[right]]])
    assert [step['values']['numeric_correct'] for step in found['steps']] == [0.0, 1.0]


@pytest.mark.parametrize(
    ('name', 'problem'),
    [
        ('jsonl', "no format of datasets 'jsonl'; there is "),
        (
            'lines_of_json.lines',
            "format of datasets 'lines_of_json.lines': lines_of_json has no lines that is a Format of",
        ),
        ('lines_of_json.FORMATS', "format of datasets 'lines_of_json.FORMATS': lines_of_json has no FORMATS"),
        ('odd.NONE', "format odd.NONE: load('math/sum') gave None; it must give the Experiment of this id"),
        ('odd.FROM_1', 'format odd.FROM_1: math/sum: it must have steps, with the indexes 0, 1, 2, …'),
        ('unfinished.FORMAT', "'unfinished.FORMAT': unfinished cannot be imported: No module named 'no_such_package'"),
    ],
)
def test_what_is_no_format_is_one_line(project, here, questions, name, problem):
    (project / 'unfinished.py').write_text('import no_such_package\n')
    (project / 'odd.py').write_text(ODD)
    change(project / 'configs' / 'datasets' / 'small.py', 'lines_of_json.FORMAT', name)
    one_line(here(*SMALL), problem)
