"""Describes figures in words, for models that cannot see them, from what the kernel read off the plot's objects."""

import datetime
import math
from collections.abc import Callable, Sequence

from cibench_eval.plots import Plot, PlotAxes, PlotAxis, PlotSeries
from cibench_eval.schema import Language

MOST_AXES, MOST_SERIES, MOST_POINTS = 9, 10, 12
"""Most axes of a figure and series of an axes that are described; most points that are listed one by one."""
LONGEST = 1500
"""Most characters of a description."""
FIELDS = {
    'bar': ('place', 'length', 'base'),
    'barh': ('place', 'length', 'base'),
    **dict.fromkeys(('box', 'boxh'), ('place', 'low', 'q1', 'median', 'q3', 'high', 'least', 'greatest')),
    'pie': ('share',),
    'scatter': ('x', 'y', 'value'),
}
"""The columns of each kind, where a series does not name them itself."""
HIDDEN = {'base', 'area'}
CHINESE = {
    'axes': '子图',
    'title': '标题',
    'legend': '图例',
    'texts': '文字',
    'log': '对数刻度',
    'points': '个点',
    'more': '其余省略',
    'to': '至',
    'bar': '柱',
    'barh': '横向柱',
    'line': '线',
    'scatter': '散点',
    'box': '箱线',
    'boxh': '横向箱线',
    'pie': '饼图',
    'image': '图像',
    'fill': '填充',
    'level': '水平或垂直线',
    'contour': '等高线',
    'share': '占比',
    'place': '位置',
    'length': '长度',
    'value': '值',
    'median': '中位数',
}
"""Chinese words of descriptions; other words stay as they are."""


def in_words(plot: Plot | None, language: Language) -> str:
    """A figure in some lines of text; empty if nothing is known of it."""
    if plot is None or not plot.axes:
        return ''
    word = (lambda name: CHINESE.get(name, name)) if language == 'cn' else str
    lines = [f'{word("title")}: {plot.title}'] if plot.title else []
    for number, axes in enumerate(plot.axes[:MOST_AXES], 1):
        if len(plot.axes) > 1:
            lines.append(f'{word("axes")} {number}/{len(plot.axes)}')
        lines += _axes(axes, word)
    text = '\n'.join(lines)
    return text if len(text) <= LONGEST else f'{text[:LONGEST]} […]'


def _axes(axes: PlotAxes, word: Callable[[str], str]) -> list[str]:
    said = [f'{word("title")}: {axes.title}'] if axes.title else []
    said += [f'{name}: {_axis(axis, word)}' for name, axis in (('x', axes.x), ('y', axes.y)) if _axis(axis, word)]
    said += [f'{word("legend")}: {", ".join(axes.legend)}'] if axes.legend else []
    said += [f'{word("texts")}: {", ".join(axes.texts)}'] if axes.texts else []
    more = [f'- {word("more")}'] if len(axes.series) > MOST_SERIES else []
    series = [f'- {_series(one, axes, word)}' for one in axes.series[:MOST_SERIES]]
    return [*(['; '.join(said)] if said else []), *series, *more]


def _axis(axis: PlotAxis, word: Callable[[str], str]) -> str:
    return ', '.join(filter(None, [axis.label, word('log') if axis.scale == 'log' else '']))


def _series(series: PlotSeries, axes: PlotAxes, word: Callable[[str], str]) -> str:
    name = ' '.join(filter(None, [word(series.kind), f'"{series.label}"' if series.label else '']))
    if series.kind == 'image':
        return f'{name}: {" × ".join(map(str, series.shape))}, {_range(series.stats, 0, word)}'
    fields = series.fields or FIELDS.get(series.kind, ())
    columns = [
        (field, index)
        for index, field in enumerate(fields[: len(series.columns)] or ['value'] * len(series.columns))
        if field not in HIDDEN and any(value is not None for value in series.columns[index])
    ]
    if series.size <= MOST_POINTS and series.size == len(series.columns[0]):
        axis = {'bar': axes.x, 'barh': axes.y, 'box': axes.x, 'boxh': axes.y}.get(series.kind)
        return f'{name}: {"; ".join(_point(series, index, columns, axis, axes, word) for index in range(series.size))}'
    ranges = [f'{word(field)} {_range(series.stats, index, word, _unit(field, axes))}' for field, index in columns]
    return f'{name}, {series.size} {word("points")}: {", ".join(ranges)}'


def _point(
    series: PlotSeries,
    index: int,
    columns: Sequence[tuple[str, int]],
    places: PlotAxis | None,
    axes: PlotAxes,
    word: Callable[[str], str],
) -> str:
    said = [series.names[index]] if index < len(series.names) and series.names[index] else []
    for field, number in columns:
        value = series.columns[number][index]
        if field == 'place' and places is not None:
            said.append(_tick(places, value))
        elif len(columns) == 2 or series.kind == 'pie':
            said.append(_number(value, _unit(field, axes)))
        else:
            said.append(f'{word(field)} {_number(value, _unit(field, axes))}')
    return ' '.join(said)


def _tick(axis: PlotAxis, value: float | None) -> str:
    for tick, label in zip(axis.ticks, axis.tick_labels, strict=False):
        if value is not None and math.isclose(tick, value, abs_tol=0.01):
            return label
    return _number(value, axis.unit)


def _unit(field: str, axes: PlotAxes) -> str:
    return {'x': axes.x.unit, 'y': axes.y.unit}.get(field, '')


def _range(stats: Sequence[Sequence[float | None]], index: int, word: Callable[[str], str], unit: str = '') -> str:
    low, high = stats[index][:2] if index < len(stats) else (None, None)
    return _number(low, unit) if low == high else f'{_number(low, unit)} {word("to")} {_number(high, unit)}'


def _number(value: float | None, unit: str = '') -> str:
    if value is None:
        return '–'
    if unit == 'date' and abs(value) < 1e6:
        moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(days=value)
        return moment.isoformat(sep=' ', timespec='minutes').removesuffix(' 00:00')
    return f'{value:.4g}'
