"""Several measures of the same figures: SSIM, the content of the plots, the opinion of judges."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from cibench_eval.reports.analyses.drawing import legend, style
from cibench_eval.reports.analyses.study import Analysis, LackingError, Study, correlation
from cibench_eval.reports.layout import Cell, Table

if TYPE_CHECKING:
    from cibench_eval.analysis.agreement import Agreement, Observation

NOTE = (
    'Of each measure the mean × 100 over the steps that all of them have, and how far two of them go together: '
    'correlations, and Krippendorff’s α, which asks for the same values; 95 % intervals by experiments. `official` is '
    'SSIM, `strict` what the plots show; others are judges.'
)


def measures(study: Study) -> Analysis:
    """Scores of figures by several measures, step by step (paper, §4.2)."""
    from cibench_eval.analysis.agreement import agreements, levels

    names = list(dict.fromkeys(name for one in study.figures for name in one.values))
    found = agreements(study.figures, names)
    if not found:
        raise LackingError('figures have one measure: score the run by the other profile, or let a model judge it')
    lines = [
        [Cell(f'{level.model}: {name}'), Cell(f'{mean:.1f}'), *_none(3), Cell(str(level.steps))]
        for level in levels(study.figures, names)
        for name, mean in level.means.items()
    ]
    lines += [
        [
            Cell(f'{one.a} and {one.b}'),
            Cell('–'),
            *(correlation(each, one.experiments) for each in (one.pearson, one.spearman, one.alpha)),
            Cell(str(one.steps)),
        ]
        for one in found
    ]
    table = Table('Measures of figures', ['', 'Mean', 'Pearson', 'Spearman', 'α', 'n'], lines, NOTE)
    return Analysis('measures', table, partial(_draw, found, list(study.figures)))


def _none(count: int) -> list[Cell]:
    return [Cell('–')] * count


def _draw(found: Sequence[Agreement], figures: Sequence[Observation], axes: Any) -> None:
    """Draw steps by the first and the second measure of each pair; equal values lie on the diagonal."""
    axes.plot([0, 1], [0, 1], color='#999999', linewidth=0.8)
    for number, pair in enumerate(found):
        both = [one.values for one in figures if pair.a in one.values and pair.b in one.values]
        axes.scatter(
            [values[pair.a] for values in both],
            [values[pair.b] for values in both],
            s=18,
            alpha=0.6,
            **style(number),
            label=f'{pair.a} → {pair.b}',
        )
    axes.set_xlabel('score of a step by the first measure, 0 to 1')
    axes.set_ylabel('by the second, 0 to 1')
    legend(axes, 2)
