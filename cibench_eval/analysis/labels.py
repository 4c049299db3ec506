"""Labels that people gave to the steps of a run, in the table that `cibench export RUN --to csv` writes."""

import csv
import re
import sys
from pathlib import Path

from cibench_eval.schema import CibenchError

LABEL = 'label_'
"""The beginning of the name of a column with somebody's labels, in upper or lower case."""
PLACE = ('model', 'dataset', 'epoch', 'experiment', 'step')
"""The columns that name a step. They are text here, as they stand in the table."""
StepName = tuple[str, ...]
Labels = dict[StepName, dict[str, float]]
"""Step -> who labelled it (`label_anna`) -> 0 (wrong) to 1 (right)."""


def has_labels(path: Path) -> bool:
    """Whether a file is a table with somebody's labels."""
    if not path.is_file():
        return False
    with path.open(encoding='utf-8-sig', errors='replace') as file:
        head = file.readline()
    return any(name.strip(' "\n').lower().startswith(LABEL) for name in re.split('[,;\t]', head))


def read_labels(path: Path) -> Labels:
    """The labels of a table, of which people filled in columns `label_NAME`. An empty cell is no label.

    Spreadsheets of some languages part columns by semicolons or tabs and write 0,5 for 0.5: all are read.

    Raises:
        CibenchError: it has no labels, a column is missing, or a label is not from 0 to 1 or stands twice; the message
            names the line.
    """
    csv.field_size_limit(sys.maxsize)
    try:
        with path.open(encoding='utf-8-sig', newline='') as file:
            head = file.readline()
            file.seek(0)
            table = csv.DictReader(file, delimiter=max(',;\t', key=head.count))
            table.fieldnames = [name.strip() for name in table.fieldnames or ()]
            if missing := [name for name in PLACE if name not in table.fieldnames]:
                raise CibenchError(f'{path}: no column {missing[0]}; take a table of `cibench export RUN --to csv`')
            found: Labels = {}
            for row in table:
                _add(found, row, f'{path}: line {table.line_num}')
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CibenchError(f'{path}: cannot be read: {error}; save it as CSV in UTF-8') from error
    if not found:
        raise CibenchError(f'{path}: no labels; fill in a column {LABEL}NAME, 0 (wrong) to 1 (right)')
    return found


def _add(found: Labels, row: dict[str, str | None], what: str) -> None:
    """Add the labels of a row, which may be one of several on its step."""
    labels = {name: text for name in row if str(name).lower().startswith(LABEL) and (text := (row[name] or '').strip())}
    if not labels:
        return
    place = tuple(row[name] or '' for name in PLACE)
    if '' in place:
        raise CibenchError(f'{what}: has labels, and no {PLACE[place.index("")]}; the row is not whole')
    step = found.setdefault(place, {})
    for name, text in labels.items():
        if name in step:
            raise CibenchError(f'{what}: {name}: this step has one already; take one of them out')
        step[name] = _label(text, f'{what}: {name}')


def _label(text: str, what: str) -> float:
    try:
        value = float(text.replace(',', '.'))
    except ValueError:
        value = -1
    if not 0 <= value <= 1:
        raise CibenchError(f'{what}: {text!r} is no label; write 0 (wrong) to 1 (right), or nothing')
    return value
