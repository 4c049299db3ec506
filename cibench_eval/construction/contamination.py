"""Find passages of a set in other texts, which a model may have seen in training.

Passages are found by n-grams of words, as in Brown et al. 2020 (arXiv 2005.14165, appendix C): 13 words, without case
and punctuation; a Chinese character is a word. An n-gram in more than ten files is a common phrase and does not count.
Imports and comments of the gold code do not count either.
"""

import gzip
import html
import json
import os
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

from cibench_eval.construction.notebook_file import NotebookFile
from cibench_eval.files import files_below
from cibench_eval.schema import CibenchError, Record
from cibench_eval.sets.checking.static import load_set, resolve
from cibench_eval.terminal import Log

PROSE = (
    '.cfg', '.csv', '.html', '.htm', '.json', '.jsonl', '.md', '.rst', '.tex', '.toml', '.tsv', '.txt', '.yaml', '.yml',
)  # fmt: skip
CODE = ('.ipynb', '.py', '.pyi', '.pyx', '.r', '.R', '.sh')
"""Suffixes of files that are read, also before `.gz`. Other files are counted, not read."""
PIECE = 4_000_000
"""Characters that are read at once."""
COMMENT = re.compile(r'(?<!\S)#[^\n]*')
TAG = re.compile(
    r'<(?:script|style)\b(?:(?!<(?:script|style)\b).)*?</(?:script|style)>|<[^<>]*>', re.DOTALL | re.IGNORECASE
)


