"""Six loggers in a lake: clocks of their own, an outage, exchanged cables, two trains of waves, a slow probe."""

from datetime import datetime, timedelta

import numpy as np

DAYS = 18
PLACES = np.array([[0.3, 0.4], [4.6, 0.9], [2.3, 2.6], [0.8, 4.4], [4.9, 4.1], [3.2, 1.6]])
"""Of the loggers, in km to the east and to the north; the last one has the slow probe."""


def make(rng, start, every):
    begin = datetime.fromisoformat(start)
    names = [str(name) for name in rng.permutation(list('ABCDEF'))]
    places = np.round(PLACES + rng.uniform(-0.25, 0.25, PLACES.shape), 2)
    while True:
        bearing = rng.uniform(40, 320, 2)
        speed = np.array([rng.uniform(0.44, 0.6), rng.uniform(0.22, 0.3)])  # m/s: short waves, long waves
        if not 50 < abs(bearing[0] - bearing[1]) < 310:
            continue
        delay = [places @ _unit(b) / (3.6 * v) for b, v in zip(bearing, speed)]
        apart = np.abs(delay[0][:5, None] - delay[0][:5])
        apart[2], apart[:, 2] = 0, 0  # place 2 has the outage
        pairs = np.argwhere(np.triu((apart > 0.8) & (apart < 2.2)))
        if len(pairs) and np.ptp(delay[0][:5]) > 1.5 and np.sort(delay[0][:5])[1] - delay[0][:5].min() > 0.15:
            break
    pair = pairs[int(rng.integers(0, len(pairs)))]
    air = _Waves(rng, 2.0, 30, 90, 0.7)
    slow_air = _Waves(rng, 60, 200, 12, 5.0)
    trains = _Waves(rng, 2.0, 4.2, 60, 0.75), _Waves(rng, 7.0, 15, 40, 0.85)
    sun = _Waves(rng, 22.5, 25.5, 7, 0.6)

    def water(place, hours):
        """Temperature of the water at one of the places."""
        slow = 1.25 if place == 5 else 0.0
        waves = sum(train(hours - late[place], slow) for train, late in zip(trains, delay))
        return level + 0.02 * hours / 24 + waves + sun(hours, slow)

    level = float(rng.uniform(9, 13))
    count = DAYS * 1440 // every
    shift = np.array([102.0, 150.0]) + rng.uniform(-15, 15, 2) + np.array([0, rng.uniform(0, 30)])  # hours exchanged
    lost = 325 + float(rng.uniform(0, 12))  # hours until the slow probe is gone
    files = {}
    gaps = {int(place): int(rng.integers(9, 30)) for place in rng.choice(5, 2, replace=False)}
    signs = rng.permutation([-1, -1, -1, 1, 1, 1])
    for place, name in enumerate(names):
        rate = signs[place] * float(rng.uniform(25, 95)) / 86400
        first = float(rng.uniform(0.1, 2.5))
        shown = begin + timedelta(minutes=5 * round(12 * first + float(rng.uniform(-7, 7))))
        hours = first + np.arange(count) * every / 60 / (1 + rate)
        if place == 2:
            hours[int(count * rng.uniform(0.51, 0.62)) :] += float(rng.uniform(1.2, 2.6))
        pressure = 1011 + air(hours) + slow_air(hours) + float(rng.uniform(150, 900)) - 0.15 * hours / 24
        pressure += rng.normal(0, 0.01, count)
        temperature = water(place, hours)
        if place in pair:
            other = water(int(pair.sum()) - place, hours)
            temperature = np.where((hours > shift[0]) & (hours < shift[1]), other, temperature)
        temperature = temperature + rng.normal(0, 0.12 if place == 5 else 0.05, count)
        american = place in (1, 5)
        columns = [pressure / 10, temperature * 1.8 + 32] if american else [pressure, temperature]
        columns = [np.round(column, digits) for column, digits in zip(columns, (3, 2) if american else (2, 2))]
        if place in gaps:
            _fill(rng, columns, gaps[place])
        files[f'logger_{name}.csv'] = _written(columns, american, shown, every, hours < lost if place == 5 else None)
    times = np.arange(0, DAYS * 24 + 8, 0.25)
    shore = np.round(1011 - 12.5 + air(times) + slow_air(times) + rng.normal(0, 0.008, len(times)), 2)
    files['shore.csv'] = 'utc,hpa\n' + ''.join(
        f'{begin + timedelta(hours=float(hour)):%Y-%m-%d %H:%M},{value:.2f}\n' for hour, value in zip(times, shore)
    )
    order = np.argsort(names)
    files['places.csv'] = 'logger,east_km,north_km\n' + ''.join(
        f'{names[p]},{places[p, 0]:.2f},{places[p, 1]:.2f}\n' for p in order
    )
    files['notes.txt'] = NOTES.format(every=every, slow=names[5])
    minutes = np.sort(rng.choice(np.arange(round(60 * lost) + 120, 60 * (DAYS * 24 - 14)), 60, replace=False))
    files['wanted.csv'] = 'utc\n' + ''.join(f'{begin + timedelta(minutes=int(m)):%Y-%m-%d %H:%M}\n' for m in minutes)
    noise = rng.normal(0, 1, 60)
    noise -= noise.mean()
    noise *= 0.1 / np.abs(noise).mean()  # the truth itself is off by 0.1 in the mean
    return files, {'probe': [round(float(value), 3) for value in water(5, minutes / 60) + noise]}


