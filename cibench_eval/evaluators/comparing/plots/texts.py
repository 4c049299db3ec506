"""The texts of a plot: a factor for the gold's texts that the answer has, 1 where none is missing.

A text that the question quotes must be there to the letter. One that it names, or asks for by its sort (title, labels,
legend), must be there in some words, but not in the words of another text of the gold. Other texts cost little.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cibench_eval.evaluators.comparing.numbers import EXPONENT
from cibench_eval.evaluators.comparing.rouge import rouge_l
from cibench_eval.plots import Plot, PlotAxes, PlotAxis

ASKED, UNASKED, VALUES = 0.5, 0.1, 0.08
"""Costs of a missing text that is asked for, of all other texts together, and of missing values on bars."""
BESIDE = 0.5
"""Largest distance between a tick and the number that is its label, for a label that only repeats the place."""
MOST_VALUES = 0.9
"""Least share of the written values where the question asks for them."""
NUMBER = re.compile(rf'[-+−]?[\d.,]+{EXPONENT}\s*%?')
QUOTED = re.compile(r'`([^`]+)`|"([^"]+)"|“([^”]+)”|「([^」]+)」|《([^》]+)》|(?<!\w)[\'‘]([^\'’]+)[\'’](?!\w)')
UNIT = re.compile(r'[(\[（【][^)\]）】]*[)\]）】]')
SORTS = {
    'title': r'titl|标题',
    'label': r'(?<!tick )\blabel|轴标签|轴名',
    'legend': r'legend|图例',
    'text': r'annot|\btext|\bnames? of|\bnamed\b|with names|labels|标注|文字',
    'ticks': r'\bnames?\b|\btick|as labels|with labels|刻度|名称',
    'value': r'annot|percentages?\b|(counts?|values?|numbers?) (written )?(in|on)|autopct|bar_label|标注|百分比',
    'colour bar': r'colou?r ?bar|cbar=true|颜色条|颜色栏|色条',
}
"""Sorts of texts, and the words by which a question asks for them."""


def normal(text: str) -> str:
    """Fold a text's case, spaces and the marks around it."""
    text = unicodedata.normalize('NFKC', re.sub(r'\$\\mathdefault\{(.*?)\}\$', r'\1', text)).casefold()
    return ' '.join(text.replace('−', '-').split()).strip(' .:;,')


@dataclass(frozen=True)
class Wanted:
    """What a question says about texts; without a question every text counts as quoted."""

    text: str = ''
    quoted: frozenset[str] = frozenset()
    words: str = ''
    precise: bool = False
    """Whether it quotes labels of axes, so that it wants no others."""

    @classmethod
    def of(cls, golds: list[Plot], question: str) -> Wanted:
        """The text requirements of the question."""
        quoted = {normal(part) for parts in QUOTED.findall(question) for part in parts if part}
        labels = {normal(getattr(axes, name).label) for gold in golds for axes in gold.axes for name in 'xy'}
        return cls(normal(question), frozenset(quoted), f' {words_of(question)} ', bool(labels & quoted - {''}))

    def quotes(self, text: str) -> bool:
        return not self.text or normal(text) in self.quoted

    def names(self, text: str) -> bool:
        """Whether a text is in the question, as whole words where it has letters with spaces between words."""
        words = words_of(text)
        return bool(words) and (f' {words} ' in self.words or (not words.isascii() and normal(text) in self.text))

    def speaks(self, text: str) -> bool:
        """Whether at least half of the words of a text are in the question."""
        words = words_of(text).split()
        return bool(words) and 2 * sum(f' {word} ' in self.words for word in words) >= len(words)

    def asks(self, sort: str) -> bool:
        if sort == 'label' and self.precise:
            return False
        return bool(re.search(SORTS[sort], self.text)) if sort in SORTS else False


@dataclass
class Worth:
    """The factor for the texts so far, and the names of missing ones."""

    worth: float = 1.0
    small: float = 0.0
    missing: list[str] = field(default_factory=list)

    def add(self, what: str, share: float, asked: bool) -> None:
        """Count a text that is there to a share of 0 to 1."""
        if share >= 1:
            return
        self.missing.append(what)
        if asked:
            self.worth *= 1 - ASKED * (1 - share)
        else:
            self.small = max(self.small, UNASKED * (1 - share))


