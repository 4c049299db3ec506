"""Passages of a set that stand in other texts: what a model may have seen in training.

A passage is found by its n-grams of words, as in Brown et al. 2020 (arXiv 2005.14165, appendix C): 13 words, without
case and punctuation; a Chinese character is a word. As there, an n-gram that stands in more than ten files is a common
phrase and does not count. Nor do imports and comments of the gold code.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from cibench_eval.construction.corpora import Corpora, without_comments
from cibench_eval.construction.notebook_file import NotebookFile
from cibench_eval.schema import CibenchError, Record
from cibench_eval.sets.checking.static import load_set, resolve

Kind = Literal['question', 'code']
WORDS = 13
COMMON = 10
"""Files; an n-gram in more of them is a common phrase."""
WORD = re.compile('[\u3400-\u4dbf\u4e00-\u9fff]|[^\\W\u3400-\u4dbf\u4e00-\u9fff]+')
IMPORT = re.compile(r'^[ \t]*(?:import\b|from\b[^\n]*?\bimport\b)(?:[^\n(]*\([^)]*\)|[^\n]*)', re.MULTILINE)
KEPT = 20
"""Longest passages of a text that are kept, of which one that is no common phrase is shown."""
FACTOR = 0x9E3779B97F4A7C15
"""Odd, so that no power of it loses bits."""


class Passage(Record):
    """Consecutive words of a step that stand in a file."""

    words: int
    text: str
    file: str


class TextOverlap(Record):
    """What of the question or the code of a step stands elsewhere."""

    notebook: str
    """`<split>/<id>`."""
    step: int
    """Counted from 1."""
    kind: Kind
    ngrams: int
    """Of the text; 0 where it is shorter than one."""
    elsewhere: int
    """Of them, those that were found and are no common phrases."""
    common: int
    longest: Passage | None = None

    @property
    def share(self) -> float:
        return self.elsewhere / self.ngrams if self.ngrams else 0.0


class Contamination(Record):
    """What of a set stands elsewhere, and where that was looked for."""

    words: int
    files: int
    characters: int
    other: int
    """Files that have no text that is read."""
    unread: list[str]
    found: list[TextOverlap]


@dataclass
class _Text:
    """A text of the set, as words."""

    notebook: str
    step: int
    kind: Kind
    words: list[str]
    passages: list[tuple[int, int, Path]] = field(default_factory=list)
    """The longest: length and first n-gram, both in n-grams, and where."""

    def take(self, length: int, first: int, path: Path) -> None:
        self.passages.append((length, first, path))
        if len(self.passages) > 2 * KEPT:
            self.passages = sorted(self.passages, key=lambda one: -one[0])[:KEPT]


def texts_of(folder: str, environment: str, only: str | None = None) -> tuple[list[_Text], Path]:
    """The questions and codes of a set, and where it is.

    Args:
        folder: a set, or the name of a built-in one.
        environment: kernel environment of a built-in set.
        only: shell-style pattern of ids.

    Raises:
        CibenchError: there is no such set, or a notebook cannot be read.
    """
    path, name = resolve(folder, environment)
    loaded = load_set(path, name, only)
    if broken := [one for one in loaded.findings if one.code == 'format']:
        raise CibenchError(f'{broken[0].set}/{broken[0].notebook}: {broken[0].text}')
    found = []
    for member in loaded.members:
        notebook = f'{member.split}/{member.experiment.id}'
        for number, step in enumerate(NotebookFile(member.experiment.path).steps, start=1):
            found.append(_Text(notebook, number, 'question', words_of(step.question)))
            found.append(_Text(notebook, number, 'code', words_of(IMPORT.sub('', without_comments(step.code)))))
    return found, path


def words_of(text: str) -> list[str]:
    """Words without case and punctuation; each Chinese character is one."""
    return WORD.findall(text.lower())


def contamination(
    texts: Sequence[_Text], corpora: Corpora, words: int = WORDS, log: Callable[[str], None] = lambda line: None
) -> Contamination:
    """Look for the n-grams of texts in corpora. Memory is that of the texts and of one piece of a file.

    Args:
        texts: of a set.
        corpora: where to look.
        words: of an n-gram.
        log: gets a line now and then.
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
    log: Callable[[str], None],
) -> Counter[int]:
    """In how many files each n-gram of the texts stands; the texts get their passages."""
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
    """The n-grams of each piece, those over its end among them."""
    before: list[str] = []
    for piece in pieces:
        words = [*before, *words_of(piece)]
        yield _ngrams(words, size)
        before = words[-(size - 1) :] if size > 1 else []


class _Runs:
    """Consecutive n-grams of a file that are consecutive in a text."""

    def __init__(self, texts: Sequence[_Text], path: Path) -> None:
        self._texts, self._path = texts, path
        self._at = -2
        self._open: dict[tuple[int, int], int] = {}
        """Text and place of the next n-gram -> length so far."""

    def take(self, at: int, places: list[tuple[int, int]]) -> None:
        if at != self._at + 1:
            self.end()
        longer = {(index, first + 1): self._open.pop((index, first), 0) + 1 for index, first in places}
        self.end()
        self._open, self._at = longer, at

    def end(self) -> None:
        """Give the texts what does not go on."""
        for (index, behind), length in self._open.items():
            self._texts[index].take(length, behind - length, self._path)
        self._open, self._at = {}, -2


def _found(text: _Text, seen: Counter[int], size: int) -> TextOverlap:
    ngrams = _ngrams(text.words, size).tolist()
    rare = [0 < seen[ngram] <= COMMON for ngram in ngrams]
    passages = sorted(text.passages, key=lambda one: -one[0])
    longest = next(
        (
            Passage(
                words=length + size - 1, text=' '.join(text.words[first : first + length + size - 1]), file=str(path)
            )
            for length, first, path in passages
            if any(rare[first : first + length])
        ),
        None,
    )
    return TextOverlap(
        notebook=text.notebook,
        step=text.step,
        kind=text.kind,
        ngrams=len(ngrams),
        elsewhere=sum(rare),
        common=sum(seen[ngram] > COMMON for ngram in ngrams),
        longest=longest,
    )
