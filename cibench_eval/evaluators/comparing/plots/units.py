"""Axes in other units: an answer's values as the gold's axis would have them.

Numbers of ticks for what the ticks say, years for dates, thousands for what they are thousands of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from cibench_eval.evaluators.comparing.numbers import MONTHS
from cibench_eval.evaluators.comparing.plots.texts import normal
from cibench_eval.plots import PlotAxes, PlotAxis, PlotSeries

DATE = 'date'
YEARS = (1000, 3000)
"""Numbers between these may be years."""
FACTORS = {
    r'thousands?\b|千': 1e3,
    r'millions?\b|\bmn\b|1e6\b|10\^6|百万': 1e6,
    r'billions?\b|\bbn\b|1e9\b|10\^9|十亿': 1e9,
    r'trillions?\b': 1e12,
    r'(?<!百)万(?!亿)': 1e4,
    r'亿': 1e8,
    r'%|percent|per cent': 0.01,
}
"""Units in axis labels, and the factors that they stand for."""

Map = Callable[[Any], Any]


def in_gold_units(gold: PlotAxes, answer: PlotAxes, question: str) -> Iterator[PlotAxes]:
    """Convert the x values, the y values and both to the gold's unit, where units differ."""
    maps = {name: found for name in 'xy' if (found := _of_axis(getattr(gold, name), getattr(answer, name), question))}
    for name, those in maps.items():
        yield _moved(answer, name, *those)
    if len(maps) == 2:
        yield _moved(_moved(answer, 'x', *maps['x']), 'y', *maps['y'])


def _of_axis(gold: PlotAxis, answer: PlotAxis, question: str) -> tuple[Map, PlotAxis] | None:
    """The conversion from the answer's axis to the gold's, and the axis whose ticks are valid after it."""
    factor = _factor(gold, answer, question)
    if factor != 1:
        return lambda values: values * factor, answer.model_copy(update={'ticks': [], 'tick_labels': []})
    (own, own_unit), (shown, shown_unit) = _told(gold), _told(answer)
    if not own and not shown and _names(gold) == _names(answer):
        return _through(answer.ticks, gold.ticks), gold
    if bool(own) == bool(shown) and own_unit == shown_unit:
        return None
    steps: list[Map] = [_through(answer.ticks, shown)] if shown else []
    if (own_unit == DATE) != (shown_unit == DATE):
        steps.append(_days if own_unit == DATE else _years)
    steps += [_through(own, gold.ticks)] if own else []
    return (lambda values: _one_after_the_other(steps, values)), gold


def _one_after_the_other(steps: list[Map], values: Any) -> Any:
    for step in steps:
        values = step(values)
    return values


def _told(axis: PlotAxis) -> tuple[list[float], str]:
    """Numbers or dates in tick labels that do not stand at their own places, and the unit."""
    pairs = [_value(label) for label in axis.tick_labels[: len(axis.ticks)]]
    if axis.unit == DATE or len(pairs) < 2 or None in pairs:
        return [], axis.unit
    units = {pair[1] for pair in pairs if pair}
    values = [pair[0] for pair in pairs if pair]
    rises = bool((np.diff(values) > 0).all())
    same = np.allclose(values, axis.ticks[: len(values)])
    return (values, units.pop()) if len(units) == 1 and rises and not same else ([], axis.unit)


def _names(axis: PlotAxis) -> list[str] | float:
    """The names at an axis's ticks; nan, which equals nothing, for fewer than two."""
    names = list(map(normal, axis.tick_labels[: len(axis.ticks)]))
    return names if len(names) > 1 else float('nan')


def _value(label: str) -> tuple[float, str] | None:
    """The number or date that a label stands for, and its unit."""
    label = label.replace('−', '-')
    try:
        return float(label), ''
    except ValueError:
        pass
    if label[:3].casefold() in MONTHS and label.isalpha():
        return MONTHS.index(label[:3].casefold()) + 1.0, ''
    if re.fullmatch(r'\d{4}-\d\d(-\d\d)?([ T]00:00(:00)?)?', label):
        try:
            return float(np.datetime64(label[:10], 'D').astype(int)), DATE
        except ValueError:
            return None
    return None


