"""Ranges between a cart and seven anchors in a hall, where something stands that no plan shows."""

import numpy as np

LENGTH, WIDTH = 32.0, 22.0
EXACT = 0.03
"""Mean error of the cart's places, in m, for somebody who knows all but the noise."""


def make(rng, stops, gone):
    anchors = _anchors(rng)
    while True:
        moved, one, two = (int(number) for number in rng.permutation(7)[:3])
        amid = 6 < anchors[moved, 0] < LENGTH - 6 or 6 < anchors[moved, 1] < WIDTH - 6
        if amid and np.hypot(*(anchors[one] - anchors[two])) > 9:
            break
    bias = rng.permutation(np.linspace(0.08, 0.95, 7)) + rng.uniform(-0.04, 0.04, 7)
    radius = float(rng.uniform(1.6, 2.6))
    centre = np.array([rng.uniform(10, 22), rng.uniform(8, 14)])
    more = float(rng.uniform(0.35, 0.6))
    marks = _marks(rng, centre, radius)
    places, stays = _drive(rng, marks, centre, radius, stops)
    count = len(places)
    near = np.hypot(*(places[:, None] - anchors).transpose(2, 0, 1))
    chord = _chord(places[:, None], anchors, centre, radius)

    def middle_of(low, high, fits):
        """A round amid a stay in which something shows."""
        amid = [n for first, last, _ in stays for n in range(first + 2, last) if low < n / count < high and fits(n)]
        return int(rng.choice(amid))

    swap = middle_of(0.4, 0.6, lambda n: abs(near[n, one] + bias[one] - near[n, two] - bias[two]) > 2)
    empty = middle_of(0.64, 0.84, lambda n: chord[n].max() > 1.4)
    full = np.arange(count) < empty
    true = near + bias + more * chord * full[:, None]
    noise = np.clip(rng.normal(0, 1, true.shape), -2.6, 2.6) * 0.03
    stale = rng.random(true.shape) < 0.08
    silent = rng.random(true.shape) < 0.05
    for at in (swap, empty):
        stale[at - 2 : at + 3], silent[at - 2 : at + 3] = False, False
    stale[0] = False
    moving = np.ones(count, bool)
    for first, last, _ in stays:
        moving[max(first - 1, 0) : last + 2] = False
    known = ~stale & ~silent
    fit = moving & (known.sum(axis=1) >= 5) & (np.arange(count) > 40)
    through = (chord > 0.5).any(axis=1) & full
    wanted = np.concatenate(
        [
            rng.choice(np.flatnonzero(fit & through), 14, replace=False),
            rng.choice(np.flatnonzero(fit & ~through), 16, replace=False),
        ]
    )
    wanted.sort()
    noise[wanted] *= _scale(anchors, places, chord * more * full[:, None], known, noise, wanted)
    shown = np.round(1000 * (true + noise)).astype(int)
    late = np.arange(count) >= swap
    for at in (swap, empty):
        for number in range(at - 3, at + 4):
            shown[number] += shown[number] == shown[number - 1]
    for part in (shown, stale, silent):
        part[np.ix_(late, [one, two])] = part[np.ix_(late, [two, one])]
    rows = [[str(gone) if silent[number, n] else str(shown[number, n]) for n in range(7)] for number in range(count)]
    for number in range(1, count):
        for n in np.flatnonzero(stale[number]):
            rows[number][n] = rows[number - 1][n]
    lines = ['round;' + ';'.join('ABCDEFG')] + [f'{number};' + ';'.join(row) for number, row in enumerate(rows)]
    listed = anchors.copy()
    along = 0 if anchors[moved, 1] in (0.3, WIDTH - 0.3) else 1
    step = float(rng.uniform(2.5, 4.5))
    listed[moved, along] += step if anchors[moved, along] < (LENGTH, WIDTH)[along] / 2 else -step
    files = {
        'ranges.csv': '\n'.join(lines) + '\n',
        'anchors.csv': 'anchor,x,y\n' + ''.join(f'{n},{x:.2f},{y:.2f}\n' for n, (x, y) in zip('ABCDEFG', listed)),
        'marks.csv': 'mark,x,y\n' + ''.join(f'{n + 1},{x:.2f},{y:.2f}\n' for n, (x, y) in enumerate(marks)),
        'stops.csv': 'mark,first,last\n' + ''.join(f'{mark + 1},{first},{last}\n' for first, last, mark in stays),
        'wanted.csv': 'round\n' + ''.join(f'{number}\n' for number in wanted),
        'notes.txt': NOTES.format(gone=gone),
    }
    return files, {'places': [round(float(value), 3) for value in places[wanted].ravel()]}


