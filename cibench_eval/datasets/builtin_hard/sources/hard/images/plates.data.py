"""Photographs of dishes with white and blue colonies, the log of what was plated, and notes on camera and dishes."""

import io

import numpy as np
from PIL import Image

SIDE = 260
DISH = 90.0
BENCH, AGAR, WHITE, BLUE = (45, 45, 50), (214, 196, 158), (246, 245, 240), (60, 85, 160)
LOW, HIGH = 10, 45


def make(rng, first, second, power):
    dishes = _dishes(rng, first, second, power)
    turned = 0 if rng.random() < 0.5 else 1  # the dish that is photographed twice
    radii = [94, *rng.permutation(np.linspace(106, 120, len(dishes) - 1)).tolist()]
    pictures = [_picture(rng, dish['white'], dish['blue'], radius) for dish, radius in zip(dishes, radii)]
    again = np.rot90(pictures[turned], int(rng.integers(1, 4)))
    place = int(rng.integers(4, 8))
    shown = [_with_noise(rng, picture) for picture in pictures]
    shown.insert(place, _with_noise(rng, again * 1.02))
    dishes.insert(place, dishes[turned])

    others = [number for number in range(len(dishes)) if number not in (0, turned, place)]
    negative, exchanged, erased = (int(number) for number in rng.choice(others, 3, replace=False))
    shown[negative] = 255 - shown[negative]
    shown[exchanged] = shown[exchanged][:, :, ::-1]
    shown[erased] = _erased(rng, shown[erased])
    files = {f'plate_{number:02d}.png': _png(picture) for number, picture in enumerate(shown, start=1)}
    files['log.csv'] = _log(rng, dishes).encode('cp1252')
    files['notes.txt'] = NOTES.format(low=LOW, high=HIGH)
    return files, {}


NOTES = """Notes on the dishes

The log
log.csv was saved on a German Windows machine. A dilution of 1:1000, 1/1000 or 10^-3 is the same: a thousandth. The volume is
what was spread on the dish. A row stands for a photo. Some dishes were photographed twice, the second time after a quarter turn
or more; such a dish counts once, by the photo that comes first in the log.

The photos
The agar fills the dish and has a diameter of 90 mm; the distance of the camera changes. The agar is beige, colonies are white or
blue. Colonies are round, and each one that touches another is a colony of its own. What has fewer than 15 pixels is dust. The
stickers on the dark bench beside the dish have no meaning. The camera saves some photos as negatives, and some with red and blue
exchanged. Pixels that are fully transparent were erased by hand: there was a reflection of the lamp, and no colony.

The estimate
A dish counts for the estimate of its sample if it has {low} to {high} colonies, white and blue together, both limits included.
The estimate is the sum of the colonies of these dishes, divided by the sum of what was plated on them (volume in ml times
dilution). Its unit is colonies per ml of the undiluted sample.
"""


def _dishes(rng, first, second, power):
    """What is on the dishes, such that the rules of the estimate matter in the third digit."""
    tenfold = 10.0**-power
    plan = [
        (first, tenfold, 0.1, 0),
        (first, tenfold, 0.1, 0),
        (second, 10 * tenfold, 0.1, 0),
        (first, tenfold, 0.05, 0),
        (second, 10 * tenfold, 0.1, 1),  # the log says ten times as much
        (first, tenfold / 10, 0.1, 0),
        (second, 10 * tenfold, 0.2, 0),
        (second, 10 * tenfold, 0.05, 0),
        (second, 10 * tenfold, 0.1, 0),
    ]
    order = [0, 1, *(2 + rng.permutation(7)).tolist()]
    while True:
        means = {first: rng.uniform(33, 38), second: rng.uniform(26, 28)}
        dishes = []
        for number in order:
            sample, dilution, volume, wrong = plan[number]
            relative = dilution / (tenfold if sample == first else 10 * tenfold) * volume / 0.1
            total = int(rng.poisson(means[sample] * relative))
            blue = int(rng.binomial(total, 0.3 if sample == first else 0.4))
            dishes.append(
                dict(
                    sample=sample,
                    dilution=dilution,
                    volume=volume,
                    logged=dilution * 10**wrong,
                    white=total - blue,
                    blue=blue,
                    number=number,
                )
            )
        if _telling(dishes, first) and _telling(dishes, second):
            return dishes


def _telling(dishes, sample):
    """Whether the estimates by other rules differ by two per cent or more, and no dish is on the edge."""
    of_sample = [dish for dish in dishes if dish['sample'] == sample]
    for dish in of_sample:
        total = dish['white'] + dish['blue']
        if dish['number'] in (5, 6):
            if not (3 <= total <= 7 or 49 <= total <= 54):
                return False
        elif not LOW + 2 <= total <= HIGH - 2 or min(dish['white'], dish['blue']) < 3:
            return False
    used = [dish for dish in of_sample if dish['number'] not in (5, 6)]
    plated = [dish['volume'] * dish['dilution'] for dish in used]
    totals = [dish['white'] + dish['blue'] for dish in used]
    right = sum(totals) / sum(plated)
    mean = np.mean([total / amount for total, amount in zip(totals, plated)])
    everything = sum(dish['white'] + dish['blue'] for dish in of_sample)
    everything /= sum(dish['volume'] * dish['dilution'] for dish in of_sample)
    return abs(mean / right - 1) > 0.02 and abs(everything / right - 1) > 0.005


