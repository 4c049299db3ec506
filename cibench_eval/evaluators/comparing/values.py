"""Outputs with numbers in them: an answer's held against the gold's, arrays as arrays and tables as tables.

What counts is the values in their order, no more and no fewer; with them the nesting of arrays, and the rows and
labels of what pandas prints. Column widths, line breaks inside brackets, footers, the wrapping of wide tables, rules
of Markdown and words outside of tables do not. See `docs/metrics.md` for the rules and their reasons.
"""

from __future__ import annotations

import re
from collections import Counter

from cibench_eval.evaluators.comparing.cells import cells_of, same_cells, same_clauses, same_entries
from cibench_eval.evaluators.comparing.grids import Grid, grids, other_names, same_grids
from cibench_eval.evaluators.comparing.items import Items, flat, items_of, leaves, other_items, paired
from cibench_eval.evaluators.comparing.labels import (
    RANKED,
    UNORDERED,
    Entry,
    agree,
    agreeing,
    clauses,
    counted,
    entries,
    exchanged,
    headed,
    is_ranked,
)
from cibench_eval.evaluators.comparing.numbers import (
    TOLERANCE,
    Margin,
    Token,
    Value,
    clean,
    lex,
)
from cibench_eval.evaluators.comparing.questions import Question
from cibench_eval.evaluators.comparing.readings import OutputReading, margin_of, readings, said, variants
from cibench_eval.evaluators.comparing.words import SAYS_NOTHING

MOST_OF_SET = 1000
"""Values of a set that are compared in any order."""
MOST_MORE = 10
"""Times as many values as the gold's, of an answer that has them in labels."""
TRUTH = {'yes': 'True', 'no': 'False', '是': 'True', '否': 'False'}
SET = re.compile(r'(?:set\(|frozenset\()?\{[^:={}]+\}\)?')
TEXT_OF_KEY = re.compile(r"""['"]: ?['"]([^'"\n]{1,100})['"]""")


def difference(gold: str, answer: str, tolerance: float | Margin = TOLERANCE, question: str = '') -> str:
    """Why the answer is not the gold output, in words; empty where it is.

    A comma may separate thousands or numbers, so that some texts have two readings: one of each must agree. Where the
    question is known, its numbers are none of the answer's.
    """
    gold, asked = said(gold), Question(question)
    shown = TRUTH.get(answer.strip().lower(), said(answer))
    if shown.split() == gold.split():
        return ''
    if asked.repeated_by(shown):
        return 'the question repeated'
    if unit := asked.other_unit(gold, shown):
        return f'another unit, {unit}'
    if text := other_text(gold, shown):
        return f'no {text!r}'
    shown = asked.signed(gold, shown)
    found = [_of_texts(gold, one, tolerance, asked) for one in variants(shown, asked, gold)]
    return '' if '' in found else found[0]


def _same_set(gold: OutputReading, answer: OutputReading, margin: Margin) -> bool:
    """Whether each row of the gold's array, or value of its list, has one of its own in the answer."""
    rows, shown = (leaves(items_of(reading.tokens)) for reading in (gold, answer))
    if len(rows) == 1:
        rows, shown = ([[value] for value in reading.values] for reading in (gold, answer))
    if gold.words or gold.table or ('dots', '...') in gold.tokens or not len(rows) == len(shown) <= MOST_OF_SET:
        return False
    for row in rows:
        place = next((at for at, other in enumerate(shown) if not other_items(row, other, margin)), None)
        if place is None:
            return False
        shown.pop(place)
    return True


def other_text(gold: str, answer: str) -> str:
    """A text under a key of the gold's dictionary that the answer has not: `{'C': 10, 'kernel': 'rbf'}`."""
    texts = dict.fromkeys(TEXT_OF_KEY.findall(gold))
    words = {token for kind, token in lex(clean(answer)) if kind == 'word'} if texts else set()
    return next((text for text in texts if any(k == 'word' and t not in words for k, t in lex(clean(text)))), '')


