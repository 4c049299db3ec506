"""A long session: what each step tells and asks, the gold code, and what those answer who forget."""

import math
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Literal

from pydantic import Field

from cibench_eval.schema import CibenchError, Record
from cibench_eval.sets.long.asking import AsIn, Ask, Elsewhere, Mixed, Then, WhatIf, Without, refer
from cibench_eval.sets.long.definitions import Number, used
from cibench_eval.sets.long.domains import Domain, make_rows, table_file
from cibench_eval.sets.long.drawing import another
from cibench_eval.sets.long.memory import Memory, TableState, Wish
from cibench_eval.sets.long.telling import Kind, Teller, Told
from cibench_eval.sets.long.words import DoubtfulError, Words, one_of

ATTEMPTS = 400
"""Draws of a step before the session is given up: about one in three stands."""
TOLERANCE = 1e-4
"""The relative tolerance of numbers."""
SAME = 5e-4
"""Answers nearer to each other than this share of them are one answer."""
FORMS = ('whole', 'whole', 'whole', 'part', 'by', 'by', 'top', 'bars')
SEEN = 0.1
"""The least share by which one of some bars differs so that it is seen."""
FORGETFUL = {
    'unamended': 'takes no amendment in: every definition as it was first told',
    'onward': 'never goes back: what was taken back, or told on another line, still holds',
    'unkept': 'forgets promises, and wishes that hold until they are taken back',
    'newest': 'asked about another state, answers for the one of now',
    'last': 'answers with the last output',
}
"""The habits of naive answers, and what each overlooks."""


Asked = Literal['now', 'what_if', 'as_in', 'without', 'mixed', 'elsewhere']
"""Which state a question is about: the current one, or one that `asking.py` makes of it."""


class LongKnobs(Record):
    """What a session is like."""

    steps: int = Field(ge=10, le=200)
    rows: int = Field(ge=100)
    opening: int = Field(ge=3)
    """Steps with new definitions before anything changes."""
    told: list[int]
    """How many things a later step tells: one of these."""
    deep: int = Field(ge=1)
    """So many figures are drawn, and the one that leans on most steps is asked for."""
    indirect: float = Field(ge=0, le=1)
    """How often an earlier step is called by what happened in it, and not by its number."""
    kinds: dict[Kind, int]
    """What is told: kind -> weight."""
    asks: dict[Asked, int]
    """Which state a question is about: kind -> weight."""


@dataclass(frozen=True)
class LongStep:
    """A step without its outputs."""

    told: tuple[Told, ...]
    ask: Ask
    wording: int
    code: str
    answer: str
    """The declaration of its answer."""
    depends: tuple[int, ...]
    """The steps, counted from 1, that told what the answer is made of."""
    value: Any
    naive: dict[str, str]
    """Habit -> code that answers by it."""
    state: TableState

    def question(self, words: Words, number: int) -> str:
        """What the step tells and asks in a language."""
        said = [one.say(words) for one in self.told]
        asked = self.ask.say(words, self.state, self.wording)
        parts = [words.pick(f'Step {number}.', f'第 {number} 步。'), *said, asked]
        text = words.pick(' ', '').join(filter(None, parts))
        return text.replace(words.say('opening'), words.say('opening', self.wording))


@dataclass(frozen=True)
class LongSession:
    domain: Domain
    steps: list[LongStep]
    files: dict[str, str]


def draw_session(domain: Domain, knobs: LongKnobs, seed: str, folder: str) -> LongSession:
    """Draw a session; the same arguments give the same.

    Args:
        folder: the folder of its files, as its code names it.

    Raises:
        CibenchError: a step cannot be drawn.
    """
    rng = Random(f'{seed}/{domain.name}')
    loaded = make_rows(domain, rng, knobs.rows)
    state = TableState(loaded, {}, {})
    memory = Memory(now=state, onward=state, unkept=state, history=(state,), answer=len(loaded))
    steps: list[LongStep] = []
    for number in range(2, knobs.steps + 1):
        memory, step = _next(SessionDrawing(domain, knobs, rng, folder), memory, number)
        steps.append(step)
    files = {f'{folder}/{domain.file}': table_file(domain, loaded), **memory.files}
    return LongSession(domain, steps, files)


@dataclass(frozen=True)
class SessionDrawing:
    """What all steps of a session are drawn with."""

    domain: Domain
    knobs: LongKnobs
    rng: Random
    folder: str


