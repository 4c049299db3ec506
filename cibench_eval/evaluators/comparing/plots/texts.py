"""The texts of a plot: a factor for the gold's texts that the answer has, 1 where none is missing.

A text that the question quotes must be there to the letter. One that it names, or asks for by its sort (title, labels,
legend), must be there in some words, but not in the words of another text of the gold. Other texts cost little.
"""

import functools
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from cibench_eval.evaluators.comparing.numbers import CJK, CJK_SIGN, EXPONENT, MONTHS, NAMES_OF_MONTHS, nfkc
from cibench_eval.evaluators.comparing.open_form.units import with_iso_dates
from cibench_eval.evaluators.comparing.rouge import rouge_l
from cibench_eval.plots import Plot, PlotAxes, PlotAxis

DATE = 'date'
"""The unit of an axis of days since 1970."""
ASKED, UNASKED = 0.5, 0.1
"""Costs of a missing text that is asked for, and of all other texts together."""
BESIDE = 0.5
"""Largest distance between a tick and the number that is its label, for a label that only repeats the place."""
TICK_NEAR = 0.2
"""Largest distance of two ticks of one name, as a share of the least distance of two ticks."""
ROUNDING = 1e-6
FEW = 0.25
"""Share of the names at an image's ticks below which names are missing, and not only thinned out."""
MOST_VALUES = 0.9
"""Least share of the written values where the question asks for them."""
MOST_QUOTED = 40
"""Characters of a text that the fault quotes."""
NUMBER = re.compile(rf'[-+−]?[\d.,]+{EXPONENT}\s*%?')
LETTER = re.compile(rf'[^\W{CJK}]')
TIME, DAY = re.compile(r'(\d{4})[-/](\d\d)(?:[-/](\d\d)(?:[ Tt](\d\d:\d\d(?::\d\d)?)(?:\.0*)?)?)?'), 86_400
"""A date or a time as `with_iso_dates` has it, or a month; and the seconds of a day."""
MONTH = re.compile(r'([a-z]+)\.?[ -](\d{4})', re.I)
NUMBERS_OF_MONTHS = {'sept': 9} | {word: n for names in (NAMES_OF_MONTHS, MONTHS) for n, word in enumerate(names, 1)}
CHINESE_MONTH = re.compile(r'(?:(\d{4})年)?(\d{1,2})月')
QUARTER = re.compile(r'(?:q([1-4])[- ])?(\d{4})(?(1)|[- ]?q([1-4]))', re.I)
NOT = re.compile(r'\b(non?|not|without|un\w+|ex|except|other)\b|[非不无]')
"""Words by which a longer name takes a shorter one back."""
QUOTED = re.compile(
    r'`([^`]+)`|"([^"]+)"|“([^”]+)”|「([^」]+)」|『([^』]+)』|《([^》]+)》|(?<!\w)[\'‘]([^\'’]+)[\'’](?!\w)', re.A
)
UNIT = re.compile(r'[(\[（【][^)\]）】]*[)\]）】]')
FORMULA = re.compile(r'(?<!\\)\$(?!\s)([^$]+)(?<![\s\\])\$(?!\d)')
GREEK = {
    code: unicodedata.name(chr(code)).split()[-1].casefold().replace('lamda', 'lambda') for code in range(0x3B1, 0x3CA)
}
"""The names of Greek letters, as formulas have them."""
SORTS = {
    'title': r'titl|标题',
    'label': r'(?<!tick )\blabel|(?:轴|坐标)(?:(?!刻度)[^,;。]){0,6}标签|轴名',
    'legend': r'legend|图例',
    'text': r'annot|\bwrit|\btext|\bnames? of|\bnamed\b|with names|labels|标注|注明|写|文字',
    'ticks': r'\bnames?\b|\btick|as labels|with labels|刻度|名称',
    'value': r'annot|\bwrit|percentages?\b|(counts?|values?|numbers?) (in|on)|autopct|bar_label|标注|注明|写|百分比',
    'colour bar': r'colou?r ?bar|cbar=true|颜色条|颜色栏|色条',
}
"""Sorts of texts, and the words by which a question asks for them."""


def normal(text: str) -> str:
    """Fold a text's case, spaces, the marks around it, and letters as formulas have them."""
    text = nfkc(FORMULA.sub(_formula, text)).casefold().translate(GREEK)
    return ' '.join(text.replace('−', '-').split()).strip(' .:;,')


