"""The content of an axes as series: kind, label, columns. Part of `plot_objects.py`.

Kinds: line, level (a straight line across the axes), scatter, bar, barh, box, boxh, pie, image, segments, error (error
bars), fill, contour, hexbin, quiver, surface, arrow, patch, field (values over a plane). Histograms are bars, even if
only their outline is drawn.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import plot_shapes as shapes
from plot_fields import contours
from plot_images import image, mesh
from plot_points import Names, cloud, colour_of, seen, tints
from plot_values import SAMPLED, Series, clean, finite_rows, floats, made, np

ARTISTS = 500
"""Most artists of each sort that are read in an axes."""
ACROSS = 0.85
"""Share of the view from which on a straight line counts as one across the axes."""
ROUNDING = 1e-9
"""Tolerance for the number of a period, and for an angle."""
FEW = 50
"""Curves with fewer points keep the neighbours of the points in view."""
STYLES = {'-': 'solid', '--': 'dashed', ':': 'dotted', '-.': 'dashdot'}


class Reader:
    """Reads one axes of matplotlib; `names` are the texts of its legends by colour."""

    def __init__(self, axes: Any, names: Names) -> None:
        self.axes, self.names = axes, names
        self.labels = {id(part): _own_label(one) for one in axes.containers for part in _parts(one) if _own_label(one)}
        self.taken: set[int] = set()
        self.drawn = {id(patch) for patch in axes.patches if seen(patch)}

    def series(self) -> list[Series]:
        containers = self.axes.containers[:ARTISTS]
        barred = [one for one in containers if hasattr(one, 'patches') and hasattr(one, 'orientation')]
        bars = [self._bars(one, those) for one in barred for those in self._by_name(one)]
        errors = [self._error(one) for one in containers if type(one).__name__ == 'ErrorbarContainer']
        self.taken |= {id(one.baseline) for one in self.axes.containers if type(one).__name__ == 'StemContainer'}
        lines, patches = self._visible(self.axes.lines), self._visible(self.axes.patches)
        found_boxes, lines, patches = shapes.boxes(lines, patches, self.label)
        outlines = [(patch, self._outline(patch)) for patch in patches]
        bars += [bar for _, bar in outlines if bar is not None]
        rest = [patch for patch, bar in outlines if bar is None]
        lines = [line for line in lines if not self._on_a_mark(line, bars, lines, errors)]
        if errors:  # the longest one goes nearly across the axes
            lines = [line for line in lines if not self._on_a_mark(line, bars, lines, errors, long=True)]
        dots = [line for line in lines if not _has_line(line)]
        collections = self._visible(self.axes.collections)
        points = [*(part for part in collections if _is_points(part)), *(dot for dot in dots if _has_marker(dot))]
        found: list[Any] = [
            *bars,
            *found_boxes,
            *(self._line(line) for line in lines if _has_line(line)),
            cloud(self.axes, points, {id(part): self.own(part) for part in points}, self.names, self._dated),
            *errors,
            *(self._collection(part) for part in collections if not _is_points(part)),
            *(image(self.axes, one, '') for one in self._visible(self.axes.images)),
            *self._pies(rest),
            *(
                self._patch(patch)
                for patch in rest
                if not hasattr(patch, 'theta1') and type(patch).__name__ != 'Shadow'
            ),
        ]
        return [series for series in found if series is not None and series['size']]

    def own(self, artist: Any) -> str:
        """The label that the code gave to an artist or its container."""
        return _own_label(artist) or self.labels.get(id(artist), '')

    def label(self, artist: Any) -> str:
        """The text in the legend for an artist's colour, else its own label."""
        return clean(self.names.get(colour_of(artist), '')) or self.own(artist)

    def _visible(self, artists: Any) -> list[Any]:
        return [one for one in artists if id(one) not in self.taken and seen(one)][:ARTISTS]

    # Bars.

    def _by_name(self, container: Any) -> list[list[Any]]:
        """A container's visible bars; where they have no common label, by the legend's names of their colours.

        seaborn.objects has one container for all colours.
        """
        self.taken |= {id(patch) for patch in container.patches}
        bars = [bar for bar in container.patches if id(bar) in self.drawn]
        named: dict[str, list[Any]] = {}
        for bar in bars:
            named.setdefault(clean(self.names.get(colour_of(bar), '')), []).append(bar)
        own = {label for bar in bars if (label := self.own(bar))}
        return [bars] if len(own) == 1 else list(named.values())

    def _bars(self, container: Any, bars: list[Any]) -> Series:
        sides = [(bar.get_x(), bar.get_y(), bar.get_width(), bar.get_height()) for bar in bars]
        label = self.label(bars[0]) or _own_label(container)
        if container.orientation == 'horizontal':
            rows = [(y + height / 2, width, x) for x, y, width, height in sides]
            return made('barh', _columns(rows, 3), label, **_look(bars))
        columns = _columns([(x + width / 2, height, y) for x, y, width, height in sides], 3)
        return made('bar', [self._dated(columns[0]), *columns[1:]], label, **_look(bars))

    def _dated(self, column: Any) -> Any:
        """Convert numbers of periods to days, if the axis has periods."""
        periods = frequency(self.axes)
        return column if periods is None else days(floats(column), periods)

    def _in_days(self, corners: Any) -> Any:
        """Convert the numbers of periods in rows of x and y."""
        return np.column_stack([self._dated(corners[:, 0]), corners[:, 1:]])

    def _outline(self, patch: Any) -> Series | None:
        """The bars behind a stepped outline: a histogram of the type `step`, or `stairs`."""
        if type(patch).__name__ == 'StepPatch':
            values, edges, base = patch.get_data()
            rows = shapes.steps(edges, values, np.resize(0.0 if base is None else base, len(values)))
            kind = 'bar' if patch.orientation == 'vertical' else 'barh'
        elif type(patch).__name__ == 'Polygon' and len(patch.get_xy()) >= 6:
            kind, rows = shapes.of_polygon(patch.get_xy())
        else:
            return None
        return made(kind, _columns(rows, 3), self.label(patch), **_look([patch])) if rows else None

    def _error(self, container: Any) -> Series | None:
        _, caps, spans = container.lines
        self.taken |= {id(part) for part in (*caps, *spans)}
        return shapes.segments('error', [segment for part in spans if seen(part) for segment in part.get_segments()])

    def _on_a_mark(
        self, line: Any, bars: list[Series], lines: list[Any], errors: list[Any], long: bool = False
    ) -> bool:
        """Whether a line is the error bar of a bar or a point, as seaborn draws it; if so, it joins `errors`.

        A `long` one may be as long as a straight line across the axes, if it ends inside them.
        """
        if hasattr(line, 'get_data_3d') or not _has_line(line) or not 2 <= len(line.get_xdata()) <= 12:
            return False
        x, y = self._on_axes(line, [floats(column) for column in line.get_data(orig=False)])
        views = ((x, self.axes.get_xlim()), (y, self.axes.get_ylim()))
        inside = all(min(view) < column.min() and column.max() < max(view) for column, view in views)
        if self._level([x, y]) and not (long and inside):
            return False
        for kind, along, across in (('bar', x, y), ('barh', y, x)):
            span = shapes.upright(along, across)
            if span and (shapes.on_bars(span, bars, kind) or shapes.on_corners(span, line, lines, kind)):
                middle, low, high = span
                ends = [(middle, low), (middle, high)] if kind == 'bar' else [(low, middle), (high, middle)]
                errors.append(shapes.segments('error', [ends]))
                return True
        return False

    # Lines.

    def _line(self, line: Any) -> Series | None:
        if hasattr(line, 'get_data_3d'):
            columns = [floats(column) for column in line.get_data_3d()]
            return made('line', columns, self.label(line), fields=list('xyz'))
        columns = self._on_axes(line, _stepped(line))
        if self.axes.name == 'polar' and len(columns[0]) == 2:
            columns[0] = _ray(columns[0], columns[1], self.axes.get_rmin(), min(self.axes.get_xlim()))
        fields = ['x', 'y']
        level = self._level(columns) if len(columns[0]) else None
        if frequency(self.axes) is not None:
            columns[0], fields = self._dated(columns[0]), ['period', 'y']
        columns = self._in_view(columns)
        if not len(columns[0]):
            return None
        look = {'style': STYLES.get(line.get_linestyle(), ''), 'tints': tints([line])}
        if level:
            return level | look
        return made('line', columns, self.label(line), fields=fields, marked=_has_marker(line), **look)

    def _on_axes(self, line: Any, columns: list[Any]) -> list[Any]:
        """The data of a line; a coordinate that is a share of the axes (`axhline`, `axvline`) is converted."""
        views = self.axes.get_xlim(), self.axes.get_ylim()
        shares = self.axes.get_yaxis_transform(which='grid'), self.axes.get_xaxis_transform(which='grid')
        transform = line.get_transform()
        for place, (view, share) in enumerate(zip(views, shares, strict=True)):
            if transform == share:
                columns[place] = view[0] + columns[place] * (view[1] - view[0])
        return columns

    def _in_view(self, columns: list[Any]) -> list[Any]:
        """The part of a curve in the view, without missing values at its ends."""
        low, high = sorted(view_of(self.axes.xaxis))
        slack = 1e-9 * (high - low)
        there = finite_rows(columns) & (columns[0] >= low - slack) & (columns[0] <= high + slack)
        places = np.flatnonzero(there)
        if not len(places):
            return [column[:0] for column in columns]
        more = 1 if len(columns[0]) < FEW else 0  # with few points, the pieces to the next ones are visible
        cut = slice(max(places[0] - more, 0), places[-1] + 1 + more)
        inner = np.flatnonzero(finite_rows([column[cut] for column in columns]))
        return [column[cut][inner[0] : inner[-1] + 1] for column in columns]

    def _level(self, columns: list[Any]) -> Series | None:
        """A straight line across the axes as its place: x or y, the other is missing; else None."""
        for place, view in ((0, self.axes.get_xlim()), (1, self.axes.get_ylim())):
            other = columns[1 - place]
            if not len(other) or (other[1:] != other[0]).any():
                continue
            inside = np.clip(columns[place], min(view), max(view))
            if np.ptp(inside) >= ACROSS * abs(view[1] - view[0]):
                at = [np.array([np.nan]), np.array([np.nan])]
                at[1 - place] = self._dated(other[:1]) if place else other[:1]
                return made('level', at, fields=['x', 'y'])
        return None

    # Areas and others.

    def _collection(self, part: Any) -> Series | None:
        names = {kind.__name__ for kind in type(part).__mro__}
        if names & {'QuadMesh', 'PolyQuadMesh'}:  # the latter is what pcolor makes
            return mesh(self.axes, part, '')
        offsets = part.get_offsets()
        if len(offsets) > 1 or bool(len(offsets) and offsets.any()):
            return _placed('quiver' if 'Quiver' in names else 'hexbin', part, offsets)
        if 'Poly3DCollection' in names:
            return _surface(part, self.label(part))
        if hasattr(part, '_segments3d'):
            return shapes.segments('segments', part._segments3d, self.label(part))
        if 'LineCollection' in names:
            return self._segment_lines(part)
        vertices = [path.vertices for path in part.get_paths()[:ARTISTS] if len(path.vertices)]
        if not vertices:
            return None
        if 'ContourSet' in names:
            return contours(part, self.label(part))
        area = self._fill(vertices, self.label(part))
        return area and area | {'tints': tints([part])}

    def _fill(self, outlines: list[Any], label: str) -> Series | None:
        """An area between two curves, as its lower and upper end at each place; other shapes as their outlines."""
        outlines = [outline for outline in outlines if np.ptp(outline, axis=0).all()] or outlines
        ways = [(along, [shapes.between(outline, along) for outline in outlines]) for along in (0, 1)]
        whole = [(along, spans) for along, spans in ways if all(one is not None for one in spans)]
        if whole:
            along, spans = min(whole, key=lambda way: sum(shapes.alone(outline, way[0]) for outline in outlines))
            columns = list(shapes.apart(spans))
            columns[0] = self._dated(columns[0]) if along == 0 else columns[0]
            columns = self._in_view(columns) if along == 0 else columns
            return made('fill', columns, label, fields=['xy'[along], 'low', 'high']) if len(columns[0]) else None
        return made('fill', shapes.apart(outlines), label, fields=['x', 'y'])

    def _segment_lines(self, part: Any) -> Series | None:
        """Line segments; a single straight line across the axes is a level."""
        pieces = [floats(segment) for segment in part.get_segments()[:ARTISTS] if len(segment)]
        level = self._level([pieces[0][:, 0], pieces[0][:, 1]]) if len(pieces) == 1 else None
        return level or shapes.segments('segments', map(self._in_days, pieces), self.label(part))

    def _pies(self, patches: list[Any]) -> Iterator[Series]:
        """Pies: the shares and names of all wedges of one radius, but for a whole one that makes the hole of a ring."""
        wedges = [patch for patch in patches if hasattr(patch, 'theta1')]
        holes = [(disc, one.r) for disc in filter(_is_disc, patches) for one in wedges if shapes.is_hole(disc, one)]
        inner = [disc for disc, _ in holes]
        for radius in dict.fromkeys(wedge.r for wedge in wedges if wedge not in inner):
            ring = [wedge for wedge in wedges if wedge.r == radius]
            shares = [(wedge.theta2 - wedge.theta1) / 360 for wedge in ring]
            hollow = all(wedge.width and wedge.width < radius for wedge in ring) or radius in {r for _, r in holes}
            look = {'style': 'ring' if hollow else 'filled', 'tints': tints(ring)}
            yield made('pie', [shares], names=[self.label(wedge) for wedge in ring], **look)

    def _patch(self, patch: Any) -> Series | None:
        """The outline of a patch; None without extent, as seaborn's patches for legends are."""
        ends = shapes.arrow(patch)
        if ends is not None:
            return made('arrow', [[float(end)] for end in ends], self.label(patch))
        vertices = patch.get_patch_transform().transform(patch.get_path().vertices)
        there = (vertices != vertices[:1]).any()
        return made('patch', self._in_days(vertices).T, self.label(patch), fields=['x', 'y']) if there else None


