"""Rows for the leaderboard's page: own ones of three splits, and the published ones."""

from cibench_eval.reports.rows import aggregate, published
from cibench_eval.viewer.leaderboard_page import leaderboard_page
from tests.reports.rows import result, steps_of
from tests.support.viewer_runs import EVIL

MODELS = {'weak': 10, 'strong': 90, EVIL: 50}
"""Model -> what it gets in every metric."""


def rows_of(split, profile='official'):
    """A row for each model; `weak` lacks the oracle mode, and with it an average."""
    found = [
        result(
            mode, steps_of([score] * 5, experiment=f'x/{n}'), model, split=split, dataset=f'{mode}{n}', profile=profile
        )
        for model, score in MODELS.items()
        for mode in ('end_to_end', 'oracle')
        if (model, mode) != ('weak', 'oracle')
        for n in range(3)
    ]
    return aggregate(found)


def write_board(path):
    """A page with all of them."""
    rows = [*rows_of('builtin_hard', 'strict'), *rows_of('template'), *rows_of('generation')]
    path.write_text(leaderboard_page(rows, published()))
    return path
