"""Stations of a network on both sides of the 180th meridian, ships that call them, a storm and its winds."""

import json
import math
from datetime import datetime, timedelta

LAND, HARBOURS, BUOYS, SHIPS, FIXES = 22, 14, 12, 8, 18
OPERATORS = ('KA', 'MO', 'TU')


def make(rng, lat, limit, place):
    wrong = OPERATORS[int(rng.integers(3))]
    while True:
        land = [(f'{OPERATORS[i % 3]}-{i + 1:03d}', *_place(rng, lat)) for i in range(LAND)]
        moved = [(code, y + rng.choice((-1, 1)) * 0.4, x) for code, y, x in land[3:8]]
        harbours = [(code, _minutes(y), _minutes(x)) for code, y, x in moved + _others(rng, lat, 'HA', HARBOURS)]
        buoys = [(*one, bool(rng.random() < 0.25)) for one in _others(rng, lat, 'BU', BUOYS)]
        right = {code: (y, x) for code, y, x, gone in buoys if not gone}
        right.update({code: (y, x) for code, y, x in [*land, *harbours]})
        track = _track(rng, lat)
        both = {int(one) for one in rng.choice(FIXES, 4, replace=False)}
        mistyped = int(rng.choice([i for i in range(4, FIXES - 4) if i not in both]))
        fixes = [fix[1:3] for i, fix in enumerate(track) if i != mistyped]
        near = sorted((min(_km(one, fix) for fix in fixes), code) for code, one in right.items())
        flat = sorted((min(_flat(one, fix) for fix in fixes), code) for code, one in right.items())
        lost = {code for code, _, _ in land if code.startswith(wrong)} - {code for code, _, _ in moved}
        found = [[code for _, code in flat][:5], [code for _, code in flat if code not in lost][:5]]
        gaps = [after[0] - before[0] for before, after in zip(near[:5], near[1:6])]
        if min(gaps) > 3 and [code for _, code in near[:5]] not in found:
            break
    files = {
        'land.csv': _land(land, wrong),
        'harbours.txt': _harbours(rng, harbours).encode('latin-1'),
        'buoys.json': _buoys(buoys),
        'ships.csv': _ships(rng, lat, right),
        'storm.csv': _storm(rng, track, lat, both, mistyped),
        'winds.csv': _winds(rng, right),
        'notes.txt': NOTES.format(
            place=place,
            low=f'{abs(lat) - 8} and {abs(lat) + 8} degrees {"north" if lat > 0 else "south"}',
            limit=limit,
        ),
    }
    return files, {}


NOTES = """The {place} network

Area. All stations lie between {low}, and between 165 degrees east and 165 degrees west, across the 180th meridian.
Codes. Two letters, a hyphen and three digits, as in KA-004. Harbour masters leave out the hyphen and the zeros in front.
land.csv: decimal degrees, south and west negative. The operators have typed in their own stations.
harbours.txt: degrees, minutes and, from some harbours, seconds. The file comes from an old machine (Latin-1). Some
stations on land are at a harbour and in both files; the harbour's survey is newer and right.
buoys.json: GeoJSON. Buoys that are withdrawn are no stations any more.
Distances are great circles on a sphere with a radius of 6371 km.
storm.csv: fixes of the storm by the two offices, in no order, each in the time of its office with the offset from UTC.
Where both have a fix for one moment, the eastern office (-10:00) is right. A pressure of -999 was not measured.
No storm here has ever moved faster than {limit} km/h. A fix that would need more is mistyped and not usable. As
few fixes as possible are left out for that; between those that are left the storm is never that fast.
winds.csv: where the wind comes from, in degrees from north by east, and its speed in the unit of the last column; a knot
is 1.852 km/h. A direction of 999 with speed 0 is a calm; a direction of 999 with another speed was not measured, and
such a report is not used.
"""


def _place(rng, lat):
    return round(float(lat + rng.uniform(-7, 7)), 4), _wrapped(round(float(180 + rng.uniform(-13, 13)), 4))


def _others(rng, lat, prefix, number):
    return [(f'{prefix}-{3 * i + 2:03d}', *_place(rng, lat)) for i in range(number)]


def _minutes(value):
    return round(value * 60, 1) / 60


def _wrapped(x):
    return round((x + 180) % 360 - 180, 6)


def _km(a, b):
    (ya, xa), (yb, xb) = ([math.radians(part) for part in one] for one in (a, b))
    half = math.sin((yb - ya) / 2) ** 2 + math.cos(ya) * math.cos(yb) * math.sin((xb - xa) / 2) ** 2
    return 2 * 6371 * math.asin(math.sqrt(half))


