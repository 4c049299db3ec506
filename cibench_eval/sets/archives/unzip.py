"""Unpack a zip archive from outside into a folder, or refuse it in one line.

Only regular files below the folder are unpacked. An archive is refused if it has a path out of the folder, a link, a
device, two names that some file system takes for one, or more bytes than the limits, which are counted as they come.
"""

import stat
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

from cibench_eval.schema import CibenchError

CHUNK = 1 << 18
"""Bytes read at a time."""
ENCRYPTED = 0x1
"""The flag of an encrypted entry."""
LEFT_OUT = ('__MACOSX', '.DS_Store')
"""What macOS adds to folders and archives."""
BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Compressions that zipfile unpacks piece by piece; it unpacks others at once, in memory."""
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError)
"""Errors that zipfile raises for a damaged or unusual archive."""
RATIO = 200
"""The largest number of unpacked bytes for each byte of an archive."""


def extract(
    archive: Path, folder: Path, *, files: int = 100_000, size: int = 16 << 30, ratio_from: int = 64 << 20
) -> None:
    """Unpack `archive` into the new folder `folder`, which the caller removes if this raises.

    It may unpack to so many `files` of `size` bytes together; `RATIO` holds from `ratio_from` bytes on. File names
    without the UTF-8 flag are read as UTF-8 or else GB18030, whichever fits all of them.

    Raises:
        CibenchError: the archive is damaged, encrypted, over a limit, or has an entry that may not be unpacked.
    """
    try:
        with _opened(archive) as opened:
            entries = _entries(archive, opened.infolist())
            if len(entries) > files:
                raise CibenchError(f'{archive}: {len(entries)} files, over the limit of {files}')
            folder.mkdir(parents=True)
            most_by_ratio = max(ratio_from, RATIO * archive.stat().st_size)
            for written in _written(opened, entries, folder):
                _check_size(archive, written, size, most_by_ratio)
    except BROKEN as error:
        if tarfile.is_tarfile(archive):
            raise CibenchError(f'{archive}: is a tar archive; unpack it, and add the folder') from error
        reason = ' '.join(str(error).split()) or type(error).__name__
        raise CibenchError(f'{archive}: no sound zip archive ({reason}); download it again') from error
    except OSError as error:
        raise CibenchError(f'{archive}: cannot be unpacked into {folder.parent}: {error.strerror or error}') from error


def _opened(archive: Path) -> zipfile.ZipFile:
    for encoding in ('utf-8', 'gb18030'):
        with suppress(UnicodeDecodeError):
            return zipfile.ZipFile(archive, metadata_encoding=encoding)
    return zipfile.ZipFile(archive)


def _entries(archive: Path, infos: list[zipfile.ZipInfo]) -> dict[PurePosixPath, zipfile.ZipInfo]:
    """The files to unpack by their path; every entry is checked before the first one is unpacked."""
    taken: dict[str, tuple[PurePosixPath, bool]] = {}
    files = {}
    for info in infos:
        path = _path(archive, info.orig_filename)
        _check_type(archive, info, path)
        if path.parts and not set(LEFT_OUT) & set(path.parts):
            for above in reversed(path.parents[:-1]):
                _take(archive, taken, above, folder=True)
            _take(archive, taken, path, folder=info.is_dir())
            if not info.is_dir():
                files[path] = info
    return files


def _path(archive: Path, name: str) -> PurePosixPath:
    """The path below the folder; the separators of old Windows archives become `/`."""
    plain = name.replace('\\', '/')
    parts = plain.split('/')
    if plain.startswith('/') or '..' in parts or ':' in parts[0]:
        _refuse(archive, name, 'leads out of the folder')
    if any(unicodedata.category(character) == 'Cc' for character in plain):
        _refuse(archive, name, 'has a control character in its name')
    return PurePosixPath(plain)


def _check_type(archive: Path, info: zipfile.ZipInfo, path: PurePosixPath) -> None:
    if info.flag_bits & ENCRYPTED:
        _refuse(archive, str(path), 'is encrypted')
    if info.compress_type not in BOUNDED:
        _refuse(archive, str(path), 'is neither stored nor deflated')
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        _refuse(archive, str(path), 'is a link or device')


def _refuse(archive: Path, name: str, reason: str) -> None:
    raise CibenchError(f'{archive}: entry {name!r} {reason}; nothing was unpacked, get the archive from its publisher')


def _take(archive: Path, taken: dict[str, tuple[PurePosixPath, bool]], path: PurePosixPath, *, folder: bool) -> None:
    """Take a path, and refuse it where some file system takes it for one that is taken.

    A folder is named by its own entry and by every file in it; a file by one entry.
    """
    key = unicodedata.normalize('NFC', str(path)).casefold()
    other = taken.setdefault(key, (path, folder))
    if other[0] is not path and (other != (path, True) or not folder):
        _refuse(archive, str(path), f'takes the place of {str(other[0])!r}')


def _written(opened: zipfile.ZipFile, entries: dict[PurePosixPath, zipfile.ZipInfo], folder: Path) -> Iterator[int]:
    """Write files; before each piece, the number of bytes with it, whatever the headers of the archive say."""
    written = 0
    for path, info in entries.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        with opened.open(info) as source, target.open('xb') as file:
            while chunk := source.read(CHUNK):
                written += len(chunk)
                yield written
                file.write(chunk)


def _check_size(archive: Path, written: int, size: int, most_by_ratio: int) -> None:
    if written > size:
        raise CibenchError(f'{archive}: unpacks to more than {size:,} bytes, which is the limit')
    if written > most_by_ratio:
        raise CibenchError(
            f'{archive}: unpacks to more than {RATIO} times its size, as archives do that are made to fill disks; '
            'get it from its publisher'
        )
