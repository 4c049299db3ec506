"""The paper's table: on the terminal, as Markdown, as CSV."""

from __future__ import annotations

import csv
import io

from rich import box
from rich.console import Console
from rich.table import Table

from cibench_eval.reports.results import METRICS, MODES, Row

SHORT = {
    'tool_rate': 'Tool',
    'executable': 'Exe',
    'numeric_correct': 'Num',
    'text_score': 'Text',
    'vis_sim': 'Vis',
}
PREFIX = {'end_to_end': 'E', 'oracle': 'O'}
LEGEND = 'E end-to-end, O oracle; Avg is the mean of Num, Text and Vis over both modes; – is no such step or no result.'


def print_table(rows: list[Row], console: Console | None = None) -> None:
    """Print one table a split."""
    console = console or Console(highlight=False)
    for split, those in _by_split(rows):
        console.print()
        console.print(_table(split, those))
        for note in footnotes(those):
            console.print(note, style='yellow')
    console.print(LEGEND, style='dim')


def to_markdown(rows: list[Row]) -> str:
    """The same tables as Markdown, with their footnotes."""
    header = ['Model', *(f'{PREFIX[mode]}-{SHORT[metric]}' for mode in MODES for metric in METRICS), 'Avg']
    parts: list[str] = []
    for split, those in _by_split(rows):
        parts += [f'## {_title(split, those)}', '']
        parts += [_line(header), _line([':--', *['--:'] * (len(header) - 1)])]
        parts += [_line([row.model, *cells(row)]) for row in those]
        parts += ['', *(f'- {note}' for note in footnotes(those)), '']
    return '\n'.join([*parts, LEGEND, ''])


def to_csv(rows: list[Row]) -> str:
    """One line a model and split, with the number of steps behind every figure."""
    columns = [(mode, metric) for mode in MODES for metric in METRICS]
    header = ['split', 'model', *(f'{mode}_{metric}' for mode, metric in columns), 'average']
    header += [f'{mode}_{metric}_steps' for mode, metric in columns] + ['missing', 'profile']
    file = io.StringIO()
    writer = csv.writer(file, lineterminator='\n')
    writer.writerow(header)
    for row in rows:
        steps = [row.counts.get(mode, {}).get(metric, 0) for mode, metric in columns]
        figures = [cell.replace('–', '') for cell in cells(row)]
        writer.writerow([row.split, row.model, *figures, *steps, ' '.join(row.missing), ' '.join(row.profiles)])
    return file.getvalue()


def cells(row: Row) -> list[str]:
    """The figures of a row with one decimal, a dash where there is none."""
    values = [row.metrics.get(mode, {}).get(metric) for mode in MODES for metric in METRICS]
    return ['–' if value is None else f'{value:.1f}' for value in [*values, row.average]]


def footnotes(rows: list[Row]) -> list[str]:
    """What a reader has to know before believing the figures."""
    return [
        f'{row.model}: no results for {", ".join(row.missing)}; figures are of the rest only'
        for row in rows
        if row.missing
    ]


def _by_split(rows: list[Row]) -> list[tuple[str, list[Row]]]:
    return [(split, [row for row in rows if row.split == split]) for split in dict.fromkeys(r.split for r in rows)]


def _title(split: str, rows: list[Row]) -> str:
    profile = ', '.join(sorted({profile for row in rows for profile in row.profiles})) or 'none'
    return f'{split}: {max(row.steps for row in rows)} steps, scoring profile {profile}'


def _line(fields: list[str]) -> str:
    return f'| {" | ".join(fields)} |'


def _table(split: str, rows: list[Row]) -> Table:
    table = Table(
        title=_title(split, rows),
        title_justify='left',
        box=box.SIMPLE_HEAD,
        padding=0,
        pad_edge=False,
        show_edge=False,
    )
    table.add_column('\nModel', overflow='fold', min_width=12)
    for mode in MODES:
        for metric in METRICS:
            table.add_column(f'{PREFIX[mode]}-\n{SHORT[metric]}', justify='right', no_wrap=True)
    table.add_column('\nAvg', justify='right', no_wrap=True, style='bold')
    for row in rows:
        table.add_row(row.model, *cells(row))
    return table
