"""An island as a grid of heights and a picture of what grows on it, its towns, and what was found in the field."""

import io
import math
from collections import deque

import numpy as np
from PIL import Image

ROWS, COLUMNS, CELL = 40, 60, 0.05
CLASSES = ('water', 'field', 'forest', 'moor', 'rock')
COLOURS = ((40, 90, 170), (225, 205, 110), (50, 120, 60), (150, 95, 140), (190, 190, 190))
FOUND = {
    1: (0.9, 0.04, 0.05, 0.01),
    2: (0.05, 0.86, 0.08, 0.01),
    3: (0.2, 0.12, 0.6, 0.08),
    4: (0.04, 0.02, 0.22, 0.72),
}
LEFT, RIGHT, TOP, BOTTOM = 14, 6, 8, 10
TOWNS = 'Arnvik Belhamn Corsund Dalby Eskholm Fennick Gullby Hestavik Iverness Jorby Kvarn Lomsund'.split()


def make(rng, name, lat, lon, rise):
    while True:
        height, lake = _heights(rng, rise)
        holes = _holes(rng, height, rise)
        flooded = _flood(height, rise, False)
        low = ~np.isnan(height) & (height <= rise)
        dry = low & ~flooded
        if flooded.sum() > 60 and dry.sum() > 25 and (_flood(height, rise, True) & ~flooded).sum() >= 3:
            peaks = np.sort(height[~np.isnan(height)])[::-1]
            if peaks[0] - peaks[1] > 2 and len(TOWNS) <= (flooded | dry).sum():
                break
    cover = _cover(rng, height)
    files = {
        'heights.asc': _grid(height, holes, lat, lon),
        'cover.png': _picture(rng, cover),
        'towns.csv': _towns(rng, height, flooded, dry, lat, lon),
        'checks.csv': _checks(rng, cover, lat, lon),
        'notes.txt': NOTES.format(
            name=name,
            west=_number(lon - LEFT * CELL / 2),
            east=_number(lon + COLUMNS * CELL + RIGHT * CELL / 2),
            south=_number(lat - BOTTOM * CELL / 2),
            north=_number(lat + ROWS * CELL + TOP * CELL / 2),
            legend='\n'.join(f'  {i} {one}: {COLOURS[i]}' for i, one in enumerate(CLASSES)),
        ),
    }
    return files, {}


NOTES = """The map of {name}

Degrees: north and east are positive. A degree of latitude is 111.2 km; a degree of longitude is 111.2 km times the
cosine of the latitude of the centre of the cell (or pixel) in question.

heights.asc: a grid of square cells. xllcorner and yllcorner are the longitude and the latitude of the south-western
corner of the grid. Heights are in decimetres above the sea. The program that wrote it begins with the southernmost
row. -9999 is water: the sea, which is in one piece and reaches all edges of the grid, or a lake. -8888 is land that
was not measured; its height is the mean of the four cells that share a side with it.

cover.png: the land cover, north at the top. The picture reaches from {west} to {east} degrees of longitude and from
{south} to {north} degrees of latitude. The scanner has changed the colours a little; the legend has, by number,
{legend}

towns.csv: degrees and minutes. A town is where its point is.

checks.csv: what was found in the field. Of each class of the map but water the same number of places was drawn by lot,
each part of its area with the same chance. Some places (class ?) could not be reached, for reasons that have to do with
the weather of the day.

Water flows from a cell to the cells that share a side with it, not over corners.
"""


def _number(value):
    return f'{value:.3f}'


def _smooth(rng, rows, columns, size):
    """A field of noise with bumps of `size` cells, mean 0 and deviation 1."""
    field = rng.normal(size=(rows, columns))
    for axis in (0, 1):
        kernel = np.exp(-((np.arange(-3 * size, 3 * size + 1) / size) ** 2) / 2)
        field = np.apply_along_axis(lambda line: np.convolve(line, kernel, 'same'), axis, field)
    return (field - field.mean()) / field.std()