def _through(places: list[float], values: list[float]) -> Map:
    """The line through pairs of numbers, and on beyond both ends."""

    def at(given: Any) -> Any:
        x, y = np.array(places[: len(values)], float), np.array(values, float)
        begin = np.clip(np.searchsorted(x, given, side='right') - 1, 0, len(x) - 2)
        return y[begin] + (given - x[begin]) * (y[begin + 1] - y[begin]) / (x[begin + 1] - x[begin])

    return at


def _days(years: Any) -> Any:
    """Days since 1970 of years with decimals, where all are years."""
    years = np.asarray(years, float)
    if not ((years >= YEARS[0]) & (years <= YEARS[1]) | np.isnan(years)).all():
        return years
    whole = np.floor(np.nan_to_num(years, nan=YEARS[0])).astype(int)
    begin, end = (
        (whole + more - 1970).astype('datetime64[Y]').astype('datetime64[D]').astype(float) for more in (0, 1)
    )
    return np.where(np.isnan(years), np.nan, begin + (years - whole) * (end - begin))


def _years(days: Any) -> Any:
    """Years with decimals of days since 1970."""
    days = np.asarray(days, float)
    known = np.isfinite(days) & (np.abs(days) < 4e5)
    dates = np.where(known, np.floor(days), 0).astype('datetime64[D]')
    whole = dates.astype('datetime64[Y]')
    begin, end = ((whole + more).astype('datetime64[D]').astype(float) for more in (0, 1))
    return np.where(known, whole.astype(int) + 1970 + (days - begin) / (end - begin), np.nan)


def _factor(gold: PlotAxis, answer: PlotAxis, question: str) -> float:
    """The factor from the answer's unit to the gold's; 1 where the question gives the unit."""
    own, shown = _unit(gold.label), _unit(answer.label)
    if own == shown or (question and _unit(question) != ('', 1.0)):
        return 1.0
    return shown[1] / own[1]


def _unit(text: str) -> tuple[str, float]:
    for pattern, factor in FACTORS.items():
        if re.search(pattern, text.casefold()):
            return pattern, factor
    return '', 1.0


def _moved(axes: PlotAxes, name: str, change: Map, ticks: PlotAxis) -> PlotAxes:
    """An axes with the values of one axis changed."""
    axis = getattr(axes, name)
    view = _changed(change, axis.view)
    update = {'view': [] if None in view else view, 'ticks': ticks.ticks, 'tick_labels': ticks.tick_labels}
    series = [_series(one, name, change) for one in axes.series]
    return axes.model_copy(update={name: axis.model_copy(update=update), 'series': series})


def _changed(change: Map, values: list[Any]) -> list[Any]:
    found = np.asarray(change(np.array([np.nan if value is None else value for value in values], float)))
    return [float(value) if np.isfinite(value) else None for value in found] if values else []


def _series(series: PlotSeries, name: str, change: Map) -> PlotSeries:
    """A series with its values along one axis changed."""
    those = _along(series, name)
    columns = [_changed(change, one) if place in those else one for place, one in enumerate(series.columns)]
    stats = [
        [*_changed(change, one[:2]), *one[2:]] if place in those else one for place, one in enumerate(series.stats)
    ]
    return series.model_copy(update={'columns': columns, 'stats': stats})


def _along(series: PlotSeries, name: str) -> tuple[int, ...]:
    """Which columns of a series are values along an axis."""
    kind, rest = series.kind, tuple(range(1, len(series.columns)))
    if kind in ('bar', 'box', 'barh', 'boxh'):
        return (0,) if (name == 'y') == kind.endswith('h') else rest
    if kind in ('error', 'segments', 'arrow'):
        return (0, 2) if name == 'x' else (1, 3)
    fields = ['x' if field == 'period' else field for field in series.fields]
    if 'low' in fields:
        return (0,) if fields[0] == name else rest
    return tuple(place for place, field in enumerate(fields) if field == name)
