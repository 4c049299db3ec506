"""`python run.py` as a user types it: real kernels, real servers, and real processes where these make a difference."""

import csv
import json
import os
import re
import shlex
import shutil
import signal
import threading
from datetime import datetime, timedelta

import pytest

from cibench_eval.run import arguments, reuse
from cibench_eval.run.main import main
from tests.support.chat_server import chat_server
from tests.support.notebooks import add_endpoint, endpoint, solve
from tests.support.runs import MINE, SMALL, change, one_line, run, run_folder
from tests.support.soak import many

pytestmark = pytest.mark.kernel


def test_gold_replay_from_start_to_table(project, here):
    """In a folder of its own, though there is one of each second of this hour and the next."""
    hour = datetime.now().replace(minute=0, second=0, microsecond=0)
    taken = [f'{hour + timedelta(seconds=second):%Y%m%d_%H%M%S}' for second in range(7200)]
    for name in taken:
        (project / 'out' / name).mkdir(parents=True)
    done = here('--models', 'gold_replay', '--datasets', 'small')
    assert done.returncode == 0, done.stderr
    assert 'gold-replay' in done.stdout and 'cibench view' in done.stdout
    folder = project / 'out' / f'{hour + timedelta(hours=2):%Y%m%d_%H%M%S}'
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


def test_oracle_history_is_gold_and_end_to_end_history_is_the_models(project, here):
    def wrong(messages):
        return solve(messages).replace('n = 20', 'n = 30')

    with endpoint(project, wrong) as server:
        assert here(*MINE).returncode == 0
    for suffix, history, score in (('', 'n = 30', 0.0), ('_oracle', 'n = 20', 100.0)):
        trace = [r['messages'] for r in server.requests if 'plus 1.5' in r['messages'][-1]['content']]
        assert any(history in str(messages) for messages in trace)
        results = json.loads((run_folder(project) / f'results/mine/small{suffix}.json').read_text())
        assert results['numeric_correct'] == score


@pytest.mark.soak
def test_three_attempts_then_the_next_step(project, here):
    with endpoint(project, lambda _: 'I would rather not.') as server:
        assert here(*MINE).returncode == 0
    assert len(server.requests) == 3 * 12
    results = json.loads((run_folder(project) / 'results/mine/small.json').read_text())
    assert [results[metric] for metric in ('tool_rate', 'executable', 'numeric_correct')] == [0, 0, 0]
    assert results['outcomes'] == {'no_tool': 6}
    assert [(error['category'], error['cause']) for error in results['failures']] == [
        ('instruction', 'no_tool_call')
    ] * 6
    assert (results['usage']['replies'], results['usage']['tokens_in']) == (18, 18 * 7)


def test_the_sessions_of_all_datasets_and_endpoints_run_side_by_side(project, here):
    """Four sessions are asked at once: of two datasets, each of a model here and of one there."""
    change(project / 'configs/datasets/small.py', 'max_sessions=1', 'max_sessions=2')
    together = threading.Barrier(4)

    def answer(messages):
        if 'Set n to 20 in a.' in messages[-1]['content']:
            together.wait(60)
        return solve(messages)

    with endpoint(project, answer, 'one'), endpoint(project, answer, 'other'):
        done = here('--models', 'one', 'other', '--datasets', 'small')
    assert done.returncode == 0, done.stderr
    assert '2 models, 2 datasets: 12 sessions, 24 steps, 4 at once' in done.stderr
    log = (run_folder(project) / 'logs/infer/one/small_oracle.out').read_text()
    assert 'one small_oracle:' in log
    assert 'one small:' not in log
    assert 'other' not in log


@pytest.mark.soak
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


def test_an_endpoint_that_takes_neither_key_nor_address_is_asked_once(project, here):
    with endpoint(project, lambda messages: 401) as server:
        done = here(*MINE)
    assert done.returncode == 1
    assert len(server.requests) == 1
    assert 'cibench view' not in done.stdout, 'there is nothing to show'
    assert done.stderr.count('HTTP 401') == 2, 'as it fails and in the report, once for both datasets'
    logs = [path.read_text() for path in run_folder(project).glob('logs/infer/mine/*.out')]
    assert [log.count('HTTP 401') for log in logs] == [1, 1]