def _heights(rng, rise):
    """Heights in m, the first row in the north; NaN is water."""
    y, x = np.mgrid[0:ROWS, 0:COLUMNS]
    round_ = 1 - ((x - 29.5) / 27) ** 2 - ((y - 19.5) / 17) ** 2
    land = round_ + 0.16 * _smooth(rng, ROWS, COLUMNS, 3)
    hills = np.exp(0.9 * _smooth(rng, ROWS, COLUMNS, 3))
    height = np.round(np.maximum(land, 0) ** 1.7 * (40 + 160 * hills) + land * 8, 1)
    height[(land <= 0) | (round_ < -0.1)] = np.nan
    height[[0, 1, -2, -1]] = np.nan
    height[:, [0, 1, -2, -1]] = np.nan
    pockets = np.isnan(height) & ~_sea(height)
    height[pockets] = rise + 2.0
    lake = np.zeros((ROWS, COLUMNS), dtype=bool)
    row, column = int(rng.integers(14, 19)), int(rng.integers(15, 21))
    _basin(rng, height, row, column, rise, 4)
    height[row - 1 : row + 2, column - 1 : column + 1] = np.nan
    lake[row - 1 : row + 2, column - 1 : column + 1] = True
    row, column = int(rng.integers(22, 27)), int(rng.integers(38, 44))
    _basin(rng, height, row, column, rise, 4)
    _polder(rng, height, rise)
    return height, lake


def _basin(rng, height, row, column, rise, radius):
    """A hollow without a way out."""
    for i in range(row - radius, row + radius + 1):
        for j in range(column - radius, column + radius + 1):
            far = math.hypot(i - row, j - column)
            if far <= radius - 1.3:
                height[i, j] = round(float(rng.uniform(0.3, rise - 0.4)), 1)
            elif far <= radius + 0.5 and not height[i, j] > rise + 2:
                height[i, j] = round(rise + float(rng.uniform(2, 6)), 1)


def _polder(rng, height, rise):
    """Land below the sea behind a dike, which the sea touches at a corner only."""
    middle = COLUMNS // 2 + int(rng.integers(-6, 7))
    shore = max(i for i in range(ROWS) if not np.isnan(height[i, middle]))
    top = shore - 5
    height[top - 1 : top + 5, middle - 3 : middle + 4] = round(rise + 1.6, 1)
    height[top : top + 4, middle - 2 : middle + 3] = np.round(rng.uniform(-1.8, -0.3, (4, 5)), 1)
    height[top + 5 :, middle - 3 : middle + 4] = np.nan
    height[top + 4, middle + 3] = np.nan
    height[top + 3 :, middle + 4] = np.nan


def _sea(height):
    return _reached(np.isnan(height), False)


def _flood(height, rise, corners):
    return _reached(np.isnan(height) | (height <= rise), corners) & ~np.isnan(height)


def _reached(way, corners):
    """Cells that can be reached from the north-western one."""
    steps = [(0, 1), (1, 0), (0, -1), (-1, 0)] + [(1, 1), (1, -1), (-1, 1), (-1, -1)] * corners
    seen, waiting = np.zeros(way.shape, dtype=bool), deque([(0, 0)])
    seen[0, 0] = True
    while waiting:
        i, j = waiting.popleft()
        for down, right in steps:
            k, m = i + down, j + right
            if 0 <= k < ROWS and 0 <= m < COLUMNS and way[k, m] and not seen[k, m]:
                seen[k, m] = True
                waiting.append((k, m))
    return seen


def _holes(rng, height, rise):
    """Ten cells that were not measured; their height becomes the mean of their neighbours'."""
    holes = []
    while len(holes) < 10:
        i, j = int(rng.integers(3, ROWS - 3)), int(rng.integers(3, COLUMNS - 3))
        around = [height[i - 1, j], height[i + 1, j], height[i, j - 1], height[i, j + 1]]
        mean = sum(around) / 4
        if any(abs(i - k) + abs(j - m) < 4 for k, m in holes) or any(math.isnan(one) for one in around):
            continue
        if not np.isnan(height[i, j]) and (mean > rise + 0.5 and height[i, j] > rise):
            height[i, j] = mean
            holes.append((i, j))
    return holes


