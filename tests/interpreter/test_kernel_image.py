"""`cibench kernel image`: what it refuses. `test_harbor_containers` makes images and runs them."""

import pytest

from cibench_eval import cli
from tests.interpreter.engines import forget_engine, write_command

pytestmark = pytest.mark.kernel


@pytest.fixture
def docker(monkeypatch, tmp_path):
    """A folder that is PATH, and an operating system."""
    (tmp_path / 'system/usr').mkdir(parents=True)
    monkeypatch.setenv('PATH', str(tmp_path))
    forget_engine()
    yield tmp_path
    forget_engine()


def refused(capsys, folder):
    assert cli.main(['kernel', 'image', 'modern', '--root', str(folder)]) == 2
    return ' '.join(capsys.readouterr().err.split())


def test_without_an_engine_or_an_operating_system_it_is_one_line(docker, capsys):
    assert 'docker is not on PATH' in refused(capsys, docker / 'system')
    write_command(docker / 'docker', 'exit 0')
    forget_engine()
    assert f'{docker}: no operating system, it has no folder usr' in refused(capsys, docker)


def test_an_engine_that_refuses_is_quoted(docker, capsys):
    write_command(docker / 'docker', 'test "$1" = version || { echo the disk is full >&2; exit 1; }')
    error = refused(capsys, docker / 'system')
    assert 'cibench-eval/kernel:modern-' in error
    assert 'docker does not import it: the disk is full' in error
