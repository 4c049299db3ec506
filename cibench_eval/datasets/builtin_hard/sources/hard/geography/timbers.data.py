"""Ring widths of old timbers: no dates, some written from the bark inwards, rings that lack or are split, few known years."""

import numpy as np

LABORATORIES = 'ABCDE'
SPECIES = ('oak', 'pine')
SPAN = 250
"""Years of all timbers together."""
COMMON, SHARED, OWN = 0.3, 0.22, 0.19
"""Correlation of the two species, and what year and tree do to a width, in logarithms."""
EDGE = 16
"""Rings at either end among which none lacks and none is split."""


def make(rng, timbers, first, known, bound):
    weather = _weather(rng)
    inwards = set(rng.choice(list(LABORATORIES), 2, replace=False).tolist())
    fine = str(rng.choice(list(LABORATORIES)))
    ends = np.linspace(72, SPAN - 4, timbers).astype(int)
    ends[np.abs(ends - (SPAN - known)) < 4] += 8
    rows, listed, dates = [], [], []
    for number, end in enumerate(rng.permutation(ends), start=1):
        species, laboratory = SPECIES[int(rng.random() < 0.4)], LABORATORIES[int(rng.integers(0, 5))]
        length = min(int(rng.integers(66, 125)), int(end) + 1)
        widths = _with_slips(rng, _grown(rng, weather[species][end - length + 1 : end + 1]))
        if laboratory in inwards:
            widths = widths[::-1]
        unit = 1000 if laboratory == fine else 100
        name = f'{laboratory}{number:02d}'
        listed.append((name, species))
        rows += [(name, place, max(round(width * unit), 1)) for place, width in enumerate(widths, start=1)]
        dates.append(str(first + int(end)))
    files = {
        'notes.txt': NOTES.format(first=first, since=first + SPAN - known),
        'timbers.csv': _csv('timber,species', listed),
        'widths.csv': _csv('timber,place,width', rows),
        'chronology.csv': _csv('year,oak,pine', _chronology(rng, weather, first, known)),
    }
    return files, {'dates': dates}


NOTES = """Notes on the timbers

timbers.csv lists timbers from old houses of a valley, each a piece of one tree, with the laboratory that measured it as the
first letter. widths.csv has the widths of the rings of each timber as its laboratory wrote them down, one after the other, in
hundredths or in thousandths of a millimetre, each laboratory always in the same way.
chronology.csv says how well the oaks and the pines of the valley grew in each year since {since}, 1 is a normal year. It
comes from living trees. All the timbers grew in the valley, and none of their rings is older than {first}.
"""


def _weather(rng):
    """How good each year was for each species."""
    both, *own = (_series(rng, SPAN, 0.25) for _ in range(3))
    return {name: COMMON**0.5 * both + (1 - COMMON) ** 0.5 * one for name, one in zip(SPECIES, own)}


def _grown(rng, years):
    """The widths of a tree's rings in mm: it grows less as it ages, and has years of light and of shade."""
    count = len(years)
    age = np.arange(count) + int(rng.integers(5, 60))
    level = np.log(0.5 + 1.6 * np.exp(-age / rng.uniform(15, 60)))
    for _ in range(int(rng.integers(0, 3))):
        begin, length = int(rng.integers(0, count)), int(rng.integers(6, 20))
        level[begin : begin + length] += rng.choice([-1, 1]) * rng.uniform(0.3, 0.7)
    return np.exp(level + SHARED * years + OWN * _series(rng, count, 0.45)).tolist()


def _with_slips(rng, widths):
    """In two of five timbers a narrow ring lacks, or one is split into two."""
    for _ in range(int(rng.choice(3, p=(0.6, 0.33, 0.07)))):
        at = int(rng.integers(EDGE, len(widths) - EDGE))
        if rng.random() < 0.6:
            near = widths[at - 5 : at + 6]
            widths.pop(at - 5 + near.index(min(near)))
        else:
            part = rng.uniform(0.35, 0.65)
            widths[at : at + 1] = [widths[at] * part, widths[at] * (1 - part)]
    return widths


def _chronology(rng, weather, first, known):
    years = range(SPAN - known, SPAN)
    grown = {name: 1 + 0.2 * (0.9 * weather[name] + 0.44 * rng.normal(size=SPAN)) for name in SPECIES}
    return [(first + year, *(f'{grown[name][year]:.3f}' for name in SPECIES)) for year in years]


def _series(rng, count, memory):
    """A series with unit variance, whose values remember the one before."""
    values = rng.normal(size=count + 50)
    for at in range(1, len(values)):
        values[at] = memory * values[at - 1] + (1 - memory**2) ** 0.5 * values[at]
    return values[50:]


def _csv(head, rows):
    return '\n'.join([head, *(','.join(map(str, row)) for row in rows)]) + '\n'
