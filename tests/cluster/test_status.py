"""What is known of jobs, and the table that says it."""

import json
import time

import pytest

from cibench_eval.cluster.board import board, rates_of, summary
from cibench_eval.cluster.counting import Counts, Expected, Tally
from cibench_eval.cluster.cutting import Share
from cibench_eval.cluster.jobs import causes, jobs_of, taken
from cibench_eval.cluster.plan import Beat, beats, fold, new_plan, plans, run_key, write_beat
from cibench_eval.cluster.slurm import JobState
from cibench_eval.schema import CibenchError
from cibench_eval.terminal import new_console

FAILURE = '1 of 6 sessions failed: pandas/grouping: http://10.0.0.7:8000/v1: no connection (Connection refused)'


def share(model, *sessions):
    return Share(model=model, sessions={'d': list(sessions)}, steps=8 * len(sessions), seconds=60)


def beat(job, **more):
    now = time.time()
    fields = {'attempt': f'{job}-7r0', 'node': 'node-17', 'began': now - 10, 'at': now, 'sessions': 1, 'steps': 8}
    return Beat(job=job, **(fields | more))


def state(run, index, word, reason='None', plan=1):
    return JobState(f'{run_key(run)}-{plan}-0', f'4711_{index}', index, word, reason, 'node-17')


@pytest.fixture
def run(tmp_path):
    """A run with five jobs: done, failed, running, waiting, and one that ended without a word."""
    models = ('qwen2.5-72b-instruct', 'gold-replay')
    new_plan(tmp_path, 'configs/x.py', [share(models[at % 2], f'lib/{at}') for at in range(5)])
    write_beat(tmp_path, beat('1-0', over=True, steps_done=8))
    write_beat(tmp_path, beat('1-1', over=True, failure=FAILURE))
    write_beat(tmp_path, beat('1-2', steps_done=5, steps_reused=1))
    return tmp_path


def states(run):
    words = {0: 'COMPLETED', 1: 'FAILED', 2: 'RUNNING', 3: 'PENDING', 4: 'TIMEOUT'}
    return [state(run, index, word) for index, word in words.items()]


def test_how_it_is_with_each_job(run):
    jobs = jobs_of(run, states(run))
    assert [job.course for job in jobs] == ['done', 'failed', 'running', 'waiting', 'gone']
    assert taken(jobs) == {('qwen2.5-72b-instruct', 'd', 'lib/2'), ('gold-replay', 'd', 'lib/3')}


def test_why_jobs_failed(run):
    found = causes(run, jobs_of(run, states(run)), {})
    assert str(found['1-1']) == FAILURE
    assert 'its time limit was over' in str(found['1-4'])
    assert found.keys() == {'1-1', '1-4'}


def test_a_job_of_which_nobody_knows_anything_has_its_log(run, monkeypatch):
    monkeypatch.setattr('cibench_eval.cluster.slurm.ended', lambda name, since: {})
    known = [one for one in states(run) if one.place != 4]
    assert str(causes(run, jobs_of(run, known), {'1-4': 'KeyError: 3'})['1-4']) == 'KeyError: 3'


def test_without_slurm_jobs_are_as_they_say(run):
    assert [job.course for job in jobs_of(run, None)] == ['done', 'failed', 'running', 'waiting', 'waiting']


def test_jobs_of_other_runs_are_none_of_this_one(run, tmp_path_factory):
    other = tmp_path_factory.mktemp('other')
    assert jobs_of(run, [state(other, 3, 'RUNNING')])[3].state is None


def test_beats_become_one_file(run):
    before = beats(run)
    fold(run)
    assert sorted(path.name for path in (run / 'cluster').iterdir()) == ['jobs.jsonl', 'plan-1.json']
    assert beats(run) == before
    fold(run)
    assert len((run / 'cluster/jobs.jsonl').read_text().splitlines()) == 3


