"""The exact command lines that Slurm is given, and what becomes of its answers."""

import pytest

from cibench_eval.run.main import main
from tests.support.stand_in_slurm import DETACHED, ON_SLURM

ONE = ('--models', 'gold_replay', *DETACHED, '--max-tasks', '1')


def option(line, name):
    return next((word.partition('=')[2] for word in line if word.startswith(f'--{name}=')), None)


def flags(line):
    """What a line says of resources."""
    return line[line.index('--partition=gpu') : line.index('--requeue')]


def test_the_whole_line(project, here, slurm):
    assert here(*ONE[:-1], '3', '--max-num-workers', '2').returncode == 0
    (line,) = slurm.asked('sbatch')
    (run,) = (project / 'out').iterdir()
    assert line == [
        '--parsable',
        f'--job-name={slurm.key}-1-0',
        '--array=0-2%2',
        '--partition=gpu',
        '--nodes=1',
        '--ntasks-per-node=1',
        '--requeue',
        '--open-mode=append',
        f'--output={run}/logs/infer/shares/1-%a.out',
        f'--chdir={project}',
        f'{run}/cluster/plan-1.sh',
    ]


@pytest.mark.parametrize(
    ('gpus', 'options'),
    [
        (1, ['--nodes=1', '--ntasks-per-node=1', '--gres=gpu:1']),
        (8, ['--nodes=1', '--ntasks-per-node=1', '--gres=gpu:8']),
        (16, ['--nodes=2', '--ntasks-per-node=1', '--gres=gpu:8']),
        (12, ['--nodes=2', '--ntasks-per-node=1', '--gres=gpu:6']),
    ],
)
def test_gpus(here, slurm, gpus, options):
    slurm.model('large', gpus)
    assert here('--models', 'large', *DETACHED).returncode == 0
    assert flags(slurm.asked('sbatch')[0])[1:] == options


def test_everything_that_a_site_may_want(here, slurm):
    slurm.model('large', 4)
    slurm.site(
        qos='high',
        quotatype='spot',
        account='lab',
        constraint='a100&nvme',
        time='1-00:00:00',
        memory='200G',
        cpus_per_task=16,
        gres='gpu:a100',
        options=['--exclude=node[1-3]', '--exclusive'],
    )
    assert here('--models', 'large', *DETACHED).returncode == 0
    assert flags(slurm.asked('sbatch')[0]) == [
        *('--partition=gpu', '--qos=high', '--quotatype=spot', '--account=lab', '--constraint=a100&nvme'),
        *('--nodes=1', '--ntasks-per-node=1', '--cpus-per-task=16', '--mem=200G', '--gres=gpu:a100:4'),
        *('--time=1-00:00:00', '--exclude=node[1-3]', '--exclusive'),
    ]


def test_what_slurm_reads_in_names_of_files_is_escaped(project, here, slurm):
    assert main([*ONE, '-w', str(project / r'100%a \x')]) == 0
    assert option(slurm.asked('sbatch')[0], 'output').startswith(f'{project}/100%%a \\\\x/')


@pytest.mark.parametrize(
    ('models', 'tasks', 'workers', 'arrays'),
    [
        ({'a-0b': 0}, 3, 32, ['0-2%3']),
        ({'a-0b': 0}, 3, 2, ['0-2%2']),
        ({'a-0b': 0, 'b-0b': 1}, 6, 4, ['0-2%2', '3-5%2']),
        ({'a-0b': 0, 'b-16b': 1}, 4, 3, ['0%1', '1-3%2']),
        ({'a-0b': 0, 'b-0b': 1, 'c-0b': 0}, 5, 32, ['0-1,4%3', '2-3%2']),
        ({'a-0b': 0, 'b-0b': 1, 'c-0b': 2}, 9, 2, ['0-2%1', '3-5%1', '6-8%1 after the first']),
        ({'a-0b': 0, 'b-0b': 1}, 2, 1, ['0%1', '1%1 after the first']),
    ],
)
def test_never_more_jobs_than_asked_for(here, slurm, models, tasks, workers, arrays):
    """An array for each number of GPUs; what does not fit beside the others waits for one of them."""
    for name, gpus in models.items():
        slurm.model(name, gpus)
    slurm.says('sbatch', f'echo x >> {slurm.folder}/ids; grep -c . {slurm.folder}/ids')
    words = ('--max-tasks', str(tasks), '--max-num-workers', str(workers))
    assert here('--models', *models, *DETACHED, *words).returncode == 0
    after = {None: '', 'afterany:1': ' after the first'}
    lines = slurm.asked('sbatch')
    assert [f'{option(line, "array")}{after[option(line, "dependency")]}' for line in lines] == arrays


