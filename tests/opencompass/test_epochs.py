"""`epochs`: several runs of each session, filed one by one, averaged inside the step, gone on with, cached apart."""

import asyncio
import csv
import json
import sys
import threading
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from cibench_eval.models.base import Turn
from cibench_eval.opencompass import CIBenchSummarizer, SessionEvaluator, SessionInferencer
from cibench_eval.schema import CibenchError
from tests.support import model_server
from tests.support.notebooks import endpoint, solve
from tests.support.runs import MINE, SMALL, change, one_line, run_folder
from tests.support.sessions import call


def summarize(*abbrs, **more):
    """What checks a config of datasets of these names."""
    datasets = [{'abbr': abbr, 'infer_cfg': {'inferencer': {}}, 'eval_cfg': {}} for abbr in abbrs]
    CIBenchSummarizer({'models': [{'abbr': 'm'}], 'datasets': datasets, 'work_dir': 'out', **more})


@pytest.mark.parametrize('epochs', [0, -1, 2.0, '2', True, None, 10**30])
def test_what_is_no_number_of_epochs(epochs):
    with pytest.raises(CibenchError, match='epochs is'):
        summarize('d', epochs=epochs)


def test_a_dataset_must_not_have_the_name_of_an_epoch():
    with pytest.raises(CibenchError, match='dataset d@2: '):
        summarize('d', 'd@2', epochs=2)
    summarize('d', 'd@2', epochs=1)


@contextmanager
def sampled(project, answer, **settings):
    """A model that is asked with these settings."""
    with endpoint(project, answer) as server:
        change(project / 'configs/models/mine.py', 'retries=0', f'retries=0, generation_kwargs={settings}')
        yield server


def latest(project, suffix='csv'):
    return sorted(run_folder(project).glob(f'summary/*.{suffix}'))[-1].read_text()


def row_of(project):
    (row,) = csv.DictReader(latest(project).splitlines())
    return row


@pytest.mark.kernel
def test_epochs_from_the_command_to_the_table(project, here):
    """A model that gets the number of `math/b` wrong in the second of two epochs, which its seed tells it."""

    def answer(messages):
        wrong = server.requests[-1]['seed'] == 6 and 'plus 1.5 in b' in messages[-1]['content']
        return call('print(0)') if wrong else solve(messages)

    with sampled(project, answer, temperature=0.7, seed=5) as server:
        done = here(*MINE, '--epochs', '2')
        assert done.returncode == 0
        asked = [request['seed'] for request in server.requests]
        assert sorted(asked) == [5] * 12 + [6] * 12
        assert 'temperature 0' not in done.stderr
        assert 'small: 3 experiments, 6 steps, 2 epochs' in done.stdout

        row = row_of(project)
        assert (row['epochs'], row['experiments'], row['end_to_end_numeric_correct_steps']) == ('2', '3', '3')
        assert float(row['end_to_end_numeric_correct']) == pytest.approx(100 * 2.5 / 3, abs=0.06)
        figures = [row[f'end_to_end_pass_{name}'] for name in ('at_1', 'at_2', 'hat_2')]
        assert figures == ['83.3', '100.0', '66.7']
        text = latest(project, 'md')
        assert '### Several runs of each experiment' in text
        assert '| Model |  | Exps | pass@1 | pass@2 | pass^2 |' in text
        results = json.loads((run_folder(project) / 'results/mine/small@2.json').read_text())
        assert (results['epoch'], results['numeric_correct']) == (2, pytest.approx(100 * 2 / 3))
        traces = (run_folder(project) / 'predictions/mine/small@2.traces.jsonl').read_text().splitlines()
        assert {(json.loads(line)['epoch'], json.loads(line)['dataset']) for line in traces} == {(2, 'small@2')}

        assert here(*MINE, '--epochs', '3', '-r').returncode == 0
        assert [request['seed'] for request in server.requests[24:]] == [7] * 12
        assert row_of(project)['epochs'] == '3'
        assert here(*MINE, '-r', '-m', 'eval').returncode == 0
        assert row_of(project)['epochs'] == '3', 'not what the command line last said of this run'
        assert here(*MINE, '--epochs', '1', '-r').returncode == 0
        assert len(server.requests) == 36
    row = row_of(project)
    assert (row['epochs'], row['end_to_end_numeric_correct']) == ('1', '100.0')
    assert 'end_to_end_pass_at_1' not in row


