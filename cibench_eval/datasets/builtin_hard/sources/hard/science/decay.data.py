"""Counts of an irradiated foil: background, two sources for the dead time, the series of the decay, swipes of a bench."""

from datetime import datetime, timedelta

import numpy as np

ROOM = 12.0
"""Background, counts a second."""


def make(rng, form, half, tau, efficiency):
    irradiated = datetime(2025, 6, 18, int(rng.integers(13, 16)), int(rng.integers(0, 60)), 0)  # local time
    dead = tau * 1e-6
    room = ROOM * float(rng.uniform(0.9, 1.15))
    strength = float(rng.uniform(5200, 6200))

    def net(minute):
        rest = 0.05 * strength * (1 if form == 'constant' else 0.5 ** (minute / (6.5 * half)))
        return strength * 0.5 ** (minute / half) + rest

    def counted(rate, seconds):
        return int(rng.poisson(rate / (1 + rate * dead) * seconds))

    series, lost, labels = [], [], []
    minute = float(rng.uniform(5, 7))
    missing = {int(index) for index in rng.choice(np.arange(3, 52), 11, replace=False)}
    for index in range(54):
        seconds = int(rng.choice([30, 45, 60, 90, 120]))
        start = irradiated - timedelta(hours=2) + timedelta(seconds=round(60 * minute))  # UTC
        minute = (start + timedelta(hours=2) - irradiated).total_seconds() / 60
        inside = minute + (np.arange(40) + 0.5) / 40 * seconds / 60
        counts = int(
            rng.poisson(np.mean([(rate + room) / (1 + (rate + room) * dead) for rate in net(inside)]) * seconds)
        )
        kind = 'P' if index in (9, 27) else 'F'
        if kind == 'P':  # the pulser
            series.append((start, seconds, 50 * seconds, kind))
        elif index in missing:
            lost.append((start, seconds))
            labels.append(counts)
        else:
            series.append((start, seconds, counts, kind))
        minute += seconds / 60 + half * 6 / 54 * float(rng.uniform(0.6, 1.4)) - 0.6
    files = {
        'notes.txt': NOTES.format(efficiency=efficiency, end=f'{irradiated:%H:%M:%S}'),
        'background.csv': _background(rng, room),
        'sources.csv': _sources(counted, room, rng),
        'series.csv': 'start;length;counts;kind\n'
        + ''.join(f'{s:%d.%m.%Y %H:%M:%S};{_length(rng, t)};{n};{k}\n' for s, t, n, k in series),
        'lost.csv': 'start;length\n' + ''.join(f'{s:%d.%m.%Y %H:%M:%S};{_length(rng, t)}\n' for s, t in lost),
        'swipes.csv': _swipes(rng, room),
    }
    return files, {'counts': labels}


NOTES = """Notes on the foil

The counter gives counts, never rates. Lengths are written as somebody typed them: 90 s, 1.5 min, 1:30 (minutes and
seconds). They are real time.
After each pulse the counter is dead for a time tau and misses what comes then; pulses that are missed do not prolong this.
If n is the true rate and m the counted one, n = m / (1 - m tau). background.csv and swipes.csv have so few counts that
this does not matter there, and they are used as counted. In sources.csv and series.csv it matters.
The background comes from the room and is in every measurement.
sources.csv: source A alone, source B alone, both together, each at its own place. Together they give the sum of what they
give alone.
series.csv: kind F is the foil, kind P the test pulser, which says nothing about the foil. The clock of the counter shows
UTC. The irradiation ended on 18 June 2025 at {end} local time (CEST, UTC+2).
The counter sees {efficiency} percent of the decays; the standard uncertainty of this is 2 percent of it.
"""


def _length(rng, seconds):
    forms = [f'{seconds} s', f'{seconds / 60:g} min', f'{seconds // 60}:{seconds % 60:02d}']
    return forms[int(rng.integers(0, 3))]


def _background(rng, room):
    lengths = [int(length) for length in rng.choice([60, 120, 240, 300, 480, 600], 26)]
    lengths[4], lengths[11], lengths[19] = 300, 6, 900
    lines = ['number,length,counts']
    order = {int(index): int(number) for number, index in enumerate(rng.permutation(26), 1)}
    rows = []
    for index, seconds in enumerate(lengths):
        counts = int(np.clip(rng.poisson(room * seconds), room * seconds * 0.94, room * seconds * 1.06))
        if index == 4:  # a source on the table
            counts = int(room * seconds * float(rng.uniform(1.2, 1.25)))
        if index == 11:  # short, so that its rate scatters
            counts = int(np.ceil(room * seconds * 1.29))
        rows.append((order[index], f'{order[index]},{_length(rng, seconds)},{counts}'))
    return '\n'.join(lines + [row for _, row in sorted(rows)]) + '\n'


def _sources(counted, room, rng):
    first, second = float(rng.uniform(2600, 3200)), float(rng.uniform(3300, 4000))
    lines = ['source,length,counts']
    for name, rate, seconds in (('A', first, 600), ('B', second, 900), ('A+B', first + second, 720)):
        lines.append(f'{name},{_length(rng, seconds)},{counted(rate + room, seconds)}')
    return '\n'.join(lines) + '\n'


def _swipes(rng, room):
    places = 'bench door drain fridge handle hood lamp phone rack sink stool switch tap window'.split()
    signs = [6.5, 7, 8, 5.5] + [2.0, 2.1] + [float(z) for z in rng.uniform(-1, 0.8, 8)]
    lengths = [60, 90, 120, 300, 60, 90, 900, 1200, 20, 60, 300, 600, 120, 900]
    rows = {}
    for place, sign, seconds in zip(rng.permutation(places), signs, lengths):
        mean = room * seconds
        rows[str(place)] = f'{place},{_length(rng, seconds)},{round(mean + sign * np.sqrt(mean))}'
    return 'place,length,counts\n' + '\n'.join(rows[place] for place in places) + '\n'