def _flat(a, b):
    return math.hypot(a[0] - b[0], (a[1] - b[1] + 180) % 360 - 180)


def _track(rng, lat):
    moment, fixes = datetime(2024, 9, 3, 6), []
    for i in range(FIXES):
        y = lat - 4 + 8 * i / FIXES + float(rng.normal(0, 0.3))
        x = 169 + 22 * i / FIXES + float(rng.normal(0, 0.2))
        fixes.append((moment, round(y, 2), round(_wrapped(x), 2), int(985 - 25 * math.sin(i / 6) + rng.normal(0, 2))))
        moment += timedelta(hours=int(rng.choice((3, 6))))
    return fixes


def _land(rows, wrong):
    lines = ['code,latitude,longitude']
    for code, y, x in rows:
        lines.append(f'{code},{x},{y}' if code.startswith(wrong) else f'{code},{y},{x}')
    return '\n'.join(lines) + '\n'


def _harbours(rng, rows):
    lines = ['harbour;position']
    for code, y, x in rows:
        letters, digits = code.split('-')
        seconds = rng.random() < 0.4
        shown = [_shown(y, 'NS', seconds), _shown(x, 'EW', seconds)]
        lines.append(f'{letters}{int(digits)};{" ".join(shown)}')
    return '\n'.join(lines) + '\n'


def _shown(value, letters, seconds):
    tenths = round(abs(value) * 600)
    degrees, rest = divmod(tenths, 600)
    letter = letters[int(value < 0)]
    if seconds:
        return f'{degrees}°{rest // 10:02d}\'{rest % 10 * 6:02d}"{letter}'
    return f"{degrees}°{rest / 10:04.1f}'{letter}"


def _buoys(rows):
    features = [
        {
            'type': 'Feature',
            'properties': {'code': code, 'status': 'withdrawn' if gone else 'at sea'},
            'geometry': {'type': 'Point', 'coordinates': [round(x % 360, 4), y]},
        }
        for code, y, x, gone in rows
    ]
    return json.dumps({'type': 'FeatureCollection', 'features': features}, indent=1) + '\n'


def _ships(rng, lat, right):
    """Ships whose nearest station is clear, but another one on a flat map or this side of the meridian."""
    lines, kept = ['ship,lat,lon'], 0
    while kept < SHIPS:
        place = (round(float(lat + rng.uniform(-6, 6)), 2), round(_wrapped(180 + float(rng.normal(0, 4))), 2))
        order = sorted((_km(place, one), code) for code, one in right.items())
        torn = min((math.hypot(place[0] - y, place[1] - x), code) for code, (y, x) in right.items())
        if order[1][0] - order[0][0] > 5 and (torn[1] != order[0][1]) == (kept % 2 == 0):
            kept += 1
            lines.append(f'S{kept},{place[0]},{place[1]}')
    return '\n'.join(lines) + '\n'


def _storm(rng, track, lat, both, mistyped):
    gap = int(rng.choice(FIXES))
    rows = []
    for i, (moment, y, x, pressure) in enumerate(track):
        east = x < 0 or i in both
        if i == mistyped:
            y = y - 20 if lat > 0 else y + 20
        pressure = -999 if i == gap else pressure
        rows.append(_fix(moment, y, x, pressure, -10 if east else 12))
        if i in both:
            rows.append(_fix(moment, y + 0.5, _wrapped(x - 0.6), pressure if pressure < 0 else pressure - 9, 12))
    return 'time,lat,lon,pressure\n' + ''.join(rows[int(i)] for i in rng.permutation(len(rows)))


def _fix(moment, y, x, pressure, offset):
    return f'{moment + timedelta(hours=offset):%Y-%m-%d %H:%M}{offset:+03d}:00,{y:.2f},{x:.2f},{pressure}\n'


def _winds(rng, right):
    lines = ['station,report,direction,speed,unit']
    for code in sorted(right):
        middle = int(rng.integers(-25, 26))
        for report in range(1, 13):
            direction = int(round(middle + float(rng.normal(0, 30)))) % 360
            speed = int(rng.integers(5, 30))
            unit = 'kn' if rng.random() < 0.5 else 'km/h'
            speed = speed if unit == 'kn' else int(round(speed * 1.852))
            if report in (4, 9):
                direction, speed = 999, 0
            elif report in (6, 7):
                direction = 999
            lines.append(f'{code},{report},{direction},{speed},{unit}')
    return '\n'.join(lines) + '\n'
