"""Seedlings in a chamber: light that acts for days, a late line among them, a lamp that fades, a cycle of its own."""

from datetime import date, timedelta

import numpy as np

DAYS, LATER, PLANTS = 80, 20, 36
EXACT = 0.3
"""Mean error of the growth to be predicted, in mm, for somebody who knows all but the noise."""


def make(rng, start, late, weak):
    begin = date.fromisoformat(start)
    count = DAYS + LATER
    plants = [f'P{number:02d}' for number in range(1, PLANTS + 1)]
    shelf = rng.permutation(np.repeat(list('QRST'), 9))
    slow = np.sort(rng.choice(PLANTS, int(rng.integers(6, 9)), replace=False))
    temperature, climate = _climate(rng, begin, count)
    warm = (temperature - temperature.mean()) / temperature.std()
    spread = rng.uniform(0, 1, (PLANTS, count)) ** 1.3 * 100
    dose = np.round(np.clip(spread + 9 * warm, 0, 110) * (rng.random((PLANTS, count)) > 0.12)).astype(int)
    while True:
        faded, since = str(rng.choice(list('QRST'))), int(rng.integers(30, 46))
        if dose[shelf == faded, since - 2 : since].sum(axis=0).min() > 380:
            break
    given = dose * np.where((shelf == faded)[:, None] & (np.arange(1, count + 1) >= since), weak / 100, 1.0)
    while True:
        one, two = (int(number) for number in rng.permutation(np.setdiff1d(np.arange(PLANTS), slow))[:2])
        moved = int(rng.integers(22, 55))
        unlike = np.abs(dose[one, moved - 2 : moved] - dose[two, moved - 2 : moved])
        if shelf[one] == shelf[two] and unlike.min() > 40 and abs(moved - since) > 3:
            break
    given[[one, two], moved - 1 :] = given[[two, one], moved - 1 :]
    keep = float(rng.uniform(0.45, 0.68))
    most, half = float(rng.uniform(6, 8)), float(rng.uniform(75, 115))
    acting = np.zeros((PLANTS, count))
    for day in range(count):
        acting[:, day] = given[:, day] + (keep * acting[:, day - 1] if day else 0)
    delayed = acting.copy()
    delayed[slow, late:], delayed[slow, :late] = acting[slow, :-late], 0
    own = rng.uniform(2.5, 4.5, PLANTS)
    period, height, phase = (
        float(rng.uniform(8.4, 12.6)),
        float(rng.uniform(0.7, 1.0)),
        float(rng.uniform(0, 2 * np.pi)),
    )
    common = float(rng.uniform(0.2, 0.32)) * (temperature - 20)
    common += height * np.sin(2 * np.pi * np.arange(1, count + 1) / period + phase)
    true = own[:, None] + most * delayed**2 / (half**2 + delayed**2) + common
    shown = true + rng.normal(0, 0.27, true.shape)
    places = rng.choice(PLANTS * LATER, 60, replace=False)
    rows = sorted((DAYS + int(place) // PLANTS, int(place) % PLANTS) for place in places)
    noise = rng.normal(0, 1, 60)
    noise *= EXACT / np.abs(noise).mean()
    labels = [round(float(true[plant, day] + one), 2) for (day, plant), one in zip(rows, noise)]
    files = {
        'growth.csv': _growth(rng, plants, dose[:, :DAYS], shown),
        'plants.csv': 'plant;shelf\n' + ''.join(f'{plant};{one}\n' for plant, one in zip(plants, shelf)),
        'climate.csv': climate,
        'plan.csv': 'day;plant;dose\n'
        + ''.join(
            f'{day + 1};{plant};{dose[n, day]}\n' for day in range(DAYS, count) for n, plant in enumerate(plants)
        ),
        'wanted.csv': 'day;plant\n' + ''.join(f'{day + 1};{plants[plant]}\n' for day, plant in rows),
        'notes.txt': NOTES.format(start=begin),
    }
    return files, {'growth': labels}


NOTES = """Seedlings in the chamber

Day 1 is {start:%d.%m.%Y}. A day begins at 08:00 and ends at 08:00 the next morning. The dose of light of a day is given at its
beginning; growth (mm) is what the seedling has grown in that day. A row that was sent more than once counts as it was
sent last ('sent' counts on). There was no light before day 1.
climate.csv: temperature of the chamber in tenths of a degree, every three hours, by the same clock. The reading of 08:00
is the first one of the new day. A day's temperature is the mean of its readings.
Dose as it acts: a(t) = d(t) + r a(t-1), with the dose d that the seedling has got on day t. Growth of a seedling on day t:
    own growth + M a^2 / (K^2 + a^2) + b (temperature - 20) + C(t)
r, M, K, b and C(t) are the same for all seedlings. C(t) comes from the chamber: it swings as a sine around 0, nobody knows
why; its period is not a whole number of days.
A few seedlings are of another line, and nobody has written down which. They do with a(t-n) what the others do with a(t),
n being a whole number of days. Which seedling stands on which shelf was drawn by lot.
The doses in growth.csv and plan.csv are those that were set for the place of a seedling, as its place was on day 1. A
seedling that stands elsewhere gets what is set there. A lamp that fades gives only a share of what was set.
plan.csv: the doses after the last day of growth.csv, set with the lamps as they were then.
"""


def _climate(rng, begin, count):
    """Mean temperatures of the days, and the readings: warmer at the end of the week, when nobody opens the door."""
    level, noise = [], 0.0
    for day in range(count):
        noise = 0.6 * noise + float(rng.normal(0, 0.7))
        level.append(21 + noise + 2.2 * np.cos(2 * np.pi * ((begin + timedelta(days=day)).weekday() - 5.5) / 7))
    means, lines = [], ['time;tenths']
    for day in range(count):
        swing = np.array([0.0, 1.2, 2.0, 1.6, 0.4, -1.2, -2.2, -1.8]) * float(rng.uniform(0.6, 1.4))
        readings = np.round(10 * (level[day] + swing + rng.normal(0, 0.3, 8))).astype(int)
        for place, reading in enumerate(readings):
            hour = 8 + 3 * place
            moment = begin + timedelta(days=day + (hour >= 24))
            lines.append(f'{moment:%d.%m.%Y} {hour % 24:02d}:00;{reading}')
        means.append(readings.mean() / 10)
    return np.array(means), '\n'.join(lines) + '\n'


def _growth(rng, plants, dose, shown):
    rows = []
    for day in range(dose.shape[1]):
        for n in rng.permutation(len(plants)):
            value = shown[n, day]
            rows.append([day, n, value])
            if rng.random() < 0.02:
                rows[-1][2] = value * float(rng.uniform(0.3, 0.8))  # sent before the day was over
                rows.append([day, n, value])
    lines = ['sent;day;plant;dose;growth']
    for sent, (day, n, value) in enumerate(rows, 1):
        lines.append(f'{sent};{day + 1};{plants[n]};{dose[n, day]};{value:.2f}'.replace('.', ','))
    order = [0, *(1 + rng.permutation(len(lines) - 1))]
    return '\n'.join(lines[n] for n in order) + '\n'
