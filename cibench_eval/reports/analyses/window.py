"""What a model's window left out of its conversations, and what that cost."""

from functools import partial

from cibench_eval.reports.analyses.drawing import bars
from cibench_eval.reports.analyses.study import Analysis, LackingError, StudiedRuns
from cibench_eval.reports.layout import Cell, Table

NOTE = (
    'Cut is the share of steps, in %, whose last request lacked the oldest parts of the conversation because the'
    ' model’s window is too small; Parts is how many, in the mean over these. Right is in % of the cut steps, and of'
    ' the others. Tokens are those of the last request of a step, in the mean over the first and last quarter of the'
    ' sessions (– if the endpoint does not say).'
)
HEADER = ['', 'Cut', 'Parts', 'Right, cut', 'Right, whole', 'Tokens, first quarter', 'Tokens, last quarter']


def window(study: StudiedRuns) -> Analysis:
    """Steps that were asked without parts of the conversation, and how right they are."""
    if not any(step.without for step in study.steps):
        raise LackingError('every step was asked with its whole conversation')
    body, drawn = [], {}
    for name, steps in study.groups().items():
        cut = [step for step in steps if step.without]
        whole = [step for step in steps if not step.without]
        shares = [study.share(some, lambda step: step.right) for some in (cut, whole)]
        last: dict[tuple[str, str], int] = {}
        for step in steps:
            place = (step.split, step.experiment)
            last[place] = max(step.step, last.get(place, 0))
        first = [step.read for step in steps if step.read and 4 * step.step <= last[step.split, step.experiment]]
        late = [step.read for step in steps if step.read and 4 * step.step > 3 * last[step.split, step.experiment]]
        body.append(
            [
                Cell(name),
                Cell.of(study.share(steps, lambda step: step.without > 0)),
                Cell(f'{sum(step.without for step in cut) / len(cut):.1f}' if cut else '–'),
                *map(Cell.of, shares),
                *(Cell(f'{sum(some) / len(some):,.0f}' if some else '–') for some in (first, late)),
            ]
        )
        drawn[name] = shares
    table = Table('What the window left out', HEADER, body, NOTE)
    return Analysis(table, partial(bars, places=['cut', 'whole'], series=drawn, label='% of steps right'))
