"""Sandboxes: which there are and which is chosen; bubblewrap's command line and user ids."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

import cibench_eval
from cibench_eval.interpreter import KernelSettings, host_paths, sandboxes
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.sandboxes import bubblewrap
from cibench_eval.schema import CibenchError
from tests.interpreter.programs import FORK, level_problem, run
from tests.support.notebooks import REPO
from tests.support.soak import many


def environment(root):
    return KernelEnvironment('own', root / 'bin' / 'python', root, None)


def test_a_sandbox_is_a_file_and_found_by_its_name():
    files = {path.stem for path in Path(sandboxes.__file__).parent.glob('*.py')}
    assert set(sandboxes.names()) == files - {'__init__', 'base'}
    assert [sandboxes.load(name).name for name in sandboxes.names()] == sandboxes.names()


ONE_MORE = """
from typing import ClassVar

from cibench_eval.interpreter.sandboxes.none import NoSandbox


class OneMore(NoSandbox):
    name: ClassVar[str] = 'one_more'
    can_fork: ClassVar[bool] = False
    level: int = 0

    @property
    def label(self):
        return f'one_more-{self.level}'


SANDBOX = OneMore
"""


@pytest.mark.kernel
def test_a_further_sandbox_is_one_file(monkeypatch, tmp_path):
    (tmp_path / 'one_more.py').write_text(ONE_MORE)
    monkeypatch.setattr(sandboxes, '__path__', [*sandboxes.__path__, str(tmp_path)])
    settings = KernelSettings(sandbox='one_more', sandbox_options={'level': 3})
    found = settings.provenance()
    assert (found['sandbox'], found['kernel_start']) == ('one_more-3', 'spawn')
    assert run('6 * 7', **settings.model_dump(include={'sandbox', 'sandbox_options'}))[0].result == '42'


@pytest.mark.parametrize(
    ('settings', 'words'),
    [
        (KernelSettings(sandbox='none', sandbox_options={'runtime': 'runsc'}), 'runtime is unknown'),
        (KernelSettings(sandbox='auto', sandbox_options={'runtime': 'runsc'}), 'name the sandbox whose options'),
    ],
)
def test_options_that_a_sandbox_does_not_have_are_refused(settings, words):
    with pytest.raises(CibenchError, match=words):
        settings.chosen_sandbox()


def test_without_bubblewrap_it_is_refused_and_auto_says_so_loudly_and_once(monkeypatch, capsys):
    monkeypatch.setattr(bubblewrap, 'bubblewrap_problem', lambda: f'bwrap is not on PATH of {id(capsys)}')
    with pytest.raises(CibenchError, match="sandbox='none'"):
        KernelSettings(sandbox='bubblewrap').chosen_sandbox()
    assert [KernelSettings(sandbox='auto').chosen_sandbox().name for _ in range(3)] == ['none'] * 3
    assert capsys.readouterr().err.count('NO SANDBOX: code runs with all rights of this user') == 1


def test_base_python_is_shown_unless_it_is_inside_or_of_the_system(tmp_path):
    venv, base = tmp_path / 'venv', tmp_path / 'base'
    for folder in (venv, base / 'bin', base / 'lib', base / 'private'):
        folder.mkdir(parents=True)
    (venv / 'pyvenv.cfg').write_text(f'home = {base}/bin\nversion = 3.11\n')
    assert host_paths.folders_of(environment(venv), by_others=False) == (venv, base / 'bin', base / 'lib')
    (venv / 'pyvenv.cfg').write_text('home = /usr/bin\n')
    assert host_paths.folders_of(environment(venv), by_others=False) == (venv,)
    assert host_paths.folders_of(environment(base), by_others=False) == (base,)


def test_an_environment_that_only_its_owner_can_read_is_refused_where_kernels_are_others(tmp_path):
    tmp_path.chmod(0o700)
    with pytest.raises(CibenchError, match=r'run `chmod -R o\+rX'):
        host_paths.folders_of(environment(tmp_path), by_others=True)
    assert host_paths.folders_of(environment(tmp_path), by_others=False) == (tmp_path,)


@pytest.mark.kernel
def test_the_harness_is_hidden_where_it_is_installed_below_a_folder_that_is_shown(monkeypatch):
    """`pip install` into the Python of a container puts it below /usr, and gold and labels with it."""
    folder = Path('/usr/share/perl5') if Path('/usr/share/perl5').is_dir() else Path('/usr/share')
    assert any(folder.iterdir())
    monkeypatch.setattr(host_paths, 'HARNESS', folder)
    code = f'print(os.listdir({str(folder)!r}), os.access({str(folder)!r}, os.W_OK), os.path.exists("/usr/lib"))'
    (done,) = run(f'import os\n{code}', sandbox='bubblewrap', start='spawn')
    assert done.stdout.strip() == '[] False True'


def test_what_is_hidden_is_the_package_with_its_clone_and_only_where_it_would_be_seen():
    package = str(Path(cibench_eval.__file__).resolve().parent)
    clone = str(Path(package).parent)
    assert host_paths.hidden(['/usr', str(Path(clone).parent)]) == [clone]
    beside = host_paths.hidden([str(Path(clone).parent), f'{clone}/docs/env'])
    assert {package, f'{clone}/tests'} <= {*beside} and f'{clone}/docs' not in beside
    assert host_paths.hidden(['/usr', clone]) == [package]
    assert host_paths.hidden(['/proc', f'{package}/interpreter/inside']) == []


def test_an_environment_that_has_a_home_in_it_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv('HOME', str(tmp_path / 'me'))
    with pytest.raises(CibenchError, match='make a virtual environment'):
        host_paths.folders_of(environment(tmp_path), by_others=False)


def test_every_folder_above_what_is_shown_can_be_entered(tmp_path):
    """bubblewrap makes those that it needs with mode 0700."""
    words = bubblewrap.BwrapCommand(unprivileged=False, disk=1, readable=(tmp_path,)).line(['true'], info=1)
    made = [words[i + 1] for i, word in enumerate(words) if word == '--dir' and words[i - 1] == '0755']
    assert [str(parent) for parent in reversed(tmp_path.parents[:-1])] == [
        m for m in made if str(tmp_path).startswith(m)
    ]


SLOW = """#!/bin/sh
case "$*" in *--block-fd*) echo $$ > {folder}/began; tail --pid=$PPID -f /dev/null ;; esac
exec {bwrap} "$@"
"""
"""A bubblewrap that begins with a session only when its harness is gone."""


@pytest.mark.kernel
@pytest.mark.skipif(bool(level_problem(FORK)), reason=f'no bubblewrap here: {level_problem(FORK)}')
@pytest.mark.parametrize('start', ['fork', *many(['spawn'], [])])
def test_a_harness_that_is_killed_while_bubblewrap_starts_leaves_none_behind(tmp_path, start):
    began, slow = tmp_path / 'began', tmp_path / 'bwrap'
    slow.write_text(SLOW.format(folder=tmp_path, bwrap=shutil.which('bwrap')))
    slow.chmod(0o755)
    os.mkfifo(began)
    code = f'from tests.interpreter.programs import run; run("1", sandbox="bubblewrap", start={start!r}, preload=())'
    path = f'{tmp_path}:{os.environ["PATH"]}'
    with subprocess.Popen([sys.executable, '-c', code], env={**os.environ, 'PATH': path}, cwd=REPO) as harness:
        first = int(began.read_text())
        started = psutil.Process(first)
        harness.kill()
    assert psutil.wait_procs([started], timeout=20)[1] == []
    assert [one for one in psutil.process_iter() if session_of(one) == first] == []


def session_of(process):
    with contextlib.suppress(ProcessLookupError):
        return os.getsid(process.pid)


@pytest.mark.skipif(bool(level_problem(FORK)), reason=f'no bubblewrap here: {level_problem(FORK)}')
def test_what_lies_in_tmp_can_be_shown():
    """A cache below /tmp, say; the code finds a /tmp to write to all the same."""
    with tempfile.TemporaryDirectory(dir='/tmp') as shown:
        Path(shown, 'x').write_text('seen')
        Path(shown).chmod(0o755)
        script = f'cat {shown}/x && touch /tmp/y && ! touch {shown}/z 2>/dev/null'
        command = bubblewrap.BwrapCommand(
            unprivileged=bubblewrap.is_unprivileged(), disk=2**20, readable=(Path(shown),)
        )
        done = subprocess.run(command.line(['sh', '-c', script], info=2), capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, 'seen')


@pytest.mark.parametrize(
    ('uid_map', 'first', 'last'),
    [('         0          0 4294967295\n', 2**30, 2**31 - 2), ('0 1000 1\n1 100000 65536\n', 32769, 65536)],
)
def test_user_ids_of_sessions_are_mapped_and_nobodys(monkeypatch, tmp_path, uid_map, first, last):
    file = Path(tmp_path / 'uid_map')
    file.write_text(uid_map)
    monkeypatch.setattr(bubblewrap, 'UID_MAP', file)
    spare = bubblewrap.spare_uids()
    assert (spare[0], spare[-1]) == (first, last)
    assert bubblewrap.spare_uid() in spare
