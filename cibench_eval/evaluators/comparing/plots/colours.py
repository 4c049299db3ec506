"""Colours and styles that a question names: whether an answer draws the same things in them."""

import colorsys
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import ImageColor

from cibench_eval.plots import PlotAxes, PlotSeries

TINTED = '(?:[色线点柱叉圈框字虚实]|星(?![队巴期])|三角|圆[点圈]|方[块形点])'
"""What follows a colour in Chinese."""
COLOURS = {
    'red': (rf'\b(red|crimson|firebrick|tomato)\b|红{TINTED}', 335, 18),
    'orange': (rf'\borange\b|橙{TINTED}', 14, 48),
    'yellow': (rf'\b(yellow|gold)\b|黄{TINTED}', 42, 72),
    'green': (rf'green\b|绿{TINTED}', 62, 172),
    'cyan': (rf'\b(cyan|turquoise|teal)\b|青{TINTED}', 162, 203),
    'blue': (rf'blue\b|\bnavy\b|蓝{TINTED}', 184, 262),
    'purple': (rf'\b(purple|violet|magenta)\b|紫{TINTED}', 252, 322),
    'pink': (rf'\b(pink|magenta)\b|粉{TINTED}', 295, 360),
    'black': (rf'\bblack\b|黑{TINTED}', 0, 0),
    'grey': (r'\bgr[ae]y|灰', 0, 0),
}
"""Colours, the words by which a question names them, and their hues in degrees from and to: neighbours overlap."""
STYLES = {
    'dashed': r'\bdash(ed|es)?\b|虚线',
    'dotted': r'\bdotted\b|点线',
    'marked': r'\bmarkers? ?[`=]|\bwith (\w+ ){0,2}markers\b|[带用]\w{0,4}标记|标记为? ?`',
    'outline': r'\bunfilled\b|\bnot filled\b|\bhollow\b|\bonly (the )?outline|\boutlines? only|空心|不填充',
    'ring': r'\bdonut|\bdoughnut|\brings?\b|\bhollow\b|\bhole\b|环|甜甜圈|空心',
}
"""Styles, and the words by which a question names them."""
LEVELS = r'\b\w+ (contour )?levels\b|\blevels ?= ?\d|\d+ (contour|lines of equal)|\d+ ?(个|条|层)'
FEWER, MORE = 0.7, 1.5
"""Least and largest ratio of the answer's levels to the gold's: matplotlib rounds the number."""
PALE, VIVID, DARK = 0.3, 0.15, 0.25
"""Saturation up to which a colour may be called grey, and from which by its hue; brightness up to which it is black."""
SAME, NEAR = 0.9, 1e-3
"""Least share of equal numbers, and their largest difference as a share of the greatest."""
MOST_WRONG = 0.02
"""Largest share of the points, bars, boxes or wedges in an asked colour that may be in another one."""
COMPARED = {
    'scatter': slice(2),
    'bar': slice(1, 2),
    'barh': slice(1, 2),
    **dict.fromkeys(('box', 'boxh'), slice(1, 6)),
    'pie': slice(None),
}
"""Kinds of series whose parts may have colours of their own, and by which columns parts are the same: points by place,
bars by length, boxes by quartiles."""
SHADE = r'(?:[`\'"“‘]|[为用] ?|\bin |\bcolou?r(?:ed)? )([a-z]+)\b'
"""Where a word that CSS knows as a colour is meant as one: `tan` and `chocolate` may be something else."""

Shades = dict[str, str]
"""Names of CSS and their colours as `#rrggbb`."""
Alike = Callable[[PlotSeries, PlotSeries], float]
Look = tuple[set[str], PlotSeries]  # what may be said of a part of a plot, and the part


def faults(gold: PlotAxes, answer: PlotAxes, question: str, alike: Alike) -> list[str]:
    """List what an answer draws in other colours or styles than question and gold say."""
    shades = _shades(question)
    colours = {name for name, (words, *_) in COLOURS.items() if re.search(words, question, re.A)} | {*shades}
    styles = {name for name, words in STYLES.items() if re.search(words, question)}
    found: list[str] = []
    if colours:
        own, shown = (_Colours(axes, shades, exact=axes is gold).series() for axes in (gold, answer))
        if _differs(own, [*shown], colours, alike) or _parts_differ(gold, answer, shades, sorted(colours)):
            found.append('other colours')
    lines, drawn = ([*_styled(axes)] for axes in (gold, answer))
    found += ['other styles'] if any(_differs(lines, drawn, {style}, alike) for style in styles) else []
    levels, others = (_levels(axes) if re.search(LEVELS, question) else 0 for axes in (gold, answer))
    if levels and others and not FEWER * levels <= others <= MORE * levels:
        found.append(f'{others} levels, the gold has {levels}')
    return found


def _shades(question: str) -> Shades:
    """The colours that a question calls by further names of CSS."""
    known = '|'.join(words for words, *_ in COLOURS.values())
    said = re.findall(SHADE, question, re.A)
    words = {one for one in said if one in ImageColor.colormap and not re.search(known, one)}
    return {word: '#{:02x}{:02x}{:02x}'.format(*ImageColor.getrgb(word)) for word in words}