def _of_texts(gold: str, answer: str, tolerance: float | Margin, asked: Question) -> str:
    golds, answers = readings(gold), readings(answer)
    tables = grids(gold)
    others = grids(answer) if tables or golds[0].table or golds[0].words or '[[' in gold else []
    found: list[str] = []
    for one in golds:
        order = _is_ranked(one, tables, asked)
        for other in answers:
            margin = margin_of(one, other, tolerance)
            if any(same_grids(table, shown, margin, order) for table in tables for shown in others):
                return ''
            if (asked.of_set or SET.fullmatch(one.text.strip())) and _same_set(one, other, margin):
                return ''
            if _same_labelled(one, tables, other, others, margin, order):
                return ''
            found.append(
                other_names(tables[0], others[0])
                if tables and others
                else _difference(one, other, margin, others, order)
            )
    return '' if '' in found else found[0]


def _is_ranked(gold: OutputReading, tables: list[Grid], asked: Question) -> bool:
    """Whether the order of the gold's rows counts: where it shows a ranking, unless the question asks for none."""
    least = 2 if asked.order else RANKED
    if asked.order is False:
        return False
    return any(table.is_ranked(least) for table in tables) or (
        not tables and is_ranked(gold.text, entries(gold), least)
    )


def _same_labelled(
    gold: OutputReading, tables: list[Grid], answer: OutputReading, others: list[Grid], margin: Margin, order: bool
) -> bool:
    """Whether an answer has the gold's values under its labels, where one is a table and the other is none."""
    if not 0 < len(answer.values) <= MOST_MORE * (len(gold.values) + 10):
        return False
    shown = [cells_of(those) for those in (entries(answer), headed(answer))]
    if tables:
        return any(
            same_cells(cells, those, margin, order) for one in tables for cells in one.layouts() for those in shown
        )
    mine = entries(gold)
    if gold.table == 'frame' or not (_is_labelled(gold, mine) or _numbered_rows(gold, mine)):
        return False
    shown += [cells for one in others for cells in one.layouts()]
    return any(same_cells(cells_of(mine), cells, margin, order) for cells in shown)


def _difference(gold: OutputReading, answer: OutputReading, margin: Margin, others: list[Grid], order: bool) -> str:
    if not gold.values:
        return _other_words(gold, answer)
    rows = _rows(gold)
    if gold.table == 'frame':
        return _other_table(gold, answer, margin)
    series = gold.table == 'series' and _labelled(rows)
    found = _other_table(gold, answer, margin) if series else _other_sequence(gold, answer, rows, margin)
    if found and not gold.words and any(_is_matrix(gold, grid, margin) for grid in others):
        return ''
    return _other_labels(found, gold, answer, margin, others, series, order)


def _other_labels(
    found: str, gold: OutputReading, answer: OutputReading, margin: Margin, others: list[Grid], named: bool, order: bool
) -> str:
    """What is found without labels, held against what is found with them.

    Args:
        found: why the values are not the same in their order, empty where they are.
        gold, answer, margin: what is compared.
        others: the answer as a table.
        named: whether an answer without labels is none.
        order: whether that of labelled values counts.
    """
    if any(kind == 'dots' for kind, _ in gold.tokens):
        return found
    mine, theirs = entries(gold), entries(answer)
    if _numbered_rows(gold, mine) and same_entries(mine, theirs, margin, order):
        return ''
    if not _is_labelled(gold, mine):
        return found and (_other_numbered(mine, theirs, margin) and found)
    if not any(entry.key for entry in theirs):
        return found if named or not found or not same_entries(mine, theirs, margin, ordered=True) else ''
    behind, shown_behind = counted(gold), counted(answer)
    if behind and same_entries(behind, shown_behind or theirs, margin, ordered=False):
        return ''
    if same_clauses(mine, clauses(answer), margin, order):
        return ''
    if shown_behind and _other_counts(mine, theirs, shown_behind, margin):
        return found or 'other labels'
    if behind or not all(entry.label and not entry.unit for entry in mine):
        shown_behind = []
    if any(same_entries(mine, one, margin, order) for one in (theirs, shown_behind) if one):
        return ''
    return found or _conflict(mine, theirs)


def _other_counts(gold: list[Entry], answer: list[Entry], behind: list[Entry], margin: Margin) -> bool:
    """Whether what stands behind an answer's values are the gold's labels, but of others: `20 rows, 80 columns`."""
    if len(behind) < 2 or not all(entry.label for entry in gold) or not SAYS_NOTHING.issuperset(answer[0].label):
        return False
    labels, shown = ({word for entry in those for word in entry.label} for those in (gold, behind))
    return bool(labels & shown) and not same_entries(gold, behind, margin, ordered=False)


