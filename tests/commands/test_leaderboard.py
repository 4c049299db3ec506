"""`cibench leaderboard` over real runs."""

import pytest

from cibench_eval import cli
from cibench_eval.run.main import main
from tests.support.notebooks import config_folder, small_set
from tests.viewer.pages import Page

pytestmark = pytest.mark.kernel


@pytest.fixture(scope='module')
def runs(tmp_path_factory):
    """Two runs of the gold."""
    folder = tmp_path_factory.mktemp('runs')
    configs = config_folder(folder, small_set(folder / 'data', ('a',)))
    words = ['--models', 'gold_replay', '--datasets', 'small', '--config-dir', str(configs)]
    found = []
    for name in ('one', 'two'):
        assert main([*words, '-w', str(folder / name)]) == 0
        (run,) = (folder / name).iterdir()
        found.append(run.rename(run.with_name(name)))
    return found


def leaderboard(capsys, *words):
    code = cli.main(['leaderboard', *map(str, words)])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_runs_of_one_model_are_told_apart(runs, capsys):
    code, said, _ = leaderboard(capsys, *runs, '--to', 'markdown')
    assert code == 0 and '| gold-replay (one) |' in said and '| gold-replay (two) |' in said
    assert 'as published' not in said  # these are no official notebooks
    assert '| gold-replay |' in leaderboard(capsys, runs[0], '--to', 'markdown')[1]


def test_the_published_table_stands_beside(runs, capsys):
    _, said, _ = leaderboard(capsys, runs[0], '--published', '--to', 'markdown')
    assert (
        said.index('gold-replay')
        < said.index('as published by its authors')
        < said.index('| GPT-4-1106-preview | 99.8')
    )


@pytest.mark.parametrize(('form', 'has'), [('latex', r'\begin{tabular}'), ('csv', 'split,model,part'), ('text', '───')])
def test_forms(runs, capsys, form, has):
    code, said, _ = leaderboard(capsys, runs[0], '--to', form)
    assert code == 0 and has in said


def test_a_page_in_one_file(runs, tmp_path, capsys):
    path = tmp_path / 'new' / 'board.html'
    assert leaderboard(capsys, *runs, '--published', '--html', path) == (0, f'{path}\n', '')
    page = Page(path)
    assert {'link', 'img', 'iframe'}.isdisjoint(tag for tag, _ in page.elements)
    assert 'gold-replay (one)' in page.text and 'GPT-4-1106-preview' in page.text
    leaderboard(capsys, runs[0], '--html', path)
    assert 'GPT-4' not in Page(path).text  # these are no official notebooks


@pytest.mark.parametrize(
    ('words', 'says'), [(['board.html', '--to', 'csv'], '--html and --to'), (['.'], 'is a folder; name a file in it')]
)
def test_a_page_has_a_file_of_its_own(runs, tmp_path, monkeypatch, capsys, words, says):
    monkeypatch.chdir(tmp_path)
    code, _, error = leaderboard(capsys, runs[0], '--html', *words)
    assert code == 2 and says in error and len(error.splitlines()) == 1 and not any(tmp_path.iterdir())


def test_a_folder_that_is_no_run_is_said_in_one_line(tmp_path, capsys):
    code, _, error = leaderboard(capsys, tmp_path)
    assert code == 2 and len(error.splitlines()) == 1
