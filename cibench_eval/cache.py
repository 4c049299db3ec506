"""Where what is fetched or built once is kept, and how two that build the same wait for each other."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


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
