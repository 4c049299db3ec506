"""Definitions of a long session: numbers, terms, values, figures and indices that refer to each other by name.

Each definition says what it means in three ways: in words (`say`), in the gold's pandas code (`code`), and by itself on
rows (`of`). The last is how the generator knows each answer before any kernel has run the code.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Any

from cibench_eval.sets.long.conditions import NEAR, AtLeast, Condition, Is
from cibench_eval.sets.long.domains import Domain, Row
from cibench_eval.sets.long.words import DoubtfulError, Words, a


class World:
    """A table and the definitions that are in force, to compute figures with.

    Raises:
        DoubtfulError: where a figure is asked for that there is none of, or that hangs on rounding.
    """

    def __init__(self, rows: Sequence[Row], definitions: Mapping[str, Definition]) -> None:
        if not acyclic(definitions):
            raise DoubtfulError
        self.rows = rows
        self.definitions = definitions
        self._known: dict[str, list[Any]] = {}

    def number(self, name: str) -> float:
        definition = self.definitions[name]
        assert isinstance(definition, Number)
        return definition.value

    def by_row(self, name: str | None) -> list[Any]:
        """Whether each row is of a term, or the value of each row; all rows are of the term None."""
        if name is None:
            return [True] * len(self.rows)
        if name not in self._known:
            definition = self.definitions[name]
            assert isinstance(definition, Term | RowValue)
            self._known[name] = definition.of(self)
        return self._known[name]

    def figure(self, name: str, within: Sequence[bool] | None = None) -> float:
        definition = self.definitions[name]
        assert isinstance(definition, AskedFigure | Index)
        return definition.of(self, within or [True] * len(self.rows))

    @cached_property
    def busy(self) -> Counter[str]:
        """The number of rows of each of `who`."""
        return Counter(row['who'] for row in self.rows)


@dataclass(frozen=True)
class Number:
    """A share, such as 4 %, or a limit, such as 250."""

    value: float
    share: bool

    def code(self, domain: Domain) -> str:
        return repr(self.value)

    @property
    def written(self) -> str:
        return f'{100 * self.value:.10g} %' if self.share else f'{self.value:.10g}'

    def noun(self, name: str, words: Words) -> str:
        kind = words.pick(' rate', '率') if self.share else words.pick(' limit', '限')
        return words.pick(f'the {name}{kind}', f'{words.name(name)}{kind}')

    def say(self, name: str, words: Words) -> str:
        noun = self.noun(name, words)
        return words.pick(f'{noun[0].upper()}{noun[1:]} is {self.written}.', f'{noun}为 {self.written}。')


@dataclass(frozen=True)
class Term:
    """A kind of rows: those for which all conditions hold."""

    conditions: tuple[Condition, ...]

    def of(self, world: World) -> list[bool]:
        return [all(parts) for parts in zip(*(condition.of(world) for condition in self.conditions), strict=True)]

    def code(self, domain: Domain) -> str:
        return f'lambda t, d: {" & ".join(condition.code(domain) for condition in self.conditions)}'

    def noun(self, name: str, words: Words) -> str:
        return words.pick(f'{a(name)} {words.row}', f'{words.name(name)}{words.row}')

    def say(self, name: str, words: Words) -> str:
        holding = [condition.say(words) for condition in self.conditions]
        this, both = ('this', '') if len(holding) == 1 else ('all of this', '同时')
        return words.pick(
            f'{a(name).capitalize()} {words.row} is one of which {this} holds: {"; ".join(holding)}.',
            f'{words.name(name)}{words.row}是{both}满足以下条件的{words.row}：{"；".join(holding)}。',
        )


@dataclass(frozen=True)
class Factor:
    """A value times 1 plus or minus a share, for the rows of a term or for all."""

    number: str
    term: str | None
    sign: int

    def of(self, values: list[float], world: World) -> list[float]:
        factor = 1 + self.sign * world.number(self.number)
        return [value * factor if one else value for value, one in zip(values, world.by_row(self.term), strict=True)]

    def code(self, value: str) -> str:
        factor = f'1 {"+" if self.sign > 0 else "-"} d[{self.number!r}]'
        return f'times({value}, {factor}, d[{self.term!r}](t, d))' if self.term else f'{value} * ({factor})'

    def say(self, words: Words) -> str:
        number, sign = words.name(self.number), '+' if self.sign > 0 else '−'
        if words.language == 'en':
            of = f' for {self.term} {words.rows}' if self.term else ''
            return f'times (1 {sign} the {number} rate){of}'
        return f'{f"对{words.name(self.term)}{words.row}" if self.term else ""}乘以（1 {sign} {number}率）'


@dataclass(frozen=True)
class Cap:
    """A value, but no more than a limit."""

    number: str

    def of(self, values: list[float], world: World) -> list[float]:
        return [min(value, world.number(self.number)) for value in values]

    def code(self, value: str) -> str:
        return f'({value}).clip(upper=d[{self.number!r}])'

    def say(self, words: Words) -> str:
        return words.pick(f'but no more than the {self.number} limit', f'但不超过{words.name(self.number)}限')


BASES: dict[str, tuple[Callable[[Row], float], str, str, str]] = {
    'price': (
        lambda row: row['pieces'] * row['price'],
        't[{pieces!r}] * t[{price!r}]',
        '`{pieces}` times `{price}`',
        '`{pieces}` 乘以 `{price}`',
    ),
    'cost': (
        lambda row: row['pieces'] * row['cost'],
        't[{pieces!r}] * t[{cost!r}]',
        '`{pieces}` times `{cost}`',
        '`{pieces}` 乘以 `{cost}`',
    ),
    'margin': (
        lambda row: row['pieces'] * (row['price'] - row['cost']),
        't[{pieces!r}] * (t[{price!r}] - t[{cost!r}])',
        '`{pieces}` times (`{price}` − `{cost}`)',
        '`{pieces}` 乘以（`{price}` − `{cost}`）',
    ),
    'size': (
        lambda row: row['pieces'] * row['size'],
        't[{pieces!r}] * t[{size!r}]',
        '`{pieces}` times `{size}`',
        '`{pieces}` 乘以 `{size}`',
    ),
}
"""What a value starts from: its function, code and words in both languages. Another value may be one, too."""


@dataclass(frozen=True)
class RowValue:
    """A number for each row."""

    base: str
    """A key of BASES, or the name of another value."""
    changes: tuple[Factor | Cap, ...] = ()

    def of(self, world: World) -> list[float]:
        values = [*map(BASES[self.base][0], world.rows)] if self.base in BASES else world.by_row(self.base)
        for change in self.changes:
            values = change.of(values, world)
        return values

    def code(self, domain: Domain) -> str:
        code = BASES[self.base][1].format(**domain.columns) if self.base in BASES else f'd[{self.base!r}](t, d)'
        for change in self.changes:
            code = change.code(code)
        return f'lambda t, d: {code}'

    def noun(self, name: str, words: Words) -> str:
        return words.pick(f'the {name} value', f'{words.name(name)}值')

    def start(self, words: Words) -> str:
        if self.base in BASES:
            return words.pick(*BASES[self.base][2:]).format(**words.domain.columns)
        return words.pick(f'its {self.base} value', f'其{words.name(self.base)}值')

    def say(self, name: str, words: Words) -> str:
        parts = words.pick(', ', '，').join([self.start(words), *(change.say(words) for change in self.changes)])
        return words.pick(
            f'The {name} value of {a(words.row)} is {parts}.', f'每个{words.row}的{words.name(name)}值为 {parts}。'
        )


@dataclass(frozen=True)
class How:
    """A way to make one number of the values of rows."""

    of: Callable[[list[Any]], float]
    code: str
    english: str
    chinese: str


VALUES = 'd[{value!r}](t, d)[{rows}]'
WAYS = {
    'sum': How(math.fsum, f'{VALUES}.sum()', 'the sum of the {value} values of {rows}', '{rows}的{value}值之和'),
    'mean': How(
        statistics.fmean, f'{VALUES}.mean()', 'the mean of the {value} values of {rows}', '{rows}的{value}值的平均数'
    ),
    'greatest': How(
        max, f'{VALUES}.max()', 'the greatest of the {value} values of {rows}', '{rows}的{value}值中的最大值'
    ),
    'count': How(len, 'int(({rows}).sum())', 'the number of {rows}', '{rows}的个数'),
    'people': How(
        lambda found: len(set(found)),
        't.loc[{rows}, {who!r}].nunique()',
        'the number of different `{who}` among {rows}',
        '{rows}中不同 `{who}` 的个数',
    ),
}


@dataclass(frozen=True)
class AskedFigure:
    """One number of the rows of a term."""

    how: str
    """A key of WAYS."""
    value: str
    term: str | None

    @property
    def counts(self) -> bool:
        """Whether it is a whole number."""
        return self.how in ('count', 'people')

    def of(self, world: World, within: Sequence[bool]) -> float:
        values = [row['who'] for row in world.rows] if self.counts else world.by_row(self.value)
        rows = zip(values, world.by_row(self.term), within, strict=True)
        found = [value for value, of_term, inside in rows if of_term and inside]
        if not found and self.how in ('mean', 'greatest'):
            raise DoubtfulError
        return WAYS[self.how].of(found)

    def code(self, domain: Domain) -> str:
        rows = f'd[{self.term!r}](t, d) & within' if self.term else 'within'
        return (
            f'lambda t, d, within: {WAYS[self.how].code.format(value=self.value, rows=rows, who=domain.columns["who"])}'
        )

    def noun(self, name: str, words: Words) -> str:
        return words.pick(f'the {name} figure', f'{words.name(name)}指标')

    def rows(self, words: Words) -> str:
        if self.term is None:
            return words.pick(f'all {words.rows}', f'所有{words.row}')
        return words.pick(f'the {self.term} {words.rows}', f'{words.name(self.term)}{words.row}')

    def say(self, name: str, words: Words) -> str:
        way = words.pick(WAYS[self.how].english, WAYS[self.how].chinese)
        meant = way.format(value=words.name(self.value), rows=self.rows(words), who=words.domain.columns['who'])
        return words.pick(f'The {name} figure is {meant}.', f'{words.name(name)}指标为{meant}。')


@dataclass(frozen=True)
class Index:
    """A figure divided by another, or less another."""

    left: str
    right: str
    ratio: bool
    counts: bool = False

    def of(self, world: World, within: Sequence[bool]) -> float:
        left, right = world.figure(self.left, within), world.figure(self.right, within)
        if self.ratio and abs(right) < NEAR:
            raise DoubtfulError
        return left / right if self.ratio else left - right

    def code(self, domain: Domain) -> str:
        sign = '/' if self.ratio else '-'
        return f'lambda t, d, within: d[{self.left!r}](t, d, within) {sign} d[{self.right!r}](t, d, within)'

    def noun(self, name: str, words: Words) -> str:
        return words.pick(f'the {name} index', f'{words.name(name)}指数')

    def say(self, name: str, words: Words) -> str:
        left, right = words.name(self.left), words.name(self.right)
        return words.pick(
            f'The {name} index is the {left} figure {"divided by" if self.ratio else "less"} the {right} figure.',
            f'{words.name(name)}指数为{left}指标{"除以" if self.ratio else "减去"}{right}指标。',
        )


Definition = Number | Term | RowValue | AskedFigure | Index


def uses(part: Definition | Condition | Factor | Cap) -> list[str]:
    """The names that a definition, or a part of one, refers to."""
    match part:
        case Is(term):
            return [term]
        case AtLeast(what, number, column):
            return [number] if column else [number, what]
        case Cap(number):
            return [number]
        case Factor(number, term):
            return [number, term] if term else [number]
        case Term(parts):
            return [name for one in parts for name in uses(one)]
        case RowValue(base, changes):
            own = [] if base in BASES else [base]
            return [*own, *(name for one in changes for name in uses(one))]
        case AskedFigure(_, value, term):
            own = [] if part.counts else [value]
            return [*own, term] if term else own
        case Index(left, right):
            return [left, right]
    return []


def used(names: Sequence[str], definitions: Mapping[str, Definition]) -> set[str]:
    """Names, and all that their definitions refer to."""
    found: set[str] = set()
    left = [*names]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += uses(definitions[name])
    return found


def acyclic(definitions: Mapping[str, Definition]) -> bool:
    """Whether no definition refers to itself by way of others, and all refer to names that are there."""
    try:
        TopologicalSorter({name: uses(one) for name, one in definitions.items()}).prepare()
    except CycleError:
        return False
    return all(name in definitions for one in definitions.values() for name in uses(one))
