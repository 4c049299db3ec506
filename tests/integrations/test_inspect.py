"""Inspect: its own package reads our logs, and runs our notebooks to the scores of `run.py`.

inspect-ai needs other versions of what OpenCompass needs, so it has an environment of its own, behind which the
packages of this one stand.
"""

import json
import math
import subprocess
from pathlib import Path

import pytest

from cibench_eval import cli
from cibench_eval.datasets import load_experiments
from distributions.parts import EXTRAS
from tests.support.integrations import ONLY, RIGHT, WRONG, by_run_py, core, new_python, python_with, told, wrong
from tests.support.notebooks import EXAMPLES
from tests.support.viewer_runs import two_models

pytestmark = [pytest.mark.kernel, pytest.mark.soak]
PROGRAM = Path(__file__).with_name('inspect_program.py')
GOLD = {one.id: [step.code for step in one.steps] for one in load_experiments(EXAMPLES, include=ONLY)}
LIMITS = {'token': {'token_limit': 24}, 'message': {'message_limit': 7}, 'time': {'time_limit': 30}}


@pytest.fixture(scope='module')
def python(tmp_path_factory):
    return python_with(tmp_path_factory.mktemp('inspect') / 'venv', 'inspect-ai==0.3.285')


def test_logs_of_a_run_are_read_by_inspect(python, tmp_path, capsys):
    run = two_models(tmp_path)
    assert cli.main(['export', str(run), '--to', 'inspect', '--out', str(tmp_path / 'logs')]) == 0
    assert '4 logs' in capsys.readouterr().out
    logs = {(one['task'], one['model']): one for one in told(python, PROGRAM, 'logs', tmp_path / 'logs')}
    assert set(logs) == {(task, model) for task in ('examples', 'examples_oracle') for model in ('good', 'evil')}
    good, evil = logs['examples', 'good'], logs['examples', 'evil']
    assert (good['status'], good['means']['right'], good['means']['whole_sessions']) == ('success', 1, 1)
    assert evil['means']['right'] < 1
    for sample in good['samples']:
        assert {'user', 'assistant'} <= set(sample['roles'])
    questions = [step.question for one in load_experiments(EXAMPLES, include=[WRONG]) for step in one.steps]
    said = next(sample['said'] for sample in good['samples'] if sample['id'] == WRONG)
    assert all(any(question.strip() in text for text in said) for question in questions)


@pytest.fixture(scope='module')
def logs(python, tmp_path_factory):
    """By its name: what Inspect's log says of a task, of four whole ones and of one for each limit."""
    folder = tmp_path_factory.mktemp('tasks')
    codes = GOLD[WRONG]
    jobs = {'wrong': (WRONG, [*wrong_codes()], {}), 'gold': (RIGHT, GOLD[RIGHT], {})}
    cut = '{"code": "print = None  # ' + 'x' * 20_000  # Inspect keeps its two ends
    jobs['broken'] = (RIGHT, [cut, *(f'{{"code": {json.dumps(code)}' for code in GOLD[RIGHT])], {})
    jobs['two'] = (ONLY, [*GOLD[WRONG], *['{}'] * 3 * len(GOLD[RIGHT])], {})
    jobs |= {kind: (WRONG, [*codes[:2], None] if kind == 'time' else codes, LIMITS[kind]) for kind in LIMITS}
    (folder / 'jobs.json').write_text(json.dumps(jobs))
    return told(python, PROGRAM, 'tasks', EXAMPLES, folder / 'jobs.json', folder / 'logs')


def wrong_codes():
    """What a model says, request by request, that makes the same mistakes as the model of `by_run_py`."""
    for index, code in enumerate(GOLD[WRONG]):
        for failed in range(3):
            yield (said := wrong(code, index, failed))
            if said != '1 / 0':
                break


def means_of(steps):
    """Metric -> the mean over the steps of an experiment."""
    names = dict.fromkeys(name for step in steps for name in step.values)
    values = {name: [step.values[name] for step in steps if name in step.values] for name in names}
    means = {name: sum(own) / len(own) for name, own in values.items()}
    right = [step.right for step in steps if step.right is not None]
    return means | {'right': sum(right) / len(right), 'whole_sessions': float(all(right))}


@pytest.mark.parametrize(('name', 'experiment'), [('wrong', WRONG), ('gold', RIGHT)])
def test_a_task_has_the_scores_of_run_py(logs, tmp_path, name, experiment):
    log = logs[name]
    assert (log['status'], log['error']) == ('success', '')
    (sample,) = log['samples']
    assert sample['tokens'] == 12 * len(GOLD[RIGHT] if name == 'gold' else [*wrong_codes()])
    means = {metric: mean for metric, mean in log['means'].items() if not math.isnan(mean)}
    assert means == pytest.approx(means_of(by_run_py(tmp_path).of(experiment)))
    assert (log['means']['right'] == 1) is (name == 'gold')


def test_arguments_that_inspect_cannot_parse_are_read_as_in_run_py(logs):
    broken, gold = (logs[name]['samples'][0] for name in ('broken', 'gold'))
    assert broken['steps'] == gold['steps']


def test_a_metric_that_a_session_has_no_step_for_is_left_out_of_its_mean(logs):
    """The second session calls the interpreter without code."""
    log = logs['two']
    assert (log['status'], log['error']) == ('success', '')
    assert (log['means']['right'], log['means']['text_score'], log['means']['others_kept']) == (0.5, 0.5, 1)


@pytest.mark.parametrize('kind', LIMITS)
def test_a_session_that_a_limit_cuts_is_scored_and_the_rest_is_not_done(logs, kind):
    log = logs[kind]
    (sample,) = log['samples']
    assert (log['status'], sample['limit'], sample['error']) == ('success', kind, '')
    assert 'assistant' in sample['roles']
    outcomes, steps = [step['outcome'] for step in sample['steps']], len(GOLD[WRONG])
    assert outcomes == ['ran', 'correct'] + ['no_tool'] * (steps - 2)
    assert (log['means']['right'], log['means']['whole_sessions']) == (1 / (steps - 1), 0)


def test_the_lowest_version_that_is_accepted_hands_over_all_arguments(tmp_path):
    lowest = [one.replace('>=', '==') for one in EXTRAS['inspect']]
    python = new_python(tmp_path / 'venv', core(tmp_path, 'inspect'), *lowest)
    words = ['eval', 'cibench_eval/builtin', '--model', 'mockllm/model', '-T', 'nonsense=1', '--limit', '0']
    done = subprocess.run([python.with_name('inspect'), *words], capture_output=True, text=True, cwd=tmp_path)
    said = done.stdout + done.stderr
    assert 'cibench: error: nonsense is unknown' in said and 'Traceback' not in said
