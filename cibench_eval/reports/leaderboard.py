"""The leaderboard: the main table, with the conditions under which rows are comparable, and pass^k over epochs.

A condition that all rows share is said below the table; one in which they differ has a column.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from cibench_eval.reports.layout import Cell, Table
from cibench_eval.reports.rows import Row
from cibench_eval.reports.scores import MODES, Score
from cibench_eval.reports.tables import PREFIX, main_table, size_of
from cibench_eval.schema import Mode

PASS_NOTE = 'pass^k: all of k runs of a session are right in every step.'


class RowCondition(NamedTuple):
    """A condition of a row: the name of its column, its value, empty if it is not known, and how it is said."""

    name: str
    of: Callable[[Row], str]
    said: str


def _scored(row: Row) -> str:
    profiles = ', '.join([' and '.join(row.profiles), *row.options])
    return ' '.join([profiles, *(f'({version})' for version in row.scorers)])


CONDITIONS = (
    RowCondition('Set', lambda row: ' and '.join(row.versions), 'version {} of the set'),
    RowCondition('Scored by', _scored, 'scored by profile {}'),
    RowCondition('Kernels', lambda row: ' and '.join(row.environments), 'kernel environment {}'),
    RowCondition('Agent', lambda row: ' and '.join(row.agents), 'agent {}'),
    RowCondition('Prompt', lambda row: ' and '.join(row.prompts), 'prompt: {}'),
    RowCondition('Attempts', lambda row: ' and '.join(map(str, row.max_attempts)), 'at most {} attempts'),
    RowCondition('Epochs', lambda row: str(row.epochs) if row.scores else '', 'epochs: {}'),
)


def shared(rows: list[Row]) -> str:
    """The conditions that all rows share, in a sentence; empty if none is known."""
    alike = [one for one in CONDITIONS if rows and one.of(rows[0]) and not _differ(one, rows)]
    said = ', '.join(one.said.format(one.of(rows[0])) for one in alike)
    return f'{said[0].upper()}{said[1:]}.' if said else ''


def differing(rows: list[Row]) -> list[RowCondition]:
    """The conditions in which rows differ."""
    return [one for one in CONDITIONS if _differ(one, rows)]


def _differ(condition: RowCondition, rows: list[Row]) -> bool:
    return len({condition.of(row) for row in rows}) > 1


def pass_columns(rows: list[Row]) -> dict[str, tuple[Mode, int]]:
    """Columns of pass^k -> mode and k, for the number of epochs of each row that has several."""
    most = {max(one.k for one in row.passes) for row in rows if row.passes}
    there = {(one.mode, one.k) for row in rows for one in row.passes if one.every}
    return {f'{PREFIX[mode]}-pass^{k}': (mode, k) for k in sorted(most) for mode in MODES if (mode, k) in there}


def passed(row: Row, mode: Mode, k: int) -> Score | None:
    """The pass^k of a row, if it has one."""
    return next((one.score for one in row.passes if (one.mode, one.k, one.every) == (mode, k, True)), None)


def leaderboard_table(rows: list[Row]) -> Table:
    """The board of a split."""
    board, columns, conditions = main_table(rows), pass_columns(rows), differing(rows)
    more = [
        [Cell.of(passed(row, *column)) for column in columns.values()]
        + [Cell(one.of(row) or '–') for one in conditions]
        for row in rows
    ]
    return replace(
        board,
        title=size_of(rows),
        header=[*board.header, *columns, *(one.name for one in conditions)],
        lines=[[*line, *cells] for line, cells in zip(board.lines, more, strict=True)],
        note=' '.join(filter(None, [shared(rows), PASS_NOTE if columns else ''])),
        remarks=len(conditions),
    )
