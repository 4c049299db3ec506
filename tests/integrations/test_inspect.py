"""Inspect: its own package reads our logs, and runs our notebooks to the scores of `run.py`.

inspect-ai needs other versions of what OpenCompass needs, so it has an environment of its own, behind which the
packages of this one stand.
"""

import json
from pathlib import Path

import pytest

from cibench_eval import cli
from cibench_eval.datasets import load_experiments
from tests.support.integrations import python_with, scores_by_run_py, told
from tests.support.notebooks import EXAMPLES
from tests.support.viewer_runs import two_models

pytestmark = [pytest.mark.kernel, pytest.mark.soak]
PROGRAM = Path(__file__).with_name('inspect_program.py')
ONLY = 'pandas/penguins'


@pytest.fixture(scope='module')
def python(tmp_path_factory):
    """A Python with inspect-ai."""
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
    questions = [step.question for one in load_experiments(EXAMPLES, include=[ONLY]) for step in one.steps]
    said = next(sample['said'] for sample in good['samples'] if sample['id'] == ONLY)
    assert all(any(question.strip() in text for text in said) for question in questions)


def codes_of(experiment):
    """What a model says, request by request: the second step fails three times, the third shows too much."""
    for step in experiment.steps:
        if step.index == 1:
            yield from ['1 / 0'] * 3
        elif step.index == 2:
            yield f'print(-1)\n{step.code}'
        else:
            yield step.code


def by_run_py(folder, replies):
    """Metric -> the mean over the steps of the experiment, by a whole run."""
    model = (
        'from cibench_eval.models import ScriptReplay\n\n'
        f'models = [dict(type=ScriptReplay, abbr="mine", replies={replies!r})]\n'
    )
    steps = scores_by_run_py(folder, '', [ONLY], model=model, agent='tool_calls')['end_to_end']
    names = dict.fromkeys(name for step in steps for name in step.values)
    values = {name: [step.values[name] for step in steps if name in step.values] for name in names}
    means = {name: sum(own) / len(own) for name, own in values.items()}
    right = [step.right for step in steps if step.right is not None]
    return means | {'right': sum(right) / len(right), 'whole_sessions': float(all(right))}


def call(code):
    return {'tool_calls': [{'name': 'IPythonInterpreter', 'arguments': {'code': code}}]}


def test_a_task_has_the_scores_of_run_py(python, tmp_path):
    (experiment,) = load_experiments(EXAMPLES, include=[ONLY])
    for name, codes in (('gold', [step.code for step in experiment.steps]), ('wrong', [*codes_of(experiment)])):
        replies = tmp_path / f'{name}.json'
        replies.write_text(json.dumps(codes))
        (log,) = told(python, PROGRAM, 'task', EXAMPLES, ONLY, replies, tmp_path / name)
        assert (log['status'], log['error']) == ('success', '')
        (sample,) = log['samples']
        assert sample['tokens'] == 12 * len(codes)
        left = iter(codes)
        script = [
            [call(next(left)) for _ in range(3 if name == 'wrong' and step.index == 1 else 1)]
            for step in experiment.steps
        ]
        folder = tmp_path / f'run_{name}'
        folder.mkdir()
        assert log['means'] == pytest.approx(by_run_py(folder, script))
        assert (log['means']['right'] == 1) is (name == 'gold')


@pytest.mark.parametrize('kind', ['token', 'message', 'time'])
def test_a_session_that_a_limit_cuts_is_scored_and_the_rest_is_not_done(python, tmp_path, kind):
    (experiment,) = load_experiments(EXAMPLES, include=[ONLY])
    codes = [step.code for step in experiment.steps]
    replies = tmp_path / 'replies.json'
    replies.write_text(json.dumps([*codes[:2], None] if kind == 'time' else codes))
    limit = {'token': {'token_limit': 24}, 'message': {'message_limit': 7}, 'time': {'time_limit': 30}}[kind]
    (log,) = told(python, PROGRAM, 'task', EXAMPLES, ONLY, replies, tmp_path / 'logs', json.dumps(limit))
    (sample,) = log['samples']
    assert (log['status'], sample['limit'], sample['error']) == ('success', kind, '')
    assert 'assistant' in sample['roles']
    outcomes = [step['outcome'] for step in sample['steps']]
    assert outcomes == ['ran', 'correct'] + ['no_tool'] * (len(codes) - 2)
    assert (log['means']['right'], log['means']['whole_sessions']) == (1 / (len(codes) - 1), 0)
