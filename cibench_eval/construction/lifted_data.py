"""The tables that an experiment reads, and how tables like them are made."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cibench_eval.construction.parameters import Parameter
from cibench_eval.schema import CibenchError

LEVELS = 30
"""Texts that a column may have for its cells to be values."""


@dataclass(frozen=True)
class DataTable:
    """A file that code reads: its columns and the texts in its cells; none where it is no CSV file.

    Args:
        frame: a pandas data frame of it, or None.
        values: text -> column.
    """

    frame: Any
    columns: list[str]
    values: dict[str, str]


Tables = dict[str, DataTable]
"""Name below `data/` -> file."""


def tables_of(files: Sequence[str], datasources: Path | None) -> Tables:
    """What stands in files below `datasources/data/`.

    Raises:
        CibenchError: one is not there.
    """
    found = {}
    for name in files:
        path = (datasources or Path()) / 'data' / name
        if not path.exists():
            raise CibenchError(f'data/{name}: the code names it, and it is not in {datasources}; put it there')
        found[name] = _table(path)
    return found


def _table(path: Path) -> DataTable:
    import pandas as pd

    if path.suffix not in ('.csv', '.tsv'):
        return DataTable(None, [], {})
    try:
        frame = pd.read_csv(path, sep='\t' if path.suffix == '.tsv' else ',')
    except (ValueError, pd.errors.ParserError, UnicodeDecodeError):
        return DataTable(None, [], {})
    names = [str(name) for name in frame.columns if str(name).strip()]
    values: dict[str, str] = {}
    for name in frame.columns:
        if frame[name].dtype == object:
            levels = [str(one) for one in frame[name].dropna().unique()]
            if len(levels) <= LEVELS:
                values.update({one: str(name) for one in levels if len(one) > 1 and one not in names})
    return DataTable(frame, names, values)


def described(parameters: Sequence[Parameter], tables: Tables) -> dict[str, Any]:
    """How fresh data for parameters are made (`varied` of a template); nothing where a file is no CSV file."""
    if any(table.frame is None for table in tables.values()) or not tables:
        return {}
    by_value = {str(one.value): one for one in parameters if one.kind != 'number'}
    varied: dict[str, Any] = {}
    for name, table in tables.items():
        varied[by_value[name].name] = {'table': len(table.frame)}
        for column in table.frame.columns:
            if (one := by_value.get(str(column))) and one.kind == 'column' and one.name not in varied:
                varied[one.name] = _column(table.frame[column])
        for value, column in table.values.items():
            one = by_value.get(value)
            if one and one.kind == 'value' and one.name not in varied:
                if column not in by_value:
                    return {}
                varied[one.name] = {'level_of': by_value[column].name}
    varied |= {one.name: {'pick': [one.value]} for one in parameters if one.kind == 'number'}
    return varied


def _column(values: Any) -> dict[str, Any]:
    """The distribution of a column, roughly: what `sets/fresh.py` makes."""
    import pandas as pd

    gaps = round(float(values.isna().mean()), 3)
    missing = {'gaps': gaps} if gaps else {}
    there = values.dropna()
    if there.dtype == object:
        dates = pd.to_datetime(there, errors='coerce', format='ISO8601')
        if len(there) and dates.notna().all():
            return {'days': dates.min().date().isoformat()}
        return {'words': max(2, min(there.nunique(), 8)), **missing}
    if len(there) > 2 and there.is_monotonic_increasing and there.is_unique:
        return {'order': float(f'{(there.iloc[-1] - there.iloc[0]) / (len(there) - 1):.3g}')}
    if (there % 1 == 0).all():
        return {'integers': [int(there.min()), int(there.max())], **missing}
    digits = max((len(f'{one:.10g}'.partition('.')[2]) for one in there.head(100)), default=2)
    spread = float(there.std()) if len(there) > 1 else 1.0
    scale = 10 ** (2 - math.floor(math.log10(spread))) if spread > 0 else 100
    mean, sd = (round(float(one) * scale) / scale for one in (there.mean(), spread))
    return {'normal': [mean, sd], 'digits': min(digits, 6), **missing}