@pytest.mark.soak
@pytest.mark.kernel
def test_limits_hold_over_all_epochs_of_a_model_with_a_seed(project, here):
    most, asked, two = 0, 0, threading.Event()
    counting = threading.Lock()

    def answer(messages):
        nonlocal most, asked
        with counting:
            asked += 1
            most = max(most, asked)
            if asked == 2:
                two.set()
        two.wait(60)
        with counting:
            asked -= 1
        return solve(messages)

    with sampled(project, answer, temperature=0.7, extra_body={'seed': 5}) as server:
        done = here(*MINE, '--epochs', '4', '--max-sessions', '2', '-m', 'infer')
        assert done.returncode == 0
    assert most == 2
    assert '24 sessions, 48 steps, 2 at once' in done.stderr
    assert sorted(request['seed'] for request in server.requests) == [seed for seed in (5, 6, 7, 8) for _ in range(12)]


SERVED = """
from cibench_eval.models import VLLM

models = [dict(type=VLLM, abbr='mine', path='org/m', python={python!r}, generation_kwargs=dict(seed=5))]
"""


@pytest.mark.soak
@pytest.mark.kernel
def test_a_server_is_started_once_for_all_epochs(project, here):
    started, python = project / 'started', project / 'python'
    python.write_text(f'#!/bin/sh\necho >> {started}\nexec {sys.executable} {model_server.__file__} "$@"\n')
    python.chmod(0o755)
    (project / 'configs/models/mine.py').write_text(SERVED.format(python=str(python)))
    assert here(*MINE, '--epochs', '3', '-m', 'infer').returncode == 0
    assert started.read_text() == '\n'
    assert len(list((run_folder(project) / 'predictions/mine').glob('*.traces.jsonl'))) == 6


def test_opencompass_s_own_classes_draw_by_the_seed_of_the_epoch():
    from cibench_eval.opencompass.chat_model import OpenCompassModel
    from tests.support.batched_model import Model

    inner = Model()
    inner.generation_kwargs = {'seed': 5}
    inner.answer = lambda _: str(inner.generation_kwargs['seed'])
    inner.let(3)

    async def session():
        async with OpenCompassModel(inner, batch_size=8) as model:
            asked = [{'role': 'user', 'content': 'hello'}]
            replies = [model.chat(asked, Turn('e', 0, 0, epoch)) for epoch in (1, 3, 1, 2)]
            return [reply.text for reply in await asyncio.gather(*replies)]

    assert asyncio.run(session()) == ['5', '7', '5', '6']
    assert len(inner.calls) == 3


@pytest.mark.soak
@pytest.mark.kernel
def test_a_lost_session_of_one_epoch_is_told_and_costs_no_other(project, here):
    def answer(messages):
        lost = server.requests[-1]['seed'] == 1 and 'in b.' in messages[-1]['content']
        return 401 if lost else solve(messages)

    with sampled(project, answer, temperature=0.7, seed=0) as server:
        done = here(*MINE, '--epochs', '2')
        assert done.returncode == 1
    row = row_of(project)
    assert (row['experiments'], row['harness_errors'], row['end_to_end_numeric_correct']) == ('3', '2', '100.0')
    assert row['end_to_end_pass_at_2'] == '100.0'
    assert '2 sessions not finished' in done.stdout


