"""Draws a study: its table as it would be without faults, the faults, and the code that undoes them.

What a study shows is known before anything is wrong with it: the effect and its interval are computed from the table
without faults. The gold code has to find the same in the files.
"""

from __future__ import annotations

import tempfile
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from cibench_eval.packages import require
from cibench_eval.schema import CibenchError
from cibench_eval.sets.claims.faults import FAULTS, LATE, Study
from cibench_eval.sets.claims.topics import StudyTopic

if TYPE_CHECKING:
    import pandas as pd

UNITS, SITES = 600, 24
SIZES = ('A', 'B', 'C', 'D', 'E')
Assignment = Literal['lot', 'sites', 'chosen', 'grown']
"""Who took part: by lot; all of a site, by a lot among sites; by their own choice, which went with their size; by lot,
and their size, which was recorded at the end, grew by taking part."""
DEPARTS = 0.6
"""By how many standard errors an answer that falls into a trap is at least beside the right one, in one number."""
TOLERANCE = 0.3
"""How many standard errors an answer may be beside the gold's, in each number."""
NEAR = 0.2
"""By how many standard errors two right ways may differ."""
HELPERS = Path(__file__).with_name('first_cell.txt').read_text(encoding='utf-8')
"""The code that gold code shares; 2.07 in it is OF_SITES."""
OF_SITES = 2.07
"""The quantile of t with 22 degrees of freedom: 24 sites, two means."""
ESTIMATORS: dict[Assignment, str] = {'lot': 'compared', 'sites': 'by_site', 'chosen': 'by_size', 'grown': 'compared'}
CLEAN = ('doubled', 'left', 'shifted', 'searched')
"""The order in which faults are undone, the reverse of that in which they happen."""
if {*ESTIMATORS} != {*get_args(Assignment)} or {*CLEAN} != {*FAULTS}:
    raise TypeError('an assignment has no estimator, or a fault no place in the order')


@dataclass(frozen=True)
class Effect:
    """An answer: the effect and the ends of its interval, in the units of the outcome."""

    effect: float
    low: float
    high: float

    @property
    def error(self) -> float:
        return (self.high - self.low) / 4

    def beside(self, other: Effect) -> float:
        """How far it is from another at most, in standard errors of this one."""
        mine, theirs = (self.effect, self.low, self.high), (other.effect, other.low, other.high)
        return max(abs(one - two) for one, two in zip(mine, theirs, strict=True)) / self.error


@dataclass(frozen=True)
class Drawn:
    """A study as it is in a session."""

    topic: StudyTopic
    least: float
    """The claim: the effect is this or more."""
    holds: bool
    assignment: Assignment
    faults: tuple[str, ...]
    doubles: tuple[str, ...]
    shift: float
    files: dict[str, str]
    """File name -> content, as CSV."""
    right: Effect
    """What the table without faults shows."""
    naive: dict[str, str] = field(default_factory=dict)
    """Habit -> the code of an answer that departs from the gold's, for habits of `source.HABITS`."""

    @property
    def code(self) -> str:
        """Gold code; `{data}` is the folder of its files."""
        return self.undoing(self.faults)

    def undoing(self, undone: tuple[str, ...], estimator: str = '') -> str:
        """Code that undoes some faults, and estimates."""
        file, column = '{data}/' + self.topic.name, self.topic.column
        lines = [f"t = pd.read_csv('{file}.csv')"]
        lines += [
            FAULTS[name].undo.format(column=column, shift=f'{self.shift:g}', late=LATE, file=f'{file}_later.csv')
            for name in CLEAN
            if name in undone
        ]
        return '\n'.join([*lines, f"effect, interval = {estimator or ESTIMATORS[self.assignment]}(t, '{column}')"])


class UnclearError(Exception):
    """The study does not show clearly whether its claim holds, or a trap in it does not matter: it is drawn anew."""


def draw_study(
    topic: StudyTopic, assignment: Assignment, faults: tuple[str, ...], doubles: tuple[str, ...], seed: list[int]
) -> Drawn:
    """Draw a study in which everything matters: who overlooks a fault, or sees one that is not there, answers wrong.

    Raises:
        CibenchError: pandas is not installed, or no study of this kind shows clearly what it shows.
    """
    require('sessions of claims', 'pandas')
    for turn in range(400):
        with suppress(UnclearError):
            return _draw(topic, assignment, faults, doubles, np.random.default_rng([*seed, turn]))
    kind = ', '.join((assignment, *faults, *doubles))
    raise CibenchError(f'study {topic.name} ({kind}): none of 400 draws is clear; take another seed')