@pytest.mark.soak
def test_endpoint_that_is_gone_is_tried_once_and_may_come_back_elsewhere(project, here):
    words = (*MINE, '-m', 'infer')
    with endpoint(project, lambda messages: 500 if 'in b.' in messages[-1]['content'] else solve(messages)):
        lost = here(*words)
    assert (lost.returncode, 'math/b' in lost.stderr) == (1, True)
    assert not (run_folder(project) / 'predictions/mine/small.json').exists()
    with chat_server(solve) as gone:
        gone.close()
        add_endpoint(project / 'configs', 'mine', gone.base_url)
        failed = here(*words, '-r')
    assert failed.returncode == 1
    assert failed.stderr.count('no connection (Connection refused)') == 2, 'in the log and at the end'
    assert ' (SessionInfer[mine/small], SessionInfer[mine/small_oracle])\n' in failed.stderr
    with endpoint(project, solve) as moved:
        assert here(*words, '-r').returncode == 0
    again = [request['messages'][-1]['content'] for request in moved.requests]
    assert len(again) == 2 * 2
    assert all('in b.' in question for question in again)


@pytest.fixture(params=[signal.SIGTERM, *many([signal.SIGINT], [])])
def interrupting(request):
    """Makes an answer that ends the run when a question has some words, and gives the reply all the same."""
    interrupted = threading.Event()

    def when(words):
        def answer(messages):
            if words in messages[-1]['content'] and not interrupted.is_set():
                interrupted.set()
                os.kill(os.getpid(), request.param)
            return solve(messages)

        return answer

    return when


@pytest.mark.soak
def test_what_is_done_at_an_interrupt_is_what_the_next_start_finds(project, here, interrupting):
    """Both count the steps of sessions that are not over, in both modes."""
    change(project / 'configs/datasets/small.py', 'max_sessions=1', 'max_sessions=2')
    with endpoint(project, interrupting('Print n plus 1.5 in b.')):
        words = (*MINE, '-m', 'infer')
        interrupted = here(*words)
        assert interrupted.returncode == 130
        (said,) = re.findall(r'over after .*: (\d+)/12 steps', interrupted.stderr)
        finished = sum(
            len(path.read_text().splitlines()) for path in project.glob('out/*/predictions/mine/*.traces.jsonl')
        )
        assert int(said) > 2 * finished, 'some steps are of a session that is not over'
        again = here(*words, '-r')
    assert f'12 steps ({said} done before)' in again.stderr


def test_interrupt_names_the_command_that_goes_on(project, here, interrupting):
    """Ctrl-C while the second session is asked: the first is kept."""
    with endpoint(project, interrupting('in b.')) as server:
        done = here(*MINE, '-m', 'infer', '-r')
        assert done.returncode == 130
        (line,) = [line for line in done.stderr.splitlines() if line.startswith('interrupted')]
        assert str(run_folder(project)) in line
        command = shlex.split(line.partition('go on with: ')[2])
        assert command[2:] == [*MINE, '-m', 'infer', '-w', str(project / 'out'), '-r', run_folder(project).name]
        assert main(command[2:]) == 0
    assert sum('in a.' in str(request['messages'][-1]) for request in server.requests) == 2 * 2
    assert (run_folder(project) / 'predictions/mine/small_oracle.json').exists()


@pytest.mark.parametrize(
    ('words', 'mode', 'kept'),
    [
        (['-m', 'eval', '--models', 'm', '-r'], '', ['-m', 'eval', '--models', 'm']),
        (['-m', 'eval', '--models', 'm', '-r', 'latest'], 'all', ['--models', 'm']),
        (['--models', 'm', '-meval', '-r'], 'all', ['--models', 'm']),
        (['--mode', 'viz', '-r', '--models', 'm'], 'all', ['--models', 'm']),
        (['--mode=eval', '-r', '--models', 'm'], 'all', ['--models', 'm']),
        (['--models', 'm', '-m', 'infer'], 'eval', ['--models', 'm', '-m', 'eval']),
    ],
)
def test_the_command_that_goes_on_has_the_mode_that_does_it(words, mode, kept):
    said = reuse.command(words, arguments.parser('run').parse_args(words), '20260101_000000', mode)
    assert shlex.split(said) == ['run', *kept, '-r', '20260101_000000']


def test_sessions_alone_end_with_the_command_that_scores_them(project, here):
    done = here(*SMALL, '-m', 'infer')
    assert done.returncode == 0
    (line,) = [line for line in done.stdout.splitlines() if line.startswith('score it: ')]
    table = here(*SMALL, '-m', 'viz', '-r')
    assert (table.returncode, '; go on with -r, or score it: cibench score RUN' in table.stdout) == (1, True)
    command = shlex.split(line)[4:]
    assert command[-4:] == ['-m', 'eval', '-r', run_folder(project).name]
    assert here(*command).returncode == 0
    assert here(*SMALL, '-m', 'viz', '-r').returncode == 0
    shutil.rmtree(summary := run_folder(project) / 'summary')
    summary.touch()
    table = here(*SMALL, '-m', 'viz', '-r')
    assert table.returncode == 1
    assert f'1 task failed:\n  {summary}: File exists (the tables)\nfix the cause and go on with: ' in table.stderr


