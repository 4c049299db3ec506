"""How runs are judged, on runs that were not made: what is rare, or takes a minute."""

from dataclasses import replace

import numpy as np
import pytest

from cibench_eval.evaluators import notebook_profiles
from cibench_eval.schema import Execution, ExecutionError, Figure, Output
from cibench_eval.sets.checking import CheckSettings
from cibench_eval.sets.checking.runs import StepRun
from cibench_eval.sets.checking.scores import StepChecker, trivial_answers
from cibench_eval.sets.checking.static import load_set
from tests.sets.broken_set import PICTURE, SHOW, TABLE, Cell, png, write_data, write_notebook
from tests.support.notebooks import write_beside
from tests.support.pngs import HOSTILE

OTHER = png(np.random.default_rng(1).integers(0, 255, (40, 60, 3), dtype=np.uint8))
NUMBER = Cell('num', 'Print it.', 'print(x)', '2.125\n')
CHINESE = Cell('text', '打印它。', 'print(x)', '苍鹭与白鹭\n')
FIGURE = Cell('vis', 'Show it.', SHOW.format('picture'), PICTURE)


class Shown(Cell):
    """A step whose gold code displays its text."""

    @property
    def outputs(self):
        return [{'output_type': 'display_data', 'metadata': {}, 'data': {'text/plain': self.stored}}]


def printed(text, **fields):
    return Execution(status='ok', outputs=[Output(type='stdout', text=text)], **fields)


def drawn(*figures):
    outputs = [Output(type='display_data', text='<Image>', figure=Figure.of(data)) for data in figures]
    return Execution(status='ok', outputs=outputs)


def failed(status='error', **fields):
    return Execution(status=status, error=ExecutionError(name='ValueError', value='no\nnever'), **fields)


def checker(member, folder, **thresholds):
    return StepChecker(member, folder / 'figures', replace(CheckSettings().thresholds, **thresholds))


@pytest.fixture
def judge(tmp_path):
    """Findings and report of runs of a one-step notebook."""

    def judged(cell, *executions, **thresholds):
        write_notebook(tmp_path, 'lib/a', [cell])
        (member,) = load_set(tmp_path, 's').members
        runs = [StepRun(e) if isinstance(e, Execution) else e for e in executions]
        reports, findings = checker(member, tmp_path, **thresholds).check([runs])
        return [(f.code, f.severity, f.text) for f in findings if f.code != 'trivial'], reports[0]

    return judged


def test_figures_that_differ_between_runs_and_from_the_stored(judge):
    findings, _ = judge(FIGURE, drawn(PICTURE), drawn(OTHER), drawn(PICTURE))
    assert [(code, severity) for code, severity, _ in findings] == [('non_deterministic', 'defect')]
    assert '(in run 2 of 3)' in findings[0][2]
    ((code, _, text),), _ = judge(FIGURE, drawn(OTHER), drawn(OTHER))
    assert code == 'differs'
    assert 'by strict' in text
    assert 'by official' in text
    assert judge(FIGURE, drawn(PICTURE), drawn(PICTURE))[0] == []


def test_outputs_are_held_against_the_first_run_that_has_one(judge):
    findings, _ = judge(NUMBER, failed(), printed('2.125\n'), printed('3.5\n'))
    assert [code for code, _, _ in findings] == ['fails', 'non_deterministic']
    assert findings[1][2].startswith('its output is not that of run 2 (in run 3 of 3)')


def test_failures_name_their_runs(judge):
    findings, report = judge(NUMBER, printed('2.125\n'), failed(), printed('2.125\n'))
    assert findings == [('fails', 'defect', 'ValueError: no (in run 2 of 3)')]
    assert report.scores == {profile: [1.0, None, 1.0] for profile in notebook_profiles()}
    assert judge(NUMBER, failed(), failed())[0] == [('fails', 'defect', 'ValueError: no')]
    findings, report = judge(NUMBER, printed('2.125\n'), StepRun(problem='gold step 1 fails: x'))
    assert findings == [('fails', 'defect', 'gold step 1 fails: x (in run 2 of 2)')]
    assert len(report.seconds) == 2
    assert report.seconds[1] is None


def test_what_was_not_reached_because_of_another_step_is_no_finding(judge):
    assert judge(NUMBER, printed('2.125\n'), StepRun(), StepRun())[0] == []


def test_an_output_over_the_limit_is_a_note(judge):
    findings, _ = judge(NUMBER, printed('2.125\n', truncated=True))
    assert findings == [('truncated', 'note', 'its output is over the limit of a session')]