def _draw(
    topic: StudyTopic,
    assignment: Assignment,
    faults: tuple[str, ...],
    doubles: tuple[str, ...],
    rng: np.random.Generator,
) -> Drawn:
    least = float(f'{0.06 * topic.usual:.1g}')
    holds = bool(rng.integers(2))
    share = 0.5 if 'searched' in faults else 1.0
    table = _table(topic.column, topic.usual, least, holds, assignment, share, rng)
    kept = table[table['wave'] == 2] if 'searched' in faults else table
    study = Study(topic.column, (-1 if holds else 1) * 1.3 * least, rng, table)
    for name in reversed(CLEAN):
        if name in faults:
            study = FAULTS[name].distort(study)
        elif name in doubles:
            study = FAULTS[name].resemble(study)
    if 'left' in doubles:
        kept = kept[study.table.loc[kept.index, topic.column].notna()]
    right = _estimate(kept, topic.column, assignment)
    files = {f'{topic.name}.csv': _csv(study.table.sort_values(['site', 'number'], kind='stable'))}
    if study.later is not None:
        files[f'{topic.name}_later.csv'] = _csv(study.later)
    return _clear(Drawn(topic, least, holds, assignment, faults, doubles, study.shift, files, right), kept)


def _table(
    column: str, usual: float, least: float, holds: bool, assignment: Assignment, share: float, rng: np.random.Generator
) -> pd.DataFrame:
    """The units as they are: everything that the notes do not speak of has nothing to do with the outcome."""
    import pandas as pd  # not every installation has it

    effect = least * (rng.uniform(1.8, 2.2) if holds else rng.uniform(0.1, 0.3))
    against = (-1 if holds else 1) * least
    site = rng.permutation(np.repeat(np.arange(SITES), UNITS // SITES))
    size = rng.integers(0, len(SIZES), UNITS)
    joined = rng.permutation(np.repeat([0, 1], UNITS // 2))
    noise = least / 5 * np.sqrt(UNITS * share) / 2
    outcome = usual + rng.normal(0, noise, UNITS)
    if assignment == 'chosen':
        joined = (rng.random(UNITS) < np.array([0.2, 0.35, 0.5, 0.65, 0.8])[size]).astype(int)
        outcome += 1.3 * against * (size - 2)
    elif assignment == 'sites':
        joined = rng.permutation(np.repeat([0, 1], SITES // 2))[site]
        outcome = usual + rng.normal(0, noise * 0.4, UNITS) + rng.normal(0, least * 0.45, SITES)[site]
    elif assignment == 'grown':
        size = np.clip(np.round(rng.normal(1.4, 1, UNITS) + 1.2 * joined), 0, 4).astype(int)
        outcome += -1.1 * against * (size - 2 - 0.55 * (2 * joined - 1))
    outcome += effect * joined
    return pd.DataFrame(
        {
            'number': rng.permutation(np.arange(1, UNITS + 1)) + 1000,
            'site': site + 1,
            'size': np.array(SIZES)[size],
            'day': rng.integers(1, 61, UNITS),
            'wave': rng.permutation(np.repeat([1, 2], UNITS // 2)),
            'joined': joined,
            column: outcome.round(2),
        }
    )


def _estimate(table: pd.DataFrame, column: str, assignment: Assignment) -> Effect:
    """The effect and its interval, from a table without faults, in NumPy."""
    joined, y = table['joined'].to_numpy(), table[column].to_numpy()

    def difference(taken: np.ndarray, values: np.ndarray) -> tuple[float, float]:
        one, other = values[taken == 1], values[taken == 0]
        if min(len(one), len(other)) < 2:  # of one unit alone nothing is known of how units differ
            raise UnclearError
        return one.mean() - other.mean(), one.var(ddof=1) / len(one) + other.var(ddof=1) / len(other)

    quantile = 1.96
    if assignment == 'chosen':
        size = table['size'].to_numpy()
        parts = [(np.mean(size == one), *difference(joined[size == one], y[size == one])) for one in SIZES]
        effect = sum(weight * found for weight, found, _ in parts)
        variance = sum(weight**2 * found for weight, _, found in parts)
    elif assignment == 'sites':
        site, quantile = table['site'].to_numpy(), OF_SITES
        sites = np.unique(site)
        means = np.array([y[site == one].mean() for one in sites])
        effect, variance = difference(np.array([joined[site == one][0] for one in sites]), means)
    else:
        effect, variance = difference(joined, y)
    error = np.sqrt(variance)
    return Effect(float(effect), float(effect - quantile * error), float(effect + quantile * error))


def _naive(drawn: Drawn) -> dict[str, str]:
    """The answers of those who take the files as they are, who put files right alone, and who suspect everything."""
    wary = 'by_size' if drawn.assignment in ('grown', 'chosen') else ''
    return {
        'plain': drawn.undoing((), 'compared'),
        'unasked': drawn.undoing(drawn.faults, 'compared'),
        'wary': drawn.undoing((*drawn.faults, *drawn.doubles), wary),
    }


def _clear(drawn: Drawn, kept: pd.DataFrame) -> Drawn:
    """The study, with those naive answers alone that depart from the right one."""
    right = drawn.right
    margin = (right.effect - drawn.least) / right.error
    near_zero = abs(right.effect) < 1.5 * TOLERANCE * right.error
    if (margin < 3) if drawn.holds else (margin > -3 or near_zero):
        raise UnclearError
    others = {'chosen': _regressed, 'sites': _of_units}
    if (other_way := others.get(drawn.assignment)) and right.beside(other_way(kept, drawn.topic.column)) > NEAR:
        raise UnclearError
    with tempfile.TemporaryDirectory() as folder:
        for name, text in drawn.files.items():
            Path(folder, name).write_text(text, encoding='utf-8')

        def beside(code: str) -> float:
            try:
                return right.beside(executed(code, folder))
            except ZeroDivisionError as error:  # nobody took part in one of the sizes
                raise UnclearError from error

        if beside(drawn.code) > 1e-6:
            raise AssertionError(f'{drawn.topic.name}: the gold code does not find what the table without faults shows')
        overlooked = [drawn.undoing(tuple(name for name in drawn.faults if name != one)) for one in drawn.faults]
        seen = [drawn.undoing((*drawn.faults, one)) for one in drawn.doubles]
        if drawn.assignment != 'lot':
            other = 'by_size' if drawn.assignment == 'grown' else 'compared'
            overlooked.append(drawn.undoing(drawn.faults, other))
        if any(beside(code) < DEPARTS for code in (*overlooked, *seen)):
            raise UnclearError
        habits = _naive(drawn)
        naive = {habit: code for habit, code in habits.items() if beside(code) >= DEPARTS}
        if any(beside(code) > 1e-6 for habit, code in habits.items() if habit not in naive):
            raise UnclearError
    return replace(drawn, naive=naive)


def _regressed(table: pd.DataFrame, column: str) -> Effect:
    """The same by least squares with an indicator of each size: another right way."""
    sizes = (table['size'].to_numpy()[:, None] == np.array(SIZES)).astype(float)
    design = np.column_stack([table['joined'].to_numpy(), sizes])
    found, (squares,), *_ = np.linalg.lstsq(design, table[column].to_numpy(), rcond=None)
    variance = squares / (len(table) - design.shape[1]) * np.linalg.inv(design.T @ design)[0, 0]
    effect, error = float(found[0]), float(np.sqrt(variance))
    return Effect(effect, effect - 1.96 * error, effect + 1.96 * error)


def _of_units(table: pd.DataFrame, column: str) -> Effect:
    """The effect as a difference of means over units, whose errors are computed by site: another right way."""
    effect = variance = 0.0
    for took_part, part in table.groupby('joined')[['site', column]]:
        mean = part[column].mean()
        off = (part[column] - mean).groupby(part['site']).sum() / len(part)
        effect += mean if took_part else -mean
        variance += float((off**2).sum()) * len(off) / (len(off) - 1)
    error = float(np.sqrt(variance))
    return Effect(effect, effect - OF_SITES * error, effect + OF_SITES * error)


def executed(code: str, folder: str | Path) -> Effect:
    """What code of a study answers on the files of a folder; it is a part of the set, or was made from one."""
    names: dict[str, object] = {}
    exec(HELPERS + code.format(data=folder), names)
    effect, interval = names['effect'], names['interval']
    assert isinstance(effect, float) and isinstance(interval, list)
    return Effect(effect, *interval)


def _csv(table: pd.DataFrame) -> str:
    return table.to_csv(index=False, lineterminator='\n')
