"""Python environments that uv builds from locks in the package: for kernels and for model servers.

An environment is built once into the cache directory and then used offline. The digest of the lock and the Python
version name its folder, so a changed lock makes a new environment, and the packages of an old one never change. A
marker is written last: without it, a build starts again from what uv has cached.
"""

import hashlib
import json
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from cibench_eval import uv_install
from cibench_eval.cache import cache_dir, only_one
from cibench_eval.files import write_whole
from cibench_eval.packages import install_packages
from cibench_eval.schema import CibenchError

Progress = Callable[[str], None]
Marker = dict[str, Any]
Finish = Callable[[Path, Marker, bool], Marker]
"""Given a folder, its marker and whether it is new: adds what the folder lacks and returns the new marker."""

VENV = ('-m', 'venv', '--clear')
MARKER = 'complete.json'
REFERENCE_PYTHON = '3.11'
"""The Python version for which the locks are resolved."""

_SOFTWARE = """\
import json, platform
from importlib.metadata import distributions
packages = {str(d.metadata['Name']): d.version for d in distributions()}
print(json.dumps([platform.python_version(), dict(sorted(packages.items()))]))
"""
_IMPORTS = """\
import importlib, sys
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except Exception as error:
        print(f'{name}: {type(error).__name__}: {error}'.splitlines()[0])
"""


@dataclass(frozen=True)
class LockedEnvironment:
    """An environment and its lock."""

    kind: Literal['kernel', 'server']
    """What it is for; names its folder in the cache and the command that builds it."""
    lock: Path
    """File of pinned packages, with all dependencies."""
    torch: str = ''
    """The build of torch to install where the machine has no package mirror; empty: the index decides."""
    alone: bool = False
    """Install the pinned packages without their dependencies."""

    @property
    def name(self) -> str:
        return self.lock.stem

    @property
    def title(self) -> str:
        return f'{self.kind} environment {self.name}'

    @property
    def folder(self) -> Path:
        """The folder of all environments of this kind."""
        return cache_dir() / f'{self.kind}s'

    @property
    def build_command(self) -> str:
        return f'cibench {self.kind} build {self.name}'

    @property
    def digest(self) -> str:
        return sha256_of(self.lock.read_text())

    def root(self, version: str) -> Path:
        """The folder of the environment for a Python version, built or not."""
        key = sha256_of(f'{self.lock.read_text()}python {version}')[:12]
        return self.folder / f'{self.name}-{key}'

    def complete_root(self) -> Path | None:
        """The folder of a complete environment of the present lock, preferably of the reference Python."""
        markers = {root: read_marker(root) for root in self.folder.glob(f'{self.name}-*')}
        roots = [root for root, marker in markers.items() if marker.get('lock_sha256') == self.digest]
        return min(roots, key=lambda root: markers[root]['python'] != REFERENCE_PYTHON, default=None)

    def build(self, python: str | None, progress: Progress, finish: Finish) -> Path:
        """Build the environment unless it is complete, and return its folder. Simultaneous builds wait for each other.

        Args:
            python: the interpreter to build with; None is CPython 3.11, or ours where there is none.
            progress: called with one line per stage.
            finish: called before the marker is written, also for a complete environment.

        Raises:
            CibenchError: unusable python, or packages that uv refuses.
        """
        python = python or _reference_python()
        version = python_version(python)
        root = self.root(version)
        with only_one(root, progress):
            old = read_marker(root)
            new = finish(root, old or self._install(root, python, version, progress), not old)
            if new != old:
                # Kernels can run as other users, and files from uv's cache keep the permissions they had there.
                subprocess.run(['chmod', '-R', 'a+rX', str(root)], check=True)
                write_whole(root / MARKER, json.dumps(new, indent=1))
        return root

    def _install(self, root: Path, python: str, version: str, progress: Progress) -> Marker:
        """Make the environment in `root`; all output of uv goes to `build.log`. Returns the content of the marker."""
        progress(f'{self.title}: Python {version} in {root}')
        venv = run_python(python, *VENV, str(root))
        if venv.returncode:
            raise CibenchError(f'{self.title}: `{python} -m venv` failed: {last_line(venv.stderr or venv.stdout)}')
        own, log = root / 'bin' / 'python', root / 'build.log'
        # Kernels see it read-only: what is not compiled now, each of them would compile again.
        arguments = ['-r', str(self.lock.absolute()), '--compile-bytecode', *(['--no-deps'] if self.alone else [])]
        try:
            install_packages(own, arguments, log, lambda line: progress(f'{self.title}: {line}'), self.torch)
        except CibenchError as error:
            raise CibenchError(f'{self.title}: {error}; {self._how_to_fix(version)}') from error
        _, packages = software(self.title, own)
        return {'name': self.name, 'lock_sha256': self.digest, 'python': version, 'packages': packages}

    def _how_to_fix(self, version: str) -> str:
        if version == REFERENCE_PYTHON:
            return f'run `{self.build_command}` again'
        return f'the lock is for CPython {REFERENCE_PYTHON}: `uv python install {REFERENCE_PYTHON}`, and build again'


def _reference_python() -> str:
    """An interpreter of the version of the locks: ours, or one that uv finds; ours where there is none."""
    if platform.python_version().startswith(f'{REFERENCE_PYTHON}.'):
        return sys.executable
    try:
        command = [uv_install.uv(), 'python', 'find', '--system', '--no-python-downloads', REFERENCE_PYTHON]
    except FileNotFoundError as error:
        raise CibenchError(str(error)) from error
    return subprocess.run(command, capture_output=True, text=True).stdout.strip() or sys.executable


def sha256_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def read_marker(root: Path) -> Marker:
    """The content of the completion marker in `root`; empty where the build did not end."""
    try:
        marker: Marker = json.loads((root / MARKER).read_text())
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return {}
    return marker if (root / 'bin' / 'python').exists() else {}


def run_python(
    python: Path | str, *arguments: str, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a python in isolated mode, without PYTHONPATH and the user's site-packages."""
    command = [str(python), '-I', *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL)


def failed_imports(python: Path, modules: Iterable[str], env: Mapping[str, str] | None = None) -> list[str]:
    """One line for each module that this python cannot import."""
    process = run_python(python, '-c', _IMPORTS, *modules, env=env)
    if process.returncode:
        return [f'python ended with code {process.returncode}: {last_line(process.stderr)}']
    return process.stdout.splitlines()


def last_line(output: str | bytes, default: str = 'no message') -> str:
    """The last line that a command printed, blank ones left out."""
    text = output.decode(errors='replace') if isinstance(output, bytes) else output
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), default)


def python_version(python: str) -> str:
    """`X.Y` of an interpreter; a `CibenchError` where it is not there, or not a Python."""
    try:
        process = run_python(python, '-c', 'import sys; print(*sys.version_info[:2], sep=".")')
    except OSError as error:
        raise CibenchError(f'python {python!r} does not run: {error.strerror}') from error
    if process.returncode:
        raise CibenchError(f'python {python!r} does not run: {last_line(process.stderr)}')
    return process.stdout.strip()


def software(title: str, python: Path) -> tuple[str, dict[str, str]]:
    """The full Python version of an environment, and its packages; a `CibenchError` where its python is none."""
    process = run_python(python, '-c', _SOFTWARE)
    try:
        version, packages = json.loads(process.stdout)
    except ValueError as error:
        raise CibenchError(f'{title}: it does not run as a Python: {last_line(process.stderr)}') from error
    return version, packages
