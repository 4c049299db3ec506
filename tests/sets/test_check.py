"""`cibench data check`: a set with one planted fault of each kind, and sound ones."""

import contextlib
import io
import os
from collections import defaultdict

import pytest

from cibench_eval import cli
from cibench_eval.evaluators import notebook_profiles
from cibench_eval.interpreter.sandboxes import bubblewrap
from tests.sets import broken_set
from tests.sets.broken_set import FOUND, LARGE, NOTES, SLOW, defects, read_report, write_data, write_notebook, write_set
from tests.support.notebooks import EXAMPLES
from tests.support.soak import many

pytestmark = pytest.mark.kernel
REPEATS = many(3, 2)


@pytest.fixture(scope='module')
def checked(tmp_path_factory):
    """Exit code, standard output and JSON of one check of the broken set by the command."""
    folder = write_set(tmp_path_factory.mktemp('broken'))
    file, out = folder / 'check.json', io.StringIO()
    arguments = ['data', 'check', str(folder), '--slow', str(SLOW), '--large', str(LARGE)]
    arguments += ['--repeats', str(REPEATS), '--workers', '4', '--sandbox', 'auto', '--json', str(file)]
    with contextlib.redirect_stdout(out):
        code = cli.main(arguments)
    return code, out.getvalue(), read_report(file)


@pytest.fixture
def check(tmp_path):
    """What the command writes of a set."""

    def written(*words):
        file = tmp_path / 'check.json'
        cli.main(['data', 'check', *map(str, words), '--sandbox', 'auto', '--json', str(file)])
        return read_report(file)

    return written


def by_place(findings):
    places = defaultdict(list)
    for finding in findings:
        places[(f'{finding.set}/{finding.notebook}', finding.step)].append(finding.code)
    return {place: sorted(codes) for place, codes in places.items()}


def texts(report, code, notebook='', step=None):
    return [
        f.text
        for f in report.findings
        if f.code == code and notebook in f.notebook and (step is None or f.step == step)
    ]


@pytest.mark.soak
def test_each_planted_fault_is_found_where_it_is_and_nothing_else(checked):
    code, _, report = checked
    assert code == 1
    assert by_place(report.findings) == FOUND
    noted = {(f'{f.set}/{f.notebook}', f.step) for f in report.findings if f.severity == 'note'}
    assert (
        noted - {place for place, codes in FOUND.items() if {'trivial', 'warning', 'undescribed'} & set(codes)} == NOTES
    )
    assert report.clean == 7
    assert report.experiments == len(broken_set.NOTEBOOKS) + 1


def test_a_finding_says_what_is_wrong(checked):
    report = checked[2]
    assert texts(report, 'fails') == ['ZeroDivisionError: division by zero']
    scores = ' and '.join(f'0.00 by {profile}' for profile in notebook_profiles())
    both = f'its output scores {scores} against the stored one'
    assert texts(report, 'differs', step=2) == [both]
    assert not texts(report, 'differs', step=3), 'a warning stands below what is printed, whichever came first'
    assert (
        f'(in run {", ".join(map(str, range(2, REPEATS + 1)))} of {REPEATS})' in texts(report, 'non_deterministic')[0]
    )
    assert texts(report, 'network') == ['its code tries to reach 192.0.2.1', 'its code runs wget']
    assert texts(report, 'missing_file') == ['data/gone.csv is not in datasources/']
    assert texts(report, 'large_file') == ['data/large.bin has 0.2 MB, more than 0.2']
    assert texts(report, 'format')[0].startswith('cell 3: a second code cell')
    assert texts(report, 'warning') == ['writes on stderr: UserWarning: old']
    assert texts(report, 'duplicate_question', 'slower') == ['asks the same as broken/lib/slow, step by step']
    assert texts(report, 'slow')[0].endswith(f's, more than {SLOW} s')


def test_trivial_answers_are_named_and_defects_by_the_profile_of_the_check_alone(checked):
    report = checked[2]
    told = [(f.step, f.severity, f.text) for f in report.findings if f.code == 'trivial']
    both = {(step, severity) for step in (1, 2, 3, 4) for severity in ('defect', 'note')}
    assert {(step, severity) for step, severity, _ in told} == both - {(2, 'defect')}
    assert all(text.startswith('the question itself scores') for step, _, text in told if step == 2)
    strict = {step: text for step, severity, text in told if severity == 'defect'}
    assert strict[1] == 'the number 0 scores 1.00 by strict'
    assert strict[3] == 'a blank figure scores 1.00 by strict'
    assert strict[4] == 'a dump of the data scores 1.00 by strict'


def test_json_has_every_run(checked):
    report = checked[2]
    (sound,) = (run for run in report.runs if run.set == 'pairs' and run.notebook == 'lib/sound')
    assert [step.kind for step in sound.steps] == ['exec', 'num', 'text', 'vis']
    assert all(len(step.seconds) == REPEATS and min(step.seconds) > 0 for step in sound.steps)
    assert sound.steps[0].scores == sound.steps[0].baseline == {}
    assert [step.scores['strict'] for step in sound.steps[1:]] == [[1.0] * REPEATS] * 3
    (running,) = (run for run in report.runs if run.notebook == 'lib/running')
    assert running.steps[0].scores['strict'] == [0.0] * REPEATS
    assert report.sandbox == report.provenance['sandbox']
    assert (report.version, report.repeats, report.seed, report.profile) == (2, REPEATS, 0, 'strict')