def factor(
    gold: PlotAxes, answer: PlotAxes, plots: tuple[Plot, Plot], wanted: Wanted, named: bool
) -> tuple[float, str]:
    """The factor for the texts of an axes, and which are missing.

    Args:
        gold, answer: the two axes.
        plots: the plots that they belong to.
        wanted: what the question says about texts.
        named: whether tick labels were already compared as the names of bars.
    """
    found = Worth()
    _title(gold, answer, plots, wanted, found)
    _labels(gold, answer, plots, wanted, found)
    if not named:
        _ticks(gold, answer, wanted, found)
    _legend(gold, answer, plots, wanted, found)
    _inside(gold, answer, wanted, found)
    if plots[0].colour_bars and not plots[1].colour_bars and wanted.asks('colour bar'):
        found.add('colour bar', 0.0, asked=True)
    return found.worth * (1 - found.small), f'without its {", ".join(found.missing)}' if found.missing else ''


# Titles and labels.


def _title(gold: PlotAxes, answer: PlotAxes, plots: tuple[Plot, Plot], wanted: Wanted, found: Worth) -> None:
    title = ' '.join(filter(None, (plots[0].title, gold.title)))
    if not title:
        return
    shown = [answer.title, plots[1].title, f'{plots[1].title} {answer.title}']
    if sum(bool(axes.title) for axes in plots[0].axes) == 1:  # one of two axes in one place
        shown += [axes.title for axes in plots[1].axes]
    _text('title', title, list(filter(str.strip, shown)), [axes.title for axes in plots[0].axes], wanted, found)


def _labels(gold: PlotAxes, answer: PlotAxes, plots: tuple[Plot, Plot], wanted: Wanted, found: Worth) -> None:
    own = [(name, getattr(gold, name)) for name in 'xyz']
    texts = [axis.label for axes in plots[0].axes for axis in (axes.x, axes.y, axes.z) if axis]
    for name, axis in own:
        if axis and axis.label:
            other = getattr(answer, name) or PlotAxis()
            # axes in a row or column have their label once
            beside = [one.label for axes in plots[1].axes if (one := getattr(axes, name))]
            shown = [other.label] if other.label else beside
            _text(f'{name} label', axis.label, list(filter(None, shown)), texts, wanted, found)


def _text(what: str, text: str, shown: list[str], rivals: list[str], wanted: Wanted, found: Worth) -> None:
    """Count a title or label against the texts that the answer shows in its place."""
    sort = what.split()[-1]
    if wanted.quotes(text):
        found.add(what, max((_alike(text, one) for one in shown), default=0.0), asked=True)
        return
    share = max((_in_words(text, one) for one in shown), default=0.0)
    others = {normal(one) for one in rivals} - {normal(text), ''}
    rival = share < 1 and any(normal(one) in others for one in shown)
    asked = rival or (not shown and wanted.asks(sort)) or (sort == 'title' and _other_numbers(text, shown))
    found.add(what, 0.0 if asked and share < 1 else share, asked)


def _other_numbers(text: str, shown: list[str]) -> bool:
    """Whether a text has numbers, and the answer has others in their place."""
    own = re.findall(r'\d+', text)
    return bool(own) and all(re.findall(r'\d+', one) and not set(own) & set(re.findall(r'\d+', one)) for one in shown)


def words_of(text: str) -> str:
    """The words of a text in the singular, without units in brackets and underscores."""
    words = re.sub(r'[_\W]+', ' ', UNIT.sub(' ', normal(text))) or normal(text)
    return ' '.join(word[:-1] if len(word) > 3 and word.endswith('s') else word for word in words.split())


def _in_words(gold: str, answer: str) -> float:
    """1 if the answer has all words of a text that the question does not quote; a half if one is part of the other."""
    own, shown = words_of(gold), words_of(answer)
    if own == shown or f' {own} ' in f' {shown} ' or set(own.split()) <= set(shown.split()):
        return 1.0
    return 0.5 if shown and (own in shown or shown in own) else 0.0


def _alike(gold: str, answer: str) -> float:
    """1 for the same text, else its ROUGE-L, from a half on."""
    if normal(gold) == normal(answer):
        return 1.0
    found = rouge_l(gold, answer)
    return min(found, 0.9) if found >= ASKED else 0.0


# Names at ticks.


def _ticks(gold: PlotAxes, answer: PlotAxes, wanted: Wanted, found: Worth) -> None:
    for name in 'xyz':
        axis, other = getattr(gold, name), getattr(answer, name) or PlotAxis()
        names = _told(axis) if axis else []
        if not names:
            continue
        shown = list(map(normal, other.tick_labels))
        share = 1.0 if not shown and _covers(other, names) else _in_order(names, shown)
        moved = bool(shown) and share < 1 and set(shown) >= set(names)
        image = any(series.kind == 'image' for series in gold.series)
        told = all(wanted.quotes(text) or wanted.names(text) for text in names)
        asked = moved or image or told or (share < ASKED and wanted.asks('ticks'))
        found.add(f'{name} ticks', share, asked)


