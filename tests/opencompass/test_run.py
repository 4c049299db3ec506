"""`python run.py` as a user types it: real kernels, real servers, and real processes where these make a difference."""

import csv
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from types import SimpleNamespace

import psutil
import pytest

from cibench_eval.opencompass.main import main
from tests.support.chat_server import chat_server
from tests.support.notebooks import REPO, add_endpoint, config_folder, small_set

pytestmark = pytest.mark.kernel


@pytest.fixture
def project(tmp_path):
    """A folder with configs and a small set; runs go into its `out`."""
    config_folder(tmp_path, small_set(tmp_path / 'data'))
    return tmp_path


def command(project, *words):
    return [sys.executable, str(REPO / 'run.py'), *words, '-w', str(project / 'out')]


def run(project, *words):
    return subprocess.run(command(project, *words), capture_output=True, text=True, cwd=project, timeout=300)


@pytest.fixture
def here(project, monkeypatch, capsys, caplog):
    """`run` in this process: no time goes into its start."""
    monkeypatch.chdir(project)

    def start(*words):
        caplog.clear()
        code = main([*words, '-w', str(project / 'out')])
        said = capsys.readouterr()
        return SimpleNamespace(returncode=code, stdout=said.out, stderr=said.err + caplog.text)

    return start


def run_folder(project):
    (folder,) = (project / 'out').iterdir()
    return folder


def solve(messages):
    """A model that solves the steps of the small set."""
    question = messages[-1]['content']
    code = 'n = 20' if 'Set n' in question else 'print(n + 1.5)'
    return f'Thought: easy\nAction: IPythonInterpreter\nAction Input:\n```python\n{code}\n```'


def test_gold_replay_from_start_to_table(project):
    done = run(project, '--models', 'gold_replay', '--datasets', 'small')
    assert done.returncode == 0, done.stderr
    assert 'gold-replay' in done.stdout
    folder = run_folder(project)
    (table,) = folder.glob('summary/*.csv')
    (row,) = csv.DictReader(table.read_text().splitlines())
    for mode in ('end_to_end', 'oracle'):
        assert [row[f'{mode}_{metric}'] for metric in ('tool_rate', 'executable', 'numeric_correct')] == [
            '100.0',
            '100.0',
            '100.0',
        ]
    predictions = json.loads((folder / 'predictions/gold-replay/small.json').read_text())
    assert [len(predictions[key]['steps']) for key in ('0', '1', '2')] == [2, 2, 2]
    traces = (folder / 'predictions/gold-replay/small_oracle.traces.jsonl').read_text().splitlines()
    assert {json.loads(line)['experiment'] for line in traces} == {'math/a', 'math/b', 'math/c'}
    assert {json.loads(line)['mode'] for line in traces} == {'oracle'}


def test_a_new_model_is_one_new_file(project):
    with chat_server(solve) as server:
        add_endpoint(project / 'configs', 'mine', server.base_url)
        done = run(project, '--models', 'mine', '--datasets', 'small')
    assert done.returncode == 0, done.stderr
    assert len(server.requests) == 12
    results = json.loads((run_folder(project) / 'results/mine/small.json').read_text())
    assert (results['numeric_correct'], results['counts']['numeric_correct']) == (100.0, 3)


def test_oracle_history_is_gold_and_end_to_end_history_is_the_models(project, here):
    def wrong(messages):
        return solve(messages).replace('n = 20', 'n = 30')

    with chat_server(wrong) as server:
        add_endpoint(project / 'configs', 'mine', server.base_url)
        assert here('--models', 'mine', '--datasets', 'small').returncode == 0
    for suffix, history, score in (('', 'n = 30', 0.0), ('_oracle', 'n = 20', 100.0)):
        trace = [r['messages'] for r in server.requests if 'plus 1.5' in r['messages'][-1]['content']]
        assert any(history in str(messages) for messages in trace)
        results = json.loads((run_folder(project) / f'results/mine/small{suffix}.json').read_text())
        assert results['numeric_correct'] == score


