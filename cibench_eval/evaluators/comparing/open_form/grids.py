"""Tables with named columns, read from pandas displays, Markdown, CSV, JSON and dictionaries.

Two tables are the same if each column of one is in the other under its name, with the same rows. Columns may stand in
any order, and so may rows unless they are sorted by a value.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from cibench_eval.evaluators.comparing.numbers import Margin, Token, Value, clean, lex
from cibench_eval.evaluators.comparing.open_form.labelled import RANKED, Labelled, LabelledValue, monotonic, same_values
from cibench_eval.evaluators.comparing.open_form.readings import FRAME_END, SHAPE, dated, unwrap
from cibench_eval.evaluators.comparing.open_form.words import named
from cibench_eval.syntax import literal_value

Content = tuple[Value | str, ...]
"""The values and words of a cell of a table."""
NOTHING = Value('missing', 'nothing')
"""The value of a row that has no values."""
LONGEST = 200_000
"""Most characters of a text that is read as a table."""
HEADS = 5
"""First lines among which the header is looked for."""
WORD = re.compile(r'\S+')
NAMES = re.compile(r'\S+(?: \S+)*')
GAP = re.compile(' {2,}')
WRAPPED = re.compile(r'\\(?=\s)')
"""The mark at the end of a wrapped line."""
RULE = re.compile(r'[|+\-:=\s]+')
LITERALS = (
    (re.compile(r'\b(?:nan|NaN|NaT|null)\b'), 'None'),
    (re.compile(r'\btrue\b'), 'True'),
    (re.compile(r'\bfalse\b'), 'False'),
)


@dataclass(frozen=True)
class Grid:
    """A table: the names of its columns, '' for an index without one, and its rows."""

    columns: list[str]
    rows: list[list[Content]]
    indexed: bool = False
    """Whether the first column is an index with a name."""

    @classmethod
    def of(cls, columns: list[Any], rows: list[list[Any]], indexed: bool = False) -> Grid | None:
        """Make a table of cells as text; None without names, or with rows of different lengths."""
        names = [_name(str(column)) for column in columns]
        named = [name for name in names if name]
        if not rows or not named or len(set(names)) < len(names) or any(len(row) != len(names) for row in rows):
            return None
        return cls(names, [[_cell(str(cell)) for cell in row] for row in rows], indexed)._unnumbered()

    def _unnumbered(self) -> Grid:
        """Drop pandas' default index."""
        if '' not in self.columns or len(self.columns) == 1:
            return self
        place = self.columns.index('')
        numbers = [str(row[place][0]) if len(row[place]) == 1 else '' for row in self.rows]
        if numbers not in ([str(n) for n in range(start, start + len(numbers))] for start in (0, 1)):
            return self
        return Grid(_without(self.columns, place), [_without(row, place) for row in self.rows])

    def without_numbers(self) -> Grid:
        """Drop an unnamed index of numbers."""
        if '' not in self.columns or not all(map(_is_number, self.column(place := self.columns.index('')))):
            return self
        return Grid(_without(self.columns, place), [_without(row, place) for row in self.rows])

    def cells(self, names: Container[str], qualified: bool = False) -> Labelled:
        """Label each value with the words of its row and the name of its column.

        Args:
            names: of the columns whose contents are labels; all others have values.
            qualified: whether labels go with the names of their columns.
        """
        keys = [place for place, name in enumerate(self.columns) if name in names]
        places = [place for place, name in enumerate(self.columns) if name not in names]
        heads = [_words(_cell(column)) for column in self.columns]
        found: Labelled = []
        for number, row in enumerate(self.rows):
            label = frozenset(
                f'{self.columns[place]}: {word}' if qualified else word for place in keys for word in _words(row[place])
            )
            values = [(heads[place], token) for place in places for token in row[place] if isinstance(token, Value)]
            found += [LabelledValue(label.union(head), value, number) for head, value in values or [((), NOTHING)]]
        return found

    @cached_property
    def layouts(self) -> list[Labelled]:
        """Its values under labels, with numbers before the last column as values, and as labels."""
        return [self.cells(self.labels), self.cells(self.columns[:-1])]

    @property
    def labels(self) -> set[str]:
        """The columns that label rows: columns of words, and an index."""
        texts = self.texts
        words = {name for place, name in enumerate(self.columns) if not name or place in texts}
        return {*words, *self.columns[: int(self.indexed)]}

    def matrix(self) -> list[list[Value]]:
        """The values of its rows, without the index."""
        shown = [row[1:] if '' in self.columns[:1] else row for row in self.rows]
        return [[token for cell in row for token in cell if isinstance(token, Value)] for row in shown]

    def column(self, place: int) -> list[Content]:
        return [row[place] for row in self.rows]

    @property
    def texts(self) -> list[int]:
        """The places of columns that have more than numbers."""
        return [place for place in range(len(self.columns)) if not all(map(_is_number, self.column(place)))]

    def without_ranks(self, first: int = 1) -> Grid:
        """Drop a first column that counts, like a default index under a name."""
        counts = [(str(number),) for number in range(first, len(self.rows) + first)]
        if len(self.columns) < 2 or [tuple(map(str, cell)) for cell in self.column(0)] != counts:
            return self
        return Grid(self.columns[1:], [row[1:] for row in self.rows])

    def is_ranked(self, least: int = RANKED) -> bool:
        """Whether rows are sorted by a column of numbers, or by anything but their numeric index."""
        numbers = [place for place in range(len(self.columns)) if all(map(_is_number, self.column(place)))]
        if '' in self.columns and (index := self.columns.index('')) in numbers:
            return not monotonic([_number(cell) for cell in self.column(index)])
        return len(self.rows) >= least and any(monotonic([_number(c) for c in self.column(p)]) for p in numbers)


