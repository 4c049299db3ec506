"""Numbers and texts of a plot, prepared for JSON within bounds. Part of `plot_objects.py`."""

from __future__ import annotations

import sys
from typing import Any

SAMPLED = 400
"""Most points of a series; a smaller sample has every second, fourth, … of these."""
SORTED = 200_000
"""Most points that are sorted before sampling; more take too long."""
LETTERS = 200
"""Characters kept of a text."""
DIGITS = 10
"""Significant digits of a number."""

Series = dict[str, Any]


class Numpy:
    """The numpy that the code has imported; a kernel that draws nothing need not import it."""

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.modules['numpy'], name)


np: Any = Numpy()


def floats(column: Any) -> Any:
    """A column as floats; masked values are NaN."""
    if type(column) is np.ndarray:
        return column.astype(float)
    return np.ma.filled(np.ma.asarray(column).astype(float), np.nan)


def unmasked(array: Any) -> Any:
    """A plain array, whose parts cost less, unless values are masked."""
    return array if np.ma.is_masked(array) else np.ma.getdata(array, subok=False)


def number(value: Any) -> Any:
    """A number for JSON; None if it is not finite."""
    rounded = float(f'{value:.{DIGITS}g}')
    return rounded if abs(rounded) < float('inf') else None


def numbers(column: Any) -> list[Any]:
    return [number(value) for value in floats(column).tolist()]


def clean(text: Any) -> str:
    """`text` as one short line, without lone surrogates."""
    return ' '.join(str(text)[:LETTERS].encode('utf-8', 'replace').decode().split()) if text is not None else ''


def text_of(artist: Any) -> str:
    return clean(artist.get_text()) if artist is not None else ''


def made(kind: str, columns: Any, label: str = '', **more: Any) -> Series:
    """A series; its columns may be anything from which numpy can make an array."""
    return {'kind': kind, 'label': label, 'size': min(map(len, columns)), 'columns': list(columns), **more}


def sampled(series: Series, points: int) -> Series:
    """A series for JSON: up to `points` of its points, and statistics of all points.

    Points without an order are sorted first, so that equal clouds give equal samples.
    """
    if series['kind'] == 'image':  # its columns have a fixed number of cells
        return series
    if series['kind'] == 'field':
        return _coarser(series, SAMPLED // points)
    size, columns = series['size'], [column[: series['size']] for column in series['columns']]
    taken = _taken(size, points)
    if series['kind'] in UNORDERED and size <= SORTED:
        columns = [floats(column) for column in columns]
        taken = _order(columns)[taken]
    kept = {name: [series[name][place] for place in taken] for name in ('names', 'groups') if series.get(name)}
    if len(series.get('tints', ())) == size > 1 and not series.get('groups'):  # one for each point, not for each group
        kept['tints'] = [series['tints'][place] for place in taken]
    return {
        **series,
        'columns': [numbers(np.ma.asarray(column)[taken]) for column in columns],
        'stats': series.get('stats') or [_summary(column) for column in columns],
        **kept,
    }


def _coarser(series: Series, step: int) -> Series:
    """A field with every second, fourth, … of its rows and columns."""
    many, step = len(series['columns']), min(step, 4)
    values = np.reshape(series['columns'], series['shape'])[step // 2 :: step, step // 2 :: step]
    columns = [numbers(column) for column in values.reshape(many, -1)]
    return {**series, 'columns': columns, 'shape': [*values.shape], 'size': int(values.size)}


UNORDERED = ('scatter', 'segments', 'error')


def _taken(size: int, points: int) -> Any:
    taken = np.linspace(0, size - 1, min(size, SAMPLED)).round().astype(int)
    while len(taken) > points:
        taken = taken[::2]
    return taken


def _order(columns: list[Any]) -> Any:
    """The order by the columns in turn, rounded, so that numerical noise changes nothing."""
    rough = []
    for column in columns:
        finite = column[np.isfinite(column)]
        width = float(np.ptp(finite)) if finite.size else 0.0
        rough.append((column / (width or 1.0)).round(9))
    return np.lexsort(rough[::-1])


def _summary(column: Any) -> list[Any]:
    values = floats(column)
    values = values[np.isfinite(values)]
    if not values.size:
        return [None] * 4
    return [number(value) for value in (values.min(), values.max(), values.mean(), values.std())]


def finite_rows(columns: Any) -> Any:
    """Which rows of a table have a finite number in every column."""
    return np.isfinite(np.array([floats(column) for column in columns])).all(0)
