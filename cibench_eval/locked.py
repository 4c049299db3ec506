"""Python environments that are built from locks: those of kernels, and those of model servers.

An environment is built once into the cache directory and is then used offline. Its folder is named by the digest of
the lock and the Python version, so a changed lock is a new environment and the packages of an old one are never
edited. A marker written last says that it is complete.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cibench_eval.cache import pip_error, pip_install
from cibench_eval.files import write_whole
from cibench_eval.schema import CibenchError

Progress = Callable[[str], None]

MARKER = 'complete.json'

_SOFTWARE = """\
import json, platform
from importlib.metadata import distributions
packages = {str(d.metadata['Name']): d.version for d in distributions()}
print(json.dumps([platform.python_version(), dict(sorted(packages.items()))]))
"""


@dataclass(frozen=True)
class Locked:
    """A kind of environment and its lock.

    Args:
        title: what it is called in messages, e.g. `kernel environment modern`.
        lock: file of pinned packages, all that are needed.
        folder: where environments of its kind are.
        build: the command that builds it.
        reference_python: the minor version of CPython that the lock was resolved for.
        alone: install the pinned packages and nothing that they ask for.
    """

    title: str
    lock: Path
    folder: Path
    build: str
    reference_python: str
    alone: bool = False

    @property
    def digest(self) -> str:
        return digest(self.lock.read_text())

    def root(self, version: str) -> Path:
        """The folder of the environment for a Python version, built or not."""
        key = digest(f'{self.lock.read_text()}python {version}')[:12]
        return self.folder / f'{self.lock.stem}-{key}'

    def complete_root(self) -> Path | None:
        """The folder of a complete environment of the present lock, the reference Python's first."""
        markers = {root: read_marker(root) for root in self.folder.glob(f'{self.lock.stem}-*')}
        roots = [root for root, marker in markers.items() if marker.get('lock_sha256') == self.digest]
        return min(roots, key=lambda root: markers[root]['python'] != self.reference_python, default=None)

    def install(self, root: Path, python: str, version: str, progress: Progress) -> None:
        """Make the environment in `root`, or go on with what is there; the whole of pip's output goes to `build.log`.

        Raises:
            CibenchError: venv or pip failed.
        """
        progress(f'{self.title}: Python {version} in {root}')
        venv = run_python(python, '-m', 'venv', str(root))
        if venv.returncode:
            raise CibenchError(f'{self.title}: `{python} -m venv` failed: {last_line(venv.stderr or venv.stdout)}')
        _drop_half_installed(root)
        if self.alone:
            (root / 'pip.conf').write_text('[install]\nno-deps = yes\n')
        log = root / 'build.log'
        if pip_install(root / 'bin' / 'python', self.lock, log, lambda line: progress(f'{self.title}: {line}')):
            return
        message = f'{self.title}: pip failed: {pip_error(log.read_text())} (log: {log})'
        if version != (reference := self.reference_python):
            message += f'; the lock is for python{reference}: run `{self.build} --python python{reference}`'
        raise CibenchError(message)

    def description(self, root: Path, version: str) -> dict[str, Any]:
        """What the marker of an environment says."""
        _, packages = software(self.title, root / 'bin' / 'python')
        return {'name': self.lock.stem, 'lock_sha256': self.digest, 'python': version, 'packages': packages}


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def read_marker(root: Path) -> dict[str, Any]:
    """What the completion marker in `root` says, or nothing where the build did not end."""
    try:
        marker = json.loads((root / MARKER).read_text())
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return {}
    return marker if (root / 'bin' / 'python').exists() else {}


def write_marker(root: Path, marker: dict[str, Any]) -> None:
    """In one piece, as the last act of a build."""
    write_whole(root / MARKER, json.dumps(marker, indent=1))


def run_python(
    python: Path | str, *arguments: str, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a python in isolated mode, so that neither PYTHONPATH nor the user's site gets in."""
    command = [str(python), '-I', *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL)


def last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), 'no message')


def python_version(python: str) -> str:
    """`X.Y` of an interpreter.

    Raises:
        CibenchError: it is not there, or not a Python.
    """
    try:
        process = run_python(python, '-c', 'import sys; print(*sys.version_info[:2], sep=".")')
    except OSError as error:
        raise CibenchError(f'python {python!r} does not run: {error.strerror}') from error
    if process.returncode:
        raise CibenchError(f'python {python!r} does not run: {last_line(process.stderr)}')
    return process.stdout.strip()


def software(title: str, python: Path) -> tuple[str, dict[str, str]]:
    """The full version of an environment's Python, and all packages with their versions.

    Raises:
        CibenchError: its python does not run.
    """
    process = run_python(python, '-c', _SOFTWARE)
    if process.returncode:
        raise CibenchError(f'{title}: it does not run: {last_line(process.stderr)}')
    version, packages = json.loads(process.stdout)
    return version, packages


def _drop_half_installed(root: Path) -> None:
    """Forget packages whose installation was cut off: pip writes RECORD last, and takes them for whole."""
    for package in root.glob('lib/python*/site-packages/*.dist-info'):
        if not (package / 'RECORD').exists():
            shutil.rmtree(package)