def _without(items: list[Any], place: int) -> list[Any]:
    return items[:place] + items[place + 1 :]


def _name(text: str) -> str:
    return ' '.join(text.casefold().split())


def _cell(text: str) -> Content:
    return tuple(token for kind, token in lex(dated(clean(text))) if kind in ('value', 'word'))


def _words(cell: Content) -> tuple[str, ...]:
    return named(map(str, cell))


def _is_number(cell: Content) -> bool:
    return len(cell) == 1 and isinstance(cell[0], Value) and cell[0].kind in ('number', 'missing')


def _number(cell: Content) -> float:
    return cell[0].number.real if isinstance(cell[0], Value) else 0.0


def grids(text: str) -> list[Grid]:
    """All ways to read a text as a table; empty for other texts."""
    if len(text) > LONGEST or '...' in text:
        return []
    text = clean(text)
    found = [grid for parts in _of_literal(text) if (grid := Grid.of(*parts))] or _of_lines(text)
    return found + [grid.without_ranks(0) for grid in found if len(grid.columns) > 2 and grid.without_ranks(0) != grid]


# Dictionaries and JSON.


def _of_literal(text: str) -> Iterator[tuple[list[Any], list[list[Any]]]]:
    """Yield columns and rows of the output of pandas' `to_dict` and `to_json`."""
    data = literal(text.strip())
    if isinstance(data, list) and data and all(isinstance(row, dict) and row.keys() == data[0].keys() for row in data):
        yield [*data[0]], [[*row.values()] for row in data]
    if not isinstance(data, dict):
        return
    inner = [*data.values()]
    if data.keys() >= {'columns', 'data'} and isinstance(data['columns'], list) and isinstance(data['data'], list):
        index = data.get('index') or range(len(data['data']))
        if all(isinstance(row, list) for row in data['data']):
            yield ['', *data['columns']], [[name, *row] for name, row in zip(index, data['data'], strict=False)]
    elif inner and all(isinstance(one, dict) and one.keys() == inner[0].keys() for one in inner):
        yield ['', *data], [[name, *(one[name] for one in inner)] for name in inner[0]]
        yield ['', *inner[0]], [[name, *(one[key] for key in inner[0])] for name, one in data.items()]
    elif inner and all(isinstance(one, list) and len(one) == len(inner[0]) for one in inner):
        yield [*data], [[*row] for row in zip(*inner, strict=True)]


