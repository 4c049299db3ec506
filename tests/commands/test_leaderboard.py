"""`cibench leaderboard` over real runs."""

import itertools
import shutil
from importlib.metadata import version

import pytest

from cibench_eval import cli
from tests.reports.rows import result, step, write_run
from tests.support.chat_server import chat_server
from tests.support.notebooks import add_endpoint, config_folder, small_set
from tests.support.runs import SMALL, run_here
from tests.support.sessions import call
from tests.viewer.pages import Page

pytestmark = pytest.mark.kernel


@pytest.fixture(scope='module')
def runs(tmp_path_factory):
    """Two runs of the gold."""
    folder = tmp_path_factory.mktemp('runs')
    config_folder(folder, small_set(folder / 'data', ('a',)))
    return [(run := run_here(folder, *SMALL, out=name)).rename(run.with_name(name)) for name in ('one', 'two')]


def leaderboard(capsys, *words):
    code = cli.main(['leaderboard', *map(str, words)])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_runs_of_one_model_are_told_apart(runs, tmp_path, capsys):
    """By their names, and by the folders above them where they began in one second."""
    code, said, _ = leaderboard(capsys, *runs, '--to', 'markdown')
    assert code == 0 and '| gold-replay (one) |' in said and '| gold-replay (two) |' in said
    assert 'as published' not in said  # these are no official notebooks
    assert '| gold-replay |' in leaderboard(capsys, runs[0], '--to', 'markdown')[1]
    same = [shutil.copytree(run, tmp_path / run.name / 'now') for run in runs]
    code, said, _ = leaderboard(capsys, *same, '--to', 'markdown')
    assert code == 0 and '| gold-replay (one/now) |' in said and '| gold-replay (two/now) |' in said


def test_the_published_table_stands_beside(runs, capsys):
    _, said, _ = leaderboard(capsys, runs[0], '--published', '--to', 'markdown')
    assert (
        said.index('gold-replay')
        < said.index('as published by its authors')
        < said.index('| GPT-4-1106-preview | 99.8')
    )


def test_a_page_in_one_file(runs, tmp_path, capsys):
    path = tmp_path / 'new' / 'board.html'
    assert leaderboard(capsys, *runs, '--published', '--html', path) == (0, f'{path}\n', '')
    page = Page(path)
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


@pytest.mark.soak
def test_the_board_says_under_which_conditions_and_names_those_in_which_rows_differ(tmp_path, capsys):
    """A run of the default agent; one of another prompt with fewer attempts and two epochs, of which one has a miss."""
    configs = config_folder(tmp_path, small_set(tmp_path / 'data', ('a', 'b')))
    agent = (configs / 'agents/react.py').read_text()
    changed = agent.replace("abbr='react'", "abbr='mine'").replace('max_attempts=3', 'max_attempts=2')
    assert changed.count('type=ReAct,') == 1
    changed = changed.replace('type=ReAct,', "type=ReAct, prompt=dict(en=dict(question='{question} Now.')),")
    (configs / 'agents/mine.py').write_text(changed)
    codes = itertools.chain(['1 / 0', *['print(21.5)'] * 9, 'print(0)'], itertools.repeat('print(21.5)'))
    with chat_server(lambda _: call(next(codes))) as server:
        add_endpoint(configs, 'model', server.base_url)
        words = ['--models', 'model', '--datasets', 'small', '--max-sessions', '1']
        runs = [run_here(tmp_path, *words, out='one')]
        runs.append(run_here(tmp_path, *words, '--agents', 'mine', '--epochs', '2', out='two'))
    _, said, error = leaderboard(capsys, *runs, '--to', 'markdown')
    table = [[cell.strip() for cell in line.split('|')[1:-1]] for line in said.splitlines() if line.startswith('|')]
    head, _, *rows = table
    assert head[head.index('Whole') + 1 :] == ['E-pass^2', 'O-pass^2', 'Agent', 'Prompt', 'Attempts', 'Epochs']
    assert sorted(row[head.index('Agent') :] for row in rows) == [
        ['mine', 'of the config', '2', '2'],
        ['react', 'default', '3', '1'],
    ]
    passes = {row[head.index('Agent')]: row[head.index('Whole') + 1 :][:2] for row in rows}
    assert passes['react'] == ['–', '–'] and [one.split()[0] for one in passes['mine']] == ['50.0', '100.0']
    assert 'E-Vis' not in head and not error  # there is no such step, and no row lacks anything
    scored_by = f'Scored by profile official ({version("cibench-eval")})'
    assert f'{scored_by}, kernel environment modern-' in said and 'small: 2 experiments, 4 steps' in said
    leaderboard(capsys, *runs, '--html', tmp_path / 'board.html')
    page = Page(tmp_path / 'board.html').text
    assert 'of the config' in page and 'E-pass^2' in page and scored_by in page
    _, said, _ = leaderboard(capsys, runs[0], '--to', 'markdown')
    assert 'agent react, prompt: default, at most 3 attempts, epochs: 1.' in said and 'pass^' not in said


def test_a_part_of_a_set_is_not_the_set_and_a_tolerance_is_said(tmp_path, capsys):
    """A model that is right in one of two experiments, run on that one alone, and on both with any number right."""
    configs = config_folder(tmp_path, small_set(tmp_path / 'data', ('a', 'b')))
    part = (configs / 'datasets/small.py').read_text().replace("split='small'", "split='small', experiments=['math/a']")
    (configs / 'datasets/part.py').write_text(part)
    loose = (configs / 'datasets/small.py').read_text()
    (configs / 'datasets/loose.py').write_text(
        loose.replace('type=SessionEvaluator', "type=SessionEvaluator, profile='strict', tolerance=0.5")
    )
    with chat_server(lambda messages: call('n = 20; print(21.5 if "in a" in question else 0)')) as server:
        add_endpoint(configs, 'model', server.base_url)
        sets = ('part', 'loose', 'small')
        runs = [run_here(tmp_path, '--models', 'model', '--datasets', name, out=name) for name in sets]
    _, said, _ = leaderboard(capsys, runs[0], runs[2], '--to', 'markdown')
    (starred,) = [line for line in said.splitlines() if line.startswith('| model') and '*' in line.split('|')[1]]
    assert runs[0].name in starred
    assert r'the figures (\*) are of the rest' in said and 'E end-to-end, O oracle' in said
    assert '% model' in leaderboard(capsys, runs[0], runs[2], '--to', 'latex')[1]
    assert 'tolerance=0.5' in leaderboard(capsys, *runs[1:], '--to', 'csv')[1]
    _, said, _ = leaderboard(capsys, *runs[1:], '--to', 'markdown')
    assert 'strict, tolerance=0.5' in said and '| official' in said


def test_a_run_that_is_named_twice_is_refused(runs, capsys):
    code, _, said = leaderboard(capsys, runs[0], runs[0])
    assert (code, said) == (2, f'cibench: error: {runs[0]}: named twice; name each run once\n')


def test_a_split_of_a_foreign_run_that_a_spreadsheet_takes_for_a_formula_is_refused(tmp_path, capsys):
    run = write_run(tmp_path / 'run', [result(steps=[step(0)], split='=1+1')])
    code, _, said = leaderboard(capsys, run, '--to', 'csv')
    assert code == 2 and "split is '=1+1'; it must be a name that no spreadsheet takes for a formula" in said
