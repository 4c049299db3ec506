"""What a manual and a ledger are about: goods with codes, places in leagues, traders with standings."""

from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import yaml

_ABOUT: dict[str, Any] = yaml.safe_load(Path(__file__).with_name('world.yaml').read_text(encoding='utf-8'))
CLASSES: dict[str, Any] = _ABOUT['classes']
"""Class -> treatments, kinds, and its name in each language. A code is class, treatment and number: `B2.07`."""
PLACES, LEAGUES, TRADERS, STANDINGS, CARRIERS = (
    tuple(_ABOUT[name]) for name in ('places', 'leagues', 'traders', 'standings', 'carriers')
)
YEAR = 2031
FIRST = date(YEAR, 1, 1)
NEVER = ''
"""In the place of a day: from the beginning, or without end."""


@dataclass(frozen=True)
class Membership:
    """A place in a league, or a trader in a standing; days in ISO 8601, both inclusive, empty where there is none."""

    of: str
    name: str
    since: str = NEVER
    until: str = NEVER


@dataclass(frozen=True)
class LedgerEntry:
    """A row of the ledger."""

    entry: int
    date: str
    trader: str
    goods: str
    place: str
    carrier: str
    kg: int
    value: int


@dataclass(frozen=True)
class RuleWorld:
    """What a session has besides its rules."""

    codes: dict[str, str]
    """Goods -> code."""
    leagues: list[Membership]
    standings: list[Membership]
    ledger: list[LedgerEntry]


def draw_world(rng: Random, entries: int) -> RuleWorld:
    """Draw codes, leagues, standings and a ledger of so many entries."""
    codes = {
        f'{treatment} {kind}': f'{letter}{group}.{number:02}'
        for letter, about in CLASSES.items()
        for group, treatment in enumerate(about['treatments'], 1)
        for number, kind in zip(rng.sample(range(1, 25), len(about['kinds'])), about['kinds'], strict=True)
    }
    places = rng.sample(PLACES, len(PLACES))
    leagues = [Membership(LEAGUES[number % 3], place) for number, place in enumerate(places[:11])]
    traders = rng.sample(TRADERS, len(TRADERS))
    standings = [Membership(STANDINGS[number % 3], trader) for number, trader in enumerate(traders[:9])]
    return RuleWorld(codes, _dated(leagues, 4, rng), _dated(standings, 4, rng), _ledger(codes, rng, entries))


def day(rng: Random, first: int = 60, last: int = 300) -> str:
    """A day of the year in ISO 8601, counted from its first."""
    return (FIRST + timedelta(days=rng.randint(first, last))).isoformat()


def _dated(members: list[Membership], number: int, rng: Random) -> list[Membership]:
    """Memberships, a `number` of which begin or end within the year."""
    changed = set(rng.sample(range(len(members)), number))
    return [
        Membership(one.of, one.name, *((day(rng), NEVER) if rng.random() < 0.5 else (NEVER, day(rng))))
        if place in changed
        else one
        for place, one in enumerate(members)
    ]


def _ledger(codes: dict[str, str], rng: Random, entries: int) -> list[LedgerEntry]:
    price = {goods: rng.uniform(0.6, 6.0) for goods in codes}
    often = rng.sample(sorted(codes), 60)
    made = []
    for number in range(entries):
        goods = rng.choice(often if rng.random() < 0.8 else sorted(codes))
        kg = round(rng.lognormvariate(5.9, 0.9)) + 5
        value = max(20, round(kg * price[goods] * rng.uniform(0.8, 1.25)))
        when, who, where = day(rng, 0, 364), rng.choice(TRADERS), rng.choice(PLACES)
        made.append(LedgerEntry(1001 + number, when, who, goods, where, rng.choice(CARRIERS), kg, value))
    return made
