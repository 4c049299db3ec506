"""A fund that is put into two of six indices by a rule: dates of its values, reviews, the rule, what a review costs."""

from datetime import date, timedelta

import numpy as np

INDICES = {'ALPEN': 'EUR', 'BOREAL': 'USD', 'CORAL': 'EUR', 'DELTA': 'JPY', 'EMBER': 'USD', 'FJORD': 'EUR'}
LEVELS = {'EUR': 1.0, 'USD': 1.1, 'JPY': 160.0}
BEFORE, WITHIN, AFTER = 130, 520, 90
"""Trading days before the fund began, with its values, and those on which its value is to be found."""


def make(rng, year, bound):
    days = _calendar(rng, year)
    trading = [index for index, (_, open_) in enumerate(days) if open_]
    while True:
        rates = {name: _walk(rng, len(days), 0.0, 0.005, level) for name, level in LEVELS.items() if name != 'EUR'}
        closes = _closes(rng, len(days), [open_ for _, open_ in days])
        euros = np.array([closes[name] / rates.get(INDICES[name], 1.0) for name in INDICES])[:, trading]
        rule = _Rule(rng)
        if rule.clear(euros):
            break
    true = rule.values(euros)
    noisy = true * (1 + np.clip(rng.normal(0, 0.0001, len(true)), -0.0003, 0.0003))
    shift = int(rng.choice([one for one in range(150, 350) if rule.moved(true, one)]))
    names = [f'{days[index][0]}' for index in trading]
    lines = ['day,value']
    for place in range(1, WITHIN):  # late at first, on the day itself from `shift` on
        lines.append(f'{names[BEFORE + place]},{noisy[place - 1 if place < shift else place]:.3f}')
    known = trading[BEFORE + WITHIN - 1] + 1
    files = {
        'markets.csv': _table(days, closes, 0, known),
        'markets_later.csv': _table(days, closes, known, trading[-1] + 1),
        'fx.csv': _rates(days, rates, trading[-1] + 1),
        'fund.csv': '\n'.join(lines) + '\n',
        'notes.txt': NOTES.format(currencies=', '.join(f'{name} in {currency}' for name, currency in INDICES.items())),
    }
    return files, {'values': [round(float(one), 3) for one in noisy[WITHIN:]]}


NOTES = """Notes on the fund and the markets

markets.csv has the closes of six indices, each in its currency: {currencies}. There is a row for every calendar day: where
the exchanges were closed, the vendor has filled in the close before. A trading day is a day on which no close was filled
in; on it all six indices have moved. The first day is one. markets_later.csv goes on where markets.csv ends.
fx.csv says how much of the currency one euro buys at the close of each day. It was saved with decimal commas and
semicolons, newest day first.
fund.csv has the value of a share of the fund in euros, always at the close of a trading day, with errors of about a
hundredth of a percent. At first the administrator dated a value with the trading day after the one at whose close it held. Since a
change of his programs he dates it with the day itself.
The fund is always wholly in two of the six indices, on the day of its first value by halves. The manager reviews it every
so many trading days, always the same number, at the close, and after a review one half of the value is in each of the two
indices that he wants. Then both are left alone until the next review. A fee is taken every trading day, always the same
percentage of the value. Each index that is exchanged for another at a review costs a percentage of the value of the share,
always the same one, which is missing in the value of the day of the review. Putting back the halves costs nothing.
"""