NOTES = """Ranges in the hall

A cart drives through the hall. In every round it asks seven radio anchors, A to G, how far they are, and writes down what
it has got, in mm: ranges.csv. All is in one plane; x and y are in m from a corner of the hall.
{gone} means that there was no answer. Sometimes the answer comes too late: then the cart writes the value of the
anchor's column in the round before once more (if that was {gone}, {gone}). A value that repeats the one above it is
no range.
Each anchor makes all its ranges longer by the length of its cable, which is its own and nowhere written down.
Amid the hall stands a round tank that is on no plan. The signals go straight through it. Liquid slows them down: a way
through the liquid counts 1 + k times, with one k. When the tank is empty, it does nothing to them.
marks.csv: marks on the floor, measured by a surveyor. stops.csv: rounds (first and last, both included) in which the
cart stood on a mark. anchors.csv: where the anchors should hang.
"""


def _anchors(rng):
    """Two on each long wall, one on each short one, and one in addition."""
    x = np.array([4.0, 25, 8, 28, 0.3, LENGTH - 0.3, 16])
    y = np.array([0.3, 0.3, WIDTH - 0.3, WIDTH - 0.3, 12, 9, WIDTH - 0.3])
    x[[0, 1, 2, 3, 6]] += rng.uniform(-2.5, 2.5, 5)
    y[4:6] += rng.uniform(-4, 4, 2)
    return np.round(np.column_stack([x, y]), 2)[rng.permutation(7)]


def _marks(rng, centre, radius):
    marks = []
    while len(marks) < 22:
        mark = np.round(rng.uniform([2.5, 2.5], [LENGTH - 2.5, WIDTH - 2.5]), 2)
        if np.hypot(*(mark - centre)) > radius + 0.6 and all(np.hypot(*(mark - one)) > 2 for one in marks):
            marks.append(mark)
    return np.array(marks)


def _drive(rng, marks, centre, radius, stops):
    """Where the cart is in each round, and its stays: first and last round, and the mark."""
    places, stays, now = [], [], 0
    fresh = list(range(1, len(marks)))
    for _ in range(stops):
        stay = int(rng.integers(5, 9))
        stays.append((len(places), len(places) + stay - 1, now))
        places += [marks[now]] * stay
        free = [n for n in range(len(marks)) if n != now and _free(marks[now], marks[n], centre, radius)]
        unseen = [n for n in free if n in fresh]
        then = int(rng.choice(unseen or free))
        if then in fresh:
            fresh.remove(then)
        many = max(3, round(float(np.hypot(*(marks[then] - marks[now]))) / float(rng.uniform(1.3, 2.2))))
        bow = float(rng.uniform(-0.25, 0.25))
        for part in np.arange(1, many) / many:
            way = marks[then] - marks[now]
            side = np.array([-way[1], way[0]]) * bow * 0.3 * np.sin(np.pi * part)
            places.append(marks[now] + part * way + side)
        now = then
    return np.array(places), stays


def _free(start, end, centre, radius):
    parts = start + np.linspace(0, 1, 60)[:, None] * (end - start)
    return np.hypot(*(parts - centre).T).min() > radius + 0.4 + 0.08 * np.hypot(*(end - start))


def _chord(places, anchors, centre, radius):
    """Length of the way between two points inside of a circle that holds neither."""
    way = anchors - places
    long = np.hypot(way[..., 0], way[..., 1])
    along = ((centre - places) * way).sum(axis=-1) / long
    off = np.hypot(*np.moveaxis(centre - places, -1, 0)) ** 2 - along**2
    inside = 2 * np.sqrt(np.clip(radius**2 - off, 0, None))
    return np.where((along > 0) & (along < long), inside, 0)


def _scale(anchors, places, late, known, noise, wanted):
    """Factor of the noise that makes least squares wrong by EXACT in the mean (to first order)."""
    errors = []
    for number in wanted:
        used = known[number]
        way = places[number] - anchors[used]
        design = way / np.hypot(*way.T)[:, None]
        errors.append(np.linalg.lstsq(design, noise[number, used], rcond=None)[0])
    return EXACT / np.abs(errors).mean()
