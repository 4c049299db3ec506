"""Values with what they are called: `name: value`, dictionaries, Series, lists of pairs.

A label is what stands before a value, a unit what stands behind it. An answer may say less or more of either than the
gold output, but nothing else: `SVM test accuracy: 0.93` is `SVM 0.93`, `LightGBM 0.93` is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from cibench_eval.evaluators.comparing.numbers import TOLERANCE, Margin, Token, Value, equal
from cibench_eval.evaluators.comparing.readings import OutputReading
from cibench_eval.evaluators.comparing.words import ANYTHING, MEASURES, SAYS_NOTHING, named, opposed, translated

LABELS = {':', '=', '->', '=>'}
"""What stands between a label and its value."""
LONGEST = 6
"""Words of a label that has numbers in it: a sentence with more of them may be the question."""
RANKED = 4
"""Values from which an order by value is meant."""
THERE = frozenset(['there', 'is', 'has', 'have', 'contains', 'found', 'are', '有', '共', '含'])
"""What stands before numbers with their units."""
AND = frozenset(('and', '和', '与', '及', '。'))
UNORDERED = re.compile(r'\s*\(?\{')
CJK = re.compile('[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]')


@dataclass(frozen=True)
class Entry:
    """Values under one label."""

    label: tuple[str, ...] = ()
    values: list[Value] = field(default_factory=list)
    unit: list[str] = field(default_factory=list)

    @property
    def key(self) -> frozenset[str]:
        return frozenset(self.label) or frozenset(self.unit)

    @property
    def worded(self) -> bool:
        return any(not word[0].isdigit() for word in (*self.label, *self.unit))


def entries(reading: OutputReading) -> list[Entry]:
    """The values of an output, in order, with their labels."""
    if reading.table == 'series':
        return _series(reading)
    found: list[Entry] = []
    carried: list[str] = []
    for line in reading.marked:
        more, carried = _Line(line).read(carried)
        found += more
    return found


def headed(reading: OutputReading) -> list[Entry]:
    """The values of an output, each under what its line begins with, too: `speed: mean=15.4, std=5.3`."""
    found: list[Entry] = []
    above: tuple[str, ...] = ()
    for line in reading.marked:
        place = next((at for at, (kind, token) in enumerate(line) if kind == 'value' or token in LABELS), len(line))
        head = named(str(token) for kind, token in line[:place] if kind == 'word')
        those, _ = _Line(line).read([])
        if not those:
            above = head if line[-1] == ('mark', ':') else above
        found += [
            Entry(
                (*above, *entry.label) if entry.label[: len(head)] == head else (*above, *head, *entry.label),
                entry.values,
                entry.unit,
            )
            for entry in those
        ]
    return found


def _series(reading: OutputReading) -> list[Entry]:
    """The last value of each line, under what stands before it; an indented one has the beginning of that before."""
    found: list[Entry] = []
    shown = [line for line in reading.text.split('\n') if line.strip()]
    for text, line in zip(shown, reading.marked, strict=False):
        tokens = [token for kind, token in line if kind in ('value', 'word')]
        label = named(map(str, tokens[:-1]))
        before = found[-1].label if found and text.startswith(' ') else ()
        if tokens and isinstance(tokens[-1], Value):
            found.append(Entry((*before[: len(before) - len(label)], *label), [tokens[-1]]))
    return found


def counted(reading: OutputReading) -> list[Entry]:
    """Values with what stands behind them as their labels: `There are 42 sentences and 918 tokens`; else none."""
    tokens = [token for line in reading.marked for token in line]
    if any(kind == 'sign' or (kind == 'mark' and token in LABELS) for kind, token in tokens):
        return []
    groups: list[tuple[list[Value], list[str]]] = [([], [])]
    for kind, token in tokens:
        if isinstance(token, Value):
            groups.append(([token], []))
        elif kind == 'word':
            groups[-1][1].append(token)
    (_, before), *those = groups
    if not all(words for _, words in those) or (before and not THERE & set(before)):
        return []
    return [Entry(named(words), values) for values, words in those]


def clauses(reading: OutputReading) -> list[Entry]:
    """Values of sentences, each with all words of its clause as its label; none where one has several values."""
    found: list[Entry] = []
    for line in reading.marked:
        words: list[str] = []
        values: list[Value] = []
        for kind, token in [*line, ('mark', ',')]:
            if token in LABELS or kind in ('open', 'close') or len(values) > 1:
                return []
            if isinstance(token, Value):
                values.append(token)
            elif kind in ('word', 'sign') and token not in AND:
                words.append(str(token))
            elif values:
                found.append(Entry(named(words), values))
                words, values = [], []
    return found


@dataclass
class _Line:
    """Reads one line: a value belongs to the words before it; words up to the next mark belong to the value."""

    tokens: list[Token]
    found: list[Entry] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    signs: list[str] = field(default_factory=list)
    """Of a currency, before the next value."""
    touching: bool = False
    """Whether the words that are pending stand directly behind a value."""

    def read(self, carried: list[str]) -> tuple[list[Entry], list[str]]:
        """The line's entries, and a label for the next line: the end of this one, before a colon."""
        self.pending += carried
        inner = self._in_labels()
        for place, (kind, token) in enumerate(self.tokens):
            if kind == 'sign':
                self.signs.append(str(token))
            elif kind == 'word' or place in inner:
                self.pending.append(str(token))
            elif isinstance(token, Value):
                self._add(token)
            elif kind in ('mark', 'close'):
                self._part(token in LABELS)
        open_end = bool(self.tokens) and self.tokens[-1] == ('mark', ':') and not self.touching
        left = self.pending if open_end else []
        self._part(label=False)
        return self.found, left

    def _add(self, value: Value) -> None:
        label = named(self.pending)
        if label or not self.found:
            self.found.append(Entry(label, [value], self.signs))
        else:
            self.found[-1].values.append(value)
        self.signs = []
        self.pending, self.touching = [], True

    def _part(self, label: bool) -> None:
        """A mark: words that touch the value before are its unit, unless the mark makes them a label."""
        if self.touching and self.pending and not label:
            self.found[-1].unit.extend(named(self.pending))
            self.pending = []
        self.touching = False

    def _in_labels(self) -> set[int]:
        """The places of numbers that are part of a label: `Top-1 accuracy: 0.9`, `2004: 55`."""
        named: set[int] = set()
        start = 0
        for place, (kind, token) in enumerate(self.tokens):
            if kind == 'mark' and token in LABELS:
                span = [at for at in range(start, place) if self.tokens[at][0] in ('word', 'value')]
                if len(span) <= LONGEST and self._leads(place):
                    named.update(at for at in span if self.tokens[at][0] == 'value')
                start = place + 1
            elif kind in ('open', 'mark') or (kind == 'value' and place and self._is_valued(place)):
                start = place + 1
        return named

    def _is_valued(self, place: int) -> bool:
        """Whether a value has a label before it, and is none itself as that of `k=2: 0.68` is."""
        before = self.tokens[place - 1][1]
        behind = self.tokens[place + 1][1] if place + 1 < len(self.tokens) else ''
        return before in LABELS and not (before == '=' and behind == ':')

    def _leads(self, place: int) -> bool:
        """Whether a value stands behind a mark; behind `Epoch 1:` words may be before it."""
        behind = [kind for kind, _ in self.tokens[place + 1 : place + 5] if kind not in ('open', 'sign')][:3]
        words = next((number for number, kind in enumerate(behind) if kind != 'word'), len(behind))
        if words and self.tokens[place - 1][0] != 'value':
            return False
        return behind[words : words + 1] == ['value']