class _Rule:
    """Reviews every `every` days; the two indices of the highest return over `back` days in euros."""

    def __init__(self, rng):
        self.every = int(rng.integers(11, 20))
        self.first = int(rng.integers(6, self.every))
        self.back = int(rng.choice([*range(25, 55), *range(66, 95)]))
        self.fee = float(rng.uniform(0.012, 0.024)) / 252
        self.cost = float(rng.uniform(0.0025, 0.0045))

    def reviews(self):
        return range(BEFORE + self.first, BEFORE + WITHIN + AFTER, self.every)

    def clear(self, euros):
        """Whether no choice is close, and the fund's own time allows no other number of days back."""
        if any(_choice(euros, one, self.back)[1] < 0.003 for one in [BEFORE, *self.reviews()]):
            return False
        if (WITHIN - 1 - self.first) % self.every < 4:
            return False
        within = [one for one in self.reviews() if one < BEFORE + WITHIN - 1]
        chosen = [_choice(euros, one, self.back)[0] for one in within]
        changes = [place for place in range(1, len(within)) if chosen[place] != chosen[place - 1]]
        steps = np.diff(changes)
        if len(changes) < 10 or np.gcd.reduce(steps) != 1 or _choice(euros, BEFORE, self.back)[0] == chosen[0]:
            return False
        later = [_choice(euros, one, self.back)[0] for one in self.reviews() if one >= BEFORE + WITHIN]
        if len({chosen[-1], *later}) < 3:
            return False
        others = [back for back in range(10, 121) if back != self.back]
        return not any(all(_choice(euros, one, back)[0] == two for one, two in zip(within, chosen)) for back in others)

    def moved(self, values, place):
        """Whether the days around this one are told apart by the fund's moves, and no review is near."""
        near = any(abs(one - BEFORE - place) < 5 for one in self.reviews())
        return not near and abs(np.diff(np.log(values[place - 2 : place + 1]))).min() > 0.007

    def values(self, euros):
        held, units = None, None
        values, value = [], 100.0
        for day in range(BEFORE, euros.shape[1]):
            if held is not None:
                value = float(units @ euros[list(held), day]) * (1 - self.fee)
                units = units * (1 - self.fee)
            if day == BEFORE or day in self.reviews():
                wanted = _choice(euros, day, self.back)[0]
                if held is not None:
                    value *= 1 - self.cost * len(set(wanted) - set(held))
                held = wanted
                units = value / 2 / euros[list(held), day]
            values.append(value)
        return np.array(values)


def _choice(euros, day, back):
    """The two best indices, and by how much the second is ahead of the third."""
    gains = euros[:, day] / euros[:, day - back] - 1
    order = np.argsort(-gains)
    return tuple(sorted(int(one) for one in order[:2])), gains[order[1]] - gains[order[2]]


def _calendar(rng, year):
    days, day, open_ = [], date(year, 1, 4), 0
    day += timedelta(days=-day.weekday() % 7)  # a Monday
    while open_ < BEFORE + WITHIN + AFTER:
        trades = day.weekday() < 5 and (rng.random() > 0.03 or open_ == 0)
        days.append((day, trades))
        open_ += trades
        day += timedelta(days=1)
    return days


def _walk(rng, size, drift, spread, level):
    return np.round(level * np.exp(np.cumsum(rng.normal(drift, spread, size))), 4 if level < 10 else 2)


def _closes(rng, size, opened):
    common = rng.normal(0.0002, 0.006, size)
    closes = {}
    for name in INDICES:
        moves = common + rng.normal(0, 0.010, size)
        moves = np.where(opened, np.copysign(np.maximum(np.abs(moves), 1e-4), moves), 0)  # seen in two decimals
        moves[0] = 0
        closes[name] = np.round(float(rng.uniform(800, 4000)) * np.exp(np.cumsum(moves)), 2)
    return closes


def _table(days, closes, begin, end):
    lines = ['day,' + ','.join(INDICES)]
    for index in range(begin, end):
        lines.append(f'{days[index][0]},' + ','.join(f'{closes[name][index]:.2f}' for name in INDICES))
    return '\n'.join(lines) + '\n'


def _rates(days, rates, end):
    lines = ['day;' + ';'.join(rates)]
    for index in range(end - 1, -1, -1):
        row = ';'.join(f'{one[index]:.4f}' for one in rates.values())
        lines.append(f'{days[index][0]:%d.%m.%Y};' + row.replace('.', ','))
    return '\n'.join(lines) + '\n'
