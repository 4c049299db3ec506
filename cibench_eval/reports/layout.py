"""Tables of cells with intervals, and their forms on a terminal, in Markdown, in LaTeX and as CSV."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, floor
from typing import Any, NamedTuple

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table as RichTable
from rich.text import Text

from cibench_eval.rendering import as_csv
from cibench_eval.reports.scores import Bounds, Score

LEAST_NAME = 8
"""Columns that names have at least, however many figures there are."""
WORD = re.compile(r'[^-_/@: ]*[-_/@: ]+|[^-_/@: ]+')
"""A part of a name that is not broken, with what ends it."""
SPACED = re.compile(r'[^ ]+ *')
"""A word of a sentence."""
Line = tuple[list[str], str]
"""What stands in the columns of a line on a terminal, and its style."""


def starred(name: str, *, whole: bool) -> str:
    """The name of a row; a star says that its figures lack something."""
    return name if whole else f'{name} *'


def between(low: str, high: str) -> str:
    """An interval; a dash beside the sign of a negative end would be read as another sign."""
    return f'{low} to {high}' if low.startswith('-') else f'{low}–{high}'


def rounded(value: float, digits: int = 1, sign: str = '') -> str:
    """A figure with its decimals; what is rounded to 0 is not negative."""
    return f'{round(value, digits) + 0:{sign}.{digits}f}'


def signed(points: float) -> str:
    """A difference with its sign; what is rounded to 0 is no loss."""
    return rounded(points, sign='+')


class Cell(NamedTuple):
    """A cell of a table: a text and, for a score, its interval."""

    text: str
    bounds: Bounds | None = None
    below: str = ''
    """Text in the line of intervals below the cell."""
    digits: int = 0
    """Decimals of the interval of a figure that is no share in %: a correlation."""
    value: float | None = None
    """The score that it shows, for sorting."""

    @classmethod
    def of(cls, score: Score | None) -> Cell:
        """A score with one decimal, or a dash."""
        return cls(rounded(score.value), score.bounds, value=score.value) if score else cls('–')

    @property
    def span(self) -> str:
        """The interval of a share in five characters: `57–65`, `≥96`, `≤4`; of a difference, `-3.9 to 2.4`."""
        if self.bounds is None:
            return self.below
        if digits := self.digits or int(self.text.startswith(('+', '-'))):  # it may tell on which side of 0 an end is
            return between(*(rounded(end, digits) for end in self.bounds[:2]))
        low, high = floor(self.bounds.low), ceil(self.bounds.high)  # `≤0` and `≥100` would say that there is no doubt
        if high == 100:
            return f'≥{low}'
        return f'≤{high}' if low == 0 else between(str(low), str(high))

    @property
    def whole(self) -> str:
        """The text with its interval, or what stands below it, after it."""
        if self.bounds is None:
            return f'{self.text} ({self.below.strip()})' if self.below else self.text
        low, high = (rounded(end, self.digits or 1) for end in self.bounds[:2])
        return f'{self.text} [{low}, {high}]'


@dataclass(frozen=True)
class Table:
    """A table. Names may stand above their figures, and be broken there; the figures never are."""

    title: str
    header: list[str]
    """Names of the columns; if `tall`, a terminal shows `E-Num` in two lines."""
    lines: list[list[Cell]] = field(default_factory=list)
    """The cells; a line of one cell is a heading."""
    note: str = ''
    tall: bool = False
    level: int = 3
    """The level of the heading in Markdown."""
    remarks: int = 0
    """How many of the last columns are remarks, which a terminal shows after the name if it is too narrow."""

    def text(self, width: int) -> Text:
        """The table for a terminal, with intervals in lines of their own; below its title.

        A name that is too long stands above its figures, with what belongs below it. No figure is left out: with many,
        the lines are longer than `width`.
        """
        head = [_above(name) if self.tall else ['', name] for name in self.header]
        rows: list[list[Line]] = [[(texts, 'bold')] for texts in map(list, zip(*head, strict=True)) if any(texts)]
        top = len(rows)
        rows += map(_lines, self.lines)
        whole = [texts for row in rows for texts, _ in row if len(texts) > 1]
        widths = [max(map(cell_len, column)) for column in zip(*whole, strict=True)]
        room = width - sum(1 + size for size in widths[1:])
        if self.remarks and room < min(widths[0], LEAST_NAME):
            return self._with_remarks_in_names().text(width)
        names = [cell_len(texts[0]) for texts in whole]
        widths[0] = max((size for size in names if size <= max(room, LEAST_NAME)), default=0)
        made = Text()
        for number, row in enumerate(rows):
            if number == top:
                made.append('─' * (sum(widths) + len(widths) - 1) + '\n')
            for (name, *figures), style in _placed(row, widths[0], width):
                shown = Text(name + ' ' * (widths[0] - cell_len(name)), style)
                for heading, figure, size in zip(self.header[1:], figures, widths[1:], strict=False):
                    bold = 'bold ' if heading in ('Avg', 'Whole') else ''
                    shown.append(' ' * (1 + size - cell_len(figure)) + figure, bold + style)
                shown.rstrip()
                made.append_text(shown).append('\n')
        made.rstrip()
        return made

    def _with_remarks_in_names(self) -> Table:
        kept = len(self.header) - self.remarks
        lines = []
        for name, *cells in self.lines:
            remarks = zip(self.header[kept:], cells[kept - 1 :], strict=False)
            said = ', '.join(f'{heading.lower()} {cell.text}' for heading, cell in remarks)
            lines.append([name._replace(text=f'{name.text} ({said})' if said else name.text), *cells[: kept - 1]])
        return replace(self, header=self.header[:kept], lines=lines, remarks=0)

    def markdown(self) -> list[str]:
        """The lines of the table in Markdown, with a heading."""
        width = len(self.header)
        rows = [line_of([*(cell.whole for cell in line), *[''] * (width - len(line))]) for line in self.lines]
        head = [line_of(self.header), line_of([':--', *['--:'] * (width - 1)])]
        return [
            f'{"#" * self.level} {self.title}',
            '',
            *head,
            *rows,
            *(line for note in self.note.splitlines() for line in ('', escape(note))),
            '',
        ]

    def latex(self) -> list[str]:
        """The lines of the table for LaTeX with booktabs; intervals come after their figures."""
        width = len(self.header)
        rows = [
            rf'\multicolumn{{{width}}}{{l}}{{{for_latex(line[0].text)}}} \\'
            if len(line) == 1
            else f'{" & ".join(for_latex(cell.whole) for cell in line)} \\\\'
            for line in self.lines
        ]
        return [
            *(f'% {line}' for line in [self.title, *self.note.splitlines()]),
            rf'\begin{{tabular}}{{l{"r" * (width - 1)}}}',
            r'\toprule',
            f'{" & ".join(map(for_latex, self.header))} \\\\',
            r'\midrule',
            *rows,
            r'\bottomrule',
            r'\end{tabular}',
            '',
        ]


LATEX = str.maketrans(
    {
        **{letter: f'\\{letter}' for letter in '&%$#_{}'},
        '~': r'\textasciitilde{}',
        '^': r'\textasciicircum{}',
        '\\': r'\textbackslash{}',
        '–': '--',
        '−': '$-$',
        '<': '$<$',
        '>': '$>$',
        '|': r'\textbar{}',
        '≥': r'$\geq$',
        '≤': r'$\leq$',
        'α': r'$\alpha$',
        '·': r'$\cdot$',
    }
)


def folded(text: str, width: int, word: re.Pattern[str] = WORD) -> list[str]:
    """A name, or a sentence (`SPACED`), in lines of at most `width` characters; a word that is longer is not broken."""
    indent = text[: len(text) - len(text.lstrip())]
    lines = [indent]
    for part in word.findall(text.lstrip()):
        if lines[-1] != indent and cell_len(lines[-1] + part.rstrip()) > width:
            lines.append(indent)
        lines[-1] += part
    return [line.rstrip() for line in lines]


def longest_word(text: str) -> int:
    """Columns of the longest part of a name that is not broken."""
    return max((cell_len(word.rstrip()) for word in WORD.findall(text)), default=0)


class FoldedName:
    """A name in a table of rich, broken as `folded` does. Its column is as wide as its longest word."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(longest_word(self._text), cell_len(self._text))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text('\n'.join(folded(self._text, options.max_width)))