def _is_labelled(reading: OutputReading, those: list[Entry]) -> bool:
    """Whether a gold output has labels: words beside its values, or the keys of a dictionary."""
    return any(entry.worded for entry in those) or bool(UNORDERED.match(reading.text) and all(e.key for e in those))


def _numbered_rows(reading: OutputReading, those: list[Entry]) -> bool:
    """Whether a Series has numbers as labels, other than those of pandas' default index."""
    labels = [entry.label for entry in those]
    counting = [(str(number),) for number in range(len(those))]
    numeric = all(word[0].isdigit() for label in labels for word in label)
    return reading.table == 'series' and all(labels) and numeric and labels != counting


def _conflict(gold: list[Entry], answer: list[Entry]) -> str:
    """Of the same values in the same order: whether their labels are others."""
    if sum(len(entry.values) for entry in gold) != sum(len(entry.values) for entry in answer):
        mine, theirs = ([word for one in those for word in (*one.label, *one.unit)] for those in (gold, answer))
        return '' if agree(mine, theirs) else 'other labels'
    return 'other labels'


def _other_numbered(gold: list[Entry], answer: list[Entry], margin: Margin) -> str:
    """For a gold without labels: values that the answer has under labels with numbers in them."""
    keys = [entry.label for entry in answer]
    if not (any(entry.worded for entry in answer) or (len(keys) > 1 and len(set(keys)) == len(keys))):
        return 'no labels'
    shown: Items = [value for entry in answer for value in entry.values]
    if any(entry.label for entry in gold) and not all(agreeing(*pair) for pair in zip(gold, answer, strict=False)):
        return 'other labels'
    return other_items([value for entry in gold for value in entry.values], shown, margin)


def _other_sequence(gold: OutputReading, answer: OutputReading, rows: Items, margin: Margin) -> str:
    """Values in their order, in the nesting of their brackets; a date and a number in any."""
    expected = _column(rows) if gold.table else items_of(gold.tokens)
    shown = items_of(answer.tokens)
    if not gold.table and len({value.kind for value in gold.values}) == len(gold.values) > 1:
        expected, shown = sorted(flat(expected), key=_kind), sorted(flat(shown), key=_kind)
    if any(isinstance(item, list) for item in expected):
        return _other_array(expected, shown, answer, margin)
    lists = [flat(shown), *([_column(_rows(answer))] if gold.table or answer.table else [])]
    whole = [values for values in lists if gold.rows is None or ... in values or len(values) == gold.rows]
    problems = [_exchanged(expected, values, margin) or other_items(expected, values, margin) for values in whole]
    return '' if '' in problems else [*problems, f'{len(lists[0])} values, the gold has {gold.rows}'][0]


def _kind(value: Value) -> str:
    return value.kind


def _is_matrix(gold: OutputReading, grid: Grid, margin: Margin) -> bool:
    """Whether a table has the rows of a matrix, under names of its own."""
    expected = items_of(gold.tokens)
    nested = any(isinstance(item, list) for item in expected)
    return nested and not other_items(leaves(expected), grid.matrix(), margin, 'row')


def _exchanged(gold: Items, answer: Items, margin: Margin) -> str:
    """Two numbers that the margin lets pass though each is the other: within it they can be told apart."""
    if len(gold) != len(answer) or ... in gold or not exchanged(list(zip(gold, answer, strict=True)), margin):
        return ''
    return 'two values are exchanged'


def _other_words(gold: OutputReading, answer: OutputReading) -> str:
    """For a gold output without values: it is words that count, or, without those, the text as it is."""
    if answer.values:
        return f'{len(answer.values)} values, the gold has none'
    if not gold.words:
        return '' if gold.text.strip() == answer.text.strip() else 'other words'
    behind = [token for kind, token in lex(answer.text.rpartition(':')[2]) if kind == 'word']
    alike = gold.words in (answer.words, behind)
    in_set = SET.fullmatch(gold.text.strip()) and Counter(gold.words) == Counter(answer.words)
    return '' if alike or in_set else 'other words'


