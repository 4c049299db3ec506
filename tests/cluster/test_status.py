"""What is known of the jobs of a run, what `cibench status` says of them, and what a start makes of it."""

import json
import re
import sys
import time

import pytest

from cibench_eval import cli
from cibench_eval.commands.status import STOPPED
from cibench_eval.traces import TraceStore
from tests.support.runs import run_folder
from tests.support.stand_in_slurm import DETACHED, ON_SLURM

MODELS = ('--models', 'qwen2.5-72b-instruct', 'gold_replay')
FAILURE = '1 of 6 sessions failed: pandas/grouping: http://10.0.0.7:8000/v1: no connection (Connection refused)'
STATES = {0: 'COMPLETED', 1: 'FAILED', 2: 'RUNNING', 3: 'PENDING', 4: 'TIMEOUT'}


def beat(run, job, **more):
    """What a job says of itself."""
    now = time.time()
    fields = {'attempt': f'{job}-7r0', 'node': 'node-17', 'began': now - 10, 'at': now, 'sessions': 1, 'steps': 8}
    (run / f'cluster/{job}.beat.json').write_text(json.dumps({'job': job, **fields, **more}))


@pytest.fixture
def run(project, here, slurm):
    """A run with five jobs: done, failed, running, waiting, and one that ended without a word."""
    slurm.model('qwen2.5-72b-instruct')
    assert here(*MODELS, *DETACHED, '--max-tasks', '5').returncode == 0
    folder = run_folder(project)
    beat(folder, '1-0', over=True, steps_done=8)
    beat(folder, '1-1', over=True, failure=FAILURE)
    beat(folder, '1-2', steps_done=5, steps_reused=1)
    slurm.says('squeue', slurm.queue(STATES, 'cibench-0123456789-1-0|12|3|RUNNING|None|node-18'))
    return folder


@pytest.fixture
def status(run, capsys):
    def look(*words):
        capsys.readouterr()
        assert cli.main(['status', str(run), *words]) == 0
        return capsys.readouterr().out

    return look


def states(text):
    """The last words of the lines of jobs."""
    return dict(re.findall(r'^(1-\d) .* (failed: .*|over .*|running.*)$', text, re.MULTILINE))


def test_how_it_is_with_each_job(status):
    said = status()
    assert re.search(r'^qwen2.5-72b-instruct +0/12 +0/6 .* 1 running, 1 waiting, 1 failed, 1 done$', said, re.MULTILINE)
    assert re.search(r'^gold-replay +0/12 +0/6 .* 1 gone$', said, re.MULTILINE)
    assert states(said).keys() == {'1-1', '1-2', '1-4'}
    assert 'Connection refused' in said and 'over without a word: TIMEOUT' in said


def test_without_slurm_jobs_are_as_they_say(status, tmp_path, monkeypatch):
    monkeypatch.setenv('PATH', str(tmp_path))
    said = status()
    assert '1 running, 1 waiting, 1 failed, 1 done' in said and 'gone' not in said


def test_of_what_was_forgotten_nothing_is_known(status, run, slurm):
    slurm.says('squeue', slurm.queue({2: 'RUNNING'}))
    beat(run, '1-2', at=time.time() - 600)
    assert {'1-2': 'running, silent for 0:10:00', '1-4': 'over without a word: forgotten by Slurm'}.items() <= (
        states(status()).items()
    )


@pytest.mark.parametrize('width', [80, 120])
def test_the_table_fits_a_terminal(status, width, monkeypatch):
    monkeypatch.setattr(sys.stdout, 'isatty', lambda: True)
    monkeypatch.setenv('COLUMNS', str(width))
    lines = re.sub(r'\x1b\[[\d;?]*[a-zA-Z]', '', status()).splitlines()
    assert max(map(len, lines)) <= width
    text = ' '.join(' '.join(lines).split())
    assert re.search(r'qwen2.5-72b-instruct 0/12 0/6 0.4 0:00:30 ', text)
    assert 'Connection refused' in text and 'TIMEOUT' in text


def test_jobs_that_are_over_fail_for_a_reason_each_and_their_beats_become_one_file(run, here, slurm):
    """Slurm, its accounting or the job's own log explains a job that said nothing."""
    in_queue = slurm.queue(dict.fromkeys(STATES, 'RUNNING'))
    slurm.says('squeue', slurm.in_turn(in_queue, slurm.queue({0: 'COMPLETED', 1: 'FAILED', 4: 'TIMEOUT'})))
    slurm.says('sacct', "printf '4711_0|COMPLETED\\n4711_2|CANCELLED by 0\\n4711_[5-6]|PENDING\\n'")
    (run / 'logs/infer/shares/1-3.out').write_text('error: KeyError: 3\n')
    done = here(*MODELS, *ON_SLURM, '-r')
    assert done.returncode == 1
    for job, why in {
        '1-1': FAILURE,
        '1-2': 'Slurm job: it was cancelled',
        '1-3': 'KeyError: 3',
        '1-4': r'Slurm job: its time limit was over; .*',
    }.items():
        assert re.search(
            rf'  .*{why if job == "1-4" else re.escape(why)} \(SessionInfer\[[\w.-]+/{job}\]\)', done.stderr
        )
    assert '4 tasks failed' in done.stderr and 'jobs: 1 failed 3 gone 1 done' in done.stderr
    assert sorted(path.name for path in (run / 'cluster').iterdir()) == ['jobs.jsonl', 'plan-1.json', 'plan-1.sh']
    beats = (run / 'cluster/jobs.jsonl').read_text().splitlines()
    assert [json.loads(line)['job'] for line in beats] == ['1-0', '1-1', '1-2']


