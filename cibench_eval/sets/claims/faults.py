"""What can be wrong with a study, and the harmless things that look like it.

A `Fault` distorts a table, and has a line of gold code that undoes it. Its *double* leaves the table as it is, or
changes it without harm, and needs no such line. What the notes say of both sounds alike; it stands in `words.yaml`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

LATE = 31
"""The day from which the other gauge was used."""


@dataclass(frozen=True)
class Study:
    """A study while it is made: `table` is its file, `later` a second file, or None."""

    column: str
    bias: float
    """By how much a fault moves the effect, in the units of the outcome; it speaks against the truth."""
    rng: np.random.Generator
    table: pd.DataFrame
    later: pd.DataFrame | None = None

    @property
    def shift(self) -> float:
        """By how much the readings of late days are too high, where they are."""
        return float(f'{1.8 * abs(self.bias):.3g}')


@dataclass(frozen=True)
class Fault:
    """One fault, and its double."""

    distort: Callable[[Study], Study]
    undo: str
    """A line of code on the table `t`, a template of `column`, `shift`, `late` and `file`."""
    resemble: Callable[[Study], Study]


def _with(study: Study, table: pd.DataFrame, later: pd.DataFrame | None = None) -> Study:
    return replace(study, table=table, later=study.later if later is None else later)


def _as_it_is(study: Study) -> Study:
    return study


def _doubled(study: Study) -> Study:
    """Some rows are there twice: high ones among participants and low ones among the others, or the opposite."""
    table = study.table
    order = table[study.column].rank(pct=True)
    high = order if study.bias > 0 else 1 - order
    wanted = np.where(table['joined'] == 1, high, 1 - high) > study.rng.uniform(0.45, 1.0, len(table))
    again = table.index[wanted & table[study.column].notna()]
    return _with(study, table.loc[[*table.index, *again]].reset_index(drop=True))


def _numbered_by_wave(study: Study) -> Study:
    table = study.table
    return _with(study, table.assign(number=table.groupby('wave').cumcount() + 1001))


def _shifted(study: Study) -> Study:
    """Readings of late days are off, and those who took part were mostly seen late, or early."""
    table, rng = study.table, study.rng
    late = rng.random(len(table)) < np.where((table['joined'] == 1) == (study.bias > 0), 0.8, 0.25)
    day = np.where(late, rng.integers(LATE, 61, len(table)), rng.integers(1, LATE, len(table)))
    moved = table[study.column] + late * study.shift
    return _with(study, table.assign(day=day, **{study.column: moved.round(2)}))


def _searched(study: Study) -> Study:
    """In the first wave the difference is larger than it is, as the largest of forty is."""
    table = study.table
    first = (table['wave'] == 1) & (table['joined'] == 1)
    return _with(study, table.assign(**{study.column: (table[study.column] + first * 0.7 * abs(study.bias)).round(2)}))


def _left(study: Study) -> Study:
    """Outcomes are missing, of those who took part the lowest or the highest; a second file has them."""
    table = study.table
    order = table[study.column].rank(pct=True)
    low = 1 - order if study.bias > 0 else order
    gone = np.where(table['joined'] == 1, low, 1 - low) > study.rng.uniform(0.5, 1.2, len(table))
    later = table.loc[gone, ['number', study.column]]
    return _with(study, table.assign(**{study.column: table[study.column].mask(gone)}), later)


def _failed(study: Study) -> Study:
    """Outcomes are missing by chance; a second file has what was seen a year later."""
    table, rng = study.table, study.rng
    gone = rng.random(len(table)) < 0.25
    after = table[study.column] + table['joined'] * 4 * study.bias + rng.normal(0, abs(study.bias), len(table))
    later = table[['number']].assign(**{study.column: after.round(2)})[gone]
    return _with(study, table.assign(**{study.column: table[study.column].mask(gone)}), later)


FAULTS = {
    'doubled': Fault(_doubled, "t = t.drop_duplicates('number')", _numbered_by_wave),
    'shifted': Fault(_shifted, "t.loc[t['day'] >= {late}, '{column}'] -= {shift}", _as_it_is),
    'searched': Fault(_searched, "t = t[t['wave'] == 2]", _as_it_is),
    'left': Fault(
        _left,
        "t['{column}'] = t['{column}'].fillna(t['number'].map(pd.read_csv('{file}').set_index('number')['{column}']))",
        _failed,
    ),
}
"""The faults of files and readings, by name."""