def test_the_baseline_is_the_mean_of_the_best_trivial_answers(checked):
    report = checked[2]
    steps = [step for run in report.runs for step in run.steps if step.baseline]
    for kind in ('num', 'text', 'vis'):
        scores = [step.baseline['strict'] for step in steps if step.kind == kind]
        assert report.baseline['strict'][kind] == round(100 * sum(scores) / len(scores), 2)
    assert report.baseline['strict']['vis'] == pytest.approx(100 / 3, abs=0.01)


def test_table_groups_by_notebook_and_ends_with_a_summary(checked):
    _, shown, report = checked
    assert max(map(len, shown.splitlines())) <= 100
    assert shown.count('broken: lib/running') == 1
    for text in (
        'ZeroDivisionError',
        'undescribed: run cibench data describe',
        'no-question baseline: num',
        f'{report.experiments} experiments',
    ):
        assert text in shown
    assert f'{len(defects(report))} defects' in shown


def test_one_sound_notebook_is_clean(tmp_path, capsys):
    write_data(tmp_path)
    path = write_notebook(tmp_path, 'split/lib/sound', broken_set.SOUND, language='en', kernel_environment='modern')
    assert cli.main(['data', 'describe', str(path), '--sandbox', 'auto']) == 0
    capsys.readouterr()
    assert cli.main(['data', 'check', str(path), '--repeats', '1', '--large', '1', '--sandbox', 'auto']) == 0
    shown, told = capsys.readouterr()
    assert 'no defect' in shown
    assert '1 of 1 without a defect, 0 notes' in shown and '1 experiment, ' in shown and '\n1 run of ' in shown
    assert told == 'checked 1/1 lib/sound\n'


@pytest.mark.soak
def test_examples_are_clean(check):
    report = check(EXAMPLES, '--repeats', 2)
    assert defects(report) == []
    assert (report.experiments, report.clean) == (6, 6)
    assert report.baseline['strict']['num'] == report.baseline['strict']['vis'] == 0


@pytest.mark.parametrize(
    ('arguments', 'words'),
    [
        (['nowhere'], ['nowhere', 'no such set', 'builtin']),
        (['builtin', '--only', 'nothing/*'], ['nothing/*', 'pandas/grouping']),
        (['builtin', '--environment', 'nowhere'], ['builtin', 'nowhere']),
        (['builtin', '--repeats', '0'], ['repeats is 0']),
        (['builtin', '--slow', 'nan'], ['slow is nan']),
        (['builtin', '--large', 'nan', '--only', 'nothing/*'], ['nothing/*']),
        (['builtin', '--json', '/no/such/folder/x.json'], ['/no/such/folder/x.json', 'No such file']),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments, words, capsys):
    assert cli.main(['data', 'check', *arguments]) == 2
    told = capsys.readouterr().err
    assert told.startswith('cibench: error: ')
    assert told.count('\n') == 1
    assert [word for word in words if word not in told] == []


def test_a_report_that_is_there_stays_when_the_check_does_not_come_to_an_end(tmp_path, capsys):
    there, new = tmp_path / 'there.json', tmp_path / 'new.json'
    there.write_text('{}')
    for file in (there, new):
        assert cli.main(['data', 'check', 'nowhere', '--json', str(file)]) == 2
    assert there.read_text() == '{}'
    assert not new.exists()


def test_a_report_is_written_even_if_nobody_reads_the_table(tmp_path):
    path = write_notebook(tmp_path, 'lib/a', broken_set.ALONE)
    reader, writer = os.pipe()
    os.close(reader)
    arguments = ['data', 'check', str(path), '--repeats', '1', '--sandbox', 'auto', '--json', str(tmp_path / 'a.json')]
    with os.fdopen(writer, 'w') as closed, contextlib.redirect_stdout(closed), contextlib.suppress(SystemExit):
        cli.main(arguments)
    assert read_report(tmp_path / 'a.json').clean == 1


def test_without_walls_nothing_runs_unless_asked_for(tmp_path, monkeypatch, capsys):
    """The notebooks of a set may be a stranger's."""
    path = write_notebook(tmp_path, 'lib/a', broken_set.ALONE)
    monkeypatch.setattr(bubblewrap, 'bubblewrap_problem', lambda: 'bwrap is not on PATH')
    assert cli.main(['data', 'check', str(path)]) == 2
    assert 'bwrap is not on PATH' in capsys.readouterr().err
    assert cli.main(['data', 'check', str(path), '--repeats', '1', '--sandbox', 'auto']) == 0
    assert 'sandbox none' in capsys.readouterr().out


def test_empty_folder_is_refused(tmp_path, capsys):
    assert cli.main(['data', 'check', str(tmp_path)]) == 2
    assert 'no notebook' in capsys.readouterr().err


def test_environment_without_kernels_is_refused(tmp_path, monkeypatch, capsys):
    path = write_notebook(tmp_path, 'lib/a', broken_set.ALONE)
    monkeypatch.setenv('CIBENCH_CACHE', str(tmp_path / 'cache'))
    assert cli.main(['data', 'check', str(path), '--environment', 'paper', '--sandbox', 'auto']) == 2
    assert 'cibench kernel build paper' in capsys.readouterr().err
