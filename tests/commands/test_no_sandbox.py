"""Code that runs without a sandbox because none works: whoever started it is told, by every command."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

LINE = 'NO SANDBOX: code runs with all rights of this user, because bubblewrap cannot run: '
EXEC = [sys.executable, '-m', 'cibench_eval.cli', 'exec', '-', '--sandbox', 'auto']
LIBRARY = """
import logging
logging.disable(logging.CRITICAL)
from cibench_eval.interpreter import KernelSettings
print(KernelSettings(sandbox='auto').chosen_sandbox().label, KernelSettings(sandbox='auto').provenance()['sandbox'])
"""


@pytest.fixture
def path(tmp_path):
    """A PATH with all programs of this machine but bubblewrap, which is not there."""
    folders = [folder for folder in os.environ['PATH'].split(os.pathsep) if os.access(folder, os.R_OK | os.X_OK)]
    for folder in reversed(folders):
        for program in Path(folder).glob('*'):
            (tmp_path / program.name).unlink(missing_ok=True)
            (tmp_path / program.name).symlink_to(program)
    (tmp_path / 'bwrap').unlink(missing_ok=True)
    return str(tmp_path)


@pytest.fixture
def refusing(path):
    """The same with a bubblewrap that is not allowed to make namespaces."""
    program = Path(path, 'bwrap')
    program.write_text('#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n')
    program.chmod(0o755)
    return path


def run(path, command, **options):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, 'PATH': path}, **options)
    assert done.returncode == 0, done.stderr
    return done


def test_a_program_that_logs_nothing_is_told_once(path):
    done = run(path, [sys.executable, '-c', LIBRARY])
    assert done.stderr.count(LINE) == 1
    assert done.stdout == 'none none\n'


@pytest.mark.soak
@pytest.mark.kernel
def test_exec_says_so(refusing):
    done = run(refusing, EXEC, input='print(6 * 7)')
    assert done.stderr.count(LINE) == 1
    assert '42' in done.stdout


@pytest.mark.kernel
@pytest.mark.soak
def test_commands_on_sets_say_so(path, tmp_path):
    command = [sys.executable, '-m', 'cibench_eval.cli', 'data']
    only = ['--only', '*pandas/grouping*']
    done = run(path, [*command, 'vary', '--seed', '7', '--out', str(tmp_path / 'set'), *only])
    assert done.stderr.count(LINE) == 1
    done = run(path, [*command, 'check', str(tmp_path / 'set'), '--sandbox', 'auto', '--repeats', '1'])
    assert done.stderr.count(LINE) == 1
    assert 'sandbox none' in done.stdout