def test_lines_and_beats_that_are_damaged_are_not_counted(tmp_path, caplog):
    folder = tmp_path / 'predictions/m'
    folder.mkdir(parents=True)
    damage = ('\0' * 64, '[' * 200_000, '7', '{}', '\ud800')
    lines = [line('lib/a').encode(), *(f'{one}\n'.encode(errors='surrogatepass') for one in damage)]
    (folder / 'd.traces.jsonl').write_bytes(b''.join([*lines, line('lib/b').encode()]))
    counts = Counts([Expected('m', folder, {'d': {'lib/a': 2, 'lib/b': 2}})])
    assert counts.look() == {'m': Tally(2, 2, 0, 4, 4)}
    assert caplog.text.count('a line of it is no trace; not counted') == len(damage)
    made = beat('1-0').model_dump_json()
    for number, wrong in enumerate((made.replace('"pid":0', f'"pid":{10**30}'), '[' * 200_000, '')):
        (tmp_path / 'cluster').mkdir(exist_ok=True)
        (tmp_path / f'cluster/1-{number}.beat.json').write_text(wrong)
    assert beats(tmp_path) == {}


def test_plans_are_counted(run):
    assert new_plan(run, 'configs/y.py', [share('m', 'x')]).number == 2
    assert [plan.number for plan in plans(run)] == [1, 2]


def test_a_broken_plan_is_named(run):
    (run / 'cluster/plan-3.json').write_text('{"number": 3}')
    with pytest.raises(CibenchError, match=r'plan-3\.json: no plan of this version'):
        plans(run)


TALLIES = {
    'qwen2.5-72b-instruct': Tally(264, 120, 16, 2206, 1100),
    'gold-replay': Tally(264, 264, 0, 2206, 2206),
}


@pytest.mark.parametrize('width', [80, 120])
def test_the_table(run, width):
    jobs = jobs_of(run, states(run))
    console = new_console(width=width, record=True, file=open('/dev/null', 'w'))  # noqa: SIM115, PTH123
    console.print(board(TALLIES, jobs, rates_of(jobs)))
    lines = console.export_text().splitlines()
    assert max(map(len, lines)) <= width
    text = ' '.join(' '.join(lines).split())
    assert 'qwen2.5-72b-instruct 1100/2206 120/264 16 0.4 0:46:05' in text
    assert 'Connection refused' in text
    assert 'TIMEOUT' in text


def test_the_line(run):
    jobs = jobs_of(run, states(run))
    assert summary(TALLIES, jobs, {'gold-replay': 2.0}) == (
        '3306/4412 steps, 384/528 sessions, jobs: 1 running 1 waiting 1 failed 1 gone 1 done, 0:09:13 left'
    )


def line(experiment, dataset='d'):
    return json.dumps({'dataset': dataset, 'experiment': experiment, 'steps': [{}, {}], 'seconds': 1.0}) + '\n'


def test_counting_reads_what_is_new(tmp_path):
    """Sessions in the traces file, in a part, and begun; a merge moves them and counts nothing twice."""
    folder = tmp_path / 'predictions/m'
    (folder / '.parts/1-0-7r0.unfinished').mkdir(parents=True)
    whole, part = folder / 'd.traces.jsonl', folder / '.parts/1-0-7r0.traces.jsonl'
    whole.write_text(line('lib/a'))
    part.write_text(line('lib/b') + line('lib/c')[:20])
    journal = folder / '.parts/1-0-7r0.unfinished/d~lib__c.jsonl'
    journal.write_text('{"version": 2}\n{"gold":[]}\n{"index":0}\n')
    counts = Counts([Expected('m', folder, {'d': {'lib/a': 2, 'lib/b': 2, 'lib/c': 2}})])
    assert counts.look() == {'m': Tally(3, 2, 1, 6, 5)}
    part.write_text(line('lib/b') + line('lib/c'))
    journal.unlink()
    assert counts.look() == {'m': Tally(3, 3, 0, 6, 6)}
    part.unlink()
    whole.write_text(line('lib/a') + line('lib/b') + line('lib/c'))
    assert counts.look() == {'m': Tally(3, 3, 0, 6, 6)}
