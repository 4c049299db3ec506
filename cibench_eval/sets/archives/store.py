"""Install archives (published ones and a user's own) as folders below `data/`, and record the content of each.

`data/.archives.json` has an entry for each set: its origin, the sha256 of the archive and of every file in it. The
entry is written when a set is installed for the first time. A later archive of the same name must have the same
content. Files that a user adds to the folder (collected data, notes) are not part of the record.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from cibench_eval.cache import only_one
from cibench_eval.files import file_digest, ways_out, write_whole
from cibench_eval.schema import CibenchError, Record, problem
from cibench_eval.sets.archives.fetching import FetchError, Watch, fetch, without_secrets
from cibench_eval.sets.archives.published import (
    ARCHIVES,
    GSM8K_FILE,
    Archive,
    Download,
    lacks_data,
    mirrored,
    recognise,
)
from cibench_eval.sets.archives.unzip import LEFT_OUT, extract
from cibench_eval.terminal import Log

RECORDS = '.archives.json'
WITHOUT_INTERNET = 'no way to it from here? cibench data add FILE, or --mirror, --proxy'


class ArchiveRecord(Record):
    """The content that a set below `data/` must have."""

    url: str
    """The address that it came from, or the path that was added."""
    sha256: str
    """The hash of the archive, or of the content (`content_digest`) if a folder was added."""
    size: int
    """Bytes of the archive, or of all files if a folder was added."""
    date: str
    """In UTC, ISO 8601."""
    folder: str
    """Its name below the folder that holds the record."""
    files: dict[str, str]
    """Path of each file below `folder` -> its sha256."""

    @property
    def content(self) -> str:
        return content_digest(self.files)


_RECORDS = TypeAdapter(dict[str, ArchiveRecord])


@dataclass
class Store:
    """A folder of sets (`data/`)."""

    root: Path
    """The folder; the first set creates it."""
    log: Log
    """Called with one line for every action."""
    watch: Watch = lambda done, total: None
    proxy: str | None = None
    """Its URL; by default from HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY."""
    accept_new: bool = False
    """Accept content that differs from the record, and record it."""

    def fetch(self, name: str, url: str | None = None, mirror: str | None = None) -> Path:
        """Install a published archive and return its folder; if it is there and intact, ask no server.

        Args:
            url: an address to use instead of the published ones.
            mirror: a server that has the published files: the address of a folder, or an address with `{url}` in
                place of the published one.

        Raises:
            CibenchError: no server gives it, it is damaged, or it differs from the record or from the published hash.
        """
        archive = ARCHIVES[name]
        with self._alone():
            if self._is_there(archive) and not self.accept_new:
                return self.root / archive.folder
            sources = [Download(url)] if url else [mirrored(source, mirror) for source in archive.sources]
            return self._fetch_any(archive, sources)

    def add(self, path: Path, name: str | None = None) -> Path:
        """Install an archive that is on this machine, or a folder with its content, and return the set's folder.

        Args:
            path: a zip archive, a folder, or GSM8K's `test.jsonl`. A folder that is in its place already is only
                recorded; any other folder is copied.
            name: of the set; by default it is a published archive, recognised by its layout.

        Raises:
            CibenchError: as `fetch`, or the layout is unknown.
        """
        if not path.exists():
            raise CibenchError(f'{path}: no such file or folder; give a zip archive or a folder with its content')
        with self._alone():
            return self._add_folder(path, name) if path.is_dir() else self._take(path, name, str(path.absolute()))

    def records(self) -> dict[str, ArchiveRecord]:
        """The record of every set, by name; a `CibenchError` where the file is broken."""
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
            with only_one(self.root / RECORDS.strip('.'), lambda _: self.log(waiting)):
                yield
        except OSError as error:
            fix = 'see that it can be written, or name another folder with --to'
            raise CibenchError(f'{error.filename or self.root}: {error.strerror or error}; {fix}') from error

    def _is_there(self, archive: Archive) -> bool:
        """Whether an archive is there as recorded. Damage is logged; a folder without a record is an error."""
        folder, record = self.root / archive.folder, self.records().get(archive.name)
        if not folder.exists():
            return False
        if record is None:
            raise CibenchError(f'{folder}: there, but not recorded; run `cibench data add {folder}`, or move it away')
        if damage := self.damage(record):
            self.log(f'{folder}: {len(damage)} of {len(record.files)} files changed or missing, as {damage[0]}')
            return False
        self.log(f'{archive.name}: {folder} is there and intact (sha256 {record.sha256})')
        return True

    def _fetch_any(self, archive: Archive, sources: list[Download]) -> Path:
        for source, following in pairwise(sources):
            try:
                return self._fetch_from(archive, source)
            except FetchError as error:
                self.log(f'{error}; trying {without_secrets(following.url)}')
        return self._fetch_from(archive, sources[-1])

    def _fetch_from(self, archive: Archive, source: Download) -> Path:
        downloads = self.root / '.downloads'
        downloads.mkdir(parents=True, exist_ok=True)
        target = downloads / f'{archive.name}-{source.file}'
        self.log(f'{archive.name}: {without_secrets(source.url)}')
        try:
            fetch(source.url, target, self.proxy, self.watch, self.log)
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
        """Install an archive, or a single file of rows."""
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
        for place in ways_out(root):
            raise CibenchError(f'{place}: leads out of the set, or is no file; put a copy in its place')
        with self._staging() as staging:
            content = staging / 'content'
            left_out = shutil.ignore_patterns(*LEFT_OUT)
            shutil.copytree(root, content, ignore=left_out, ignore_dangling_symlinks=True)
            return self._install(set_name, record, content)

    @contextmanager
    def _staging(self) -> Iterator[Path]:
        """A temporary folder on the file system of the sets, so that one rename installs a set."""
        self.root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix='.incoming-', dir=self.root) as folder:
            yield Path(folder)

    def _install(self, name: str, record: ArchiveRecord, root: Path) -> Path:
        self._check_known(name, record)
        target = self.root / record.folder
        if target.exists():
            known = self.records().get(name)
            if known and _is_part(name, record, known) and not self.damage(known):
                self.log(f'{name}: {target} is there and intact (sha256 {known.sha256})')
                return target
            self._set_aside(name, target, recorded=known is not None)
        root.rename(target)
        self._write(name, record)
        return target

    def _set_aside(self, name: str, target: Path, *, recorded: bool) -> None:
        """Rename the folder that is in the way; it may hold files of the user's own."""
        if not recorded and not self.accept_new:
            raise CibenchError(
                f'{target}: there, but not recorded as {name}; run `cibench data add {target} --name {name}`,'
                ' or move it away'
            )
        numbers = (target.with_name(f'{target.name}.old{number}') for number in range(1, 1000))
        aside = next(path for path in numbers if not path.exists())
        target.rename(aside)
        self.log(f'{target}: what was there is kept as {aside}')

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
        self.log(f'{name}: {folder}: {len(record.files)} files, sha256 {record.sha256}')
        if lack := lacks_data(folder):
            self.log(lack)


