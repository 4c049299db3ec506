"""What a figure shows, as records: how descriptions leave kernels, stand beside figures, and are compared.

A description comes out of the process in which the code ran, so it is what the code says of its figure; every bound is
held here again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

PLOT_MIME = 'application/vnd.cibench.plot+json'
"""By what type the description of a figure (`Plot`) goes with its PNG, in messages of kernels and in notebooks."""
PLOT_SIZE = 400_000
"""Bytes of such a description: of its JSON as `Plot.json_bytes` writes it, and of JSON that is read."""
PICTURE_SIZE = 20_000
"""Characters of the picture of one axes."""

COLUMNS = {'bar': 3, 'barh': 3, 'box': 6, 'boxh': 6, 'line': 2, 'level': 2, 'scatter': 2, 'patch': 2}
"""How many columns a series of a kind has at least; others have one."""

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
        """Refuse what could not be compared: rows that are not whole, numbers of groups that there are not."""
        if len(self.columns) < COLUMNS.get(self.kind, 1):
            raise ValueError(f'too few columns for a series of the kind {self.kind}')
        if len(set(map(len, self.columns))) > 1 or not self.columns[0]:
            raise ValueError('columns that are empty, or not all as long')
        if any(part and len(part) != len(self.columns) for part in (self.fields, self.stats)):
            raise ValueError('not one field or statistic for each column')
        if self.groups and (max(self.groups) >= len(self.group_labels) or len(self.groups) != len(self.columns[0])):
            raise ValueError('groups that fit neither points nor labels')
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
