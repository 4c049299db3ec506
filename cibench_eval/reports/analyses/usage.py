"""The usage of a step: tokens, time, money."""

from __future__ import annotations

from functools import partial

from cibench_eval.models.limits import Usage
from cibench_eval.reports.analyses.drawing import bars
from cibench_eval.reports.analyses.study import Analysis, StudiedRuns
from cibench_eval.reports.layout import Cell, Table

NOTE = (
    'Means over steps: tokens read and written, seconds in the model and in the kernel, cost in the currency of the '
    'price that the model’s config gives (– without one). Replies of the reply cache count as nothing.'
)
HEADER = ['', 'Read', 'Written', 'Model s', 'Kernel s', 'Cost']


def usage(study: StudiedRuns) -> Analysis:
    """Tokens, time and cost of a step."""
    body, drawn = [], {}
    for name, steps in study.groups().items():
        total = sum((step.usage for step in steps), Usage())
        count = len(steps)
        seconds = [study.mean(steps, lambda one: one.model_seconds), study.mean(steps, lambda one: one.kernel_seconds)]
        body.append(
            [
                Cell(name),
                Cell(f'{total.tokens_in / count:,.0f}' if total.tokens_in else '–'),
                Cell(f'{total.tokens_out / count:,.0f}' if total.tokens_out else '–'),
                *(Cell(f'{share.value:.2f}', share.bounds, digits=2) for share in seconds),
                Cell(f'{total.cost / count:.4f}' if total.cost else '–'),
            ]
        )
        drawn[name] = seconds
    table = Table('What a step uses', HEADER, body, NOTE)
    draw = partial(bars, groups=['in the model', 'in the kernel'], series=drawn, label='seconds a step')
    return Analysis('usage', table, draw)
