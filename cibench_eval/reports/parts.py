"""The smaller tables below the paper's: given that the code ran, several runs of a session, how steps ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from rich import box
from rich.table import Table
from rich.text import Text

from cibench_eval.reports.results import FOLLOWED, MODES, RAN, Bounds, Pass, Row
from cibench_eval.schema import Mode, StepOutcome

SHORT = {
    'tool_rate': 'Tool',
    'executable': 'Exe',
    'numeric_correct': 'Num',
    'text_score': 'Text',
    'vis_sim': 'Vis',
    'vis_objects': 'Obj',
    'general_correct': 'Gen',
}
PREFIX = {'end_to_end': 'E', 'oracle': 'O'}
CATEGORIES = {'instruction': 'Instr', 'hallucination': 'Halluc', 'reasoning': 'Reason', 'code': 'Code'}
ENDS: dict[StepOutcome, str] = {
    'correct': 'Right',
    'wrong': 'Wrong',
    'exec_error': 'Error',
    'timeout': 'Slow',
    'no_tool': 'NoCall',
    'kernel_died': 'Died',
}
ENDINGS = ('Model', '', *ENDS.values(), *CATEGORIES.values(), 'Foll')
OBJECTS = 'vis_objects'
PLOTS = 'What the plots show'
GIVEN_RAN = 'Given that the code ran'
PASSES = 'Several runs of each experiment'
FAILURES = 'How steps ended, and why they failed'
ENDED = (
    'Slow: over its time limit; NoCall: no code was called; Died: the kernel died. Why steps failed: '
    f'{", ".join(f"{short} {name}" for name, short in CATEGORIES.items())}; Foll: followed from an earlier failed step.'
)
PASSED = (
    'An experiment passes if all its steps end right: in one of k runs (pass@k), in all of k (pass^k). '
    'Only experiments that have all runs count.'
)


class Figure(NamedTuple):
    """A cell of a table."""

    text: str
    bounds: Bounds | None = None

    @classmethod
    def of(cls, value: float | None, bounds: Bounds | None = None) -> Figure:
        """With one decimal, a dash where there is none."""
        return cls('–' if value is None else f'{value:.1f}', bounds)

    @property
    def span(self) -> str:
        """The interval in five characters: `57–65`, `≥96`, `≤4`."""
        if self.bounds is None:
            return ''
        low, high = round(self.bounds.low), round(self.bounds.high)
        if high == 100:
            return f'≥{low}'
        return f'≤{high}' if low == 0 else f'{low}–{high}'

    @property
    def ends(self) -> tuple[str, str]:
        """The ends of the interval with one decimal, empty where there is none."""
        return (f'{self.bounds.low:.1f}', f'{self.bounds.high:.1f}') if self.bounds else ('', '')

    @property
    def whole(self) -> str:
        """The figure with its interval behind it."""
        return f'{self.text} [{", ".join(self.ends)}]' if self.bounds else self.text

    @property
    def number(self) -> str:
        """For a CSV file: empty where there is none."""
        return '' if self.text == '–' else self.text


@dataclass(frozen=True)
class Part:
    """A table: the names of its columns, its lines, and what a reader has to know of it."""

    title: str
    header: list[str]
    lines: list[list[Figure]]
    note: str = ''

    def rich(self) -> Table:
        """For a terminal, intervals in lines of their own; models' names alone may be broken."""
        made = empty_table(self.title)
        made.add_column(self.header[0], overflow='fold', min_width=12)
        for name in self.header[1:]:
            made.add_column(name, justify='right', no_wrap=True)
        for line in self.lines:
            made.add_row(*(Text(cell.text) for cell in line))
            if any(cell.bounds for cell in line):
                made.add_row(*(cell.span for cell in line), style='dim')
        return made

    def markdown(self) -> list[str]:
        """Its lines, with a heading."""
        rows = [line_of([cell.whole for cell in line]) for line in self.lines]
        head = [line_of(self.header), line_of([':--', *['--:'] * (len(self.header) - 1)])]
        return ['', f'### {self.title}', '', *head, *rows, *(['', self.note] if self.note else [])]


def parts_of(rows: list[Row]) -> list[Part]:
    """The smaller tables that the rows of a split have something for."""
    made = [objects(rows), given_ran(rows), passes(rows), failures(rows)]
    return [part for part in made if part.lines]


def objects(rows: list[Row]) -> Part:
    """How far plots show what the gold's show, and of how many steps that is known."""
    modes = [mode for mode in MODES if any(row.value(mode, OBJECTS) is not None for row in rows)]
    header = ['Model', *(name for mode in modes for name in (f'{PREFIX[mode]}-{SHORT[OBJECTS]}', 'Steps'))]
    lines = []
    for row in rows:
        cells = [
            cell
            for mode in modes
            for cell in (figure(row, mode, OBJECTS), Figure(str(row.counts.get(mode, {}).get(OBJECTS, 0))))
        ]
        lines += [[Figure(row.model), *cells]] if any(row.value(mode, OBJECTS) is not None for mode in modes) else []
    return Part(PLOTS, header, lines, 'Beside Vis, which compares pixels; no part of Avg.')


