"""What a manual and a ledger are about: goods with codes, places in leagues, traders with standings."""

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from cibench_eval.schema import Language

CLASSES = {
    'A': (('whole', 'milled', 'malted'), ('barley', 'wheat', 'oats', 'rye', 'maize', 'millet', 'rice', 'spelt')),
    'B': (('fresh', 'salted', 'smoked'), ('cod', 'herring', 'eel', 'salmon', 'sprat', 'pike', 'sole', 'carp')),
    'C': (('raw', 'rolled', 'cast'), ('iron', 'copper', 'tin', 'lead', 'zinc', 'brass', 'bronze', 'nickel')),
    'D': (('combed', 'spun', 'dyed'), ('wool', 'flax', 'hemp', 'silk', 'cotton', 'jute', 'ramie', 'mohair')),
    'E': (('round', 'sawn', 'planed'), ('oak', 'pine', 'ash', 'elm', 'beech', 'larch', 'birch', 'walnut')),
    'F': (('plain', 'glazed', 'painted'), ('jugs', 'bowls', 'tiles', 'plates', 'vases', 'mugs', 'pots', 'flasks')),
}
"""Class -> treatments, the groups of the class, and kinds. A code is class, group and number: `B2.07`."""
CLASS_NAMES: dict[Language, dict[str, str]] = {
    'en': {'A': 'grain', 'B': 'fish', 'C': 'metals', 'D': 'fibres', 'E': 'timber', 'F': 'pottery'},
    'cn': {'A': '谷物', 'B': '鱼类', 'C': '金属', 'D': '纤维', 'E': '木材', 'F': '陶器'},
}
PLACES = (
    *('Arnsby', 'Brockness', 'Calder', 'Dunmouth', 'Elverum', 'Fallow', 'Garth', 'Holmsea'),
    *('Ivelmoor', 'Kelsand', 'Lund', 'Marrick', 'Norvik', 'Ostrand'),
)
LEAGUES = ('Inner League', 'Salt Road', 'Seven Towns')
TRADERS = (
    *('Abbot', 'Birch', 'Crane', 'Drake', 'Eddy', 'Finch', 'Gale', 'Heron'),
    *('Iver', 'Joss', 'Kemp', 'Lark', 'Moss', 'Nash', 'Orme', 'Pike'),
)
STANDINGS = ('guild', 'cooperative', 'charity')
CARRIERS = ('ship', 'barge', 'rail', 'road')
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
        for letter, (treatments, kinds) in CLASSES.items()
        for group, treatment in enumerate(treatments, 1)
        for number, kind in zip(rng.sample(range(1, 25), len(kinds)), kinds, strict=True)
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
