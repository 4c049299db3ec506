"""What the walls are made of: the command line, the choice, whose user id."""

import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from cibench_eval.interpreter import sandbox
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.sandbox import Bubblewrap, bubblewrap, bubblewrap_problem, folders_of
from cibench_eval.schema import CibenchError


def environment(root):
    return KernelEnvironment('own', root / 'bin' / 'python', root, None)


def test_base_python_is_shown_unless_it_is_inside_or_of_the_system(tmp_path):
    venv, base = tmp_path / 'venv', tmp_path / 'base'
    for folder in (venv, base / 'bin', base / 'lib', base / 'private'):
        folder.mkdir(parents=True)
    (venv / 'pyvenv.cfg').write_text(f'home = {base}/bin\nversion = 3.11\n')
    assert folders_of(environment(venv)) == (venv, base / 'bin', base / 'lib')
    (venv / 'pyvenv.cfg').write_text('home = /usr/bin\n')
    assert folders_of(environment(venv)) == (venv,)
    assert folders_of(environment(base)) == (base,)


@pytest.mark.skipif(os.geteuid() != 0, reason='only root drops to another user id')
def test_an_environment_that_only_root_can_read_is_refused(tmp_path):
    tmp_path.chmod(0o700)
    with pytest.raises(CibenchError, match=r'run `chmod -R o\+rX'):
        folders_of(environment(tmp_path))


def test_an_environment_that_has_a_home_in_it_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv('HOME', str(tmp_path / 'me'))
    with pytest.raises(CibenchError, match='make a virtual environment'):
        folders_of(environment(tmp_path))


def test_every_folder_above_what_is_shown_can_be_entered(tmp_path):
    """bubblewrap makes those that it needs with mode 0700."""
    words = Bubblewrap(False).command(['true'], info=1, readable=(tmp_path,), disk=1, network=False)
    made = [words[i + 1] for i, word in enumerate(words) if word == '--dir' and words[i - 1] == '0755']
    assert [str(parent) for parent in reversed(tmp_path.parents[:-1])] == [
        m for m in made if str(tmp_path).startswith(m)
    ]


@pytest.mark.skipif(bool(bubblewrap_problem()), reason=f'no walls here: {bubblewrap_problem()}')
def test_what_lies_in_tmp_can_be_shown():
    """A cache below /tmp, say; the code finds a /tmp to write to all the same."""
    with tempfile.TemporaryDirectory(dir='/tmp') as shown:
        Path(shown, 'x').write_text('seen')
        Path(shown).chmod(0o755)
        script = f'cat {shown}/x && touch /tmp/y && ! touch {shown}/z 2>/dev/null'
        command = bubblewrap().command(['sh', '-c', script], info=2, readable=(Path(shown),), disk=2**20, network=False)
        done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, 'seen')


@pytest.mark.parametrize(
    ('uid_map', 'first', 'last'),
    [
        ('         0          0 4294967295\n', 2**30, 2**31 - 2),
        ('0 1000 1\n1 100000 65536\n', 32769, 65536),
    ],
)
def test_user_ids_of_sessions_are_mapped_and_nobodys(monkeypatch, tmp_path, uid_map, first, last):
    file = Path(tmp_path / 'uid_map')
    file.write_text(uid_map)
    monkeypatch.setattr(sandbox, 'UID_MAP', file)
    spare = sandbox._spare_uids()
    assert (spare[0], spare[-1]) == (first, last)
    assert Bubblewrap(unprivileged=False).uid() in spare
    assert Bubblewrap(unprivileged=True).uid() is None
