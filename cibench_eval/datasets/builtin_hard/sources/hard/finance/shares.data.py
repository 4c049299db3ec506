"""Closes of ten stocks as a vendor sells them: splits, dividends, holidays, days without trade, two that came to an end."""

from datetime import date, timedelta

import numpy as np

NAMES = ('ALDER', 'BIRCH', 'CEDAR', 'ELDER', 'HAZEL', 'LARCH', 'MAPLE', 'OSIER', 'ROWAN', 'YEW')
DAYS = 420
PREDICTED = 20


def make(rng, year, split, listed, bound):
    for _ in range(2000):
        files, held_out, fine = _world(rng, year, split, listed, bound)
        if fine:
            return files, held_out
    raise ValueError('no clear world for these parameters')


def _world(rng, year, split, listed, bound):
    names = [str(name) for name in rng.permutation(NAMES)]
    twin, other, rising, second, broke, bought, crashed, missing, reverse, late = range(10)
    days = _weekdays(year)
    returns = _returns(rng, twin, other, rising, second, broke)
    returns[int(rng.integers(100, 330)), crashed] = np.log(float(rng.uniform(0.57, 0.63)))
    gone = int(rng.integers(300, 335))
    returns[gone - 45 : gone, broke] += -0.035 + rng.normal(0, 0.03, 45)
    ends = {broke: (int(rng.integers(350, 375)), gone), bought: (int(rng.integers(245, 275)), int(rng.integers(225, 240)))}
    splits = {
        missing: (int(rng.integers(120, 300)), split),
        crashed: (int(rng.integers(50, 90)), 2),
        late: (DAYS - PREDICTED + int(rng.integers(4, 8)), listed),
        reverse: (int(rng.integers(120, 300)), 0.1),
    }
    returns[splits[missing][0], missing] = float(rng.uniform(-0.008, 0.008))
    real = np.exp(np.cumsum(returns, axis=0)) * rng.uniform(20, 60, 10)  # as if there had been no split before the end
    factors = np.ones((DAYS, 10))
    for number, (at, ratio) in splits.items():
        factors[:at, number] = ratio
    close = real * factors * np.where(np.arange(10) == late, 6, 1) * np.where(np.arange(10) == reverse, 4, 1)
    close = np.round(close, 2)
    pence = twin
    idle = _idle(rng, splits, ends)
    dividends = _dividends(rng, close, splits, ends, idle)
    payouts = {broke: round(float(close[gone, broke]) * 0.3, 2)}
    payouts[bought] = round(float(close[ends[bought][1], bought]) * float(rng.uniform(1.04, 1.09)), 2)
    actions = [(days[at], names[number], 'dividend', f'{paid:.2f}') for number, at, paid in dividends]
    actions += [
        (days[at], names[number], 'split', str(ratio)) for number, (at, ratio) in splits.items() if number != missing
    ]
    actions += [(days[ends[number][0]], names[number], 'paid out', f'{paid:.2f}') for number, paid in payouts.items()]
    weights = {twin: 0.25, missing: 0.3, late: 0.3, rising: 0.15}
    start = {number: close[0, number] / factors[0, number] for number in range(10)}
    value = 8 + sum(92 * weight * close[:, n] / factors[:, n] / start[n] for n, weight in weights.items())
    value = np.round(value * (1 + rng.normal(0, 0.001, DAYS)), 2)
    known = DAYS - PREDICTED
    files = {
        'prices.csv': _prices(rng, days, names, close, idle, ends, pence),
        'actions.csv': 'day,stock,what,value\n' + ''.join(','.join(map(str, row)) + '\n' for row in sorted(actions)),
        'notes.txt': NOTES.format(pence=names[pence]),
        'fund.csv': 'day,value\n'
        + ''.join(f'{day},{value[row]:.2f}\n' if row < known else f'{day},\n' for row, day in enumerate(days)),
    }
    fine = np.abs(value[known:] - value[known - 1]).mean() > 2.5 * bound
    adjusted = close / factors
    fine = fine and _clear(adjusted, close, dividends, factors, payouts, ends, (twin, other))
    return files, {'values': [float(one) for one in value[known:]]}, fine


def _weekdays(year):
    """The days on which there was trade; the weekdays that are missing are holidays."""
    day, days, shut = date(year, 1, 2), [], {(4, 18), (5, 1), (8, 28), (12, 25), (12, 26), (1, 1)}
    while len(days) < DAYS:
        if day.weekday() < 5 and (day.month, day.day) not in shut:
            days.append(day)
        day += timedelta(days=1)
    return days


