"""The questions of a long session: what is asked, of which state, and how the answer is computed."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cibench_eval.sets.long.definitions import Number
from cibench_eval.sets.long.domains import Domain
from cibench_eval.sets.long.memory import MAIN, Memory, TableState, Version, Wish
from cibench_eval.sets.long.references import Reference
from cibench_eval.sets.long.words import DoubtfulError, Words

CLOSE = 1e-3
"""Two numbers that are nearer to each other than this share of them cannot be told apart by their ranks."""


@dataclass(frozen=True)
class _Earlier:
    """What takes something from an earlier step."""

    reference: Reference

    @property
    def step(self) -> int:
        return self.reference.step

    def sources(self, memory: Memory) -> set[int]:
        return {self.step}


@dataclass(frozen=True)
class AsIn(_Earlier):
    """A definition as it was at the end of an earlier step; `first` says so in other words."""

    name: str
    first: bool

    def of(self, memory: Memory, now: TableState) -> TableState:
        return now.defining({self.name: memory.history[self.step - 1].versions[self.name]})

    def code(self, now: str) -> str:
        return f'({now}[0], {now}[1] | {{{self.name!r}: history[{self.step}][1][{self.name!r}]}})'

    def say(self, words: Words, state: TableState) -> str:
        noun = state.versions[self.name].definition.noun(self.name, words)
        step = self.reference.say(words)
        number = isinstance(state.versions[self.name].definition, Number)
        at_first = 'what it was at first' if number else 'defined as it first was'
        was = at_first if self.first else f'{"what" if number else "defined as"} it was at the end of {step}'
        when = '最初' if self.first else f'{step}结束时'
        chinese = f'仍是{when}的值' if number else f'仍按{when}的定义'
        return words.pick(f'if {noun} were still {was}', f'假如{noun}{chinese}')

    def sources(self, memory: Memory) -> set[int]:
        return {memory.history[self.step - 1].versions[self.name].step}


@dataclass(frozen=True)
class WhatIf:
    """Another value of a number."""

    name: str
    number: Number

    def of(self, memory: Memory, now: TableState) -> TableState:
        return now.defining({self.name: Version(self.number, 0)})

    def code(self, now: str) -> str:
        return f'({now}[0], {now}[1] | {{{self.name!r}: {self.number.value!r}}})'

    def say(self, words: Words, state: TableState) -> str:
        noun = self.number.noun(self.name, words)
        return words.pick(f'if {noun} were {self.number.written}', f'假如{noun}为 {self.number.written}')

    def sources(self, memory: Memory) -> set[int]:
        return set()


@dataclass(frozen=True)
class Without(_Earlier):
    """One change of the data never told."""

    def of(self, memory: Memory, now: TableState) -> TableState:
        return now.without(self.step)

    def code(self, now: str) -> str:
        return f'without({now}, {self.step})'

    def say(self, words: Words, state: TableState) -> str:
        return words.pick(
            f'if the change of the data in {self.reference.say(words)} had never been told',
            f'假如{self.reference.say(words)}中对数据的改动从未提出',
        )


@dataclass(frozen=True)
class Mixed(_Earlier):
    """The table of now with all definitions of an earlier step, or the definitions of now with its table."""

    definitions: bool

    def of(self, memory: Memory, now: TableState) -> TableState:
        then = memory.history[self.step - 1]
        return TableState(now.loaded, now.changes, then.versions) if self.definitions else now.changed(then.changes)

    def code(self, now: str) -> str:
        then = f'history[{self.step}]'
        return f'({now}[0], {then}[1])' if self.definitions else f'({then}[0], {now}[1])'

    def say(self, words: Words, state: TableState) -> str:
        step = self.reference.say(words)
        if self.definitions:
            return words.pick(
                f'for the table as it is, with all definitions as they were at the end of {step}',
                f'对现在的表，按{step}结束时的全部定义',
            )
        return words.pick(
            f'by the definitions as they are, for the table as it was at the end of {step}',
            f'按现在的定义，对{step}结束时的表',
        )


def line_of(name: str, words: Words) -> str:
    if name == MAIN:
        return words.pick('the main line', '主线')
    return words.pick(f'the line “{name}”', f'支线“{words.name(name)}”')


@dataclass(frozen=True)
class Elsewhere:
    """A saved state, or the state of another line."""

    name: str
    line: bool

    def of(self, memory: Memory, now: TableState) -> TableState:
        return (memory.lines if self.line else memory.saved)[self.name][0]

    def code(self, now: str) -> str:
        return f'{"lines" if self.line else "saved"}[{self.name!r}]'

    def say(self, words: Words, state: TableState) -> str:
        if self.line:
            line = line_of(self.name, words)
            return words.pick(f'on {line}, as it was left', f'在{line}上（按离开时的状态）')
        name = words.name(self.name)
        return words.pick(f'in the saved state “{name}”', f'在保存的状态“{name}”中')

    def sources(self, memory: Memory) -> set[int]:
        return {(memory.lines if self.line else memory.saved)[self.name][1]}


Then = AsIn | WhatIf | Without | Mixed | Elsewhere
"""Another state that is asked about, made of the one of now; `say` is such as: if the elder rate were 4 %."""


@dataclass(frozen=True)
class Ask:
    """A question about a figure or an index."""

    name: str
    form: str
    """`whole`; `part`, of the rows with a value; `by`, of each value of a column; `top`, the three values with the
    greatest; `bars`, a drawing of each value; `gap`, how much greater it is now than then."""
    role: str = ''
    value: str = ''
    then: Then | None = None

    def of(self, memory: Memory, now: TableState, wishes: Sequence[Wish], then: bool = True) -> Any:
        """The answer that somebody gives who has a state and wishes in mind, and perhaps overlooks the other state."""
        state = self.then.of(memory, now) if self.then and then else now
        state.sources([self.name])
        if self.form == 'gap':
            return self._thousands(now.world.figure(self.name) - state.world.figure(self.name), wishes)
        if self.form == 'whole':
            return self._thousands(state.world.figure(self.name), wishes)
        rows = state.world.rows
        if self.form == 'part':
            within = [row[self.role] == self.value for row in rows]
            return self._thousands(state.world.figure(self.name, within), wishes)
        found = {
            value: self._thousands(state.world.figure(self.name, [row[self.role] == value for row in rows]), wishes)
            for value in sorted({row[self.role] for row in rows} - self._left_out(wishes))
        }
        return _greatest(found) if self.form == 'top' else found

    def _thousands(self, number: float, wishes: Sequence[Wish]) -> float:
        return number / 1000 if any(wish.figure == self.name for wish in wishes) else number

    def _left_out(self, wishes: Sequence[Wish]) -> set[str]:
        return {wish.value for wish in wishes if wish.role == self.role}

    def code(self, domain: Domain, now: str, wishes: Sequence[Wish], then: bool = True) -> str:
        state = self.then.code(now) if self.then and then else now
        name, over = repr(self.name), ' / 1000' if any(wish.figure == self.name for wish in wishes) else ''
        if self.form == 'gap':
            difference = f'figure({name}, {now}) - figure({name}, {state})'
            return f'({difference}){over}' if over else difference
        if self.form == 'whole':
            return f'figure({name}, {state}){over}'
        column = repr(domain.columns[self.role])
        if self.form == 'part':
            return f'figure({name}, {state}, lambda t: t[{column}] == {self.value!r}){over}'
        left_out = f', {sorted(self._left_out(wishes))}' if self._left_out(wishes) else ''
        found = f'by({name}, {state}, {column}{left_out})'
        if self.form == 'top':
            return f'greatest({found})'
        return f'{{value: number{over} for value, number in {found}.items()}}' if over else found

    @property
    def shown(self) -> str:
        """The last lines of the gold code."""
        return 'plt.bar(list(answer), list(answer.values()))\nplt.show()' if self.form == 'bars' else 'print(answer)'

    def answer(self, state: TableState, wishes: Sequence[Wish]) -> str:
        """The declaration of the answer; none of a drawing."""
        if self.form == 'bars':
            return ''
        if self.form == 'top':
            return 'list[text]'
        whole = state.asked[self.name].counts and not any(wish.figure == self.name for wish in wishes)
        one = 'count' if whole else 'real'
        return f'table[{one}]' if self.form == 'by' else one

    def say(self, words: Words, state: TableState, wording: int) -> str:
        noun = state.versions[self.name].definition.noun(self.name, words)
        then = self.then.say(words, state) if self.then else ''
        return _asked(words, self, noun, then, wording)


def _asked(words: Words, ask: Ask, noun: str, then: str, wording: int) -> str:
    column = words.column(ask.role) if ask.role else ''
    if ask.form == 'gap':
        return words.pick(
            f'By how much is {noun} now greater than it {"would be" if then.startswith("if") else "is"} {then}?'
            ' Give a negative number if it is less.',
            f'现在的{noun}比{then}的{noun}大多少？若更小则给出负数。',
        )
    if ask.form == 'bars':
        aside = f' as it would be {then}' if then.startswith('if') else f' {then}'.rstrip()
        chinese = f'{noun}（{then}）' if then else noun
        return words.pick(
            f'Draw, with `plt.bar` and in the order of the alphabet, a bar for each {column} with its'
            f' {noun[4:]}{aside}, and call `plt.show()`.',
            f'用 `plt.bar` 按字母顺序为每个 {column} 画一根柱，高度为其{chinese}，并调用 `plt.show()`。',
        )
    english = {
        'whole': (noun, f'the number that {noun} comes to'),
        'part': (f'{noun} of the {words.rows} whose {column} is {ask.value} alone',) * 2,
        'by': (f'{noun} of each {column}', f'{noun}, one number for each {column}'),
        'top': (
            f'the three values of {column} with the greatest {noun[4:]}, the greatest first',
            f'the three leading values of {column} by {noun}, the greatest first',
        ),
    }[ask.form][wording % 2]
    chinese = {
        'whole': (noun,) * 2,
        'part': (f'仅就 {column} 为 {ask.value} 的{words.rows}而言的{noun}',) * 2,
        'by': (f'每个 {column} 的{noun}',) * 2,
        'top': (f'{noun}最大的三个 {column} 值（从大到小）',) * 2,
    }[ask.form][wording % 2]
    if words.language == 'en':
        verb = 'are' if ask.form == 'top' else 'is'
        if then:
            lead = then[0].upper() + then[1:]
            would = 'would be' if then.startswith('if') else verb
            return f'{lead}, what {would} {english}?'
        return (f'What {verb} {english}?', f'Give {english}.')[wording % 2]
    return f'{then}，{chinese}{"会" if then.startswith("假如") else ""}是什么？' if then else f'{chinese}是什么？'


def _greatest(found: dict[str, float]) -> list[str]:
    ranked = sorted(found, key=lambda value: -found[value])
    for one, other in itertools.pairwise(ranked[:4]):
        if math.isclose(found[one], found[other], rel_tol=CLOSE):
            raise DoubtfulError
    if len(ranked) < 4:
        raise DoubtfulError
    return ranked[:3]
