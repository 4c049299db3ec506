"""`cibench score RUN --replay`: what follows from what is found by running failed steps again, once."""

import json
import re
import shutil
from pathlib import Path

import pytest

from cibench_eval import cli
from tests.support.notebooks import change_config, config_folder, notebook, small_set
from tests.support.runs import run_folder, run_here, score
from tests.support.sessions import call

pytestmark = pytest.mark.kernel

STEPS = (
    ('exec', 'Make a list `values` of the numbers 1 to 5.', 'values = [1, 2, 3, 4, 5]', ''),
    ('num', 'Keep the mean of `values` in `mean` and print it.', 'mean = sum(values) / 5\nprint(mean)', '3.0\n'),
    ('num', 'Print twice `mean`.', 'print(mean * 2)', '6.0\n'),
    ('num', 'Print the largest of `values`.', 'print(max(values))', '5\n'),
    ('num', 'Print 7.', 'print(7)', '7\n'),
)
REPLIES = [
    call('values = [1, 2, 3, 4, 5]\nlargest = 1'),
    call('mean = max(values)\nprint(mean)'),
    call('from operator import mul\nprint(mul(2, mean))'),
    call('print(largest)'),
    'It is 7.',
]
"""The second step has a fault of its own, which the third follows from; what the fourth takes only the session has."""
MODEL = """
from cibench_eval.models import ScriptReplay
models = [dict(type=ScriptReplay, abbr='m', replies={!r})]
"""


@pytest.fixture(scope='module')
def finished(tmp_path_factory):
    """A project with a run of one session in which four of five steps fail; its set has a relative path."""
    project = tmp_path_factory.mktemp('project')
    (small_set(project / 'data', ('a',)) / 'math/a.ipynb').write_text(json.dumps(notebook(*STEPS)))
    configs = config_folder(project, Path('data/small'))
    (configs / 'models' / 'm.py').write_text(MODEL.format(REPLIES))
    with pytest.MonkeyPatch.context() as there:
        there.chdir(project)
        run_here(project, '--models', 'm', '--datasets', 'small')
    return project


@pytest.fixture
def run(finished, tmp_path, monkeypatch):
    """The run in a copy of the project."""
    project = shutil.copytree(finished, tmp_path / 'project')
    monkeypatch.chdir(project)
    return run_folder(project)


def failures(run, place='results'):
    results = json.loads((run / place / 'm/small.json').read_text())
    return {one['index']: one for one in results['failures']}


@pytest.mark.soak
def test_follow_on_faults_are_found_by_running_them_from_the_gold_state(run):
    assert {one['origin_by'] for one in failures(run).values()} == {'guess'}
    done = score(run, '--replay')
    assert done.returncode == 0, done.stderr
    assert 'ran again 3/3 math/a' in done.stderr
    assert not (run / 'results/m/small_oracle.replay.jsonl').exists(), 'there nothing follows from anything'
    found = failures(run)
    assert sorted(found) == [1, 2, 3, 4]
    assert [(found[index]['origin_by'], found[index]['propagated_from']) for index in (1, 2)] == [
        ('replay', None),
        ('replay', 1),
    ]
    assert (found[2]['cause'], found[2]['certain']) == ('wrong_value', True)
    assert "wrong after the session's own step 2" in found[2]['evidence']
    assert found[3]['origin_by'] == 'guess', 'what it takes only the session has, so that it fails proves nothing'
    assert (found[4]['cause'], found[4]['origin_by']) == ('no_tool_call', 'guess'), 'nothing could run again'


@pytest.mark.soak
def test_what_was_found_is_kept_and_not_run_again(run):
    assert score(run, '--replay').returncode == 0
    kept = run / 'results/m/small.replay.jsonl'
    lines, found = kept.read_text(), failures(run)
    again = score(run, '--replay')
    assert 'ran again' not in again.stderr
    assert kept.read_text() == lines
    assert score(run).returncode == 0
    assert failures(run) == found, 'it holds without --replay, too'
    kept.write_text(lines[: len(lines) // 2])
    rest = score(run, '--replay')
    assert re.search(r'ran again (\d)/\1 ', rest.stderr), 'it goes on where it was killed'
    assert failures(run) == found


@pytest.mark.soak
def test_a_variable_that_is_wrong_from_the_gold_state_is_a_fault_of_its_own_step(run):
    """The code runs in either state; what the variable then holds decides."""
    (notebooks,) = run.parents[1].glob('data/*/math')
    changed = [*STEPS[:1], ('exec', 'Reverse `values` in place.', 'values.reverse()', ''), *STEPS[3:4]]
    (notebooks / 'a.ipynb').write_text(json.dumps(notebook(*changed)))
    assert cli.main(['data', 'describe', str(notebooks.parent), '--sandbox', 'auto']) == 0
    replies = [call('values = [1, 2, 3, 4, 5]'), call('values.sort()'), call('print(max(values))')]
    (run.parents[1] / 'configs/models/m.py').write_text(MODEL.format(replies))
    folder = run_here(run.parents[1], '--models', 'm', '--datasets', 'small', out='states')
    assert score(folder, '--replay', '--profile', 'strict').returncode == 0
    found = failures(folder, 'rescored/strict/results')
    assert [(index, one['origin_by'], one['propagated_from']) for index, one in found.items()] == [(1, 'replay', None)]


@pytest.mark.soak
def test_each_profile_finds_out_by_itself(run):
    assert score(run, '--replay', '--profile', 'strict').returncode == 0
    assert failures(run, 'rescored/strict/results')[2]['propagated_from'] == 1
    assert failures(run)[2]['origin_by'] == 'guess'


def test_gold_that_fails_here_leaves_the_guesses_and_says_so(run, caplog):
    path = run.parents[1] / 'data/small/math/a.ipynb'
    path.write_text(path.read_text().replace('values = [1, 2, 3, 4, 5]', 'values = 1 / 0'))
    done = score(run, '--replay')
    assert done.returncode == 0, done.stderr
    assert 'gold step 1 fails in this kernel environment: ZeroDivisionError' in caplog.text
    assert {one['origin_by'] for one in failures(run).values()} == {'guess'}


def test_a_kernel_environment_that_is_gone_is_one_line(run):
    change_config(run, lambda cfg: cfg['kernels'].update(environment='gone'))
    assert cli.main(['trust', str(run)]) == 0
    done = score(run, '--replay')
    assert done.returncode == 2
    assert 'gone' in done.stderr
    assert len(done.stderr.splitlines()) == 1
