"""Generated tables with given columns and distributions, in the vocabulary of `sets/fresh.py`.

    sales.csv:
      rows: 120
      columns:
        region: {shares: {North: 0.5, South: 0.3, West: 0.2}}
        units: {integers: [1, 40], by: region}
        price: {normal: [25, 4], digits: 2, gaps: 0.05}
        revenue: {follows: {units: 20, price: 3}, noise: 15}

The same seed and description make the same bytes.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field, PositiveInt, TypeAdapter, ValidationError

from cibench_eval.files import write_whole
from cibench_eval.schema import CibenchError, Record, problem
from cibench_eval.sets.build import check_empty
from cibench_eval.sets.fresh import NUMBERS, TEXTS, Fresh

MOST_ROWS = 100_000
OPTIONS = ('by', 'digits', 'gaps', 'locale', 'noise', 'of', 'scale')
"""What a column may say after its distribution."""
NAME = r'[A-Za-z0-9][A-Za-z0-9_.-]*\.csv'


class TableSpec(Record):
    """The description of a table; columns are described as in `varied` of a template."""

    rows: PositiveInt = Field(le=MOST_ROWS)
    columns: dict[str, dict[str, Any]] = Field(min_length=1)


Tables = dict[str, TableSpec]
"""File name -> table."""
_ADAPTER = TypeAdapter(Tables)


def read_tables(raw: Any, what: str) -> Tables:
    """Descriptions of tables from YAML or JSON; a `CibenchError` that calls them `what` where they are malformed."""
    try:
        tables = _ADAPTER.validate_python(raw)
    except ValidationError as error:
        raise CibenchError(f'{what}: {problem(error)}') from error
    for name, table in tables.items():
        _check_names(name, table, what)
    return tables


def _check_names(name: str, table: TableSpec, what: str) -> None:
    if not re.fullmatch(NAME, name):
        raise CibenchError(f'{what}: {name!r} is no name of a table; letters, digits, "_" and "-", ending in .csv')
    for column, description in table.columns.items():
        kind, *options = description or ['']
        if kind not in (*TEXTS, *NUMBERS):
            known = ', '.join((*TEXTS, *NUMBERS))
            raise CibenchError(f'{what}: {name}: {column}: {kind!r} is no distribution; there is {known}')
        if unknown := [option for option in options if option not in OPTIONS]:
            raise CibenchError(f'{what}: {name}: {column}: {unknown[0]!r}: unknown; there is {", ".join(OPTIONS)}')


def make_tables(tables: Mapping[str, TableSpec], seed: int) -> dict[str, bytes]:
    """File name -> content of the CSV file of each table.

    Raises:
        CibenchError: a description is malformed, or names a column that is not made before it.
    """
    made = {}
    for name, table in tables.items():
        fresh = Fresh({f'{name}:table': {'table': table.rows}, **table.columns}, name, seed, named=True)
        (made[name],) = fresh.files.values()
    return made


def write_tables(description: Path, folder: Path, seed: int) -> list[Path]:
    """Write the tables that a YAML file describes into a folder, and return their paths.

    Raises:
        CibenchError: the file cannot be read, or is malformed, or the folder is not empty.
    """
    try:
        raw = yaml.safe_load(description.read_text(encoding='utf-8'))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise CibenchError(f'{description}: no YAML ({" ".join(str(error).split())}); correct it') from error
    made = make_tables(read_tables(raw, str(description)), seed)
    check_empty(folder)
    for name, content in made.items():
        write_whole(folder / name, content)
    return [folder / name for name in made]