def _returns(rng, twin, other, rising, second, broke):
    market = rng.normal(0.0006, 0.006, DAYS)
    spread = np.array([0.008, 0.008, 0.007, 0.007, 0.019, 0.008, 0.011, 0.012, 0.014, 0.010]) * rng.uniform(0.95, 1.1, 10)
    returns = market[:, None] + rng.normal(0, 1, (DAYS, 10)) * spread
    shared = rng.normal(0, 0.014, DAYS)
    returns[:, twin] += shared + 0.0008
    returns[:, other] += shared - 0.0016
    returns[:, rising] += 0.0016
    returns[:, second] += 0.0018
    returns[0] = 0
    return returns


def _idle(rng, splits, ends):
    """Days without trade of single stocks, away from splits and the last closes."""
    idle = set()
    for number in range(10):
        for row in rng.choice(np.arange(5, DAYS - PREDICTED - 5), 5, replace=False):
            near = [at for at, _ in [splits[number]]] if number in splits else []
            near += [ends[number][1]] if number in ends else []
            if all(abs(int(row) - at) > 3 for at in near):
                idle.add((int(row), number))
    return idle


def _dividends(rng, close, splits, ends, idle):
    rows = []
    for number in range(10):
        at = int(rng.integers(20, 60))
        while at < (ends[number][1] - 30 if number in ends else DAYS - PREDICTED):
            taken = {(at + near, number) for near in (-1, 0, 1)} & idle
            if not taken and not (number in splits and abs(at - splits[number][0]) < 4):
                rows.append((number, at, round(float(close[at, number]) * float(rng.uniform(0.008, 0.016)), 2)))
            at += 63
    return rows


def _prices(rng, days, names, close, idle, ends, pence):
    order = [names.index(name) for name in sorted(names)]
    lines, trading = ['day,' + ','.join(sorted(names))], dict(zip(days, range(len(days)), strict=True))
    day, last = days[0], ''
    while day <= days[-1]:
        if day.weekday() < 5:
            if day in trading:
                row = trading[day]
                last = ','.join(_shown(close, row, number, idle, ends, pence) for number in order)
            lines.append(f'{day},{last}')
        day += timedelta(days=1)
    return '\n'.join(lines) + '\n'


def _shown(close, row, number, idle, ends, pence):
    if number in ends and row > ends[number][1]:
        return ''
    if (row, number) in idle:
        return '0'
    return f'{close[row, number] * 100:.0f}' if number == pence else f'{close[row, number]:.2f}'


def _clear(adjusted, close, dividends, factors, payouts, ends, pair):
    """Answers are far from those of the next best, and the shortcuts lead elsewhere."""
    growth = np.ones((DAYS, 10))
    growth[1:] = adjusted[1:] / adjusted[:-1]
    for number, at, paid in dividends:
        growth[at, number] += paid / factors[at, number] / adjusted[at - 1, number]
    for number, (paid_on, last) in ends.items():
        growth[last + 1 :, number] = 1
        growth[paid_on, number] = payouts[number] / close[last, number]
    wealth = growth.cumprod(axis=0)
    fund = wealth.mean(axis=1)
    if fund.argmax() < fund.argmin() or fund[-1] < 1.05:
        return False
    daily = np.log(adjusted[1:] / adjusted[:-1])
    spans = [ends[number][1] if number in ends else DAYS - 1 for number in range(10)]
    spread = sorted(np.log(growth[1 : span + 1, number]).std() for number, span in enumerate(spans))[-4:]
    if any(high < 1.06 * low for low, high in zip(spread, spread[1:], strict=False)):
        return False
    together, levels = {}, {}
    for one in range(10):
        for two in range(one):
            span = min(spans[one], spans[two])
            together[two, one] = np.corrcoef(daily[:span, one], daily[:span, two])[0, 1]
            levels[two, one] = np.corrcoef(adjusted[: span + 1, one], adjusted[: span + 1, two])[0, 1]
    ranked = sorted(together.values())
    best = sorted(levels.values())
    falls = (adjusted[:-1] / adjusted[1:]).max()
    return (
        max(together, key=together.get) == pair
        and ranked[-1] > ranked[-2] + 0.1
        and max(levels, key=levels.get) != pair
        and best[-1] > best[-2] + 0.003
        and falls < 1.85
    )


NOTES = """Closes of ten stocks, in pounds; {pence} is quoted in pence. What the vendor says of its files:

prices.csv: closes as they were paid on the day, never changed afterwards. There is a row for each weekday; on a holiday
of the exchange it repeats the row before. 0: the exchange was open, and the stock was not traded. Nothing: the stock is
no longer listed.
actions.csv, in pounds for every share of that time:
  split     value is the number of new shares for one old share; day is the first day at the new price.
  dividend  paid to whoever held the share at the close before day.
  paid out  the stock had ended before; on day each holder got value for a share. Until then we take a share for worth
            its last close. Who has been paid keeps the money and earns nothing with it.
fund.csv: the value of a share of a fund on the days of trade. The fund has held the same stocks and the same cash all
the time. It has never bought or sold anything, and hands on the dividends that it gets.
"""
