"""Figures of analyses: lines, bars and points with intervals, which differ in more than colour."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cibench_eval.interpreter.environments import chinese_font
from cibench_eval.packages import require
from cibench_eval.reports.analyses.study import Analysis
from cibench_eval.reports.scores import Score

COLOURS = ('#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442', '#000000')
"""The colours of Okabe and Ito, which most people can tell apart."""
MARKERS = 'osD^vPX*'
HATCHES = ('', '//', '..', 'xx', '\\\\', '++', 'oo', '--')
FORMATS = ('png', 'svg')
CROWDED = 56
"""Characters that fit side by side below a figure."""
CHINESE = ('WenQuanYi Micro Hei', 'Noto Sans CJK SC', 'SimHei', 'Microsoft YaHei', 'Hiragino Sans GB')
"""Fonts, the first one that of kernels."""
WIDTH, LEGEND_LINE = 7.0, 0.19
"""Inches."""
WIDE = 20
"""The ratio of amounts from which on an axis is logarithmic."""


def save(analysis: Analysis, name: str, folder: Path) -> None:
    """Write the figure of an analysis; a `CibenchError` where matplotlib is not installed."""
    require('figures of analyses', 'matplotlib')
    from matplotlib import rc_context

    with rc_context({'font.family': _families()}):
        _save(analysis, name, folder)


def _families() -> list[str]:
    """Matplotlib's own fonts and, for what they lack, Chinese ones that are there: that of kernels, the system's."""
    from matplotlib.font_manager import fontManager

    if font := chinese_font():
        fontManager.addfont(font)
    there = {font.name for font in fontManager.ttflist}
    return ['sans-serif', *(name for name in CHINESE if name in there)]


def _save(analysis: Analysis, name: str, folder: Path) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, analysis.height), layout='constrained')
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.set_axisbelow(True)
    analysis.draw(axes)
    named = len(axes.get_legend_handles_labels()[1])
    figure.set_figheight(max(analysis.height, 0.6 + LEGEND_LINE * named))
    axes.set_title(analysis.table.title, loc='left', fontsize=11)
    for side in ('top', 'right'):
        axes.spines[side].set_visible(False)
    for form in FORMATS:
        figure.savefig(folder / f'{name}.{form}', dpi=150, metadata={'Date': None} if form == 'svg' else None)


def lines(
    axes: Any, places: Sequence[Any], series: Mapping[str, Sequence[Score | None]], label: str, about: str = ''
) -> None:
    """Draw a line for each name over the same places, with bars for intervals; `about` stands below them."""
    for number, (name, shares) in enumerate(series.items()):
        apart = min(0.06, 0.3 / len(series)) * (number - (len(series) - 1) / 2)
        marks = {place + apart: share for place, share in enumerate(shares)}
        _marks(axes, number, name, marks, linestyle='--' if number % 2 else '-', linewidth=1.4, markersize=5)
    axes.set_xticks(range(len(places)), [str(place) for place in places])
    _finish(axes, len(series), 'y', xlabel=about, ylabel=label, ylim=(0, 102))


def bars(
    axes: Any, places: Sequence[str], series: Mapping[str, Sequence[Score | None]], label: str, about: str = ''
) -> None:
    """Draw bars side by side at each place, one for each name, with intervals; `about` stands below them."""
    width = 0.8 / max(len(series), 1)
    for number, (name, shares) in enumerate(series.items()):
        axes.bar(
            [place - 0.4 + width * (number + 0.5) for place in range(len(places))],
            [share.value if share else 0 for share in shares],
            width,
            yerr=_reach(shares) if any(share and share.bounds for share in shares) else None,
            color=COLOURS[number % len(COLOURS)],
            hatch=_further(HATCHES, number),
            edgecolor='white',
            error_kw={'elinewidth': 0.8, 'capsize': 2},
            label=labelled(name),
        )
    crowded = len(places) * max(map(len, places), default=0) > CROWDED
    axes.set_xticks(range(len(places)), places, rotation=20 if crowded else 0)
    _finish(axes, len(series), 'y', xlabel=about, ylabel=label)


def stacks(axes: Any, names: Sequence[str], series: Mapping[str, Sequence[float]], label: str) -> None:
    """Draw a horizontal bar for each name, with a piece for each series."""
    left = [0.0] * len(names)
    for number, (piece, sizes) in enumerate(series.items()):
        axes.barh(
            names,
            sizes,
            left=left,
            color='#bbbbbb' if piece.startswith('followed') else COLOURS[number % len(COLOURS)],
            hatch=HATCHES[number % len(HATCHES)],
            edgecolor='white',
            label=piece,
        )
        left = [one + more for one, more in zip(left, sizes, strict=True)]
    axes.invert_yaxis()
    _finish(axes, len(series), 'x', xlabel=label)


def points(axes: Any, names: Sequence[str], series: Mapping[str, Sequence[Score | None]], label: str) -> None:
    """Draw a row for each name, with a point for each series and its interval, beside a line at 0."""
    for number, (name, shares) in enumerate(series.items()):
        apart = min(0.16, 0.8 / len(series)) * (number - (len(series) - 1) / 2)
        _marks(axes, number, name, {row + apart: share for row, share in enumerate(shares)}, upright=False)
    axes.set_yticks(range(len(names)), names)
    _finish(axes, len(series), 'x', xlabel=label, ylim=(len(names) - 0.5, -0.5))
    axes.axvline(0, color='#999999', linewidth=0.8)


def across(
    axes: Any,
    points: Mapping[str, tuple[float, Score | None]],
    lines: Sequence[Sequence[tuple[float, Score | None]]],
    labels: tuple[str, str],
) -> None:
    """Draw a point for each name, at an amount and at a share with its interval; those on lines of steps are filled."""
    for line in lines:
        places, shares = [place for place, _ in line], [share.value if share else math.nan for _, share in line]
        axes.step(places, shares, where='post', color='#999999', linewidth=1.2, zorder=1)
    for number, (name, point) in enumerate(points.items()):
        look: dict[str, Any] = {} if any(point in line for line in lines) else {'markerfacecolor': 'white'}
        _marks(axes, number, name, dict([point]), **look)
    places = [place for place, _ in points.values()]
    if max(places) > WIDE * min(places):
        axes.set_xscale('log')
    else:
        axes.set_xlim(0, 1.08 * max(places))
    _finish(axes, len(points), 'both', xlabel=labels[0], ylabel=labels[1], ylim=(0, 102))


def scattered(
    axes: Any, series: Mapping[str, Sequence[tuple[float, float]]], labels: tuple[str, str], **look: float
) -> None:
    """Draw points of a colour and a marker for each name."""
    for number, (name, places) in enumerate(series.items()):
        axes.scatter([x for x, _ in places], [y for _, y in places], **look, **style(number), label=labelled(name))
    axes.set(xlabel=labels[0], ylabel=labels[1])
    legend(axes, 2)


def _finish(axes: Any, count: int, grid: str, **said: Any) -> None:
    """Set the labels and limits of axes on which `count` names are drawn, and add a grid and a legend."""
    axes.set(**said)
    axes.grid(axis=grid, alpha=0.3)
    legend(axes, count)


def _marks(
    axes: Any, number: int, name: str, marks: Mapping[float, Score | None], *, upright: bool = True, **look: Any
) -> None:
    """Draw the marks of the n-th name: place -> value with a bar for its interval, or the value across the place."""
    there = {place: share for place, share in marks.items() if share}
    ends = list(there), [share.value for share in there.values()]
    reach = {'yerr' if upright else 'xerr': _reach([*there.values()])}
    look = {'linestyle': 'none', 'capsize': 2, 'elinewidth': 0.8, **style(number), **look}
    axes.errorbar(*(ends if upright else reversed(ends)), **reach, label=labelled(name), **look)


def labelled(name: str) -> str:
    """A name for the legend, from which matplotlib leaves out what begins with `_`."""
    return f' {name}' if name.startswith('_') else name


def legend(axes: Any, count: int) -> None:
    """Draw the legend to the right of the axes, if there are several names."""
    if count > 1:
        axes.legend(fontsize=8, frameon=False, loc='upper left', bbox_to_anchor=(1.0, 1.0))


def style(number: int) -> dict[str, Any]:
    """Colour and marker of the n-th name; the first 64 differ."""
    return {'color': COLOURS[number % len(COLOURS)], 'marker': _further(MARKERS, number)}


def _further(kinds: Sequence[str], number: int) -> str:
    """The n-th of several kinds; they shift by one each time that the colours repeat."""
    return kinds[(number + number // len(COLOURS)) % len(kinds)]


def _reach(shares: Sequence[Score | None]) -> list[list[float]]:
    """The distances of bounds below and above their values; NaN without bounds, which draws no bar."""
    pairs = [(share.value, share.bounds) if share else (0.0, None) for share in shares]
    below = [value - bounds.low if bounds else math.nan for value, bounds in pairs]
    above = [bounds.high - value if bounds else math.nan for value, bounds in pairs]
    return [[max(one, 0.0) for one in below], [max(one, 0.0) for one in above]]
