"""Scoring again what was recorded, and scoring a run of which some sessions have failed by a fault of the harness."""

import csv
import json
import shutil

import pytest

from cibench_eval import cli
from cibench_eval.analysis.results import Results
from cibench_eval.run.main import main
from tests.support.notebooks import change_config, config_folder, endpoint, notebook, small_set, solve
from tests.support.runs import MINE, SMALL, change, run_folder, run_here, score

pytestmark = pytest.mark.kernel


@pytest.fixture(scope='module')
def finished(tmp_path_factory):
    """A run of the gold replay, made in a folder that is then moved elsewhere."""
    project = tmp_path_factory.mktemp('project')
    config_folder(project, small_set(project / 'data'))
    moved = tmp_path_factory.mktemp('elsewhere') / 'run'
    shutil.move(run_here(project, *SMALL), moved)
    return moved


@pytest.mark.parametrize('words', [[], ['--profile', 'official']])  # its own
def test_a_run_is_scored_again_wherever_it_is(finished, words):
    results = finished / 'results/gold-replay/small.json'
    before = json.loads(results.read_text())
    results.write_text('{"counts": {}}')  # which is not believed
    done = score(finished, *words)
    assert done.returncode == 0, done.stderr
    assert 'gold-replay' in done.stdout
    assert json.loads(results.read_text()) == before
    assert before['outcomes'] == {'ran': 3, 'correct': 3}


def test_a_set_of_ones_own_at_a_relative_path_is_looked_for_where_the_command_is_started(
    tmp_path, monkeypatch, capsys, caplog
):
    monkeypatch.chdir(tmp_path)
    small_set(tmp_path / 'mine')
    config_folder(tmp_path, 'mine/small')
    assert main([*SMALL, '-w', 'out']) == 0
    run = next((tmp_path / 'out').iterdir())
    assert score(run).returncode == 0
    (tmp_path / 'elsewhere').mkdir()
    monkeypatch.chdir(tmp_path / 'elsewhere')
    before = {path: path.read_bytes() for path in (run / 'results').rglob('*.json')}
    done = score(run)
    mend = 'mine/small: no such folder; correct path, or start it where mine/small is, as the run was started'
    assert (done.returncode, mend in done.stderr, 'data fetch' in done.stderr) == (1, True, False), done.stderr
    assert before and before == {path: path.read_bytes() for path in (run / 'results').rglob('*.json')}
    assert cli.main(['status', str(run)]) == 0
    assert 'gold-replay  12/12' in capsys.readouterr().out
    assert 'sessions that are not finished are not counted: dataset small: mine/small: no such folder' in caplog.text


@pytest.mark.soak
def test_questions_that_have_changed_since_are_told(project):
    run = run_here(project, *SMALL)
    change(project / 'data/small/math/b.ipynb', 'plus 1.5', 'plus 2.5')
    done = score(run)
    assert done.returncode == 0
    assert 'gold-replay/small: other questions than when it was run: math/b' in done.stderr


def test_a_step_that_the_notebook_has_got_since_is_wrong(tmp_path):
    config_folder(tmp_path, small_set(tmp_path / 'data', ('a',)))
    run = run_here(tmp_path, *SMALL)
    path = tmp_path / 'data/small/math/a.ipynb'
    steps = [('exec', 'Set n to 20 in a.', 'n = 20', ''), ('num', 'Print n plus 1.5 in a.', 'print(n + 1.5)', '21.5\n')]
    path.write_text(json.dumps(notebook(*steps, ('num', 'Print n plus 7 in a.', 'print(n + 7)', '27\n'))))
    assert score(run).returncode == 0
    results = json.loads((run / 'results/gold-replay/small.json').read_text())
    assert results['outcomes'] == {'ran': 1, 'correct': 1, 'no_tool': 1}
    assert (results['numeric_correct'], results['whole_sessions']) == (50.0, 0.0)


@pytest.mark.soak
def test_sessions_of_another_version_of_the_set_keep_their_scores(project):
    run = run_here(project, *SMALL)
    before = {path: path.read_bytes() for path in (run / 'results').rglob('*.json')}
    for version, code in (('1', 0), ('2', 1)):  # none is version 1
        for path in (project / 'data').rglob('*.ipynb'):
            content = json.loads(path.read_text())
            content['metadata']['set_version'] = version
            path.write_text(json.dumps(content))
        done = score(run)
        assert done.returncode == code
    assert 'run on version 1 of the set, and its notebooks are of version 2 now' in done.stdout + done.stderr
    assert before and before == {path: path.read_bytes() for path in (run / 'results').rglob('*.json')}


def test_another_profile_has_a_place_of_its_own(finished):
    before = (finished / 'results/gold-replay/small.json').read_text()
    done = score(finished, '--profile', 'strict')
    assert done.returncode == 0, done.stderr
    assert (finished / 'rescored/strict/results/gold-replay/small_oracle.json').exists()
    assert list((finished / 'rescored/strict/summary').glob('*.csv'))
    assert (finished / 'results/gold-replay/small.json').read_text() == before