def _grid(height, holes, lat, lon):
    lines = [
        f'ncols {COLUMNS}',
        f'nrows {ROWS}',
        f'xllcorner {lon}',
        f'yllcorner {lat}',
        f'cellsize {CELL}',
        'NODATA_value -9999',
    ]
    for i in reversed(range(ROWS)):
        cells = []
        for j in range(COLUMNS):
            value = height[i, j]
            cells.append('-9999' if math.isnan(value) else '-8888' if (i, j) in holes else str(round(value * 10)))
        lines.append(' '.join(cells))
    return '\n'.join(lines) + '\n'


def _cover(rng, height):
    """The class of each pixel, twice as fine as the heights, with sea around."""
    fine = np.kron(height, np.ones((2, 2)))
    noise = _smooth(rng, *fine.shape, 3) + 0.012 * np.nan_to_num(fine)
    land = ~np.isnan(fine)
    bounds = np.quantile(noise[land], [0.5, 0.8, 0.92])
    classes = np.where(land, 1 + np.searchsorted(bounds, noise), 0)
    return np.pad(classes, ((TOP, BOTTOM), (LEFT, RIGHT)))


def _picture(rng, cover):
    pixels = np.array(COLOURS)[cover] + rng.integers(-14, 15, (*cover.shape, 3))
    file = io.BytesIO()
    Image.fromarray(np.clip(pixels, 0, 255).astype('uint8')).save(file, 'PNG')
    return file.getvalue()


def _place(rng, i, j, size, lat, lon):
    """A point in the cell (i, j), not near its edge."""
    y = lat + ROWS * CELL - (i + float(rng.uniform(0.25, 0.75))) * size
    return y, lon + (j + float(rng.uniform(0.25, 0.75))) * size


def _towns(rng, height, flooded, dry, lat, lon):
    """Five towns that are flooded, four that lie as low behind higher ground, three that lie high."""
    high = ~np.isnan(height) & ~flooded & ~dry
    cells = []
    for mask, number in ((flooded, 5), (dry, 4), (high, 3)):
        found = np.argwhere(mask)
        cells += [found[int(k)] for k in rng.permutation(len(found))[:number]]
    names = [TOWNS[int(k)] for k in rng.permutation(len(TOWNS))]
    lines = []
    for name, (i, j) in sorted(zip(names, cells), key=lambda row: row[0]):
        y, x = _place(rng, i, j, CELL, lat, lon)
        lines.append(f'{name},{_shown(y, "NS")},{_shown(x, "EW")}')
    return 'town,latitude,longitude\n' + '\n'.join(lines) + '\n'


def _shown(value, letters):
    tenths = round(abs(value) * 600)
    return f"{tenths // 600}°{tenths % 600 / 10:04.1f}'{letters[int(value < 0)]}"


def _checks(rng, cover, lat, lon):
    rows = []
    inner = cover[TOP:-BOTTOM, LEFT:-RIGHT]
    width = np.cos(np.radians(lat + ROWS * CELL - (np.arange(2 * ROWS) + 0.5) * CELL / 2))
    for mapped, chances in FOUND.items():
        cells = np.argwhere(inner == mapped)
        weight = width[cells[:, 0]]
        chosen = rng.choice(len(cells), 60, p=weight / weight.sum())
        for k in chosen:
            y, x = _place(rng, *cells[k], CELL / 2, lat, lon)
            found = CLASSES[1 + int(rng.choice(4, p=chances))] if rng.random() > 0.1 else '?'
            rows.append(f'{y:.4f},{x:.4f},{found}')
    return 'lat,lon,class\n' + '\n'.join(rows[int(k)] for k in rng.permutation(len(rows))) + '\n'
