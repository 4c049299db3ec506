"""Several measures of the same figures: SSIM, the content of the plots, the opinion of judges."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

from cibench_eval.reports.analyses.drawing import scattered
from cibench_eval.reports.analyses.study import Analysis, LackingError, StudiedRuns, correlation
from cibench_eval.reports.layout import Cell, Table

if TYPE_CHECKING:
    from cibench_eval.analysis.agreement import Agreement, MeasuredStep

NOTE = (
    'Of each measure the mean × 100 over the steps that all of them have, and how far two of them go together: '
    'correlations, and Krippendorff’s α, which asks for the same values; 95 % intervals by experiments. There, replays '
    'of gold do not count. `official` is SSIM, `strict` what the plots show; others are judges.'
)


def measures(study: StudiedRuns) -> Analysis:
    """Scores of figures by several measures, step by step (paper, §4.2)."""
    from cibench_eval.analysis.agreement import agreements, levels

    names = list(dict.fromkeys(name for one in study.figures for name in one.values))
    pairs = [pair for pair in combinations(names, 2) if any({*pair} <= one.values.keys() for one in study.figures)]
    if not pairs:
        raise LackingError('figures have one measure: score the run by the other profile, or let a model judge it')
    lines = [
        [Cell(f'{level.model}: {name}'), Cell(f'{mean:.1f}'), *_none(3), Cell(str(level.steps))]
        for level in levels(study.figures, names)
        for name, mean in level.means.items()
    ]
    of_models = [one for one in study.figures if one.model not in study.replays]  # gold is right by construction
    found = {(one.a, one.b): one for one in agreements(of_models, names)}
    lines += [[Cell(' and '.join(pair)), Cell('–'), *_together(found.get(pair))] for pair in pairs]
    table = Table('Measures of figures', ['', 'Mean', 'Pearson', 'Spearman', 'α', 'n'], lines, NOTE)
    return Analysis('measures', table, partial(_draw, pairs, list(study.figures)))


def _none(count: int) -> list[Cell]:
    return [Cell('–')] * count


def _together(one: Agreement | None) -> list[Cell]:
    if one is None:
        return [*_none(3), Cell('0')]
    both = (correlation(each, one.experiments) for each in (one.pearson, one.spearman, one.alpha))
    return [*both, Cell(str(one.steps))]


def _draw(pairs: Sequence[tuple[str, str]], figures: Sequence[MeasuredStep], axes: Any) -> None:
    """Draw steps by the first and the second measure of each pair; equal values lie on the diagonal."""
    axes.plot([0, 1], [0, 1], color='#999999', linewidth=0.8)
    both = {
        f'{first} → {second}': [
            (one.values[first], one.values[second]) for one in figures if {first, second} <= one.values.keys()
        ]
        for first, second in pairs
    }
    scattered(axes, both, ('score of a step by the first measure, 0 to 1', 'by the second, 0 to 1'), s=18, alpha=0.6)