def agree(gold: Iterable[str], answer: Iterable[str]) -> bool:
    """Whether two labels may name the same: one has all words of the other, or they are of two languages."""
    mine, theirs = list(dict.fromkeys(gold)), list(dict.fromkeys(answer))
    if not mine or not theirs:
        return True
    if _foreign(mine, theirs):
        both = [{*words, *translated(words)} for words in (mine, theirs)]
        return not opposed(*both) and (not all(MEASURES & words for words in both) or bool(both[0] & both[1]))
    if len(theirs) > 1 and SAYS_NOTHING.issuperset(theirs) and not SAYS_NOTHING.issuperset(mine):  # `it took`
        return True
    if ANYTHING.issuperset(mine):
        return True
    shared = set(mine) & set(theirs)
    if shared and _foreign(
        [word for word in mine if word not in shared], [word for word in theirs if word not in shared]
    ):
        return True
    return _within(mine, theirs) or _within(theirs, mine)


def _foreign(mine: list[str], theirs: list[str]) -> bool:
    return len({bool(CJK.search(word)) for words in (mine, theirs) for word in words}) == 2 and not set(mine) & set(
        theirs
    )


def _within(some: list[str], others: list[str]) -> bool:
    known = set(others)
    return all(
        word in known or (len(others) <= 2 * LONGEST and any(alike(word, one) for one in others)) for word in some
    )


