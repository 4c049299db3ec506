"""Atomic writes that a crash of the machine survives; files of lines whose torn last one is ignored."""

import contextlib
import errno
import hashlib
import logging
import os
import stat
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import IO

logger = logging.getLogger(__name__)


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write. When the block ends it takes the place of the one that is there; its folder is made if need be.

    Whoever reads it meanwhile, or writes the same one, is not disturbed; what could not be written is not left behind.
    After a crash of the machine the old file or the new one is there, whole; `sync_folder` makes sure of the new one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f'.{uuid.uuid4().hex}.part')
    try:
        with part.open('wb') as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException as error:
        if isinstance(error, OSError):
            error.filename = error.filename or str(path)  # a full disk names none
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def sync_folder(path: Path) -> None:
    """Have the files of a folder on the disk by their names."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    except OSError as error:  # some shared folders can do that with files alone
        if error.errno not in (errno.EINVAL, errno.EOPNOTSUPP):
            raise
    finally:
        os.close(folder)


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file in one piece, as `whole_file` does."""
    with whole_file(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def files_below(folder: Path) -> Iterator[Path]:
    """The files below a folder, its own first, then those of its folders, by name; hidden ones are skipped."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith('.'))
        yield from (Path(place, name) for name in sorted(names) if not name.startswith('.'))


def file_digest(path: Path, algorithm: str = 'sha256') -> str:
    """The hash of a file; empty if there is no such file."""
    if not path.is_file():
        return ''
    with path.open('rb') as file:
        return hashlib.file_digest(file, algorithm).hexdigest()


def ways_out(folder: Path) -> Iterator[str]:
    """What in a folder leads out of it, by a link, or is neither file nor folder: a pipe, a device.

    Who copies a stranger's folder, or writes into it, would read or write elsewhere.
    """
    root, folders = folder.resolve(), [str(folder)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_symlink():
                    if not Path(os.path.realpath(entry.path)).is_relative_to(root):
                        yield entry.path
                elif entry.is_dir():
                    folders.append(entry.path)
                elif not entry.is_file():
                    yield entry.path


def read_at_most(path: Path, most: int, *, links: bool = True) -> bytes:
    """The content of a file that a stranger may have put there, as much as its size says.

    So pipes, devices, and files of Linux that have no size and no end (`/proc/kmsg`) are not waited for.

    Args:
        links: whether it may be a link.

    Raises:
        OSError: it is no file, cannot be read, or has more than `most` bytes.
    """
    flags = os.O_NONBLOCK | (0 if links else os.O_NOFOLLOW)
    with open(path, 'rb', opener=lambda name, mode: os.open(name, mode | flags)) as file:  # no folder
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, 'is no file', str(path))
        if found.st_size > most:
            raise OSError(errno.EFBIG, f'has {found.st_size} bytes; {most} are allowed', str(path))
        return file.read(found.st_size)


def seen_now(path: Path) -> Path:
    """The path of a file whose size is looked at anew: a shared folder may say for seconds yet that it is empty.

    Setting its time makes the folder look.
    """
    with contextlib.suppress(PermissionError):  # another user's: it is read as it is told
        os.utime(path)
    return path


def lines_at(path: Path, torn: list[bytes] | None = None, offset: int = 0) -> Iterator[tuple[int, bytes]]:
    """The whole lines of a file, from `offset` on, each with its own offset; none where there is no file.

    `torn` gets the last line if its end is missing, and an empty one if the file holds nothing at all.
    """
    with contextlib.suppress(FileNotFoundError, NotADirectoryError), path.open('rb') as file:
        file.seek(offset)
        for line in file:
            if not line.endswith(b'\n'):
                if torn is not None:
                    torn.append(line)
                return  # what its writer adds now would be read as a line of its own
            yield offset, line[:-1]
            offset += len(line)
        if torn is not None and not offset:
            torn.append(b'')


def cut_torn_line(path: Path) -> None:
    """Cut a torn last line off, with a warning: for a file that nobody is writing any more."""
    end = sum(len(line) + 1 for _, line in lines_at(path))
    if path.exists() and end < path.stat().st_size:
        logger.warning('%s: its last line is torn (its writer was killed); cut off', path)
        os.truncate(path, end)


def whole_lines(path: Path) -> list[bytes]:
    """The whole lines of a file, none where there is no file."""
    return [line for _, line in lines_at(path)]


def append_line(path: Path, line: str | bytes) -> int:
    """Append a line, and return the offset at which it begins; it is on the disk when this returns."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open('ab') as file:
        offset = file.tell()
        file.write((line.encode() if isinstance(line, str) else line) + b'\n')
        file.flush()
        os.fsync(file.fileno())
    if offset == 0:
        sync_folder(path.parent)
    return offset
