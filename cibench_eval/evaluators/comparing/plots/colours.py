"""Colours and styles that a question names: whether an answer draws the same things in them."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from cibench_eval.plots import PlotAxes, PlotSeries

WORDS = {
    'red': r'red|crimson|firebrick|tomato|红',
    'orange': r'orange|橙',
    'yellow': r'yellow|gold|黄',
    'green': r'green|绿',
    'cyan': r'cyan|turquoise|teal|青',
    'blue': r'blue|navy|蓝',
    'purple': r'purple|violet|magenta|紫',
    'pink': r'pink|magenta|粉',
    'brown': r'brown|tan|棕|褐',
    'black': r'black|黑',
    'grey': r'gr[ae]y|灰',
}
"""Colours, and the words by which a question names them."""
HUES = {
    'red': (335, 18),
    'orange': (14, 48),
    'yellow': (42, 72),
    'green': (62, 172),
    'cyan': (162, 203),
    'blue': (184, 262),
    'purple': (252, 322),
    'pink': (295, 360),
}
"""Colours, and their hues in degrees from and to: neighbouring ranges overlap."""
COLOUR = rf'(?:light|dark|bright|deep|pale|sky|forest)?[ -]?(?:{"|".join(WORDS.values())})色?'
LIST = rf'{COLOUR}(?:(?:,? and |, ?|/|、|和|or ){COLOUR})*'
THINGS = (
    r'lines?|curves?|dots?|points?|circles?|markers?|crosses|cross|stars?|bars?|histogram|areas?|band|dash|solid|dotted|'
    r'vertical|horizontal|for\b|thick|thin|outline|edge|box|wedge|x\b|fill'
)
NAMED = re.compile(
    rf'(?:\b(?:in|colou?rs?|colou?red|with|as|filled|drawn|use)\b(?: an?| the)?(?: colou?rs?)?:?|[=(\'"用为])\s*'
    rf'({LIST})\b|'
    rf'\b({LIST})[ -]?(?:{THINGS})|([红橙黄绿青蓝紫粉棕褐黑灰]色|[红绿蓝黄黑][线点柱])'
)
"""Colours that a question gives to what is drawn."""
STYLES = {
    r'\bdash(ed|es)?\b|虚线': ('dashed', 'dashdot'),
    r'\bdotted\b|点线': ('dotted', 'dashdot'),
    r'\bunfilled\b|\bnot filled\b|\bhollow\b|\bonly (the )?outline|\boutlines? only|空心|不填充': ('outline',),
}
"""Words for styles, and the styles that they name."""
MARKED = r'\bwith (\w+ )?(\w+ )?markers?\b|\bmarkers? (at|on|for)\b|带标记|数据点标记'
LEVELS = r'\b\w+ (contour )?levels\b|\blevels ?= ?\d|\d+ (contour|lines of equal)|\d+ ?(个|条|层)'
FEWER, MORE = 0.7, 1.5
"""Least and largest ratio of the answer's levels to the gold's: matplotlib rounds the number."""
SAME, NEAR = 0.9, 1e-3
"""Least share of equal numbers, and their largest difference as a share of the greatest."""

Alike = Callable[[PlotSeries, PlotSeries], float]


def faults(gold: PlotAxes, answer: PlotAxes, question: str, alike: Alike) -> list[str]:
    """List what an answer draws in other colours or styles than question and gold say."""
    found = []
    colours = _asked(question)
    if colours:
        things, others = ([*_things(axes), *_bars(axes)] for axes in (gold, answer))
        found += ['other colours'] if any(_in_others(one, others, colours, alike) for one in things) else []
    for words, styles in STYLES.items():
        if re.search(words, question) and _in_another_style(gold, answer, styles, alike):
            found.append(f'not {styles[0]}')
    if re.search(MARKED, question) and _marked(gold) and not _marked(answer):
        found.append('no markers')
    if re.search(LEVELS, question):
        own, shown = _levels(gold), _levels(answer)
        if own and shown and not FEWER * own <= shown <= MORE * own:
            found.append(f'{shown} levels, the gold has {own}')
    return found


def _asked(question: str) -> set[str]:
    said = ' '.join(part for parts in NAMED.findall(question) for part in parts)
    return {name for name, words in WORDS.items() if re.search(words, said)}


def names(tint: str) -> set[str]:
    """All names that a colour may have; empty for what is no colour."""
    if not re.fullmatch('#[0-9a-f]{6}', tint):
        return set()
    hue, saturation, value = colorsys.rgb_to_hsv(*(int(tint[at : at + 2], 16) / 255 for at in (1, 3, 5)))
    found = set()
    if saturation < 0.25 or value < 0.25:
        found.add('black' if value < 0.35 else 'grey')
    if saturation >= 0.15 and value >= 0.2:
        degrees = hue * 360
        found |= {one for one, (low, high) in HUES.items() if (degrees - low) % 360 <= (high - low) % 360}
        if 5 <= degrees <= 45 and (value < 0.85 or saturation < 0.5):
            found.add('brown')
        if degrees <= 20 and saturation < 0.7:
            found.add('pink')
    return found


class Thing(NamedTuple):
    """A part of a plot in one colour: the colour, its label, and its series."""

    tint: str
    label: str
    series: PlotSeries


def _things(axes: PlotAxes) -> Iterator[Thing]:
    for one in axes.series:
        groups = one.group_labels if one.groups else one.columns[0]
        if len(one.tints) == 1:
            yield Thing(one.tints[0], one.label, one)
        elif len(one.tints) == len(groups):
            for number, tint in enumerate(one.tints):
                yield Thing(tint, *_part(one, number))


def _bars(axes: PlotAxes) -> Iterator[Thing]:
    """Yield the bars of series of one colour one by one."""
    for one in axes.series:
        if one.kind in ('bar', 'barh') and len(one.tints) == 1:
            for number in range(len(one.columns[0])):
                yield Thing(one.tints[0], *_part(one, number))


def _part(one: PlotSeries, number: int) -> tuple[str, PlotSeries]:
    """The name and the points of a group, or of a single bar, box or wedge."""
    kept = [place for place, group in enumerate(one.groups or range(len(one.columns[0]))) if group == number]
    label = one.group_labels[number] if one.groups else one.names[number] if one.names else ''
    columns = [[column[place] for place in kept] for column in one.columns]
    return label, one.model_copy(update={'columns': columns, 'groups': [], 'size': len(kept), 'stats': []})


def _in_others(thing: Thing, answers: list[Thing], colours: set[str], alike: Alike) -> bool:
    """Whether the answer draws a thing of the gold's in none of the colours that are asked for it."""
    called = names(thing.tint) & colours
    if not called:
        return False
    same = [other for other in answers if _alike(thing, other, alike)]
    return bool(same) and not any(names(other.tint) & called or not other.tint for other in same)