NOTES = """Loggers in the lake

Each logger lies on the ground. It has a pressure gauge in its box and a temperature probe on a cable, and takes a
reading of both every {every} minutes by its own clock. 'begun' at the head of a file is what its clock showed at
reading 0. Nobody has set the clocks while the loggers lay in the lake. A clock runs evenly, a little too fast or too
slow. Without power it stands, no reading is taken, and once there is power again both go on as if nothing had been.
The pressure is that of the air, which is the same all over the lake and on the shore, and that of the water above the
box, which changes slowly with the level of the lake. The station on the shore (shore.csv) has a clock that is right.
A reading that a logger has lost in its memory is filled in by it: on a straight line, in both columns, from the last
reading before to the first one behind. What is filled in is no reading. Such gaps are at least 8 readings long.
A logger has its temperature from the probe that stands beside it, which sends it by sound. Each box hears all probes and
records the one to whose channel it is set. Channels were set by sound, too, whenever the loggers were asked how they are.
All probes are good and give the same in the same water. That of logger {slow} sits in a steel tube, which takes its time;
the others are bare.
places.csv: where the loggers lay, with their probes, in km to the east and to the north.
"""


class _Waves:
    """A sum of waves with random phases whose periods, in hours, lie between two bounds."""

    def __init__(self, rng, low, high, count, size):
        self.turn = 2 * np.pi * np.sort(rng.uniform(1 / high, 1 / low, count))
        self.phase = rng.uniform(0, 2 * np.pi, count)
        height = np.sqrt(rng.exponential(1, count) + 0.3)
        self.height = height * size / np.sqrt((height**2).sum() / 2)

    def __call__(self, hours, slow=0.0):
        """Values at some moments, seen through a response of the first order with a time constant in hours."""
        height = self.height / np.sqrt(1 + (self.turn * slow) ** 2)
        late = np.arctan(self.turn * slow)
        return np.cos(np.multiply.outer(np.asarray(hours, float), self.turn) + self.phase - late) @ height


def _unit(bearing):
    return np.array([np.sin(np.radians(bearing)), np.cos(np.radians(bearing))])


def _fill(rng, columns, many):
    """Put a straight line into both columns, so that nothing beside it could belong to it."""
    digits = [1000 if columns[0].mean() < 300 else 100, 100]
    while True:
        low = int(rng.integers(60, 170))
        high = low + many
        lines = [
            column[low - 1] + (column[high] - column[low - 1]) * np.arange(-1, many + 3) / (many + 1)
            for column in columns
        ]
        beside = [
            min(abs(column[low - 2] - line[0]), abs(column[high + 1] - line[-1]))
            for column, line in zip(columns, lines)
        ]
        if all(one * scale > 8 for one, scale in zip(beside, digits)):
            break
    for column, line, scale in zip(columns, lines, digits):
        column[low:high] = np.round(line[2:-2] * scale) / scale


def _written(columns, american, shown, every, kept):
    lines = [f'begun {shown:%Y-%m-%d %H:%M:%S}, every {every} min', 'reading;kPa;F' if american else 'reading;hPa;C']
    for number, (pressure, temperature) in enumerate(zip(*columns)):
        one = f'{pressure:.3f}' if american else f'{pressure:.2f}'
        two = f'{temperature:.2f}' if kept is None or kept[number] else ''
        lines.append(f'{number};{one};{two}')
    return '\n'.join(lines) + '\n'
