"""One temporary folder per process for all its sessions; folders that killed processes left behind are deleted.

A process holds a lock on its folder as long as it lives. A folder whose lock is free has lost its owner.
"""

import atexit
import fcntl
import functools
import os
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import IO

PREFIX = 'cibench-'
UNLOCKED = 'new-cibench-'
"""What the name of a folder begins with until it is locked; the id of its process follows."""
LOCK = 'lock'

_held: list[IO[str] | None] = []
"""The lock file of this process, open until it ends."""
_one_at_a_time = threading.Lock()


def scratch() -> Path:
    """This process's folder in the temporary directory; the first call makes it, the end of the process deletes it."""
    with _one_at_a_time:
        return _make()


@functools.cache
def _make() -> Path:
    sweep(Path(tempfile.gettempdir()))
    # Renamed when it is locked: others look for PREFIX, so they never find the folder without its lock.
    made = Path(tempfile.mkdtemp(prefix=f'{UNLOCKED}{os.getpid()}-'))
    _held.append(_locked(made / LOCK, create=True))
    folder = made.rename(made.with_name(PREFIX + made.name.rpartition('-')[2]))
    atexit.register(remove_tree, folder)
    return folder


def remove_tree(folder: Path) -> None:
    """Delete a folder into which hostile code may have written: `shutil.rmtree` fails where it is nested deep."""
    remove = ['rm', '-rf', '--', str(folder)]
    if subprocess.run(remove, stdin=subprocess.DEVNULL, capture_output=True).returncode:  # folders may be read-only
        subprocess.run(['chmod', '-R', 'u+rwX', '--', str(folder)], capture_output=True)
        subprocess.run(remove, stdin=subprocess.DEVNULL, capture_output=True)


def sweep(parent: Path) -> None:
    """Delete the folders in `parent` whose processes have ended."""
    for path in parent.glob(f'{PREFIX}*/{LOCK}'):
        lock = _locked(path, create=False)
        if lock is not None:
            remove_tree(path.parent)
            lock.close()
    for path in parent.glob(f'{UNLOCKED}*-*'):
        owner = path.name.removeprefix(UNLOCKED).partition('-')[0]
        if owner.isdigit() and not Path('/proc', owner).exists():
            remove_tree(path)


def _locked(path: Path, *, create: bool) -> IO[str] | None:
    """Open and lock the file `path`; None if another process holds the lock, or the file cannot be opened."""
    try:
        file = path.open('w' if create else 'r+')
    except OSError:  # gone, not ours, or not a file
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file
