"""What can be wrong with a study, and the harmless things that look like it.

A `Fault` distorts a table, says so in the notes, and has a line of gold code that undoes it. Its *double* leaves the
table as it is, or changes it without harm, has notes that sound alike, and needs no such line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cibench_eval.schema import Language

if TYPE_CHECKING:
    import pandas as pd

LATE = 31
"""The day from which the other gauge was used."""
Texts = dict[Language, tuple[str, ...]]


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

    section: str
    """The section of the notes: `taking_part`, `recording`, `files` or `origin`."""
    distort: Callable[[Study], Study]
    undo: str
    """A line of code on the table `t`, a template of `column`, `shift`, `late` and `file`."""
    notes: Texts
    resemble: Callable[[Study], Study]
    double: Texts
    """Wordings of the note, templates of `name`, `units`, `outcome`, `shift`, `late` and `file`."""


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
    'doubled': Fault(
        'files',
        _doubled,
        "t = t.drop_duplicates('number')",
        {
            'en': (
                'The second delivery of `{name}` repeated a part of the first; a `number` stands for one of the '
                '{units} throughout.',
                '`{name}` was put together from two exports that overlap. Each of the {units} has a `number` of its '
                'own.',
            ),
            'cn': (
                '`{name}` 的第二次交付重复了第一次的一部分；同一个 `number` 始终代表同一{units}。',
                '`{name}` 由两次有重叠的导出拼成。{units}各有自己的 `number`。',
            ),
        },
        _numbered_by_wave,
        {
            'en': (
                '`{name}` was delivered in two parts, a wave each, of other {units}; both number them from 1001.',
                'Each wave of `{name}` has a list of its own, of other {units}, which begins at number 1001.',
            ),
            'cn': (
                '`{name}` 分两部分交付，每轮一份，两份中是不同的{units}，都从 1001 开始编号。',
                '`{name}` 的每一轮有自己的名单，两轮各有不同的{units}，`number` 都从 1001 开始。',
            ),
        },
    ),
    'shifted': Fault(
        'recording',
        _shifted,
        "t.loc[t['day'] >= {late}, '{column}'] -= {shift}",
        {
            'en': (
                'In `{name}` another gauge was used from day {late} on, and it shows {shift} too much. The file has '
                'the readings as they were taken.',
                'From day {late} on the readings of `{name}` are off by {shift}: they should be that much lower. '
                'Nothing was changed in the file.',
            ),
            'cn': (
                '`{name}` 从第 {late} 天起换了另一台仪表，读数偏高 {shift}。文件中是原始读数。',
                '从第 {late} 天起 `{name}` 的读数有偏差：应当低 {shift}。文件未作任何改动。',
            ),
        },
        _as_it_is,
        {
            'en': (
                'In `{name}` another gauge was used from day {late} on, which showed {shift} too much. The file has '
                'the readings as they should be.',
                'From day {late} on the readings of `{name}` were off by {shift}; they were put right before the file '
                'was written.',
            ),
            'cn': (
                '`{name}` 从第 {late} 天起换了另一台仪表，读数偏高 {shift}。文件中是应有的读数。',
                '从第 {late} 天起 `{name}` 的读数偏差 {shift}；写入文件前已更正。',
            ),
        },
    ),
    'searched': Fault(
        'origin',
        _searched,
        "t = t[t['wave'] == 2]",
        {
            'en': (
                'After wave 1 of `{name}`, forty outcomes were looked through, and this one differed most. Wave 2 was '
                'run to see what remains of it.',
                'Of forty outcomes that `{name}` had in wave 1, {outcome} stood out, so it was the one that was kept '
                'for wave 2.',
            ),
            'cn': (
                '`{name}` 第 1 轮之后查看了四十项结果，其中这一项差异最大。第 2 轮是为了看它还剩多少。',
                '`{name}` 第 1 轮共有四十项结果，{outcome}最为突出，因此第 2 轮只保留了它。',
            ),
        },
        _as_it_is,
        {
            'en': (
                'Before wave 1 of `{name}`, {outcome} was chosen out of forty outcomes. Wave 2 was a part of the plan.',
                'Of forty outcomes, the plan of `{name}` named {outcome} alone, for both waves, before there was a '
                'reading.',
            ),
            'cn': (
                '`{name}` 在第 1 轮之前就从四十项结果中选定了{outcome}。第 2 轮是计划的一部分。',
                '在有任何读数之前，`{name}` 的计划就从四十项结果中只选定了{outcome}，两轮皆是。',
            ),
        },
    ),
    'left': Fault(
        'files',
        _left,
        "t['{column}'] = t['{column}'].fillna(t['number'].map(pd.read_csv('{file}').set_index('number')['{column}']))",
        {
            'en': (
                'In `{name}`, {units} without a reading had left early. All of them were found and measured in the '
                'same week as the others: `{file}`.',
                'Those {units} of `{name}` that dropped out were measured all the same, at the same time, by somebody '
                'else, whose readings are in `{file}`.',
            ),
            'cn': (
                '`{name}` 中没有读数的{units}提前退出了，后来全都找到，并与其他{units}在同一周测量：`{file}`。',
                '`{name}` 中退出的{units}在同一时间由另一人照样测量，读数在 `{file}` 中。',
            ),
        },
        _failed,
        {
            'en': (
                'In `{name}` a gauge that failed now and then left some {units} without a reading. They were measured '
                'a year after the others, when all had changed: `{file}`.',
                'Readings that `{name}` lacks were lost by chance with a notebook. What these {units} were like a '
                'year after the end is in `{file}`.',
            ),
            'cn': (
                '`{name}` 的仪表偶有失灵，使一些{units}没有读数。一年之后情况都已改变，才测量了这些{units}：`{file}`。',
                '`{name}` 缺的读数随一本笔记偶然遗失。这些{units}在结束一年之后的情况在 `{file}` 中。',
            ),
        },
    ),
}
"""The faults of files and readings, by name."""