def add_name_column(table: RichTable, heading: str, names: Iterable[str]) -> None:
    """A column for the `FoldedName` of each, in which rich leaves room for the longest word."""
    table.add_column(heading, overflow='fold', min_width=max(map(longest_word, [heading, *names])))


def _above(name: str) -> list[str]:
    """The name of a column in two lines, the mode in the upper one."""
    mode, dash, metric = name.partition('-')
    return [f'{mode}-', metric] if dash else ['', name]


def _lines(cells: list[Cell]) -> list[Line]:
    """A row of a table: the texts, and below them the intervals if there are any."""
    spans = [cell.span for cell in cells]
    return [([cell.text for cell in cells], ''), *([(spans, 'dim')] if any(spans) else [])]


def _placed(row: list[Line], room: int, width: int) -> Iterator[Line]:
    """The lines of a row. Where the text of the first column does not fit, it stands above the rest."""
    names = [texts[0] for texts, _ in row]
    if max(map(cell_len, names)) <= room:
        yield from row
        return
    yield from (([name], row[0][1]) for name in folded(' '.join(filter(None, names)), width))
    yield from ((['', *texts[1:]], style) for texts, style in row if any(texts[1:]))


def open_table(*columns: str | Text, right: Collection[str] = (), title: str = '') -> RichTable:
    """An empty table for a terminal, with a line below its header and no frame; the columns in `right` have numbers."""
    head = Text(title, 'bold') if title else None
    table = RichTable(title=head, box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, show_edge=False)
    table.title_justify = 'left'
    for name in columns:
        numbers = name in right
        table.add_column(name, justify='right' if numbers else 'left', no_wrap=numbers, overflow='fold')
    return table


def csv_text(lines: Sequence[Mapping[str, Any]]) -> str:
    """Lines as CSV, with a column for each key."""
    names = dict.fromkeys(name for line in lines for name in line)
    return as_csv([names, *([line.get(name, '') for name in names] for line in lines)])


def counted(number: int, what: str) -> str:
    """A number and what is counted: `1 step`, `2,000 steps`, `3 replies`."""
    several = f'{what[:-1]}ies' if what.endswith('ly') else f'{what}s'
    return f'{number:,} {what if number == 1 else several}'


def clock(seconds: float) -> str:
    """A time in hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return f'{minutes // 60}:{minutes % 60:02}:{rest:02}'


def for_latex(text: str) -> str:
    """A text with all special characters of LaTeX escaped."""
    escaped = '-{}-'.join(part.translate(LATEX) for part in text.split('--'))  # else a dash
    return '{}' + escaped if escaped.lstrip().startswith(('[', '*')) else escaped  # options of the row above


def line_of(fields: list[str]) -> str:
    """A line of a Markdown table."""
    return f'| {" | ".join(escape(text) for text in fields)} |'


def escape(text: str) -> str:
    """A text for Markdown, which takes a star for emphasis and a bar for the end of a cell."""
    return text.replace('*', '\\*').replace('|', '\\|')
