"""A folder as each machine of a cluster sees it: others' changes seconds late, and no lock of theirs.

Each machine has a mount of its own by bindfs (FUSE), in a mount namespace. Linux keeps what such a mount has said of
names, sizes and missing files for SECONDS, as an NFS client does, and keeps locks within it.
"""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

SECONDS = 3
MOUNTED = (
    'bindfs -o nonempty,attr_timeout={0},entry_timeout={0},negative_timeout={0} "$0" "$0" && cd "$PWD" && exec "$@"'
)


@contextmanager
def seen_late(folder: Path) -> Iterator[list[str]]:
    """The words before a command with which it sees a folder as another machine; all mounts go at the end.

    The test is skipped where no such mount can be made.
    """
    before = ['unshare', '--mount', 'sh', '-c', MOUNTED.format(SECONDS), str(folder)]
    if not shutil.which('bindfs'):
        pytest.skip('no bindfs here: apt-get install --no-install-recommends bindfs')
    try:
        if subprocess.run([*before, 'true'], capture_output=True, check=False).returncode:
            pytest.skip('mounts of FUSE cannot be made here')
        yield before
    finally:
        for process in psutil.process_iter(['name', 'cmdline']):
            with suppress(psutil.NoSuchProcess):
                words = process.info['cmdline'] or ()  # one that has just ended has none
                if process.info['name'] == 'bindfs' and str(folder) in words:
                    process.kill()