@dataclass
class Corpora:
    """Files and folders of text.

    Args:
        paths: files and folders; hidden files are skipped.
        without: folders whose files are left out, such as the set itself.

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
        self._without = {Path(os.path.realpath(path)) for path in self.without}

    def texts(self) -> Iterator[tuple[Path, Iterator[str]]]:
        """Each file once, with its text piece by piece."""
        seen: set[Path] = set()
        for path in self._places():
            real = Path(os.path.realpath(path))
            if real in seen or any(real.is_relative_to(folder) for folder in self._without):
                continue
            seen.add(real)
            kind = path.suffixes[-2:] if path.suffix == '.gz' else path.suffixes[-1:]
            if not kind or kind[0] not in (*PROSE, *CODE):
                self.other += 1
            else:
                self.files += 1
                yield path, self._counted(path, kind[0])

    def _places(self) -> Iterator[Path]:
        for given in self.paths:
            yield from [given] if given.is_file() else files_below(given)

    def _counted(self, path: Path, kind: str) -> Iterator[str]:
        try:
            with _opened(path) as file:
                for piece in _pieces(file, kind):
                    self.characters += len(piece)
                    yield piece
        except (OSError, EOFError, zlib.error) as error:  # the last two of a .gz that is cut or damaged
            self.unread.append(f'{path}: {getattr(error, "strerror", None) or error}')


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
    """Code without comments: the text after each `#` that begins a word."""
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
            yield from _of_json(one) if one.lstrip().startswith(('{', '[')) else (one,)  # a notebook in a line
        elif isinstance(one, list):
            waiting.extend(reversed(one))
        elif isinstance(one, dict):
            waiting.extend(reversed(one.values()))


Kind = Literal['question', 'code']
COMMON = 10
"""Files; an n-gram in more files than this is a common phrase."""
WORD = re.compile('[\u3400-\u4dbf\u4e00-\u9fff]|[^\\W\u3400-\u4dbf\u4e00-\u9fff]+')
IMPORT = re.compile(r'^[ \t]*(?:import\b|from\b[^\n]*?\bimport\b)(?:[^\n(]*\([^)]*\)|[^\n]*)', re.MULTILINE)
KEPT = 20
"""How many of the longest passages of a text are kept; the longest that is no common phrase is shown."""
FACTOR = 0x9E3779B97F4A7C15
"""Odd, so that no power of it loses bits."""


class Passage(Record):
    """Consecutive words of a step that a file has, too."""

    words: int
    text: str
    file: str


class TextOverlap(Record):
    """The part of a question or of the code of a step that other texts have."""

    notebook: str
    """`<split>/<id>`."""
    step: int
    """Counted from 1."""
    kind: Kind
    ngrams: int
    """The number of n-grams in the text; 0 if it is shorter than one."""
    elsewhere: int
    """The number of n-grams that were found and are no common phrases."""
    common: int
    longest: Passage | None = None

    @property
    def share(self) -> float:
        return self.elsewhere / self.ngrams if self.ngrams else 0.0


class Contamination(Record):
    """The result of a search: the texts of a set, and the files that were searched."""

    words: int
    files: int
    characters: int
    other: int
    """Files of kinds that are not read."""
    unread: list[str]
    found: list[TextOverlap]


@dataclass
class _Text:
    """A question or code of the set, as words."""

    notebook: str
    step: int
    kind: Kind
    words: list[str]
    passages: list[tuple[int, int, Path]] = field(default_factory=list)
    """The longest passages: length and start in n-grams, and the file."""

    def take(self, length: int, first: int, path: Path) -> None:
        self.passages.append((length, first, path))
        if len(self.passages) > 2 * KEPT:
            self.passages = sorted(self.passages, key=lambda one: -one[0])[:KEPT]


def texts_of(folder: str, environment: str, only: str | None) -> tuple[list[_Text], Path]:
    """The questions and codes of a set, and its folder.

    Args:
        folder: a set, or the name of a built-in set.
        only: shell-style pattern of ids.

    Raises:
        CibenchError: there is no such set, or a notebook cannot be read.
    """
    path, name = resolve(folder, environment)
    loaded = load_set(path, name, only)
    loaded.check_readable()
    found = []
    for member in loaded.members:
        notebook = f'{member.split}/{member.experiment.id}'
        for number, step in enumerate(NotebookFile(member.experiment.path).steps, start=1):
            found.append(_Text(notebook, number, 'question', words_of(step.question)))
            found.append(_Text(notebook, number, 'code', words_of(IMPORT.sub('', without_comments(step.code)))))
    return found, path


def words_of(text: str) -> list[str]:
    """The words of a text without case and punctuation; each Chinese character is a word."""
    return WORD.findall(text.lower())


def contamination(texts: Sequence[_Text], corpora: Corpora, words: int, log: Log) -> Contamination:
    """Search corpora for the n-grams (of so many words) of texts; `log` gets a line now and then.

    It holds the texts and one piece of a file in memory.
    """
    places: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for index, text in enumerate(texts):
        for first, ngram in enumerate(_ngrams(text.words, words).tolist()):
            places[ngram].append((index, first))
    seen = _scan(texts, corpora, places, words, log)
    found = [_found(text, seen, words) for text in texts]
    return Contamination(
        words=words,
        files=corpora.files,
        characters=corpora.characters,
        other=corpora.other,
        unread=corpora.unread,
        found=found,
    )


def _ngrams(words: Sequence[str], size: int) -> Any:
    """A hash of each n-gram, as an array of 64-bit integers."""
    import numpy as np

    hashed = np.fromiter(map(hash, words), np.int64, len(words)).astype(np.uint64)
    count = max(len(words) - size + 1, 0)
    found = np.zeros(count, np.uint64)
    for place in range(size):
        found = found * np.uint64(FACTOR) + hashed[place : place + count]
    return found


def _scan(
    texts: Sequence[_Text],
    corpora: Corpora,
    places: dict[int, list[tuple[int, int]]],
    size: int,
    log: Log,
) -> Counter[int]:
    """The number of files that have each n-gram; the passages go into the texts."""
    import numpy as np

    wanted = np.array(sorted(places), np.uint64)
    seen: Counter[int] = Counter()
    for path, pieces in corpora.texts():
        there: set[int] = set()
        runs = _Runs(texts, path)
        for ngrams in _of_pieces(pieces, size):
            hits = np.flatnonzero(np.isin(ngrams, wanted))
            for at, ngram in zip(hits.tolist(), ngrams[hits].tolist(), strict=True):
                there.add(ngram)
                runs.take(at, places[ngram])
            runs.end()
        seen.update(there)
        if corpora.files % 5000 == 0:
            log(f'{corpora.files:,} files, {corpora.characters / 1e6:,.0f} million characters')
    return seen


def _of_pieces(pieces: Iterable[str], size: int) -> Iterator[Any]:
    """The n-grams of each piece, including those that begin in the piece before."""
    before: list[str] = []
    for piece in pieces:
        words = [*before, *words_of(piece)]
        yield _ngrams(words, size)
        before = words[-(size - 1) :] if size > 1 else []


class _Runs:
    """Runs of n-grams that are consecutive both in a file and in a text."""

    def __init__(self, texts: Sequence[_Text], path: Path) -> None:
        self._texts, self._path = texts, path
        self._at = -2
        self._open: dict[tuple[int, int], int] = {}
        """Text and index of the next n-gram -> length of the run so far."""

    def take(self, at: int, places: list[tuple[int, int]]) -> None:
        if at != self._at + 1:
            self.end()
        longer = {(index, first + 1): self._open.pop((index, first), 0) + 1 for index, first in places}
        self.end()
        self._open, self._at = longer, at

    def end(self) -> None:
        """End all runs and give them to their texts."""
        for (index, following), length in self._open.items():
            self._texts[index].take(length, following - length, self._path)
        self._open, self._at = {}, -2


def _found(text: _Text, seen: Counter[int], size: int) -> TextOverlap:
    ngrams = _ngrams(text.words, size).tolist()
    rare = [0 < seen[ngram] <= COMMON for ngram in ngrams]
    longest = None
    for length, first, path in sorted(text.passages, key=lambda one: -one[0]):
        if any(rare[first : first + length]):
            words = text.words[first : first + length + size - 1]
            longest = Passage(words=len(words), text=' '.join(words), file=str(path))
            break
    return TextOverlap(
        notebook=text.notebook,
        step=text.step,
        kind=text.kind,
        ngrams=len(ngrams),
        elsewhere=sum(rare),
        common=sum(seen[ngram] > COMMON for ngram in ngrams),
        longest=longest,
    )
