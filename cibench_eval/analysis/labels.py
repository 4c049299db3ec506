"""Labels that people gave to the steps of a run, in the table that `cibench export RUN --to csv` writes."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from cibench_eval.schema import CibenchError

LABEL = 'label_'
"""The beginning of the name of a column with somebody's labels."""
PLACE = ('model', 'dataset', 'epoch', 'experiment', 'step')
"""The columns that name a step. They are text here, as they stand in the table."""
StepName = tuple[str, ...]
Labels = dict[StepName, dict[str, float]]
"""Step -> who labelled it (`label_anna`) -> 0 (wrong) to 1 (right)."""


def read_labels(path: Path) -> Labels:
    """The labels of a table, of which people filled in columns `label_NAME`. An empty cell is no label.

    Spreadsheets of some languages part columns by semicolons and write 0,5 for 0.5: both are read.

    Raises:
        CibenchError: it has no labels, a column is missing, or a label is not from 0 to 1; the message names the line.
    """
    try:
        with path.open(encoding='utf-8-sig', newline='') as file:
            head = file.readline()
            file.seek(0)
            table = csv.DictReader(file, delimiter=';' if head.count(';') > head.count(',') else ',')
            columns = table.fieldnames or ()
            if missing := [name for name in PLACE if name not in columns]:
                raise CibenchError(f'{path}: no column {missing[0]}; take a table of `cibench export RUN --to csv`')
            people = [name for name in columns if name.startswith(LABEL)]
            found = {step: values for step, values in _rows(table, people, path) if values}
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CibenchError(f'{path}: cannot be read: {error}; save it as CSV in UTF-8') from error
    if not found:
        raise CibenchError(f'{path}: no labels; fill in a column {LABEL}NAME, 0 (wrong) to 1 (right)')
    return found


def _rows(table: csv.DictReader[str], people: list[str], path: Path) -> Iterator[tuple[StepName, dict[str, float]]]:
    for row in table:
        values = {}
        for name in people:
            if text := (row[name] or '').strip():
                values[name] = _label(text, f'{path}: line {table.line_num}: {name}')
        yield tuple(row[name] for name in PLACE), values


def _label(text: str, what: str) -> float:
    try:
        value = float(text.replace(',', '.'))
    except ValueError:
        value = -1
    if not 0 <= value <= 1:
        raise CibenchError(f'{what}: {text!r} is no label; write 0 (wrong) to 1 (right), or nothing')
    return value