def test_three_attempts_then_the_next_step(project, here):
    with chat_server(lambda _: 'I would rather not.') as server:
        add_endpoint(project / 'configs', 'mine', server.base_url)
        assert here('--models', 'mine', '--datasets', 'small').returncode == 0
    assert len(server.requests) == 3 * 12
    results = json.loads((run_folder(project) / 'results/mine/small.json').read_text())
    assert [results[metric] for metric in ('tool_rate', 'executable', 'numeric_correct')] == [0, 0, 0]
    assert results['outcomes'] == {'no_tool': 6}
    assert [(error['category'], error['cause']) for error in results['errors']] == [('instruction', 'no_tool_call')] * 6
    assert (results['usage']['replies'], results['usage']['tokens_in']) == (18, 18 * 7)


def one_line(done, *words):
    """The run refused: exit code 2, one line that has all `words`, nothing written."""
    lines = done.stderr.strip().splitlines()
    assert (done.returncode, len(lines)) == (2, 1), done.stderr
    for word in words:
        assert word in lines[0]


def spoil(project, text):
    (project / 'data/small/math/b.ipynb').write_text(text)


def change_kernels(project, old, new):
    change(project / 'configs/runtimes/local.py', old, new)


SMALL = ('--models', 'gold_replay', '--datasets', 'small')


@pytest.mark.parametrize(
    ('words', 'said'),
    [
        (('--models', 'gold_replay', '--datasets', 'smal'), ('no file smal.py', 'small.py')),
        (('--models', 'gold', '--datasets', 'small'), ('no file gold.py', 'gold_replay.py')),
        (('configs/eval_nothing.py',), ('configs/eval_nothing.py', 'eval_demo.py')),
        (('--models', 'gold_replay'), ('--datasets',)),
        ((*SMALL, '-m', 'eval'), ('-r',)),
        ((*SMALL, '-r', '20010101_000000'), ('20010101_000000', 'no such run')),
        ((*SMALL, '--slurm'), ('-p',)),
    ],
)
def test_wrong_command_lines(project, here, words, said):
    one_line(here(*words), *said)
    assert not (project / 'out').exists()


@pytest.mark.parametrize(
    ('text', 'said'),
    [
        ('{"cells": [', ('b.ipynb', 'JSON')),
        (json.dumps({'cells': [], 'metadata': {}}), ('b.ipynb',)),
    ],
)
def test_broken_notebooks(project, here, text, said):
    spoil(project, text)
    one_line(here(*SMALL), *said)
    assert not (project / 'out').exists()


def test_notebook_whose_steps_do_not_match_its_metadata(project, here):
    path = project / 'data/small/math/b.ipynb'
    notebook = json.loads(path.read_text())
    notebook['metadata']['step_types'].append('num')
    spoil(project, json.dumps(notebook))
    one_line(here(*SMALL), 'b.ipynb', 'step_types')
    assert not (project / 'out').exists()


@pytest.mark.parametrize(
    ('old', 'new', 'said'),
    [
        ("environment='modern'", "environment='antique'", ('antique',)),
        ("environment='modern'", "environment='/nowhere/bin/python'", ('/nowhere/bin/python',)),
        ("sandbox='auto'", "sandbox='paper'", ('kernels: sandbox',)),
        ('timeout=60', 'timout=60', ('kernels: timout',)),
        ('timeout=60', 'timeout=-1', ('kernels: timeout',)),
    ],
)
def test_wrong_kernels(project, here, old, new, said):
    change_kernels(project, old, new)
    one_line(here(*SMALL), *said)
    assert not (project / 'out').exists()


def change(path, old, new):
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


