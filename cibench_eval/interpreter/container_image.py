"""Images of containers that are made here, of this machine's own files: no registry is asked."""

import functools
import hashlib
import io
import os
import re
import subprocess
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

from cibench_eval.cache import cache_dir
from cibench_eval.environments import last_line
from cibench_eval.interpreter.container_engine import Engine
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.host_paths import READABLE, SYSTEM, folders_of, hidden
from cibench_eval.schema import CibenchError, HarnessError

EMPTY = ('dev', 'etc', 'opt', 'proc', 'session', 'sys', 'tmp')
"""The folders of the empty image; the rest are links."""
FOLDERS = (*EMPTY, 'home', 'root', 'run', 'var', 'var/tmp')
"""The folders of an image of a kernel environment, beside those that have files of this machine."""
TEMPORARY = ('tmp', 'var/tmp')
"""Folders among these to which everybody may write."""
NAME = re.compile(r'[a-z0-9]+([._:/-]+[a-z0-9]+)*(:\w[\w.-]*)?')
"""Registry, name and tag of an image."""
PROGRAMS = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'


@functools.cache
def empty_image(engine: Engine) -> str:
    """The image of links and empty folders into which the operating system is mounted; made if it is missing.

    Raises:
        HarnessError: the engine does not make it.
    """
    content = empty_content()
    name = f'cibench-eval/empty:{hashlib.sha256(content).hexdigest()[:12]}'
    if engine.run('image', 'inspect', name).returncode:
        done = engine.run('import', '-', name, data=content)
        if done.returncode:
            raise HarnessError(f'kernel: {engine.command} does not import an image: {last_line(done.stderr)}')
    return name


def empty_content() -> bytes:
    """The empty image as a tar archive, always the same bytes."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode='w') as tar:
        for name in EMPTY:
            tar.addfile(_folder(name))
        for path in map(Path, SYSTEM):
            if path.is_symlink():
                link = tarfile.TarInfo(str(path.relative_to('/')))
                link.type, link.linkname = tarfile.SYMTYPE, str(path.readlink())
                tar.addfile(link)
    return archive.getvalue()


def make_kernel_image(
    engine: Engine, environment: KernelEnvironment, name: str, root: Path, progress: Callable[[str], None]
) -> None:
    """Make an image of an operating system and a kernel environment, each file at its own path.

    It has the files that everybody may read. This package stays out, wherever it is installed, because it has gold.

    Args:
        root: folder of the operating system; `/` for this machine's.
        progress: is told what is made, of what.

    Raises:
        CibenchError: no image can have that name, or one has it; there is no operating system; folders of the
            environment cannot be shown to sessions; the engine refuses the image.
    """
    if not NAME.fullmatch(name):
        raise CibenchError(f'{name}: no name of an image; it is like me/kernel:1, in small letters')
    if not engine.run('image', 'inspect', name).returncode:
        raise CibenchError(
            f'{name}: there is an image of this name; remove it (`{engine.command} rmi {name}`), or give another name'
        )
    if not (root / 'usr').is_dir():
        raise CibenchError(f'{root}: no operating system, it has no folder usr')
    folders = folders_of(environment, by_others=True)
    progress(f'{name}: from {root} and {environment.root}; this takes minutes')
    variables = {'PATH': f'{environment.python.parent}:{PROGRAMS}', 'CIBENCH_CACHE': str(cache_dir())}
    changes = [word for key, value in variables.items() for word in ('--change', f'ENV {key}="{value}"')]
    with tempfile.TemporaryDirectory(dir=os.environ.get('TMPDIR') or '/var/tmp') as folder:
        error = _imported([engine.command, 'import', *changes, '-', name], folders, root, Path(folder))
    if error:
        raise CibenchError(f'{name}: {engine.command} does not import it: {error}')


def _imported(command: list[str], folders: tuple[Path, ...], root: Path, temporary: Path) -> str:
    """Run a command that reads the archive of an image, and return its error; empty where it has none.

    Podman keeps a copy of the archive among its temporary files, and leaves it there if it is killed.
    """
    variables = os.environ | {'TMPDIR': str(temporary)}
    with (temporary / 'errors').open('w+b') as errors:
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors, env=variables
        ) as importing:
            assert importing.stdin is not None
            try:
                with importing.stdin:
                    _write(importing.stdin, folders, root)
                importing.wait()
            except BrokenPipeError:  # it has refused the archive, and says why
                importing.wait()
            finally:
                importing.kill()  # it would take the start of an archive for the whole
        errors.seek(0)
        return last_line(errors.read()) if importing.returncode else ''


def _write(file: IO[bytes], folders: tuple[Path, ...], root: Path) -> None:
    """Write the content of an image of a kernel environment as a tar archive."""
    kept = functools.partial(_everybodys, hidden((*SYSTEM, *map(str, folders))))
    with tarfile.open(fileobj=file, mode='w|') as tar:
        parents = {str(parent).strip('/') for folder in folders for parent in folder.parents} - {''}
        for name in sorted({*FOLDERS, *parents}):
            tar.addfile(_folder(name))
        for path in SYSTEM:
            there = root / path.lstrip('/')
            if there.is_symlink() or there.exists():
                tar.add(there, path, filter=kept)
        for folder in folders:
            tar.add(folder, folder, filter=kept)


def _folder(name: str) -> tarfile.TarInfo:
    folder = tarfile.TarInfo(name)
    folder.type, folder.mode = tarfile.DIRTYPE, 0o1777 if name in TEMPORARY else 0o755
    return folder


def _everybodys(own: list[str], entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """An entry as root's; None for one that not everybody may read, a device, and what is in `own`: this package."""
    wanted = READABLE if entry.isdir() else 0o004
    if entry.mode & wanted != wanted or entry.isdev() or f'/{entry.name}' in own:
        return None
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ''
    return entry
