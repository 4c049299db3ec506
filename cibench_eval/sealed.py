"""Records on disk that tell of their own damage: JSON whose last field, `seal`, is a hash of all that stands before it.

What an older version or another program has written has no seal, and is taken as it is.
"""

import hashlib
import json
import logging
import re
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path
from typing import Any, Generic, TypeVar

from cibench_eval.files import append_line, cut_torn_line, lines_at, whole_file
from cibench_eval.json_files import content_of, parse_json
from cibench_eval.schema import CibenchError, Record, problem

logger = logging.getLogger(__name__)
T = TypeVar('T')
Damage = dict[int, str]
"""Offsets of the lines that cannot be used, and why."""
SEAL = re.compile(rb', "seal": "([0-9a-f]{16})"\}\s*\Z')
LONGEST = 64
"""Bytes at the end of a record among which its seal is looked for."""


class Keyed(Record):
    """A record of a file in which a later one of the same key replaces it."""

    @property
    @abstractmethod
    def key(self) -> Hashable:
        """What it is about."""


KeyedT = TypeVar('KeyedT', bound=Keyed)


def sealed(record: str) -> str:
    """A JSON object with its seal."""
    body = record.removesuffix('}').rstrip()
    return f'{body}, "seal": "{_hash(body.encode())}"}}'


def unsealed(content: bytes) -> bytes:
    """A JSON object without its seal; a `ValueError` where the seal does not fit the content."""
    found = SEAL.search(content, max(0, len(content) - LONGEST))
    if not found:
        return content
    body = content[: found.start()]
    if _hash(body) != found[1].decode():
        raise ValueError('it is not what was written')
    return body + b'}'


def read_sealed(path: Path, mend: str) -> Any:
    """What a file of one sealed record holds, without its seal; `mend` says what to do where it cannot be read.

    Raises:
        CibenchError: it cannot be read, or is not what was written.
    """
    try:
        content = unsealed(content_of(path, mend))
    except ValueError as error:
        raise CibenchError(f'{path}: {error}; {mend}') from error
    return parse_json(content, str(path), mend)


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def records(
    path: Path, parse: Callable[[bytes], T], damage: Damage, torn: list[bytes] | None = None
) -> Iterator[tuple[int, T]]:
    """What stands on the lines of a file, each with the offset of its line; a torn last line is not there.

    Args:
        path: the file; there may be none.
        parse: makes a record of a line, or raises ValueError.
        damage: gets all other lines.
        torn: gets the last line if its end is missing.
    """
    for offset, line in lines_at(path, torn):
        try:
            record = parse(unsealed(line))
        except ValueError as error:
            damage[offset] = problem(error)
        except RecursionError:
            damage[offset] = 'it is nested too deep'
        else:
            yield offset, record


class RecordStore(Generic[KeyedT]):
    """An append-only file of records, in which the last one of a key counts."""

    record: type[KeyedT]
    mend: str
    """What to do about damaged records."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self, *, cut_torn: bool = False) -> dict[Any, KeyedT]:
        """The records by their keys, in the order in which they were written.

        Damaged ones, and a last one that is torn, are named in the log, as errors.

        Args:
            cut_torn: cut that line off, and move damaged ones aside: nobody is writing the file any more.
        """
        if cut_torn:
            cut_torn_line(self.path)
        damage, torn, last = Damage(), list[bytes](), dict[Any, KeyedT]()
        for _, one in records(self.path, self._read, damage, torn):
            last.pop(one.key, None)
            last[one.key] = one
        if cut_torn:
            set_aside(self.path, damage)
        else:
            say_damage(self.path, damage, self.mend)
            if torn:
                logger.error('%s: its end is missing; %s', self.path, self.mend)
        return last

    def append(self, record: KeyedT) -> None:
        append_line(self.path, sealed(json.dumps(record.model_dump(mode='json'))))

    def _read(self, line: bytes) -> KeyedT:
        return self.record.model_validate(json.loads(line))  # pydantic's own reader refuses lone surrogates


def say_damage(path: Path, damage: Damage, mend: str) -> None:
    """Name damaged lines, an error of the log each; `mend` says what to do."""
    for number, (offset, _) in enumerate(lines_at(path) if damage else (), 1):
        if offset in damage:
            logger.error('%s, line %d: damaged (%s); %s', path, number, damage[offset], mend)


def set_aside(path: Path, damage: Damage) -> None:
    """Move damaged lines out of a file that nobody else writes, into `….damaged.jsonl` beside it."""
    if not damage:
        return
    aside = path.with_suffix('.damaged.jsonl')
    with whole_file(path) as kept:
        for number, (offset, line) in enumerate(lines_at(path), 1):
            if offset not in damage:
                kept.write(line + b'\n')
                continue
            append_line(aside, line)
            logger.warning('%s, line %d: damaged (%s); moved to %s', path, number, damage[offset], aside.name)