@pytest.mark.parametrize(
    ('file', 'old', 'new', 'said'),
    [
        ('datasets/small.py', 'mode=mode', "mode='orcale'", ('small', 'orcale', "'end_to_end' or 'oracle'")),
        ('datasets/small.py', 'SessionEvaluator)', "SessionEvaluator, profile='x')", ("profile 'x'", 'official')),
        (
            'datasets/small.py',
            "split='small'",
            "splitt='small'",
            ('datasets: small and 1 more: splitt: unknown; did you mean split?',),
        ),
        ('agents/react.py', "history='final'", "history='finl'", ('history', 'finl')),
        ('agents/react.py', 'max_attempts=3', 'max_attempts=0', ('max_attempts',)),
        ('agents/react.py', 'example=True', 'exemple=True', ('protocol', 'exemple')),
        ('models/gold_replay.py', "abbr='gold-replay'", "abbr='g', size=7", ('models: g: size: unknown',)),
        ('models/gold_replay.py', 'models = ', 'model = ', ('gold_replay.py', 'models')),
        ('models/gold_replay.py', 'type=GoldReplay', "type='GoldReplay'", ('gold-replay', 'write the whole name')),
        ('models/gold_replay.py', 'type=GoldReplay', "type='nowhere.Model'", ('gold-replay', "package 'nowhere'")),
        ('models/gold_replay.py', 'type=GoldReplay, ', '', ('models: gold-replay', 'set type')),
        (
            'models/gold_replay.py',
            "abbr='gold-replay'",
            '',
            ('configs/models/gold_replay.py', 'GoldReplay has no name'),
        ),
    ],
)
def test_slips_in_config_files(project, here, file, old, new, said):
    change(project / 'configs' / file, old, new)
    one_line(here(*SMALL), *said)
    assert not (project / 'out').exists()


def test_config_that_names_an_unknown_dataset(project, here):
    path = project / 'configs/eval_mine.py'
    path.write_text(
        'from mmengine.config import read_base\nwith read_base():\n'
        '    from .datasets.unknown import unknown_datasets as datasets\n'
        '    from .models.gold_replay import models\n'
    )
    one_line(here(str(path)), 'eval_mine.py', 'unknown')
    assert not (project / 'out').exists()


def test_missing_api_key(project):
    add_endpoint(project / 'configs', 'mine', 'http://127.0.0.1:9/v1')
    change(project / 'configs/models/mine.py', 'retries=0', "retries=0, key='NO_SUCH_KEY_IS_SET'")
    one_line(run(project, '--models', 'mine', '--datasets', 'small'), 'NO_SUCH_KEY_IS_SET')
    assert not (project / 'out').exists()


def test_missing_model_file(project, here):
    change(project / 'configs/models/smollm2_135m.py', "path='embedded'", "path='no/such.gguf'")
    one_line(here('--models', 'smollm2_135m', '--datasets', 'small'), 'no/such.gguf')
    assert not (project / 'out').exists()


def test_unknown_experiment_set_of_the_package(project, here):
    path = project / 'configs/datasets/small.py'
    path.write_text(re.sub(r'path=.*,', "builtin='nonesuch',", path.read_text()))
    one_line(here(*SMALL), 'nonesuch')


def test_server_that_never_comes_up_fails_its_tasks_by_name(project):
    (project / 'broken.gguf').write_bytes(b'GGUF')
    (project / 'configs/models/broken.py').write_text(
        'from cibench_eval.models import LlamaCpp\n'
        f'models = [dict(type=LlamaCpp, abbr="broken", path={str(project / "broken.gguf")!r})]\n'
    )
    done = run(project, '--models', 'broken', 'gold_replay', '--datasets', 'small')
    assert done.returncode == 1
    failed = done.stderr.partition('2 tasks failed:\n')[2]
    assert 'broken.gguf' in failed
    assert 'SessionInfer[broken/small]' in failed
    assert 'SessionInfer[broken/small_oracle]' in failed
    assert 'OpenCompass - ERROR' not in done.stdout + done.stderr
    assert 'Traceback' not in done.stderr
    assert (run_folder(project) / 'predictions/gold-replay/small.json').exists()
    left = [path.suffix for path in (run_folder(project) / 'predictions/broken').iterdir()]
    assert set(left) <= {'.lock'}


def test_endpoint_that_fails_loses_nothing(project, here):
    """After a fault in the second session the first one is kept, and -r asks for the rest only."""
    fail = threading.Event()
    fail.set()

    def answer(messages):
        return 500 if fail.is_set() and 'in b.' in messages[-1]['content'] else solve(messages)

    with chat_server(answer) as server:
        add_endpoint(project / 'configs', 'mine', server.base_url)
        words = ('--models', 'mine', '--datasets', 'small', '-m', 'infer')
        failed = here(*words)
        assert failed.returncode == 1
        assert 'math/b' in failed.stderr
        assert not (run_folder(project) / 'predictions/mine/small.json').exists()
        fail.clear()
        asked = len(server.requests)
        assert here(*words, '-r').returncode == 0
    again = [request['messages'][-1]['content'] for request in server.requests[asked:]]
    assert len(again) == 2 * 2
    assert all('in b.' in question for question in again)