def alike(word: str, other: str) -> bool:
    """Whether one word is the other's beginning: `acc`, `accuracy`."""
    shorter = min(word, other, key=len)
    return len(shorter) > 2 and word.startswith(shorter) and other.startswith(shorter) and shorter.isalpha()


def _flat(those: list[Entry]) -> list[tuple[Entry, Value]]:
    return [(entry, value) for entry in those for value in entry.values]


def in_order(gold: list[Entry], answer: list[Entry], margin: Margin) -> bool:
    """Whether the answer has the gold's values in their order, and no other labels."""
    mine, theirs = _flat(gold), _flat(answer)
    if len(mine) != len(theirs) or exchanged(
        [(one, other) for (_, one), (_, other) in zip(mine, theirs, strict=True)], margin
    ):
        return False
    return all(
        equal(value, shown, margin) and agreeing(entry, other)
        for (entry, value), (other, shown) in zip(mine, theirs, strict=True)
    )


def exchanged(pairs: list[tuple[Value, Value]], margin: Margin) -> bool:
    """Whether two numbers stand for each other that a wide margin would let pass."""
    if margin.relative <= TOLERANCE and not margin.absolute:
        return False
    apart = {(one.exact, other.exact) for one, other in pairs if one.exact != other.exact}
    return any((other, one) in apart for one, other in apart)


def agreeing(gold: Entry, answer: Entry) -> bool:
    """Whether labels and units may be the same; of two units one is the beginning of the other."""
    if _within([*answer.label, *answer.unit], [*gold.label, *gold.unit]):
        return True
    return agree(gold.label, answer.label) and same_unit(gold.unit, answer.unit)


def same_unit(gold: Sequence[str], answer: Sequence[str]) -> bool:
    """Whether of two units each word is the beginning of the other's, or there is none, or another language's."""
    return all(one == other or alike(one, other) for one, other in zip(gold, answer, strict=False)) or _foreign(
        [*gold], [*answer]
    )


def is_ranked(text: str, those: list[Entry], least: int = RANKED) -> bool:
    """Whether an output shows a ranking: several values under labels, sorted, and not by their labels."""
    numbers = [entry.values[0].number.real for entry in those if len(entry.values) == 1]
    if UNORDERED.match(text) or len(numbers) < max(least, len(those)):
        return False
    labels = [entry.label for entry in those]
    if sum(MEASURES.issuperset(label) for label in labels) > 1:
        return False
    return labels != sorted(labels) and monotonic(numbers)


def monotonic(numbers: list[float]) -> bool:
    rises = [later > earlier for earlier, later in pairwise(numbers) if later != earlier]
    return bool(rises) and (all(rises) or not any(rises))
