"""The formats of others: their own packages read what `cibench export` writes of real runs."""

import csv
import io
import json
import shlex
import subprocess

import pytest

from cibench_eval import cli
from cibench_eval.datasets import load_experiments
from cibench_eval.traces import TraceStore
from tests.support.integrations import harbor_python, new_python, scores_by_run_py
from tests.support.notebooks import EXAMPLES
from tests.support.pythons import python_of
from tests.support.viewer_runs import two_models

pytestmark = pytest.mark.kernel
ONLY = 'matplotlib/electricity'
SCRIPT = """
from cibench_eval.models import ScriptReplay

models = [dict(type=ScriptReplay, abbr='mine', replies={replies!r}, price=dict(input=1000, output=2000))]
"""


def called(*codes):
    return {'tool_calls': [{'name': 'IPythonInterpreter', 'arguments': {'code': code}} for code in codes]}


@pytest.fixture(scope='module')
def run(tmp_path_factory):
    """A run in both modes of a model that sees figures: it fails, calls twice at once, and answers without a call."""
    folder = tmp_path_factory.mktemp('run')
    (experiment,) = load_experiments(EXAMPLES, include=[ONLY])
    replies = [called(step.code) | {'tokens_in': 40, 'tokens_out': 5} for step in experiment.steps]
    replies[0] = [called('1 / 0'), called('x = 1', experiment.steps[0].code)]
    replies[1] = {'text': 'I do not know.', 'reasoning': 'Hard.'}
    model = SCRIPT.format(replies=replies)
    scores_by_run_py(folder, '', [ONLY], model=model, agent='tool_calls_images')
    return next((folder / 'out').iterdir())


@pytest.fixture(scope='module')
def trajectories(run, tmp_path_factory):
    out = tmp_path_factory.mktemp('atif')
    assert cli.main(['export', str(run), '--to', 'atif', '--out', str(out)]) == 0
    return out


def traces_of(run):
    stores = {path.name.split('.')[0]: TraceStore(path) for path in run.rglob('*.traces.jsonl')}
    return {mode: next(store.read(store.index().values())) for mode, store in stores.items()}


def said_in(content):
    """The texts and the names of images in what a message says, in this format or ours."""
    parts = [{'type': 'text', 'text': content}] if isinstance(content, str) else content
    places = {'image': lambda part: part['source']['path'], 'image_url': lambda part: part['image_url']['url']}
    return [places[part['type']](part).split('/')[-1] if part['type'] in places else part['text'] for part in parts]


@pytest.mark.soak
def test_a_trajectory_holds_the_conversation_of_its_session(run, trajectories):
    for mode, trace in traces_of(run).items():
        told = json.loads((trajectories / 'mine' / mode / f'{ONLY}.json').read_text())
        said = []
        for step in told['steps']:
            said += said_in(step['message'])
            said += [
                text for one in step.get('observation', {'results': []})['results'] for text in said_in(one['content'])
            ]
        messages = [*trace.opening]
        for step in trace.steps:
            messages += [*step.asked, *(message for attempt in step.attempts for message in attempt.messages)]
            messages += trace.gold[step.index] if step.index < len(trace.gold) else []
        assert said == [text for message in messages for text in said_in(message['content'])]
        assert any(text.endswith('.png') for text in said)
        replies = [attempt.reply for step in trace.steps for attempt in step.attempts]
        turns = [step for step in told['steps'] if step['source'] == 'agent' and 'is_copied_context' not in step]
        assert [len(turn.get('tool_calls', [])) for turn in turns] == [len(reply.tool_calls) for reply in replies]
        assert [turn.get('reasoning_content', '') for turn in turns] == [reply.reasoning for reply in replies]
        total = told['final_metrics']
        assert total['total_prompt_tokens'] == sum(turn['metrics'].get('prompt_tokens', 0) for turn in turns) > 0
        assert total['extra']['cost'] == pytest.approx(sum(turn['metrics']['extra'].get('cost', 0) for turn in turns))
        assert (total['total_steps'], told['agent']['model_name']) == (len(told['steps']), 'mine')
        assert ('gold answers' in told['notes']) is (mode == 'oracle')


def test_a_trajectory_holds_scores_and_all_figures(run, trajectories):
    path = trajectories / 'mine/end_to_end' / f'{ONLY}.json'
    told = json.loads(path.read_text())
    outcomes = [one['outcome'] for one in told['extra']['questions']]
    assert outcomes[1] == 'no_tool' and set(outcomes) == {'ran', 'correct', 'no_tool'}
    right = outcomes.count('correct') / (len(outcomes) - outcomes.count('ran'))
    assert told['final_metrics']['extra']['scores']['right'] == pytest.approx(right)
    runs = [one for step in told['steps'] for one in step.get('extra', {}).get('executions', [])]
    drawn = [figure for one in runs for figure in one['figures']]
    assert drawn and all((path.parent / figure).resolve().is_file() for figure in drawn)