def _differs(golds: Iterable[Look], answers: list[Look], asked: set[str], alike: Alike) -> bool:
    """Whether the answer draws a thing of the gold's, but never as the question asks for it."""
    for looks, series in golds:
        if looks & asked:
            same = [shown for shown, other in answers if _is_alike(series, other, alike)]
            if same and not any(shown & looks & asked for shown in same):
                return True
    return False


Parts = dict[tuple[str, int], tuple[NDArray[np.float64], NDArray[np.bool_]]]
"""By kind and number of columns: the numbers of each point, bar, box and wedge, and which of the names it has."""


@dataclass(frozen=True)
class _Colours:
    """What the colours of an axes are called."""

    axes: PlotAxes
    shades: Shades
    """What a question calls by names of CSS; only something of exactly that colour, if `exact`, or of a colour that has
    one of its common names."""
    exact: bool

    def called(self, tint: str) -> set[str]:
        """All names of a colour."""
        common = names(tint)
        return common | {
            word for word, shade in self.shades.items() if (tint == shade if self.exact else common & names(shade))
        }

    def series(self) -> Iterator[Look]:
        """Yield the series of one colour but points, with its names."""
        for one in self.axes.series:
            if one.kind == 'image':
                yield {one.colours or 'grey'}, one
            elif len(one.tints) == 1 and one.kind != 'scatter':
                yield self.called(one.tints[0]), one


def _parts_differ(gold: PlotAxes, answer: PlotAxes, shades: Shades, asked: list[str]) -> bool:
    """Whether points, bars, boxes or wedges of both have one of the asked colours in only one of them."""
    exact, loose = (_parts(_Colours(gold, shades, exact=one), asked) for one in (True, False))
    answers = _parts(_Colours(answer, shades, exact=False), asked)
    for form in exact.keys() & answers.keys():
        (rows, looks), (others, theirs) = exact[form], answers[form]
        span = np.ptp(rows, axis=0) if form[0] == 'scatter' else np.abs(rows)
        near = NEAR * np.broadcast_to(span, rows.shape) + 1e-12
        wrong, met, fit = np.zeros(len(rows), bool), np.zeros(len(others), bool), np.zeros(len(others), bool)
        for place, row in enumerate(rows):
            same = (np.abs(others - row) <= near[place]).all(1)
            wrong[place] = same.any() and not (theirs[same] & looks[place]).any()
            met |= same
            fit |= same & (theirs & loose[form][1][place]).any(1)
        apart = looks[wrong].sum(0) + theirs[met & ~fit].sum(0)
        if (apart > MOST_WRONG * looks.sum(0))[looks.any(0)].any():
            return True
    return False


def _parts(colours: _Colours, asked: list[str]) -> Parts:
    rows: dict[tuple[str, int], list[tuple[float | None, ...]]] = defaultdict(list)
    looks: dict[tuple[str, int], list[list[bool]]] = defaultdict(list)
    for one in colours.axes.series:
        if one.kind in COMPARED and (one.tints or 'value' in one.fields):
            columns = one.columns[COMPARED[one.kind]]
            called = [[name in known for name in asked] for known in map(colours.called, one.tints or [''])]
            places = (one.groups or range(len(columns[0]))) if len(called) > 1 else [0] * len(columns[0])
            rows[one.kind, len(columns)] += zip(*columns, strict=True)
            looks[one.kind, len(columns)] += [called[place] for place in places]
    return {form: (_seen(rows[form], form[0], colours.axes), np.array(looks[form], bool)) for form in rows}


def _seen(rows: list[tuple[float | None, ...]], kind: str, axes: PlotAxes) -> NDArray[np.float64]:
    """Numbers as an array; of points the places as they are seen, on a logarithmic axis, too."""
    found = np.nan_to_num(np.array(rows, float))
    for column, axis in enumerate((axes.x, axes.y) if kind == 'scatter' else ()):
        if axis.scale == 'log':
            found[:, column] = np.log10(np.maximum(found[:, column], np.finfo(float).tiny))
    return found


def _styled(axes: PlotAxes) -> Iterator[Look]:
    for one in axes.series:
        if one.style:
            look = {'dashed', 'dotted'} if one.style == 'dashdot' else {one.style}
            yield look | {'marked'} if one.marked else look, one


def names(tint: str) -> set[str]:
    """All names that a colour may have; empty for what is no colour."""
    if not re.fullmatch('#[0-9a-f]{6}', tint):
        return set()
    hue, saturation, value = colorsys.rgb_to_hsv(*(int(tint[at : at + 2], 16) / 255 for at in (1, 3, 5)))
    found = {'black' if value < 2 * DARK else 'grey'} if saturation < PALE or value < DARK else set()
    if saturation >= VIVID and value >= DARK:
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
    own, shown = (np.sort(rows[1:2] if one.kind in ('bar', 'barh') else rows) for rows in (own, shown))
    return bool((np.abs(own - shown) <= NEAR * np.abs(own).max(axis=1, keepdims=True) + 1e-12).mean() >= SAME)


def _levels(axes: PlotAxes) -> int:
    """The number of contour levels; 0 without contours."""
    counts = [len(one.levels) for one in axes.series if one.kind == 'field']
    counts += [len(set(one.columns[2])) for one in axes.series if one.kind == 'contour' and len(one.columns) == 3]
    return max(counts, default=0)