def test_slow_steps_and_steps_that_do_not_end(judge):
    assert judge(NUMBER, printed('2.125\n', seconds=59.9), printed('2.125\n', seconds=1))[0] == []
    slow = ('slow', 'defect', 'took 60.1 s, more than 60 s')
    assert judge(NUMBER, printed('2.125\n', seconds=1), printed('2.125\n', seconds=60.1))[0] == [slow]
    endless = Execution(status='timeout', seconds=120.1)
    assert judge(NUMBER, endless)[0] == [('slow', 'defect', 'took 120.1 s, more than 60 s')]


def test_chinese_text_is_worth_nothing_by_official_which_is_a_note(judge):
    findings, _ = judge(CHINESE, printed('苍鹭与白鹭\n'))
    assert findings == [('unscorable', 'note', 'official gives the gold output itself 0.00')]


def test_a_gold_that_is_displayed_is_no_matter_of_official(judge):
    shown = Output(type='display_data', text='2.125')
    assert judge(Shown('num', 'Show it.', 'display(x)', '2.125'), Execution(status='ok', outputs=[shown]))[0] == []


def test_a_gold_figure_below_the_window_of_the_metric_cannot_be_scored(judge):
    tiny = png(np.zeros((3, 3, 3), dtype=np.uint8))
    ((code, severity, text),), _ = judge(Cell('vis', 'Show.', 'show()', tiny), drawn(OTHER))
    assert (code, severity) == ('unscorable', 'defect')
    assert 'window of 7 pixels' in text


def test_a_gold_figure_of_too_many_pixels_is_one_clear_line(judge):
    """Without being decoded, and not taken for one that a blank figure passes."""
    ((code, severity, text),), _ = judge(Cell('vis', 'Show.', 'show()', HOSTILE['many pixels']), drawn(OTHER))
    assert (code, severity) == ('unscorable', 'defect')
    assert 'the gold figure cannot be read (6,000 × 6,000 pixels, over 10,000,000)' in text


@pytest.mark.parametrize(
    ('declared', 'faults'),
    [(one, []) for one in ('count', 'real', '[count]')]
    + [(one, ['unscorable']) for one in ('probability', 'text', 'list[text]', 'answer: count; more: count')],
)
def test_gold_variables_hold_what_their_step_declares(tmp_path, declared, faults):
    code, asked = 'answer = more = 37\ndel more\nprint(answer)', 'Print `answer` and `more`.'
    path = write_notebook(tmp_path, 'lib/a', [Cell('num', asked, code, '37\n')], answers=[declared])
    column = {'dtype': 'number', 'form': 'int', 'moments': [37, 0, 37, 37], 'values': [37]}
    state = {'answer': {'kind': 'scalar', 'type': 'int', 'columns': [column]}}
    write_beside(path, '.descriptions.json', [code], environment='modern', steps=[{'state': state}])
    (member,) = load_set(tmp_path, 's').members
    _, findings = checker(member, tmp_path).check([[StepRun(printed('37\n'))]])
    assert [one.code for one in findings] == faults


def test_thresholds_of_trivial_answers(judge, tmp_path):
    cell = Cell('text', 'Print red green blue.', 'print(x)', 'red green blue and seven more\n')
    baseline = judge(cell, printed('x'))[1].baseline
    assert 0.3 < baseline['official'] < 0.9
    assert baseline['strict'] == baseline['open_form'] == 0
    (member,) = load_set(tmp_path, 's').members
    run = [[StepRun(printed('red green blue and seven more\n'))]]

    def passed(**thresholds):
        findings = checker(member, tmp_path, **thresholds).check(run)[1]
        return {(f.text.split()[-1], f.severity) for f in findings if f.code == 'trivial'}

    assert passed() == {('official', 'note')}
    assert passed(profile='official') == {('official', 'defect')}
    assert passed(text=0.95) == set()


def test_the_names_of_the_columns_are_a_trivial_answer(tmp_path):
    write_data(tmp_path)
    write_notebook(tmp_path, 'lib/a', [Cell('text', 'Print it.', "open('data/table.csv')", 'x\n')])
    (member,) = load_set(tmp_path, 's').members
    columns = trivial_answers(member.experiment.steps[0], member.experiment)['the names of the columns'].stdout
    assert columns == ', '.join(TABLE.split('\n')[0].split(','))


@pytest.mark.parametrize('name', ['data/../../gold.csv', 'data/link.csv'])
def test_no_file_of_the_machine_is_in_a_dump_of_the_data(tmp_path, name):
    write_data(tmp_path)
    (tmp_path / 'gold.csv').write_text('not for the report')
    (tmp_path / 'datasources' / 'data' / 'link.csv').symlink_to(tmp_path / 'gold.csv')
    cell = Cell('text', 'Print it.', f"open('data/table.csv'), open('{name}')", 'x\n')
    write_notebook(tmp_path, 'lib/a', [cell])
    (member,) = load_set(tmp_path, 's').members
    dump = trivial_answers(member.experiment.steps[0], member.experiment)['a dump of the data'].stdout
    assert dump == TABLE
