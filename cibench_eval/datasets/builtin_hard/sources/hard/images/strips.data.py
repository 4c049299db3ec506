"""Photos of test strips for nitrate, standards and samples of brooks, with the list of strips and notes."""

import io

import numpy as np
from PIL import Image

WIDTH, HEIGHT = 300, 132
TABLE, PLASTIC, MARK = 0.2, 0.92, 0.03
BROOKS = ('Alder', 'Birch', 'Clay', 'Drift', 'Elder', 'Fern', 'Gravel', 'Heron')
NITROGEN = 4.43
LIMIT = 50


def make(rng, best, farm):
    standards = _standards(rng)
    unknown, spoiled_brook = _brooks(rng)
    strips = [*standards, *unknown]
    for number, name in enumerate(rng.permutation(len(strips)) + 1):
        strips[number]['strip'] = f'S{name:02d}'
    for start in range(0, len(strips), 8):  # eight to a photo
        for strip, place in zip(strips[start : start + 8], rng.permutation(8) + 1):
            strip.update(photo=f'rack_{start // 8 + 1}', place=int(place))
    spoiled = {int(start + rng.integers(8)) for start in (0, 8, 16)}
    lost = [24 + number for number, one in enumerate(unknown) if (one['brook'], one['site']) == (spoiled_brook, 'above')]
    spoiled.add(lost[0])
    for number in spoiled:
        strips[number]['spoiled'] = True

    lights = [(1.0, 0.93, 0.74), (0.97, 1.0, 0.98), (0.84, 0.86, 0.96), (0.9, 0.94, 1.0), (1.0, 0.9, 0.8)]
    shaded = {int(rng.integers(3)), int(rng.integers(3, 5))}
    mirrored, turned = int(rng.integers(3, 5)), int(rng.integers(3))
    files = {}
    for number, light in enumerate(lights):
        on_it = [strip for strip in strips if strip['photo'] == f'rack_{number + 1}']
        picture = _picture(rng, on_it, light, number in shaded, best)
        picture = picture[:, ::-1] if number == mirrored else picture[::-1, ::-1] if number == turned else picture
        files[f'rack_{number + 1}.png'] = _png(picture)
    files['strips.csv'] = _list(rng, strips)
    files['notes.txt'] = NOTES.format(nitrogen=NITROGEN, limit=LIMIT, farm=farm)
    kept = sorted((strip for strip in unknown if not strip.get('spoiled')), key=lambda strip: strip['strip'])
    return files, {'nitrate': [round(float(strip['nitrate']), 2) for strip in kept]}


NOTES = """Notes on the strips

A strip is a piece of white plastic with two pads: the test pad above, the control pad below. All plastic is the same white.
Where nitrate is in the water, the test pad takes a colour. The control pad turns violet in any water; a strip whose control pad
has stayed white is spoiled, and its test pad means nothing.
Eight strips lie in a rack, at places 1 to 8 from the left. There is a black square in the upper left corner of the rack. The racks
were photographed in several rooms. Some photos were saved turned or as in a mirror.

strips.csv
standard: what is in the water, where we know it: as nitrate (NO3) or as the nitrogen in it (NO3-N). 1 mg NO3-N is {nitrogen} mg
nitrate. All our results are in mg nitrate per litre.
brook and site: where a sample comes from, of whose nitrate we know nothing. Each brook passes the {farm}: one sample is from
above it, one from below.
reader: what our old handheld reader showed, in mg nitrate per litre.
A strip that is listed twice was corrected: its later row is right.
The limit for drinking water is {limit} mg nitrate per litre.
"""


def _standards(rng):
    """Three photos of eight; the more nitrate, the later."""
    strips = []
    for low, high in ((0, 24), (20, 52), (46, 84)):
        for nitrate in np.linspace(low, high, 8) + rng.uniform(0.2, 2.5, 8):
            if rng.random() < 0.35:
                shown = round(nitrate / NITROGEN, 2)
                strips.append(dict(nitrate=shown * NITROGEN, shown=f'{shown:.2f} mg/l NO3-N'))
            elif rng.random() < 0.4:
                shown = round(nitrate, 1)
                strips.append(dict(nitrate=shown, shown=f'{1000 * shown:.0f} µg/l NO3'))
            else:
                shown = round(nitrate, 1)
                strips.append(dict(nitrate=shown, shown=f'{shown:.1f} mg/l NO3'))
    return strips


