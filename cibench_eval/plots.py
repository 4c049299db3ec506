"""Descriptions of figures, as records: the form in which they leave kernels, stand beside figures, and are compared.

A description comes out of the process that ran the code, so that the code may have forged it: all bounds are checked
here again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

PLOT_MIME = 'application/vnd.cibench.plot+json'
"""The MIME type of a figure's description (`Plot`) beside its PNG, in messages of kernels and in notebooks."""
PLOT_SIZE = 400_000
"""Most bytes of a description: of JSON that is read, and of JSON as `Plot.json_bytes` writes it."""
PICTURE_SIZE = 20_000
"""Most characters of the picture of one axes."""

FORMS: dict[str, Sequence[str | int]] = {
    'line': ('x y', 'period y', 'x y z'),
    'level': ('x y',),
    'scatter': tuple(
        f'{places}{more}' for places in ('x y', 'x y z') for more in ('', ' value', ' area', ' value area')
    ),
    'fill': ('x low high', 'y low high', 'x y'),
    'contour': ('x y', 'x y value'),
    'patch': ('x y',),
    **dict.fromkeys(('bar', 'barh', 'surface'), (3,)),
    **dict.fromkeys(('box', 'boxh'), (6, 8)),
    **dict.fromkeys(('error', 'segments'), (4, 6)),
    **dict.fromkeys(('image', 'field'), range(1, 9)),
    'pie': (1,),
    'hexbin': (2, 3),
    'quiver': (2, 3, 4),
    'arrow': (4,),
}
"""The columns that a series of a kind may have: their names, as in `fields`, or only their number."""

PlotText = Annotated[str, Field(max_length=200)]
Finite = Annotated[float, Field(allow_inf_nan=False)]


class PlotPart(BaseModel):
    """Base of all parts of a description: unknown fields are refused."""

    model_config = ConfigDict(extra='forbid', frozen=True)


class PlotAxis(PlotPart):
    label: PlotText = ''
    scale: PlotText = 'linear'
    view: list[Finite] = Field(default=[], max_length=2)
    """The values at its two ends; the greater one first if the axis is inverted."""
    unit: PlotText = ''
    """`date` where its values are days since 1970."""
    categorical: bool = False
    """Whether its values are categories at the places `ticks`."""
    ticks: list[Finite] = Field(default=[], max_length=100)
    """Places of the ticks that have labels from the code, in order."""
    tick_labels: list[PlotText] = Field(default=[], max_length=100)

    @model_validator(mode='after')
    def whole(self) -> PlotAxis:
        """Refuse an axis that could not be compared."""
        if len(self.view) == 1 or len(self.ticks) != len(self.tick_labels):
            raise ValueError('an axis with one end, or with ticks and labels that are not as many')
        return self


class PlotSeries(PlotPart):
    """One thing that is drawn in an axes: a line, the bars of one colour, all points."""

    kind: PlotText
    label: PlotText = ''
    size: int = Field(ge=0, le=10**12)
    """The number of its points; `columns` has a fixed number of many points, at even distances."""
    shape: list[Annotated[int, Field(ge=0, le=10**12)]] = Field(default=[], max_length=4)
    """Rows, columns and, if coloured, channels of an image."""
    extent: list[Finite] = Field(default=[], max_length=4)
    """The ends of a field's or an image's x and y."""
    levels: list[Finite] = Field(default=[], max_length=100)
    """The bounds of the layers of a field."""
    colours: PlotText = ''
    """`grey`, or the name of an image's colour map."""
    fields: list[PlotText] = Field(default=[], max_length=8)
    """The names of the columns, unless the kind fixes them."""
    columns: list[Annotated[list[Finite | None], Field(max_length=500)]] = Field(max_length=8)
    """Coordinates and values of its points, by kind; None for a missing value."""
    stats: list[Annotated[list[Finite | None], Field(min_length=2, max_length=4)]] = Field(default=[], max_length=8)
    """Least, greatest, mean and standard deviation of each column with all of its points."""
    names: list[PlotText] = Field(default=[], max_length=500)
    """The names of its points: the labels of a pie's wedges."""
    groups: list[Annotated[int, Field(ge=0, le=100)]] = Field(default=[], max_length=500)
    """The number of each point's group; empty for a single group."""
    group_labels: list[PlotText] = Field(default=[], max_length=100)
    marked: bool = False
    """Whether a line has markers at its points."""
    style: PlotText = ''
    """`solid`, `dashed`, `dotted` or `dashdot` for lines, `filled` or `outline` for bars, `filled` or `ring` for
    pies; '' if not known."""
    tints: list[PlotText] = Field(default=[], max_length=500)
    """Its colour as `#rrggbb`, or one colour for each group, box, bar or wedge; empty if not known."""

    @model_validator(mode='after')
    def whole(self) -> PlotSeries:
        """Refuse a series that could not be compared: comparisons rely on all this."""
        points, cells = len(self.columns[0]) if self.columns else 0, math.prod(self.shape)
        parts = len(self.group_labels) if self.groups else points
        wanted = {
            'columns of one length, with something in them': points and {*map(len, self.columns)} == {points},
            'the columns of its kind': (' '.join(self.fields) or len(self.columns)) in FORMS.get(self.kind, ()),
            'a field and a statistic for each column': all(
                len(part) in (0, len(self.columns)) for part in (self.fields, self.stats)
            ),
            'a size that its points do not exceed': self.kind == 'image' or self.size >= points,
            'a group for each point of a cloud, and a label for each group': not self.groups
            or (self.kind == 'scatter' and len(self.groups) == points and max(self.groups) < len(self.group_labels)),
            'names of all its parts, or of none': len(self.names) in (points, 0 if self.kind != 'pie' else points),
            'colours of all its parts, or of all together': len(self.tints) in (0, 1, parts),
            'an area for each point': 'area' not in self.fields or all(self.columns[-1]),
            'rows and columns': self.kind not in ('image', 'field') or (len(self.shape) > 1 and cells),
            'all ends, or none': len(self.extent) in (0, 4),
            'a value for each cell': self.kind != 'field'
            or (len(self.shape) == 2 and len(self.extent) == 4 and cells == points * len(self.columns)),
        }
        if lacking := [what for what, there in wanted.items() if not there]:
            raise ValueError(f'a series of the kind {self.kind!r} without {lacking[0]}')
        return self


