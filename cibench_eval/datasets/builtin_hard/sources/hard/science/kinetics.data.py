"""One plate of an enzyme assay: the reader's export, the plan of the plate and the lab book."""

import numpy as np

STEPS = (0.1, 0.2, 0.35, 0.6, 1.0, 1.6, 2.5, 4.0, 7.0, 12.0)
TIMES = range(0, 401, 20)
EPSILON, PATH = 9800, 0.56
WORDS = {'1:2': 2, '1:3': 3}


def make(rng, km, model, inhibition, ki, dose, dilution, at):
    levels = [float(f'{km * step:.3g}') for step in STEPS]
    discarded = [f'{"AC"[int(rng.integers(2))]}{int(rng.integers(4, 7)):02d}']
    discarded += [f'{"EFG"[int(rng.integers(3))]}{int(rng.integers(5, 9)):02d}']
    bubble = f'{"FG"[int(rng.integers(2))]}{int(rng.integers(1, 4)):02d}'
    burst = int(rng.choice([120, 140]))
    vmax = float(rng.uniform(14, 18))
    hill, ksi = float(rng.uniform(1.7, 1.9)), km * float(rng.uniform(5, 6))

    def speed(substrate, inhibitor):
        part = 1 + inhibitor / ki
        k = km * part if inhibition == 'competitive' else km
        v = vmax / part if inhibition == 'noncompetitive' else vmax
        if model == 'hill':
            return v * substrate**hill / (k**hill + substrate**hill)
        return v * substrate / (k + substrate + substrate**2 / ksi)

    rows, readings = ['well,enzyme,stock_mM,inhibitor_uM'], []
    for row in 'ABCDEFGH':
        inhibitor = dose if row in 'EFGH' else 0
        enzyme = row not in 'DH'
        for column, level in enumerate(levels, 1):
            well = f'{row}{column:02d}'
            planned = level
            if row == 'B' and column in (6, 8):  # exchanged while pipetting
                level = levels[7] if column == 6 else levels[5]
            rows.append(f'{row}{column},{"yes" if enzyme else "no"},{planned / 100:.5g},{inhibitor}')
            rate = level * (0.0016 if inhibitor else 0.0008)  # without enzyme
            if enzyme and well != discarded[0]:
                strength = 1 / WORDS[dilution] if inhibitor else 1
                rate += strength * speed(level * (2 if well == discarded[1] else 1), inhibitor)
            start = 0.09 + level * 0.0002 + (0.4 if inhibitor else 0) + float(rng.normal(0, 0.01))
            readings.append((well, _curve(rng, start, rate, burst if well == bubble else None)))
    files = {
        'layout.csv': '\n'.join(rows) + '\n',
        'plate.csv': _export(rng, readings, bubble).encode('utf-16'),
        'labbook.txt': BOOK.format(first=discarded[0], second=discarded[1], dilution=dilution),
    }
    return files, {}


def _curve(rng, start, rate, burst):
    slope = rate * 1e-6 * EPSILON * PATH / 60
    values = []
    for time in TIMES:
        after = max(0, time - 60)
        late = max(0, after - 130)
        grown = min(after, 130) + 90 * (1 - np.exp(-late / 90))
        jump = 0.035 if burst is not None and time >= burst else 0
        values.append(start + slope * grown + jump + float(rng.normal(0, 0.0009)))
    return values


def _export(rng, readings, bubble):
    lines = ['Kinetik 405 nm;;', 'Kavität;Zeit;Extinktion']
    for index, time in enumerate(TIMES):
        for well, values in readings:
            shown = f'{values[index]:.4f}'.replace('.', ',')
            if well != bubble and rng.random() < 0.02:
                shown = 'OVRFLW'
            lines.append(f'{well};00:{time // 60:02d}:{time % 60:02d};{shown}')
    return '\r\n'.join(lines) + '\r\n'


BOOK = """Lab book, plate 7

Every well has 20 ul of substrate stock, 20 ul of enzyme or of buffer, and 160 ul of buffer: 200 ul in all. layout.csv has
the stock of substrate that was meant for a well. Its column inhibitor_uM is the concentration in the well.
Wells without enzyme are the blanks: substrate falls apart by itself, the more the more there is of it, and faster with the
inhibitor. Each has a blank of its own, one well.
The enzyme went in at 00:01:00, the reader measured on. Initial rates are slopes of straight lines by least squares through
the readings from 00:01:20 to 00:03:00, both included. Later the curves bend.
plate.csv is what the reader exported. OVRFLW means no reading; the line goes through the others.
In row B the substrates of columns 6 and 8 were exchanged with each other while pipetting.
{first}: enzyme forgotten. {second}: substrate pipetted twice. Both are not to be used.
There was not enough enzyme. In rows E, F and G it was diluted {dilution}, which means one part in as many parts as the second
number says. Rates are proportional to the enzyme, and all are to be given for the undiluted enzyme.
The product absorbs with 9800 per M and cm. In a well with 200 ul light goes through 0.56 cm.
"""
