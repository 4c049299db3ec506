"""Colours and styles that a question names: whether an answer draws the same things in them."""

import colorsys
import re
from collections import defaultdict
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from PIL import ImageColor

from cibench_eval.plots import PlotAxes, PlotSeries

COLOURS = {
    'red': (r'\b(red|crimson|firebrick|tomato)\b|红[色线点柱]', 335, 18),
    'orange': (r'\borange\b|橙[色线点柱]', 14, 48),
    'yellow': (r'\b(yellow|gold)\b|黄[色线点柱]', 42, 72),
    'green': (r'green\b|绿[色线点柱]', 62, 172),
    'cyan': (r'\b(cyan|turquoise|teal)\b|青[色线点柱]', 162, 203),
    'blue': (r'blue\b|\bnavy\b|蓝[色线点柱]', 184, 262),
    'purple': (r'\b(purple|violet|magenta)\b|紫[色线点柱]', 252, 322),
    'pink': (r'\b(pink|magenta)\b|粉[色线点柱]', 295, 360),
    'black': (r'\bblack\b|黑[色线点柱]', 0, 0),
    'grey': (r'\bgr[ae]y|灰', 0, 0),
}
"""Colours, the words by which a question names them, and their hues in degrees from and to: neighbours overlap."""
STYLES = {
    'dashed': r'\bdash(ed|es)?\b|虚线',
    'dotted': r'\bdotted\b|点线',
    'outline': r'\bunfilled\b|\bnot filled\b|\bhollow\b|\bonly (the )?outline|\boutlines? only|空心|不填充',
}
"""Styles, and the words by which a question names them."""
LEVELS = r'\b\w+ (contour )?levels\b|\blevels ?= ?\d|\d+ (contour|lines of equal)|\d+ ?(个|条|层)'
FEWER, MORE = 0.7, 1.5
"""Least and largest ratio of the answer's levels to the gold's: matplotlib rounds the number."""
PALE, DARK = 0.2, 0.25
"""Saturation and brightness of what may be called black or grey."""
SAME, NEAR = 0.9, 1e-3
"""Least share of equal numbers, and their largest difference as a share of the greatest."""

POINTS, BARS = ('scatter',), ('bar', 'barh')
"""Kinds of series whose parts may have colours of their own, whatever else has."""

Alike = Callable[[PlotSeries, PlotSeries], float]
Look = tuple[set[str], PlotSeries]  # what may be said of a part of a plot, and the part


def faults(gold: PlotAxes, answer: PlotAxes, question: str, alike: Alike) -> list[str]:
    """List what an answer draws in other colours or styles than question and gold say."""
    colours = {name for name, (words, *_) in COLOURS.items() if re.search(words, question)} | _named(gold, question)
    styles = {name for name, words in STYLES.items() if re.search(words, question)}
    found: list[str] = []
    if _differs(_coloured(gold), [*_coloured(answer)], colours, alike) or _parts_differ(gold, answer, colours):
        found.append('other colours')
    found += ['other styles'] if styles and _differs(_styled(gold), [*_styled(answer)], styles, alike) else []
    own, shown = (_levels(axes) if re.search(LEVELS, question) else 0 for axes in (gold, answer))
    if own and shown and not FEWER * own <= shown <= MORE * own:
        found.append(f'{shown} levels, the gold has {own}')
    return found


def _named(gold: PlotAxes, question: str) -> set[str]:
    """What the gold's colours are called that the question gives by their names in CSS, as `salmon`."""
    drawn = {tint for one in gold.series for tint in one.tints}
    words = {*re.findall(r'[a-z]+', question)} & {*ImageColor.colormap}
    tints = {'#{:02x}{:02x}{:02x}'.format(*ImageColor.getrgb(word)) for word in words} & drawn
    return {name for tint in tints for name in names(tint)}


def _differs(golds: Iterator[Look], answers: list[Look], asked: set[str], alike: Alike) -> bool:
    """Whether the answer draws a thing of the gold's, but never as the question asks for it."""
    for looks, series in golds:
        if looks & asked:
            same = [shown for shown, other in answers if _is_alike(series, other, alike)]
            if same and not any(shown & looks & asked for shown in same):
                return True
    return False


