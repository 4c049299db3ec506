"""What tasks file, each in a file of its own, becomes one file, whatever is killed when."""

import json
import os

import pytest

from cibench_eval.cluster.parts import PartStore, finished, gather, part_files, set_damage_aside, store_of
from cibench_eval.schema import Action, Attempt, Execution, Figure, Output, Reply, StepTrace, Trace
from cibench_eval.traces import TraceStore

DATASETS = ('small', 'of/slash@2')


def trace(dataset, experiment):
    return Trace(
        experiment=experiment,
        model='m',
        dataset=dataset,
        mode='end_to_end',
        protocol='react',
        max_attempts=3,
        steps=[],
        started='2026-01-01T00:00:00',
        seconds=2.0,
    )


@pytest.fixture
def folder(tmp_path):
    """Two attempts have filed sessions of two datasets; one session was filed by both."""
    model = tmp_path / 'predictions/m'
    store_of(model, 'small').append(trace('small', 'lib/a'))
    for attempt, experiments in (('1-0-7r0', 'bc'), ('1-1-8r1', 'cd')):
        for dataset in DATASETS:
            for name in experiments:
                PartStore(model, dataset, attempt).append(trace(dataset, f'lib/{name}'))
    return model


def ids(store):
    return [json.loads(line)['experiment'] for line in store.path.read_text().splitlines()]


def test_parts_become_one_file_for_each_dataset(folder):
    assert len(part_files(folder)) == 2
    assert finished(folder, DATASETS)['small'].keys() == {'lib/a', 'lib/b', 'lib/c', 'lib/d'}
    assert gather(folder, DATASETS) == 6
    assert ids(store_of(folder, 'small')) == ['lib/a', 'lib/b', 'lib/c', 'lib/d']
    assert ids(store_of(folder, 'of/slash@2')) == ['lib/b', 'lib/c', 'lib/d']
    assert not (folder / '.parts').exists()
    assert gather(folder, DATASETS) == 0


def test_a_merge_that_was_killed_is_done_again(folder, monkeypatch):
    removed = []

    def kill(path):
        removed.append(path)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr('pathlib.Path.unlink', kill)
        with pytest.raises(KeyboardInterrupt):
            gather(folder, DATASETS)
    assert removed
    gather(folder, DATASETS)
    assert ids(store_of(folder, 'small')) == ['lib/a', 'lib/b', 'lib/c', 'lib/d']


def test_a_torn_line_is_a_session_that_is_not_finished(folder):
    part = part_files(folder)[0]
    os.truncate(part, part.stat().st_size - 5)
    gather(folder, ['of/slash@2'])
    assert ids(store_of(folder, 'of/slash@2')) == ['lib/b', 'lib/c', 'lib/d']


def test_sessions_whose_figures_are_damaged_are_run_again(tmp_path):
    figure = Figure.of(b'PNG')
    shown = Execution(status='ok', outputs=[Output(type='display_data', figure=figure)])
    attempt = Attempt(action=Action(), reply=Reply(text=''), execution=shown)
    step = StepTrace(index=0, question='', attempts=[attempt])
    store = store_of(tmp_path, 'small')
    store.append(trace('small', 'lib/a').model_copy(update={'steps': [step]}))
    store.append(trace('small', 'lib/b'))
    (store.figures / figure.filename).write_bytes(b'')
    set_damage_aside([store, store_of(tmp_path, 'never run')])
    assert finished(tmp_path, ['small'])['small'].keys() == {'lib/b'}
    assert store.path.with_suffix('.damaged.jsonl').exists()


def test_an_attempt_knows_what_others_have_begun(folder):
    assert not PartStore(folder, 'small', '1-2-9r0').begun('lib/e')
    begun = PartStore(folder, 'small', '1-1-8r1')
    begun.journal('lib/e', {}).add_gold([])
    assert PartStore(folder, 'small', '1-2-9r0').begun('lib/e')
    assert not PartStore(folder, 'of/slash@2', '1-2-9r0').begun('lib/e')


def test_what_is_of_other_datasets_stays(folder):
    gather(folder, ['small'])
    assert len(part_files(folder)) == 2
    assert finished(folder, DATASETS)['of/slash@2'].keys() == {'lib/b', 'lib/c', 'lib/d'}


def journal(store, lines):
    made = store.journal('lib/z', {'model': 'x'})
    for number in range(lines):
        made.add_gold([{'role': 'user', 'content': str(number)}])
    return made


def test_a_session_is_gone_on_with_from_its_longest_journal(folder):
    journal(store_of(folder, 'small'), 1)
    first = journal(PartStore(folder, 'small', '1-0-7r0'), 2)
    assert len(first.gold) == 1
    again = PartStore(folder, 'small', '1-0-7r1').journal('lib/z', {'model': 'x'})
    assert [turn['content'] for (turn,) in again.gold] == ['0', '0', '1']
    assert not first.path.exists()
    gather(folder, DATASETS)
    (left,) = store_of(folder, 'small').unfinished.iterdir()
    assert left.name == 'lib__z.jsonl'
    assert len(store_of(folder, 'small').journal('lib/z', {'model': 'x'}).gold) == 3


def test_a_file_system_without_locks_is_used_with_a_warning(tmp_path, monkeypatch, caplog):
    import errno

    def flock(*_):
        raise OSError(errno.ENOLCK, 'No locks available')

    monkeypatch.setattr('fcntl.flock', flock)
    with TraceStore(tmp_path / 'd.traces.jsonl').owned():
        assert 'this file system has no locks' in caplog.text
