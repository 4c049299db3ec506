"""Names of series that say more than the gold's: `naive Bayes (AUC = 0.98)` for `naive Bayes`."""

from __future__ import annotations

import re

from cibench_eval.evaluators.comparing.plots.texts import UNIT, normal, words_of
from cibench_eval.plots import Plot, PlotAxes, PlotSeries

TAIL = re.compile(r'\s*[,;:=|–—]\s.*|\s*[,;:]\s*[\w ]+=.*|\s+-\s.*')
"""A mark behind a name, and what follows it."""
NOT = re.compile(r'\b(non?|not|without|un\w+|ex|except|other)\b|[非不无]')


def renamed(gold: Plot, answer: Plot) -> Plot:
    """Replace an answer's names that say the same as one of the gold's, and more, by the gold's."""
    names = {normal(name): name for name in _said(gold) if normal(name)}
    known = _matched(list(names.values()), list(dict.fromkeys(filter(None, _said(answer)))))
    if not known:
        return answer
    return answer.model_copy(update={'axes': [_axes(axes, known) for axes in answer.axes]})


def _said(plot: Plot) -> list[str]:
    """All names of its series, of their groups and in legends."""
    found = []
    for axes in plot.axes:
        found += axes.legend
        for one in axes.series:
            found += [one.label, *one.group_labels, *_names(one)]
    return found


def _axes(axes: PlotAxes, known: dict[str, str]) -> PlotAxes:
    legend = [known.get(text, text) for text in axes.legend]
    return axes.model_copy(update={'legend': legend, 'series': [_series(one, known) for one in axes.series]})


def _names(series: PlotSeries) -> list[str]:
    """The names of its parts, where a legend may give them."""
    return list(dict.fromkeys(series.names)) if series.kind != 'pie' else []


def _series(one: PlotSeries, known: dict[str, str]) -> PlotSeries:
    update: dict[str, object] = {'label': known.get(one.label, one.label)}
    update['group_labels'] = [known.get(text, text) for text in one.group_labels]
    if _names(one):
        update['names'] = [known.get(text, text) for text in one.names]
    return one.model_copy(update=update)


def _matched(golds: list[str], answers: list[str]) -> dict[str, str]:
    """Map an answer's names to the gold's, one to one."""
    exact = {normal(text) for text in golds}
    left = [text for text in golds if normal(text) not in set(map(normal, answers))]
    found: dict[str, str] = {}
    for says in (_is_written_otherwise, _says_more):
        for text in answers:
            those = [name for name in left if name not in found.values() and says(name, text)]
            if normal(text) not in exact and text not in found and those:
                found[text] = max(those, key=len)
    return found


def _is_written_otherwise(name: str, text: str) -> bool:
    """Whether a text is a name, apart from units, underscores and what follows a mark."""
    shorter = TAIL.sub('', UNIT.sub(' ', text)).strip()
    return words_of(name) in (words_of(text), words_of(shorter) if shorter else '')


def _says_more(name: str, text: str) -> bool:
    """Whether a text contains a name as whole words, without a negation."""
    own, shown = words_of(name), words_of(text)
    if not own or f' {own} ' not in f' {shown} ':
        return False
    return not NOT.search(f' {shown} '.replace(f' {own} ', ' ', 1))