def _formula(found: re.Match[str]) -> str:
    """A formula without marks that do not show: of commands, and around one sign or the default font's."""
    plain = re.sub(r'\\mathdefault\{(.*)\}', r'\1', found[1])
    return re.sub(r'\\(?=[a-zA-Z])', '', re.sub(r'\{(\w)\}', r'\1', plain))


def words_of(text: str) -> str:
    """The words of a text in the singular, without units in brackets and underscores."""
    words = re.sub(r'[_\W]+', ' ', UNIT.sub(' ', normal(text))) or normal(text)
    return ' '.join(word[:-1] if len(word) > 3 and word.endswith('s') else word for word in words.split())


class Wanted:
    """What a question says about texts; without a question every text counts as quoted."""

    def __init__(self, question: str, golds: list[Plot]) -> None:
        self.text, self._words = normal(question), f' {words_of(question)} '
        self._quoted = {normal(part) for parts in QUOTED.findall(question) for part in parts if part}
        labels = {normal(axis.label) for gold in golds for axes in gold.axes for axis in (axes.x, axes.y)}
        self.speaks_of_axes = not self.text or bool(
            re.search(r'label|\bax[ie]s\b|\b[xy]\b|abscissa|ordinate|[轴签横纵]|坐标', self.text)
        )
        self._precise = bool(labels & self._quoted)  # it quotes labels, and so it wants no others

    def quotes(self, text: str) -> bool:
        return not self.text or normal(text) in self._quoted

    def names(self, text: str) -> bool:
        """Whether a text is in the question, as whole words where it has letters with spaces between words."""
        words = words_of(text)
        return bool(words) and (f' {words} ' in self._words or (not words.isascii() and normal(text) in self.text))

    def asks(self, sort: str) -> bool:
        return not (sort == 'label' and self._precise) and bool(re.search(SORTS[sort], self.text))


Found = tuple[str, float, bool]
"""A text of the gold in words, the share of it that is there, and whether it is asked for."""


def factor(
    gold: PlotAxes, answer: PlotAxes, plots: tuple[Plot, Plot], wanted: Wanted, named: bool
) -> tuple[float, list[str]]:
    """The factor for the texts of an axes, and which are missing or differ.

    `named` says that tick labels were already compared as the names of bars.
    """
    found = [*_titles(gold, answer, plots, wanted), *_legend(gold, answer, plots, wanted)]
    found += [*_inside(gold, answer, wanted), *(() if named else _ticks(gold, answer, wanted))]
    if plots[0].colour_bars and not plots[1].colour_bars and wanted.asks('colour bar'):
        found.append(('no colour bar', 0.0, True))
    asked = math.prod(1 - ASKED * (1 - share) for _, share, asked in found if asked)
    unasked = max((1 - share for _, share, asked in found if not asked), default=0.0)
    return asked * (1 - UNASKED * unasked), [what for what, share, _ in found if share < 1]


# Titles and labels.


def _titles(gold: PlotAxes, answer: PlotAxes, plots: tuple[Plot, Plot], wanted: Wanted) -> Iterator[Found]:
    """Yield the title and the labels of axes; some stand once for the whole figure, or for a row of axes."""
    title = ' '.join(filter(None, (plots[0].title, gold.title)))
    titles = [[axes.title for axes in plot.axes] for plot in plots]
    shown = [answer.title or plots[1].title, plots[1].title, f'{plots[1].title} {answer.title}'.strip()]
    shown += titles[1] if sum(map(bool, titles[0])) == 1 else []  # one of two axes in one place
    yield _text('title', title, shown, titles[0], wanted)
    labels = [axis.label for axes in plots[0].axes for axis in (axes.x, axes.y, axes.z) if axis]
    for name in 'xyz':
        own, other = (getattr(axes, name) or PlotAxis() for axes in (gold, answer))
        beside = [axis.label for axes in plots[1].axes if (axis := getattr(axes, name))]
        yield _text(f'{name} label', own.label, [other.label, *(() if other.label else beside)], labels, wanted)


