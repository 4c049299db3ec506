"""Run folders of which a file is damaged: no score is made of it, it is named, and going on with the run mends it."""

import json
import shutil

import pytest

from cibench_eval import cli
from cibench_eval.run import scoring
from cibench_eval.run.main import main
from cibench_eval.traces import TraceStore
from tests.support.damage import COMMANDS, DAMAGE, DATASET, FILES, MODEL, Runs, damage, file_of, scores_in
from tests.support.soak import many

pytestmark = pytest.mark.kernel
ERRORS = ('brackets', 'a byte', 'a folder', 'gone')
"""One of each kind of error. `score` meets every damage, other commands two: all read files by the same code."""
CELLS = many(
    [
        (file, kind, command)
        for row, file in enumerate(FILES)
        for column, command in enumerate(COMMANDS)
        for kind in (DAMAGE if command == 'score' else ERRORS if command == '-r' else ERRORS[(row + column) % 2 :: 2])
        if command != '-r' or file not in ('figure', 'description') or kind in ('a folder', 'gone')
    ]
    + [(file, 'truncated', '-r') for file in ('traces', 'predictions', 'results')],
    [(file, 'a byte', command) for file in FILES for command in ('score', 'show', 'leaderboard')]
    + [(file, 'gone', 'score') for file in FILES]
    + [('predictions', 'truncated', '-r')],
)
"""A config has tests of its own, in test_recorded.py and below, and so has a session whose figure is another."""


@pytest.fixture(scope='module')
def runs(tmp_path_factory):
    return Runs(tmp_path_factory.mktemp('damage'))


@pytest.mark.parametrize(('file', 'kind', 'command'), CELLS, ids=map('-'.join, CELLS))
def test_damage_is_right_scores_or_a_line(runs, file, kind, command):
    runs.cell(file, kind, command)


def places_of(run):
    return set(scores_in(run)[f'results/{MODEL}/{DATASET}.json'])


@pytest.mark.parametrize('file', ['figure', 'description'])
@pytest.mark.parametrize('kind', ['truncated', *many(['a byte'], [])])
def test_a_session_whose_figure_is_damaged_is_lost_and_run_again(runs, file, kind):
    run = runs.copy()
    path = file_of(run, file)
    written = path.read_bytes()
    damage(path, kind)
    said = runs.said('score', run)
    assert said.returncode == 1
    picture = path.name.partition('.')[0]
    assert f'{picture}.png: it, or the description beside it, is not what was written' in said.stderr
    assert 'failed by a fault of the harness); go on with -r: matplotlib/weather_cn' in said.stderr
    assert {experiment for experiment, _ in places_of(run)} == {'pandas/penguins'}
    if kind == 'a byte':
        assert runs.said('-r', run).returncode == 0
        assert scores_in(run) == runs.scores
        assert path.read_bytes() == written


@pytest.mark.parametrize('command', ['show', 'view', 'export', 'leaderboard', 'analyse', 'compare'])
def test_readers_work_without_a_damaged_file_of_results(runs, command):
    """The other mode is there: 'they work without the damaged part, and end with exit code 1' (docs/running.md)."""
    run = runs.copy()
    damage(file_of(run, 'results'), 'truncated')
    said = runs.said(command, run)
    assert said.returncode == 1, said.stderr
    assert said.stdout.strip()
    assert said.stderr.count(f'{MODEL}/{DATASET}: not scored: ') == 1, said.stderr
    assert 'examples_oracle' not in said.stderr


@pytest.mark.soak
def test_tasks_of_a_run_that_is_cut_run_it_again(runs):
    run = runs.copy()
    damage(file_of(run, 'figure'), 'a byte')
    assert runs.said('-r', run, '--max-tasks', '2').returncode == 0
    assert scores_in(run) == runs.scores
    assert file_of(run, 'traces').with_suffix('.damaged.jsonl').exists()


def test_a_bad_line_costs_its_session_and_is_kept_aside(runs):
    run = runs.copy()
    path = file_of(run, 'traces')
    first, second = path.read_bytes().splitlines(keepends=True)
    bad = first[:500] + bytes(64) + first[564:]
    path.write_bytes(bad + second)
    said = runs.said('score', run)
    assert (said.returncode, f'{path}, line 1: damaged (it is not what was written)' in said.stderr) == (1, True)
    assert len({experiment for experiment, _ in places_of(run)}) == 1
    assert path.read_bytes() == bad + second, 'readers change nothing'
    assert runs.said('-r', run).returncode == 0
    assert path.with_suffix('.damaged.jsonl').read_bytes() == bad
    assert sorted(TraceStore(path).load()) == ['matplotlib/weather_cn', 'pandas/penguins']
    assert scores_in(run) == runs.scores


