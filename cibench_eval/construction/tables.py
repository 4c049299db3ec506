"""Made tables whose columns and distributions are given: the vocabulary of `sets/fresh.py`, under names of one's own.

    sales.csv:
      rows: 120
      columns:
        region: {shares: {North: 0.5, South: 0.3, West: 0.2}}
        units: {integers: [1, 40], by: region}
        price: {normal: [25, 4], digits: 2, gaps: 0.05}
        revenue: {follows: {units: 20, price: 3}, noise: 15}

The same seed and description make the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field, PositiveInt, TypeAdapter, ValidationError

from cibench_eval.files import write_whole
from cibench_eval.schema import CibenchError, Record, problem
from cibench_eval.sets.fresh import NUMBERS, TEXTS, Fresh

MOST_ROWS = 100_000
NAME = r'[A-Za-z0-9][A-Za-z0-9_.-]*\.csv'


class TableSpec(Record):
    """What a table is to be: column -> description, as `varied` of a template has them."""

    rows: PositiveInt = Field(le=MOST_ROWS)
    columns: dict[str, dict[str, Any]] = Field(min_length=1)


Tables = dict[str, TableSpec]
"""File name -> table."""
_ADAPTER = TypeAdapter(Tables)


class _Named(Fresh):
    """Columns are called as their parameters are."""

    def _column_name(self, parameter: str) -> str:
        return parameter


def read_tables(raw: Any, what: str) -> Tables:
    """Descriptions of tables out of YAML or JSON.

    Raises:
        CibenchError: they are malformed; `what` is what the message calls them.
    """
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
        kind = next(iter(description), None)
        if kind not in (*TEXTS, *NUMBERS):
            known = ', '.join((*TEXTS, *NUMBERS))
            raise CibenchError(f'{what}: {name}: {column}: {kind!r} is no distribution; there is {known}')


def make_table(name: str, table: TableSpec, seed: int) -> bytes:
    """The CSV file of a table.

    Raises:
        CibenchError: a description makes no column, or names one that does not stand before it.
    """
    made = _Named({f'{name}:table': {'table': table.rows}, **table.columns}, name, seed)
    (content,) = made.files.values()
    return content


def make_tables(tables: Mapping[str, TableSpec], seed: int) -> dict[str, bytes]:
    """File name -> content, of all of them."""
    return {name: make_table(name, table, seed) for name, table in tables.items()}


def write_tables(description: Path, folder: Path, seed: int) -> list[Path]:
    """Make the tables of a YAML file into a folder.

    Raises:
        CibenchError: the file cannot be read or describes none.
    """
    try:
        raw = yaml.safe_load(description.read_text(encoding='utf-8'))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise CibenchError(f'{description}: no YAML ({" ".join(str(error).split())}); correct it') from error
    made = make_tables(read_tables(raw, str(description)), seed)
    for name, content in made.items():
        write_whole(folder / name, content)
    return [folder / name for name in made]
