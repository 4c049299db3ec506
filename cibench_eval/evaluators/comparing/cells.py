"""Values under labels, in any layout: a table, turned, stacked, a Series, a dictionary, or lines of `name: value`.

Each is a list of cells: a value with all that it is called, by row, by column and beside it. Labels say which cell of
the answer is which of the gold's; values are only compared then, so that exchanged labels are found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from cibench_eval.evaluators.comparing.labels import Entry, agree, alike, exchanged, in_order, same_unit
from cibench_eval.evaluators.comparing.numbers import Margin, Value, equal
from cibench_eval.evaluators.comparing.readings import MONTHS
from cibench_eval.evaluators.comparing.words import named, opposed, translated

MOST = 200
"""Cells that are looked for by a part of their labels, and words that are looked for by their beginning."""
Key = frozenset[str]


@dataclass(frozen=True)
class Cell:
    """A value, its labels, the row that it stands in, and its unit."""

    labels: Key
    value: Value
    row: int = 0
    unit: tuple[str, ...] = ()


def cells_of(entries: Iterable[Entry]) -> list[Cell]:
    """Values with their labels, or else with what stands behind them."""
    return [
        Cell(frozenset((*words, *translated(words))), value, row, tuple(entry.unit))
        for row, entry in enumerate(entries)
        for words in [named(entry.label or entry.unit)]
        for value in entry.values
    ]


def same_entries(gold: list[Entry], answer: list[Entry], margin: Margin, ordered: bool) -> bool:
    """Whether the answer has the gold's values under its labels; in any order, if none is asked for."""
    return in_order(gold, answer, margin) or (not ordered and same_cells(cells_of(gold), cells_of(answer), margin))


def same_clauses(gold: list[Entry], clauses: list[Entry], margin: Margin, ordered: bool) -> bool:
    """Whether clauses with a value each say the gold's values, each with a word of its label and none against it."""
    mine, theirs = cells_of(gold), cells_of(clauses)
    words = frozenset[str]().union(*(cell.labels for cell in mine))
    known = [replace(cell, labels=cell.labels & words) for cell in theirs]
    if not all(cell.labels for cell in known) or any(opposed(words, cell.labels) for cell in theirs):
        return False
    return same_cells(mine, known, margin, ordered)


def same_cells(gold: list[Cell], answer: list[Cell], margin: Margin, ordered: bool = False) -> bool:
    """Whether each value of the gold has one of its own in the answer, by labels that tell it apart.

    Labels that all of the gold's cells have may be missing, and the answer may say more; of cells with the same labels
    the order counts. `ordered`: whether that of the gold's rows does.
    """
    if len(gold) != len(answer) or len(gold) < 2:
        return False
    common = frozenset.intersection(*(cell.labels for cell in gold))
    words = frozenset.union(*(cell.labels for cell in gold)) - common
    aliases = _aliases(words, answer)
    answer = [replace(cell, labels=frozenset(aliases.get(word, word) for word in cell.labels)) for cell in answer]
    if any(word[0].isdigit() and not any(word in cell.labels for cell in answer) for word in words):
        return False
    mine = _grouped(gold, words)
    if len(mine) > 1 and len(mine.get(frozenset(), [])) > 1:
        return False
    pairs = _paired(mine, _grouped(answer, words))
    if pairs is None or exchanged([(mine.value, other.value) for mine, other in pairs], margin):
        return False
    counted = all(word[0].isdigit() for word in words)  # labels that differ in their numbers alone, as of `k=2`
    if not all(equal(mine.value, other.value, margin) and not _other(mine, other, counted) for mine, other in pairs):
        return False
    return not ordered or _in_order(pairs)


def _other(gold: Cell, answer: Cell, counted: bool) -> bool:
    """Whether the answer's cell has another label, or another unit, in the place of one of the gold's."""
    if counted and any(word[0].isdigit() for word in gold.labels & answer.labels):
        return opposed(gold.labels, answer.labels) or not same_unit(gold.unit, answer.unit)
    return not (agree(gold.labels, answer.labels) and same_unit(gold.unit, answer.unit))


def _aliases(words: Key, answer: list[Cell]) -> dict[str, str]:
    """Words of the answer that are the beginning of one of the gold's, or begin with it."""
    others = {word for cell in answer for word in cell.labels} - words
    if len(words) > MOST or len(others) > MOST:
        return {}
    near = {other: [word for word in words if alike(word, other) or _same_month(word, other)] for other in others}
    return {other: found[0] for other, found in near.items() if len(found) == 1}


def _same_month(one: str, other: str) -> bool:
    """Whether one label is a date, the other its month, or the month's name."""
    if one[:3] in MONTHS:
        one, other = other, one
    if not (one[:4].isdigit() and one[4:5] == ' '):
        return False
    if other[:3] in MONTHS:
        return MONTHS[int(one[5:7]) - 1] == other[:3]
    return one[:7] == other[:7] and '00' in (one[8:10], other[8:10])


def _grouped(cells: list[Cell], words: Key) -> dict[Key, list[Cell]]:
    """Cells by those of their labels that tell the gold's apart."""
    found: dict[Key, list[Cell]] = defaultdict(list)
    for cell in cells:
        found[cell.labels & words].append(cell)
    return found


def _paired(gold: dict[Key, list[Cell]], answer: dict[Key, list[Cell]]) -> list[tuple[Cell, Cell]] | None:
    """Which cell of the answer is which of the gold's; None where labels do not tell that.

    One that lacks a label is the only one left that has all its others.
    """
    found: list[tuple[Cell, Cell]] = []
    left = dict(gold)
    partly = []
    for key, those in answer.items():
        if key in left and len(left[key]) == len(those):
            found += zip(left.pop(key), those, strict=True)
        else:
            partly.append((key, those))
    if max(len(partly), len(left) if partly else 0) > MOST:
        return None
    for key, those in sorted(partly, key=lambda pair: -len(pair[0])):
        near = [other for other in left if key < other and those[0].labels and len(left[other]) == len(those)]
        if len(near) != 1:
            return None
        found += zip(left.pop(near[0]), those, strict=True)
    return None if left else found


def _in_order(pairs: list[tuple[Cell, Cell]]) -> bool:
    """Whether the answer's rows stand as the gold's do."""
    rows: dict[int, set[int]] = defaultdict(set)
    for mine, other in pairs:
        rows[mine.row].add(other.row)
    shown = [rows[row] for row in sorted(rows)]
    return all(max(one) <= min(two) for one, two in pairwise(shown))
