"""Changes of the data of a long session: each maps the rows that are there to others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cibench_eval.sets.long.domains import Domain, Row
from cibench_eval.sets.long.words import Words


@dataclass(frozen=True)
class Where:
    """The rows to which a change applies: rows with some values, perhaps from a day on."""

    values: tuple[tuple[str, str], ...]
    """Pairs of the role of a column and a value."""
    since: str = ''

    def holds(self, row: Row) -> bool:
        return row['when'] >= self.since and all(row[role] == value for role, value in self.values)

    def code(self, domain: Domain) -> str:
        parts = [f'(t[{domain.columns[role]!r}] == {value!r})' for role, value in self.values]
        if self.since:
            parts.append(f'(t[{domain.columns["when"]!r}] >= {self.since!r})')
        return ' & '.join(parts)

    def say(self, words: Words) -> str:
        """Such as: rows whose `region` is Hills and whose `date` is 2024-05-01 or later."""
        parts = [words.say('is', column=words.column(role), value=value) for role, value in self.values]
        if self.since:
            parts.append(words.say('since', column=words.column('when'), day=self.since))
        return words.say('where', conditions=words.say('and_whose').join(parts))


@dataclass(frozen=True)
class Recode:
    """A value of some rows is another."""

    where: Where
    role: str
    value: str

    def of(self, rows: Sequence[Row]) -> list[Row]:
        return [{**row, self.role: self.value} if self.where.holds(row) else row for row in rows]

    def code(self, domain: Domain) -> str:
        column = domain.columns[self.role]
        return f'lambda t: t.assign({column}=t[{column!r}].mask({self.where.code(domain)}, {self.value!r}))'

    def say(self, words: Words) -> str:
        return words.say('recode', those=self.where.say(words), column=words.column(self.role), value=self.value)


@dataclass(frozen=True)
class Scale:
    """A number of some rows is multiplied."""

    where: Where
    role: str
    factor: float

    def of(self, rows: Sequence[Row]) -> list[Row]:
        return [{**row, self.role: row[self.role] * self.factor} if self.where.holds(row) else row for row in rows]

    def code(self, domain: Domain) -> str:
        column = domain.columns[self.role]
        return f'lambda t: t.assign({column}=times(t[{column!r}], {self.factor}, {self.where.code(domain)}))'

    def say(self, words: Words) -> str:
        return words.say('scale', those=self.where.say(words), column=words.column(self.role), factor=self.factor)


@dataclass(frozen=True)
class Drop:
    """Some rows are not there."""

    where: Where

    def of(self, rows: Sequence[Row]) -> list[Row]:
        return [row for row in rows if not self.where.holds(row)]

    def code(self, domain: Domain) -> str:
        return f'lambda t: t[~({self.where.code(domain)})]'

    def say(self, words: Words) -> str:
        return words.say('drop', those=self.where.say(words))


@dataclass(frozen=True)
class AtMost:
    """A number is no more than a limit."""

    role: str
    limit: int

    def of(self, rows: Sequence[Row]) -> list[Row]:
        return [{**row, self.role: min(row[self.role], self.limit)} for row in rows]

    def code(self, domain: Domain) -> str:
        column = domain.columns[self.role]
        return f'lambda t: t.assign({column}=t[{column!r}].clip(upper={self.limit}))'

    def say(self, words: Words) -> str:
        return words.say('at_most', column=words.column(self.role), limit=self.limit)


@dataclass(frozen=True)
class Late:
    """A late file brings further rows, of which those from a day on count."""

    file: str
    rows: tuple[Mapping[str, Any], ...]
    since: str

    def of(self, rows: Sequence[Row]) -> list[Row]:
        return [*rows, *(dict(row) for row in self.rows if row['when'] >= self.since)]

    def code(self, domain: Domain) -> str:
        return f'lambda t: pd.concat([t, late({self.file!r}, {self.since!r})])'

    def say(self, words: Words) -> str:
        return words.say('late', file=self.file, column=words.column('when'), since=self.since)


@dataclass(frozen=True)
class Fixes:
    """A file has the right numbers of some rows, by their ids."""

    file: str
    role: str
    numbers: tuple[tuple[int, float], ...]

    def of(self, rows: Sequence[Row]) -> list[Row]:
        right = dict(self.numbers)
        return [{**row, self.role: right.get(row['id'], row[self.role])} for row in rows]

    def code(self, domain: Domain) -> str:
        column, key = domain.columns[self.role], domain.columns['id']
        return f'lambda t: t.assign({column}=t[{key!r}].map(fixes({self.file!r})).fillna(t[{column!r}]))'

    def say(self, words: Words) -> str:
        return words.say('fixes', file=self.file, column=words.column(self.role), key=words.column('id'))


Change = Recode | Scale | Drop | AtMost | Late | Fixes


def rows_after(rows: Sequence[Row], changes: Mapping[int, Change]) -> list[Row]:
    """The table after some changes, in their order."""
    found = [*rows]
    for change in changes.values():
        found = change.of(found)
    return found