def file_digests(folder: Path) -> dict[str, str]:
    """Path -> sha256 of every file below a folder, sorted, without the files that macOS adds."""
    paths = sorted(path.relative_to(folder) for path in folder.rglob('*') if path.is_file())
    return {path.as_posix(): file_digest(folder / path) for path in paths if not set(LEFT_OUT) & set(path.parts)}


def content_digest(files: dict[str, str]) -> str:
    """A sha256 over paths and hashes of files, which does not depend on how the files were packed."""
    lines = ''.join(f'{digest}  {name}\n' for name, digest in sorted(files.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def _record(url: str, sha256: str, size: int, folder: str, files: dict[str, str]) -> ArchiveRecord:
    date = datetime.now(UTC).isoformat(timespec='seconds')
    return ArchiveRecord(url=url, sha256=sha256, size=size, date=date, folder=folder, files=files)


def _unpack(file: Path, folder: Path) -> None:
    """Unpack a zip archive, or copy GSM8K's file of rows, into the new folder `folder`."""
    with file.open('rb') as opened:
        rows = opened.read(1) == b'{'
    if rows:
        folder.mkdir()
        shutil.copyfile(file, folder / GSM8K_FILE)
    else:
        extract(file, folder)


def _agree(name: str, known: ArchiveRecord, record: ArchiveRecord) -> bool:
    """Whether the content is the same; for sets whose sources differ in files, whether the common files are."""
    common = known.files.keys() & record.files.keys()
    files_agree = all(known.files[file] == record.files[file] for file in common)
    return files_agree if _has_several_sources(name) else known.content == record.content


def _is_part(name: str, record: ArchiveRecord, known: ArchiveRecord) -> bool:
    """Whether `known` holds all of `record`."""
    held = record.files.items() <= known.files.items()
    return held if _has_several_sources(name) else known.content == record.content


def _has_several_sources(name: str) -> bool:
    return name in ARCHIVES and len(ARCHIVES[name].sources) > 1


def _check_published(file: Path, source: Download) -> None:
    algorithm, _, digest = source.digest.partition(':')
    if digest and (actual := file_digest(file, algorithm)) != digest:
        raise FetchError(
            f'{without_secrets(source.url)}: {algorithm} {actual}, but {digest} is published; what came is deleted, '
            'try a --mirror, or take it as it is with --url'
        )
