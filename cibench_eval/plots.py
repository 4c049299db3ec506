"""What a figure shows, as records: how descriptions leave kernels, stand beside figures, and are compared.

A description comes out of the process in which the code ran, so it is what the code says of its figure; every bound is
held here again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

PLOT_MIME = 'application/vnd.cibench.plot+json'
"""By what type the description of a figure (`Plot`) goes with its PNG, in messages of kernels and in notebooks."""
PLOT_SIZE = 400_000
"""Bytes of such a description: of its JSON as `Plot.json_bytes` writes it, and of JSON that is read."""
PICTURE_SIZE = 20_000
"""Characters of the picture of one axes."""

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
    **dict.fromkeys(('box', 'boxh'), (6,)),
    **dict.fromkeys(('error', 'segments'), (4, 6)),
    **dict.fromkeys(('image', 'field'), range(1, 9)),
    'pie': (1,),
    'hexbin': (2, 3),
    'quiver': (2, 3, 4),
    'arrow': (4,),
}
"""What the columns of a series are, as its fields say it, or how many there are, where its kind says what they are."""

PlotText = Annotated[str, Field(max_length=200)]
Finite = Annotated[float, Field(allow_inf_nan=False)]


class PlotPart(BaseModel):
    """Base of all parts of a description: unknown fields are refused."""

    model_config = ConfigDict(extra='forbid', frozen=True)


class PlotAxis(PlotPart):
    """What one axis of a plot says."""

    label: PlotText = ''
    scale: PlotText = 'linear'
    view: list[Finite] = Field(default=[], max_length=2)
    """The values at its two ends; the greater one first where the axis is inverted."""
    unit: PlotText = ''
    """`date` where its values are days since 1970."""
    categorical: bool = False
    """Whether its values are categories, whose places are `ticks`."""
    ticks: list[Finite] = Field(default=[], max_length=100)
    """Places of the ticks whose labels the code gave, in order."""
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
    """Its points; where they are many, `columns` has a fixed number of them, at even distances."""
    shape: list[Annotated[int, Field(ge=0, le=10**12)]] = Field(default=[], max_length=4)
    """Of an image: rows, columns and, of a coloured one, channels."""
    extent: list[Finite] = Field(default=[], max_length=4)
    """Of a field: the ends of its x and of its y."""
    levels: list[Finite] = Field(default=[], max_length=100)
    """Of a field that is drawn as layers: the values between which they lie."""
    colours: PlotText = ''
    """Of an image: `grey`, else the name of its map of colours."""
    fields: list[PlotText] = Field(default=[], max_length=8)
    """What the columns are, where the kind does not say it."""
    columns: list[Annotated[list[Finite | None], Field(max_length=500)]] = Field(max_length=8)
    """Coordinates and values of its points; what they are depends on the kind. None is a missing value."""
    stats: list[Annotated[list[Finite | None], Field(min_length=2, max_length=4)]] = Field(default=[], max_length=8)
    """Of each column with all of its points: least, greatest, mean, standard deviation."""
    names: list[PlotText] = Field(default=[], max_length=500)
    """Of its points: the labels of a pie's wedges."""
    groups: list[Annotated[int, Field(ge=0, le=100)]] = Field(default=[], max_length=500)
    """Of its points: the number of the group that each belongs to; empty where all are one."""
    group_labels: list[PlotText] = Field(default=[], max_length=100)
    marked: bool = False
    """Of a line: whether its points have markers."""
    style: PlotText = ''
    """How a line is drawn (`solid`, `dashed`, `dotted`, `dashdot`), and bars (`filled`, `outline`); '' is not known."""
    tints: list[PlotText] = Field(default=[], max_length=100)
    """Its colour as `#rrggbb`, or that of each group, box, bar or wedge; nothing where it is not known."""

    @model_validator(mode='after')
    def whole(self) -> PlotSeries:
        """Refuse what could not be compared; what compares series takes all this for granted."""
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
            'a value for each cell': self.kind != 'field'
            or (len(self.shape) == 2 and len(self.extent) == 4 and cells == points * len(self.columns)),
        }
        if lacking := [what for what, there in wanted.items() if not there]:
            raise ValueError(f'a series of the kind {self.kind!r} without {lacking[0]}')
        return self


class PlotAxes(PlotPart):
    """What one axes of a figure shows."""

    kind: PlotText = 'rectilinear'
    """The name of its projection."""
    title: Annotated[str, Field(max_length=700)] = ''
    x: PlotAxis
    y: PlotAxis
    z: PlotAxis | None = None
    legend: list[PlotText] = Field(default=[], max_length=200)
    texts: list[PlotText] = Field(default=[], max_length=200)
    """Texts inside the axes."""
    series: list[PlotSeries] = Field(max_length=50)
    place: list[Finite] = Field(default=[], max_length=4)
    """Where in the figure it is, in shares of it: left, bottom, right, top."""
    turn: list[Finite] = Field(default=[], max_length=2)
    """Of polar axes: 1 or -1 by the direction of their angles, and where angle 0 is, in degrees."""
    others: int = Field(default=0, ge=0, le=10**6)
    """Things drawn in it that no kind of series describes."""
    picture: str = Field(default='', max_length=PICTURE_SIZE)
    """Where there are such: the axes alone at a fixed size, without any text, as a PNG in base64."""

    @model_validator(mode='after')
    def whole(self) -> PlotAxes:
        """Refuse axes that could not be compared."""
        if len(self.place) not in (0, 4) or len(self.turn) not in (0, 2):
            raise ValueError('axes whose place is not four numbers, or whose turn is not two')
        if sum(series.kind == 'scatter' for series in self.series) > 1:
            raise ValueError('axes whose points are not one cloud')
        return self


class Plot(PlotPart):
    """What a figure shows, as far as the kernel could read it off the plotting library's objects."""

    title: PlotText = ''
    axes: list[PlotAxes] = Field(max_length=20)
    colour_bars: int = Field(default=0, ge=0, le=1000)

    @classmethod
    def read(cls, text: object) -> Plot | None:
        """A description from its JSON, None where that is none or is over PLOT_SIZE, as it came or as it is written."""
        if not isinstance(text, str | bytes) or len(text) > PLOT_SIZE:
            return None
        try:
            return cls.model_validate_json(text, strict=True)._within()
        except ValidationError:
            return None

    @classmethod
    def of(cls, value: object) -> Plot | None:
        """A description from what `json` makes of its JSON, whose size as text therefore does not count."""
        try:
            return cls.model_validate(value, strict=True)._within()
        except ValidationError:
            return None

    def json_bytes(self) -> bytes:
        """The one form in which it is kept and written. What is read from it is the same, and so is its size."""
        return self.model_dump_json(exclude_defaults=True).encode()

    def _within(self) -> Plot | None:
        return self if len(self.json_bytes()) <= PLOT_SIZE else None


def plot_file(figure: Path) -> Path:
    """Where the description of a figure's file stands, if it has one."""
    return figure.with_suffix('.plot.json')


def read_plot(figure: Path) -> Plot | None:
    """The description beside a figure's file; None where there is none, or what is there is none."""
    path = plot_file(figure)
    return Plot.read(path.read_bytes()) if path.exists() else None
