"""Values under labels, gold against answer, in any layout: a table, turned, stacked, a Series, lines of `name: value`.

Every value is taken with all that it is called: by row, by column and beside it. Labels say which value of the answer
belongs to which of the gold's; only then are values compared, so that exchanged labels are found. An answer's label may
say less or more than the gold's, but nothing else: `SVM test accuracy: 0.93` is `SVM 0.93`, `LightGBM 0.93` is not.

`labels.py` reads the labels of a text; `words.py` knows which words name one thing and which are opposites.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import eq

from cibench_eval.evaluators.comparing.numbers import CJK_SIGN, MONTHS, TOLERANCE, Margin, Value, equal
from cibench_eval.evaluators.comparing.open_form.items import Items, other_items
from cibench_eval.evaluators.comparing.open_form.labels import (
    LONGEST,
    UNORDERED,
    Entry,
    clauses,
    counted,
    entries,
    headed,
)
from cibench_eval.evaluators.comparing.open_form.readings import OutputReading
from cibench_eval.evaluators.comparing.open_form.words import (
    ANYTHING,
    MEASURES,
    SAYS_NOTHING,
    named,
    opposed,
    translated,
)

MOST = 200
"""Values that are looked for by a part of their labels, and words that are looked for by their beginning."""
MOST_MORE = 10
"""Largest ratio of answer values to gold values at which labels are compared."""
RANKED = 4
"""Fewest values whose sorted order is taken for a ranking."""
OTHER = 'other labels'
Label = frozenset[str]


@dataclass(frozen=True)
class LabelledValue:
    """A value, its labels, the row that it stands in, and its unit."""

    labels: Label
    value: Value
    row: int = 0
    unit: tuple[str, ...] = ()


Labelled = list[LabelledValue]
Pairs = list[tuple[LabelledValue, LabelledValue]]


# A whole output.


def same_under_labels(
    gold: OutputReading,
    tables: list[Labelled],
    answer: OutputReading,
    others: list[Labelled],
    margin: Margin,
    ordered: bool,
) -> bool:
    """Whether an answer has the gold's values under the gold's labels, where one of the two is no table.

    Args:
        gold, answer: as text.
        tables, others: gold and answer as tables, in each layout; nothing where they are none.
        margin: by how much numbers may differ.
        ordered: whether the order of the gold's rows counts.
    """
    if not 0 < len(answer.values) <= MOST_MORE * (len(gold.values) + 10):
        return False
    shown = [_labelled(those) for those in (entries(answer), headed(answer))]
    if not tables:
        mine = entries(gold)
        if gold.table == 'frame' or not (_has_labels(gold, mine) or _has_numbered_rows(gold, mine)):
            return False
        tables, shown = [_labelled(mine)], shown + others
    return any(same_values(one, other, margin, ordered) for one in tables for other in shown)


def other_labels(
    found: str, gold: OutputReading, answer: OutputReading, margin: Margin, named: bool, ordered: bool
) -> str:
    """Why an answer is wrong once its labels are compared; empty where it is right.

    Args:
        found: why the values are not the same in their order, empty where they are.
        gold, answer: what is compared.
        margin: by how much numbers may differ.
        named: whether an answer without labels is wrong.
        ordered: whether the order of labelled values counts.
    """
    if any(kind == 'dots' for kind, _ in gold.tokens):
        return found
    mine, theirs = entries(gold), entries(answer)
    if _has_numbered_rows(gold, mine) and _same_entries(mine, theirs, margin):
        return ''
    if not _has_labels(gold, mine):
        return found and (_other_without_labels(mine, theirs, margin) and found)
    if not any(entry.key for entry in theirs):
        return found if named or not found or not _same_entries(mine, theirs, margin) else ''
    behind, shown_behind = counted(gold), counted(answer)
    if behind and _same_entries(behind, shown_behind or theirs, margin):
        return ''
    if _same_clauses(mine, clauses(answer), margin, ordered):
        return ''
    if len(shown_behind) > 1 and all(entry.label for entry in mine):  # `20 rows, 80 columns`
        return found or OTHER
    if behind or not all(entry.label and not entry.unit for entry in mine):
        shown_behind = []
    if any(_same_entries(mine, one, margin) for one in (theirs, shown_behind) if one):
        return ''
    return found or ('' if _may_be_same(mine, theirs) else OTHER)


def shows_ranking(gold: OutputReading, least: int = RANKED) -> bool:
    """Whether an output that is no table shows a ranking: several values under labels, sorted, not by their labels."""
    those = entries(gold)
    numbers = [entry.values[0].number.real for entry in those if len(entry.values) == 1]
    if UNORDERED.match(gold.text) or len(numbers) < max(least, len(those)):
        return False
    labels = [entry.label for entry in those]
    if sum(MEASURES.issuperset(label) for label in labels) > 1:
        return False
    return labels != sorted(labels) and monotonic(numbers)


def monotonic(numbers: list[float]) -> bool:
    """Whether numbers rise or fall, and are not all the same."""
    rises = [later > earlier for earlier, later in pairwise(numbers) if later != earlier]
    return bool(rises) and (all(rises) or not any(rises))


def _has_labels(reading: OutputReading, those: list[Entry]) -> bool:
    """Whether a gold output has labels: words beside its values, or the keys of a dictionary."""
    return any(entry.worded for entry in those) or bool(UNORDERED.match(reading.text) and all(e.key for e in those))


def _has_numbered_rows(reading: OutputReading, those: list[Entry]) -> bool:
    """Whether a Series has numbers as labels, other than those of pandas' default index."""
    labels = [entry.label for entry in those]
    counting = [(str(number),) for number in range(len(those))]
    numeric = all(word[0].isdigit() for label in labels for word in label)
    return reading.table == 'series' and all(labels) and numeric and labels != counting