def test_reuse_without_a_timestamp_takes_the_newest_run_of_the_same_tasks(project, here):
    for name in ('other', 'third'):
        shutil.copy(project / 'configs/models/gold_replay.py', project / f'configs/models/{name}.py')
        change(project / f'configs/models/{name}.py', "'gold-replay'", f"'{name}'")
    gold = ['gold_replay']
    runs = (gold, '20260101_000000'), (gold, '20260102_000000'), ([*gold, 'other'], '20260103_000000')
    for models, name in runs:
        assert here('--models', *models, '--datasets', 'small', '-m', 'viz', '-r', '--epochs', '2').returncode == 1
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
    (project / 'out/20260103_000000/configs/20250101_000000_1.json').write_text('{"models": [')
    for models, name in runs[1:]:
        done = here('--models', *models, *table)
        assert f'run folder: {project / "out" / name}\n' in done.stdout
    assert '-r: ' not in done.stderr
    done = here('--models', 'third', *gold, *table)
    assert '20250101_000000_1.json: is no JSON' in done.stderr and '/out/20260103_000000\n' in done.stdout


def test_reuse_takes_the_run_of_the_same_experiments_and_refuses_one_of_others(project, here):
    def run_of(experiment, *words):
        return here('--models', 'gold_replay', '--datasets', f'small/math/{experiment}', *words)

    for experiment in 'ab':
        assert run_of(experiment, '-m', 'infer').returncode == 0
    first, second = sorted((project / 'out').iterdir())
    assert f'run folder: {first}\n' in run_of('a', '-r').stdout
    for words in (['--limit', '1'], ['-m', 'eval'], ['-m', 'viz']):
        one_line(run_of('c', *words, '-r'), 'small: the choice of experiments changed since they were run')
    assert f'run folder: {second}\n' in here(*SMALL, '-r', '-m', 'eval').stdout, 'which has more experiments'


def test_a_run_that_cannot_be_gone_on_with_in_its_folder_is_told_no_other(project, here):
    configs = project / 'out/20260101_000000/configs'
    configs.parent.mkdir(parents=True)
    configs.touch()
    done = here(*SMALL, '-m', 'viz', '-r', configs.parent.name, '--epochs', '1')
    assert done.stderr == f'error: {configs}: cannot be written (File exists)\n'


def test_a_changed_config_is_refused_unless_forced(project, here):
    assert here(*SMALL, '-m', 'infer').returncode == 0
    before = sorted(path.name for path in run_folder(project).rglob('*'))
    agent = project / 'configs/agents/react.py'
    agent.write_text(agent.read_text().replace('example=True', 'example=False'))
    refused = here(*SMALL, '-r')
    one_line(refused, 'the agent of 3 of 3 finished sessions changed', '--force')
    assert sorted(path.name for path in run_folder(project).rglob('*')) == before
    assert here(*SMALL, '-r', '--force').returncode == 0


@pytest.mark.soak
def test_a_run_under_a_higher_limit_goes_on_with_one_under_a_lower(project, here, monkeypatch):
    def run_until(limit):
        assert here(*SMALL, *limit).returncode == 0
        lines = (run_folder(project) / 'predictions/gold-replay/small.traces.jsonl').read_text().splitlines()
        return [json.loads(line)['experiment'] for line in lines]

    assert run_until(['--limit', '1']) == ['math/a']
    assert run_until(['--limit', '2', '-r']) == ['math/a', 'math/b']
    assert sorted(run_until(['-r'])) == ['math/a', 'math/b', 'math/c']
    assert here(*SMALL, '--limit', '1', '-r').returncode == 0
    results = json.loads((run_folder(project) / 'results/gold-replay/small.json').read_text())
    assert results['experiments'] == 1
    assert results['usage']['replies'] == len(results['steps']), 'what the other sessions used is not of these figures'
    own = 'from cibench_eval.opencompass import CIBenchDataset\nclass Own(CIBenchDataset): ...\n'
    (project / 'sets_of_one.py').write_text(own)
    monkeypatch.syspath_prepend(project)
    change(project / 'configs/datasets/small.py', 'type=CIBenchDataset', "type='sets_of_one.Own'")
    one_line(here(*SMALL, '--limit', '1'), '--limit: dataset small: sets_of_one.Own says')
