"""What tasks file, each in a file of its own, becomes one file when a run goes on, whatever was killed when."""

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cibench_eval.cluster.parts import begun as all_begun
from cibench_eval.run.main import main
from cibench_eval.sealed import unsealed
from tests.support.chat_server import chat_server
from tests.support.notebooks import add_endpoint, config_folder, small_set, solve
from tests.support.runs import SMALL, change, run_folder
from tests.support.soak import many

pytestmark = pytest.mark.kernel
DATASETS = ('small', 'small_oracle')


@pytest.fixture(scope='module')
def finished(tmp_path_factory):
    """A project with a finished run: three sessions of each of two datasets, and `go_on`."""
    folder = tmp_path_factory.mktemp('parts')
    config_folder(folder, small_set(folder / 'data'))
    assert main([*SMALL, '--config-dir', str(folder / 'configs'), '-w', str(folder / 'out')]) == 0
    return folder


@pytest.fixture
def model(finished, tmp_path):
    """The folder of its model in a copy where two attempts have filed the sessions, one of them both."""
    shutil.copytree(finished / 'out', tmp_path / 'out')
    folder = run_folder(tmp_path) / 'predictions/gold-replay'
    (folder / '.parts').mkdir()
    for dataset in DATASETS:
        whole = folder / f'{dataset}.traces.jsonl'
        a, b, c = whole.read_bytes().splitlines(keepends=True)
        whole.write_bytes(a) if dataset == 'small' else whole.unlink()
        (folder / f'{dataset}.json').unlink()
        for attempt, lines in (('1-0-7r0', (a, b)[dataset == 'small' :]), ('1-1-8r1', (b, c))):
            with (folder / f'.parts/{attempt}.traces.jsonl').open('ab') as part:
                part.writelines(lines)
    return folder


@pytest.fixture
def go_on(finished, tmp_path):
    words = (*SMALL, '--config-dir', str(finished / 'configs'), '-w', str(tmp_path / 'out'), '-r')
    return lambda: main(list(words))


def sessions(folder, dataset):
    return [json.loads(line)['experiment'] for line in (folder / f'{dataset}.traces.jsonl').read_text().splitlines()]


ALL = ['math/a', 'math/b', 'math/c']


def test_parts_become_one_file_for_each_dataset(model, finished, go_on, caplog):
    assert go_on() == 0
    assert 'infer: 0 tasks' in caplog.text
    assert not (model / '.parts').exists()
    for dataset in DATASETS:
        assert sessions(model, dataset) == ALL
        made = json.loads((model / f'{dataset}.json').read_text())
        assert made == json.loads((run_folder(finished) / f'predictions/gold-replay/{dataset}.json').read_text())
    written = (model / 'small.traces.jsonl').read_bytes()
    assert go_on() == 0
    assert (model / 'small.traces.jsonl').read_bytes() == written


def test_a_merge_that_was_killed_is_done_again(model, go_on, monkeypatch):
    removed, unlink = [], Path.unlink

    def kill(path, missing_ok=False):
        if '.parts' not in path.parts:
            return unlink(path, missing_ok)
        removed.append(path)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Path, 'unlink', kill)
        assert go_on() == 130
    assert removed
    assert go_on() == 0
    assert sessions(model, 'small') == ALL


def test_a_torn_line_is_a_session_that_is_not_finished(model, go_on, caplog):
    part = model / '.parts/1-1-8r1.traces.jsonl'
    os.truncate(part, part.stat().st_size - 5)
    assert go_on() == 0
    assert 'small_oracle: 3 sessions, 6 steps (4 done before)' in caplog.text
    assert sessions(model, 'small_oracle') == ALL


def test_what_is_of_other_datasets_stays(model, go_on):
    part = model / '.parts/1-0-7r0.traces.jsonl'
    lines = part.read_bytes().splitlines()
    other = json.loads(unsealed(lines[0])) | {'dataset': 'other'}
    part.write_bytes(b'\n'.join([*lines, json.dumps(other).encode(), b'']))
    assert go_on() == 0
    assert [path.name for path in (model / '.parts').iterdir()] == [part.name]
    assert sessions(model, 'small_oracle') == ALL