def test_endpoint_that_is_gone_is_tried_once_and_may_come_back_elsewhere(project, here):
    words = ('--models', 'mine', '--datasets', 'small', '-m', 'infer')
    with chat_server(lambda messages: 500 if 'in b.' in messages[-1]['content'] else solve(messages)) as server:
        add_endpoint(project / 'configs', 'mine', server.base_url)
        assert here(*words).returncode == 1
    with chat_server(solve) as gone:
        gone.close()
        add_endpoint(project / 'configs', 'mine', gone.base_url)
        failed = here(*words, '-r')
    assert failed.returncode == 1
    assert failed.stderr.count('no connection (Connection refused)') == 2, 'in the log and at the end'
    assert 'SessionInfer[mine/small]\n    SessionInfer[mine/small_oracle]\n' in failed.stderr
    with chat_server(solve) as moved:
        add_endpoint(project / 'configs', 'mine', moved.base_url)
        assert here(*words, '-r').returncode == 0
    again = [request['messages'][-1]['content'] for request in moved.requests]
    assert len(again) == 2 * 2
    assert all('in b.' in question for question in again)


def test_kill_in_the_middle_then_reuse(project):
    reached, go_on = threading.Event(), threading.Event()

    def answer(messages):
        if 'in b.' in messages[-1]['content']:
            reached.set()
            go_on.wait(60)
        return solve(messages)

    with chat_server(answer) as server:
        add_endpoint(project / 'configs', 'mine', server.base_url)
        words = ('--models', 'mine', '--datasets', 'small')
        with subprocess.Popen(command(project, *words), cwd=project, stdout=subprocess.DEVNULL) as harness:
            assert reached.wait(120)
            children = psutil.Process(harness.pid).children(recursive=True)
            os.kill(harness.pid, signal.SIGKILL)
        _, alive = psutil.wait_procs(children, timeout=20)
        assert not alive
        go_on.set()
        asked = len(server.requests)
        done = run(project, *words, '-r')
    assert done.returncode == 0, done.stderr
    again = [request['messages'][-1]['content'] for request in server.requests[asked:]]
    assert len(again) == 10
    assert sum('in a.' in question for question in again) == 2, 'only the oracle session of a was still to do'
    results = json.loads((run_folder(project) / 'results/mine/small.json').read_text())
    assert results['numeric_correct'] == 100.0


def test_interrupt_names_the_command_that_goes_on(project, here):
    """Ctrl-C while the second session is asked: the first is kept."""
    interrupted = threading.Event()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where tests run in the background

    def answer(messages):
        if 'in b.' in messages[-1]['content'] and not interrupted.is_set():
            interrupted.set()
            os.kill(os.getpid(), signal.SIGINT)
        return solve(messages)

    with chat_server(answer) as server:
        add_endpoint(project / 'configs', 'mine', server.base_url)
        try:
            done = here('--models', 'mine', '--datasets', 'small', '-m', 'infer', '-r')
        finally:
            signal.signal(signal.SIGINT, before)
        assert done.returncode == 130
        (line,) = [line for line in done.stderr.splitlines() if line.startswith('interrupted')]
        assert str(run_folder(project)) in line
        command = shlex.split(line.partition('go on with: ')[2])
        assert command[2:] == [
            *('--models', 'mine', '--datasets', 'small', '-m', 'infer'),
            *('-w', str(project / 'out'), '-r', run_folder(project).name),
        ]
        assert main(command[2:]) == 0
    assert sum('in a.' in str(request['messages'][-1]) for request in server.requests) == 2 * 2
    assert (run_folder(project) / 'predictions/mine/small_oracle.json').exists()


