"""New definitions of a long session, drawn from a seed."""

from collections.abc import Iterable
from datetime import timedelta
from random import Random

from cibench_eval.sets.long.conditions import Among, AtLeast, Busy, Condition, Is, Since
from cibench_eval.sets.long.definitions import AskedFigure, Cap, Definition, Factor, Index, Number, RowValue, Term
from cibench_eval.sets.long.domains import FIRST_DAY, Domain
from cibench_eval.sets.long.memory import TableState
from cibench_eval.sets.long.words import CHINESE, DoubtfulError

LIMITS = {'size': (0.25, 0.75), 'pieces': (2, 9), 'value': (40, 400), 'cap': (150, 900)}
HOW = ('sum', 'sum', 'sum', 'mean', 'mean', 'greatest', 'count', 'people')


class Drawer:
    """Draws the definitions that a step tells, each before those that refer to it."""

    def __init__(self, state: TableState, domain: Domain, rng: Random, taken: Iterable[str]) -> None:
        self.state, self.domain, self.rng = state, domain, rng
        left = [name for name in CHINESE if name not in {*taken}]
        rng.shuffle(left)
        self._left = left
        self.told: dict[str, Definition] = {}

    def name(self, definition: Definition) -> str:
        if not self._left:
            raise DoubtfulError
        name = self._left.pop()
        self.told[name] = definition
        return name

    def known(self, kind: type[Definition]) -> list[str]:
        new = [name for name, one in self.told.items() if isinstance(one, kind)]
        return [*self.state.all_of(kind), *new]

    def rate(self) -> str:
        rates = [name for name, one in self.state.all_of(Number).items() if one.share]
        if rates and self.rng.random() < 0.5:
            return self.rng.choice(rates)
        return self.name(Number(self.rng.randrange(4, 61) / 200, share=True))

    def limit(self, of: str) -> str:
        low, high = LIMITS[of]
        if of == 'size':
            least, greatest = self.domain.size
            number = round(least + (greatest - least) * self.rng.uniform(low, high), 1)
        else:
            number = float(self.rng.randrange(int(low), int(high), 1 if of == 'pieces' else 10))
        return self.name(Number(number, share=False))

    def condition(self) -> Condition:
        rng, kind = self.rng, self.rng.choice(('among', 'among', 'limit', 'value', 'since', 'is', 'is', 'busy'))
        if kind == 'limit':
            role = rng.choice(('size', 'pieces'))
            return AtLeast(role, self.limit(role), column=True, holds=rng.random() < 0.6)
        if kind == 'value' and (values := self.known(RowValue)):
            return AtLeast(rng.choice(values), self.limit('value'), column=False, holds=rng.random() < 0.7)
        if kind == 'since':
            return Since((FIRST_DAY + timedelta(days=rng.randrange(40, 260))).isoformat(), rng.random() < 0.5)
        if kind == 'is' and (terms := self.known(Term)):
            return Is(rng.choice(terms), rng.random() < 0.6)
        if kind == 'busy':
            return Busy(rng.randrange(4, 9))
        role = rng.choice(('place', 'kind', 'way', 'status'))
        values = self.domain.values[role]
        inside = rng.random() < 0.65
        count = rng.randrange(2, len(values)) if inside else rng.randrange(1, len(values) - 1)
        return Among(role, tuple(sorted(rng.sample(values, count))), inside)

    def term(self) -> str:
        conditions: list[Condition] = []
        for _ in range(self.rng.choice((1, 2, 2))):
            new = self.condition()
            if not any(isinstance(new, type(one)) for one in conditions):
                conditions.append(new)
        return self.name(Term(tuple(conditions)))

    def change(self) -> Factor | Cap:
        if self.rng.random() < 0.25:
            return Cap(self.limit('cap'))
        terms = self.known(Term)
        term = self.rng.choice(terms) if terms and self.rng.random() < 0.6 else None
        return Factor(self.rate(), term, self.rng.choice((1, -1)))

    def base(self) -> str:
        values = self.known(RowValue)
        if values and self.rng.random() < 0.3:
            return self.rng.choice(values)
        return self.rng.choice(('price', 'price', 'cost', 'margin', 'size'))

    def value(self) -> str:
        changes = dict.fromkeys(self.change() for _ in range(self.rng.choice((0, 1, 1, 2))))
        return self.name(RowValue(self.base(), tuple(changes)))

    def figure(self) -> str:
        values, terms = self.known(RowValue), self.known(Term)
        value = self.value() if not values or self.rng.random() < 0.4 else self.rng.choice(values)
        term = self.term() if not terms or self.rng.random() < 0.5 else self.rng.choice(terms)
        return self.name(AskedFigure(self.rng.choice(HOW), value, term))


def new_definitions(state: TableState, domain: Domain, rng: Random, taken: Iterable[str]) -> dict[str, Definition]:
    """A new figure or index, after the definitions that it needs and that are not there."""
    drawer = Drawer(state, domain, rng, taken)
    figures = [name for name, one in state.all_of(AskedFigure).items() if one.how in ('sum', 'mean', 'greatest')]
    if len(figures) >= 2 and rng.random() < 0.3:
        left, right = rng.sample(figures, 2)
        drawer.name(Index(left, right, rng.random() < 0.6))
    else:
        drawer.figure()
    return drawer.told


def another(number: Number, rng: Random) -> Number:
    """A number of the same kind that is not the same."""
    if number.share:
        return Number(rng.choice([n / 200 for n in range(4, 61) if abs(n / 200 - number.value) > 0.02]), share=True)
    factor = rng.choice((0.5, 0.7, 0.8, 1.2, 1.3, 1.6))
    changed = round(number.value * factor, 1 if number.value % 1 else 0)
    return Number(changed if changed != number.value else number.value + 1, share=False)
