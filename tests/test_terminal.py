"""Output in locales that know few characters, hostile text in every place that shows text, logs on full disks."""

import io
import json
import logging
import re
import subprocess
import sys

import pytest

from cibench_eval import cli
from cibench_eval.run.main import main
from cibench_eval.terminal import quiet, visible
from tests.reports.rows import result, step, write_run
from tests.sets.broken_set import ALONE, Cell, write_notebook
from tests.support.chat_server import chat_server, http
from tests.support.hostile_text import HOSTILE, harmless
from tests.support.notebooks import add_endpoint, config_folder, small_set

NAME = HOSTILE.replace('/', '')
"""The text as the name of a file."""


@pytest.mark.parametrize(('name', 'shown'), [('96.1 – ≥61 … a × b 表', b'96.1 - >61 . a x b ?'), ('“why”', b'"why"')])
def test_what_an_encoding_lacks_is_shown_by_the_nearest_character(monkeypatch, name, shown):
    stream = io.TextIOWrapper(io.BytesIO(), encoding='ascii')
    monkeypatch.setattr(sys, 'stderr', stream)
    assert cli.main(['data', 'list', f'/nowhere/{name}']) == 2
    stream.flush()
    assert b'/nowhere/%b: no such folder' % shown in stream.buffer.getvalue()


def test_a_log_that_cannot_be_written_says_nothing(capsys):
    handler = quiet(logging.FileHandler('/dev/full'))
    handler.handle(logging.LogRecord('x', logging.INFO, 'x.py', 1, 'text', (), None))
    assert capsys.readouterr().err == ''
    handler.handle(logging.LogRecord('x', logging.INFO, 'x.py', 1, 'text %d', ('no number',), None))
    assert 'no number' in capsys.readouterr().err, 'a bug is not hushed up'


@pytest.mark.parametrize(('name', 'code'), [('asyncio', 0), ('cibench_eval.traces', 1)])
def test_errors_of_ours_alone_change_the_exit_code(monkeypatch, name, code):
    monkeypatch.setattr(cli, 'call', lambda _: logging.getLogger(name).error('an error'))
    assert cli.main([]) == code


def test_what_commands_a_terminal_or_hides_is_spelled_out():
    assert harmless(visible(HOSTILE))
    assert visible('\x1b[31m\x9b2J\r\u202ea\u200b') == r'\x1b[31m\x9b2J\r\u202ea\u200b'
    plain = 'tabs\tand\nlines, 数据, naïve, ½, 🙂, e\u0301'
    assert visible(plain) == plain


def test_json_hides_nothing_and_says_the_same(tmp_path, capsys):
    write_notebook(tmp_path, f'{NAME}数/lib/a', ALONE)
    assert cli.main(['data', 'list', str(tmp_path), '--json']) == 0
    shown = capsys.readouterr().out
    assert harmless(shown)
    assert '数' in shown
    assert [*json.loads(shown)['sets'][0]['splits']] == [f'{NAME}数']


@pytest.mark.parametrize('on_terminal', [True, False])
def test_tables_command_nothing(on_terminal, tmp_path, monkeypatch, capsys):
    """Neither by what stands in them nor by markup, from which rich would make links; styles of our own are kept."""
    run = write_run(tmp_path / 'run', [result(steps=[step(0)], dataset='d', split=HOSTILE)])
    monkeypatch.setattr(sys.stdout, 'isatty', lambda: on_terminal)
    monkeypatch.setenv('COLUMNS', '1000')
    monkeypatch.setenv('TERM', 'xterm')
    assert cli.main(['leaderboard', str(run)]) == 0
    shown = capsys.readouterr().out
    assert ('\x1b[1m' in shown) is on_terminal
    is_spelled_out(re.sub('\x1b\\[[0-3]m', '', shown))


def is_spelled_out(text):
    assert harmless(text)
    assert '\\x1b]52' in text.replace('\n', '')
    assert '[link=http' in text.replace('\n', '')


def test_the_doctor_commands_nothing(tmp_path, monkeypatch, capsys):
    """Slurm has a partition of that name."""
    (tmp_path / 'name').write_text(HOSTILE)
    for name in ('srun', 'sinfo'):
        (tmp_path / name).write_text(f'#!/bin/sh\ncat {tmp_path}/name\n')
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv('PATH', f'{tmp_path}:/usr/bin:/bin')
    monkeypatch.setenv('CIBENCH_CACHE', str(tmp_path))
    assert cli.main(['doctor']) == 1
    is_spelled_out(capsys.readouterr().out)


@pytest.mark.kernel
def test_a_check_commands_nothing(tmp_path, capsys):
    write_notebook(tmp_path, f'{NAME}/lib/{NAME}', [Cell('num', HOSTILE.replace('\n', ''), 'pass')])
    assert cli.main(['data', 'check', str(tmp_path), '--repeats', '1', '--sandbox', 'auto']) == 1
    shown = capsys.readouterr()
    is_spelled_out(shown.out)
    is_spelled_out(shown.err)


@pytest.mark.parametrize('command', [cli.main, main])
def test_lines_about_what_went_wrong_command_nothing(command, capsys):
    assert command({cli.main: ['show', HOSTILE], main: [f'{HOSTILE}.py']}[command]) == 2
    is_spelled_out(capsys.readouterr().err)


@pytest.mark.kernel
def test_what_an_endpoint_says_commands_nothing(tmp_path, capsys):
    configs = config_folder(tmp_path, small_set(tmp_path / 'data', ('a',)))
    with chat_server(lambda _: http(400, {'error': {'message': HOSTILE}})) as server:
        add_endpoint(configs, 'mine', server.base_url)
        words = ['--models', 'mine', '--datasets', 'small', '--config-dir', str(configs), '-w', str(tmp_path / 'out')]
        assert main(words) == 1
    shown = capsys.readouterr()
    assert harmless(shown.out + shown.err)
    assert '[link=http://x]y[/link]' in shown.err


def test_a_warning_of_a_command_commands_nothing():
    """Through the logging that `cibench` sets up, in a process of its own."""
    code = (
        'import logging, sys; from cibench_eval import cli; cli.main([]); logging.getLogger("a").warning(sys.argv[1]); '
        'logging.getLogger("a").warning("%d", "no number")'
    )
    done = subprocess.run([sys.executable, '-c', code, HOSTILE], capture_output=True, text=True)
    assert 'x1b]52' in done.stderr
    assert harmless(done.stderr)
    assert 'no number' in done.stderr, 'a bug is not hushed up'