def test_a_file_system_without_locks_is_used_with_a_warning(model, go_on, monkeypatch, caplog):
    def flock(*_):
        raise OSError(errno.ENOLCK, 'No locks available')

    monkeypatch.setattr('fcntl.flock', flock)
    assert go_on() == 0
    assert 'this file system has no locks' in caplog.text


@pytest.fixture
def begun(tmp_path):
    """A run whose endpoint broke at the second step of its session: its words, the model's folder and the server."""
    down = [True]

    def answer(messages):
        return 500 if 'Print n' in messages[-1]['content'] and down else solve(messages)

    configs = config_folder(tmp_path, small_set(tmp_path / 'data', ('a',)))
    change(configs / 'datasets/small.py', ", ('small_oracle', 'oracle'))", ',)')
    words = ['--models', 'mine', '--datasets', 'small', '--config-dir', str(configs), '-w', str(tmp_path / 'out')]
    with chat_server(answer) as server:
        add_endpoint(configs, 'mine', server.base_url)
        assert main(words) == 1
        down.clear()
        server.requests.clear()
        yield words, run_folder(tmp_path) / 'predictions/mine', server


def test_a_folder_that_its_task_removes_while_it_is_read_has_no_journals(tmp_path, monkeypatch):
    for attempt in ('1-0-7r0', '1-1-8r0'):
        journal = tmp_path / f'.parts/{attempt}.unfinished/small~math__{attempt[2]}.jsonl'
        journal.parent.mkdir(parents=True)
        journal.touch()
    scan = os.scandir

    def late(path):
        if '1-0-7r0' in str(path):
            shutil.rmtree(path)
        return scan(path)

    monkeypatch.setattr('os.scandir', late)
    assert all_begun(tmp_path, ['small']) == {'small': {'math__1': journal}}
    assert not journal.parents[1].joinpath('1-0-7r0.unfinished').exists()


def journals(folder, longest):
    """Let the run and two attempts have begun the session, one of which has done its first step."""
    places = ['small.unfinished/math__a', *(f'.parts/1-0-7r{n}.unfinished/small~math__a' for n in range(2))]
    whole = (folder / f'{places[0]}.jsonl').read_bytes()
    for at, place in enumerate(places):
        path = folder / f'{place}.jsonl'
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(whole if at == longest else whole.splitlines(keepends=True)[0])


@pytest.mark.parametrize('longest', many([0, 1, 2], [1]))
def test_a_session_is_gone_on_with_from_its_longest_journal(begun, longest):
    words, folder, server = begun
    journals(folder, longest)
    assert main([*words, '-r', '--max-tasks', '1']) == 0
    assert len(server.requests) == 1, 'the first step is not asked again'
    (log,) = folder.parent.parent.glob('logs/infer/shares/*.out')
    assert '(1 done before)' in log.read_text()
    assert not (folder / '.parts').exists() and not (folder / 'small.unfinished').exists()


@pytest.mark.soak
def test_a_job_goes_on_with_it_too(begun):
    _, folder, server = begun
    run = folder.parent.parent
    journals(folder, longest=1)
    (config,) = (run / 'configs').glob('*.json')
    share = {'model': 'mine', 'sessions': {'small': ['math/a']}, 'steps': 2, 'seconds': 10.0}
    (run / 'cluster').mkdir()
    (run / 'cluster/plan-1.json').write_text(
        json.dumps({'number': 1, 'config': f'configs/{config.name}', 'shares': [share]})
    )
    assert subprocess.run([sys.executable, '-m', 'cibench_eval.run.job', str(run), '1', '0']).returncode == 0
    assert len(server.requests) == 1, 'the first step is not asked again'
    assert json.loads((run / 'cluster/1-0.beat.json').read_text())['steps_reused'] == 1
