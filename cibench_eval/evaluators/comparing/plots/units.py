"""Axes in other units: the values of two axes as what they say, where they say it in different ways.

Numbers of ticks for what the ticks say, the gold's places of the same names, days for years, last days for periods.
"""

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any

import numpy as np

from cibench_eval.evaluators.comparing.plots.bars import BESIDE
from cibench_eval.evaluators.comparing.plots.data import FREE, POOLED
from cibench_eval.evaluators.comparing.plots.texts import DATE, labelled, months_of, number_of, value_of
from cibench_eval.plots import PlotAxes, PlotAxis, PlotSeries

YEARS = (1000, 3000)
"""Numbers between these may be years."""
WEEK, SHORTEST_MONTH = 7, 28
"""Days."""
PERIODS = (1, 3, 12)
"""Months of a month, a quarter and a year."""

Map = Callable[[Any], Any]


def in_one_unit(gold: PlotAxes, answer: PlotAxes, any_order: bool) -> tuple[PlotAxes, PlotAxes]:
    """Both axes in one unit, as far as they say it; the same objects where they differ in none.

    With `any_order`, names may stand in any order, and an image's rows may be upside down.
    """
    images = [one.shape[:2] for axes in (gold, answer) for one in axes.series if one.kind == 'image'][:2]
    if images:
        if images[0] != images[-1]:
            return gold, answer
        laid = _on_the_image(gold, answer)
        return gold, _upside_down(gold, laid) if any_order else laid
    months = [_months(axes.x) for axes in (gold, answer)]
    for name in 'xy':
        own, shown = (getattr(axes, name) for axes in (gold, answer))
        (told, unit), (others, other) = _told(own), _told(shown)
        places, values = _common(own, shown)
        in_order = values == sorted(values)
        if len(places) > 1 and places != values and (in_order or (any_order and _at_places(answer, name, places))):
            change = (_through if in_order else _beside)(places, values)
            ticks = {'ticks': [float(change(place)) for place in shown.ticks]}
            answer = _moved(answer, name, change, shown.model_copy(update=ticks))
            if not in_order:
                view = shown.view if places == sorted(values) else own.view
                answer = answer.model_copy(update={name: getattr(answer, name).model_copy(update={'view': view})})
        elif bool(told) != bool(others) or unit != other or (told and len(places) < 2):
            gold = _moved(gold, name, _as_told(own, told, unit, DATE in (unit, other)), own)
            answer = _moved(answer, name, _as_told(shown, others, other, DATE in (unit, other)), own)
    return gold, _in_periods(gold, answer, months)


def with_names(gold: PlotAxes, answer: PlotAxes) -> PlotAxes:
    """The answer with the gold's tick labels in the place of those that say the same numbers or dates otherwise."""
    return answer.model_copy(update={name: _named_as(getattr(gold, name), getattr(answer, name)) for name in 'xy'})


def _named_as(gold: PlotAxis, answer: PlotAxis) -> PlotAxis:
    there = [(value, label) for label in gold.tick_labels if (value := value_of(label))]
    own = dict(there)
    if len(own) < len(there):  # two labels say the same
        return answer
    labels = [own.get(value, label) if (value := value_of(label)) else label for label in answer.tick_labels]
    return answer if labels == answer.tick_labels else answer.model_copy(update={'tick_labels': labels})


def _months(axis: PlotAxis) -> int:
    """The months of what all tick labels name: 1 for months, 3 for quarters, 0 for other labels."""
    named = {months_of(label) for label in axis.tick_labels}
    return named.pop() if len(named) == 1 else 0


def _in_periods(gold: PlotAxes, answer: PlotAxes, months: list[int]) -> PlotAxes:
    """The answer with the first days of weeks or months for their last ones, or the reverse, as the gold has them.

    pandas draws a series of last days as periods, of which the description tells the first days; names of months are
    read as their first days. `months` has the months of what the ticks of the gold, and those of the answer, name
    (`_months`).
    """
    (own, days), (shown, others) = (_places(axes, named) for axes, named in zip((gold, answer), months, strict=True))
    for periods, named, ends, firsts_wanted in ((shown, months[1], days, False), (own, months[0], others, True)):
        firsts = np.unique(periods)
        lasts = _lasts(firsts, named)
        if ends and np.isin(ends, lasts).all():
            change = (lasts, firsts) if firsts_wanted else (firsts, lasts)
            return _moved(answer, 'x', _through(*change), answer.x)
    return answer


