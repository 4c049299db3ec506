"""`uv pip install` with the settings of pip: indexes, mirrors, certificate and proxy.

    .venv/bin/python -I cibench_eval/uv_install.py --python .venv/bin/python -r requirements/harness.lock

Only the standard library is imported: this file installs the harness itself.
"""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

VARIABLES = {
    'index-url': 'UV_DEFAULT_INDEX',
    'extra-index-url': 'UV_INDEX',
    'find-links': 'UV_FIND_LINKS',
    'trusted-host': 'UV_INSECURE_HOST',
    'cert': 'SSL_CERT_FILE',
    'client-cert': 'SSL_CLIENT_CERT',
    'proxy': 'ALL_PROXY',
    'timeout': 'UV_HTTP_TIMEOUT',
    'default-timeout': 'UV_HTTP_TIMEOUT',
}
"""Settings of pip, with uv's variables for them."""
MIRRORS = {'UV_DEFAULT_INDEX', 'UV_INDEX', 'UV_INDEX_URL', 'UV_EXTRA_INDEX_URL', 'UV_FIND_LINKS'}
"""Where one of these is set, all packages come from there, torch included."""


def install(arguments: Sequence[str], torch: str = '') -> tuple[list[str], dict[str, str]]:
    """The command that installs, and its environment. Settings for uv override settings for pip.

    Args:
        torch: the build of torch to install (`cpu`) where no mirror is set; empty: the index decides.

    Raises:
        FileNotFoundError: there is no uv.
    """
    settings = pip_settings()
    no_index = settings.get('no-index', 'false').lower() in ('1', 'true', 'yes', 'on')
    environment = translated(settings) | os.environ
    if torch and not no_index and not MIRRORS & environment.keys():
        environment.setdefault('UV_TORCH_BACKEND', torch)
    return [uv(), 'pip', 'install', *(['--no-index'] if no_index else []), *arguments], environment


def pip_settings() -> dict[str, str]:
    """pip's settings: from its files (as pip itself lists them, if installed), then from the variables `PIP_…`."""
    command = [sys.executable, '-I', '-m', 'pip', 'config', 'list']
    listed = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
    settings: dict[str, str] = {}
    for section in ('global.', 'install.'):
        lines = [line.removeprefix(section) for line in listed.splitlines() if line.startswith(section)]
        settings |= {name: str(ast.literal_eval(value)) for name, _, value in (line.partition('=') for line in lines)}
    variables = {name[4:].lower().replace('_', '-'): value for name, value in os.environ.items() if name[:4] == 'PIP_'}
    return settings | {name: value for name, value in variables.items() if value}


def translated(settings: dict[str, str]) -> dict[str, str]:
    """Settings of pip as variables of uv."""
    found = {VARIABLES[name]: value for name, value in settings.items() if name in VARIABLES}
    for name in ('UV_INDEX', 'UV_INSECURE_HOST'):
        if name in found:
            found[name] = ' '.join(found[name].split())
    if links := found.get('UV_FIND_LINKS', '').split():
        # uv runs in another folder.
        found['UV_FIND_LINKS'] = ','.join(str(Path(link).absolute()) if Path(link).exists() else link for link in links)
    if 'UV_INDEX' in found:
        found['UV_INDEX_STRATEGY'] = 'unsafe-best-match'  # as pip does: the best version from all indexes
    return found


def uv() -> str:
    """Path of uv: from the package uv, else from PATH; a `FileNotFoundError` where there is none."""
    try:
        from uv import find_uv_bin

        return find_uv_bin()
    except (ImportError, FileNotFoundError):
        if path := shutil.which('uv'):
            return path
    raise FileNotFoundError('uv is not installed: run `pip install uv`')


def main() -> None:
    """Install the harness. On a machine with a GPU, torch is the index's build, for CUDA."""
    gpu = Path('/proc/driver/nvidia/version').exists() or shutil.which('nvidia-smi')
    try:
        command, environment = install(sys.argv[1:], torch='' if gpu else 'cpu')
    except FileNotFoundError as error:
        sys.exit(str(error))
    os.execve(command[0], command, environment)


if __name__ == '__main__':
    main()
