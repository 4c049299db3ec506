"""The conditions of a term: what must hold for a row, in words, in pandas and on rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cibench_eval.sets.long.domains import Domain
from cibench_eval.sets.long.words import DoubtfulError, Words, a

if TYPE_CHECKING:
    from cibench_eval.sets.long.definitions import World

NEAR = 1e-6
"""Two numbers this close are told apart by the order of additions."""


@dataclass(frozen=True)
class Among:
    """A column of text has one of some values, or none of them."""

    role: str
    values: tuple[str, ...]
    inside: bool = True

    def of(self, world: World) -> list[bool]:
        return [(row[self.role] in self.values) == self.inside for row in world.rows]

    def code(self, domain: Domain) -> str:
        return f'{"" if self.inside else "~"}t[{domain.columns[self.role]!r}].isin({[*self.values]})'

    def say(self, words: Words) -> str:
        column = words.column(self.role)
        if self.inside:
            return words.pick(
                f'its {column} is {words.listed(self.values)}', f'其 {column} 为 {" 或 ".join(self.values)}'
            )
        if len(self.values) == 1:
            return words.pick(f'its {column} is not {self.values[0]}', f'其 {column} 不为 {self.values[0]}')
        return words.pick(
            f'its {column} is none of {words.listed(self.values, "and")}',
            f'其 {column} 不在 {"、".join(self.values)} 之中',
        )


@dataclass(frozen=True)
class AtLeast:
    """A column of numbers, or a value, is at least a number that has a name, or is less."""

    what: str
    """The role of a column, or the name of a value."""
    number: str
    column: bool
    holds: bool = True

    def of(self, world: World) -> list[bool]:
        limit = world.number(self.number)
        numbers = [row[self.what] for row in world.rows] if self.column else world.by_row(self.what)
        if any(abs(one - limit) < NEAR for one in numbers) and self.what not in ('pieces', 'size'):
            raise DoubtfulError
        return [(one >= limit) == self.holds for one in numbers]

    def code(self, domain: Domain) -> str:
        left = f't[{domain.columns[self.what]!r}]' if self.column else f'd[{self.what!r}](t, d)'
        return f'({left} {">=" if self.holds else "<"} d[{self.number!r}])'

    def say(self, words: Words) -> str:
        limit = words.name(self.number)
        if words.language == 'en':
            what = words.column(self.what) if self.column else f'{self.what} value'
            return f'its {what} is {"at least" if self.holds else "less than"} the {limit} limit'
        what = f' {words.column(self.what)} ' if self.column else f'{words.name(self.what)}值'
        return f'其{what}{"不小于" if self.holds else "小于"}{limit}限'


@dataclass(frozen=True)
class Since:
    """A row is of a day or later, or earlier."""

    day: str
    holds: bool = True

    def of(self, world: World) -> list[bool]:
        return [(row['when'] >= self.day) == self.holds for row in world.rows]

    def code(self, domain: Domain) -> str:
        return f'(t[{domain.columns["when"]!r}] {">=" if self.holds else "<"} {self.day!r})'

    def say(self, words: Words) -> str:
        column = words.column('when')
        if self.holds:
            return words.pick(f'its {column} is {self.day} or later', f'其 {column} 不早于 {self.day}')
        return words.pick(f'its {column} is before {self.day}', f'其 {column} 早于 {self.day}')


@dataclass(frozen=True)
class Is:
    """A row is of another term, or is not."""

    term: str
    holds: bool = True

    def of(self, world: World) -> list[bool]:
        return [one == self.holds for one in world.by_row(self.term)]

    def code(self, domain: Domain) -> str:
        return f'{"" if self.holds else "~"}d[{self.term!r}](t, d)'

    def say(self, words: Words) -> str:
        if words.language == 'en':
            return f'it is {a(self.term) if self.holds else f"no {self.term}"} {words.row}'
        return f'其{"是" if self.holds else "不是"}{words.name(self.term)}{words.row}'


@dataclass(frozen=True)
class Busy:
    """Whoever a row is of has so many rows in the whole table."""

    count: int

    def of(self, world: World) -> list[bool]:
        return [world.busy[row['who']] >= self.count for row in world.rows]

    def code(self, domain: Domain) -> str:
        who = domain.columns['who']
        return f'(t.groupby({who!r})[{who!r}].transform("size") >= {self.count})'

    def say(self, words: Words) -> str:
        column = words.column('who')
        return words.pick(
            f'its {column} has at least {self.count} {words.rows} in the whole table',
            f'其 {column} 在整张表中至少有 {self.count} 个{words.row}',
        )


Condition = Among | AtLeast | Since | Is | Busy
"""What must hold for a row of a term."""
