"""The exact command lines that Slurm is given, and what becomes of its answers."""

from pathlib import Path

import pytest

from cibench_eval.cluster import slurm
from cibench_eval.cluster.slurm import Array, Resources, SlurmDownError, ranges
from cibench_eval.run.slurm_runner import shared_out
from cibench_eval.schema import CibenchError


def line(resources=None, gpus=0, indices=(0, 1, 2), log='/run/logs/1-%a.out', **more):
    array = Array('cibench-ab12-1-0', indices, 2, gpus, Path('/run/cluster/plan-1.sh'), Path(log), **more)
    return array.command(resources or Resources(partition='gpu'))


def test_the_whole_line(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert line() == [
        'sbatch',
        '--parsable',
        '--job-name=cibench-ab12-1-0',
        '--array=0-2%2',
        '--partition=gpu',
        '--nodes=1',
        '--ntasks-per-node=1',
        '--requeue',
        '--open-mode=append',
        '--output=/run/logs/1-%a.out',
        f'--chdir={tmp_path}',
        '/run/cluster/plan-1.sh',
    ]


@pytest.mark.parametrize(
    ('gpus', 'options'),
    [
        (0, ['--nodes=1', '--ntasks-per-node=1']),
        (1, ['--nodes=1', '--ntasks-per-node=1', '--gres=gpu:1']),
        (8, ['--nodes=1', '--ntasks-per-node=1', '--gres=gpu:8']),
        (16, ['--nodes=2', '--ntasks-per-node=1', '--gres=gpu:8']),
        (12, ['--nodes=2', '--ntasks-per-node=1', '--gres=gpu:6']),
    ],
)
def test_gpus(gpus, options):
    assert Resources().flags(gpus) == options


def test_gpus_that_do_not_fill_nodes_are_refused():
    with pytest.raises(CibenchError, match='9 GPUs cannot be shared out evenly among 2 nodes of 8'):
        Resources().flags(9)


def test_everything_that_a_site_may_want():
    wanted = Resources(
        partition='p',
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
    assert wanted.flags(4) == [
        *('--partition=p', '--qos=high', '--quotatype=spot', '--account=lab', '--constraint=a100&nvme'),
        *('--nodes=1', '--ntasks-per-node=1', '--cpus-per-task=16', '--mem=200G', '--gres=gpu:a100:4'),
        *('--time=1-00:00:00', '--exclude=node[1-3]', '--exclusive'),
    ]


def test_what_slurm_reads_in_names_of_files_is_escaped(tmp_path):
    (odd := tmp_path / r'100%a \x').mkdir()
    assert f'--output={tmp_path}/100%%a \\\\x/1-%a.out' in line(log=str(odd / '1-%a.out'))


def test_an_array_can_wait_for_another():
    assert '--dependency=afterany:77' in line(after='77')


@pytest.mark.parametrize(
    ('numbers', 'text'), [([0], '0'), ([0, 1, 2], '0-2'), ([7, 0, 1, 3, 8, 9], '0-1,3,7-9'), ([4, 2], '2,4')]
)
def test_ranges(numbers, text):
    assert ranges(numbers) == text


@pytest.mark.parametrize(
    ('jobs', 'most', 'lanes'),
    [
        ([6], 2, [(0, 2)]),
        ([6, 6], 4, [(0, 2), (1, 2)]),
        ([9, 3], 4, [(0, 3), (1, 1)]),
        ([5, 5, 5], 2, [(0, 1), (1, 1), (0, 1)]),
        ([1, 1], 32, [(0, 1), (1, 1)]),
    ],
)
def test_never_more_jobs_than_asked_for(jobs, most, lanes):
    assert shared_out(jobs, most) == lanes
    wide = {lane: 0 for lane, _ in lanes}
    for lane, width in lanes:
        wide[lane] = max(wide[lane], width)
    assert sum(wide.values()) <= most


def command(folder, name, text):
    path = folder / name
    path.write_text(f'#!/bin/sh\n{text}\n')
    path.chmod(0o755)


@pytest.fixture
def bin(tmp_path, monkeypatch):
    """Commands that answer as Slurm does where it cannot be brought to by hand."""
    monkeypatch.setenv('PATH', f'{tmp_path}:/usr/bin:/bin')
    return tmp_path


def test_a_controller_that_is_away_is_asked_again(bin):
    command(bin, 'squeue', '')
    says = 'sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)'
    command(bin, 'sbatch', f'test -e {bin}/back && echo "12;cluster" && exit\necho "{says}" >&2\nexit 1')
    waited = []

    def wait(seconds):
        waited.append(seconds)
        if len(waited) == 3:
            (bin / 'back').touch()

    array = Array('cibench-x-1-0', [0], 1, 0, bin / 's.sh', bin / '%a.out')
    assert slurm.submit(array, Resources(), wait) == '12'
    assert len(waited) == 3


def test_jobs_whose_answer_was_lost_are_not_handed_over_twice(bin):
    command(bin, 'sbatch', f'echo x >> {bin}/asked\necho "sbatch: error: Socket timed out on send/recv" >&2\nexit 1')
    command(bin, 'squeue', "echo 'cibench-x-1-0|55|0|PENDING|None|'")
    array = Array('cibench-x-1-0', [0], 1, 0, bin / 's.sh', bin / '%a.out')
    assert slurm.submit(array, Resources(), lambda seconds: None) == '55'
    assert (bin / 'asked').read_text() == 'x\n'


def test_a_refusal_is_said_at_once_in_the_words_of_slurm(bin):
    says = 'sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified'
    command(bin, 'sbatch', f'echo x >> {bin}/asked\necho "{says}" >&2\nexit 1')
    array = Array('cibench-x-1-0', [0], 1, 0, bin / 's.sh', bin / '%a.out')
    with pytest.raises(CibenchError) as raised:
        slurm.submit(array, Resources(account='lab'))
    assert str(raised.value).startswith(
        'slurm: Batch job submission failed: Invalid account or account/partition combination specified (sbatch '
    )
    assert '--account=lab' in str(raised.value)
    assert (bin / 'asked').read_text() == 'x\n'


def test_commands_that_are_not_there(bin, monkeypatch):
    monkeypatch.setenv('PATH', str(bin))
    with pytest.raises(CibenchError, match='sbatch: not there; run this where Slurm is'):
        slurm.ask(['sbatch'])


def test_what_a_job_was_given_is_not_taken_for_options(bin, monkeypatch):
    monkeypatch.setenv('SLURM_MEM_PER_CPU', '7')
    monkeypatch.setenv('SLURM_CONF', '/etc/own.conf')
    command(bin, 'squeue', 'env')
    told = slurm.ask(['squeue'])
    assert 'SLURM_CONF=/etc/own.conf' in told
    assert 'SLURM_MEM_PER_CPU' not in told


def test_a_queue_that_cannot_be_read_now_is_no_empty_queue(bin):
    command(bin, 'squeue', 'echo "slurm_load_jobs error: Unable to contact slurm controller" >&2; exit 1')
    with pytest.raises(SlurmDownError):
        slurm.states('cibench-x', {0})


def test_accounting_knows_jobs_that_the_controller_forgot(bin):
    command(bin, 'sacct', "printf '12_0|COMPLETED\\n12_1|CANCELLED by 0\\n12_[2-3]|PENDING\\n'")
    assert slurm.ended('cibench-x-1-0', '2026-01-01T00:00:00') == {0: 'COMPLETED', 1: 'CANCELLED'}
    command(bin, 'sacct', 'echo "Slurm accounting storage is disabled" >&2; exit 1')
    assert slurm.ended('cibench-x-1-0', '2026-01-01T00:00:00') == {}
