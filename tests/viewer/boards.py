"""The leaderboard's page over a run of three models on several splits, and what stands in its tables."""

from types import SimpleNamespace

from cibench_eval import cli
from tests.reports.rows import result, steps_of, write_run
from tests.support.viewer_runs import EVIL
from tests.viewer.pages import Page

MODELS = {'weak': 10, 'strong': 90, 'even': 50}
"""Model -> what it gets in every metric."""


def write_board(path, *, published=True, **profiles):
    """A page over a run by split, each scored by a profile; `weak` lacks the oracle mode, and with it an average."""
    profiles = profiles or {EVIL: 'strict', 'template': 'official', 'generation': 'official'}
    found = [
        result(
            mode,
            steps_of([score] * 5, experiment=f'x/{n}'),
            model,
            split=split,
            dataset=f'{mode}{n}_{place}',
            profile=profile,
        )
        for place, (split, profile) in enumerate(profiles.items())
        for model, score in MODELS.items()
        for mode in ('end_to_end', 'oracle')
        if (model, mode) != ('weak', 'oracle')
        for n in range(3)
    ]
    run = write_run(path.with_name('run_of_the_board'), found)
    words = '--published' if published else '--no-published'
    assert cli.main(['leaderboard', str(run), words, '--html', str(path)]) == 1, 'of what is missing'
    return path


def boards_of(path):
    """The tables of a page: names and values of its columns, and its rows."""
    boards = []
    for tag, attributes in Page(path).elements:
        if tag == 'table':
            boards.append(SimpleNamespace(columns=[], lines=[]))
        elif tag == 'button' and 'data-column' in attributes:
            boards[-1].columns.append(attributes['data-column'])
        elif tag == 'tr' and 'class' in attributes:
            boards[-1].lines.append(SimpleNamespace(published=attributes['class'] == 'published', cells=[]))
        elif tag in ('th', 'td') and 'data-value' in attributes:
            boards[-1].lines[-1].cells.append(attributes['data-value'])
    return boards