def _may_be_same(gold: list[Entry], answer: list[Entry]) -> bool:
    """Whether labels that group the same values otherwise may be the same: only all of them together can tell."""
    if sum(len(entry.values) for entry in gold) == sum(len(entry.values) for entry in answer):
        return False
    return agree(*([word for one in those for word in (*one.label, *one.unit)] for those in (gold, answer)))


def _other_without_labels(gold: list[Entry], answer: list[Entry], margin: Margin) -> str:
    """What is wrong with values that the answer has under labels with numbers in them; the gold has no labels."""
    keys = [entry.label for entry in answer]
    if not (any(entry.worded for entry in answer) or (len(keys) > 1 and len(set(keys)) == len(keys))):
        return 'no labels'
    shown: Items = [value for entry in answer for value in entry.values]
    pairs = zip(gold, answer, strict=False)
    if any(entry.label for entry in gold) and not all(_may_name_same(*pair) for pair in pairs):
        return OTHER
    return other_items([value for entry in gold for value in entry.values], shown, margin)


# Entries: values under one label each.


def _labelled(those: Iterable[Entry]) -> Labelled:
    """Values with their labels, or else with what stands behind them."""
    return [
        LabelledValue(frozenset((*words, *translated(words))), value, row, tuple(entry.unit))
        for row, entry in enumerate(those)
        for words in [named(entry.label or entry.unit)]
        for value in entry.values
    ]


def _same_entries(gold: list[Entry], answer: list[Entry], margin: Margin) -> bool:
    """Whether the answer has the gold's values in their order, and no other labels."""
    mine, theirs = ([(entry, value) for entry in those for value in entry.values] for those in (gold, answer))
    if len(mine) != len(theirs) or exchanged([(a[1], b[1]) for a, b in zip(mine, theirs, strict=True)], margin):
        return False
    return all(
        equal(value, shown, margin) and _may_name_same(entry, other)
        for (entry, value), (other, shown) in zip(mine, theirs, strict=True)
    )


def _same_clauses(gold: list[Entry], those: list[Entry], margin: Margin, ordered: bool) -> bool:
    """Whether clauses with a value each say the gold's values, each with a word of its label."""
    mine, theirs = _labelled(gold), _labelled(those)
    words = Label().union(*(one.labels for one in mine))
    known = [replace(one, labels=one.labels & words) for one in theirs]
    return all(one.labels for one in known) and same_values(mine, known, margin, ordered)


# Values with all of their labels.


def same_values(gold: Labelled, answer: Labelled, margin: Margin, ordered: bool = False) -> bool:
    """Whether each value of the gold has one of its own in the answer, by labels that tell it apart.

    Labels that all of the gold's values have may be missing, and the answer may say more; of values with the same
    labels the order counts. `ordered`: whether the order of the gold's rows counts, too.
    """
    if len(gold) != len(answer) or len(gold) < 2:
        return False
    common = frozenset.intersection(*(one.labels for one in gold))
    words = frozenset.union(*(one.labels for one in gold)) - common
    aliases = _aliases(words, answer)
    answer = [replace(one, labels=frozenset(aliases.get(word, word) for word in one.labels)) for one in answer]
    if any(word[0].isdigit() and not any(word in one.labels for one in answer) for word in words):
        return False
    mine = _grouped(gold, words)
    if len(mine) > 1 and len(mine.get(frozenset(), [])) > 1:
        return False
    pairs = _paired(mine, _grouped(answer, words))
    if pairs is None or exchanged([(mine.value, other.value) for mine, other in pairs], margin):
        return False
    by_number = all(word[0].isdigit() for word in words)  # labels that differ in their numbers alone, as of `k=2`
    if not all(equal(mine.value, other.value, margin) and not _other(mine, other, by_number) for mine, other in pairs):
        return False
    return not ordered or _in_order(pairs)