def _text(what: str, text: str, shown: list[str], rivals: list[str], wanted: Wanted) -> Found:
    """A title or label against the texts that the answer shows in its place, its own or '' first."""
    there = set(map(normal, shown)) - {''}
    if not text or normal(text) in there:
        return what, 1.0, False
    words = f'{what} {_quoted(shown[0])}, not {_quoted(text)}' if shown[0] else f'no {what} {_quoted(text)}'
    if wanted.quotes(text) and (what == 'title' or wanted.speaks_of_axes):  # else it is the name of a column
        return words, max((likeness for one in shown if (likeness := rouge_l(text, one)) >= ASKED), default=0.0), True
    share = float(any(_in_words(text, one) for one in there))
    rival = any(
        _in_words(_apart(other, text), one) and _in_words(one, other) and not _in_words(one, text)
        for one in there
        for other in rivals
    )
    rival = rival or bool(there & set(map(normal, rivals)))
    return words, share, rival or (not there and wanted.asks(what.split()[-1]))


def _apart(text: str, other: str) -> str:
    """The words of a text that another one has not."""
    words = words_of(other).split()
    return ' '.join(word for word in words_of(text).split() if word not in words)


def _quoted(text: str) -> str:
    return repr(text if len(text) <= MOST_QUOTED else f'{text[:MOST_QUOTED]}…')


def _in_words(gold: str, answer: str) -> bool:
    """Whether an answer has all words of a text that the question does not quote."""
    shown = words_of(answer)
    return all(_alone(word, shown) >= 0 for word in words_of(gold).split())


def _alone(name: str, words: str) -> int:
    """Where a name stands in words: not after a negation, nor within a longer word but in Chinese; -1 for nowhere."""
    place = words.find(name)
    while place >= 0:
        before, after = words[max(0, place - 1) : place], words[place + len(name) :][:1]
        inside = LETTER.match(before) and not CJK_SIGN.match(name)
        inside = inside or (LETTER.match(after) and not CJK_SIGN.match(name[-1]))
        if not inside and before not in {*'不非未无'}:
            return place
        place = words.find(name, place + 1)
    return -1


# Names at ticks.


def _ticks(gold: PlotAxes, answer: PlotAxes, wanted: Wanted) -> Iterator[Found]:
    """Yield the names at ticks, which were not compared with the data."""
    image = next((series for series in gold.series if series.kind == 'image'), None)
    for name in 'xyz':
        axis, other = (getattr(axes, name) or PlotAxis() for axes in (gold, answer))
        ticks, others = (_without_places(one) for one in (axis, other))
        if ticks:
            cells = image.shape['yx'.index(name)] if image and name != 'z' else 0
            share = _in_place(ticks, labelled(other), _near(ticks, axis, cells), polar=gold.kind == 'polar')
            names = {label for label, _ in ticks}
            all_there = names <= {label for label, _ in labelled(other)}
            asked = all_there or all(wanted.quotes(text) or wanted.names(text) for text in names)
            few = share < ASKED if wanted.asks('ticks') else bool(image) and share < FEW
            forms = {_form(label) for label, _ in (*ticks, *others)}
            # Dates or numbers in the gold's form that are not the gold's are no other words for them.
            contrary = share == 0 and bool(others) and len(forms) == 1 and None not in forms
            yield f'names at {name} ticks', share, asked or few or contrary


def _without_places(axis: PlotAxis) -> list[tuple[str, float]]:
    """The labels of ticks in view and their places, without numbers that only repeat their places."""
    return [(label, place) for label, place in labelled(axis) if not abs(number_of(label) - place) <= BESIDE]


def _form(label: str) -> tuple[str, int] | None:
    """What a label is, where it is a number or a date: its unit, and the months of a month or a quarter."""
    value = value_of(label)
    return value and (value[1], months_of(label))


def labelled(axis: PlotAxis) -> list[tuple[str, float]]:
    """The labels of ticks that are in view, and their places."""
    low, high = min(axis.view, default=-math.inf), max(axis.view, default=math.inf)
    pairs = zip(map(normal, axis.tick_labels), axis.ticks, strict=True)
    return [(label, place) for label, place in pairs if low - ROUNDING <= place <= high + ROUNDING]


def _near(ticks: list[tuple[str, float]], axis: PlotAxis, cells: int) -> float:
    """The largest distance of two ticks of one name; `cells` of an image are along the axis."""
    places = sorted(place for _, place in ticks)
    gap = min((later - place for place, later in pairwise(places) if later > place), default=1.0)
    cell = (max(axis.view) - min(axis.view)) / cells if cells and axis.view else 0.0
    return max(TICK_NEAR * gap, BESIDE * cell) * (1 + ROUNDING)