def test_sessions_that_jobs_have_are_not_handed_over_again(run, here, slurm):
    first = slurm.plan()
    assert here(*MODELS, *DETACHED, '-r').returncode == 0
    again = {one for share in slurm.plan(2) for one in sessions(share)}
    assert again == {one for place, share in enumerate(first) for one in sessions(share) if place not in (2, 3)}


def test_scoring_while_jobs_have_the_sessions_says_so(run, here):
    done = here(*MODELS, '--datasets', 'small', '-m', 'eval', '-r')
    assert done.returncode == 1
    assert f'not there, and jobs of the run may not be over: cibench status {run}' in done.stderr


def sessions(share):
    return {(share['model'], dataset, one) for dataset, ids in share['sessions'].items() for one in ids}


def test_a_broken_plan_is_named(run, capsys):
    (run / 'cluster/plan-3.json').write_text('{"number": 3}')
    assert cli.main(['status', str(run)]) == 2
    assert 'plan-3.json: no plan of this version' in capsys.readouterr().err


def test_a_folder_with_a_name_that_is_no_utf_8(run):
    assert cli.main(['status', str(run.rename(run.with_name('caf\udce9')))]) == 0


def line(experiment, dataset='small'):
    trace = {'dataset': dataset, 'experiment': f'math/{experiment}', 'steps': [{}, {}], 'seconds': 1.0}
    return json.dumps(trace) + '\n'


def test_lines_and_beats_that_are_damaged_are_not_counted(run, status, caplog):
    folder = run / 'predictions/gold-replay'
    folder.mkdir(parents=True)
    damage = ('\0' * 64, '[' * 200_000, '7', '{}', '\ud800')
    lines = [line('a').encode(), *(f'{one}\n'.encode(errors='surrogatepass') for one in damage)]
    (folder / 'small.traces.jsonl').write_bytes(b''.join([*lines, line('b').encode()]))
    made = (run / 'cluster/1-2.beat.json').read_text()
    for number, wrong in enumerate((f'{made[:-1]}, "pid": {10**30}}}', '[' * 200_000, '')):
        (run / f'cluster/1-{number}.beat.json').write_text(wrong)
    said = status()
    assert re.search(r'^gold-replay +4/12 +2/6 ', said, re.MULTILINE)
    assert caplog.text.count('a line of it is no trace; not counted') == len(damage)
    assert '1 running' in said and 'failed' not in said


def test_watching_reads_what_is_new(run, status, slurm, monkeypatch):
    """Sessions in the traces file, in a part, and begun; a merge moves them and counts nothing twice."""
    monkeypatch.setattr('cibench_eval.commands.status.EVERY', 0)
    folder = run / 'predictions/gold-replay'
    (folder / '.parts/1-0-7r0.unfinished').mkdir(parents=True)
    whole, part = folder / 'small.traces.jsonl', folder / '.parts/1-0-7r0.traces.jsonl'
    whole.write_text(line('a'))
    part.write_text(line('b') + line('c')[:20])
    journal = folder / '.parts/1-0-7r0.unfinished/small~math__c.jsonl'
    journal.write_text('{"version": 2}\n{"gold":[]}\n{"index":0}\n')
    (run / 'more').write_text(line('c')[20:])
    steps = (
        slurm.queue({2: 'RUNNING'}),
        f'cat {run}/more >> {part}; rm {journal}; {slurm.queue({2: "RUNNING"})}',
        f'cat {part} >> {whole}; rm {part}; {slurm.queue({})}',
    )
    slurm.says('squeue', slurm.in_turn(*steps))
    lines = status('--watch').splitlines()
    assert [re.split(', jobs: ', one)[0] for one in lines] == [
        '5/24 steps, 2/12 sessions',
        '6/24 steps, 3/12 sessions',
        '6/24 steps, 3/12 sessions',
    ]
    assert lines[0].endswith('jobs: 1 running 1 failed 2 gone 1 done, 0:00:48 left')
    assert lines[-1].endswith('jobs: 1 failed 3 gone 1 done')


@pytest.mark.kernel
def test_watching_a_run_that_was_killed_ends_and_says_so(project, here, capsys, monkeypatch):
    """Nobody holds its sessions any more; while somebody does, nothing is said."""
    monkeypatch.setattr('cibench_eval.commands.status.EVERY', 0)
    assert here('--models', 'gold_replay', '--datasets', 'small', '-m', 'infer').returncode == 0
    (path,) = run_folder(project).glob('predictions/*/small.traces.jsonl')
    path.write_text(path.read_text().partition('\n')[0] + '\n')
    words = ['status', str(run_folder(project))]
    with TraceStore(path).owned():
        assert cli.main(words) == 0 and STOPPED not in capsys.readouterr().out
    path.with_name(f'.{path.name}.lock').touch()  # a killed process leaves it behind
    assert cli.main([*words, '--watch']) == 0
    assert {line.endswith(STOPPED) for line in capsys.readouterr().out.splitlines()} == {True}
