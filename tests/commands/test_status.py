"""`cibench status` and `cibench score` where notebooks of a run are gone, or cannot be read."""

import json

import pytest

from cibench_eval import cli
from cibench_eval.analysis.results import Results
from cibench_eval.cluster.parts import PartStore
from tests.reports.rows import result, step, write_run
from tests.support.scoring import session_trace


@pytest.fixture
def run(tmp_path):
    """A run whose notebooks are gone."""
    return write_run(tmp_path / 'run', [result('end_to_end', [step(0)], 'm', 'd')])


def results_of(run):
    return Results.read(run / 'results/m/d.json')


def test_sessions_in_parts_count_where_notebooks_are_gone_and_none_are_waited_for(run, capsys):
    PartStore(run / 'predictions/m', 'd', 'j1').append(session_trace().model_copy(update={'dataset': 'd'}))
    assert cli.main(['status', str(run)]) == 0
    assert ' 1/1' in capsys.readouterr().out
    assert cli.main(['status', str(run), '--watch']) == 2
    assert 'sessions that are not finished cannot be counted: dataset d: gone: ' in capsys.readouterr().err


@pytest.mark.parametrize(
    ('path', 'problem'), [('gone', ''), ('x' * 300, f'{"x" * 300}: File name too long'), ('there', 'no notebook')]
)
def test_scores_are_as_they_were_where_notebooks_are_gone_and_say_where_they_cannot_be_read(
    path, problem, run, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'there').mkdir()
    config = json.loads((run / 'configs/run.json').read_text())
    config['datasets'][0]['path'] = path
    (run / 'configs/run.json').write_text(json.dumps(config))
    before = results_of(run)
    assert cli.main(['score', str(run)]) == 1
    assert problem in results_of(run).problem and bool(problem) == bool(results_of(run).problem)
    assert results_of(run).steps == before.steps
