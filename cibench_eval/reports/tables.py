"""The paper's table: on the terminal, in a notebook, as Markdown, as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import timedelta

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cibench_eval.reports.parts import PREFIX, SHORT, Figure, empty_table, escape, figure, line_of, parts_of, record
from cibench_eval.reports.results import AVERAGE, AVERAGED, COLUMNS, Row
from cibench_eval.schema import Mode

LEGEND = 'E end-to-end, O oracle; Avg is the mean of Num, Text and Vis over both modes; – is no such step or no result.'

NAMES = (*(f'{mode} {metric}' for mode, metric in COLUMNS), AVERAGE)
"""The figures of a row, in order."""
SPANS = 'Below each figure: its 95 % interval, from how much the experiments differ.'
WIDTH = 80
"""Characters that a table needs. A narrower terminal breaks its lines; no figure is ever cut."""


def print_table(rows: list[Row], console: Console | None = None) -> None:
    """Print one table a split with its footnotes; in a notebook, show them."""
    console = console or Console(highlight=False)
    for those in _by_split(rows):
        console.print()
        made = table(those)
        made.width = WIDTH if console.width < WIDTH else None
        console.print(made, crop=False)
        if any(row.intervals for row in those):
            console.print(Text(SPANS, style='dim'))
        for part in parts_of(those):
            console.print()
            console.print(part.rich(), crop=False)
            if part.note:
                console.print(Text(part.note, style='dim'))
        for note in footnotes(those):
            console.print(Text(note, style='yellow'))
        for line in used(those):
            console.print(Text(line, style='dim'))
    console.print(Text(LEGEND, style='dim'))


def table(rows: list[Row]) -> Table:
    """The rows of one split as a rich table, which a notebook shows as it is; its figures fit in 80 columns."""
    made = empty_table(title(rows))
    made.add_column('\nModel', overflow='fold', min_width=12)
    for mode, metric in COLUMNS:
        made.add_column(f'{PREFIX[mode]}-\n{SHORT[metric]}', justify='right', no_wrap=True)
    made.add_column('\nAvg', justify='right', no_wrap=True, style='bold')
    for row in rows:
        shown = figures(row)
        made.add_row(Text(_label(row)), *(one.text for one in shown))
        if row.intervals:
            rank = Text(f' rank {row.rank}' if row.rank else '')
            made.add_row(rank, *(one.span for one in shown), style='dim')
    return made


def to_markdown(rows: list[Row]) -> str:
    """The same tables as Markdown, with their footnotes."""
    header = ['Model', *(_short(mode, metric) for mode, metric in COLUMNS), 'Avg']
    parts: list[str] = []
    for those in _by_split(rows):
        parts += [f'## {title(those)}', '']
        parts += [line_of(header), line_of([':--', *['--:'] * (len(header) - 1)])]
        parts += [line_of([_label(row), *_whole(row)]) for row in those]
        parts += [line for part in parts_of(those) for line in part.markdown()]
        parts += ['', *(f'- {escape(note)}' for note in [*footnotes(those), *used(those)]), '']
    return '\n'.join([*parts, LEGEND, ''])


def _whole(row: Row) -> list[str]:
    *others, average = (one.whole for one in figures(row))
    return [*others, f'{average}, rank {row.rank}' if row.rank else average]


def to_csv(rows: list[Row]) -> str:
    """One line a model and split, with the number of steps behind every figure. What is not there is empty."""
    file = io.StringIO()
    lines = [{**_record(row), **record(row, rows)} for row in rows]
    writer = csv.DictWriter(file, list(lines[0]) if rows else [], lineterminator='\n')
    writer.writeheader()
    writer.writerows(lines)
    return file.getvalue()


def _record(row: Row) -> dict[str, str | int | float]:
    shown = {name.replace(' ', '_'): one for name, one in zip(NAMES, figures(row), strict=True)}
    return {
        'split': row.split,
        'model': row.model,
        **{name: one.number for name, one in shown.items()},
        **{f'{mode}_{metric}_steps': row.counts.get(mode, {}).get(metric, 0) for mode, metric in COLUMNS},
        **{
            f'{name}_{end}': bound
            for name, one in shown.items()
            for end, bound in zip(('low', 'high'), one.ends, strict=True)
        },
        'rank': row.rank,
        'experiments': row.experiments,
        'epochs': row.epochs,
        'missing': ' '.join(name for names in row.missing.values() for name in names),
        'harness_errors': row.harness_errors,
        **{name: round(value, 4) for name, value in row.usage.model_dump().items()},
        'profile': ' '.join(row.profiles),
        'sandbox': ' '.join(row.sandboxes),
    }


def figures(row: Row) -> list[Figure]:
    """The figures of a row, as NAMES has them."""
    average = Figure.of(row.average, row.intervals.get(AVERAGE))
    return [*(figure(row, mode, metric) for mode, metric in COLUMNS), average]


def title(rows: list[Row]) -> str:
    """The split and its size, which is that of the row with most."""
    sizes = {'experiments': max(row.experiments for row in rows), 'steps': max(row.steps for row in rows)}
    parts = [f'{size} {what if size > 1 else what[:-1]}' for what, size in sizes.items() if size]
    parts += [f'{epochs} epochs' for epochs in [max(row.epochs for row in rows)] if epochs > 1]
    parts += [f'scoring profile {" and ".join(names)}' for names in [_profiles(rows)] if names]
    return f'{rows[0].split}: {", ".join(parts)}' if parts else rows[0].split


def footnotes(rows: list[Row]) -> list[str]:
    """What a reader has to know before believing the figures of a split; models of one note share it."""
    mixed = len(_profiles(rows)) > 1
    models: dict[str, list[str]] = {}
    for row in rows:
        for note in [*_gaps(row), *_conditions(row, mixed)]:
            models.setdefault(note, []).append(row.model)
    return [f'{", ".join(those)}: {note}' for note, those in models.items()]


def used(rows: list[Row]) -> list[str]:
    """What the sessions of each model have used, where any tokens were counted."""
    return [f'{row.model}: {_usage(row)}' for row in rows if row.usage.tokens_in + row.usage.tokens_out]


def _usage(row: Row) -> str:
    usage = row.usage
    parts = [
        f'{usage.replies:,} replies',
        f'{usage.tokens_in:,} tokens in',
        f'{usage.tokens_out:,} out',
        f'{_clock(usage.model_seconds)} in the model',
        f'{_clock(usage.kernel_seconds)} in kernels',
        *([f'{usage.cached:,} replies from the cache'] if usage.cached else []),
        *([f'{usage.unmeasured:,} replies without a count of tokens'] if usage.unmeasured else []),
        *([f'cost {usage.cost:,.2f}'] if usage.cost else []),
    ]
    return ', '.join(parts)


def _clock(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))


def _gaps(row: Row) -> Iterator[str]:
    """What the figures of a row lack."""
    if row.missing:
        names = ', '.join(name for names in row.missing.values() for name in names)
        yield f'no results for {names}' + ('; the figures (*) are of the rest' if row.counts else '')
    if row.harness_errors:
        plural = 's' if row.harness_errors > 1 else ''
        yield f'{row.harness_errors} session{plural} failed by a fault of the harness, left out of the figures (*)'
    if row.average is None and row.whole:
        needed = [(mode, metric) for mode, metric in COLUMNS if metric in AVERAGED]
        lacking = [_short(mode, metric) for mode, metric in needed if row.value(mode, metric) is None]
        yield f'no Avg, which needs {", ".join(lacking)}'


def _conditions(row: Row, mixed: bool) -> Iterator[str]:
    """Under what a row's figures came about, where that is unusual or differs between the rows."""
    failed = sum(number for ends in row.outcomes.values() for end, number in ends.items() if end != 'correct')
    for judge, number in row.judged.items():
        yield f'{number} of {failed} failures have the category that {judge} gave them'
    if 'none' in row.sandboxes:
        yield 'model code ran without a sandbox'
    if mixed and row.profiles:
        yield f'scored by profile {" and ".join(row.profiles)}'


def _profiles(rows: list[Row]) -> list[str]:
    return sorted({profile for row in rows for profile in row.profiles})


def _label(row: Row) -> str:
    """The model's name, starred where its figures are of a part of the split."""
    return row.model if row.whole or not row.counts else f'{row.model} *'


def _short(mode: Mode, metric: str) -> str:
    return f'{PREFIX[mode]}-{SHORT[metric]}'


def _by_split(rows: list[Row]) -> list[list[Row]]:
    return [[row for row in rows if row.split == split] for split in dict.fromkeys(row.split for row in rows)]
