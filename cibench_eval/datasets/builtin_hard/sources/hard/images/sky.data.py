"""Scans of photographic plates of one field of stars, their list, and a catalogue of the field with its faults."""

import datetime
import io

import numpy as np
from PIL import Image

SIZE, SCALE, SPREAD = 96, 0.5, 1.3  # pixels, arcminutes a pixel, width of a star in pixels
WINDOW = 27.0  # of the catalogue, in arcminutes either way
STARS, PLATES = 44, 26


def make(rng, observatory, period):
    while True:
        sky = _Sky(rng, period)
        if sky.is_telling():
            return sky.files(observatory), sky.held_out()


NOTES = """Notes on the plates of {observatory}

Each plate shows a part of one field of stars; its scan is plate_01.png to plate_{plates}.png, in grey. One pixel is {scale}
arcminutes wide on all of them. The plates lay in the scanner at any angle, some with their back up, which mirrors them.
Some scans are negatives, where stars are dark, others positives. Brightness and contrast are the scanner's own each time.
A plate answers to light in no straight line: bright stars saturate, though a brighter star is always darker on the plate itself.
The telescope gives its edge less light than its middle, the same way in all directions. The middle of the plate is the
middle of its scan. Dust and flaws of a plate look like faint stars.

Seen the right way, as the eye sees the sky, east is to the left where north is up. Where east is to the right with north up,
the plate is mirrored.

plates.csv: night is the date of the evening on which the night began; begun is the clock at the beginning of the exposure,
in local time, which is one hour ahead of UTC all the year; minutes is how long it was exposed.
The catalogue gives east and north of the field's centre in arcminutes, and magnitudes: 1 magnitude more is a light weaker by
the factor 10^0.4. Of its stars one is variable; its magnitude there is that of a moment. All others shine constantly.
Periods of its class are between 3 and 12 days.
A planet crosses the field. It is not in the catalogue.
"""