def _parts_differ(gold: PlotAxes, answer: PlotAxes, asked: set[str]) -> bool:
    """Whether the answer draws points, bars, boxes or wedges of the gold's, but never in the colours asked for."""
    names = sorted(asked)
    answers = _parts(answer, names)
    for form, (rows, looks) in _parts(gold, names).items():
        if form in answers:
            others, theirs = answers[form]
            near = NEAR * (np.ptp(rows, axis=0) + 0 * rows if form[0] in POINTS else np.abs(rows)) + 1e-12
            same = [(np.abs(others - row) <= limit).all(1) for row, limit in zip(rows, near, strict=True)]
            wrong = [those.any() and not (theirs[those] & look).any() for those, look in zip(same, looks, strict=True)]
            if (looks[wrong].sum(0) > (1 - SAME) * looks.sum(0)).any():
                return True
    return False


def _parts(axes: PlotAxes, asked: list[str]) -> dict[tuple[str, int], tuple[NDArray[np.float64], NDArray[np.bool_]]]:
    """The numbers of each point, bar, box and wedge, and which of the asked names its colour has.

    They are by kind and how many they are: of points the places, of bars the lengths, wherever they stand.
    """
    rows: dict[tuple[str, int], list[tuple[float | None, ...]]] = defaultdict(list)
    looks: dict[tuple[str, int], list[list[bool]]] = defaultdict(list)
    for one in axes.series:
        if one.tints and (one.kind in (*POINTS, *BARS) or len(one.tints) > 1):
            called = [[name in names(tint) for name in asked] for tint in one.tints]
            columns = one.columns[:2] if one.kind in POINTS else one.columns[1:2] if one.kind in BARS else one.columns
            count = len(one.columns[0])
            places = (one.groups or range(count)) if len(called) > 1 else [0] * count
            rows[one.kind, len(columns)] += zip(*columns, strict=True)
            looks[one.kind, len(columns)] += [called[place] for place in places]
    return {form: (np.nan_to_num(np.array(rows[form], float)), np.array(looks[form], bool)) for form in rows}


def _coloured(axes: PlotAxes) -> Iterator[Look]:
    """Yield the series of one colour, points left out, with the names of their colours."""
    for one in axes.series:
        if one.kind == 'image':
            yield {one.colours or 'grey'}, one
        elif len(one.tints) == 1 and one.kind not in POINTS:
            yield names(one.tints[0]), one


def _styled(axes: PlotAxes) -> Iterator[Look]:
    for one in axes.series:
        if one.style:
            yield {'dashed', 'dotted'} if one.style == 'dashdot' else {one.style}, one


def names(tint: str) -> set[str]:
    """All names that a colour may have; empty for what is no colour."""
    if not re.fullmatch('#[0-9a-f]{6}', tint):
        return set()
    hue, saturation, value = colorsys.rgb_to_hsv(*(int(tint[at : at + 2], 16) / 255 for at in (1, 3, 5)))
    found = {'black' if value < 2 * DARK else 'grey'} if saturation < PALE or value < DARK else set()
    if saturation >= PALE and value >= DARK:
        found |= {one for one, (_, low, high) in COLOURS.items() if 0 < (high - low) % 360 >= (hue * 360 - low) % 360}
    return found


def _is_alike(one: PlotSeries, other: PlotSeries, alike: Alike) -> bool:
    """Whether two series draw the same, bars wherever they stand."""
    if one.kind != other.kind or one.shape != other.shape:
        return False
    if one.kind in ('line', 'level'):
        return alike(one, other) >= SAME
    own, shown = (np.nan_to_num(np.array(each.columns, float)) for each in (one, other))
    if own.shape != shown.shape:
        return False
    own, shown = (np.sort(rows[1:2] if one.kind in BARS else rows) for rows in (own, shown))
    return bool((np.abs(own - shown) <= NEAR * np.abs(own).max(axis=1, keepdims=True) + 1e-12).mean() >= SAME)


def _levels(axes: PlotAxes) -> int:
    """The number of contour levels; 0 without contours."""
    counts = [len(one.levels) for one in axes.series if one.kind == 'field']
    counts += [len(set(one.columns[2])) for one in axes.series if one.kind == 'contour' and len(one.columns) == 3]
    return max(counts, default=0)