def _alike(one: Thing, other: Thing, alike: Alike) -> bool:
    if one.series.kind != other.series.kind:
        return False
    if one.series.kind in ('line', 'level'):
        return alike(one.series, other.series) >= SAME
    place = 1 if one.series.kind in ('bar', 'barh') else slice(None)
    own, shown = (_sorted(thing.series, place) for thing in (one, other))
    if own.shape != shown.shape or not own.size:
        return False
    near = NEAR * np.abs(own).max(axis=-1, keepdims=True) + 1e-12
    return bool((np.abs(own - shown) <= near).mean() >= SAME)


def _sorted(series: PlotSeries, place: int | slice) -> np.ndarray:
    """The numbers of a series, points in a fixed order."""
    columns = np.nan_to_num(np.array(series.columns, float))[place]
    return columns[:, np.lexsort(columns[:2][::-1])] if columns.ndim == 2 else np.sort(columns)


def _in_another_style(gold: PlotAxes, answer: PlotAxes, styles: tuple[str, ...], alike: Alike) -> bool:
    """Whether the gold has a line or bars in such a style, and the answer draws the same in other styles alone."""
    for one in gold.series:
        if one.style in styles:
            kinds = ('bar', 'barh') if one.kind in ('bar', 'barh') else (one.kind,)
            same = [other for other in answer.series if other.kind in kinds and other.style]
            if one.kind in ('line', 'level'):
                same = [other for other in same if alike(one, other) >= SAME]
            if same and not any(other.style in styles for other in same):
                return True
    return False


def _marked(axes: PlotAxes) -> bool:
    return any(one.marked or one.kind == 'scatter' for one in axes.series)


def _levels(axes: PlotAxes) -> int:
    """The number of contour levels; 0 without contours."""
    counts = [len(one.levels) for one in axes.series if one.kind == 'field']
    lines = [one for one in axes.series if one.kind == 'contour' and len(one.columns) == 3]
    counts += [len({value for value in one.columns[2] if value is not None}) for one in lines]
    return max(counts, default=0)
