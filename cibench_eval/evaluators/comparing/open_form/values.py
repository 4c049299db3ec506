"""Numbers, arrays and tables as text: whether an answer shows the gold output.

What counts is the values in their order, no more and no fewer, the nesting of arrays, and the rows and labels of what
pandas prints. Column widths, line breaks inside brackets, footers, the wrapping of wide tables, rules of Markdown and
words outside of tables do not count. `docs/open-form.md` has the rules and their reasons; `labelled.py` compares
labels.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from operator import attrgetter

from cibench_eval.evaluators.comparing.numbers import TOLERANCE, Margin, Token, Value, clean, lex
from cibench_eval.evaluators.comparing.open_form.grids import Grid, grids, other_names, same_grids
from cibench_eval.evaluators.comparing.open_form.items import Items, flat, items_of, leaves, other_items, paired
from cibench_eval.evaluators.comparing.open_form.labelled import (
    RANKED,
    exchanged,
    other_labels,
    same_under_labels,
    shows_ranking,
)
from cibench_eval.evaluators.comparing.open_form.questions import Question
from cibench_eval.evaluators.comparing.open_form.readings import OutputReading, margin_of, readings, said, variants

MOST_OF_SET = 1000
"""Values of a set that are compared in any order."""
TRUTH = {'yes': 'True', 'no': 'False', '是': 'True', '否': 'False'}
SET = re.compile(r'(?:set\(|frozenset\()?\{[^:={}]+\}\)?')
TEXT_OF_KEY = re.compile(r"""['"]: ?['"]([^'"\n]{1,100})['"]""")


def difference(gold: str, answer: str, tolerance: float | Margin = TOLERANCE, question: str = '') -> str:
    """Say why the answer is not the gold output; empty where it is.

    A comma may separate thousands or numbers, so that some texts have two readings: one of each must agree. Numbers of
    the question may stand beside the answer's.
    """
    gold, asked = said(gold), Question(question)
    shown = TRUTH.get(answer.strip().lower(), said(answer))
    if shown.split() == gold.split():
        return ''
    if asked.repeated_by(shown):
        return 'the question repeated'
    if unit := asked.other_unit(gold, shown):
        return f'another unit, {unit}'
    if text := _missing_text(gold, shown):
        return f'no {text!r}'
    shown = asked.signed(gold, shown)
    return _unless_right(_of_texts(gold, one, tolerance, asked) for one in variants(shown, asked, gold))


def _unless_right(reasons: Iterable[str]) -> str:
    """The first reason why an answer is wrong; empty if one way to read it is right."""
    first = ''
    for reason in reasons:
        if not reason:
            return ''
        first = first or reason
    return first


def _same_set(gold: OutputReading, answer: OutputReading, margin: Margin) -> bool:
    """Whether each row of the gold's array, or value of its list, has one of its own in the answer."""
    rows, shown = (leaves(items_of(reading.tokens)) for reading in (gold, answer))
    if len(rows) == 1:
        rows, shown = ([[value] for value in reading.values] for reading in (gold, answer))
    if gold.words or not len(rows) == len(shown) <= MOST_OF_SET:
        return False
    for row in rows:
        place = next((at for at, other in enumerate(shown) if not other_items(row, other, margin)), None)
        if place is None:
            return False
        shown.pop(place)
    return True


def _missing_text(gold: str, answer: str) -> str:
    """A text under a key of the gold's dictionary that the answer lacks: `{'C': 10, 'kernel': 'rbf'}`."""
    texts = dict.fromkeys(TEXT_OF_KEY.findall(gold))
    words = {token for kind, token in lex(clean(answer)) if kind == 'word'} if texts else set()
    return next((text for text in texts if any(k == 'word' and t not in words for k, t in lex(clean(text)))), '')


def _of_texts(gold: str, answer: str, tolerance: float | Margin, asked: Question) -> str:
    golds, answers = readings(gold), readings(answer)
    tables = grids(gold)
    others = grids(answer) if tables or golds[0].table or golds[0].words or '[[' in gold else []
    ranked = [(one, _is_ranked(one, tables, asked)) for one in golds]
    return _unless_right(
        _of_readings(one, tables, other, others, margin_of(one, other, tolerance), ordered, asked)
        for one, ordered in ranked
        for other in answers
    )


def _of_readings(
    gold: OutputReading,
    tables: list[Grid],
    answer: OutputReading,
    others: list[Grid],
    margin: Margin,
    ordered: bool,
    asked: Question,
) -> str:
    if any(same_grids(table, shown, margin, ordered) for table in tables for shown in others):
        return ''
    if (asked.of_set or SET.fullmatch(gold.text.strip())) and _same_set(gold, answer, margin):
        return ''
    layouts, shown = ([cells for one in those for cells in one.layouts] for those in (tables, others))
    if same_under_labels(gold, layouts, answer, shown, margin, ordered):
        return ''
    if tables and others:
        return other_names(tables[0], others[0])
    return _difference(gold, answer, margin, others, ordered)


def _is_ranked(gold: OutputReading, tables: list[Grid], asked: Question) -> bool:
    """Whether the order of the gold's rows counts: it shows a ranking, and the question does not exclude an order."""
    if asked.order is False:
        return False
    least = 2 if asked.order else RANKED
    return any(table.is_ranked(least) for table in tables) if tables else shows_ranking(gold, least)


def _difference(gold: OutputReading, answer: OutputReading, margin: Margin, others: list[Grid], ordered: bool) -> str:
    if not gold.values:
        return _other_words(gold, answer)
    rows = _rows(gold)
    if gold.table == 'frame':
        return _other_table(gold, answer, margin)
    series = gold.table == 'series' and any(isinstance(token, str) for row in rows if row is not ... for token in row)
    found = _other_table(gold, answer, margin) if series else _other_sequence(gold, answer, rows, margin)
    if found and not gold.words and any(_is_matrix(gold, grid, margin) for grid in others):
        return ''
    return other_labels(found, gold, answer, margin, named=series, ordered=ordered)


def _other_sequence(gold: OutputReading, answer: OutputReading, rows: Items, margin: Margin) -> str:
    """Compare values in their order and nesting; values of different kinds, one of each, in any order."""
    expected = _column(rows) if gold.table else items_of(gold.tokens)
    shown = items_of(answer.tokens)
    if not gold.table and len({value.kind for value in gold.values}) == len(gold.values) > 1:
        expected, shown = (sorted(flat(those), key=attrgetter('kind')) for those in (expected, shown))
    if any(isinstance(item, list) for item in expected):
        return _other_array(expected, shown, answer, margin)
    lists = [flat(shown), *([_column(_rows(answer))] if gold.table or answer.table else [])]
    whole = [values for values in lists if gold.rows is None or ... in values or len(values) == gold.rows]
    problems = [_exchanged(expected, values, margin) or other_items(expected, values, margin) for values in whole]
    return '' if '' in problems else [*problems, f'{len(lists[0])} values, the gold has {gold.rows}'][0]


def _is_matrix(gold: OutputReading, grid: Grid, margin: Margin) -> bool:
    """Whether a table shows the rows of a matrix under further names."""
    return not other_items(leaves(items_of(gold.tokens)), grid.matrix(), margin, 'row')


def _exchanged(gold: Items, answer: Items, margin: Margin) -> str:
    """Say whether two numbers are exchanged that a wide margin would let pass."""
    if len(gold) != len(answer) or ... in gold or not exchanged(list(zip(gold, answer, strict=True)), margin):
        return ''
    return 'two values are exchanged'


def _other_words(gold: OutputReading, answer: OutputReading) -> str:
    """Compare with a gold output without values: by its words, or without words by the text as it is."""
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
    """Compare nested values; an answer without nesting may show the rows line by line."""
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
    """Compare as tables: column labels in their order, then rows with their labels and values in theirs."""
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
    """The column names: the words of the first line without values. A second such line names the index."""
    lines = ([str(token) for kind, token in line if kind == 'word'] for line in reading.lines if not _valued(line))
    return next((words for words in lines if words), [])


def _valued(line: list[Token]) -> bool:
    return any(kind == 'value' for kind, _ in line)


def _rows(reading: OutputReading) -> Items:
    """The lines that have values, as values and words, and `...` for a line of dots."""
    found: Items = []
    for line in reading.lines:
        if _valued(line):
            found.append(
                [... if kind == 'dots' else token for kind, token in line if kind in ('value', 'word', 'dots')]
            )
        elif all(kind == 'dots' for kind, _ in line):
            found.append(...)
    return found


def _unnumbered(rows: Items) -> Items:
    """Drop pandas' default index: 0, 1, 2, …, with a jump where rows are hidden."""
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
    """The values of a table without labels as one list; a single line may be the list itself."""
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
    """Compare values, and look for the gold's words in order; of a row with `...` only what it shows."""
    if ... in gold:
        return other_items(gold, answer, margin, 'entry')
    words = iter([token for token in answer if isinstance(token, str)])
    missing = next((word for word in gold if isinstance(word, str) and word not in words), None)
    if missing is not None:
        return f'no label {missing!r}'
    return other_items(flat(gold), flat(answer), margin)