def _lasts(firsts: Any, months: int) -> Any:
    """The last days of the weeks, months, quarters or years whose first days are given, two or more; else nothing.

    `months` is the length; 0 takes it from the distances.
    """
    length = np.diff(firsts).min() if len(firsts) > 1 else 0
    if length == WEEK:
        return firsts + WEEK - 1
    months = months or round(length / 31)
    if length < SHORTEST_MONTH or months not in PERIODS:
        return []
    after = firsts.astype('datetime64[D]').astype('datetime64[M]') + months
    return after.astype('datetime64[D]').astype(float) - 1


def _places(axes: PlotAxes, months: int) -> tuple[list[float], list[float]]:
    """The places along x of an axes' lines and bars: those of periods, and those of days."""
    found: tuple[list[float], list[float]] = ([], [])
    for one in axes.series:
        if one.kind in ('line', 'bar') and one.fields[:1] != ['y']:
            found[not months and one.fields[:1] != ['period']].extend(x for x in one.columns[0] if x is not None)
    return found


def _common(gold: PlotAxis, answer: PlotAxis) -> tuple[list[float], list[float]]:
    """The places in view at which the answer and the gold have the same names; none where a name stands twice."""
    own = dict(labelled(gold))
    pairs = sorted((place, own[label]) for label, place in labelled(answer) if label in own)
    places, values = [place for place, _ in pairs], [value for _, value in pairs]
    return (places, values) if len(places) == len({*places}) == len({*values}) else ([], [])


def _at_places(axes: PlotAxes, name: str, places: list[float]) -> bool:
    """Whether all that an axes draws stands at places with names that have no order, and no line joins them."""
    if None not in map(value_of, getattr(axes, name).tick_labels):
        return False
    apart = np.abs(np.subtract.outer(spread(axes, name), places)).min(1)
    single = axes.kind == 'rectilinear' and all(one.kind in (*POOLED, *FREE) for one in axes.series)
    return single and bool((apart <= BESIDE * np.diff(places).min()).all())


def _on_the_image(gold: PlotAxes, answer: PlotAxes) -> PlotAxes:
    """The answer with its view laid over the gold's; an axis without labels tells the numbers of its places."""
    for name in 'xy':
        own, shown = (getattr(axes, name) for axes in (gold, answer))
        if len({*own.view}) == len({*shown.view}) == 2:
            ends = sorted(zip(shown.view, own.view, strict=True))
            change = _through([end for end, _ in ends], [end for _, end in ends])
            numbers = [(label, number) for label in own.tick_labels if isfinite(number := number_of(label))]
            labels = [*zip(shown.tick_labels, shown.ticks, strict=True)] or numbers
            ticks = {
                'tick_labels': [label for label, _ in labels],
                'ticks': [float(change(place)) for _, place in labels],
            }
            answer = _moved(answer, name, change, shown.model_copy(update=ticks))
    return answer


def _upside_down(gold: PlotAxes, answer: PlotAxes) -> PlotAxes:
    """The answer turned upside down where its rows have the names of the gold's, from the other end."""
    own, shown = (dict(labelled(axes.y)) for axes in (gold, answer))
    turned = {label: sum(gold.y.view) - place for label, place in shown.items()}
    both = own.keys() & turned.keys()
    if len(both) < 2 or any(abs(turned[name] - own[name]) > abs(shown[name] - own[name]) for name in both):
        return answer
    ticks = {'tick_labels': [*turned], 'ticks': [*turned.values()]}
    series = [_rows_turned(one) if one.kind == 'image' else one for one in answer.series]
    texts = _texts_moved(answer, 'y', lambda places: sum(gold.y.view) - places)
    return answer.model_copy(update={'y': answer.y.model_copy(update=ticks), 'series': series, 'text_places': texts})


def _rows_turned(image: PlotSeries) -> PlotSeries:
    """An image with its last row above; one whose cells are not kept stays as it is."""
    rows, across = image.shape[:2]
    if rows * across != len(image.columns[0]):
        return image
    return image.model_copy(
        update={'columns': [np.reshape(one, (rows, -1))[::-1].ravel().tolist() for one in image.columns]}
    )


