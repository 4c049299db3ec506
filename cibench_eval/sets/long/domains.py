"""What long sessions are about: tables of three trades, filled from a seed."""

from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import yaml

from cibench_eval.rendering import as_csv
from cibench_eval.schema import Language

Row = dict[str, Any]
"""A row by the roles of its columns."""
ROLES = ('id', 'when', 'place', 'kind', 'way', 'who', 'pieces', 'price', 'cost', 'size', 'status')
FIRST_DAY = date(2024, 1, 1)
DAYS = 300
PEOPLE = [f'P{number:02}' for number in range(1, 61)]
"""The values of `who`."""
LATE_DAYS = (150, 300)
"""The days from which rows of late files are, after the first day."""


@dataclass(frozen=True)
class Domain:
    """A table: the names of its columns by their roles, the values of the columns of text, and the words of a row."""

    name: str
    columns: dict[str, str]
    values: dict[str, list[str]]
    row: dict[Language, str]
    rows: dict[Language, str]
    size: tuple[float, float]
    """The least and the greatest value of `size`."""

    @property
    def file(self) -> str:
        return f'{self.name}.csv'


def _domain(name: str, about: dict[str, Any]) -> Domain:
    columns = dict(zip(ROLES, about['columns'].split(), strict=True))
    values = {role: words.split() for role, words in about['values'].items()}
    return Domain(name, columns, values, about['row'], about['rows'], tuple(about['size']))


_ABOUT = yaml.safe_load(Path(__file__).with_name('domains.yaml').read_text(encoding='utf-8'))
DOMAINS = {name: _domain(name, about) for name, about in _ABOUT.items()}


def make_rows(domain: Domain, rng: Random, count: int, first: int = 1, days: tuple[int, int] = (0, DAYS)) -> list[Row]:
    """Rows of a table in the order of their days; the first has the id `first`."""
    dates = sorted(FIRST_DAY + timedelta(days=rng.randrange(*days)) for _ in range(count))
    return [_row(domain, rng, first + number, day) for number, day in enumerate(dates)]


def _row(domain: Domain, rng: Random, number: int, day: date) -> Row:
    kind = rng.choice(domain.values['kind'])
    usual = 12 + 9 * domain.values['kind'].index(kind)
    price = max(2.0, round(2 * rng.gauss(usual, usual / 5)) / 2)
    low, high = domain.size
    return {
        'id': number,
        'when': day.isoformat(),
        'place': rng.choice(domain.values['place']),
        'kind': kind,
        'way': rng.choice(domain.values['way']),
        'who': rng.choice(PEOPLE),
        'pieces': 1 + min(19, int(rng.expovariate(1 / 4))),
        'price': price,
        'cost': round(price * rng.uniform(0.35, 0.85), 2),
        'size': round(rng.uniform(low, high), 1),
        'status': rng.choices(domain.values['status'], (2, 3, 7))[0],
    }


def table_file(domain: Domain, rows: list[Row], roles: tuple[str, ...] | None = None) -> str:
    """The CSV file of some rows, with all columns or the columns of some roles."""
    shown = {role: name for role, name in domain.columns.items() if roles is None or role in roles}
    return as_csv([shown.values(), *([row[role] for role in shown] for row in rows)])
