"""The tables that an experiment reads, and the distributions of their columns."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cibench_eval.schema import CibenchError

LEVELS = 30
"""The largest number of different texts in a column whose texts are values."""


@dataclass(frozen=True)
class DataTable:
    """A file that code reads. A file that is no CSV file has no frame, no columns and no values."""

    frame: Any = None
    """A pandas data frame, or None."""
    columns: list[str] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)
    """Text in a cell -> its column."""


Tables = dict[str, DataTable]
"""Name below `data/` -> content of the file."""


def tables_of(files: Sequence[str], datasources: Path | None) -> Tables:
    """The content of files below `datasources/data/`.

    Raises:
        CibenchError: a file is missing.
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
        return DataTable()
    try:
        frame = pd.read_csv(path, sep='\t' if path.suffix == '.tsv' else ',')
    except (ValueError, pd.errors.ParserError, UnicodeDecodeError):
        return DataTable()
    names = [str(name) for name in frame.columns if str(name).strip()]
    values: dict[str, str] = {}
    for name in frame.columns:
        if frame[name].dtype == object:
            levels = [str(one) for one in frame[name].dropna().unique()]
            if len(levels) <= LEVELS:
                values.update({one: str(name) for one in levels if len(one) > 1 and one not in names})
    return DataTable(frame, names, values)


def distribution_of(values: Any) -> dict[str, Any]:
    """The distribution of a column, roughly, in the vocabulary of `sets/fresh.py`."""
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