def test_a_controller_that_is_away_is_asked_again(here, slurm, monkeypatch):
    monkeypatch.setattr('cibench_eval.cluster.slurm.RETRY_SECONDS', 0)
    says = 'sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)'
    slurm.says(
        'sbatch', f'test $(grep -c . {slurm.folder}/tries) = 3 && echo "12;cluster" && exit\necho "{says}" >&2\nexit 1'
    )
    slurm.says('squeue', f'echo x >> {slurm.folder}/tries')
    done = here(*ONE)
    assert (done.returncode, done.stderr.count('Unable to contact slurm controller')) == (0, 3)
    assert 'Slurm job 12: 1 task' in done.stderr


def test_jobs_whose_answer_was_lost_are_not_handed_over_twice(here, slurm, monkeypatch):
    monkeypatch.setattr('cibench_eval.cluster.slurm.RETRY_SECONDS', 0)
    slurm.says('sbatch', 'echo "sbatch: error: Socket timed out on send/recv" >&2\nexit 1')
    name = f'$(grep -h job-name {slurm.folder}/sbatch.asked | cut -d= -f2)'
    slurm.says('squeue', f'echo "{name}|55|0|PENDING|None|"')
    done = here(*ONE)
    assert (done.returncode, len(slurm.asked('sbatch'))) == (0, 1), done.stderr
    assert 'Slurm job 55: 1 task' in done.stderr


def test_a_refusal_is_said_at_once_in_the_words_of_slurm(here, slurm):
    says = 'Batch job submission failed: Invalid account or account/partition combination specified'
    slurm.says('sbatch', f'echo "sbatch: error: {says}" >&2\nexit 1')
    slurm.site(account='lab')
    done = here(*ONE)
    assert (done.returncode, len(slurm.asked('sbatch'))) == (2, 1)
    assert f'slurm: {says} (sbatch ' in done.stderr and '--account=lab' in done.stderr


def test_commands_that_are_not_there(here, slurm, monkeypatch):
    for name in ('sbatch', 'squeue'):
        (slurm.folder / name).unlink()
    monkeypatch.setenv('PATH', str(slurm.folder))
    done = here(*ONE)
    assert done.returncode == 2 and 'sbatch: not there; run this where Slurm is' in done.stderr


def test_what_a_job_was_given_is_not_taken_for_options(here, slurm, monkeypatch):
    monkeypatch.setenv('SLURM_MEM_PER_CPU', '7')
    monkeypatch.setenv('SLURM_CONF', '/etc/own.conf')
    slurm.says('sbatch', f'env > {slurm.folder}/told; echo 1')
    assert here(*ONE).returncode == 0
    told = (slurm.folder / 'told').read_text()
    assert 'SLURM_CONF=/etc/own.conf' in told
    assert 'SLURM_MEM_PER_CPU' not in told


def test_a_queue_that_cannot_be_read_now_is_no_empty_queue(here, slurm):
    """Whatever Slurm says: jobs are not ended for that."""
    name = f'$(grep -h job-name {slurm.folder}/sbatch.asked | cut -d= -f2)'
    runs, cancelled = (f'echo "{name}|4711|0|{state}|None|"' for state in ('RUNNING', 'CANCELLED'))
    down = [
        f'echo "slurm_load_jobs error: {why}" >&2; exit 1'
        for why in ('Unexpected missing socket error', 'Invalid authentication credential')
    ]
    slurm.says('sbatch', 'echo 4711')
    slurm.says('squeue', slurm.in_turn(*down, runs, *down, cancelled))
    done = here('--models', 'gold_replay', *ON_SLURM, '--max-tasks', '1')
    assert done.stderr.count('the jobs go on, asking again') == 4
    assert done.returncode == 1 and 'Slurm job: it was cancelled' in done.stderr