@pytest.mark.soak
def test_results_stay_until_there_are_new_ones(runs):
    run = runs.copy()
    results = file_of(run, 'results').read_bytes()
    damage(file_of(run, 'traces'), 'empty')
    said = runs.said('score', run)
    assert (said.returncode, 'no whole session in it, so there is nothing to score' in said.stderr) == (1, True)
    kept = json.loads(file_of(run, 'results').read_bytes())
    assert kept['steps'] == json.loads(results)['steps']
    assert 'nothing to score' in kept['problem']
    board = runs.said('leaderboard', run)
    assert (board.returncode, ' *' in board.stdout) == (1, True), 'older scores are said to be so'
    assert runs.said('-r', run).returncode == 0
    assert scores_in(run) == runs.scores


def test_a_damaged_verdict_or_finding_costs_itself_alone(runs):
    for file in ('judge', 'replay'):
        run = runs.copy()
        path = file_of(run, file)
        path.write_bytes(bytes(100) + b'\n' + path.read_bytes())
        said = runs.said('score', run)
        assert (said.returncode, f'{path}, line 1: damaged' in said.stderr) == (1, True)
        assert scores_in(run) == runs.scores
        path.write_bytes(path.read_bytes().partition(b'\n')[2])
        assert runs.said('score', run).returncode == 0


def test_one_dataset_that_cannot_be_scored_keeps_no_other_from_it(runs, monkeypatch):
    """Not by a bug either, whose traceback goes into the log."""
    score = scoring._score

    def failing(task, replay):
        if task.dataset_name == DATASET:
            raise ZeroDivisionError('division by zero')
        score(task, replay)

    run = runs.copy()
    shutil.rmtree(run / 'results')
    monkeypatch.setattr(scoring, '_score', failing)
    said = runs.said('score', run)
    assert (said.returncode, f"{DATASET}: ZeroDivisionError('division by zero')" in said.stderr) == (1, True)
    assert [path.name for path in run.glob('results/*/*.json')] == [f'{DATASET}_oracle.json']
    assert f'{MODEL} *' in said.stdout
    board = runs.said('leaderboard', run)
    assert (board.returncode, f'{MODEL} *' in board.stdout) == (1, True)
    assert f'{MODEL}/{DATASET}: not scored' in board.stderr


def test_rows_that_lack_a_session_are_starred_everywhere(runs):
    run = runs.copy()
    damage(file_of(run, 'figure'), 'zeros')
    assert runs.said('view', run).returncode == 1
    for command in ('score', 'leaderboard', 'analyse', 'compare'):
        said = runs.said(command, run)
        assert (said.returncode, ' *' in said.stdout) == (1, True), command


def test_a_run_with_lost_sessions_does_not_end_as_if_all_were_well(runs, capsys):
    """Scored alone (`-m eval`), it has no failed task: the sessions are named all the same."""
    run = runs.copy()
    damage(file_of(run, 'figure'), 'zeros')
    words = [*runs.words, '-w', str(run.parent), '-r', run.name, '-m', 'eval']
    assert main(words) == 1
    said = capsys.readouterr().err
    assert 'failed by a fault of the harness); go on with -r: matplotlib/weather_cn' in said
    last = said.splitlines()[-1]
    assert '-m eval' not in last and last.endswith(f'-r {run.name}'), 'scoring alone would never end with the whole'
    assert main([*words, '--allow-harness-errors']) == 0


def test_a_run_whose_config_is_damaged_goes_on_where_its_epochs_are_said(runs, capsys):
    run = runs.copy()
    damage(file_of(run, 'config'), 'a byte')
    assert 'copy the run folder again' in runs.said('score', run).stderr
    said = runs.said('-r', run)
    assert (said.returncode, '--epochs' in said.stderr) == (2, True)
    assert main([*runs.words, '-w', str(run.parent), '-r', run.name, '--epochs', '1']) == 0
    assert runs.said('score', run).returncode == 0
    assert scores_in(run) == runs.scores


def test_a_run_without_seals_is_read(runs):
    """As versions before wrote them: figures by the hash of the picture, records without a seal."""
    run = runs.copy()
    for path in [*run.glob('predictions/*/*.traces.jsonl'), *run.glob('results/*/*.json*')]:
        lines = [json.loads(line) for line in path.read_text().splitlines()] if path.suffix == '.jsonl' else None
        content = lines if lines is not None else [json.loads(path.read_text())]
        assert all(one.pop('seal') for one in content)
        path.write_text(''.join(json.dumps(one) + '\n' for one in content))
    assert cli.main(['score', str(run)]) == 0
    assert scores_in(run) == runs.scores