class PlotAxes(PlotPart):
    kind: PlotText = 'rectilinear'
    """The name of its projection."""
    title: Annotated[str, Field(max_length=700)] = ''
    x: PlotAxis
    y: PlotAxis
    z: PlotAxis | None = None
    legend: list[PlotText] = Field(default=[], max_length=200)
    texts: list[PlotText] = Field(default=[], max_length=200)
    """Texts inside the axes."""
    text_places: list[Annotated[list[Finite], Field(max_length=2)]] = Field(default=[], max_length=200)
    """The place that each text is about, as x and y; [] where it is not given by the data."""
    arrows: list[Annotated[int, Field(ge=0, lt=200)]] = Field(default=[], max_length=200)
    """The numbers of the texts from which arrows point to their places."""
    series: list[PlotSeries] = Field(max_length=50)
    place: list[Finite] = Field(default=[], max_length=4)
    """Its left, bottom, right and top in the figure, as shares of the figure."""
    turn: list[Finite] = Field(default=[], max_length=2)
    """The direction of polar angles or of a pie's wedges (1 or -1), and where they begin, in degrees."""
    others: int = Field(default=0, ge=0, le=10**6)
    """The number of drawn things that no kind of series describes."""
    picture: str = Field(default='', max_length=PICTURE_SIZE)
    """If there are such: the axes alone at a fixed size without text, as a PNG in base64."""

    @model_validator(mode='after')
    def whole(self) -> PlotAxes:
        """Refuse axes that could not be compared."""
        if len(self.place) not in (0, 4) or len(self.turn) not in (0, 2):
            raise ValueError('axes whose place is not four numbers, or whose turn is not two')
        if len(self.text_places) not in (0, len(self.texts)) or any(len(place) == 1 for place in self.text_places):
            raise ValueError('axes with a place for some of their texts, or with half a place')
        if sum(series.kind == 'scatter' for series in self.series) > 1:
            raise ValueError('axes whose points are not one cloud')
        return self


class Plot(PlotPart):
    """The description of a figure, as far as the kernel could read it off the plotting library's objects."""

    title: PlotText = ''
    axes: list[PlotAxes] = Field(max_length=20)
    colour_bars: int = Field(default=0, ge=0, le=1000)

    @classmethod
    def read(cls, text: object) -> Plot | None:
        """Read a description from JSON; None if invalid, or over PLOT_SIZE as it came or as it is written."""
        if not isinstance(text, str | bytes) or len(text) > PLOT_SIZE:
            return None
        try:
            return cls.model_validate_json(text, strict=True)._within()
        except ValidationError:
            return None

    @classmethod
    def of(cls, value: object) -> Plot | None:
        """Read a description from parsed JSON; None if invalid, or over PLOT_SIZE as it is written."""
        try:
            return cls.model_validate(value, strict=True)._within()
        except ValidationError:
            return None

    def json_bytes(self) -> bytes:
        """The form in which it is kept and written: what is read from it is equal, and as large."""
        return self.model_dump_json(exclude_defaults=True).encode()

    def _within(self) -> Plot | None:
        return self if len(self.json_bytes()) <= PLOT_SIZE else None


def plot_file(figure: Path) -> Path:
    """The path of the description of a figure's file."""
    return figure.with_suffix('.plot.json')


def read_plot(figure: Path) -> Plot | None:
    """Read the description beside a figure's file; None if missing, too large or invalid."""
    path = plot_file(figure)
    return Plot.read(path.read_bytes()) if path.exists() and path.stat().st_size <= PLOT_SIZE else None
