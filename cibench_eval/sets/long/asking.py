"""The questions of a long session: what is asked, of which state, and how the answer is computed."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from cibench_eval.sets.long.changes import Fixes, Late
from cibench_eval.sets.long.definitions import Definition, Number
from cibench_eval.sets.long.domains import Domain
from cibench_eval.sets.long.memory import MAIN, Memory, TableState, Version, Wish
from cibench_eval.sets.long.words import DoubtfulError, Words

CLOSE = 1e-3
"""Two numbers that are nearer to each other than this share of them cannot be told apart by their ranks."""


@dataclass(frozen=True)
class Reference:
    """An earlier step."""

    step: int
    how: str = 'step'
    """The text that calls it: by its number; `step_asked`, the last one that asked for a figure; `step_defined`, the
    one that defined something; `step_saved`, the one that saved a state; `step_file`, the one in which a file came."""
    name: str = ''
    definition: Definition | None = None

    def say(self, words: Words) -> str:
        """A number of a step in words, as `step 12`."""
        name = self.name
        if self.definition:
            name = self.definition.noun(name, words)
        elif self.how == 'step_saved':
            name = words.name(name)
        return words.say(self.how, name=name, step=self.step)


def refer(memory: Memory, step: int, rng: Random, indirect: float) -> Reference:
    """A reference to an earlier step: with the probability `indirect` by what happened in it, if that can be said."""
    if rng.random() >= indirect:
        return Reference(step)
    found = []
    last = {name: asked for asked, name in memory.asked}
    for name in sorted(name for name, asked in last.items() if asked == step and name in memory.now.versions):
        found.append(Reference(step, 'step_asked', name, memory.now.versions[name].definition))
    before = memory.history[step - 2].versions if step > 1 else {}
    for name in sorted(memory.history[step - 1].versions.keys() - before.keys() - memory.returned):
        found.append(Reference(step, 'step_defined', name, memory.history[step - 1].versions[name].definition))
    found += [Reference(step, 'step_saved', name) for name, (_, saved) in memory.saved.items() if saved == step]
    change = memory.now.changes.get(step)
    if isinstance(change, Late | Fixes):
        found.append(Reference(step, 'step_file', change.file))
    return rng.choice(found) if found else Reference(step)


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
        definition = state.versions[self.name].definition
        kind = 'number' if isinstance(definition, Number) else 'definition'
        text = f'{kind}_at_first' if self.first else f'{kind}_at_step'
        return words.say(text, noun=definition.noun(self.name, words), step=self.reference.say(words))

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
        return words.say('what_if', noun=self.number.noun(self.name, words), value=self.number.written)

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
        return words.say('without', step=self.reference.say(words))


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
        text = 'definitions_at_step' if self.definitions else 'table_at_step'
        return words.say(text, step=self.reference.say(words))


def line_of(name: str, words: Words) -> str:
    return words.say('main_line') if name == MAIN else words.say('line', name=words.name(name))


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
            return words.say('on_line', line=line_of(self.name, words))
        return words.say('in_saved', name=words.name(self.name))

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
        supposed = isinstance(self.then, AsIn | WhatIf | Without)
        of_state = '_if' if supposed else '_then' if self.then else ''
        values: dict[str, Any] = {
            'noun': noun,
            'bare_noun': noun.removeprefix('the '),
            'column': words.column(self.role) if self.role else '',
            'value': self.value,
        }
        if self.form in ('gap', 'bars'):
            return words.say(f'{self.form}{of_state}', then=then, **values)
        return words.say(
            f'question{of_state}',
            wording,
            then=then[:1].upper() + then[1:],
            verb='are' if self.form == 'top' else 'is',
            asked=words.say(self.form, wording, **values),
        )


def _greatest(found: dict[str, float]) -> list[str]:
    ranked = sorted(found, key=lambda value: -found[value])
    for one, other in itertools.pairwise(ranked[:4]):
        if math.isclose(found[one], found[other], rel_tol=CLOSE):
            raise DoubtfulError
    if len(ranked) < 4:
        raise DoubtfulError
    return ranked[:3]
