"""What a step of a long session tells: definitions, amendments, changes of the data, ways back, wishes, promises."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from random import Random
from typing import Literal, get_args

from cibench_eval.sets.long import amending, drawing
from cibench_eval.sets.long.asking import line_of, refer
from cibench_eval.sets.long.changes import AtMost, Change, Drop, Fixes, Late, Recode, Scale, Where
from cibench_eval.sets.long.definitions import Definition, Number, uses
from cibench_eval.sets.long.domains import FIRST_DAY, LATE_DAYS, PEOPLE, Domain, make_rows, table_file
from cibench_eval.sets.long.memory import Memory, Promise, TableState, Version, Wish
from cibench_eval.sets.long.words import DoubtfulError, Words, one_of

Kind = Literal['new', 'amend', 'change', 'late', 'fixes', 'undo', 'save', 'back', 'branch', 'merge', 'wish', 'promise']
"""What a step may tell: each is drawn by the method of `Teller` of this name."""


@dataclass(frozen=True)
class Told:
    """Something told, in words and code, and what it does."""

    say: Callable[[Words], str]
    code: tuple[str, ...] = ()
    """Lines of the gold, which make new `changes` and `d` of those that are there."""
    of: Callable[[TableState], TableState] = lambda state: state
    """The state that it makes of an earlier one; see `back` for one that undoes something."""
    then: Callable[[Memory], Memory] = lambda memory: memory
    """What else it does, when the state is made."""
    names: tuple[str, ...] = ()
    """The definitions that it touches."""
    back: bool = False
    """Whether it undoes something, and somebody who never goes back overlooks it."""
    kept: bool = False
    """Whether a promise made it, and no word is said."""
    after: tuple[str, ...] = ()
    """Lines of the gold after the new state."""


@dataclass(frozen=True)
class Teller:
    """Draws what is told in a step."""

    domain: Domain
    rng: Random
    step: int
    folder: str
    """The folder of the session's files, as its code has it."""
    indirect: float
    """How often an earlier step is called by what happened in it, from 0 to 1."""

    def draw(self, kind: Kind, memory: Memory) -> list[Told]:
        """Something of a kind, and what it sets off; a `DoubtfulError` where this kind cannot be told now."""
        told: Told = getattr(self, f'_{kind}')(memory)
        after = replace(memory, now=told.of(memory.now))
        return [told, *(self._kept(after, promise) for promise in memory.promises if promise.when == kind)]

    def _new(self, memory: Memory) -> Told:
        told = drawing.new_definitions(memory.now, self.domain, self.rng, memory.names)

        def say(words: Words) -> str:
            return words.pick(' ', '').join(one.say(name, words) for name, one in told.items())

        return self._defining(say, told)

    def _defining(self, say: Callable[[Words], str], told: Mapping[str, Definition]) -> Told:
        versions = {name: Version(one, self.step) for name, one in told.items()}
        lines = [f'{name!r}: {one.code(self.domain)}' for name, one in told.items()]
        code = (
            ('d = d | {', *(f'    {line},' for line in lines), '}') if len(lines) > 1 else (f'd = d | {{{lines[0]}}}',)
        )
        return Told(say, code, lambda state: state.defining(versions), names=tuple(told))

    def _amend(self, memory: Memory) -> Told:
        name = self.rng.choice([*memory.now.versions])
        definition, say = amending.amended(memory.now, name, self.domain, self.rng)
        return self._defining(say, {name: definition})

    def _change(self, memory: Memory) -> Told:
        return self._changing(self._drawn_change())

    def _changing(self, change: Change, files: Mapping[str, str] = {}) -> Told:
        code = f'changes = changes | {{{self.step}: {change.code(self.domain)}}}'
        return Told(
            change.say,
            (code,),
            lambda state: state.changed({**state.changes, self.step: change}),
            lambda one: replace(one, files={**one.files, **files}),
        )

    def _drawn_change(self) -> Change:
        rng = self.rng
        kind = rng.choice(('recode', 'scale', 'drop', 'at_most'))
        if kind == 'at_most':
            return AtMost('pieces', rng.randrange(6, 15))
        roles = rng.sample(('place', 'kind', 'way', 'status'), 2)
        values = tuple((role, rng.choice(self.domain.values[role])) for role in roles)
        where = Where(values, self._day(40, 240) if rng.random() < 0.5 else '')
        if kind == 'scale':
            return Scale(where, rng.choice(('price', 'cost')), rng.choice((0.8, 0.9, 1.1, 1.25, 1.5)))
        if kind == 'drop':
            who = ('who', rng.choice(PEOPLE))
            return Drop(replace(where, values=values[:1] if where.since else (who,)) if rng.random() < 0.4 else where)
        role, value = values[0]
        return Recode(where, role, rng.choice([one for one in self.domain.values[role] if one != value]))

    def _day(self, low: int, high: int) -> str:
        return (FIRST_DAY + timedelta(days=self.rng.randrange(low, high))).isoformat()

    def _late(self, memory: Memory) -> Told:
        file = f'{self.folder}/late_{self.step}.csv'
        rows = make_rows(self.domain, self.rng, self.rng.randrange(25, 50), 1000 * self.step, LATE_DAYS)
        change = Late(file, tuple(rows), self._day(170, 260))
        return self._changing(change, {file: table_file(self.domain, rows)})

    def _fixes(self, memory: Memory) -> Told:
        file, role = f'{self.folder}/fixes_{self.step}.csv', self.rng.choice(('pieces', 'price'))
        ids = sorted(self.rng.sample([row['id'] for row in memory.now.loaded], 30))
        numbers = tuple((one, float(self.rng.randrange(2, 30))) for one in ids)
        text = table_file(self.domain, [{'id': one, role: int(number)} for one, number in numbers], ('id', role))
        return self._changing(Fixes(file, role, numbers), {file: text})

    def _undo(self, memory: Memory) -> Told:
        step = one_of(self.rng, [*memory.now.changes][:-1])
        told = refer(memory, step, self.rng, self.indirect)
        return Told(
            lambda words: words.say('undo', step=told.say(words)),
            (f'changes = {{step: change for step, change in changes.items() if step != {step}}}',),
            lambda state: state.without(step),
            back=True,
        )

    def _save(self, memory: Memory) -> Told:
        name = one_of(self.rng, memory.free_names)
        return Told(
            lambda words: words.say('save', name=words.name(name)),
            then=lambda one: replace(one, saved={**one.saved, name: (one.now, self.step)}),
            after=(f'saved[{name!r}] = now',),
        )

    def _back(self, memory: Memory) -> Told:
        name = one_of(self.rng, [*memory.saved])
        state, part = memory.saved[name][0], self.rng.choice(('all', 'all', 'table', 'definitions'))
        if part == 'table':
            code, changed = f'changes = saved[{name!r}][0]', memory.now.changed(state.changes)
        elif part == 'definitions':
            code, changed = f'd = saved[{name!r}][1]', TableState(state.loaded, memory.now.changes, state.versions)
        else:
            code, changed = f'changes, d = saved[{name!r}]', state
        return Told(
            lambda words: words.say(f'back_{part}', name=words.name(name)), (code,), lambda _: changed, back=True
        )

    def _branch(self, memory: Memory) -> Told:
        """Open a line, or change to another that is there."""
        if not memory.lines:
            name = one_of(self.rng, memory.free_names)
            return Told(
                lambda words: words.say('open_line', name=words.name(name)),
                (f'lines[{memory.line!r}] = changes, d',),
                then=lambda one: replace(one, line=name, lines={memory.line: (memory.now, self.step)}),
            )
        [(name, (state, _))] = memory.lines.items()
        return Told(
            lambda words: words.say('change_line', line=line_of(name, words)),
            (f'lines[{memory.line!r}] = changes, d', f'changes, d = lines.pop({name!r})'),
            lambda _: state,
            lambda one: replace(one, line=name, lines={memory.line: (memory.now, self.step)}),
            back=True,
        )

    def _merge(self, memory: Memory) -> Told:
        """Take into this line what was told on the other, and close that."""
        if not memory.lines:
            raise DoubtfulError
        [(name, (state, _))] = memory.lines.items()
        differing = [
            one
            for one, version in state.versions.items()
            if memory.now.versions.get(one) not in (None, version)
            and memory.now.versions.keys() >= {*uses(version.definition)}
        ]
        taken = sorted(self.rng.sample(differing, min(2, len(differing))), key=[*state.versions].index)
        versions = {one: state.versions[one] for one in taken}
        changes = {step: change for step, change in state.changes.items() if step not in memory.now.changes}
        if not versions and not changes:
            raise DoubtfulError

        def say(words: Words) -> str:
            nouns = [versions[one].definition.noun(one, words) for one in taken]
            defined = words.say(
                'definitions_of' if len(taken) > 1 else 'definition_of', nouns=words.listed(nouns, 'and')
            )
            parts = ([defined] if taken else []) + ([words.say('changes')] if changes else [])
            line = line_of(name, words)
            return words.say('merge', line=line, closed=line.capitalize(), parts=words.say('and').join(parts))

        code = [f'other = lines.pop({name!r})']
        if changes:
            code.append('changes = changes | {step: one for step, one in other[0].items() if step not in changes}')
        if taken:
            code.append(f'd = d | {{name: other[1][name] for name in {taken}}}')
        return Told(
            say,
            tuple(code),
            lambda state: state.defining(versions).changed({**state.changes, **changes}),
            lambda one: replace(one, lines={}, closed=(*one.closed, name)),
            names=tuple(taken),
            back=True,
        )

    def _wish(self, memory: Memory) -> Told:
        """Something that holds for answers until it is taken back, or such a thing taken back."""
        if memory.wishes and self.rng.random() < 0.5:
            wish = self.rng.choice(memory.wishes)
            told = refer(memory, wish.step, self.rng, self.indirect)
            return Told(
                lambda words: words.say('wish_over', step=told.say(words)),
                then=lambda one: replace(one, wishes=tuple(other for other in one.wishes if other != wish)),
            )
        figures = [
            name
            for name, one in memory.now.asked.items()
            if not one.counts and abs(memory.now.world.figure(name)) > 300
        ]
        if figures and self.rng.random() < 0.5:
            wish = Wish(self.step, figure=self.rng.choice(figures))
        else:
            role = self.rng.choice(('place', 'kind', 'way'))
            wish = Wish(self.step, role=role, value=self.rng.choice(self.domain.values[role]))
        if any((one.figure, one.role) == (wish.figure, wish.role) for one in memory.wishes):
            raise DoubtfulError
        noun = memory.now.versions[wish.figure].definition.noun if wish.figure else None

        def say(words: Words) -> str:
            if noun:
                return words.say('wish_figure', figure=noun(wish.figure, words))
            return words.say('wish_column', column=words.column(wish.role), value=wish.value)

        return Told(say, then=lambda one: replace(one, wishes=(*one.wishes, wish)))

    def _promise(self, memory: Memory) -> Told:
        when = self.rng.choice(('late', 'back'))
        name, number = one_of(self.rng, [*memory.now.all_of(Number).items()])
        if any(one.when == when or one.name == name for one in memory.promises):
            raise DoubtfulError
        new = drawing.another(number, self.rng)
        promise = Promise(when, name, new.value)
        return Told(
            lambda words: words.say(f'promise_{when}', noun=number.noun(name, words), value=new.written),
            then=lambda one: replace(one, promises=(*one.promises, promise)),
        )

    def _kept(self, memory: Memory, promise: Promise) -> Told:
        name = promise.name
        if name not in memory.now.versions:
            raise DoubtfulError
        number = next(state.all_of(Number)[name] for state in memory.history if name in state.versions)

        def then(one: Memory) -> Memory:
            return replace(one, promises=tuple(other for other in one.promises if other != promise))

        told = self._defining(lambda words: '', {name: Number(promise.value, number.share)})
        return replace(told, then=then, kept=True)


if missing := [kind for kind in get_args(Kind) if not hasattr(Teller, f'_{kind}')]:
    raise TypeError(f'Teller draws nothing of the kinds {missing}')