def _next(drawing: SessionDrawing, memory: Memory, number: int) -> tuple[Memory, LongStep]:
    for attempt in range(ATTEMPTS):
        with suppress(DoubtfulError):
            return _drawn(drawing, memory, number, plain=attempt > ATTEMPTS // 2)
    raise CibenchError(
        f'a long session of {drawing.domain.rows["en"]}: step {number}: nothing to ask was found in {ATTEMPTS} draws;'
        ' take another seed, or let its level tell and ask more kinds of things'
    )


def _drawn(drawing: SessionDrawing, memory: Memory, number: int, *, plain: bool) -> tuple[Memory, LongStep]:
    """One draw of a step; with `plain`, a step in which forgetting does no harm is taken, too."""
    rng, knobs = drawing.rng, drawing.knobs
    teller = Teller(drawing.domain, rng, number, drawing.folder, knobs.indirect)
    told: list[Told] = []
    before = memory
    for kind in _kinds(knobs, rng, number):
        for one in teller.draw(kind, memory):
            told.append(one)
            memory = _after(memory, one)
    ask = _ask(drawing, memory, number, {name for one in told for name in one.names})
    value = ask.of(memory, memory.now, memory.wishes)
    if not _sound(value) or _same(value, before.answer) or (ask.form == 'bars' and _flat(value)):
        raise DoubtfulError
    naive = _forgetful(drawing, before, memory, told, ask, number, value)
    if ask.then and ask.form != 'gap' and not plain and 'newest' not in naive:
        raise DoubtfulError
    if not plain and number > knobs.opening + 1 and len(naive) < 2 and rng.random() < 0.7:
        raise DoubtfulError
    code = _code(told, number, ask, f'answer = {ask.code(drawing.domain, "now", memory.wishes)}')
    step = LongStep(
        tuple(told), ask, rng.randrange(6), code, ask.answer(memory.now, memory.wishes),
        _depends(memory, ask, number), value, naive, memory.now,
    )  # fmt: skip
    if _given_away(step.question(Words(drawing.domain, 'en'), number), value):
        raise DoubtfulError
    return replace(
        memory, history=(*memory.history, memory.now), answer=value, asked=(*memory.asked, (number, ask.name))
    ), step


def _kinds(knobs: LongKnobs, rng: Random, number: int) -> list[Kind]:
    """What a step tells: at most one way to another state, at first, and one change of the data; to save is last."""
    if number <= knobs.opening + 1:
        return ['new']
    count = rng.choice(knobs.told)
    drawn = dict.fromkeys(rng.choices([*knobs.kinds], [*knobs.kinds.values()], k=count))
    moving = ('back', 'branch', 'merge')
    data = ('change', 'late', 'fixes', 'undo')
    first = [kind for kind in drawn if kind in moving][:1]
    changing = [kind for kind in drawn if kind in data][:1]
    others = [kind for kind in drawn if kind not in (*moving, *data)]
    return [*first, *changing, *sorted(others, key='save'.__eq__)]


def _after(memory: Memory, told: Told) -> Memory:
    done = replace(
        memory,
        now=told.of(memory.now),
        onward=memory.onward if told.back else told.of(memory.onward),
        unkept=memory.unkept if told.kept else told.of(memory.unkept),
    )
    return told.then(done)


def _ask(drawing: SessionDrawing, memory: Memory, number: int, touched: set[str]) -> Ask:
    rng, domain, now = drawing.rng, drawing.domain, memory.now
    names = [*now.asked]
    reached = [name for name in names if touched & used([name], now.world.definitions)]
    if not names:
        raise DoubtfulError
    likely = reached if reached and rng.random() < 0.6 else names
    name = max(rng.choices(likely, k=drawing.knobs.deep), key=lambda one: len(now.sources([one])))
    if number <= drawing.knobs.opening + 1:
        return Ask(reached[-1], 'whole')
    if memory.wishes and rng.random() < 0.35:
        wish = rng.choice(memory.wishes)
        if wish.figure in names:
            return Ask(wish.figure, 'whole')
        if wish.role:
            return Ask(name, 'by', wish.role)
    then = _then(drawing, memory, number, name)
    counts = now.asked[name].counts
    if then and rng.random() < 0.3 and not isinstance(then, Mixed) and not any(w.figure == name for w in memory.wishes):
        return Ask(name, 'gap', then=then)
    form = rng.choice(FORMS)
    if form == 'top' and counts:
        form = 'by'
    role = rng.choice(('place', 'kind', 'way')) if form != 'whole' else ''
    if form == 'top':
        role = rng.choice(('place', 'kind'))
    value = rng.choice(domain.values[role]) if form == 'part' else ''
    return Ask(name, form, role, value, then)


def _then(drawing: SessionDrawing, memory: Memory, number: int, name: str) -> Then | None:
    """Another state to ask about, in which the figure is another."""
    rng, now = drawing.rng, memory.now
    asks = drawing.knobs.asks
    kind = rng.choices([*asks], [*asks.values()])[0]
    parts = [*used([name], now.world.definitions)]
    if kind == 'now':
        return None
    if kind == 'what_if':
        chosen, number_of = one_of(
            rng, sorted((name, one) for name, one in now.all_of(Number).items() if name in parts)
        )
        return WhatIf(chosen, another(number_of, rng))
    if kind == 'as_in':
        return _as_in(memory, sorted(parts), rng, drawing.knobs.indirect)
    earlier = [step for step in now.changes if step < number]
    if kind == 'without' and earlier:
        return Without(refer(memory, rng.choice(earlier), rng, drawing.knobs.indirect))
    if kind == 'mixed' and number > 4:
        step = refer(memory, rng.randrange(2, number - 1), rng, drawing.knobs.indirect)
        return Mixed(step, rng.random() < 0.5)
    if kind == 'elsewhere' and (memory.saved or memory.lines):
        places = ((memory.saved, False), (memory.lines, True))
        return rng.choice([Elsewhere(name, line) for names, line in places for name in names])
    raise DoubtfulError


def _as_in(memory: Memory, parts: list[str], rng: Random, indirect: float) -> Then:
    differing = [
        (name, step)
        for name in parts
        for step, state in enumerate(memory.history, 1)
        if name in state.versions and state.versions[name] != memory.now.versions[name]
    ]
    name, step = one_of(rng, differing)
    told = next(place for place, state in enumerate(memory.history, 1) if name in state.versions)
    first = memory.history[step - 1].versions[name] == memory.history[told - 1].versions[name]
    return AsIn(refer(memory, step, rng, indirect), name, first and rng.random() < 0.5)


def _depends(memory: Memory, ask: Ask, number: int) -> tuple[int, ...]:
    state = ask.then.of(memory, memory.now) if ask.then else memory.now
    found = state.sources([ask.name]) | (ask.then.sources(memory) if ask.then else set())
    if ask.form == 'gap':
        found |= memory.now.sources([ask.name])
    found |= {wish.step for wish in memory.wishes if wish.figure == ask.name or (wish.role and wish.role == ask.role)}
    return tuple(sorted({1} | {step for step in found if 0 < step < number}))


def _sound(value: Any) -> bool:
    """Whether an answer says something: a number that is there and not 0, names, or numbers that are not all one."""
    if isinstance(value, dict):
        return len({round(one, 9) for one in value.values()}) > 1 and all(map(math.isfinite, value.values()))
    return isinstance(value, list) or (math.isfinite(value) and abs(value) > 1e-9 and value != 1)


def _flat(value: dict[str, float]) -> bool:
    """Whether bars would look the same in any order."""
    size = max(map(abs, value.values()))
    return max(value.values()) - min(value.values()) < SEEN * size


def _given_away(question: str, value: Any) -> bool:
    """Whether an answer is a number that stands in its question."""
    return isinstance(value, int | float) and any(
        _same(value, float(one)) for one in re.findall(r'\d+\.?\d*', question)
    )


def _same(value: Any, other: Any, share: float = SAME) -> bool:
    if isinstance(value, dict) and isinstance(other, dict):
        return value.keys() == other.keys() and all(_same(value[name], other[name], share) for name in value)
    if isinstance(value, int | float) and isinstance(other, int | float):
        return math.isclose(value, other, rel_tol=share)
    return bool(value == other)


def _forgetful(
    drawing: SessionDrawing, before: Memory, memory: Memory, told: Sequence[Told], ask: Ask, number: int, value: Any
) -> dict[str, str]:
    """Habit -> code of what it answers, where that is wrong."""
    none: tuple[Wish, ...] = ()
    bases: dict[str, tuple[TableState, Sequence[Wish], bool]] = {
        'unamended': (memory.first, memory.wishes, True),
        'onward': (memory.onward, memory.wishes, True),
        'unkept': (memory.unkept, none, True),
        'newest': (memory.now, memory.wishes, False),
    }
    found = {}
    for habit, (state, wishes, then) in bases.items():
        try:
            answered = ask.of(memory, state, wishes, then)
        except (DoubtfulError, KeyError, ZeroDivisionError):
            continue
        if not _same(answered, value, SEEN if ask.form == 'bars' else SAME) and _sound(answered):
            seen = f'seen = {_seen(memory.now, state, number)}'
            answer = f'answer = {ask.code(drawing.domain, "seen", wishes, then)}'
            found[habit] = _code(told, number, ask, f'{seen}\n{answer}')
    if ask.form != 'bars':
        found['last'] = _code(told, number, ask, f'answer = {before.answer!r}')
    return found


def _seen(now: TableState, state: TableState, number: int) -> str:
    """Code for a state that somebody has in mind, from the one that is."""
    changes, definitions = 'now[0]', 'now[1]'
    if dict(state.changes) != dict(now.changes) or [*state.changes] != [*now.changes]:
        told = ', '.join(f'{step}: {_from(step, number)}[0][{step}]' for step in state.changes)
        changes = f'{{{told}}}'
    other = {name: one for name, one in state.versions.items() if now.versions.get(name) != one}
    if other:
        told = ', '.join(f'{name!r}: {_from(one.step, number)}[1][{name!r}]' for name, one in other.items())
        definitions = f'now[1] | {{{told}}}'
    return f'{changes}, {definitions}'


def _from(step: int, number: int) -> str:
    """Code for the state at the end of a step, which may be this one."""
    return 'now' if step == number else f'history[{step}]'


def _code(told: Sequence[Told], number: int, ask: Ask, answer: str) -> str:
    lines = [line for one in told for line in one.code]
    moved = f'now = history[{number}] = changes, d'
    lines = ['changes, d = now', *lines, moved] if lines else [f'history[{number}] = now']
    return '\n'.join([*lines, *(line for one in told for line in one.after), answer, ask.shown])