def test_a_profile_without_a_metric_for_a_kind_of_step_scores_nothing(finished):
    done = score(finished, '--profile', 'qwen_ci')
    assert done.returncode == 1
    assert "the scoring profile qwen_ci has no metric for 'num' steps" in done.stderr
    assert not list((finished / 'rescored').glob('qwen_ci/results/**/*.json'))


def test_another_profile_keeps_the_tolerance_of_the_run(finished):
    """A run with an evaluator of its own: what that sets goes to each profile that takes it."""
    (config,) = (finished / 'configs').glob('*.json')
    before = config.read_text()
    change_config(
        finished,
        lambda cfg: [
            one['eval_cfg']['evaluator'].update(profile='open_form', tolerance=0.9) for one in cfg['datasets']
        ],
    )
    assert score(finished, '--profile', 'strict').returncode == 0
    results = json.loads((finished / 'rescored/strict/results/gold-replay/small.json').read_text())
    config.write_text(before)
    assert results['options'] == {'tolerance': 0.9}


@pytest.mark.parametrize(('words', 'said'), [(['--profile', 'none'], 'official'), ([], 'no run folder')])
def test_what_cannot_be_scored_is_said_in_a_line(finished, words, said):
    done = score(finished if words else finished / 'results', *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_sessions_that_failed_by_our_fault_are_left_out_and_named(project, here):
    """Of three sessions the endpoint refuses one; when it is mended, `-r` ends with the whole."""
    broken = ['in b.']

    def answer(messages):
        return 401 if any(name in str(messages) for name in broken) else solve(messages)

    with endpoint(project, answer) as server:
        done = here(*MINE)
        assert done.returncode == 1
        assert 'mine *' in done.stdout
        assert '2 sessions not finished, left out of the figures (*); go on with -r' in done.stdout
        cause, mend = done.stderr.partition('2 tasks failed:\n')[2].splitlines()
        assert cause.startswith(f'  model mine: {server.base_url}')
        assert cause.endswith(' (SessionInfer[mine/small], SessionInfer[mine/small_oracle])')
        folder = run_folder(project)
        assert mend.endswith(f'-r {folder.name}')
        results = json.loads((folder / 'results/mine/small.json').read_text())
        assert results['harness_errors'] == ['math/b']
        assert (results['numeric_correct'], results['counts']['numeric_correct']) == (100.0, 2)
        assert here(*MINE, '-r', '--allow-harness-errors').returncode == 0
        broken.clear()
        assert here(*MINE, '-r').returncode == 0
    results = json.loads((folder / 'results/mine/small.json').read_text())
    assert (results['harness_errors'], results['counts']['numeric_correct']) == ([], 3)
    latest = sorted(folder.glob('summary/*.csv'))[-1]
    (row,) = csv.DictReader(latest.read_text().splitlines())
    assert (row['harness_errors'], row['model']) == ('0', 'mine')


def choose(project, *names):
    """Let the datasets have these experiments only."""
    config = project / 'configs' / 'datasets' / 'small.py'
    text = config.read_text()
    chosen = f'experiments={[f"math/{name}" for name in names]!r},'
    config.write_text(text.replace("split='small',", f"split='small', {chosen}", 1))
    return lambda: config.write_text(text)


@pytest.mark.soak
def test_a_list_of_experiments_that_has_grown_is_gone_on_with(project, here):
    grow = choose(project, 'a', 'c')
    assert here(*SMALL).returncode == 0
    folder = run_folder(project)
    grow()
    assert here(*SMALL, '-r').returncode == 0
    results = json.loads((folder / 'results/gold-replay/small.json').read_text())
    assert (results['experiments'], results['numeric_correct']) == (3, 100.0)
    choose(project, 'b')
    assert here(*SMALL, '-r', '-m', 'eval').returncode == 2
    assert here(*SMALL, '-r', '-m', 'eval', '--force').returncode == 0
    results = json.loads((folder / 'results/gold-replay/small.json').read_text())
    assert {detail['experiment'] for detail in results['steps']} == {'math/b'}


def test_predictions_of_another_harness_are_held_against_their_own_gold(finished, tmp_path):
    run = tmp_path / 'run'
    shutil.copytree(finished, run)
    for traces in run.rglob('*.traces.jsonl'):
        traces.unlink()
    for path in run.glob('predictions/*/*.json'):
        content = json.loads(path.read_text())
        path.write_text(json.dumps({n: {k: v for k, v in one.items() if k != 'traces'} for n, one in content.items()}))
    assert score(run).returncode == 0
    path = run / 'predictions/gold-replay/small.json'
    results = run / 'results/gold-replay/small.json'
    before = Results.read(results)
    path.write_text(path.read_text().replace('n = 20', 'n = 30'))
    done = score(run)
    assert done.returncode == 1
    assert 'its gold is not that of math/a' in done.stderr
    older = Results.read(results)
    assert 'its gold is not that of math/a' in older.problem
    assert older.model_copy(update={'problem': ''}) == before