@pytest.mark.soak
@pytest.mark.kernel
def test_the_reply_cache_keeps_epochs_apart(project, here, monkeypatch):
    """Without a seed the requests of all epochs are the same, and are asked once in each all the same."""
    monkeypatch.setattr('cibench_eval.run.run_tasks.cache_dir', lambda: project / 'cache')
    runtime = project / 'configs/runtimes/local.py'
    runtime.write_text(runtime.read_text() + 'reply_cache = True\nepochs = 2\n')
    with endpoint(project, solve) as server:
        assert here(*MINE, '-m', 'infer').returncode == 0
        assert len(server.requests) == 2 * 9, 'the first steps are the same in both modes'
        done = here(*MINE, '-m', 'infer')
    assert done.returncode == 0
    assert len(server.requests) == 2 * 9
    assert len([*project.glob('out/*/predictions/usage.jsonl')]) == 1, 'nothing is paid for again'
    assert 'epochs=2: asked with temperature 0, so that its runs may all be the same: mine;' in done.stderr


@pytest.mark.soak
@pytest.mark.kernel
def test_replays_have_epochs_too(project, here):
    done = here(*SMALL, '--epochs', '2')
    assert done.returncode == 0
    assert 'temperature 0' not in done.stderr
    assert (row_of(project)['end_to_end_pass_hat_2'], row_of(project)['average']) == ('100.0', '')
    (project / 'configs/models/again.py').write_text(
        'from cibench_eval.models import TraceReplay\n'
        f'models = [dict(type=TraceReplay, abbr="again", path={str(run_folder(project))!r}, epoch=1)]\n'
    )
    words = ('--models', 'again', '--datasets', 'small', '--epochs')
    assert here(*words, '2').returncode == 0
    one_line(here(*words, '3'), 'has no trace that is wanted (epoch 3)')


@pytest.mark.parametrize('runs', [{'n': 4}, {'k': 4}, {'k': [1, 2]}])
def test_settings_of_opencompass_for_several_runs_point_to_epochs(project, here, runs):
    ((name, value),) = runs.items()
    change(project / 'configs/datasets/small.py', 'abbr=abbr,', f'abbr=abbr, {name}={value},')
    one_line(here(*SMALL, '--dry-run'), '`epochs`')
    with pytest.raises(CibenchError, match='`epochs`'):
        SessionEvaluator().evaluate(**{'k': 1, 'n': 1, 'original_dataset': None, **runs})


GEMINI, CHAT = "type=Gemini, key='K'", "type=OpenAICompatible, base_url='http://127.0.0.1:9/v1'"


@pytest.mark.kernel
@pytest.mark.parametrize(
    ('model', 'drawn'),
    [
        (CHAT, False),
        (f'{CHAT}, generation_kwargs=dict(temperature=0.7)', True),
        (GEMINI, True),
        (f'{GEMINI}, generation_kwargs=dict(temperature=0)', False),
    ],
)
def test_epochs_of_who_draws_no_reply_are_warned_of(project, here, monkeypatch, model, drawn):
    monkeypatch.setenv('K', 'k')
    text = (
        f"from cibench_eval.models import Gemini, OpenAICompatible\nmodels = [dict(abbr='mine', path='any', {model})]\n"
    )
    (project / 'configs/models/mine.py').write_text(text)
    done = here(*MINE, '--epochs', '2', '--dry-run')
    assert ('asked with temperature 0, so that its runs may all be the same: mine' in done.stderr) is not drawn


def test_models_of_this_process_draw_anew_in_each_epoch(tmp_path):
    """torch begins with one seed in every process, as Slurm starts one for each epoch."""
    import torch

    model = SimpleNamespace(template_parser=SimpleNamespace(meta_template=None), generate=print)
    nothing = SimpleNamespace(dataset=SimpleNamespace(experiments=[], abbr='d'))
    before = torch.initial_seed()
    SessionInferencer(model).inference(nothing, output_json_filepath=str(tmp_path), output_json_filename='d.json')
    assert torch.initial_seed() == before
    third = SessionInferencer(model, epoch=3)
    third.inference(nothing, output_json_filepath=str(tmp_path), output_json_filename='d@3.json')
    assert torch.initial_seed() == 3