def _brooks(rng):
    """Two strips a brook; steps between the differences are plain, and none is near the limit."""
    sizes = np.arange(8) * 2.6 + 3.5 + rng.uniform(-0.3, 0.3, 8)
    less = rng.choice(3, int(rng.integers(1, 3)), replace=False)
    sizes[less] *= -1
    order = rng.permutation(8)
    while True:
        strips = []
        for brook, size in zip(BROOKS, sizes[order]):
            above = rng.uniform(18, 60)
            strips += [
                dict(brook=brook, site=site, nitrate=nitrate)
                for site, nitrate in (('above', above), ('below', above + size))
            ]
        levels = np.array([strip['nitrate'] for strip in strips]).reshape(8, 2)
        crossing = ((levels < LIMIT - 3.5) == [True, False]).all(axis=1)
        fell = ((levels < LIMIT - 3.5) == [False, True]).all(axis=1)
        near = np.abs(levels - LIMIT) < 3.5
        if not near.any() and crossing.sum() in (3, 4) and levels.max() < 80 and not fell.any():
            break
    spoiled = BROOKS[int(rng.choice(np.flatnonzero(crossing)))]
    pairs = rng.permutation(16)
    return [strips[number] for number in pairs], spoiled


def _picture(rng, strips, light, shaded, best):
    x = np.arange(WIDTH)
    shade = 1 - 0.0003 * x
    if shaded:
        shade = shade * (1 - 0.45 / (1 + np.exp((rng.uniform(120, 180) - x) / 60)))
    picture = np.full((HEIGHT, WIDTH, 3), TABLE)
    right, down = int(rng.integers(-3, 4)), int(rng.integers(-2, 3))
    picture[5 + down : 13 + down, 6 + right : 14 + right] = MARK
    for strip in strips:
        left, top = 20 + 34 * (strip['place'] - 1) + right, 14 + down
        picture[top : top + 106, left : left + 24] = PLASTIC
        weak = 0.4 if strip.get('spoiled') else 1
        picture[top + 18 : top + 40, left + 5 : left + 19] = _colour(rng, weak * strip['nitrate'], best)
        picture[top + 62 : top + 84, left + 5 : left + 19] = 0.89 if strip.get('spoiled') else (0.5, 0.27, 0.6)
    noise = rng.normal(0, 0.004, (HEIGHT // 2, WIDTH // 2, 1)).repeat(2, 0).repeat(2, 1)
    seen = 250 * (picture + noise) * shade[:, None] * np.array(light)
    return np.clip(np.round(seen), 0, 255).astype(np.uint8)


def _colour(rng, nitrate, best):
    """Absorbance follows nitrate in one channel, is soon at its end in another, and says nothing in red."""
    straight = 0.9 * 10 ** -(0.0094 * nitrate * (1 + rng.normal(0, 0.003)))
    bent = 0.9 * 10 ** -(0.42 * (1 - np.exp(-nitrate / 12)) + rng.normal(0, 0.01))
    flat = 0.9 * 10 ** -(0.03 + rng.uniform(0, 0.05))
    return (flat, straight, bent) if best == 'g' else (flat, bent, straight)


def _list(rng, strips):
    rows = []
    stale = rng.permutation([strip['nitrate'] for strip in strips if 'brook' in strip]).tolist()
    for strip in sorted(strips, key=lambda strip: strip['strip']):
        reader = stale.pop() if 'brook' in strip else strip['nitrate'] * (1 + rng.normal(0, 0.01))
        sample = (strip.get('brook', ''), strip.get('site', ''), strip.get('shown', ''))
        rows.append([strip['strip'], strip['photo'], str(strip['place']), *sample, f'{reader:.1f}'])
    known = [row for row in rows if row[5] and '-N' not in row[5] and float(row[6]) > 15]
    wrong = list(known[int(rng.integers(len(known)))])
    number, unit = wrong[5].split(' ', 1)
    right = rows.pop(rows.index(wrong))
    rows.insert(int(rng.integers(0, 12)), [*wrong[:5], f'{float(number) * 0.4:g} {unit}', wrong[6]])
    rows.insert(int(rng.integers(20, 40)), right)
    header = 'strip,photo,place,brook,site,standard,reader'
    return '\n'.join([header, *(','.join(row) for row in rows)]) + '\n'


def _png(picture):
    buffer = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(picture)).save(buffer, 'PNG', optimize=True)
    return buffer.getvalue()