def _other(gold: LabelledValue, answer: LabelledValue, by_number: bool) -> bool:
    """Whether the answer's value has another label, or another unit, in the place of one of the gold's."""
    if by_number and any(word[0].isdigit() for word in gold.labels & answer.labels):
        return False
    return not (agree(gold.labels, answer.labels) and _same_unit(gold.unit, answer.unit))


def _aliases(words: Label, answer: Labelled) -> dict[str, str]:
    """Words of the answer that are the beginning of one of the gold's, or begin with it."""
    others = {word for one in answer for word in one.labels} - words
    if len(words) > MOST or len(others) > MOST:
        return {}
    near = {other: [word for word in words if _alike(word, other) or _same_month(word, other)] for other in others}
    return {other: found[0] for other, found in near.items() if len(found) == 1}


def _same_month(one: str, other: str) -> bool:
    """Whether a label is a date, the other its month, or the month's name."""
    if not (one[:4].isdigit() and one[4:5] == ' '):
        return False
    if other[:3] in MONTHS:
        return MONTHS[int(one[5:7]) - 1] == other[:3]
    return one[:7] == other[:7] and '00' in (one[8:10], other[8:10])


def _grouped(those: Labelled, words: Label) -> dict[Label, Labelled]:
    """Values by those of their labels that tell the gold's apart."""
    found: dict[Label, Labelled] = defaultdict(list)
    for one in those:
        found[one.labels & words].append(one)
    return found


def _paired(gold: dict[Label, Labelled], answer: dict[Label, Labelled]) -> Pairs | None:
    """Pairs of gold and answer values; None where labels do not tell which belong together.

    A value that lacks a label is paired with the only one left that has all its others.
    """
    found: Pairs = []
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


def _in_order(pairs: Pairs) -> bool:
    """Whether the answer's rows stand as the gold's do."""
    rows: dict[int, set[int]] = defaultdict(set)
    for mine, other in pairs:
        rows[mine.row].add(other.row)
    shown = [rows[row] for row in sorted(rows)]
    return all(max(one) <= min(two) for one, two in pairwise(shown))


def exchanged(pairs: list[tuple[Value, Value]], margin: Margin) -> bool:
    """Whether two numbers stand in each other's place that a wide margin would let pass."""
    if margin.relative <= TOLERANCE and not margin.absolute:
        return False
    apart = {(one.exact, other.exact) for one, other in pairs if one.exact != other.exact}
    return any((other, one) in apart for one, other in apart)


# Two labels.


def _may_name_same(gold: Entry, answer: Entry) -> bool:
    """Whether labels and units may be the same."""
    if _within([*answer.label, *answer.unit], [*gold.label, *gold.unit]):
        return True
    return agree(gold.label, answer.label) and _same_unit(gold.unit, answer.unit)


def agree(gold: Iterable[str], answer: Iterable[str]) -> bool:
    """Whether two labels may name the same: one has all words of the other, or they are in two languages."""
    mine, theirs = list(dict.fromkeys(gold)), list(dict.fromkeys(answer))
    if not mine or not theirs:
        return True
    if in_two_languages(mine, theirs):
        both = [{*words, *translated(words)} for words in (mine, theirs)]
        return not opposed(*both)
    if len(theirs) > 1 and SAYS_NOTHING.issuperset(theirs):  # `it took`
        return True
    if ANYTHING.issuperset(mine):
        return True
    shared = set(mine) & set(theirs)
    if shared and in_two_languages(*([word for word in words if word not in shared] for words in (mine, theirs))):
        return True
    return _within(mine, theirs) or _within(theirs, mine)


def in_two_languages(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether of two lists of words, none of them in both, one is Chinese and the other is not."""
    chinese = {CJK_SIGN.search(word) is not None for words in (mine, theirs) for word in words}
    return len(chinese) == 2 and not set(mine) & set(theirs)


def _within(some: list[str], others: list[str]) -> bool:
    known = set(others)
    return all(
        word in known or (len(others) <= 2 * LONGEST and any(_alike(word, one) for one in others)) for word in some
    )


def _alike(word: str, other: str) -> bool:
    """Whether one word is the other's beginning: `acc`, `accuracy`."""
    shorter = min(word, other, key=len)
    return len(shorter) > 2 and word.startswith(shorter) and other.startswith(shorter) and shorter.isalpha()


def _same_unit(gold: Sequence[str], answer: Sequence[str]) -> bool:
    """Whether one unit begins with the other, or they are in two languages."""
    return all(map(eq, gold, answer)) or in_two_languages(gold, answer)