def given_ran(rows: list[Row]) -> Part:
    """Each metric of outputs over the steps whose last call ran, of the rows that have such."""
    pairs = [(mode, name) for mode in MODES for name in _ran_names(rows)]
    columns = [(mode, name) for mode, name in pairs if any(row.value(mode, name) is not None for row in rows)]
    header = ['Model', *(f'{PREFIX[mode]}-{SHORT.get(name.removesuffix(RAN), name)}' for mode, name in columns)]
    lines = [
        [Figure(row.model), *(figure(row, mode, name) for mode, name in columns)]
        for row in rows
        if any(row.value(mode, name) is not None for mode, name in columns)
    ]
    return Part(GIVEN_RAN, header, lines, 'Of fewer and easier steps: compare models by the table above.')


def _ran_names(rows: list[Row]) -> list[str]:
    """In the order of SHORT."""
    names = {name for row in rows for counts in row.counts.values() for name in counts if name.endswith(RAN)}
    order = [f'{name}{RAN}' for name in SHORT]
    return sorted(names, key=lambda name: order.index(name) if name in order else len(order))


def figure(row: Row, mode: Mode, metric: str) -> Figure:
    return Figure.of(row.value(mode, metric), row.intervals.get(f'{mode} {metric}'))


def passes(rows: list[Row]) -> Part:
    """pass@k and pass^k of the rows that have several epochs."""
    kinds = pass_kinds(rows)
    lines = [
        [Figure(row.model), Figure(PREFIX[mode]), Figure(str(max(one.experiments for one in found.values())))]
        + [Figure.of(one.mean, one.bounds) if one else Figure('–') for one in map(found.get, kinds)]
        for row in rows
        for mode, found in by_mode(row)
    ]
    names = [f'pass{"^" if every else "@"}{k}' for every, k in kinds]
    return Part(PASSES, ['Model', '', 'Exps', *names], lines, PASSED)


def pass_kinds(rows: list[Row]) -> list[tuple[bool, int]]:
    """(`Pass.every`, k) of the columns."""
    return sorted({(one.every, one.k) for row in rows for one in row.passes})


def by_mode(row: Row) -> Iterator[tuple[Mode, dict[tuple[bool, int], Pass]]]:
    for mode in MODES:
        found = {(one.every, one.k): one for one in row.passes if one.mode == mode}
        if found:
            yield mode, found


def failures(rows: list[Row]) -> Part:
    """How the steps of each model ended, and by what error they failed."""
    failed = any(end != 'correct' for row in rows for ends in row.outcomes.values() for end in ends)
    note = f'Counted over all epochs. {ENDED}' if any(row.epochs > 1 for row in rows) else ENDED
    return Part(FAILURES, list(ENDINGS), list(_endings(rows)) if failed else [], note)


def _endings(rows: list[Row]) -> Iterator[list[Figure]]:
    """Model, mode, and how many steps ended so and failed so."""
    for row in rows:
        for mode, ends in row.outcomes.items():
            why = row.failures.get(mode, {})
            counts = [ends.get(end, 0) for end in ENDS] + [why.get(name, 0) for name in [*CATEGORIES, FOLLOWED]]
            yield [Figure(row.model), Figure(PREFIX[mode]), *(Figure(str(count or '·')) for count in counts)]


def record(row: Row, rows: list[Row]) -> dict[str, str | int]:
    """What the smaller tables of all `rows` have of one row, as columns of a CSV file."""
    made: dict[str, str | int] = {}
    for mode in MODES:
        for name in [*_objects_name(rows), *_ran_names(rows)]:
            made |= _columns(f'{mode}_{name}', figure(row, mode, name))
            made[f'{mode}_{name}_steps'] = row.counts.get(mode, {}).get(name, 0)
        found = dict(by_mode(row)).get(mode, {})
        for every, k in pass_kinds(rows):
            one = found.get((every, k))
            cell = Figure.of(one.mean, one.bounds) if one else Figure('–')
            made |= _columns(f'{mode}_pass_{"hat" if every else "at"}_{k}', cell)
            made[f'{mode}_pass_experiments'] = one.experiments if one else 0
    return made


def _objects_name(rows: list[Row]) -> list[str]:
    return [OBJECTS] if any(OBJECTS in counts for row in rows for counts in row.counts.values()) else []


def _columns(name: str, cell: Figure) -> dict[str, str]:
    low, high = cell.ends
    return {name: cell.number, f'{name}_low': low, f'{name}_high': high}


def empty_table(title: str) -> Table:
    text = Text(title)
    return Table(title=text, title_justify='left', box=box.SIMPLE_HEAD, padding=0, pad_edge=False, show_edge=False)


def line_of(fields: list[str]) -> str:
    """A line of a Markdown table."""
    return f'| {" | ".join(escape(field) for field in fields)} |'


def escape(text: str) -> str:
    """Markdown takes a star for emphasis and a bar for the end of a cell."""
    return text.replace('*', '\\*').replace('|', '\\|')
