"""The labels of values in text, read from `name: value`, dictionaries, Series and lists of pairs.

A label is what stands before a value, a unit what stands behind it. `labelled.py` compares them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from cibench_eval.evaluators.comparing.numbers import Token, Value
from cibench_eval.evaluators.comparing.open_form.readings import OutputReading
from cibench_eval.evaluators.comparing.open_form.words import named

LABELS = {':', '=', '->', '=>'}
"""Marks between a label and its value."""
LONGEST = 6
"""Most words of a label with numbers in it: a longer sentence may be the question."""
THERE = frozenset(['there', 'is', 'has', 'have', 'contains', 'found', 'are', '有', '共', '含'])
"""Words before numbers that have their units behind them."""
AND = frozenset(('and', '和', '与', '及', '。'))
UNORDERED = re.compile(r'\s*\(?\{')


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
    """Read the values of an output, in order, with their labels."""
    if reading.table == 'series':
        return _series(reading)
    found: list[Entry] = []
    carried: list[str] = []
    for line in reading.marked:
        more, carried = _Line(line).read(carried)
        found += more
    return found


def headed(reading: OutputReading) -> list[Entry]:
    """Read the values of an output, each also under the beginning of its line: `speed: mean=15.4, std=5.3`."""
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
    """Read the last value of each line, under what stands before it; an indented line inherits the label above."""
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
    """Read values whose labels stand behind them: `There are 42 sentences and 918 tokens`; empty for other texts."""
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
    """Read the value of each clause, with all of its words as the label; empty if one has several values."""
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
    """Reads one line: words before a value are its label, words behind it up to the next mark its unit."""

    tokens: list[Token]
    found: list[Entry] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    signs: list[str] = field(default_factory=list)
    """Signs of a currency before the next value."""
    touching: bool = False
    """Whether the pending words stand directly behind a value."""

    def read(self, carried: list[str]) -> tuple[list[Entry], list[str]]:
        """The line's entries, and a label for the next line if this one ends in a colon."""
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
        """End a part at a mark: words behind a value become its unit, unless the mark makes them a label."""
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
        """Whether a value has a label before it and is no label itself, like the 2 of `k=2: 0.68`."""
        before = self.tokens[place - 1][1]
        behind = self.tokens[place + 1][1] if place + 1 < len(self.tokens) else ''
        return before in LABELS and not (before == '=' and behind == ':')

    def _leads(self, place: int) -> bool:
        """Whether a value follows a mark; words may stand between after a number, as in `Epoch 1: loss 0.4`."""
        behind = [kind for kind, _ in self.tokens[place + 1 : place + 5] if kind not in ('open', 'sign')][:3]
        words = next((number for number, kind in enumerate(behind) if kind != 'word'), len(behind))
        if words and self.tokens[place - 1][0] != 'value':
            return False
        return behind[words : words + 1] == ['value']