class _Sky:
    def __init__(self, rng, period):
        self.rng = rng
        self.mag = np.round(rng.uniform(8.3, 11.7, STARS), 2)
        self.mag[0] = round(float(rng.uniform(9.9, 10.3)), 2)
        self.period = period * float(rng.uniform(0.97, 1.03))
        self.phase, self.rise = float(rng.uniform(0, 1)), float(rng.choice((-1, 1)))
        nights = np.sort(rng.choice(76, PLATES, replace=False))
        self.begun = nights * 1440 + rng.integers(-300, 300, PLATES) + 1440  # local minutes from the first evening's noon + 12 h
        self.minutes = rng.choice((10, 20, 30, 40, 60, 80), PLATES)
        self.first = datetime.date(2025, 1, 1) + datetime.timedelta(days=int(rng.integers(2, 25)))
        start = datetime.datetime.combine(self.first, datetime.time(0))
        self.clock = [start + datetime.timedelta(minutes=int(one)) for one in self.begun]
        origin = datetime.datetime(2025, 1, 1)
        self.day = np.array(
            [(c - origin).total_seconds() / 86400 + m / 2880 - 1 / 24 for c, m in zip(self.clock, self.minutes)]
        )
        self._move()
        self.place = self._scattered()
        self.copied, self.copy = (int(one) for one in sorted(rng.choice(np.arange(2, PLATES - 2), 2, replace=False)))
        self.flaws = [self._flaws(number) for number in range(PLATES)]
        self.later = np.round(np.sort(rng.uniform(self.day[0] + 2, self.day[-1] - 2, 40)), 3)

    def _scattered(self):
        """Places of the catalogue: the first near the centre, none near to another or to the planet."""
        path, found = self.planet(self.day), []
        while len(found) < STARS:
            place = self.rng.uniform(-WINDOW, WINDOW, 2) if found else self.rng.uniform(-9, 9, 2)
            if np.hypot(*(place - path).T).min() > 3.3 and all(np.hypot(*(place - other)) > 4.2 for other in found):
                found.append(place)
        return np.round(np.array(found), 2)

    def light(self, day):
        """Magnitude of the variable."""
        turn = 2 * np.pi * (self.phase + self.rise * np.asarray(day) / self.period)
        return self.mag[0] + 0.1 + 0.42 * np.sin(turn) + 0.22 * np.sin(2 * turn + 0.6)

    def _move(self):
        """A planet's path: a parabola in east and north."""
        rng = self.rng
        middle, half = (self.day[0] + self.day[-1]) / 2, (self.day[-1] - self.day[0]) / 2
        self.turned = middle + rng.uniform(-0.4, 0.4) * half
        bend = rng.choice((-1, 1)) * rng.uniform(11, 14)
        self.path = {'centre': rng.uniform(-3, 3, 2), 'bend': bend, 'run': rng.choice((-1, 1)) * rng.uniform(9, 12)}
        self.middle, self.half, self.swap = middle, half, bool(rng.random() < 0.5)

    def planet(self, day):
        step = (np.asarray(day) - self.middle) / self.half
        turn = (self.turned - self.middle) / self.half
        along = self.path['run'] * (step**2 * 0.9 - 1.8 * turn * step - 0.3)
        across = self.path['bend'] * step * 0.8
        pair = np.stack([along, across] if self.swap else [across, along], axis=-1)
        return pair + self.path['centre']

    def _flaws(self, number):
        rng, found, planet = self.rng, [], self.planet(self.day[number])
        while len(found) < 3:
            place = rng.uniform(-17, 17, 2)
            if min(np.hypot(*(self.place - place).T)) > 4 and np.hypot(*(planet - place)) > 4:
                if all(np.hypot(*(place - other[:2])) > 4 for other in found):
                    found.append((*place, rng.uniform(10.6, 11.4)))
        return found

    def is_telling(self):
        rng = self.rng
        kept = np.arange(PLATES) != self.copy
        path = self.planet(self.day)
        if np.abs(path).max() > 15:
            return False
        if np.hypot(*(path[self.copy] - path[self.copied])) < 4:
            return False
        phase = np.sort((self.day[kept] / self.period) % 1)
        if np.diff(np.append(phase, phase[0] + 1)).max() > 0.16:
            return False
        inner = np.flatnonzero((np.abs(self.place).max(axis=1) < 15) & (np.arange(STARS) > 0) & (self.mag > 8.8) & (self.mag < 11))
        if len(inner) < 6:
            return False
        self.dim, self.lost = (int(one) for one in rng.choice(inner, 2, replace=False))
        self.listed, self.listed_mag = self.place.copy(), self.mag.copy()
        self.listed_mag[0] = round(float(self.light(self.day[0] - 1000)), 2)
        self.listed_mag[self.dim] = round(float(self.mag[self.dim] + rng.choice((-1, 1))), 2)
        axis = int(rng.integers(2))
        self.listed[self.lost, axis] = round(float(-self.place[self.lost, axis]), 2)
        gap = np.hypot(*(self.place - self.listed[self.lost]).T)
        if abs(self.place[self.lost, axis]) < 4 or gap.min() < 3.5 or np.hypot(*(path - self.listed[self.lost]).T).min() < 3:
            return False
        self.names = rng.permutation(np.arange(101, 101 + STARS))
        return True

    def files(self, observatory):
        rng, plates = self.rng, []
        for number in range(PLATES):
            angle, back = float(rng.uniform(0, 360)), bool(rng.random() < 0.4)
            centre = rng.uniform(-4, 4, 2)
            plates.append([self._dark(number, centre, angle, back)])
        turned = np.rot90(plates[self.copied][0], int(rng.integers(4)))
        plates[self.copy][0] = turned[:, ::-1]
        files = {}
        for number, (dark,) in enumerate(plates):
            files[f'plate_{number + 1:02d}.png'] = self._scan(dark)
        files['plates.csv'] = self._list()
        order = np.argsort(self.names)
        rows = [
            f'{self.names[i]},{self.listed[i][0]:.2f},{self.listed[i][1]:.2f},{self.listed_mag[i]:.2f}' for i in order
        ]
        files['catalogue.csv'] = '\n'.join(['star,east,north,magnitude', *rows]) + '\n'
        files['light.csv'] = 'day\n' + ''.join(f'{day:.3f}\n' for day in self.later)
        files['notes.txt'] = NOTES.format(observatory=observatory, plates=PLATES, scale=SCALE)
        return files

    def _dark(self, number, centre, angle, back):
        """Density of a plate; its middle shows `centre`."""
        rng = self.rng
        lines, columns = np.mgrid[:SIZE, :SIZE].astype(float)
        edge = (SIZE - 1) / 2
        radius = np.hypot(lines - edge, columns - edge) / edge
        fall = 10 ** (-0.4 * 0.34 * radius**2)
        clear = float(rng.uniform(0.75, 1.5))
        light = np.full((SIZE, SIZE), float(rng.uniform(0.03, 0.09)))
        mags = self.mag.copy()
        mags[0] = self.light(self.day[number])
        shown = [(*place, mag) for place, mag in zip(self.place, mags)]
        shown.append((*self.planet(self.day[number]), 10.7))
        for east, north, mag in shown:
            line, column = _pixel(east, north, centre, angle, back)
            star = np.exp(-((lines - line) ** 2 + (columns - column) ** 2) / (2 * SPREAD**2))
            light += clear * 0.75 * 10 ** (-0.4 * (mag - 10)) * star
        light *= fall
        for east, north, mag in self.flaws[number]:
            line, column = _pixel(east, north, centre, angle, back)
            light += 10 ** (-0.4 * (mag - 10)) * np.exp(-((lines - line) ** 2 + (columns - column) ** 2) / (2 * SPREAD**2))
        return 1 - np.exp(-light) + rng.normal(0, 0.0025, light.shape)

    def _scan(self, dark):
        rng = self.rng
        low, high = rng.uniform(12, 40), rng.uniform(215, 245)
        seen = low + (high - low) * dark + rng.normal(0, 0.5, dark.shape)
        if rng.random() < 0.5:
            seen = 255 - seen
        data = io.BytesIO()
        Image.fromarray(np.clip(np.rint(seen), 0, 255).astype(np.uint8)).save(data, 'PNG', optimize=True)
        return data.getvalue()

    def _list(self):
        lines = ['plate,night,begun,minutes']
        for number, (clock, minutes) in enumerate(zip(self.clock, self.minutes), 1):
            night = (clock - datetime.timedelta(hours=12)).date()
            lines.append(f'{number},{night},{clock:%H:%M},{minutes}')
        return '\n'.join(lines) + '\n'

    def held_out(self):
        light = self.light(self.later) + _noise(self.rng, 40, 0.08)
        return {'light': [round(float(one), 3) for one in light]}


def _noise(rng, size, spread):
    """Errors whose mean size is what it should be."""
    errors = rng.normal(0, 1, size)
    return spread * errors / np.abs(errors).mean()


def _pixel(east, north, centre, angle, back):
    """Line and column of a place, for a plate turned by the angle, mirrored if its back is up."""
    x, y = -(east - centre[0]) / SCALE, -(north - centre[1]) / SCALE
    x = -x if back else x
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return (SIZE - 1) / 2 + x * sin + y * cos, (SIZE - 1) / 2 + x * cos - y * sin