@pytest.fixture(scope='module')
def records(run, tmp_path_factory):
    out = tmp_path_factory.mktemp('records')
    words = ['export', str(run), '--to', 'every_eval_ever', '--out', str(out)]
    assert cli.main(words) == 0
    assert cli.main([*words, '--model-id', 'mine=acme/mine-1b', '--organization', 'Acme']) == 0
    return out


def test_a_record_under_another_id_takes_the_place_of_the_first(records):
    files = [path for path in records.rglob('*') if path.is_file()]
    assert {path.parent for path in files} == {records / 'data/cibench-eval_examples/acme/mine-1b'} and len(files) == 2


def test_a_record_holds_the_scores_of_the_tables(run, records, capsys):
    (path,) = records.glob('data/cibench-eval_examples/acme/mine-1b/*.json')
    told = json.loads(path.read_text())
    capsys.readouterr()
    assert cli.main(['leaderboard', str(run), '--to', 'csv']) == 0
    row, *_ = csv.DictReader(io.StringIO(capsys.readouterr().out))
    found = {one['metric_config']['metric_id']: one['score_details']['score'] for one in told['evaluation_results']}
    for mode in ('end_to_end', 'oracle'):
        for name in ('tool_rate', 'numeric_correct', 'vis_sim', 'whole_sessions'):
            assert f'{found[f"cibench.{mode}.{name}"]:.1f}' == row[f'{mode}_{name}']
    assert (told['model_info']['id'], told['source_metadata']['source_organization_name']) == ('acme/mine-1b', 'Acme')
    generation = told['evaluation_results'][0]['generation_config']
    assert generation['generation_args']['max_attempts'] == 3
    assert (generation['additional_details']['tokens_in'], generation['additional_details']['cost']) == ('240', '0.3')
    rows = [json.loads(line) for line in path.with_name(f'{path.stem}_samples.jsonl').read_text().splitlines()]
    assert sum(one['token_usage']['input_tokens'] for one in rows) == 240
    assert {one['evaluation_id'] for one in rows} == {told['evaluation_id']}
    assert told['evaluation_id'].endswith(path.stem)  # with the agent, of which a model may have several
    assert {one['evaluation_result_id'] for one in rows} <= {
        one['evaluation_result_id'] for one in told['evaluation_results']
    }
    gold = load_experiments(EXAMPLES, include=[ONLY])[0].steps[1].code  # which the model never wrote
    assert gold not in path.read_text() and all(gold not in str(one) for one in rows)


def test_what_is_no_id_or_no_model_is_said(run, tmp_path, capsys):
    words = ['export', str(run), '--to', 'every_eval_ever', '--out', str(tmp_path), '--model-id']
    for word, says in (('mine=mine', 'no MODEL=ORG/NAME'), ('yours=a/b', '--model-id yours: no model of this run')):
        assert cli.main([*words, word]) == 2
        assert says in ' '.join(capsys.readouterr().err.split())


@pytest.mark.soak
def test_records_are_valid_by_every_eval_evers_own_package(records, tmp_path, monkeypatch, capsys):
    """By the command that the export names, also where its folder is a relative one."""
    run = str(two_models(tmp_path))
    monkeypatch.chdir(records)
    capsys.readouterr()
    assert cli.main(['export', run, '--to', 'every_eval_ever', '--out', '.']) == 0
    command = shlex.split(capsys.readouterr().out.rpartition('; ')[2])
    python = new_python(tmp_path / 'venv', 'every-eval-ever==0.3.0', base=python_of('3.12'))
    done = subprocess.run([python, '-m', *command, '--format', 'json'], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]
    assert [one['valid'] for one in json.loads(done.stdout)] == [True] * 6


@pytest.mark.soak
def test_trajectories_are_valid_by_harbors_own_package(trajectories, tmp_path):
    """Those of function calls, two in one reply, with images; and of calls in text, in two languages."""
    assert cli.main(['export', str(two_models(tmp_path)), '--to', 'atif', '--out', str(tmp_path / 'atif')]) == 0
    files = [*trajectories.rglob('*.json'), *(tmp_path / 'atif').rglob('*.json')]
    assert len(files) == 2 + 8
    done = subprocess.run([harbor_python(tmp_path), '-P', '-c', VALIDATE, *files], capture_output=True, text=True)
    assert (done.returncode, done.stdout.splitlines()) == (0, ['valid'] * len(files)), done.stdout + done.stderr


VALIDATE = """
import sys
from harbor.utils.trajectory_validator import TrajectoryValidator
for path in sys.argv[1:]:
    validator = TrajectoryValidator()
    print('valid' if validator.validate(path) else validator.errors)
"""