# Arrays.


def _other_array(gold: Items, shown: Items, answer: OutputReading, margin: Margin) -> str:
    """The same nesting; or, where the answer has none, the same rows in its lines."""
    found = other_items(gold, shown, margin)
    if not found or any(isinstance(item, list) for item in shown):
        return found
    inner = leaves(gold)
    if len({len(leaf) for leaf in inner}) == len(inner) > 1:  # rows of different lengths need no brackets
        return other_items(flat(gold), flat(shown), margin)
    rows = [flat(row) for row in _rows(answer) if row is not ...]
    return other_items(inner[0], flat(shown), margin) if len(inner) == 1 else other_items(inner, rows, margin, 'row')


# Tables.


def _other_table(gold: OutputReading, answer: OutputReading, margin: Margin) -> str:
    """Column labels are in the answer, in their order; rows have the same labels and values, in the same order."""
    rows, shown = _rows(gold), _rows(answer)
    total = answer.rows if answer.rows is not None else None if ... in shown else len(shown)
    headers = int(answer.rows is None)
    if gold.rows is not None and total is not None and not gold.rows <= total <= gold.rows + headers:
        return f'{total} rows, the gold has {gold.rows}'
    words = iter(answer.words)
    missing = next((word for word in _header(gold) if word not in words), None) if gold.table == 'frame' else None
    if missing is not None:
        return f'no label {missing!r}, or not in its place'
    found = _other_rows(rows, shown, margin)
    return found and (_other_rows(_unnumbered(rows), _unnumbered(shown), margin) and found)


def _header(reading: OutputReading) -> list[str]:
    """The words of the first line without values: the columns. A second such line names the index."""
    lines = ([str(token) for kind, token in line if kind == 'word'] for line in reading.lines if not _valued(line))
    return next((words for words in lines if words), [])


def _valued(line: list[Token]) -> bool:
    return any(kind == 'value' for kind, _ in line)


def _rows(reading: OutputReading) -> Items:
    """The lines with values, as values and words; `...` for a line of dots."""
    found: Items = []
    for line in reading.lines:
        if _valued(line):
            found.append(
                [... if kind == 'dots' else token for kind, token in line if kind in ('value', 'word', 'dots')]
            )
        elif all(kind == 'dots' for kind, _ in line):
            found.append(...)
    return found


def _labelled(rows: Items) -> bool:
    return any(isinstance(token, str) for row in rows if row is not ... for token in row)


def _unnumbered(rows: Items) -> Items:
    """Rows without pandas' default index: 0, 1, 2, …, with a jump where rows are hidden."""
    expected: int | None = 0
    for row in rows:
        if row is ...:
            expected = None
            continue
        first = row[0]
        if len(row) < 2 or not (isinstance(first, Value) and first.whole and first.exact.isdigit()):
            return rows
        if expected is not None and first.exact != str(expected):
            return rows
        expected = int(first.exact[:18]) + 1
    return [row if row is ... else row[1:] for row in rows]


def _column(rows: Items) -> Items:
    """The values of a table without labels as one list. One line alone may be the list itself."""
    if len(rows) == 1 and rows[0] is not ... and len(rows[0]) > 2:
        return flat(rows)
    return [item for row in _unnumbered(rows) for item in ([...] if row is ... else flat(row))]


def _other_rows(gold: Items, answer: Items, margin: Margin) -> str:
    pairs = paired(gold, answer)
    if pairs is None:
        return f'{len(answer)} rows, the gold has {len(gold)}'
    problems = (_other_row(*pair, margin) for pair in pairs)
    return next((f'row {number}: {problem}' for number, problem in enumerate(problems, 1) if problem), '')


def _other_row(gold: Items, answer: Items, margin: Margin) -> str:
    """The same values; the gold's words among the answer's, in order. With `...` what stands before and behind it."""
    if ... in gold:
        return other_items(gold, answer, margin, 'entry')
    words = iter([token for token in answer if isinstance(token, str)])
    missing = next((word for word in gold if isinstance(word, str) and word not in words), None)
    if missing is not None:
        return f'no label {missing!r}'
    return other_items(flat(gold), flat(answer), margin)