def _in_place(ticks: list[tuple[str, float]], others: list[tuple[str, float]], near: float, polar: bool) -> float:
    """The share of ticks that the answer has at the gold's places; 0 if a name stands elsewhere, or at another's."""

    def nearest(place: float) -> list[str]:
        apart = [abs(other - place) for _, other in others]
        apart = [min(far, abs(far - 2 * math.pi)) for far in apart] if polar else apart
        least = min(apart, default=math.inf) * (1 + ROUNDING)
        return [label for (label, _), far in zip(others, apart, strict=True) if far <= least <= near]

    if len({place for _, place in others}) < len({*others}):  # one place has two names
        return 0.0
    missing = []
    for label, place in ticks:
        there = [_same(label, other) for other in nearest(place)]
        if there and not any(there):
            return 0.0
        missing += [] if there else [label]
    lost = {*missing} - {label for label, _ in ticks if label not in missing}
    return 0.0 if any(_same(label, one) for label in lost for one, _ in others) else 1 - len(missing) / len(ticks)


def _same(label: str, other: str) -> bool:
    """Whether two labels are the same words, number, month or date."""
    return label == other or (value_of(label) is not None and value_of(label) == value_of(other))


@functools.lru_cache(maxsize=1024)
def value_of(label: str) -> tuple[float, str] | None:
    """The number or date that a label stands for, and its unit."""
    label = label.replace('−', '-')
    try:
        if label.casefold() in NUMBERS_OF_MONTHS:
            return float(NUMBERS_OF_MONTHS[label.casefold()]), ''
        if (named := CHINESE_MONTH.fullmatch(label)) and not named[1]:
            return float(named[2]), ''
        if found := _time(label):
            year, month, day, time = found.groups()
            at = np.datetime64(f'{year}-{month}-{day or "01"}T{time or "00:00"}', 's')
            return float(at.astype(int) / DAY), DATE
        return float(label), ''
    except ValueError:
        return None


def months_of(label: str) -> int:
    """1 for a month of a year, 3 for a quarter, 0 for other labels."""
    found = _time(label)
    return 0 if found is None or found[3] else 3 if QUARTER.fullmatch(label) else 1


def _time(label: str) -> re.Match[str] | None:
    """A date, time, month or quarter as TIME has it."""
    if (named := MONTH.fullmatch(label)) and named[1].casefold() in NUMBERS_OF_MONTHS:
        label = f'{named[2]}-{NUMBERS_OF_MONTHS[named[1].casefold()]:02}'
    if (named := CHINESE_MONTH.fullmatch(label)) and named[1]:
        label = f'{named[1]}-{int(named[2]):02}'
    if named := QUARTER.fullmatch(label):
        label = f'{named[2]}-{int(named[1] or named[3]) * 3 - 2:02}'
    return TIME.fullmatch(with_iso_dates(label))


def number_of(label: str) -> float:
    """The number that a label is; nan for other texts."""
    return _read(label)[0]


def _share(golds: Sequence[str], answers: Iterable[str]) -> float:
    wanted = Counter(golds)
    return (wanted & Counter(answers)).total() / wanted.total()


# Legends, and what is written inside.


def _legend(gold: PlotAxes, answer: PlotAxes, plots: tuple[Plot, Plot], wanted: Wanted) -> Iterator[Found]:
    """Yield each entry of the gold's legend; a missing legend counts once where the question names no entry."""
    texts = list(dict.fromkeys(gold.legend))
    shown = [*(text for axes in plots[1].axes for text in axes.legend), *_names(answer)]
    there = set(map(normal, shown))
    if wedges := _names(gold):
        written = [*shown, *answer.texts]
        if not _names(answer) and not any(_in_words(name, text) for name in wedges for text in written):
            yield 'no names of wedges', 0.0, True
    words = [[text for text in those if not NUMBER.fullmatch(text)] for those in (texts, shown)]
    if texts and not (words[1] if words[0] else shown) and wanted.asks('legend') and not any(map(wanted.quotes, texts)):
        yield 'no legend', 0.0, True
        return
    for text in texts:
        quoted = wanted.quotes(text)
        share = normal(text) in there if quoted else any(_in_words(text, one) for one in shown)
        yield f'no legend entry {_quoted(text)}', float(share), quoted or (wanted.names(text) and wanted.asks('legend'))


