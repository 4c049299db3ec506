"""AgentCompass: its own package runs our notebooks to the scores of `run.py`, with our core beside it."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.support.chat_server import chat_server
from tests.support.integrations import answering, new_python, scores_by_run_py, told, wrong
from tests.support.notebooks import EXAMPLES, REPO
from tests.support.pythons import python_of

pytestmark = [pytest.mark.kernel, pytest.mark.soak]
PROGRAM = Path(__file__).with_name('agentcompass_program.py')
SANDBOX = Path(__file__).with_name('agentcompass_sandbox.py')
ONLY = ['pandas/penguins', 'scipy/oscillation']
RIGHT = 'scipy/oscillation'
COUNTS = {'total': 2, 'invalidated': 0}


@pytest.fixture(scope='module')
def python(tmp_path_factory):
    """A Python with AgentCompass and the core of this tree."""
    core = str(REPO / 'distributions/core')
    return new_python(tmp_path_factory.mktemp('ac') / 'venv', core, 'agentcompass==1.0.1', base=python_of('3.12'))


def job(**options):
    return {'path': str(EXAMPLES), 'only': ONLY, 'protocol': 'react', **options}


@pytest.fixture(scope='module')
def played(python, tmp_path_factory):
    """The same replies by run.py and by AgentCompass, in both modes, and the keys that the latter sends."""
    folder = tmp_path_factory.mktemp('played')
    with chat_server(answering(ONLY, wrong, (RIGHT,))) as server:
        ours = scores_by_run_py(folder, server.base_url, ONLY)
        own = len(server.keys)
        jobs = json.dumps([job(), job(mode='oracle')])
        theirs = dict(zip(ours, told(python, PROGRAM, server.base_url, folder / 'ac', jobs), strict=True))
    return ours, theirs, {*server.keys[own:]}


def test_the_same_replies_have_the_scores_of_run_py(played):
    ours, theirs, keys = played
    assert keys == {'Bearer any-key'}
    for mode, scores in ours.items():
        steps = [step for attempt in theirs[mode]['attempts'] for step in attempt['meta']['benchmark']['steps']]
        by_step = {(one['experiment'], one['index']): one for one in steps}
        assert by_step == {(one.experiment, one.index): one.model_dump(mode='json') for one in scores}
        known = [one for one in scores if one.right is not None]
        rights = [[one.right for one in known if one.experiment == name] for name in ONLY]
        series = theirs[mode]['series']
        assert series['score'] == [
            pytest.approx(sum(sum(one) / len(one) for one in rights) / len(rights)),
            COUNTS | {'evaluated': 2, 'error': 0, 'unavailable': 0},
        ]
        assert [all(one) for one in rights] == [name == RIGHT for name in ONLY]
        assert series['whole_sessions'][0] == 0.5


def test_a_trajectory_has_every_attempt(played):
    attempts = played[1]['end_to_end']['attempts']
    (attempt,) = [one for one in attempts if one['meta']['benchmark']['steps'][0]['experiment'] != RIGHT]
    steps = attempt['trajectory']['steps']
    assert [bool(one['user_content']) for one in steps] == [True, True, False, False, True, True, False, True]
    assert 'ZeroDivisionError' in steps[1]['observation'][0]
    assert {one['metric']['completion_tokens_len'] for one in steps} == {5}


def test_what_fails_is_an_error_and_no_score(python, tmp_path):
    with chat_server(lambda messages: 400) as server:
        (found,) = told(python, PROGRAM, server.base_url, tmp_path, json.dumps([job()]))
    value, counts = found['series']['score']
    assert (value, counts) == (None, COUNTS | {'evaluated': 0, 'error': 2, 'unavailable': 2})
    assert {(one['status'], str(one['metrics'])) for one in found['attempts']} == {('run_error', '{}')}


@pytest.mark.parametrize(
    ('params', 'said'),
    [
        (dict(split='easy'), 'cibench: error: easy: no split of a built-in set; there is '),
        (dict(onli='x'), 'cibench: error: onli is unknown'),
        (dict(mode='orcale'), "cibench: error: mode: it must be 'end_to_end' or 'oracle'"),
        (dict(explore='maybe'), 'cibench: error: explore: it must be a valid boolean'),
    ],
)
def test_its_own_program_says_what_is_wrong(python, tmp_path, params, said):
    words = ['run', 'cibench', 'none', 'any', '--results-dir', tmp_path, '--benchmark-params', json.dumps(params)]
    program = 'cibench_eval.integrations.agentcompass_benchmark'
    done = subprocess.run([python, '-P', '-m', program, *words], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr.splitlines()[-1].startswith(said)) == (1, True), done.stderr


def test_our_sandbox_is_an_environment_of_other_benchmarks(python, tmp_path):
    """Commands, files and folders, in a sandbox that sees neither the host's files nor leaves links to them."""
    status, issues, found = told(python, SANDBOX, tmp_path, 'bubblewrap')
    assert (status, issues) == ('completed', [])
    assert found.pop('late') == [124, 'before\n', 'KeyboardInterrupt: ', True]
    assert found.pop('missing')[0] == 127
    assert found.pop('secret')[:2] == [1, '']
    assert found.pop('link').startswith('EnvironmentInteractionError: up: cannot be downloaded: ')
    assert found == {
        'shell': [3, 'here\n', 'no\n', False],
        'cwd': [0, 'one\n', '', False],
        'gone': 'FileNotFoundError: no-such-file',
        'text': 'one\n',
        'is': [True, False, True],
    }
    assert (tmp_path / 'down/data.bin').read_bytes() == (tmp_path / 'up/data.bin').read_bytes()
    assert (tmp_path / 'down/empty').is_dir() and not (tmp_path / 'refused').exists()
