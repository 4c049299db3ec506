"""Archives (the published ones and a user's own sets) -> folders below `data/`, and a record of what each must hold.

`data/.archives.json` has an entry for each set: where it came from, the sha256 of the archive, and that of every file
in it. It is written when a set comes in for the first time; what comes later by the same name must have the same
content. Files that are added to a set's folder afterwards (collected data, notes) are no business of the record's.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from cibench_eval.cache import only_one
from cibench_eval.files import write_whole
from cibench_eval.schema import CibenchError, Record, problem
from cibench_eval.sets.archives.fetching import Connection, FetchError, Say, Watch, fetch, without_secrets
from cibench_eval.sets.archives.published import (
    ARCHIVES,
    GSM8K_FILE,
    Archive,
    Source,
    lacks_data,
    mirrored,
    recognise,
)
from cibench_eval.sets.archives.unzip import LEFT_OUT, extract

RECORDS = '.archives.json'
WITHOUT_INTERNET = 'no way to it from here? cibench data add FILE, or --mirror, --proxy'


class ArchiveRecord(Record):
    """What a set below `data/` must hold."""

    url: str
    """Where it came from: an address, or a path for what was added."""
    sha256: str
    """Of the archive; of the content (`content_digest`) where a folder was added."""
    size: int
    """Bytes of the archive, or of all files where a folder was added."""
    date: str
    """UTC, ISO 8601."""
    folder: str
    """Below the folder that holds the record."""
    files: dict[str, str]
    """sha256 of each file by its path below `folder`."""

    @property
    def content(self) -> str:
        return content_digest(self.files)


_RECORDS = TypeAdapter(dict[str, ArchiveRecord])


@dataclass
class Store:
    """A folder of sets (`data/`).

    Args:
        root: the folder; made when the first set comes in.
        say: told in a line of what is done.
        watch: told of what has come of a download.
        connection: how servers are reached.
        accept_new: take content that is not what the record says, and record that.
    """

    root: Path
    say: Say
    watch: Watch = lambda done, total: None
    connection: Connection = field(default_factory=Connection)
    accept_new: bool = False

    def fetch(self, name: str, url: str | None = None, mirror: str | None = None) -> Path:
        """Have a published archive in its folder; nothing is asked of a server when it is there and intact.

        Args:
            name: one of `ARCHIVES`.
            url: take it from this address instead of the published ones.
            mirror: a server that has the files of the published addresses: a folder's address, or an address with
                `{url}` in place of the published one.

        Returns:
            The set's folder.

        Raises:
            CibenchError: it cannot be had, is no sound archive, or is not what the record or its publisher says.
        """
        archive = ARCHIVES[name]
        with self._alone():
            if self._is_there(archive) and not self.accept_new:
                return self.root / archive.folder
            sources = [Source(url)] if url else [mirrored(source, mirror) for source in archive.sources]
            return self._fetch_any(archive, sources)

    def add(self, path: Path, name: str | None = None) -> Path:
        """Take in an archive that is on this machine, or a folder with its content.

        Args:
            path: a zip archive, a folder, or GSM8K's `test.jsonl`. A folder that stands in its place already is
                recorded only, any other is copied.
            name: of the set; None recognises the published archives.

        Returns:
            The set's folder.

        Raises:
            CibenchError: as `fetch`, and where the layout is not known.
        """
        if not path.exists():
            raise CibenchError(f'{path}: no such file or folder; give a zip archive or a folder with its content')
        with self._alone():
            return self._add_folder(path, name) if path.is_dir() else self._take(path, name, str(path.absolute()))

    def records(self) -> dict[str, ArchiveRecord]:
        """The record of every set, by name.

        Raises:
            CibenchError: the file is broken.
        """
        path = self.root / RECORDS
        if not path.exists():
            return {}
        try:
            return _RECORDS.validate_json(path.read_bytes())
        except ValidationError as error:
            raise CibenchError(f'{path}: broken ({problem(error)}); delete it and add the sets again') from error

    def damage(self, record: ArchiveRecord) -> list[str]:
        """The recorded files that are missing or have another content."""
        folder = self.root / record.folder
        return [name for name, digest in record.files.items() if file_digest(folder / name) != digest]

    @contextmanager
    def _alone(self) -> Iterator[None]:
        try:
            waiting = f'{self.root}: waiting for another `cibench data` command'
            with only_one(self.root / RECORDS.strip('.'), lambda _: self.say(waiting)):
                yield
        except OSError as error:
            place, mend = error.filename or self.root, 'see that it can be read and written; --to is another folder'
            raise CibenchError(f'{place}: {error.strerror or error}; {mend}') from error

    def _is_there(self, archive: Archive) -> bool:
        """Whether it is there as recorded; what is not is said, or is an error where nothing can be done about it."""
        folder, record = self.root / archive.folder, self.records().get(archive.name)
        if not folder.exists():
            return False
        if record is None:
            raise CibenchError(f'{folder}: there, but not recorded; run `cibench data add {folder}`, or move it away')
        if damage := self.damage(record):
            self.say(f'{folder}: {len(damage)} of {len(record.files)} files changed or missing, as {damage[0]}')
            return False
        self.say(f'{archive.name}: {folder} is there and intact (sha256 {record.sha256})')
        return True

    def _fetch_any(self, archive: Archive, sources: list[Source]) -> Path:
        for source, following in pairwise(sources):
            try:
                return self._fetch_from(archive, source)
            except FetchError as error:
                self.say(f'{error}; trying {without_secrets(following.url)}')
        return self._fetch_from(archive, sources[-1])

    def _fetch_from(self, archive: Archive, source: Source) -> Path:
        downloads = self.root / '.downloads'
        downloads.mkdir(parents=True, exist_ok=True)
        target = downloads / f'{archive.name}-{source.file}'
        self.say(f'{archive.name}: {without_secrets(source.url)}')
        try:
            fetch(source.url, target, self.connection, self.watch, self.say)
        except FetchError as error:
            raise FetchError(f'{error}; {WITHOUT_INTERNET}') from error
        try:
            _check_published(target, source)
            return self._take(target, archive.name, without_secrets(source.url))
        finally:
            target.unlink(missing_ok=True)
            if not any(downloads.iterdir()):
                downloads.rmdir()

    def _take(self, file: Path, name: str | None, url: str) -> Path:
        """An archive, or a single file of rows, into its folder."""
        with self._staging() as staging:
            content = staging / 'content'
            _unpack(file, content)
            set_name, folder, root = recognise(content, name, str(file))
            record = _record(url, file_digest(file), file.stat().st_size, folder, file_digests(root))
            return self._install(set_name, record, root)

    def _add_folder(self, path: Path, name: str | None) -> Path:
        set_name, folder, root = recognise(path, name, str(path))
        target = self.root / folder
        files = file_digests(root)
        size = sum((root / file).stat().st_size for file in files)
        record = _record(str(path.absolute()), content_digest(files), size, folder, files)
        if target.exists() and target.samefile(root):
            self._check_known(set_name, record)
            self._write(set_name, record)
            return target
        if root.resolve() in target.resolve().parents:
            raise CibenchError(f'{root}: holds {self.root}, into which it would be copied; give a folder beside it')
        with self._staging() as staging:
            content = staging / 'content'
            left_out = shutil.ignore_patterns(*LEFT_OUT)
            shutil.copytree(root, content, ignore=left_out, ignore_dangling_symlinks=True)
            return self._install(set_name, record, content)

    @contextmanager
    def _staging(self) -> Iterator[Path]:
        """A folder on the same file system as the sets, so that they come in by one rename; gone afterwards."""
        self.root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix='.incoming-', dir=self.root) as folder:
            yield Path(folder)

    def _install(self, name: str, record: ArchiveRecord, root: Path) -> Path:
        self._check_known(name, record)
        target = self.root / record.folder
        if target.exists():
            known = self.records().get(name)
            if known and _is_part(name, record, known) and not self.damage(known):
                self.say(f'{name}: {target} is there and intact (sha256 {known.sha256})')
                return target
            self._set_aside(name, target, recorded=known is not None)
        root.rename(target)
        self._write(name, record)
        return target

    def _set_aside(self, name: str, target: Path, *, recorded: bool) -> None:
        """Keep what stands in the way: a user may have put files of their own into it."""
        if not recorded and not self.accept_new:
            raise CibenchError(
                f'{target}: there, but not recorded as {name}; run `cibench data add {target} --name {name}`,'
                ' or move it away'
            )
        numbers = (target.with_name(f'{target.name}.old{number}') for number in range(1, 1000))
        aside = next(path for path in numbers if not path.exists())
        target.rename(aside)
        self.say(f'{target}: what was there is kept as {aside}')

    def _check_known(self, name: str, record: ArchiveRecord) -> None:
        known = self.records().get(name)
        if known is None or self.accept_new or _agree(name, known, record):
            return
        raise CibenchError(
            f'{name}: {record.url} has sha256 {record.sha256}, but {known.sha256} was recorded on {known.date}'
            f' ({known.url}); if the new content is meant, add --accept-new'
        )

    def _write(self, name: str, record: ArchiveRecord) -> None:
        records = self.records()
        known = records.get(name)
        if known is None or known.content != record.content:
            write_whole(self.root / RECORDS, _RECORDS.dump_json(records | {name: record}, indent=1))
        folder = self.root / record.folder
        self.say(f'{name}: {folder}: {len(record.files)} files, sha256 {record.sha256}')
        if lack := lacks_data(folder):
            self.say(lack)


def file_digest(path: Path, algorithm: str = 'sha256') -> str:
    """Of a file, empty where there is none."""
    if not path.is_file():
        return ''
    with path.open('rb') as file:
        return hashlib.file_digest(file, algorithm).hexdigest()


def file_digests(folder: Path) -> dict[str, str]:
    """sha256 of every file below a folder by its path, sorted; what macOS adds is left out."""
    paths = sorted(path.relative_to(folder) for path in folder.rglob('*') if path.is_file())
    return {path.as_posix(): file_digest(folder / path) for path in paths if not set(LEFT_OUT) & set(path.parts)}


def content_digest(files: dict[str, str]) -> str:
    """sha256 over paths and their digests: the same for the same files, however they were packed."""
    lines = ''.join(f'{digest}  {name}\n' for name, digest in sorted(files.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def _record(url: str, sha256: str, size: int, folder: str, files: dict[str, str]) -> ArchiveRecord:
    date = datetime.now(UTC).isoformat(timespec='seconds')
    return ArchiveRecord(url=url, sha256=sha256, size=size, date=date, folder=folder, files=files)


def _unpack(file: Path, folder: Path) -> None:
    """A zip archive, or GSM8K's file of rows, as the new folder `folder`."""
    with file.open('rb') as opened:
        rows = opened.read(1) == b'{'
    if rows:
        folder.mkdir()
        shutil.copyfile(file, folder / GSM8K_FILE)
    else:
        extract(file, folder)


def _agree(name: str, known: ArchiveRecord, record: ArchiveRecord) -> bool:
    """Whether the content is the same: all of it, or what both have where the sources of a set have other files."""
    if not _has_several_sources(name):
        return known.content == record.content
    shared = known.files.keys() & record.files.keys()
    return all(known.files[file] == record.files[file] for file in shared)


def _is_part(name: str, record: ArchiveRecord, known: ArchiveRecord) -> bool:
    """Whether all of a content is in the other one."""
    if not _has_several_sources(name):
        return known.content == record.content
    return record.files.items() <= known.files.items()


def _has_several_sources(name: str) -> bool:
    return name in ARCHIVES and len(ARCHIVES[name].sources) > 1


def _check_published(file: Path, source: Source) -> None:
    algorithm, _, digest = source.digest.partition(':')
    if digest and (actual := file_digest(file, algorithm)) != digest:
        raise FetchError(
            f'{without_secrets(source.url)}: {algorithm} {actual}, but {digest} is published; what came is deleted, '
            'try a --mirror, or take it as it is with --url'
        )
