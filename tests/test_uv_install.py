"""uv asks where pip would ask: pip's files and variables, translated; what is set for uv itself comes first."""

import importlib.metadata
import os
import subprocess
import sys
import sysconfig

import pytest
from packaging.specifiers import SpecifierSet

from cibench_eval.packages import fetch_from_wheel
from cibench_eval.schema import CibenchError
from cibench_eval.uv_install import install
from tests.support.notebooks import REPO
from tests.support.soak import many
from tests.support.wheels import publish

FILE = REPO / 'cibench_eval/uv_install.py'
SETTINGS = """\
[global]
index-url = https://mirror.example/simple
extra-index-url =
    https://one.example/simple
    https://two.example/simple
cert = /general.pem
proxy = http://proxy.example:8080
trusted-host = one.example
[install]
cert = /install.pem
[wheel]
find-links = https://not.for.install/
"""


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A machine on which nothing is set, for pip or for uv; its pip reads the file that is returned and no other."""
    for name in [*os.environ]:
        if name.startswith(('PIP_', 'UV_', 'SSL_CERT')) or name.upper().endswith('_PROXY'):
            monkeypatch.delenv(name)
    for name in ('HOME', 'XDG_CONFIG_HOME', 'XDG_CONFIG_DIRS'):
        monkeypatch.setenv(name, str(tmp_path))
    file = tmp_path / 'pip.conf'
    monkeypatch.setenv('PIP_CONFIG_FILE', os.devnull)  # pip reads nothing but variables then
    return file


def variables(**options):
    """What uv is told that is not told to every process."""
    _, environment = install([], **options)
    return {name: value for name, value in environment.items() if os.environ.get(name) != value}


def test_where_nothing_is_set_uv_is_told_the_build_of_torch_alone(bare):
    assert variables() == {}
    assert variables(torch='cpu') == {'UV_TORCH_BACKEND': 'cpu'}


def test_pips_file_is_translated(bare, monkeypatch):
    bare.write_text(SETTINGS)
    monkeypatch.setenv('PIP_CONFIG_FILE', str(bare))
    assert variables(torch='cpu') == {
        'UV_DEFAULT_INDEX': 'https://mirror.example/simple',
        'UV_INDEX': 'https://one.example/simple https://two.example/simple',
        'UV_INDEX_STRATEGY': 'unsafe-best-match',
        'SSL_CERT_FILE': '/install.pem',
        'ALL_PROXY': 'http://proxy.example:8080',
        'UV_INSECURE_HOST': 'one.example',
    }


def test_variables_come_before_files_and_those_of_uv_before_both(bare, monkeypatch):
    bare.write_text(SETTINGS)
    monkeypatch.setenv('PIP_CONFIG_FILE', str(bare))
    monkeypatch.setenv('PIP_EXTRA_INDEX_URL', 'https://three.example/simple')
    monkeypatch.setenv('UV_DEFAULT_INDEX', 'https://for.uv/simple')
    _, environment = install([])
    assert environment['UV_INDEX'] == 'https://three.example/simple'
    assert environment['UV_DEFAULT_INDEX'] == 'https://for.uv/simple'


@pytest.mark.parametrize(
    'name', ['PIP_INDEX_URL', *many(['PIP_EXTRA_INDEX_URL', 'PIP_FIND_LINKS', 'UV_DEFAULT_INDEX'], [])]
)
def test_a_mirror_gives_torch_too(bare, monkeypatch, name):
    monkeypatch.setenv(name, 'https://mirror.example/simple')
    assert 'UV_TORCH_BACKEND' not in variables(torch='cpu')


def test_the_build_of_torch_can_be_chosen(bare, monkeypatch):
    monkeypatch.setenv('UV_TORCH_BACKEND', 'cu130')
    assert install([], 'cpu')[1]['UV_TORCH_BACKEND'] == 'cu130'


def test_a_relative_folder_of_wheels_stays_the_same_folder(bare, tmp_path, monkeypatch):
    (tmp_path / 'wheels').mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv('PIP_FIND_LINKS', 'wheels https://links.example/')
    assert variables() == {'UV_FIND_LINKS': f'{tmp_path}/wheels,https://links.example/'}


def test_no_index_means_no_index(bare, tmp_path, monkeypatch):
    monkeypatch.setenv('PIP_NO_INDEX', '1')
    publish(tmp_path, 'small==1.0', {'small.txt': b'x'})
    with pytest.raises(CibenchError, match=r'^small==1\.0: cannot be had: No solution found .*small was not found'):
        fetch_from_wheel('small==1.0', {'small.txt': ''})
    monkeypatch.setenv('PIP_FIND_LINKS', str(tmp_path))
    with pytest.raises(CibenchError, match=r'does not hold the expected \*small.txt'):
        fetch_from_wheel('small==1.0', {'small.txt': ''})


def test_it_runs_before_anything_is_installed(bare, tmp_path, monkeypatch):
    """As `make setup` calls it: a Python with nothing in it but pip, and uv on PATH."""
    publish(tmp_path, 'small==1.0', {'small.py': b'x = 1'})
    monkeypatch.setenv('PIP_NO_INDEX', '1')
    monkeypatch.setenv('PIP_FIND_LINKS', str(tmp_path))
    monkeypatch.setenv('PATH', sysconfig.get_path('scripts'), prepend=os.pathsep)
    command = [sys.executable, '-I', '-S', FILE, '--python', sys.executable, '--target', tmp_path / 'to', 'small']
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / 'to/small.py').exists()


@pytest.mark.parametrize(
    ('output', 'line'),
    [
        ('Resolved 3\nerror: No solution\n  cause: Because a\n\nhint: try b\n', 'No solution: Because a'),
        *many([('error: Failed\n  cause: one\n  cause: two\n', 'Failed: one: two'), ('', 'no message')], []),
        ('killed\n', 'killed'),
    ],
)
def test_an_error_of_uv_is_one_line(output, line, tmp_path, monkeypatch):
    (tmp_path / 'said').write_text(output)
    (tmp_path / 'uv').write_text(f'#!/bin/sh\ncat {tmp_path}/said\nexit 1\n')
    (tmp_path / 'uv').chmod(0o755)
    monkeypatch.setattr('uv.find_uv_bin', lambda: str(tmp_path / 'uv'))
    with pytest.raises(CibenchError) as error:
        fetch_from_wheel('small==1.0', {})
    assert str(error.value) == f'small==1.0: cannot be had: {line}'


def test_every_3_11_can_install_the_lock():
    """Debian 12 has 3.11.2, and some packages ask for 3.11.5."""
    parts = [part.metadata for part in importlib.metadata.distributions()]
    asks = {part.get('Name'): part.get('Requires-Python') for part in parts}
    assert [name for name, python in asks.items() if python and '3.11.0' not in SpecifierSet(python)] == []
