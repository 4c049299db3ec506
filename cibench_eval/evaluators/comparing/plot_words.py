"""The texts of a plot: which of the gold's the answer has. Each is worth a factor, 1 where nothing is missing."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

from cibench_eval.evaluators.comparing.text import rouge_l
from cibench_eval.plots import Plot, PlotAxes, PlotAxis

ASKED, UNASKED, VALUES = 0.5, 0.1, 0.08
"""What a missing text costs: one that the question names, one that it does not, the values written on bars."""
BESIDE = 0.5
"""How far from its place a number may stand as a label and say nothing: seaborn's heat maps have it in the middle."""
NUMBER = re.compile(r'[-+−]?[\d.,]+(e[-+]?\d+)?\s*%?')


def normal(text: str) -> str:
    """A text without case, spaces and marks around its words."""
    text = unicodedata.normalize('NFKC', re.sub(r'\$\\mathdefault\{(.*?)\}\$', r'\1', text)).casefold()
    return ' '.join(text.replace('−', '-').split()).strip(' .:;,')


def asked(golds: list[Plot], question: str) -> str:
    """A question by which to tell the texts that it names from others; empty where it names none of them."""
    said = normal(question)
    texts = [text for gold in golds for axes in gold.axes for _, text, _ in _texts(axes, axes, (gold, gold), False)]
    return said if any(normal(text) in said for text in texts) else ''


def factor(gold: PlotAxes, answer: PlotAxes, plots: tuple[Plot, Plot], question: str, named: bool) -> tuple[float, str]:
    """What the texts of an axes are worth, and what is missing.

    Args:
        gold: an axes.
        answer: that of the answer.
        plots: those of which they are.
        question: what `asked` gives; where it is empty every text of the gold counts as asked for.
        named: whether the labels of ticks were compared as the names of bars.
    """
    worth, missing = 1.0, []
    for what, text, found in _texts(gold, answer, plots, named):
        if found < 1:
            costs = ASKED if not question or normal(text) in question else UNASKED
            worth *= 1 - costs * (1 - found)
            missing.append(what)
    values = _values_written(gold, answer)
    if not gold.series and values < 1:  # a table, of which they are all there is
        worth *= 1 - ASKED
    return worth * (1 - VALUES * (1 - values)), f'without its {", ".join(missing)}' if missing else ''


def _texts(gold: PlotAxes, answer: PlotAxes, plots: tuple[Plot, Plot], named: bool) -> Iterable[tuple[str, str, float]]:
    """What a text is, the text, and how far the answer has it."""
    title = ' '.join(filter(None, (plots[0].title, gold.title)))
    if title:
        shown = [answer.title, plots[1].title, f'{plots[1].title} {answer.title}']
        if sum(bool(axes.title) for axes in plots[0].axes) == 1:  # one of two axes in one place
            shown += [axes.title for axes in plots[1].axes]
        yield 'title', title, max(_alike(title, one) for one in shown)
    for name in 'xyz':
        axis, other = getattr(gold, name), getattr(answer, name) or PlotAxis()
        if axis and axis.label:
            yield f'{name} label', axis.label, _alike(axis.label, other.label)
        if axis and not named:
            wanted = _told(axis)
            if wanted:
                yield f'{name} ticks', ' '.join(wanted), _in_order(wanted, list(map(normal, other.tick_labels)))
    if gold.legend:
        shown_there = [*(text for axes in plots[1].axes for text in axes.legend), *_names(answer)]
        for text in _entries(gold):
            yield 'legend', text, float(normal(text) in set(map(normal, shown_there)))
    words = [text for text in gold.texts if not NUMBER.fullmatch(text) and text not in _names(gold)]
    if words:
        yield 'texts', ' '.join(words), _share(list(map(normal, words)), map(normal, answer.texts))


def _entries(axes: PlotAxes) -> list[str]:
    """The texts of a legend that stand for a series; the first of more than there are is its title."""
    return list(dict.fromkeys(axes.legend))


def _names(axes: PlotAxes) -> list[str]:
    """The names of a pie's wedges, which a legend may say as well."""
    return [name for series in axes.series for name in series.names if name and series.kind == 'pie']


def _told(axis: PlotAxis) -> list[str]:
    """The labels of ticks that say something: numbers at their places do not."""
    pairs = zip(axis.ticks, axis.tick_labels, strict=False)
    return [normal(label) for place, label in pairs if not _says(normal(label), place)]


def _says(label: str, place: float) -> bool:
    try:
        return abs(float(label) - place) <= BESIDE
    except ValueError:
        return False


def _alike(gold: str, answer: str) -> float:
    """1 for the same text, what ROUGE-L gives for one that is half of it at least."""
    if normal(gold) == normal(answer):
        return 1.0
    found = rouge_l(gold, answer)
    return min(found, 0.9) if found >= ASKED else 0.0


def _in_order(golds: list[str], answers: list[str]) -> float:
    """The share of the gold's names that the answer has; 0 where they stand in another order."""
    both = set(golds) & set(answers)
    order, theirs = ([name for name in those if name in both] for those in (golds, answers))
    return _share(golds, answers) if order == theirs else 0.0


def _share(golds: Sequence[str], answers: Iterable[str]) -> float:
    wanted = Counter(golds)
    return (wanted & Counter(answers)).total() / wanted.total()


def _values_written(gold: PlotAxes, answer: PlotAxes) -> float:
    """The share of the numbers inside the axes that the answer has, too."""
    wanted = [normal(text) for text in gold.texts if NUMBER.fullmatch(text)]
    return _share(wanted, map(normal, answer.texts)) if wanted else 1.0