def _picture(rng, white, blue, radius):
    """One dish, floats; colonies in pairs that touch, others apart."""
    scale = 2 * radius / DISH
    centre = SIDE / 2 + rng.uniform(-3, 3, 2)
    colonies = _places(rng, white, blue, radius, scale)
    y, x = np.mgrid[:SIDE, :SIDE] + 0.5
    picture = np.empty((SIDE, SIDE, 3))
    picture[:] = BENCH
    for corner in rng.choice(4, 2, replace=False):
        at = np.array([20.0 if corner % 2 else SIDE - 20.0, 20.0 if corner // 2 else SIDE - 20.0]) + rng.uniform(-3, 3, 2)
        _disc(picture, x, y, at, 7.5, WHITE)
    _disc(picture, x, y, centre, radius, AGAR)
    for at, size, is_blue in colonies:
        _disc(picture, x, y, centre + at, size, BLUE if is_blue else WHITE)
    placed = 0
    while placed < 7:  # dust
        at = rng.uniform(-0.7, 0.7, 2) * radius
        if all(np.hypot(*(at - other)) > size + 6 for other, size, _ in colonies):
            row, column = (centre + at)[::-1].astype(int)
            picture[row : row + 2, column : column + 2] = WHITE if placed % 2 else (50, 60, 125)
            placed += 1
    light = 1 - 0.06 * (x - SIDE / 2) / SIDE
    return picture * light[:, :, None]


def _places(rng, white, blue, radius, scale):
    """(place, radius in pixels, whether blue) of all colonies of a dish."""
    while True:
        left = {0: white, 1: blue}
        colonies = []
        tries = 0
        while sum(left.values()) and tries < 4000:
            tries += 1
            kind = 0 if left[0] and (not left[1] or rng.random() < 0.5) else 1
            size = scale * (rng.uniform(2.4, 2.7) if kind else rng.uniform(2.8, 3.2))
            group = [(rng.uniform(-1, 1, 2) * radius, size, kind)]
            if left[kind] > 1 and len(colonies) < 7:  # a pair that touches
                other = scale * (rng.uniform(2.4, 2.7) if kind else rng.uniform(2.8, 3.2))
                angle = rng.uniform(0, 2 * np.pi)
                away = (size + other + 0.3) * np.array([np.cos(angle), np.sin(angle)])
                group.append((group[0][0] + away, other, kind))
            if all(_fits(one, colonies, radius) for one in group):
                colonies += group
                left[kind] -= len(group)
        if not sum(left.values()):
            return colonies


def _fits(one, colonies, radius):
    at, size, _ = one
    apart = all(np.hypot(*(at - other)) > size + its + 3.5 for other, its, _ in colonies)
    return apart and np.hypot(*at) < radius - size - 5


def _disc(picture, x, y, at, radius, colour):
    left, top = (max(int(place - radius) - 2, 0) for place in at)
    box = slice(top, int(at[1] + radius) + 3), slice(left, int(at[0] + radius) + 3)
    share = np.clip(radius + 0.5 - np.hypot(x[box] - at[0], y[box] - at[1]), 0, 1)[:, :, None]
    picture[box] = picture[box] * (1 - share) + share * np.array(colour, float)


def _with_noise(rng, picture):
    coarse = rng.integers(-3, 4, (SIDE // 5, SIDE // 5)).repeat(5, 0).repeat(5, 1)
    return np.clip(picture + coarse[:, :, None], 0, 255).astype(np.uint8)


def _erased(rng, picture):
    """A lamp's reflection in an empty part of the dish, its pixels made transparent."""
    y, x = np.mgrid[:SIDE, :SIDE]
    beige = np.abs(picture.astype(int) - np.array(AGAR)).sum(axis=2) < 60
    beige |= np.abs(picture[:, :, ::-1].astype(int) - np.array(AGAR)).sum(axis=2) < 60
    for size in (13, 12, 11, 10, 9, 8, 7, 6):
        for _ in range(400):
            row, column = rng.integers(60, SIDE - 60, 2)
            if beige[np.hypot(y - row, x - column) < size + 4].all():
                erased = np.hypot(y - row, x - column) < size
                result = np.dstack([picture, np.where(erased, 0, 255).astype(np.uint8)])
                result[erased, :3] = 252
                return result
    raise ValueError('no room for a reflection')


def _log(rng, dishes):
    lines = ['Foto;Probe;Verdünnung;Volumen']
    for number, dish in enumerate(dishes, start=1):
        power = -int(round(np.log10(dish['logged'])))
        dilution = (f'1:{10**power}', f'1/{10**power}', f'10^-{power}')[int(rng.integers(3))]
        volume = dish['volume']
        shown = (f'{volume:g} ml'.replace('.', ','), f'{round(1000 * volume)} µl')[int(rng.integers(2))]
        lines.append(f'plate_{number:02d};{dish["sample"]};{dilution};{shown}')
    return '\n'.join(lines) + '\n'


def _png(picture):
    buffer = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(picture)).save(buffer, 'PNG', optimize=True)
    return buffer.getvalue()