def test_reuse_without_a_timestamp_takes_the_newest_run_of_the_same_tasks(project, here):
    for name in ('other', 'third'):
        shutil.copy(project / 'configs/models/gold_replay.py', project / f'configs/models/{name}.py')
        change(project / f'configs/models/{name}.py', "'gold-replay'", f"'{name}'")
    runs = ('gold_replay', '20260101_000000'), ('gold_replay', '20260102_000000'), ('other', '20260103_000000')
    for model, name in runs:
        assert here('--models', model, '--datasets', 'small', '-m', 'viz', '-r', '--epochs', '2').returncode == 0
        (made,) = (project / 'out').iterdir()
        made.rename(project / name)
        (project / 'out').rmdir()
    (project / 'out').mkdir()
    for _, name in runs:
        (project / name).rename(project / 'out' / name)
    before = sorted((project / 'out').rglob('*'))
    table = ('--datasets', 'small', '-m', 'viz', '-r')
    refused = here('--models', 'third', *table)
    one_line(refused, 'are 20260103_000000, 20260102_000000, 20260101_000000; name one with -r TIMESTAMP')
    assert sorted((project / 'out').rglob('*')) == before
    (project / 'out/20260103_000000/configs/20250101_000000_1.py').write_text('models = [dict(')
    for models, name in (
        (['gold_replay'], runs[1][1]),
        (['third', 'gold_replay'], runs[1][1]),
        (['other'], runs[2][1]),
    ):
        done = here('--models', *models, *table)
        assert f'run folder: {project / "out" / name}\n' in done.stdout
    assert '-r: ' not in done.stderr
    assert '20250101_000000_1.py is left out' in here('--models', 'gold_replay', *table).stderr


def test_torn_trace_is_repaired(project, here):
    words = ('--models', 'gold_replay', '--datasets', 'small')
    assert here(*words, '-m', 'infer').returncode == 0
    folder = run_folder(project) / 'predictions/gold-replay'
    whole = (folder / 'small.traces.jsonl').read_text()
    (folder / 'small.json').unlink()
    (folder / 'small.traces.jsonl').write_text(whole[:-40])
    done = here(*words, '-r')
    assert done.returncode == 0
    assert 'torn' in done.stderr
    traces = [json.loads(line) for line in (folder / 'small.traces.jsonl').read_text().splitlines()]
    assert sorted(trace['experiment'] for trace in traces) == ['math/a', 'math/b', 'math/c']


def test_a_changed_config_is_refused_unless_forced(project, here):
    assert here(*SMALL, '-m', 'infer').returncode == 0
    before = sorted(path.name for path in run_folder(project).rglob('*'))
    agent = project / 'configs/agents/react.py'
    agent.write_text(agent.read_text().replace('example=True', 'example=False'))
    refused = here(*SMALL, '-r')
    one_line(refused, 'the agent of 3 of 3 finished sessions changed', '--force')
    assert sorted(path.name for path in run_folder(project).rglob('*')) == before
    assert here(*SMALL, '-r', '--force').returncode == 0


def test_dry_run_names_the_tasks_and_writes_nothing(project, here):
    done = here(*SMALL, '--dry-run')
    assert done.returncode == 0
    assert 'gold-replay × small_oracle' in done.stdout
    assert not (project / 'out').exists()


def test_several_agents_are_several_systems(project, here):
    agents = (project / 'configs/agents/react.py').read_text()
    (project / 'configs/agents/plain.py').write_text(
        agents.replace("abbr='react'", "abbr='plain'").replace('example=True', 'example=False')
    )
    done = here(*SMALL, '--agents', 'react', 'plain')
    assert done.returncode == 0, done.stderr
    names = {path.name for path in (run_folder(project) / 'predictions').iterdir()}
    assert names == {'gold-replay--react', 'gold-replay--plain'}
    assert 'gold-replay--plain' in done.stdout
    change(project / 'configs/agents/plain.py', "abbr='plain'", "abbr='react'")
    one_line(here(*SMALL, '--agents', 'react', 'plain'), "agents[1] has the abbr 'react' of another")
    change(project / 'configs/agents/plain.py', "abbr='react',", '')
    one_line(here(*SMALL, '--agents', 'react', 'plain'), 'agents[1] has no abbr')