def _own_label(artist: Any) -> str:
    label = clean(artist.get_label())
    return '' if label.startswith('_') else label


def _parts(container: Any) -> Iterator[Any]:
    """The artists of a container, also those in tuples."""
    for part in container:
        if isinstance(part, (tuple, list)):
            yield from part
        elif part is not None:
            yield part


def _look(patches: list[Any]) -> dict[str, Any]:
    """The colours of bars, and whether they are filled."""
    empty = all(not patch.get_fill() or not patch.get_facecolor()[3] for patch in patches)
    return {'style': 'outline' if empty else 'filled', 'tints': tints(patches)}


def _is_disc(patch: Any) -> bool:
    """Whether a patch is a filled circle, as which a whole wedge without a name shows, too."""
    if type(patch).__name__ != 'Circle':
        turn = patch.theta2 - patch.theta1 if hasattr(patch, 'theta1') and not patch.width else 0
        if turn < 360 * (1 - ROUNDING) or _own_label(patch):
            return False
    return _look([patch])['style'] == 'filled'


def _is_points(part: Any) -> bool:
    if 'PathCollection' not in {kind.__name__ for kind in type(part).__mro__}:
        return hasattr(part, '_offsets3d')
    offsets = part.get_offsets()
    return len(offsets) > 1 or bool(len(offsets) and offsets.any()) or bool(len(part.get_sizes()))


