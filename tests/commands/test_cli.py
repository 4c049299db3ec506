"""The command `cibench`: exit codes, one-line errors, and the doctor's table."""

import asyncio
import importlib.metadata
import os
import re
import signal
import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from cibench_eval import cli
from cibench_eval.datasets.builtin_sets import SETS
from cibench_eval.evaluators import notebook_profiles
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.terminal import ended_as_by_ctrl_c
from tests.support.runs import cibench as run

ROOT = Path(__file__).parents[2]
DATA = ('list', 'fetch', 'add', 'check', 'build', 'describe', 'export', 'vary')


@pytest.mark.parametrize('number', [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_ends_cancels_what_runs_as_ctrl_c_does(number):
    """An interrupt in the midst of the event loop would leave sessions, kernels and connections open."""
    met = []

    async def work():
        try:
            os.kill(os.getpid(), number)
            await asyncio.sleep(60)
        except BaseException as error:
            met.append(type(error))
            raise

    before = signal.signal(number, signal.SIG_DFL)  # under `nohup` tests ignore SIGHUP
    try:
        with pytest.raises(KeyboardInterrupt), ended_as_by_ctrl_c():
            asyncio.run(work())
    finally:
        signal.signal(number, before)
    assert met == [asyncio.CancelledError]


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv('CIBENCH_CACHE', str(tmp_path))
    return tmp_path


def test_errors_of_the_operating_system_are_one_line(tmp_path):
    """`data vary` into what is a file: the first thing that it does is to look into the folder."""
    (tmp_path / 'file').write_text('')
    done = run('data', 'vary', '--seed', '1', '--out', str(tmp_path / 'file'))
    assert done.returncode == 2
    assert done.stderr.startswith(f'cibench: error: {tmp_path}/file: ')
    assert done.stderr.count('\n') == 1


@pytest.mark.soak
@pytest.mark.kernel
def test_build_into_what_cannot_be_written_is_one_line(tmp_path, monkeypatch, capsys):
    (tmp_path / 'builtin').mkdir()
    for part in ('sources', 'datasources'):
        (tmp_path / 'builtin' / part).symlink_to(SETS / 'builtin' / part)
    (tmp_path / 'builtin' / 'modern').write_text('')
    monkeypatch.setattr('cibench_eval.sets.build.SETS', tmp_path)
    assert cli.main(['data', 'build', 'builtin', '--only', 'cibench_template/pandas/grouping']) == 2
    *progress, told = capsys.readouterr().err.splitlines()
    assert told.startswith(f'cibench: error: {tmp_path}/builtin/modern/')
    assert sorted(progress) == [f'executed {n}/4' for n in (1, 2, 3, 4)]


HELP = """
import sys
from cibench_eval import cli
for words in ([], ['data'], ['--version']):
    cli.main([*words, '--help'])
print(*sys.modules, file=sys.stderr)
"""


def test_help_imports_nothing_large():
    done = subprocess.run([sys.executable, '-c', HELP], cwd=ROOT, capture_output=True, text=True)
    loaded = done.stderr.split()
    assert 'cibench_eval.cli' in loaded
    assert not {'opencompass', 'torch', 'rich', 'jupyter_client', 'numpy', 'cibench_eval.commands.data.fetch'} & {
        *loaded
    }
    assert all(f'  {name}' in done.stdout for name in [*cli.COMMANDS, *DATA])


GROUPS = {'data': DATA, 'kernel': ['list', 'build', 'check', 'path'], 'model': ['fetch', 'path', 'export']}
GROUPS |= {'server': ['list', 'build']}


@pytest.mark.parametrize(
    'words',
    [[], *([name] for name in cli.COMMANDS), *([name, word] for name in GROUPS for word in GROUPS[name])],
    ids=str,
)
def test_every_command_has_help_of_80_columns(words, monkeypatch, capsys):
    monkeypatch.setenv('COLUMNS', '200')
    assert cli.main([*words, '-h']) == 0
    text = capsys.readouterr().out
    assert text.lower().startswith(' '.join(['usage: cibench', *words]))
    assert max(map(len, text.splitlines())) <= 80


def test_every_file_is_a_command():
    commands = Path(cli.__file__).parent / 'commands'
    for folder, names in ((commands, cli.COMMANDS), (commands / 'data', DATA)):
        files = {path.stem for path in folder.iterdir() if path.name[0] != '_'}
        assert files == set(names)


@pytest.mark.parametrize(
    ('words', 'problem'),
    [
        ([], 'Missing command (see cibench --help)'),
        (['data'], 'Missing command (see cibench data --help)'),
        (['nope'], "No such command 'nope' (see cibench --help)"),
        (['docter'], "No such command 'docter'. Did you mean 'doctor'? (see cibench --help)"),
        (['kernel', 'build'], "Missing argument 'NAME' (see cibench kernel build --help)"),
        (['data', 'vary', '--out', 'x'], "Missing option '--seed' (see cibench data vary --help)"),
        (['data', 'fetch', 'nope'], 'nope: no published archive; there are cibench, gsm8k, qwen_ci'),
        (['data', 'fetch', 'cibench', '--url', 'a', '--mirror', 'b'], '--url and --mirror: give one of them'),
        (['exec', '-', '--timeout', 'x'], "Invalid value for '--timeout': must be a valid number (see "),
        (['show', '/none'], '/none: there is no such folder; name a run, like '),
        (['data', 'check', 'bultin'], 'bultin: no such set; there is builtin, '),
        (['data', 'add', 'x', '--to', cli.__file__], f"Invalid value for '--to': dir '{cli.__file__}' is a file"),
        (['serve', '--http', '0'], 'serve: name what is sat: --datasets, or a config file'),
        pytest.param(
            ['serve', '--http', '70000', '--datasets', 'demo'],
            'serve: port 70000 of 127.0.0.1 cannot be had; name another',
            marks=pytest.mark.soak,
        ),
        (
            ['exec', '-', '--sandbox', 'x'],
            "kernels: sandbox: there is no sandbox 'x'; there are auto, bubblewrap, docker, none",
        ),
        (
            ['data', 'check', 'builtin_claims', '--profile', 'x'],
            f"check: no scoring profile 'x'; there is {', '.join(notebook_profiles())}",
        ),
        (['doctor', '--nope'], 'No such option: --nope (see cibench doctor --help)'),
        (['kernel', 'path', 'modern'], "kernel environment 'modern' is not built (looked in "),
        (['kernel', 'check', '/bin/echo'], '/bin/echo: it does not run as a Python: '),
        (
            ['kernel', 'build', 'nope'],
            "unknown kernel environment 'nope': give one of modern, paper; a python of your own",
        ),
        (['kernel', 'build', 'modern', '--python', '/no/python'], "python '/no/python' does not run: No such file"),
        (['data', 'build', 'nope'], 'nope: no such set; there is builtin, '),
    ],
    ids=str,
)
def test_a_wrong_command_line_is_one_line(words, problem, empty_cache):
    done = run(*words)
    assert (done.returncode, done.stdout, done.stderr.count('\n')) == (2, '', 1)
    assert done.stderr.startswith('cibench: error: ') and problem in done.stderr


def test_the_version_is_told(capsys):
    assert cli.main(['--version']) == 0
    assert re.fullmatch(r'cibench-eval \d+\.\d+\.\d+\n', capsys.readouterr().out)


def test_an_interrupt_is_a_line_and_130(monkeypatch, capsys):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr('cibench_eval.commands.doctor.checks', interrupted)
    assert cli.main(['doctor']) == 130
    assert capsys.readouterr().err == 'cibench: interrupted\n'


def test_kernel_list_says_what_is_not_built(empty_cache, capsys):
    assert cli.main(['kernel', 'list']) == 0
    assert capsys.readouterr().out.count('not built') == 2


def test_doctor_on_an_empty_cache_names_each_mend(empty_cache, monkeypatch):
    monkeypatch.setenv('COLUMNS', '40')  # of the terminal: what is piped is not broken into lines
    done = run('doctor')
    assert done.returncode == 1
    for mend in ('cibench kernel build modern', 'cibench kernel build paper', 'cibench server build vllm-cpu'):
        assert mend in done.stdout
    assert 'missing' in done.stdout


@pytest.mark.kernel
@pytest.mark.server
def test_doctor_is_content_after_the_set_up(monkeypatch):
    """Of what is lacking the demo needs nothing."""
    monkeypatch.setattr('cibench_eval.commands.doctor.bubblewrap_problem', lambda: 'bwrap fails: no permission')
    done = run('doctor')
    assert done.returncode == 0
    assert KernelEnvironment.find('modern').root.name in done.stdout
    assert doctor_says(done, 'sandbox')[0] == 'optional' and 'no permission' in doctor_says(done, 'sandbox')[1]
    assert doctor_says(done, 'sandbox')[2], 'a mend'


def doctor_says(done, name):
    """State, words and mend of a row of its table."""
    (line,) = (line for line in done.stdout.splitlines() if line.startswith(f'│ {name} '))
    return [cell.strip() for cell in line.split('│')[2:5]]


@pytest.mark.parametrize('width', [40, 80, 120])
def test_the_doctor_breaks_no_word_and_leaves_none_out(width, empty_cache, monkeypatch, capsys):
    monkeypatch.setenv('COLUMNS', str(width))
    monkeypatch.setattr(sys.stdout, 'isatty', lambda: True)
    assert cli.main(['doctor']) == 1
    shown = re.sub(r'\x1b\[[\d;]*m', '', capsys.readouterr().out)
    assert max(map(len, shown.splitlines())) <= max(width, 60)
    for word in ('kernel', 'environment', 'modern', 'missing', 'not', 'built', 'cibench', 'server', 'vllm', 'cpu'):
        assert word in shown


def test_the_lock_is_compared_by_version(empty_cache, monkeypatch):
    installed = {'rich': '0.0.1'}

    def version(name):
        if name == 'numpy':
            raise PackageNotFoundError
        return installed.get(name) or importlib.metadata.version(name)

    monkeypatch.setattr('cibench_eval.commands.doctor.version', version)
    state, found, fix = doctor_says(run('doctor'), 'harness lock')
    assert (state, fix.endswith('requirements/harness.lock')) == ('optional', True)
    assert re.fullmatch(r'numpy not installed; rich 0\.0\.1 \(lock: [\d.]+\)', found)


def test_without_opencompass_the_demo_runs_all_the_same(empty_cache, monkeypatch):
    monkeypatch.setattr('cibench_eval.commands.doctor.OPENCOMPASS', ('json', 'no_such_module'))
    assert doctor_says(run('doctor'), 'OpenCompass')[:2] == ['optional', 'not installed: no_such_module']


@pytest.mark.parametrize(
    ('sinfo', 'row'), [('printf "cpu*\\ngpu\\n"', ['ok', 'partitions: cpu* gpu', '']), ('exit 1', ['optional'])]
)
def test_slurm_is_found_by_asking_it(empty_cache, tmp_path, monkeypatch, sinfo, row):
    """Stand-ins for the two commands of a machine that has Slurm."""
    for name, body in (('srun', ''), ('sinfo', sinfo)):
        (tmp_path / name).write_text(f'#!/bin/sh\n{body}\n')
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv('PATH', f'{tmp_path}:/usr/bin:/bin')
    assert doctor_says(run('doctor'), 'Slurm')[: len(row)] == row


@pytest.mark.parametrize(
    ('closed', 'words', 'code', 'said'),
    [
        ('>&-', ['configs', 'list'], 0, ''),
        ('<&-', ['exec', '-'], 2, 'cibench: error: -: there is no code in it\n'),
        ('2>&-', ['nope'], 2, ''),
    ],
)
def test_a_closed_stream_reads_and_writes_nothing(closed, words, code, said):
    line = f'"$0" -m cibench_eval.cli "$@" {closed}'
    done = subprocess.run(['sh', '-c', line, sys.executable, *words], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (code, said)


@pytest.mark.parametrize(
    ('words', 'said'),
    [
        (['run.py', 'configs/eval_demo.py'], 'interrupted before anything was run\n'),
        (['-m', 'cibench_eval.start', 'configs'], 'cibench: interrupted\n'),
    ],
)
def test_ctrl_c_while_it_is_imported_is_one_line(tmp_path, words, said):
    (tmp_path / 'pydantic.py').write_text("import time\nprint('imported', flush=True)\ntime.sleep(100)\n")
    pipes = {'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, 'text': True}
    environ = os.environ | {'PYTHONPATH': str(tmp_path)}
    with subprocess.Popen([sys.executable, *words], cwd=ROOT, env=environ, **pipes) as program:
        assert program.stdout.readline() == 'imported\n'
        program.send_signal(signal.SIGINT)
        assert program.communicate() == ('', said)
    assert program.returncode == 130
