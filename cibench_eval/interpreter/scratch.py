"""One folder for all sessions of a process; the folders of processes that were killed are swept away.

A process holds a lock on its folder as long as it lives, however it ends. Whoever can take the lock of a
folder knows that its owner is gone.
"""

from __future__ import annotations

import atexit
import fcntl
import functools
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import IO

PREFIX = 'cibench-'
UNLOCKED = 'new-cibench-'
LOCK = 'lock'


_held: list[IO[str] | None] = []
"""The lock of this process, open until it ends."""
_one_at_a_time = threading.Lock()


def scratch() -> Path:
    """This process's folder below the temporary directory, made at the first call, deleted when the process ends."""
    with _one_at_a_time:
        return _make()


@functools.cache
def _make() -> Path:
    """The folder gets the name that others look for only once it is locked: they never see it without."""
    sweep(Path(tempfile.gettempdir()))
    made = Path(tempfile.mkdtemp(prefix=UNLOCKED))
    _held.append(_locked(made / LOCK, create=True))
    folder = made.rename(made.with_name(PREFIX + made.name.removeprefix(UNLOCKED)))
    atexit.register(remove_tree, folder)
    return folder


def remove_tree(folder: Path) -> None:
    """Delete a folder in which hostile code may have written: `shutil.rmtree` fails where it is nested deep."""
    remove = ['rm', '-rf', '--', str(folder)]
    if subprocess.run(remove, stdin=subprocess.DEVNULL, capture_output=True).returncode:  # folders may be read-only
        subprocess.run(['chmod', '-R', 'u+rwX', '--', str(folder)], capture_output=True)
        subprocess.run(remove, stdin=subprocess.DEVNULL, capture_output=True)


def sweep(parent: Path) -> None:
    """Delete the folders below `parent` whose processes have ended without doing so."""
    for path in parent.glob(f'{PREFIX}*/{LOCK}'):
        lock = _locked(path, create=False)
        if lock is not None:
            remove_tree(path.parent)
            lock.close()


def _locked(path: Path, *, create: bool) -> IO[str] | None:
    """The open file `path` with its lock, None where another process holds it or it is not ours to open."""
    try:
        file = path.open('w' if create else 'r+')
    except OSError:  # gone, not ours to open, or what somebody has put in the place of a file
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file