def literal(text: str) -> Any:
    """Parse a list or dictionary in Python or JSON; None for other texts."""
    if not text or text[0] not in '{[' or text[-1] not in '}]':
        return None
    for pattern, name in LITERALS:
        text = pattern.sub(name, text)
    try:
        return literal_value(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


# Lines.


def _of_lines(text: str) -> list[Grid]:
    """Read a text that is a table, with words before it and its shape around it, but nothing else.

    Two tables where names may have blanks in them.
    """
    body = WRAPPED.sub(' ', SHAPE.sub('', FRAME_END.sub('', unwrap(text))))
    lines = [line.rstrip() for line in body.split('\n') if line.strip()]
    for start in range(min(HEADS, len(lines) - 1)):
        if any(kind == 'value' for line in lines[:start] for kind, _ in _tokens(line)):
            return []
        shown = lines[start:]
        for made in ([_bars(shown)], [_aligned(shown), _aligned(shown, WORD)], [_spaced(shown)], [_commas(shown)]):
            if found := [grid for grid in made if grid]:
                return found
    return []


def _tokens(line: str) -> list[Token]:
    return list(lex(line))


def _bars(lines: list[str]) -> Grid | None:
    """Read a table in Markdown."""
    if not all('|' in line or RULE.fullmatch(line) for line in lines):
        return None
    cells = [
        [cell.strip() for cell in line.strip().strip('|').split('|')] for line in lines if not RULE.fullmatch(line)
    ]
    return Grid.of(cells[0], cells[1:]) if cells else None


def _commas(lines: list[str]) -> Grid | None:
    """Read CSV, with commas or tabs."""
    mark = '\t' if '\t' in lines[0] else ','
    if mark not in lines[0] or lines[0].lstrip()[:1] in '[({':
        return None
    try:
        cells = list(csv.reader(lines, delimiter=mark))
    except csv.Error:
        return None
    return Grid.of(cells[0], cells[1:]) if _names(cells[0]) else None


def _names(cells: list[str]) -> bool:
    """Whether the cells of a first line may be names of columns."""
    return not any(
        cell and all(isinstance(token, Value) and not token.percent for token in _cell(cell)) for cell in cells
    )


def _aligned(lines: list[str], pattern: re.Pattern[str] = NAMES) -> Grid | None:
    """Read a pandas display: columns end where their names end; the index is on the left, its name below the others."""
    head = [(found.group(), found.end()) for found in pattern.finditer(lines[0])]
    names, ends = [name for name, _ in head], [end for _, end in head]
    if not head or (len(head) < 2 and not lines[0].startswith(' ')):
        return None
    index, rows = '', lines[1:]
    named_axis = not lines[0].startswith(' ') and len(head) > 1
    below = len(rows) > 1 and not _cut(rows[0], ends) and len(rows[0]) < head[named_axis][1] + 1
    if below and not any(kind == 'value' for kind, _ in _tokens(rows[0])):
        index, rows = rows[0].strip(), rows[1:]
        names, ends = names[named_axis:], ends[named_axis:]
    if not (_names(names) or (index and named_axis)) or not _names([index]):
        return None
    cells = [_cut(row, ends) for row in rows]
    if not cells or not all(cells):
        return None
    edge = _index_edge([row[0] for row in cells])
    if edge is None:
        return Grid.of(names, cells)
    return Grid.of([index, *names], [[row[0][:edge], row[0][edge:], *row[1:]] for row in cells], bool(index))


def _spaced(lines: list[str]) -> Grid | None:
    """Read a table whose columns are two blanks apart and do not end where their names end."""
    names, *rows = (GAP.split(line.strip()) for line in lines)
    index = ''
    if len(rows) > 1 and len(rows[0]) == 1 < len(rows[1]) and _names(rows[0]):
        (index,), *rows = rows  # the index's name stands below those of the columns
        names = names[len(names) == len(rows[0]) :]
    unnamed = {len(row) - len(names) for row in rows}
    if not _names(names) or unnamed not in ({0}, {1}) or len(names) < 2 - bool(index):
        return None
    return Grid.of([index] * unnamed.pop() + names, rows, bool(index))


def _index_edge(firsts: list[str]) -> int | None:
    """The end of the index in what stands before the end of the first column; None without an index."""
    shared = set.intersection(*({place for place, sign in enumerate(first) if sign == ' '} for first in firsts))
    return max((place for place in shared if all(first[:place].strip() for first in firsts)), default=None)


def _cut(line: str, ends: list[int]) -> list[str]:
    """Cut a line at the ends of its columns; empty if it has other columns."""
    if len(line) != ends[-1] or any(
        line[end - 1 : end].isspace() or not line[end : end + 1].isspace() for end in ends[:-1]
    ):
        return []
    rest = [line[start:end].strip() for start, end in pairwise(ends)]
    return [line[: ends[0]], *rest] if all(rest) else []


# Comparing.


def same_grids(gold: Grid, answer: Grid, margin: Margin, ordered: bool) -> bool:
    """Whether two tables have the same values under the same names."""
    if ('' in gold.columns) != ('' in answer.columns):
        gold, answer = gold.without_numbers(), answer.without_numbers()
    names = gold.labels | answer.labels
    qualified = len(names) > 1 and names <= {*gold.columns} & {*answer.columns}
    if same_values(gold.cells(names, qualified), answer.cells(names, qualified), margin, ordered):
        return True
    turned = [] if qualified else zip(gold.layouts, reversed(answer.layouts), strict=True)
    return any(same_values(mine, theirs, margin, ordered) for mine, theirs in turned)


def other_names(gold: Grid, answer: Grid) -> str:
    """Say why a table is not the gold's."""
    if len(gold.rows) != len(answer.rows):
        return f'{len(answer.rows)} rows, the gold has {len(gold.rows)}'
    for mine, theirs, why in ((gold, answer, 'no label'), (answer, gold, 'a further column')):
        if found := [name for name in mine.columns if name and name not in theirs.columns]:
            return f'{why} {found[0]!r}'
    return 'other values or labels'