def _as_told(axis: PlotAxis, told: list[float], unit: str, dates: bool) -> Map:
    """The change from an axis's numbers to what its ticks say, and to days where one of the two has dates."""
    through = _through(axis.ticks, told) if told else lambda values: values
    return (lambda values: _days(through(values))) if dates and unit != DATE else through


def _told(axis: PlotAxis) -> tuple[list[float], str]:
    """Numbers or dates in tick labels that do not stand at their own places, and the unit."""
    pairs = [value_of(label) for label in axis.tick_labels]
    if axis.unit == DATE or len(pairs) < 2 or None in pairs:
        return [], axis.unit
    values, units = zip(*(pair for pair in pairs if pair), strict=True)
    if len(set(units)) > 1 or not (np.diff(values) > 0).all() or np.allclose(values, axis.ticks):
        return [], axis.unit
    return list(values), units[0]


def _through(places: Sequence[float], values: Sequence[float]) -> Map:
    """The line through pairs of numbers, and on beyond both ends."""

    def at(given: Any) -> Any:
        x, y = np.array(places), np.array(values)
        begin = np.clip(np.searchsorted(x, given, side='right') - 1, 0, len(x) - 2)
        return y[begin] + (given - x[begin]) * (y[begin + 1] - y[begin]) / (x[begin + 1] - x[begin])

    return at


def _beside(places: Sequence[float], values: Sequence[float]) -> Map:
    """The way of each number with the place that is nearest to it."""

    def at(given: Any) -> Any:
        nearest = np.abs(np.subtract.outer(given, places)).argmin(-1)
        return given + np.subtract(values, places)[nearest]

    return at


def _days(years: Any) -> Any:
    """Days since 1970 of years with decimals, where all are years."""
    if not ((years >= YEARS[0]) & (years <= YEARS[1]) | np.isnan(years)).all():
        return years
    whole = np.floor(np.nan_to_num(years, nan=YEARS[0])).astype(int)
    begin, end = (
        (whole + more - 1970).astype('datetime64[Y]').astype('datetime64[D]').astype(float) for more in (0, 1)
    )
    return np.where(np.isnan(years), np.nan, begin + (years - whole) * (end - begin))


def _moved(axes: PlotAxes, name: str, change: Map, ticks: PlotAxis) -> PlotAxes:
    """An axes with the values of one axis changed."""
    axis = getattr(axes, name)
    view = _changed(change, axis.view)
    update = {'view': [] if None in view else view, 'ticks': ticks.ticks, 'tick_labels': ticks.tick_labels}
    series = [_series(one, name, change) for one in axes.series]
    texts = _texts_moved(axes, name, change)
    return axes.model_copy(update={name: axis.model_copy(update=update), 'series': series, 'text_places': texts})


def _texts_moved(axes: PlotAxes, name: str, change: Map) -> list[list[float]]:
    """The places of the texts with those along one axis changed."""
    there = [place['xy'.index(name)] for place in axes.text_places if place]
    changed = iter(np.asarray(change(np.array(there))).tolist())
    turn = slice(None, None, 1 if name == 'x' else -1)
    return [place and [next(changed), place['yx'.index(name)]][turn] for place in axes.text_places]


def _changed(change: Map, values: list[Any]) -> list[Any]:
    found = np.asarray(change(np.array(values, float)))
    return [float(value) if np.isfinite(value) else None for value in found] if values else []


def _series(series: PlotSeries, name: str, change: Map) -> PlotSeries:
    """A series with its values along one axis changed."""
    those = along(series, name)
    columns = [_changed(change, one) if place in those else one for place, one in enumerate(series.columns)]
    stats = [
        [*_changed(change, one[:2]), *one[2:]] if place in those else one for place, one in enumerate(series.stats)
    ]
    return series.model_copy(update={'columns': columns, 'stats': stats})


def spread(axes: PlotAxes, name: str) -> list[float]:
    """All values along an axis of what an axes draws."""
    values = [value for one in axes.series for place in along(one, name) for value in one.columns[place]]
    values += [end for one in axes.series for end in one.extent[2 * 'xy'.index(name) :][:2]]
    return [value for value in values if value is not None]


def along(series: PlotSeries, name: str) -> tuple[int, ...]:
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
