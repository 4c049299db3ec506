"""Outputs with numbers in them: an answer's held against the gold's, arrays as arrays and tables as tables.

What counts is the values in their order, no more and no fewer; with them the nesting of arrays, and the rows and
labels of what pandas prints. Column widths, line breaks inside brackets, footers, the wrapping of wide tables, rules
of Markdown and words outside of tables do not. See `docs/metrics.md` for the rules and their reasons.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Literal

from cibench_eval.evaluators.comparing.numbers import GROUP, READINGS, TOLERANCE, Seen, Token, Value, clean, equal, lex

SERIES_END = re.compile(
    r'^(?:Freq: \S+, )?(?:Name: [^\n]{0,200}?, )?(?:Length: (?P<rows>[0-9]+), )?dtype: [^\n]+$', re.M
)
FRAME_END = re.compile(r'^\[(?P<rows>[0-9]+) rows x [0-9]+ columns\]$', re.M)
FRAME_HEAD = re.compile(r'(?:\s+\S|\S.* {2,}\S)[^:={}\[\]]*')
DEPTH = 16
"""Brackets are followed this deep, and what is deeper is read as if it were flat."""
MOST_PIECES = 1000
"""Pieces into which a table may be wrapped; each is copied as often as there are further ones."""

Items = list[Any]
"""Values, and lists of the same where brackets or lines say more than the order does; `...` where a display was cut."""


@dataclass(frozen=True)
class OutputReading:
    """A text as values.

    `lines`: the tokens of each line that has any. `table`: what pandas object it looks like. `rows`: how many rows
    the footer says that there are, or None.
    """

    text: str
    lines: list[list[Token]]
    table: Literal['', 'series', 'frame']
    rows: int | None

    @classmethod
    def of(cls, text: str, pattern: re.Pattern[str]) -> OutputReading:
        text = clean(text)
        end = SERIES_END.search(text) or FRAME_END.search(text)
        body = unwrap(FRAME_END.sub('', SERIES_END.sub('', text))) if end else unwrap(text)
        seen: Seen = {}
        read = functools.cache(lambda line: list(lex(line, pattern, seen)))  # a long text repeats itself
        lines = [tokens for line in body.split('\n') if (tokens := read(line))]
        stated = int(end['rows'][:18]) if end and end['rows'] else None
        return cls(body, lines, cls._table(body, lines, end), stated)

    @staticmethod
    def _table(body: str, lines: list[list[Token]], end: re.Match[str] | None) -> Literal['', 'series', 'frame']:
        if end:
            return 'series' if end.re is SERIES_END else 'frame'
        first = next((line for line in body.split('\n') if line.strip()), '')
        headed = bool(lines[1:]) and all(kind in ('word', 'dots') for kind, _ in lines[0])
        return 'frame' if headed and FRAME_HEAD.fullmatch(first.replace('|', ' ').rstrip()) else ''

    @property
    def tokens(self) -> list[Token]:
        return [token for line in self.lines for token in line]

    @property
    def values(self) -> list[Value]:
        return [token for _, token in self.tokens if isinstance(token, Value)]

    @property
    def words(self) -> list[str]:
        return [str(token) for kind, token in self.tokens if kind == 'word']


def readings(text: str) -> list[OutputReading]:
    """The ways to read a text: two where commas may separate thousands or numbers."""
    return [OutputReading.of(text, pattern) for pattern in (READINGS if GROUP.search(text) else READINGS[:1])]


def unwrap(text: str) -> str:
    r"""Text with a table that pandas wrapped (its lines end in a `\`) in one piece.

    Each piece repeats the index; what all its lines have in common with the first piece's is taken for it.
    """
    pieces = [piece.split('\n') for piece in re.split(r'\n[ \t]*\n', text.strip('\n'))]
    joined: list[list[str]] = []
    continued = 0
    for piece in pieces:
        if continued and len(piece) == len(joined[-1]):
            index = _common(joined[-1][1:], piece[1:])
            joined[-1] = [f'{line} {more[index:]}' for line, more in zip(joined[-1], piece, strict=True)]
        else:
            joined.append(piece)
        continued = continued + 1 if piece[0].rstrip().endswith('\\') and continued < MOST_PIECES else 0
    return '\n\n'.join('\n'.join(piece) for piece in joined)


def _common(lines: list[str], others: list[str]) -> int:
    """The width of the columns that two pieces of a table both begin with."""
    width = min((len(line) for line in [*lines, *others]), default=0)
    for line, other in zip(lines, others, strict=True):
        width = next((place for place in range(width) if line[place] != other[place]), width)
        width = other.rfind(' ', 0, width) + 1
    return width


def difference(gold: str, answer: str, tolerance: float = TOLERANCE) -> str:
    """Why the answer is not the gold output, in words; empty where it is.

    A comma may separate thousands or numbers, so that some texts have two readings: one of each must agree.
    """
    golds, answers = readings(gold), readings(answer)
    found = [_difference(g, a, tolerance) for g in golds for a in answers]
    return '' if '' in found else found[0]


def _difference(gold: OutputReading, answer: OutputReading, tolerance: float) -> str:
    if not gold.values:
        return _other_words(gold, answer)
    rows = _rows(gold)
    if gold.table == 'frame' or (gold.table and _labelled(rows)):
        return _other_table(gold, answer, tolerance)
    expected = _column(rows) if gold.table else _items(gold.tokens)
    shown = _items(answer.tokens)
    if any(isinstance(item, list) for item in expected):
        return _other_array(expected, shown, answer, tolerance)
    lists = [_flat(shown), *([_column(_rows(answer))] if gold.table or answer.table else [])]
    whole = [values for values in lists if gold.rows is None or ... in values or len(values) == gold.rows]
    problems = [_other_items(expected, values, tolerance) for values in whole]
    return '' if '' in problems else [*problems, f'{len(lists[0])} values, the gold has {gold.rows}'][0]


def _other_words(gold: OutputReading, answer: OutputReading) -> str:
    """For a gold output without values: it is words that count, or, without those, the text as it is."""
    if answer.values:
        return f'{len(answer.values)} values, the gold has none'
    same = gold.words == answer.words if gold.words else gold.text.strip() == answer.text.strip()
    return '' if same else 'other words'


def _other_items(gold: Items, answer: Items, tolerance: float, name: str = 'value') -> str:
    pairs = _pairs(gold, answer)
    if pairs is None:
        return f'{len(answer)} {name}s, the gold has {len(gold)}'
    for number, (expected, shown) in enumerate(pairs, 1):
        if isinstance(expected, list) and isinstance(shown, list):
            if found := _other_items(expected, shown, tolerance):
                return f'row {number}: {found}'
        elif isinstance(expected, list) or isinstance(shown, list):
            return 'an array of another shape'
        elif expected != shown and not _same_token(expected, shown, tolerance):
            return f'{name} {number} is {shown}, the gold has {expected}'
    return ''


def _same_token(gold: Value | str, answer: Value | str, tolerance: float) -> bool:
    return isinstance(gold, Value) and isinstance(answer, Value) and equal(gold, answer, tolerance)


def _pairs(gold: Items, answer: Items) -> list[tuple[Any, Any]] | None:
    """What is to be compared: all, or what the gold shows around its `...`, which the answer has to show, too."""
    if ... not in gold:
        return list(zip(gold, answer, strict=True)) if len(gold) == len(answer) and ... not in answer else None
    head, tail = gold.index(...), gold[::-1].index(...)
    hidden = ... in answer
    before, after = (answer.index(...), answer[::-1].index(...)) if hidden else (len(answer), len(answer))
    if before < head or after < tail or len(answer) < head + tail:
        return None
    return [*zip(gold[:head], answer, strict=False), *zip(gold[::-1][:tail], answer[::-1], strict=False)]


# Arrays.


def _items(tokens: list[Token]) -> Items:
    """Values, with lists where brackets say more than the order does: matrices, and arrays with `...` in them."""
    stack: list[tuple[str, Items]] = [('', [])]
    for kind, token in tokens:
        if kind == 'open' and len(stack) < DEPTH:
            stack.append((str(token), []))
        elif kind == 'close' and len(stack) > 1:
            _close(stack)
        elif kind in ('value', 'word', 'dots'):
            stack[-1][1].append(... if kind == 'dots' else token)
    while len(stack) > 1:
        _close(stack)
    return [item for item in _dissolved(stack[0][1]) if item is not ...]


def _close(stack: list[tuple[str, Items]]) -> None:
    """End the innermost bracket: a list in the one around it, or, with words in it, no list at all."""
    bracket, group = stack.pop()
    around = stack[-1][1]
    if not all(item is ... or isinstance(item, list) for item in group):
        named = any(isinstance(item, str) for item in group)
        group = _dissolved(group)
        if named:
            around += group
            return
    if group:
        around.append(group[0] if bracket == '(' and len(group) == 1 and isinstance(group[0], list) else group)


def _dissolved(group: Items) -> Items:
    """Without words, and with the plain lists taken apart."""
    found: Items = []
    for item in group:
        plain = isinstance(item, list) and ... not in item and not any(isinstance(inner, list) for inner in item)
        found += item if plain else [] if isinstance(item, str) else [item]
    return found


def _other_array(gold: Items, shown: Items, answer: OutputReading, tolerance: float) -> str:
    """The same nesting; or, where the answer has none, the same rows in its lines."""
    found = _other_items(gold, shown, tolerance)
    if not found or any(isinstance(item, list) for item in shown):
        return found
    leaves = _leaves(gold)
    rows = [_flat(row) for row in _rows(answer) if row is not ...]
    return (
        _other_items(leaves[0], _flat(shown), tolerance)
        if len(leaves) == 1
        else _other_items(leaves, rows, tolerance, 'row')
    )


def _leaves(items: Items) -> Items:
    """The innermost lists."""
    lists = [item for item in items if isinstance(item, list)]
    return [leaf for item in lists for leaf in _leaves(item)] if lists else [items]


def _flat(items: Items) -> list[Value]:
    """The values in nested items, in order."""
    found: list[Value] = []
    for item in items:
        found += _flat(item) if isinstance(item, list) else [item] if isinstance(item, Value) else []
    return found


# Tables.


def _other_table(gold: OutputReading, answer: OutputReading, tolerance: float) -> str:
    """Column labels are somewhere in the answer; rows have the same labels and values, in the same order."""
    rows, shown = _rows(gold), _rows(answer)
    total = answer.rows if answer.rows is not None else None if ... in shown else len(shown)
    headers = int(answer.rows is None)
    if gold.rows is not None and total is not None and not gold.rows <= total <= gold.rows + headers:
        return f'{total} rows, the gold has {gold.rows}'
    if gold.table == 'frame' and (missing := Counter(_header(gold)) - Counter(answer.words)):
        return f'no label {next(iter(missing))!r}'
    found = _other_rows(rows, shown, tolerance)
    return found and (_other_rows(_unnumbered(rows), _unnumbered(shown), tolerance) and found)


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
    """The values of a table without labels as one list."""
    return [item for row in _unnumbered(rows) for item in ([...] if row is ... else _flat(row))]


def _other_rows(gold: Items, answer: Items, tolerance: float) -> str:
    pairs = _pairs(gold, answer)
    if pairs is None:
        return f'{len(answer)} rows, the gold has {len(gold)}'
    problems = (_other_row(*pair, tolerance) for pair in pairs)
    return next((f'row {number}: {problem}' for number, problem in enumerate(problems, 1) if problem), '')


def _other_row(gold: Items, answer: Items, tolerance: float) -> str:
    """The same values; the gold's words among the answer's, in order. With `...` what stands before and behind it."""
    if ... in gold:
        return _other_items(gold, answer, tolerance, 'entry')
    words = iter([token for token in answer if isinstance(token, str)])
    missing = next((word for word in gold if isinstance(word, str) and word not in words), None)
    if missing is not None:
        return f'no label {missing!r}'
    return _other_items(_flat(gold), _flat(answer), tolerance)
