"""What a matplotlib figure shows, as JSON that goes with its PNG. Imports nothing of the package, nor matplotlib.

A figure is described when IPython formats it, before it is drawn; what is read of it changes nothing of it. The form
is `Plot` in schema.py. A figure that cannot be described is shown without a description.

Known kinds of series: line, scatter, bar, barh, box, boxh, pie, image, lines, fill, contour, hexbin, quiver, surface,
patch. Bars of histograms are bars. Of many points, a fixed number is taken at even distances; if fewer have to do,
every second, fourth, … of those.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Iterator
from typing import Any

MIME = 'application/vnd.cibench.plot+json'
SIZE = 300_000
"""Characters of a description: three quarters of what the harness takes, which writes some numbers longer."""
POINTS = (200, 50, 20)
"""Points of a series, at most: so many that the description has its size."""
AXES, SERIES, ARTISTS, TICKS = 20, 50, 500, 100
"""Read of a figure, kept of an axes, read of each sort of artist in an axes, kept of an axis and of a legend."""
LETTERS = 200
"""Characters kept of a text."""
SORTED = 200_000
"""Points that are sorted before some are taken; more of them take too long."""
DIGITS = 10
"""Significant digits of a number."""
CORNERS = (5, 6)
"""Points of the outline of a box, which is closed once or twice."""

Series = dict[str, Any]


def attach(shell: Any) -> None:
    """Have the figures that `shell` shows described; matplotlib need not be imported, and is not."""
    shell.display_formatter.mimebundle_formatter.for_type_by_name('matplotlib.figure', 'Figure', bundle)


def bundle(figure: Any) -> dict[str, str]:
    """The description of a figure by its MIME type; nothing where there is none within SIZE."""
    try:
        texts = (json.dumps(describe(figure, points), separators=(',', ':'), allow_nan=False) for points in POINTS)
        return next(({MIME: text} for text in texts if len(text) <= SIZE), {})
    except Exception:  # noqa: BLE001  (artists are whatever the code made of them)
        return {}


def describe(figure: Any, points: int = POINTS[0]) -> dict[str, Any]:
    """The description of a figure with up to `points` points of each series."""
    legends = [text for legend in figure.legends for text in _entries(legend)]
    shown = [axes for axes in figure.axes[:AXES] if axes.get_visible() and axes.get_label() != '<colorbar>']
    return {'title': _text(figure._suptitle), 'axes': [_axes(axes, legends, points) for axes in shown]}


def _axes(axes: Any, legends: list[str], points: int) -> dict[str, Any]:
    titles = [_clean(axes.get_title(loc=place)) for place in ('left', 'center', 'right')]
    legend = axes.get_legend()
    return {
        'title': ' '.join(filter(None, titles)),
        'x': _axis(axes.xaxis),
        'y': _axis(axes.yaxis),
        'z': _axis(axes.zaxis) if hasattr(axes, 'zaxis') else None,
        'legend': (_entries(legend) if legend is not None else legends)[:TICKS],
        'series': [_sampled(series, points) for series in _series(axes)[:SERIES]],
    }


def _axis(axis: Any) -> dict[str, Any]:
    places = [pair for pair in _ticks(axis) if pair[1]][:TICKS]
    return {
        'label': _clean(axis.get_label_text()),
        'scale': _clean(axis.get_scale()),
        'categorical': _categories(axis) is not None,
        'ticks': [_number(place) for place, _ in places],
        'tick_labels': [label for _, label in places],
    }


def _categories(axis: Any) -> Any:
    """Category -> its place, None where the axis has no categories."""
    return getattr(axis.units, '_mapping', None)


def _ticks(axis: Any) -> list[tuple[float, str]]:
    """Finite place and label of the ticks whose labels were given; those that follow from the numbers say nothing."""
    formatter, locator = axis.get_major_formatter(), axis.get_major_locator()
    given = getattr(getattr(formatter, 'func', None), 'args', ())
    pairs: Iterable[tuple[Any, Any]] = ()
    if given and isinstance(given[0], dict):
        pairs = given[0].items()
    elif hasattr(formatter, 'seq') and hasattr(locator, 'locs'):
        pairs = zip(locator.locs, formatter.seq, strict=False)
    elif _categories(axis):
        pairs = ((place, label) for label, place in _categories(axis).items())
    return sorted((float(place), _clean(label)) for place, label in pairs if math.isfinite(place))


def _entries(legend: Any) -> list[str]:
    return list(filter(None, [_text(legend.get_title()), *(_text(text) for text in legend.get_texts())]))


# Series.


def _series(axes: Any) -> list[Series]:
    """What is drawn in an axes, sort by sort."""
    bars, inside = [], set()
    for container in axes.containers[:ARTISTS]:
        if hasattr(container, 'patches') and hasattr(container, 'orientation'):
            bars.append(_bars(container))
            inside |= {id(patch) for patch in container.patches}
    labels = {id(part): _label(container) for container in axes.containers for part in container}
    patches = [patch for patch in axes.patches if id(patch) not in inside and patch.get_visible()][:ARTISTS]
    lines = [line for line in axes.lines if line.get_visible()][:ARTISTS]
    boxes, lines, patches = _boxes(lines, patches)
    found: list[Any] = [
        *bars,
        *boxes,
        *(_line(line, labels.get(id(line), '')) for line in lines),
        *(_collection(part) for part in axes.collections[:ARTISTS] if part.get_visible()),
        *(_image(image, image.get_array()) for image in axes.images[:ARTISTS] if image.get_visible()),
        *_pies(patches),
        *(_patch(patch) for patch in patches if not hasattr(patch, 'theta1')),
    ]
    return [series for series in found if series is not None and series['size']]


def _made(kind: str, artist: Any, columns: Any, label: str = '', **more: Any) -> Series:
    return {
        'kind': kind,
        'label': label or _label(artist),
        'size': min(len(column) for column in columns),
        'shape': [],
        'columns': list(columns),
        'names': [],
        **more,
    }


def _bars(container: Any) -> Series:
    """Centre, length and base of each bar."""
    sides = [(bar.get_x(), bar.get_y(), bar.get_width(), bar.get_height()) for bar in container.patches]
    if container.orientation == 'horizontal':
        rows = [(y + height / 2, width, x) for x, y, width, height in sides]
        return _made('barh', container, _turned(rows, 3))
    return _made('bar', container, _turned([(x + width / 2, height, y) for x, y, width, height in sides], 3))


def _turned(rows: list[Any], width: int) -> list[list[float]]:
    return [[row[column] for row in rows] for column in range(width)]


def _line(line: Any, label: str) -> Any:
    drawn = line.get_linestyle() not in ('None', ' ', '')
    marked = line.get_marker() not in (None, 'None', ' ', '')
    if not drawn and not marked:
        return None
    columns = line.get_data_3d() if hasattr(line, 'get_data_3d') else line.get_data(orig=False)
    seen = all(_numpy().isfinite(column).any() for column in columns)
    return _made('line' if drawn else 'scatter', line, columns, label) if seen else None


def _patch(patch: Any) -> Any:
    """The corners of a patch; those that seaborn makes for its legends have no extent."""
    vertices = patch.get_patch_transform().transform(patch.get_path().vertices)
    return _made('patch', patch, vertices.T) if (vertices != vertices[:1]).any() else None


def _pies(patches: list[Any]) -> Iterator[Series]:
    """The wedges of one radius are a pie: their shares, with their names."""
    wedges = [patch for patch in patches if hasattr(patch, 'theta1')]
    for radius in dict.fromkeys(wedge.r for wedge in wedges):
        ring = [wedge for wedge in wedges if wedge.r == radius]
        shares = [(wedge.theta2 - wedge.theta1) / 360 for wedge in ring]
        yield _made('pie', ring[0], [shares], label=' ', names=[_label(wedge) for wedge in ring])


def _collection(part: Any) -> Any:
    names = {kind.__name__ for kind in type(part).__mro__}
    if 'QuadMesh' in names:
        return _image(part, part.get_array(), tuple(size - 1 for size in part._coordinates.shape[:2]))
    if hasattr(part, '_offsets3d'):
        return _made('scatter', part, part._offsets3d)
    offsets = part.get_offsets()
    placed = len(offsets) > 1 or bool(len(offsets) and offsets.any())
    if placed and 'PathCollection' in names:
        return _made('scatter', part, offsets.T)
    if placed:
        return _placed('quiver' if 'Quiver' in names else 'hexbin', part, offsets)
    if 'Poly3DCollection' in names:
        return _surface(part)
    kind = 'lines' if 'LineCollection' in names else 'contour' if 'ContourSet' in names else 'fill'
    vertices = [path.vertices for path in part.get_paths()[:ARTISTS] if len(path.vertices)]
    return _made(kind, part, _numpy().concatenate(vertices).T) if vertices else None


def _placed(kind: str, part: Any, offsets: Any) -> Series:
    """Signs at places, with the values that they stand for."""
    values = [part.U, part.V] if kind == 'quiver' else [part.get_array()]
    whole = [_numpy().ravel(value) for value in values if value is not None and _numpy().size(value) == len(offsets)]
    return _made(kind, part, [*offsets.T, *whole])


def _surface(part: Any) -> Any:
    """The corners of a surface in space, where this version of matplotlib keeps them."""
    corners = getattr(part, '_vec', None)
    if corners is None:
        corners = part._faces.reshape(-1, 3).T
    return _made('surface', part, corners[:3])


def _image(artist: Any, array: Any, shape: tuple[int, ...] = ()) -> Any:
    if array is None:
        return None
    shape = shape if array.ndim == 1 else array.shape
    return _made('image', artist, [array.reshape(-1)], shape=[int(size) for size in shape])


# Box plots are lines to matplotlib: rectangles with lines out of the middle of two sides.


def _boxes(lines: list[Any], patches: list[Any]) -> tuple[list[Series], list[Any], list[Any]]:
    """The box plots, and the lines and patches that are none of their parts."""
    found: list[Series] = []
    for kind, turn in (('box', 1), ('boxh', -1)):
        shapes = {id(line): line.get_xydata()[:, ::turn] for line in lines if len(line.get_xydata())}
        shapes.update({id(patch): patch.get_path().vertices[:, ::turn] for patch in _rectangles(patches)})
        spans = {key: (*shape.min(0), *shape.max(0)) for key, shape in shapes.items()}
        boxes = [_box(key, shape, spans) for key, shape in shapes.items() if len(shape) in CORNERS]
        boxes = [box for box in boxes if box is not None]
        if boxes:
            found.append(_made(kind, None, _turned(sorted(row for row, _ in boxes), 6)))
            parts = {part for _, those in boxes for part in those}
            lines = [line for line in lines if id(line) not in parts]
            patches = [patch for patch in patches if id(patch) not in parts]
    return found, lines, patches


def _rectangles(patches: list[Any]) -> list[Any]:
    """Patches that are paths of so many points as boxes with a face are."""
    paths = [patch for patch in patches if type(patch).__name__ == 'PathPatch']
    return [patch for patch in paths if len(patch.get_path().vertices) in CORNERS]


def _box(key: int, shape: Any, spans: dict[int, tuple[float, ...]]) -> Any:
    """Place, lower end, quartiles and upper end of the box that an upright rectangle is, with the ids of its parts."""
    left, low, right, high = spans[key]
    middle, slack = (left + right) / 2, 1e-6 * (right - left)
    upright = all(min(abs(x - left), abs(x - right)) <= slack for x in shape[:, 0])
    if not upright or right <= left or len(set(shape[:, 1])) > 2:
        return None
    parts = {one: s for one, s in spans.items() if s[0] >= left - slack and s[2] <= right + slack and one != key}
    whiskers = [s for s in parts.values() if s[2] - s[0] <= slack and (s[1] == high or s[3] == low)]
    across = [s[1] for s in parts.values() if s[1] == s[3] and s[2] - s[0] >= (right - left) - 2 * slack]
    medians = [place for place in across if low <= place <= high]
    if len(whiskers) < 2 or not medians:
        return None
    ends = min(s[1] for s in whiskers), max(s[3] for s in whiskers)
    return (middle, ends[0], low, medians[0], high, ends[1]), [key, *parts]


# Values.


def _numpy() -> Any:
    return sys.modules['numpy']


def _sampled(series: Series, points: int) -> Series:
    """The series with up to `points` points, as numbers; those without an order are sorted before."""
    np, size, columns = _numpy(), series['size'], series['columns']
    taken = np.linspace(0, size - 1, min(size, POINTS[0])).round().astype(int)
    while len(taken) > points:
        taken = taken[::2]
    if series['kind'] == 'scatter' and size <= SORTED:
        columns = [_floats(column[:size]) for column in columns]
        taken = np.lexsort(columns[::-1])[taken]
    return {
        **series,
        'label': series['label'].strip(),
        'columns': [[_number(value) for value in _floats(np.ma.asarray(column)[taken])] for column in columns],
        'names': [series['names'][place] for place in taken] if series['names'] else [],
    }


def _floats(column: Any) -> Any:
    """A column as floats; what is masked is not a number."""
    np = _numpy()
    return np.ma.filled(np.ma.asarray(column).astype(float), np.nan)


def _number(value: Any) -> Any:
    """A number for JSON, None where it is none."""
    number = float(f'{value:.{DIGITS}g}')
    return number if abs(number) < float('inf') else None


def _label(artist: Any) -> str:
    label = _clean(artist.get_label()) if artist is not None else ''
    return '' if label.startswith('_') else label


def _text(artist: Any) -> str:
    return _clean(artist.get_text()) if artist is not None else ''


def _clean(text: Any) -> str:
    """`text` as one short line that any file can hold."""
    return ' '.join(str(text)[:LETTERS].encode('utf-8', 'replace').decode().split()) if text is not None else ''