def _covers(axis: PlotAxis, names: list[str]) -> bool:
    """Whether a numeric axis covers all names, which are numbers."""
    try:
        numbers = [float(name) for name in names]
    except ValueError:
        return False
    return len(axis.view) == 2 and min(axis.view) <= min(numbers) and max(numbers) <= max(axis.view)


def _told(axis: PlotAxis) -> list[str]:
    """Tick labels, but for numbers that only repeat their places."""
    pairs = zip(axis.ticks, axis.tick_labels, strict=False)
    return [normal(label) for place, label in pairs if not _says(normal(label), place)]


def _says(label: str, place: float) -> bool:
    try:
        return abs(float(label) - place) <= BESIDE
    except ValueError:
        return False


def _in_order(golds: list[str], answers: list[str]) -> float:
    """The share of the gold's names in the answer; 0 where their order differs."""
    both = set(golds) & set(answers)
    order, theirs = ([name for name in those if name in both] for those in (golds, answers))
    return _share(golds, answers) if order == theirs else 0.0


def _share(golds: Sequence[str], answers: Iterable[str]) -> float:
    wanted = Counter(golds)
    return (wanted & Counter(answers)).total() / wanted.total()


# Legends, and what is written inside.


def _legend(gold: PlotAxes, answer: PlotAxes, plots: tuple[Plot, Plot], wanted: Wanted, found: Worth) -> None:
    """Count each entry of the gold's legend; a missing legend counts once where the question names no entry."""
    texts = list(dict.fromkeys(gold.legend))
    shown = [*(text for axes in plots[1].axes for text in axes.legend), *_names(answer)]
    there = set(map(normal, shown))
    words = [[text for text in those if not NUMBER.fullmatch(text)] for those in (texts, shown)]
    if texts and not (words[1] if words[0] else shown) and wanted.asks('legend') and not any(map(wanted.quotes, texts)):
        found.add('legend', 0.0, asked=True)
        return
    known = {words_of(text) for text in texts}
    others = sum(wanted.speaks(text) for text in dict.fromkeys(shown) if words_of(text) not in known)
    for text in texts:
        if wanted.quotes(text):
            found.add('legend', float(normal(text) in there), asked=True)
        elif not any(_in_words(text, one) == 1 for one in shown):
            asked = wanted.names(text) and wanted.asks('legend') and others <= 0
            others -= wanted.names(text)
            found.add('legend', 0.0, asked)


def _names(axes: PlotAxes) -> list[str]:
    """The names of a pie's wedges, which may stand in a legend instead."""
    return [name for series in axes.series for name in series.names if name and series.kind == 'pie']


def _inside(gold: PlotAxes, answer: PlotAxes, wanted: Wanted, found: Worth) -> None:
    """Count words and values inside the axes."""
    words = [normal(text) for text in gold.texts if not NUMBER.fullmatch(text) and text not in _names(gold)]
    if words:
        share = _share(words, map(normal, answer.texts))
        found.add('texts', share, wanted.quotes(' '.join(words)) or (share < ASKED and wanted.asks('text')))
    values = _values_written(gold, answer)
    if values < 1:
        table = not gold.series  # of which they are all there is
        asked = table or (values < MOST_VALUES and wanted.asks('value'))
        if asked:
            found.add('values', 0.0, asked=True)
        else:
            found.small = max(found.small, VALUES * (1 - values))


def _values_written(gold: PlotAxes, answer: PlotAxes) -> float:
    """The share of the gold's numbers inside the axes that the answer has, with more or fewer digits."""
    own, shown = ([text for text in axes.texts if NUMBER.fullmatch(text)] for axes in (gold, answer))
    left, there = [_read(text) for text in shown], 0
    for text in own:
        match = next((one for one in left if _rounds(_read(text), one)), None)
        if match is not None:
            left.remove(match)
            there += 1
    return there / len(own) if own else 1.0


def _read(text: str) -> tuple[float, float]:
    """A written number, and half of its last digit."""
    text = normal(text).replace('%', '').replace(',', '').strip()
    try:
        value = float(text)
    except ValueError:
        return float('nan'), 0.0
    mantissa, _, exponent = text.partition('e')
    digit = int(exponent or 0) - len(mantissa.partition('.')[2])
    return value, 0.5 * 10.0 ** min(max(digit, -300), 300)


def _rounds(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two written numbers may be one, rounded."""
    far = max(one[1], other[1]) * 1.01
    return any(abs(one[0] - other[0] * scale) <= far * max(scale, 1) for scale in (1, 100, 0.01)) if far else False
