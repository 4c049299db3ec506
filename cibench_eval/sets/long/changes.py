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
        parts = [
            words.pick(f'{words.column(role)} is {value}', f'{words.column(role)} 为 {value}')
            for role, value in self.values
        ]
        if self.since:
            when = words.column('when')
            parts.append(words.pick(f'{when} is {self.since} or later', f'{when} 不早于 {self.since}'))
        if words.language == 'cn':
            return f'{" 且 ".join(parts)} 的{words.row}'
        return f'{words.rows} whose {" and whose ".join(parts)}'


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
        rows, column = self.where.say(words), words.column(self.role)
        return words.pick(
            f'The {rows} have a wrong {column}: it is {self.value}.', f'{rows}的 {column} 写错了，应为 {self.value}。'
        )


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
        rows, column = self.where.say(words), words.column(self.role)
        return words.pick(
            f'Multiply the {column} of the {rows} by {self.factor}.', f'将{rows}的 {column} 乘以 {self.factor}。'
        )


@dataclass(frozen=True)
class Drop:
    """Some rows are not there."""

    where: Where

    def of(self, rows: Sequence[Row]) -> list[Row]:
        return [row for row in rows if not self.where.holds(row)]

    def code(self, domain: Domain) -> str:
        return f'lambda t: t[~({self.where.code(domain)})]'

    def say(self, words: Words) -> str:
        rows = self.where.say(words)
        return words.pick(f'The {rows} were entered by mistake: take them out.', f'{rows}是误录的，请删除。')


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
        column = words.column(self.role)
        return words.pick(
            f'Every {column} above {self.limit} is an error: make it {self.limit}.',
            f'大于 {self.limit} 的 {column} 都是错的，请改为 {self.limit}。',
        )


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
        when = words.column('when')
        return words.pick(
            f'The late file `{self.file}` has come, with further {words.rows} in the same columns. '
            f'Add those of them whose {when} is {self.since} or later; leave out the others.',
            f'迟到的文件 `{self.file}` 到了，其中有列相同的更多{words.row}。'
            f'请加入其中 {when} 不早于 {self.since} 的{words.row}，其余不要。',
        )


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
        column, key = words.column(self.role), words.column('id')
        return words.pick(
            f'The file `{self.file}` has the right {column} of some {words.rows}, by {key}: it replaces what is there.',
            f'文件 `{self.file}` 按 {key} 给出部分{words.row}的正确 {column}，以它替换原有的值。',
        )


Change = Recode | Scale | Drop | AtMost | Late | Fixes


def rows_after(rows: Sequence[Row], changes: Mapping[int, Change]) -> list[Row]:
    """The table after some changes, in their order."""
    found = [*rows]
    for change in changes.values():
        found = change.of(found)
    return found
