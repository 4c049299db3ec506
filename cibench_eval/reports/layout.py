"""What a table is: cells with intervals, lines, a note; and how it looks on a terminal and in Markdown."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from rich import box
from rich.table import Table as RichTable
from rich.text import Text

from cibench_eval.reports.scores import Bounds, Score


def starred(name: str, *, whole: bool) -> str:
    """A name as every table has it: with a star where something is missing behind the figures that stand beside it."""
    return name if whole else f'{name} *'


class Cell(NamedTuple):
    """A cell of a table: text, and the interval of the score that it shows."""

    text: str
    bounds: Bounds | None = None
    below: str = ''
    """What stands below it in the line of intervals."""
    digits: int = 0
    """Of the interval of a figure that is no share in %: a correlation, seconds."""

    @classmethod
    def of(cls, score: Score | None) -> Cell:
        """With one decimal, a dash where there is none."""
        return cls(f'{score.value:.1f}', score.bounds) if score else cls('–')

    @property
    def span(self) -> str:
        """The interval of a share in five characters: `57–65`, `≥96`, `≤4`; a difference (`+3.1`) may go below 0."""
        if self.bounds is None:
            return self.below
        if self.digits:
            return f'{self.bounds.low:.{self.digits}f}–{self.bounds.high:.{self.digits}f}'
        low, high = round(self.bounds.low), round(self.bounds.high)
        if self.text.startswith(('+', '-')):
            return f'{low}–{high}'
        if high == 100:
            return f'≥{low}'
        return f'≤{high}' if low == 0 else f'{low}–{high}'

    @property
    def whole(self) -> str:
        """The text with its interval behind it."""
        if self.bounds is None:
            return self.text
        low, high = (f'{end:.{self.digits or 1}f}' for end in self.bounds[:2])
        return f'{self.text} [{low}, {high}]'


@dataclass(frozen=True)
class Table:
    """A table. The first column names things and may be broken; the others are scores, and never are.

    Args:
        title: above it.
        header: names of the columns; `E-Num` stands in two lines on a terminal if `tall`.
        lines: its cells; a line of one cell is a heading.
        note: what a reader has to know of it.
        level: of its heading in Markdown.
    """

    title: str
    header: list[str]
    lines: list[list[Cell]] = field(default_factory=list)
    note: str = ''
    tall: bool = False
    level: int = 3

    def starring(self, names: Collection[str]) -> Table:
        """The table with a star at each line that is of one of `names`."""
        ours = tuple(f'{name}{end}' for name in names for end in (',', ':', ' '))
        lines = [
            [line[0]._replace(text=starred(line[0].text, whole=not f'{line[0].text} '.startswith(ours))), *line[1:]]
            for line in self.lines
        ]
        return replace(self, lines=lines)

    def rich(self) -> RichTable:
        """For a terminal, intervals in lines of their own."""
        made = RichTable(
            title=Text(self.title),
            title_justify='left',
            box=box.SIMPLE_HEAD,
            padding=0,
            pad_edge=False,
            show_edge=False,
        )
        made.add_column(Text(self._name(self.header[0])), overflow='fold', min_width=12 if len(self.header) < 13 else 8)
        for name in self.header[1:]:
            style = 'bold' if name in ('Avg', 'Whole') else ''
            made.add_column(Text(self._name(name)), justify='right', no_wrap=True, style=style)
        for line in self.lines:
            made.add_row(*(Text(cell.text) for cell in line))
            if any(cell.span for cell in line):
                made.add_row(*(Text(cell.span) for cell in line), style='dim')
        return made

    def _name(self, name: str) -> str:
        """A column's name; in a tall header its mode stands above it."""
        if not self.tall:
            return name
        return name.replace('-', '-\n', 1) if '-' in name else f'\n{name}'

    def markdown(self) -> list[str]:
        """Its lines, with a heading."""
        width = len(self.header)
        rows = [line_of([*(cell.whole for cell in line), *[''] * (width - len(line))]) for line in self.lines]
        head = [line_of(self.header), line_of([':--', *['--:'] * (width - 1)])]
        return [
            f'{"#" * self.level} {self.title}',
            '',
            *head,
            *rows,
            *(['', escape(self.note)] if self.note else []),
            '',
        ]

    def latex(self) -> list[str]:
        """Its lines, for LaTeX with booktabs: intervals stand behind their figures, headings go over all columns."""
        width = len(self.header)
        rows = [
            rf'\multicolumn{{{width}}}{{l}}{{{for_latex(line[0].text)}}} \\'
            if len(line) == 1
            else f'{" & ".join(for_latex(cell.whole) for cell in line)} \\\\'
            for line in self.lines
        ]
        return [
            rf'% {self.title}',
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
        '≥': r'$\geq$',
        '≤': r'$\leq$',
        'α': r'$\alpha$',
        '·': r'$\cdot$',
    }
)


def for_latex(text: str) -> str:
    """A text in which nothing means anything to LaTeX."""
    return text.translate(LATEX)


def line_of(fields: list[str]) -> str:
    """A line of a Markdown table."""
    return f'| {" | ".join(escape(text) for text in fields)} |'


def escape(text: str) -> str:
    """Markdown takes a star for emphasis and a bar for the end of a cell."""
    return text.replace('*', '\\*').replace('|', '\\|')
