"""Answers that say how sure they are: how much they tell, and which of them are false discoveries."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from cibench_eval.reports.analyses.drawing import labelled, legend, style
from cibench_eval.reports.analyses.study import Analysis, LackingError, StudiedRuns
from cibench_eval.reports.layout import Cell, Table
from cibench_eval.schema import Forecast

SUREST = 0.99
"""The highest probability that the log score takes at its word: one claim that is surely false does not decide all."""
BINS = 5
NOTE = (
    f'Log score is the mean of log₂ of the probability given to what is so (0 at best, −1 for 0.5 throughout; cut at '
    f'{SUREST} and {1 - SUREST:.2f}), Brier the mean squared difference to it (0 at best, 0.25 for 0.5 throughout). '
    'False discoveries are in % of what was called true (over 0.5), missed in % of what is true. Answers without a '
    'probability are left out of all four, and counted in the last column.'
)
HEADER = ['', 'Log score', 'Brier', 'False discoveries', 'Missed', 'n', 'Without']


def forecasts(study: StudiedRuns) -> Analysis:
    """How sure answers say that they are, and how often they are right."""
    groups = study.groups()
    asking = {(step.split, step.experiment, step.step) for step in study.steps if step.asks_forecast or step.forecasts}
    if not any(step.forecasts for step in study.steps):
        raise LackingError('no answer says how sure it is; questions of builtin_claims ask for it')
    body, drawn = [], {}
    for name, steps in groups.items():
        own = [step for step in steps if (step.split, step.experiment, step.step) in asking]
        said = [one for step in own for one in step.forecasts]
        body.append(
            [Cell(name), *_line(said), Cell(str(len(said))), Cell(str(sum(not step.forecasts for step in own)))]
        )
        drawn[name] = said
    return Analysis(Table('How sure answers are', HEADER, body, NOTE), partial(_draw, drawn))


def _line(said: Sequence[Forecast]) -> list[Cell]:
    if not said:
        return [Cell('–')] * 4
    found = [one for one in said if one.probability > 0.5]
    true = [one for one in said if one.true]
    return [
        Cell(f'{sum(map(log_score, said)) / len(said):.2f}'),
        Cell(f'{sum((one.probability - one.true) ** 2 for one in said) / len(said):.3f}'),
        Cell(f'{100 * sum(not one.true for one in found) / len(found):.1f}' if found else '–'),
        Cell(f'{100 * sum(one.probability <= 0.5 for one in true) / len(true):.1f}' if true else '–'),
    ]


def log_score(one: Forecast) -> float:
    """log₂ of the probability that a forecast gives to what is so, 0 at best (I. J. Good, 1952)."""
    sure = min(max(one.probability, 1 - SUREST), SUREST)
    return math.log2(sure if one.true else 1 - sure)


def _draw(drawn: dict[str, list[Forecast]], axes: Any) -> None:
    """Draw how often something is so by how sure answers are of it."""
    axes.plot([0, 1], [0, 1], color='#999999', linewidth=0.8)
    for number, (name, said) in enumerate(drawn.items()):
        bins = [[one for one in said if min(int(one.probability * BINS), BINS - 1) == at] for at in range(BINS)]
        points = [
            (sum(one.probability for one in some) / len(some), sum(one.true for one in some) / len(some))
            for some in bins
            if some
        ]
        axes.plot(*zip(*points, strict=True) if points else ([], []), label=labelled(name), **style(number))
    axes.set(xlabel='probability that answers give, mean of a fifth', ylabel='share that is so')
    legend(axes, len(drawn))
