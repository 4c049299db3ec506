"""The text of files, piece by piece, to search for passages of a set."""

import gzip
import html
import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from cibench_eval.schema import CibenchError

PROSE = (
    '.cfg', '.csv', '.html', '.htm', '.json', '.jsonl', '.md', '.rst', '.tex', '.toml', '.tsv', '.txt', '.yaml', '.yml',
)  # fmt: skip
CODE = ('.ipynb', '.py', '.pyi', '.pyx', '.r', '.R', '.sh')
"""Suffixes of files that are read, also before `.gz`. Other files are counted, not read."""
PIECE = 4_000_000
"""Characters that are read at once."""
COMMENT = re.compile(r'(?<!\S)#[^\n]*')
TAG = re.compile(r'<(?:script|style)\b.*?</(?:script|style)>|<[^>]*>', re.DOTALL | re.IGNORECASE)


@dataclass
class Corpora:
    """Files and folders of text.

    Args:
        paths: files and folders; hidden files are skipped.
        without: folders to leave out, such as the set itself.

    Raises:
        CibenchError: a path does not exist.
    """

    paths: list[Path]
    without: list[Path] = field(default_factory=list)
    files: int = field(default=0, init=False)
    """Files read so far."""
    characters: int = field(default=0, init=False)
    other: int = field(default=0, init=False)
    """Files of other kinds."""
    unread: list[str] = field(default_factory=list, init=False)
    """Files that cannot be read, and why."""

    def __post_init__(self) -> None:
        for path in self.paths:
            if not path.exists():
                raise CibenchError(f'--against {path}: no such file or folder')
        self._without = {path.resolve() for path in self.without}

    def texts(self) -> Iterator[tuple[Path, Iterator[str]]]:
        """Each file once, with its text piece by piece."""
        seen: set[Path] = set()
        for path in self._places():
            kind = path.suffixes[-2:] if path.suffix == '.gz' else path.suffixes[-1:]
            if not kind or kind[0] not in (*PROSE, *CODE):
                self.other += 1
            elif (real := path.resolve()) not in seen:
                seen.add(real)
                self.files += 1
                yield path, self._counted(path, kind[0])

    def _places(self) -> Iterator[Path]:
        for given in self.paths:
            if given.is_file():
                yield given
                continue
            for folder, folders, names in os.walk(given):
                below = (Path(folder, name) for name in sorted(folders) if not name.startswith('.'))
                folders[:] = [path.name for path in below if path.resolve() not in self._without]
                yield from (Path(folder, name) for name in sorted(names) if not name.startswith('.'))

    def _counted(self, path: Path, kind: str) -> Iterator[str]:
        try:
            with _opened(path) as file:
                for piece in _pieces(file, kind):
                    self.characters += len(piece)
                    yield piece
        except OSError as error:
            self.unread.append(f'{path}: {error.strerror or error}')


def _opened(path: Path) -> IO[str]:
    if path.suffix == '.gz':
        return gzip.open(path, 'rt', encoding='utf-8', errors='replace')
    return path.open(encoding='utf-8', errors='replace')


def _pieces(file: IO[str], kind: str) -> Iterator[str]:
    """The text of a file: strings of notebooks and JSON, text between the tags of pages, code without comments."""
    if kind in ('.ipynb', '.json'):
        yield from _of_json(file.read())
    elif kind == '.jsonl':
        for line in file:
            yield from _of_json(line)
    else:
        while piece := file.read(PIECE):
            yield _plain(piece + file.readline(), kind)


def _plain(text: str, kind: str) -> str:
    if kind in ('.html', '.htm'):
        return html.unescape(TAG.sub(' ', text))
    return without_comments(text) if kind in CODE else text


def without_comments(code: str) -> str:
    """Code without comments: the text behind each `#` that begins a word."""
    return COMMENT.sub(' ', code)


def _of_json(text: str) -> Iterator[str]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        yield text
        return
    cells = value.get('cells') if isinstance(value, dict) else None
    if isinstance(cells, list):
        for cell in cells:
            yield from _of_cell(cell)
    else:
        yield '\n'.join(_strings(value))


def _of_cell(cell: Any) -> Iterator[str]:
    source = cell.get('source', '') if isinstance(cell, dict) else ''
    text = source if isinstance(source, str) else ''.join(map(str, source)) if isinstance(source, list) else ''
    yield without_comments(text) if isinstance(cell, dict) and cell.get('cell_type') == 'code' else text


def _strings(value: Any) -> Iterable[str]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, list):
            waiting.extend(reversed(one))
        elif isinstance(one, dict):
            waiting.extend(reversed(one.values()))
