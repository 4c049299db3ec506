"""Kernel environments: the Python environments in which model code runs, never the harness's own.

An environment is built once from a lock (package data in `locks/`) into the cache directory and is then used
offline. Its folder is named by the digest of the lock and the Python version, so a changed lock is a new
environment and an old one is never edited. A marker written last says that it is complete.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cibench_eval.cache import cache_dir, fetch_from_wheel, pip_error
from cibench_eval.schema import CibenchError

Progress = Callable[[str], None]

LOCKS = Path(__file__).parent / 'locks'
MARKER = 'complete.json'
REFERENCE_PYTHON = '3.11'
"""The minor version of CPython that the locks were resolved for."""

MODULES = (
    'pandas',
    'matplotlib',
    'seaborn',
    'scipy',
    'sklearn',
    'lightgbm',
    'torch',
    'tensorflow',
    'nltk',
    'cv2',
)
"""The ten modules that a built environment must be able to import."""

FONT_PACKAGE = 'paperang-p2-fonts-cjk'
FONT_FILE = 'wqy-microhei.ttc'
FONT_SHA256 = '2420e8078af796b19a3f6ef13de527a1a91c1e7171eea115926c614ced1009b3'
SYSTEM_FONT = Path('/usr/share/fonts/truetype/wqy') / FONT_FILE
MATPLOTLIBRC = """\
font.family: DejaVu Sans, WenQuanYi Micro Hei
axes.unicode_minus: False
"""

_FONT_CACHE = """\
import os, sys
from pathlib import Path
import matplotlib
from matplotlib import font_manager
manager = font_manager.FontManager()
allowed = (Path(matplotlib.get_data_path()).resolve(), Path(sys.argv[1]).resolve())
def ours(entry):
    path = Path(matplotlib.get_data_path(), entry.fname).resolve()
    return any(folder in path.parents for folder in allowed)
manager.ttflist = list(filter(ours, manager.ttflist))
manager.afmlist = list(filter(ours, manager.afmlist))
for cache in Path(os.environ['MPLCONFIGDIR']).glob('fontlist-*.json'):
    font_manager.json_dump(manager, cache)
"""
"""Run in the environment: keep matplotlib's own fonts and ours, so that the machine's change no figure."""

_IMPORTS = """\
import importlib, sys
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except Exception as error:
        print(f'{name}: {type(error).__name__}: {error}'.splitlines()[0])
"""

_PACKAGES = """\
import json
from importlib.metadata import distributions
print(json.dumps({d.metadata['Name']: d.version for d in distributions()}))
"""


def names() -> list[str]:
    """Names of the environments that come with the package."""
    return sorted(lock.stem for lock in LOCKS.glob('*.txt'))


@dataclass(frozen=True)
class KernelEnvironment:
    """A Python environment that can run kernels."""

    name: str
    python: Path
    """Its interpreter, as a path inside the environment (symlinks unresolved)."""
    root: Path
    share: Path | None
    """Folder with `fonts/` and a `matplotlib/` configuration; None in a user's own environment."""

    @classmethod
    def find(cls, name_or_python_path: str) -> KernelEnvironment:
        """The built environment of that name, or the user's own behind the path of a python with ipykernel.

        Raises:
            CibenchError: there is none; the message says where it was looked for and how to get it.
        """
        if os.sep in name_or_python_path:
            return _users_own(Path(name_or_python_path).expanduser().absolute())
        root = next(_complete_roots(name_or_python_path), None)
        if root is None:
            raise CibenchError(
                f'kernel environment {name_or_python_path!r} is not built (looked in {_kernels()}): '
                f'run `cibench kernel build {name_or_python_path}`'
            )
        return _at(name_or_python_path, root)

    @property
    def packages(self) -> dict[str, str]:
        """Installed packages and their versions, as recorded when the environment was built."""
        packages: dict[str, str] = _marker(self.root).get('packages', {})
        return packages

    def failed_imports(self, modules: tuple[str, ...] | None = None) -> list[str]:
        """One line for each of the ten modules (or of `modules`) that cannot be imported here."""
        wanted = MODULES if modules is None else modules
        process = _run(self.python, '-c', _IMPORTS, *wanted, env=self._variables())
        if process.returncode:
            return [f'python ended with code {process.returncode}: {_last_line(process.stderr)}']
        return process.stdout.splitlines()

    def _variables(self) -> dict[str, str]:
        """Environment variables under which the environment's own fonts are found."""
        variables = {k: v for k, v in os.environ.items() if not k.startswith('PYTHON')}
        if self.share:
            variables |= {'XDG_DATA_HOME': str(self.share), 'MPLCONFIGDIR': str(self.share / 'matplotlib')}
        return variables | {'TF_CPP_MIN_LOG_LEVEL': '3'}


