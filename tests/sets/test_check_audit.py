"""`cibench data check --audit`: a model that is asked without the data."""

from types import SimpleNamespace

import pytest

from cibench_eval import cli
from cibench_eval.opencompass import CIBenchDataset
from tests.sets.broken_set import Cell, read_report, write_data, write_notebook
from tests.support.chat_server import chat_server
from tests.support.notebooks import ENDPOINT, REPO
from tests.support.sessions import call

LONG = 'Print the sum of the sizes,  as they stand in the table that was read before.'
CELLS = [
    Cell('exec', 'Read `data/table.csv` into `rows`.', "import os\nrows = open('data/table.csv').read().split()"),
    Cell('num', LONG, 'print(sum(float(r.split(",")[1]) for r in rows[1:]))', '31.5\n'),
    Cell('num', 'Print the largest size.', 'print(max(float(r.split(",")[1]) for r in rows[1:]))', '20.25\n'),
    Cell('num', 'Print 6 times 7.', 'print(6 * 7)', '42\n'),
    Cell(
        'text',
        f'Print the names. {"x" * 61}',
        "print(', '.join(r.split(',')[0] for r in rows[1:]))",
        'alpha, beta, gamma\n',
    ),
]
READS = "print(open('data/table.csv').read())"


@pytest.fixture
def audit(tmp_path, monkeypatch, capsys):
    """Checks a set of one notebook with a model whose code for some questions is known; the others read the data."""
    monkeypatch.chdir(REPO)
    write_data(tmp_path)
    listed = [cell.kind == 'text' for cell in CELLS]
    write_notebook(tmp_path, 'split/lib/sizes', CELLS, language='en', kernel_environment='modern', lists=listed)

    def run(known, *more):
        def answer(messages):
            (last, *_) = (message['content'] for message in reversed(messages) if message['role'] == 'user')
            return call(next((code for question, code in known.items() if question in last), READS))

        with chat_server(answer) as server:
            model = tmp_path / 'scripted.py'
            model.write_text(ENDPOINT.format(name='scripted', url=server.base_url))
            words = ['data', 'check', str(tmp_path), '--audit', str(model), '--work-dir', str(tmp_path / 'runs')]
            code = cli.main([*words, '--sandbox', 'auto', '--json', str(tmp_path / 'check.json'), *more])
        report = read_report(tmp_path / 'check.json')
        found = [one for one in report.findings if one.code == 'without_data']
        return SimpleNamespace(
            code=code,
            report=report,
            found=found,
            shown=' '.join(capsys.readouterr().out.split()),
            requests=server.requests,
        )

    return run


@pytest.mark.kernel
def test_the_one_step_that_a_model_knows_is_named_and_nothing_else(audit, caplog):
    known = {'sum of the sizes': 'print(31.5)', '6 times 7': 'print(42)'}
    done = audit(known, '--repeats', '1')
    assert done.code == 1
    assert 'lacks what gold code reads' not in caplog.text, 'that is what an audit is'
    (finding,) = done.found
    assert (finding.set, finding.notebook, finding.step, finding.severity) == ('split', 'lib/sizes', 2, 'defect')
    said = 'Print the sum of the sizes, as they stand in the table …'
    assert finding.text == f'scripted answers it without the data: numeric_correct 1.00; {said}'
    (step,), (part,) = done.report.audit.steps, done.report.audit.parts
    assert (step.step, step.kind, step.metric, step.answered) == (2, 'num', 'numeric_correct', True)
    assert (part.set, part.library, part.scored, part.need_data, part.answered) == ('split', 'lib', 4, 3, 1)
    assert part.share == pytest.approx(33.33)
    assert 'scripted answers 1 of 3 steps (33.3 %) without the data that the gold code needs' in done.shown
    assert [step.scores['strict'] for step in done.report.runs[0].steps[1:]] == [[1.0]] * 4, 'the check has its data'
    said = str(done.requests)
    assert 'FileNotFoundError' in said
    assert 'alpha' not in said

    again = audit(known, '--repeats', '0')
    assert (again.code, again.requests, again.found) == (1, [], done.found)
    assert again.report.runs == []


@pytest.mark.soak
@pytest.mark.kernel
def test_a_set_that_has_changed_is_asked_again_in_a_run_of_its_own(audit, tmp_path):
    first = audit({}, '--repeats', '0')
    assert (first.code, first.found, first.report.audit.steps) == (0, [], []), 'what nobody knows is no finding'
    assert 'scripted answers 0 of 3 steps' in first.shown
    cells = [*CELLS[:4], Cell('text', 'Print all names.', CELLS[4].code, 'alpha, beta, gamma\n')]
    write_notebook(tmp_path, 'split/lib/sizes', cells, language='en', kernel_environment='modern')
    second = audit({}, '--repeats', '0')
    assert 'Print all names.' in str(second.requests)
    assert first.report.audit.folder != second.report.audit.folder


@pytest.mark.soak
@pytest.mark.kernel
def test_an_answer_in_part_is_a_note_and_so_is_all_where_strict_does_not_decide(audit):
    known = {'sum of the sizes': 'print(31.5)', 'Print the names': "print('alpha, beta, delta')"}
    done = audit(known, '--repeats', '0')
    assert [(one.step, one.severity) for one in done.found] == [(2, 'defect'), (5, 'note')]
    assert 'answers part of it' in done.found[1].text
    assert done.found[1].text.endswith(f'Print the names. {"x" * 43} …')
    noted = audit(known, '--repeats', '0', '--profile', 'official')
    assert noted.code == 0
    assert {one.severity for one in noted.found} == {'note'}


@pytest.mark.kernel
@pytest.mark.parametrize(
    ('text', 'word'),
    [
        (None, 'no_such_model.py'),
        (ENDPOINT.format(name='gone', url='http://127.0.0.1:9/v1'), 'no connection'),
        (ENDPOINT.format(name='one', url='http://127.0.0.1:9/v1') + "models += [{**models[0], 'abbr': 'two'}]\n", '2 '),
    ],
    ids=['unknown', 'unreachable', 'two'],
)
def test_a_model_that_cannot_be_asked_is_one_line(text, word, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(REPO)
    write_data(tmp_path)
    path = write_notebook(tmp_path, 'split/lib/sizes', CELLS, language='en')
    model = tmp_path / 'model.py'
    if text:
        model.write_text(text)
    words = ['data', 'check', str(path), '--sandbox', 'auto', '--work-dir', str(tmp_path / 'runs')]
    assert cli.main([*words, '--audit', str(model) if text else 'no_such_model']) == 2
    told = capsys.readouterr().err
    assert told.startswith('cibench: error: ')
    assert told.count('\n') == 1
    assert word in told


def test_without_data_labels_stay_and_files_are_gone():
    chosen = {'path': 'hard', 'builtin': 'builtin_hard', 'experiments': ['geography/timbers_glen']}
    (whole,) = CIBenchDataset(**chosen).experiments
    (without,) = CIBenchDataset(**chosen, without_data=True).experiments
    assert any(step.held_out for step in without.steps)
    assert without.steps == whole.steps
    assert any((whole.datasources / 'data').iterdir())
    assert [path.name for path in without.datasources.rglob('*')] == ['data']