def _has_line(line: Any) -> bool:
    return line.get_linestyle() not in ('None', ' ', '') and line.get_linewidth() > 0


def _has_marker(line: Any) -> bool:
    return line.get_marker() not in (None, 'None', ' ', '')


def _columns(rows: list[Any], width: int) -> list[list[float]]:
    return [[row[column] for row in rows] for column in range(width)]


def _stepped(line: Any) -> list[Any]:
    """The corners of a line, including those of steps."""
    columns = [floats(column) for column in line.get_data(orig=False)]
    style = line.get_drawstyle()
    if style == 'default' or len(columns[0]) < 2:
        return columns
    from matplotlib.cbook import STEP_LOOKUP_MAP

    corners = [floats(column) for column in STEP_LOOKUP_MAP[style](*columns)]
    corners = corners if len(corners[0]) <= SAMPLED else shapes.without_idle(corners)
    return corners if len(corners[0]) <= SAMPLED else shapes.without_feet(corners)  # samples of them would differ


def _ray(angles: Any, radii: Any, centre: float, first: float) -> Any:
    """The angles of both ends of a polar line.

    Those of a ray are turned into view; an end at the centre takes the angle of the other end.
    """
    angles = np.where((radii == centre) & (radii[::-1] != centre), angles[::-1], angles)
    begin = first - ROUNDING
    return (angles - begin) % (2 * np.pi) + begin if angles[0] == angles[1] else angles


