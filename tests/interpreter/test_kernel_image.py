"""`cibench kernel image`, with a `docker` that lists what it is given. `test_harbor_containers` runs such images."""

import os
import signal
import subprocess
import sys

import pytest

from cibench_eval import cli
from cibench_eval.interpreter import host_paths
from tests.interpreter.engines import forget_engine, write_command
from tests.interpreter.programs import REPO
from tests.support.soak import many

pytestmark = pytest.mark.kernel
DOCKER = """\
case "$1" in
    version) ;;
    image) test "$3" = mine:1 ;;
    import) {imports} ;;
esac"""


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """A folder that is PATH and has that of temporary files, an environment, and a system with gold and a secret."""
    package = tmp_path / 'system/usr/lib/package'
    package.mkdir(parents=True)
    (package / 'gold').write_text('gold')
    for name, mode in (('open', 0o644), ('secret', 0o600)):
        (tmp_path / 'system/usr' / name).write_text(name)
        (tmp_path / 'system/usr' / name).chmod(mode)
    (tmp_path / 'temporary').mkdir()
    (tmp_path / 'own/bin').mkdir(parents=True)
    write_command(tmp_path / 'own/bin/python', f'exec {sys.executable} "$@"')
    monkeypatch.setenv('PATH', str(tmp_path))
    monkeypatch.setenv('TMPDIR', str(tmp_path / 'temporary'))
    yield tmp_path
    forget_engine()


def words(folder, *more):
    return ['kernel', 'image', str(folder / 'own/bin/python'), '--root', str(folder / 'system'), *more]


def test_it_has_what_everybody_may_read_and_no_gold(folder, monkeypatch):
    monkeypatch.setattr(host_paths, 'HARNESS', host_paths.Path('/usr/lib/package'))
    listing = folder / 'listing'
    write_command(folder / 'docker', DOCKER.format(imports=f'/usr/bin/tar -tv --numeric-owner >{listing}'))
    assert cli.main(words(folder)) == 0
    entries = [line.split(maxsplit=5) for line in listing.read_text().splitlines()]
    assert {entry[1] for entry in entries} == {'0/0'}
    names = {entry[5].rstrip('/') for entry in entries}
    assert {name for name in names if name.startswith('usr')} == {'usr', 'usr/lib', 'usr/open'}
    assert {f'{folder}/own/bin/python'.lstrip('/'), 'tmp', 'root'} <= names
    assert list((folder / 'temporary').iterdir()) == []


@pytest.mark.parametrize(
    ('given', 'error'),
    [
        (
            ('--tag', 'mine:1'),
            'mine:1: there is an image of this name; remove it (`docker rmi mine:1`), or give another',
        ),
        (('--tag', 'Mine'), 'Mine: no name of an image; it is like me/kernel:1, in small letters'),
        (('--root', '/proc'), '/proc: no operating system, it has no folder usr'),
        (('--command', 'podman'), 'podman is not on PATH (`--command docker` for Docker)'),
        ((), 'docker does not import it: the disk is full'),
    ],
)
def test_what_cannot_be_made_is_one_line(folder, capsys, given, error):
    write_command(folder / 'docker', DOCKER.format(imports='echo the disk is full >&2; exit 1'))
    assert cli.main(words(folder, *given)) == 2
    assert error in ' '.join(capsys.readouterr().err.split())
    assert list((folder / 'temporary').iterdir()) == []


@pytest.mark.parametrize('by', [signal.SIGINT, *many([signal.SIGTERM], [])])
def test_what_is_interrupted_leaves_no_files(folder, by):
    """Podman keeps a copy of all that it is given. This one has more to do then."""
    os.mkfifo(folder / 'begun')
    write_command(
        folder / 'docker',
        DOCKER.format(imports=f'exec >$TMPDIR/copy; echo >{folder}/begun; /usr/bin/cat; exec /usr/bin/sleep 60'),
    )
    command = [sys.executable, '-m', 'cibench_eval.cli', *words(folder)]
    making = subprocess.Popen(command, cwd=REPO, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    (folder / 'begun').read_text()
    making.send_signal(by)
    assert making.wait() == 130
    assert list((folder / 'temporary').iterdir()) == []
