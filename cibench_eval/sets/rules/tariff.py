"""Rules, what circulars make of them, and what an entry of the ledger is charged by them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from cibench_eval.sets.rules.world import CLASSES, LEAGUES, NEVER, LedgerEntry, Membership, RuleWorld

Kind = Literal['heavy', 'small', 'least', 'cap', 'rate', 'surcharge', 'relief']
"""`heavy`: from how many kg on goods are heavy; `small`: below which value there is no duty; `least`: what an entry is
charged at least; `cap`: how much of the value all surcharges of an entry may be."""
Per = Literal['value', 'kg', 'entry']
"""What an amount is of: per cent of the value, crowns a 100 kg, or crowns an entry."""


@dataclass(frozen=True)
class Rule:
    """A rule, or a version of one; it does not depend on a field that is empty."""

    kind: Kind
    number: str
    """The paragraph, `4.12`."""
    amount: float
    per: Per = 'value'
    goods: str = '*'
    """A pattern of codes: `*`, `B*`, `B2.*`, `B2.07`."""
    origin: str = ''
    """A place or a league."""
    carrier: str = ''
    standing: str = ''
    heavy: str = ''
    winter: str = ''
    but: str = ''
    """A place, a league or a pattern of codes that it does not hold for."""
    unless: str = ''
    """Another surcharge; where it is levied, this one is not."""
    since: str = NEVER
    until: str = NEVER
    ended: str = NEVER
    """The day from which on a circular has put an end to it."""
    by: str = ''
    """That circular."""
    circular: str = ''
    """The circular that has made it."""

    @cached_property
    def place(self) -> tuple[int, int]:
        """Chapter and paragraph as numbers."""
        chapter, paragraph = self.number.split('.')
        return int(chapter), int(paragraph)

    @property
    def is_basic(self) -> bool:
        """Whether it is the rate of a class, which every entry has where no other rate holds."""
        return self.kind == 'rate' and len(self.goods) == 2 and not self.origin

    @property
    def rank(self) -> tuple[int, int, tuple[int, int]]:
        """Decides between rates: the highest rank counts. It is by goods, then by origin, then by paragraph."""
        origin = 0 if not self.origin else 1 if self.origin in LEAGUES else 2
        return len(self.goods.rstrip('*').rstrip('.')), origin, self.place


@dataclass(frozen=True)
class Amendment:
    """What a circular does to a rule: `new` is the rule as it is from then on, None where it is repealed."""

    circular: str
    since: str
    number: str
    new: Rule | None


@dataclass(frozen=True)
class Charged:
    """What an entry is charged, in crowns."""

    entry: LedgerEntry
    paragraph: str
    """The paragraph of the rate that counted."""
    duty: float
    relief: float
    surcharge: float
    capped: bool
    charge: float


def versions(rules: Sequence[Rule], changes: Iterable[Amendment]) -> list[Rule]:
    """All versions of rules: as they were printed, and as circulars made them."""
    made = {rule.number: [rule] for rule in rules}
    for change in sorted(changes, key=lambda one: one.since):
        own = made[change.number]
        own[-1] = replace(own[-1], ended=change.since, by=change.circular)
        if change.new:
            own.append(replace(change.new, since=change.since, circular=change.circular))
    return [one for own in made.values() for one in own]


class Tariff:
    """Rules over a world, entry by entry."""

    def __init__(self, world: RuleWorld, rules: Iterable[Rule]) -> None:
        self._world = world
        self._of_class: dict[tuple[Kind, str], list[Rule]] = defaultdict(list)
        for rule in rules:
            for letter in CLASSES if rule.goods == '*' else rule.goods[0]:
                self._of_class[rule.kind, letter].append(rule)

    def charged(self, entry: LedgerEntry) -> Charged:
        rate = max(self._that_apply('rate', entry), key=lambda one: one.rank)
        duty = 0.0 if entry.value < self._amount('small', entry) else _of(rate, entry)
        relief = max((one.amount for one in self._that_apply('relief', entry)), default=0.0) / 100 * duty
        levied = self._that_apply('surcharge', entry)
        numbers = {one.number for one in levied}
        total = sum(_of(one, entry) for one in levied if one.unless not in numbers)
        cap = self._amount('cap', entry) / 100 * entry.value
        surcharge = min(total, cap)
        charge = max(duty - relief + surcharge, self._amount('least', entry))
        return Charged(entry, rate.number, duty, relief, surcharge, total > cap, charge)

    def all(self) -> list[Charged]:
        return [self.charged(entry) for entry in self._world.ledger]

    def _amount(self, kind: Kind, entry: LedgerEntry) -> float:
        (rule,) = self._that_apply(kind, entry)
        return rule.amount

    def _that_apply(self, kind: Kind, entry: LedgerEntry) -> list[Rule]:
        return [rule for rule in self._of_class[kind, self._world.codes[entry.goods][0]] if self._applies(rule, entry)]

    def _applies(self, rule: Rule, entry: LedgerEntry) -> bool:
        when = entry.date
        return (
            _fits(rule.goods, self._world.codes[entry.goods])
            and rule.since <= when
            and not (rule.until and when > rule.until)
            and not (rule.ended and when >= rule.ended)
            and (not rule.carrier or rule.carrier == entry.carrier)
            and (not rule.origin or self._is_from(rule.origin, entry))
            and (not rule.standing or _within(self._world.standings, rule.standing, entry.trader, when))
            and (not rule.winter or when[5:7] in ('12', '01', '02'))
            and (not rule.heavy or entry.kg >= self._amount('heavy', entry))
            and not (rule.but and self._is_excepted(rule.but, entry))
        )

    def _is_from(self, origin: str, entry: LedgerEntry) -> bool:
        return entry.place == origin or _within(self._world.leagues, origin, entry.place, entry.date)

    def _is_excepted(self, but: str, entry: LedgerEntry) -> bool:
        return _fits(but, self._world.codes[entry.goods]) if '.' in but else self._is_from(but, entry)


def _fits(pattern: str, code: str) -> bool:
    return code.startswith(pattern[:-1]) if pattern.endswith('*') else code == pattern


def _within(members: list[Membership], of: str, name: str, when: str) -> bool:
    return any(
        (one.of, one.name) == (of, name) and one.since <= when and not (one.until and when > one.until)
        for one in members
    )


def _of(rule: Rule, entry: LedgerEntry) -> float:
    """What a rule makes of an entry, in crowns."""
    return rule.amount * {'value': entry.value / 100, 'kg': entry.kg / 100, 'entry': 1.0}[rule.per]
