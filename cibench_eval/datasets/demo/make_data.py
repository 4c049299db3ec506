"""Rebuilds `datasources/data`: public files out of PyPI wheels, and two generated tables.

    pip download --no-deps -d WHEELS palmerpenguins==0.1.6 vega_datasets==0.9.0 scikit-image==0.26.0
    python make_data.py WHEELS

The generated tables are the work of this script alone (`random` with a fixed seed, the same on every
platform) and are given to the public domain under CC0 1.0. Origins and licences: `datasources/README.md`.
"""

from __future__ import annotations

import csv
import math
import random
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

DATA = Path(__file__).parent / 'datasources' / 'data'
PUBLIC = {
    'penguins.csv': ('palmerpenguins-0.1.6-*.whl', 'palmerpenguins/data/penguins.csv'),
    'iowa-electricity.csv': ('vega_datasets-0.9.0-*.whl', 'vega_datasets/_data/iowa-electricity.csv'),
    'seattle-weather.csv': ('vega_datasets-0.9.0-*.whl', 'vega_datasets/_data/seattle-weather.csv'),
    'camera.png': ('scikit_image-0.26.0-*.whl', 'skimage/data/camera.png'),
}
RENT_PER_SQUARE_METRE = {'滨江': 92.0, '城东': 64.0, '高新': 78.0, '老城': 70.0}


def public_file(name: str, wheels: Path) -> bytes:
    """The bytes of a public data file, out of its wheel in the folder `wheels`."""
    pattern, member = PUBLIC[name]
    wheel = next(wheels.glob(pattern), None)
    if wheel is None:
        sys.exit(f'{wheels}: no {pattern}; see the usage in {Path(__file__).name}')
    return zipfile.ZipFile(wheel).read(member)


def oscillation(samples: int = 400, rate: float = 40.0) -> Iterator[tuple[str, str]]:
    """Displacement (mm) of a damped spring against time (s), measured with Gaussian noise."""
    draw = random.Random(20240713)
    for index in range(samples):
        t = index / rate
        clean = 12.0 * math.exp(-0.25 * t) * math.cos(2 * math.pi * 0.8 * t + 0.4)
        yield f'{t:.3f}', f'{clean + draw.gauss(0, 0.4):.4f}'


def rent(rows: int = 360) -> Iterator[tuple[str, str, str, str, str]]:
    """Flats to let: district, area (m²), floor, distance to the metro (m), monthly rent (yuan)."""
    draw = random.Random(20241021)
    for _ in range(rows):
        district = draw.choice(sorted(RENT_PER_SQUARE_METRE))
        area, floor, distance = draw.uniform(25, 130), draw.randint(1, 30), draw.randint(80, 2500)
        price = area * RENT_PER_SQUARE_METRE[district] + 12 * floor - 0.55 * distance + draw.gauss(0, 320)
        yield district, f'{area:.1f}', str(floor), str(distance), f'{max(900.0, round(price, -1)):.0f}'


def write_csv(name: str, header: Sequence[str], rows: Iterator[tuple[str, ...]]) -> None:
    with (DATA / name).open('w', encoding='utf-8', newline='') as file:
        csv.writer(file, lineterminator='\n').writerows([header, *rows])


def main(wheels: Path) -> None:
    DATA.mkdir(parents=True, exist_ok=True)
    for name in PUBLIC:
        (DATA / name).write_bytes(public_file(name, wheels))
    write_csv('oscillation.csv', ['time', 'displacement'], oscillation())
    write_csv('rent.csv', ['城区', '面积', '楼层', '地铁距离', '月租金'], rent())


if __name__ == '__main__':
    main(Path(sys.argv[1]))