def days(ordinals: Any, frequency: Any) -> Any:
    """The days at which periods begin, as matplotlib counts days; pandas draws time series by period numbers."""
    pandas = sys.modules['pandas']
    there = np.isfinite(ordinals)
    whole = np.floor(ordinals[there] + ROUNDING)
    starts = (_periods((whole + more).astype(int), frequency).to_timestamp() for more in (0, 1))
    begin, end = ((start - pandas.Timestamp(0)) / pandas.Timedelta(days=1) for start in starts)
    days = np.full(len(ordinals), np.nan)
    days[there] = begin + (ordinals[there] - whole).round(6) * (end - begin)
    return days


def _periods(ordinals: Any, frequency: Any) -> Any:
    pandas = sys.modules['pandas']
    if hasattr(pandas.PeriodIndex, 'from_ordinals'):
        return pandas.PeriodIndex.from_ordinals(ordinals, freq=frequency)
    return pandas.PeriodIndex(ordinal=ordinals, freq=frequency)  # pandas before 2.2


def frequency(axes: Any) -> Any:
    """The frequency of the periods whose numbers pandas has put on the x axis; None without periods.

    Of durations it puts the numbers of nanoseconds.
    """
    if type(axes.xaxis.get_major_formatter()).__name__ == 'TimeSeries_TimedeltaFormatter':
        return None
    found = getattr(axes, 'freq', None)
    return getattr(axes.xaxis, 'freq', None) if found is None else found


def view_of(axis: Any) -> Any:
    view = axis.get_view_interval()
    periods = frequency(axis.axes) if axis.axis_name == 'x' else None
    return view if periods is None else days(np.asarray(view), periods)


def _placed(kind: str, part: Any, offsets: Any) -> Series:
    values = [part.U, part.V] if kind == 'quiver' else [part.get_array()]
    whole = [np.ravel(value) for value in values if value is not None and np.size(value) == len(offsets)]
    return made(kind, [*offsets.T, *whole])


def _surface(part: Any, label: str) -> Series:
    """The corners of a surface in space, wherever this version of matplotlib keeps them."""
    corners = getattr(part, '_vec', None)
    if corners is None:
        there = ~np.broadcast_to(getattr(part, '_invalid_vertices', False), part._faces.shape[:2])
        corners = part._faces[there].T
    return made('surface', corners[:3], label)