def _names(axes: PlotAxes) -> list[str]:
    """The names of a pie's wedges, which may stand in a legend instead."""
    return [name for series in axes.series for name in series.names if name and series.kind == 'pie']


def _inside(gold: PlotAxes, answer: PlotAxes, wanted: Wanted) -> Iterator[Found]:
    """Yield words and values inside the axes."""
    words = [normal(text) for text in gold.texts if not NUMBER.fullmatch(text) and text not in _names(gold)]
    if words:
        share = _share(words, map(normal, answer.texts))
        yield 'words inside', share, wanted.quotes(' '.join(words)) or (share < ASKED and wanted.asks('text'))
    values = _values_written(gold, answer)
    asked = not gold.series or (values < MOST_VALUES and wanted.asks('value'))  # of a table they are all there is
    yield 'numbers inside', 0.0 if asked and values < 1 else values, asked


def _values_written(gold: PlotAxes, answer: PlotAxes) -> float:
    """The share of the gold's numbers inside the axes that the answer has, with more or fewer digits."""
    own = [_read(text) for text in gold.texts if NUMBER.fullmatch(text)]
    shown = [*answer.texts, *answer.legend, *_names(answer)]
    left = [_read(number[0]) for text in shown for number in NUMBER.finditer(text)]
    there = 0
    for value in own:
        match = next((place for place, other in enumerate(left) if _rounds(value, other)), None)
        if match is not None:
            del left[match]
            there += 1
    return there / len(own) if own else 1.0


def alike(texts: list[str], others: list[str]) -> Any:
    """Which written texts are the same words as which others or, rounded, the same number, as an array."""
    pairs = [[(normal(text), _read(text)) for text in those] for those in (texts, others)]
    same = [[word == other or _rounds(number, value) for other, value in pairs[1]] for word, number in pairs[0]]
    return np.array(same, bool).reshape(len(texts), len(others))


def _read(text: str) -> tuple[float, float]:
    """A written number, and half of its last digit; nan for other texts."""
    text = normal(text).replace('%', '').replace(',', '').strip()
    try:
        value = float(text)
        mantissa, _, exponent = text.partition('e')
        digit = int(exponent or 0) - len(mantissa.partition('.')[2])
    except ValueError:
        return float('nan'), 0.0
    return value, 0.5 * 10.0 ** min(max(digit, -300), 300)


def _rounds(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two written numbers may be one, rounded, or one of them in per cent."""
    far = max(one[1], other[1]) * 1.01
    return any(abs(one[0] - other[0] * scale) <= far * max(scale, 1) for scale in (1, 100, 0.01))


# Names that say more than the gold's.


def renamed(gold: Plot, answer: Plot) -> Plot:
    """Replace an answer's names that say the same as one of the gold's, and more, by the gold's."""
    golds, answers = ({words_of(name): name for name in _said(plot) if words_of(name)} for plot in (gold, answer))
    left = sorted(set(golds) - set(answers), key=len)
    known: dict[str, str] = {}
    for words, text in answers.items():
        those = [words] if words in golds else [name for name in left if _says_more(name, words)]
        if those and golds[those[-1]] != text:
            known[text] = golds[those[-1]]
            left = [name for name in left if name != those[-1]]
    return answer.model_copy(update={'axes': [_renamed(one, known) for one in answer.axes]}) if known else answer


def _said(plot: Plot) -> Iterator[str]:
    """Yield all names of its series, of their groups and in legends."""
    for axes in plot.axes:
        yield from axes.legend
        for one in axes.series:
            yield from (one.label, *one.group_labels, *one.names)


def _renamed(axes: PlotAxes, known: dict[str, str]) -> PlotAxes:
    def named(names: list[str]) -> list[str]:
        return [known.get(text, text) for text in names]

    series = [
        one.model_copy(
            update={
                'label': known.get(one.label, one.label),
                'group_labels': named(one.group_labels),
                'names': named(one.names),
            }
        )
        for one in axes.series
    ]
    return axes.model_copy(update={'legend': named(axes.legend), 'series': series})


def _says_more(name: str, words: str) -> bool:
    """Whether some words contain the words of a name, without a negation."""
    place = _alone(name, words)
    return place >= 0 and not NOT.search(f'{words[:place]} {words[place + len(name) :]}')