def build(name: str, *, python: str = sys.executable, progress: Progress = print) -> KernelEnvironment:
    """Build environment `name` from its lock, or return it at once where it is complete.

    An interrupted build is taken up again in the same folder; two builds at once wait for each other.

    Args:
        name: one of `names()`.
        python: the interpreter to build with; the locks are resolved for CPython 3.11.
        progress: called with one line a stage.

    Raises:
        CibenchError: unknown name, unusable python, packages that pip refuses or that do not import.
    """
    lock = _lock_text(name)
    version = _python_version(python)
    key = _digest(f'{lock}python {version}')[:12]
    environment = _at(name, _kernels() / f'{name}-{key}')
    with _only_one(environment.root, progress):
        if _marker(environment.root):
            return environment
        _install(environment, python, version, progress)
        _check_imports(environment, progress)
        _complete(environment, lock, version)
    return environment


def _kernels() -> Path:
    return cache_dir() / 'kernels'


def _at(name: str, root: Path) -> KernelEnvironment:
    return KernelEnvironment(name, root / 'bin' / 'python', root, root / 'share' / 'cibench')


def _complete_roots(name: str) -> Iterator[Path]:
    """Folders of complete environments of the present lock, the reference Python's first."""
    digest = _digest(_lock_text(name))
    markers = {root: _marker(root) for root in _kernels().glob(f'{name}-*')}
    roots = [root for root, marker in markers.items() if marker.get('lock_sha256') == digest]
    return iter(sorted(roots, key=lambda root: markers[root]['python'] != REFERENCE_PYTHON))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _users_own(python: Path) -> KernelEnvironment:
    if not os.access(python, os.X_OK) or python.is_dir():
        raise CibenchError(f'kernel environment {python}: there is no python executable at this path')
    _python_version(str(python))
    if _run(python, '-c', 'import ipykernel').returncode:
        raise CibenchError(f'kernel environment {python}: it has no ipykernel: run `{python} -m pip install ipykernel`')
    return KernelEnvironment(str(python), python, python.parent.parent, None)


def _lock_file(name: str) -> Path:
    if name not in names():
        raise CibenchError(
            f'unknown kernel environment {name!r}: give one of {", ".join(names())} or the path of a python'
        )
    return LOCKS / f'{name}.txt'


def _lock_text(name: str) -> str:
    return _lock_file(name).read_text()


def _marker(root: Path) -> dict[str, Any]:
    """What the completion marker in `root` says, or nothing where the build did not end."""
    try:
        marker = json.loads((root / MARKER).read_text())
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return {}
    return marker if (root / 'bin' / 'python').exists() else {}


def _run(python: Path | str, *arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run a python in isolated mode, so that neither PYTHONPATH nor the user's site gets in."""
    command = [str(python), '-I', *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL)


def _last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), 'no message')


def _python_version(python: str) -> str:
    """`X.Y` of an interpreter.

    Raises:
        CibenchError: it is not there, or not a Python.
    """
    try:
        process = _run(python, '-c', 'import sys; print(*sys.version_info[:2], sep=".")')
    except OSError as error:
        raise CibenchError(f'python {python!r} does not run: {error.strerror}') from error
    if process.returncode:
        raise CibenchError(f'python {python!r} does not run: {_last_line(process.stderr)}')
    return process.stdout.strip()


@contextmanager
def _only_one(root: Path, progress: Progress) -> Iterator[None]:
    """Hold the lock of an environment's folder."""
    root.parent.mkdir(parents=True, exist_ok=True)
    with root.with_name(f'.{root.name}.lock').open('w') as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress(f'waiting for another build of {root.name}')
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _install(environment: KernelEnvironment, python: str, version: str, progress: Progress) -> None:
    name = environment.name
    progress(f'kernel environment {name}: Python {version} in {environment.root}')
    venv = _run(python, '-m', 'venv', str(environment.root))
    if venv.returncode:
        raise CibenchError(
            f'kernel environment {name}: `{python} -m venv` failed: {_last_line(venv.stderr or venv.stdout)}'
        )
    _drop_half_installed(environment)
    _pip_install(environment, version, progress)
    if any(pin.startswith('matplotlib==') for pin in _pins(name)):
        _install_fonts(environment, progress)


