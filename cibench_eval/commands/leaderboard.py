"""`cibench leaderboard`: the main table over several runs, beside the published one."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from cibench_eval.commands import new_console
from cibench_eval.commands._runs import Runs, inside_latest
from cibench_eval.files import write_whole
from cibench_eval.reports.layout import Table
from cibench_eval.reports.rows import Row, aggregate, published
from cibench_eval.reports.summary import by_split, footnotes, legend, marks, print_table, to_csv
from cibench_eval.reports.tables import leaderboard_table, main_table
from cibench_eval.run.run_folder import scored_results
from cibench_eval.schema import CibenchError
from cibench_eval.terminal import say
from cibench_eval.viewer.leaderboard_page import OFFICIAL, leaderboard_page

PUBLISHED = 'CIBench as published by its authors (arXiv 2407.10499): the official notebooks, another harness'
Form = Literal['text', 'markdown', 'latex', 'csv']


def leaderboard(
    runs: Runs,
    to: Annotated[Form | None, typer.Option(help='What is printed.', show_default='text')] = None,
    with_published: Annotated[
        bool | None,
        typer.Option('--published/--no-published', help='The published table.', show_default='with official splits'),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar='FILE', callback=inside_latest, help='Write a page with tables that can be sorted; print nothing.'
        ),
    ] = None,
) -> None:
    """The main table of several runs, a table a split; official and built-in sets are never in one table."""
    if html and to:
        raise CibenchError('--html and --to: the page or what is printed; name one of them')
    if html and html.is_dir():
        raise CibenchError(f'--html {html}: is a folder; name a file in it')
    rows = aggregate(scored_results(runs))
    shown = with_published if with_published is not None else any(row.split in OFFICIAL for row in rows)
    if html:
        write_whole(html, leaderboard_page(rows, published() if shown else []))
        say(str(html))
        return
    if to == 'csv':
        say(to_csv([*rows, *(published() if shown else [])]).rstrip('\n'))
        return
    tables = [_board(those) for those in by_split(rows)]
    if shown:
        others = sorted(published(), key=lambda row: -(row.average or 0.0))
        tables.append(replace(main_table(others), title=PUBLISHED))
    _print(tables, to or 'text')


def _board(rows: list[Row]) -> Table:
    """The board of a split, with what `run.py` says below its table."""
    board = leaderboard_table(rows)
    return replace(board, note='\n'.join(filter(None, [board.note, *footnotes(rows), *marks(rows), legend(rows)])))


def _print(tables: Sequence[Table], to: Form) -> None:
    console = new_console()
    for table in tables:
        if to == 'text':
            console.print()
            print_table(table, console)
        else:
            say('\n'.join(table.markdown() if to == 'markdown' else table.latex()))
