"""Charts as SVG without a library or a script; colours are classes, which follow the theme of the page."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape
from rich.cells import cell_len, chop_cells

LEFT, RIGHT, LINE = 150, 54, 18
WIDTH = 560
PLOT = WIDTH - LEFT - RIGHT
MOST_NAME = 22
"""Columns of a text; of a longer one the middle is left out, since names of models differ at either end."""


class Chart(NamedTuple):
    """A chart with its title, note and legend."""

    title: str
    note: str
    svg: Markup
    legend: Sequence[tuple[str, str]] = ()
    """Class of a colour, and its meaning."""


class Dot(NamedTuple):
    """A value of 0 to 100 in a row, with its interval."""

    value: float
    low: float | None
    high: float | None
    shade: str
    """The class of its colour."""
    hollow: bool
    about: str


class Segment(NamedTuple):
    """A part of a bar."""

    size: float
    shade: str
    about: str


class Series(NamedTuple):
    """A line over places 1, 2, …: a value of 0 to 100 and the number of its steps, or None, for each place."""

    points: Sequence[tuple[float, int] | None]
    shade: str
    dashed: bool
    name: str


def dots(title: str, rows: Sequence[tuple[str, list[Dot]]]) -> Markup:
    """Rows of dots over 0 to 100; the dots of a row stand below each other."""
    parts, y = [], 8.0
    for name, values in rows:
        height = max(LINE, 9 * len(values) + 6)
        parts.append(_text(LEFT - 10, y + height / 2 + 4, name, 'end'))
        parts.append(_tag('line', x1=LEFT, x2=LEFT + PLOT, y1=y + height, y2=y + height, class_='grid'))
        for number, dot in enumerate(values):
            parts.append(_dot(dot, y + height / 2 + 9 * (number - (len(values) - 1) / 2)))
        y += height
    return _svg(title, y + 22, [*_scale(y), *parts])


def _dot(dot: Dot, y: float) -> Markup:
    at = _across(dot.value)
    whisker = (
        _tag('line', x1=_across(dot.low), x2=_across(dot.high), y1=y, y2=y, class_=f'whisker {dot.shade}')
        if dot.low is not None and dot.high is not None
        else Markup('')
    )
    circle = _tag('circle', cx=at, cy=y, r=3.4, class_=f'dot {dot.shade}{" hollow" if dot.hollow else ""}')
    return _group(whisker + circle, dot.about)


def bars(title: str, rows: Sequence[tuple[str, list[Segment], str]], most: float | None = None) -> Markup:
    """Rows of bars: a name, the parts of the bar, the text after it; `most` is the largest value of the axis."""
    longest = most or max((sum(part.size for part in parts) for _, parts, _ in rows), default=0) or 1
    found, y = [], 4.0
    for name, parts, after in rows:
        found.append(_text(LEFT - 10, y + 13, name, 'end'))
        at = float(LEFT)
        for part in parts:
            width = PLOT * part.size / longest
            box = _tag('rect', x=at, y=y + 2, width=max(width - 0.5, 0), height=LINE - 5, class_=f'bar {part.shade}')
            found.append(_group(box, part.about))
            at += width
        found.append(_text(at + 6, y + 13, after, class_='value'))
        y += LINE
    return _svg(title, y + 4, found)


def lines(title: str, series: Iterable[Series], places: int) -> Markup:
    """Lines over places, of values from 0 to 100."""
    height, left, width = 190.0, 34.0, WIDTH - 34.0 - 12.0
    parts = [
        _tag('line', x1=left, x2=left + width, y1=_up(value, height), y2=_up(value, height), class_='grid')
        + _text(left - 6, _up(value, height) + 4, str(value), 'end', class_='value')
        for value in (0, 25, 50, 75, 100)
    ]
    across = [left + 12 + (width - 24) * (place / max(places - 1, 1)) for place in range(places)]
    every = max(1, places // 14)
    parts += [
        _text(x, height + 26, str(at + 1), 'middle', class_='value') for at, x in enumerate(across) if at % every == 0
    ]
    for one in series:
        there = [(x, *point) for x, point in zip(across, one.points, strict=False) if point]
        path = ' '.join(f'{x:.1f},{_up(value, height):.1f}' for x, value, _ in there)
        parts.append(_tag('polyline', points=path, class_=f'curve {one.shade}{" dashed" if one.dashed else ""}'))
        for x, value, steps in there:
            place = across.index(x) + 1
            circle = _tag('circle', cx=x, cy=_up(value, height), r=2.6, class_=f'dot {one.shade}')
            parts.append(_group(circle, f'{one.name}, step {place}: {value:.0f} % of {steps} right'))
    return _svg(title, height + 34, parts)


def _up(value: float, height: float) -> float:
    return 10 + (height - 10) * (1 - value / 100)


def _across(value: float) -> float:
    return LEFT + PLOT * max(value, 0) / 100  # a figure may be below 0


def _scale(bottom: float) -> list[Markup]:
    marks = (0, 25, 50, 75, 100)
    grid = [_tag('line', x1=_across(v), x2=_across(v), y1=6, y2=bottom + 3, class_='grid') for v in marks]
    return [*grid, *(_text(_across(v), bottom + 17, str(v), 'middle', class_='value') for v in marks)]


def _svg(title: str, height: float, parts: Iterable[Markup]) -> Markup:
    return _tag(
        'svg', Markup().join(parts), viewBox=f'0 0 {WIDTH} {height:.0f}', class_='chart', role='img', aria_label=title
    )


def _group(inner: Markup, about: str) -> Markup:
    """A mark with a text that appears under the pointer."""
    return _tag('g', inner + _tag('title', escape(about)))


def _text(x: float, y: float, text: str, anchor: str = 'start', class_: str = 'name') -> Markup:
    short = text
    if cell_len(text) > MOST_NAME:
        end = chop_cells(text[::-1], MOST_NAME // 2)[0][::-1]
        short = f'{chop_cells(text, MOST_NAME // 2 - 1)[0]}…{end}'
    about = _tag('title', escape(text)) if short != text else Markup('')
    return _tag('text', escape(short) + about, x=x, y=y, text_anchor=anchor, class_=class_)


def _tag(name: str, inner: Markup = Markup(''), **attributes: str | float) -> Markup:  # noqa: B008
    """An SVG element; in names of attributes, `class_` stands for `class` and `text_anchor` for `text-anchor`."""
    said = [
        Markup(' {}="{}"').format(
            key.rstrip('_').replace('_', '-'), f'{value:.1f}' if isinstance(value, float) else value
        )
        for key, value in attributes.items()
    ]
    return Markup('<{0}{1}>{2}</{0}>').format(Markup(name), Markup().join(said), inner)