def _pins(name: str) -> list[str]:
    lines = (line.strip() for line in _lock_text(name).splitlines())
    return [line for line in lines if line and not line.startswith('#')]


def _drop_half_installed(environment: KernelEnvironment) -> None:
    """Forget packages whose installation was cut off: pip writes RECORD last, and takes them for whole."""
    for package in environment.root.glob('lib/python*/site-packages/*.dist-info'):
        if not (package / 'RECORD').exists():
            shutil.rmtree(package)


def _pip_install(environment: KernelEnvironment, version: str, progress: Progress) -> None:
    """Install the lock; the whole of pip's output goes to `build.log`."""
    command = [str(environment.python), '-I', '-m', 'pip', 'install', '--disable-pip-version-check']
    command += ['--no-input', '--progress-bar', 'off', '-r', str(_lock_file(environment.name))]
    log = environment.root / 'build.log'
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True
    ) as pip:
        _follow(pip, log, environment.name, progress)
    if pip.returncode:
        raise CibenchError(_pip_failure(environment, version, log))


def _follow(pip: subprocess.Popen[str], log: Path, name: str, progress: Progress) -> None:
    """Keep pip's output and tell of every twentieth package."""
    assert pip.stdout is not None
    total, collected = len(_pins(name)), 0
    with log.open('w') as file:
        for line in pip.stdout:
            file.write(line)
            if line.startswith(('Collecting ', 'Processing ')):
                collected += 1
                if collected % 20 == 0:
                    progress(f'kernel environment {name}: {collected} of {total} packages downloaded')
            elif line.startswith('Installing collected packages'):
                progress(f'kernel environment {name}: installing {total} packages (a minute or two)')


def _pip_failure(environment: KernelEnvironment, version: str, log: Path) -> str:
    name = environment.name
    message = f'kernel environment {name}: pip failed: {pip_error(log.read_text())} (log: {log})'
    if version == REFERENCE_PYTHON:
        return message
    reference = f'python{REFERENCE_PYTHON}'
    return f'{message}; the lock is for {reference}: run `cibench kernel build {name} --python {reference}`'


def _check_imports(environment: KernelEnvironment, progress: Progress) -> None:
    progress(f'kernel environment {environment.name}: importing {len(MODULES)} modules')
    if failed := environment.failed_imports():
        raise CibenchError(f'kernel environment {environment.name}: does not import {"; ".join(failed)}')


def _complete(environment: KernelEnvironment, lock: str, version: str) -> None:
    """Write the marker, in one piece, as the last act of a build."""
    packages = json.loads(_run(environment.python, '-c', _PACKAGES).stdout)
    marker = {
        'name': environment.name,
        'lock_sha256': _digest(lock),
        'python': version,
        'packages': dict(sorted(packages.items())),
    }
    part = environment.root / f'{MARKER}.part'
    part.write_text(json.dumps(marker, indent=1))
    part.replace(environment.root / MARKER)


def _install_fonts(environment: KernelEnvironment, progress: Progress) -> None:
    """Give the environment a Chinese font of its own, so that figures are the same on every machine."""
    assert environment.share is not None
    configuration, fonts = environment.share / 'matplotlib', environment.share / 'fonts'
    for folder in (configuration, fonts):
        folder.mkdir(parents=True, exist_ok=True)
    (configuration / 'matplotlibrc').write_text(MATPLOTLIBRC)
    if not _fetch_font(fonts / FONT_FILE):
        progress(f'warning: no Chinese font: neither {FONT_PACKAGE} (package index) nor {SYSTEM_FONT} could be had')
    cached = _run(environment.python, '-c', _FONT_CACHE, str(fonts), env=environment._variables())
    if cached.returncode:
        raise CibenchError(f'kernel environment {environment.name}: font cache: {_last_line(cached.stderr)}')


def _fetch_font(target: Path) -> bool:
    """Put the font at `target`, from the package index or else from the system; True where it is there."""
    try:
        data = fetch_from_wheel(FONT_PACKAGE, FONT_FILE, FONT_SHA256)
    except CibenchError:
        if not SYSTEM_FONT.is_file():
            return False
        data = SYSTEM_FONT.read_bytes()
    target.write_bytes(data)
    return True
