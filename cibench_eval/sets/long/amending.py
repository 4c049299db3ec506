"""Amendments: a definition is changed in one part, and the words say that part alone."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from cibench_eval.sets.long.conditions import Among
from cibench_eval.sets.long.definitions import WAYS, AskedFigure, Definition, Index, Number, RowValue, Term, used
from cibench_eval.sets.long.domains import Domain
from cibench_eval.sets.long.drawing import Drawer, another
from cibench_eval.sets.long.memory import TableState
from cibench_eval.sets.long.words import DoubtfulError, Words, a, one_of

Amendment = tuple[Definition, Callable[[Words], str]]


def amended(state: TableState, name: str, domain: Domain, rng: Random) -> Amendment:
    """Another definition of a name, and how it is told; a `DoubtfulError` where none can be drawn."""
    definition = state.versions[name].definition
    if isinstance(definition, Number):
        return _number(name, definition, rng)
    if isinstance(definition, Term):
        return _term(name, definition, Older(state, name, domain, rng))
    if isinstance(definition, RowValue):
        return _value(name, definition, Older(state, name, domain, rng))
    if isinstance(definition, AskedFigure):
        return _figure(name, definition, Older(state, name, domain, rng))
    return _index(name, definition, state, rng)


class Older(Drawer):
    """Draws parts of a definition that refer only to what does not refer to it, and to no new name."""

    def __init__(self, state: TableState, name: str, domain: Domain, rng: Random) -> None:
        super().__init__(state, domain, rng, ())
        definitions = {one: version.definition for one, version in state.versions.items()}
        self._free = [one for one in definitions if name not in used([one], definitions)]

    def name(self, definition: Definition) -> str:
        """A name that is there, in place of a new one."""
        assert isinstance(definition, Number)
        numbers = [
            name
            for name, one in self.state.all_of(Number).items()
            if name in self._free
            and one.share == definition.share
            and (one.share or 0.5 < one.value / definition.value < 2)
        ]
        return one_of(self.rng, numbers)

    def known(self, kind: type[Definition]) -> list[str]:
        return [one for one in super().known(kind) if one in self._free]

    def other(self, kind: type[Definition], but: str | None) -> str:
        return one_of(self.rng, [one for one in self.known(kind) if one != but])


def _number(name: str, number: Number, rng: Random) -> Amendment:
    noun = number.noun
    kind = rng.choice(('new', 'by', 'by', 'times'))
    if kind == 'times':
        factor = rng.choice((0.5, 2))
        times = 'number_twice' if factor == 2 else 'number_half'
        return Number(number.value * factor, number.share), lambda words: words.say(times, noun=noun(name, words))
    if kind == 'by':
        by = rng.choice((0.01, 0.015, 0.02, -0.01, -0.015)) if number.share else rng.choice((1, 2, -1, 3))
        if not number.share and number.value > 30:
            by *= 20
        value = round(number.value + by, 10)
        if value <= 0:
            raise DoubtfulError
        amount = f'{abs(100 * by):.10g}' if number.share else f'{abs(by)}'
        unit = 'number' if not number.share else 'percentage_point' if amount == '1' else 'percentage_points'
        direction = 'number_up' if by > 0 else 'number_down'
        return Number(value, number.share), lambda words: words.say(
            direction, noun=noun(name, words).capitalize(), by=words.say(unit, by=amount)
        )
    new = another(number, rng)
    return new, lambda words: words.say('number_new', noun=noun(name, words), value=new.written)


def _term(name: str, term: Term, drawer: Older) -> Amendment:
    rng = drawer.rng
    sets = [place for place, one in enumerate(term.conditions) if isinstance(one, Among)]
    if sets and rng.random() < 0.5:
        return _among(name, term, rng.choice(sets), drawer)
    if len(term.conditions) > 1 and rng.random() < 0.4:
        gone = rng.choice(term.conditions)
        left = tuple(one for one in term.conditions if one != gone)
        return Term(left), lambda words: words.say('term_less', name=words.name(name), condition=gone.say(words))
    new = drawer.condition()
    if any(isinstance(new, type(one)) for one in term.conditions):
        raise DoubtfulError
    return Term((*term.conditions, new)), lambda words: words.say(
        'term_more', name=words.name(name), a_name=a(name), condition=new.say(words)
    )


def _among(name: str, term: Term, place: int, drawer: Older) -> Amendment:
    """Add a value to the values of a condition, or remove one."""
    rng, among = drawer.rng, term.conditions[place]
    assert isinstance(among, Among)
    others = [one for one in drawer.domain.values[among.role] if one not in among.values]
    adds = rng.random() < 0.5
    if (adds and len(others) < 2) or (not adds and len(among.values) < 2):
        raise DoubtfulError
    value = rng.choice(others if adds else among.values)
    values = sorted({*among.values, value} if adds else {*among.values} - {value})
    conditions = [*term.conditions]
    conditions[place] = replace(among, values=tuple(values))
    may = 'may_also' if adds == among.inside else 'may_no_longer'
    return Term(tuple(conditions)), lambda words: words.say(
        may, name=words.name(name), a_name=a(name), column=words.column(among.role), value=value
    )


def _value(name: str, value: RowValue, drawer: Older) -> Amendment:
    rng = drawer.rng
    kind = rng.choice(('base', 'more', 'less'))
    if kind == 'base':
        new = replace(value, base=drawer.base())
        if new == value:
            raise DoubtfulError
        return new, lambda words: words.say('value_base', name=words.name(name), start=new.start(words))
    if kind == 'less':
        if not value.changes:
            raise DoubtfulError
        gone = rng.choice(value.changes)
        left = tuple(one for one in value.changes if one != gone)
        return replace(value, changes=left), lambda words: words.say(
            'value_less', name=words.name(name), change=gone.say(words)
        )
    more = drawer.change()
    if more in value.changes or len(value.changes) > 2:
        raise DoubtfulError
    return replace(value, changes=(*value.changes, more)), lambda words: words.say(
        'value_more', name=words.name(name), change=more.say(words)
    )


def _figure(name: str, figure: AskedFigure, drawer: Older) -> Amendment:
    rng = drawer.rng
    if figure.counts or rng.random() < 0.4:
        new = replace(figure, term=drawer.other(Term, figure.term))
        return new, lambda words: words.say('figure_rows', name=words.name(name), those=new.rows(words))
    if rng.random() < 0.5:
        other = drawer.other(RowValue, figure.value)
        return replace(figure, value=other), lambda words: words.say(
            'figure_values', name=words.name(name), other=words.name(other)
        )
    how = rng.choice([one for one in WAYS if one not in (figure.how, 'count', 'people')])
    return replace(figure, how=how), lambda words: words.say('figure_how', name=words.name(name), how=words.say(how))


def _index(name: str, index: Index, state: TableState, rng: Random) -> Amendment:
    other = one_of(rng, [one for one in state.all_of(AskedFigure) if one not in (index.left, index.right)])
    return replace(index, right=other), lambda words: words.say(
        'index', name=words.name(name), other=words.name(other), gone=words.name(index.right)
    )
