"""AgentCompass: its own package runs our notebooks to the scores of `run.py`, with our core beside it."""

import json
from pathlib import Path

import pytest

from tests.support.chat_server import chat_server
from tests.support.integrations import ONLY, RIGHT, answering, by_run_py, core, new_python, told, wrong
from tests.support.notebooks import EXAMPLES
from tests.support.pythons import python_of

pytestmark = [pytest.mark.kernel, pytest.mark.soak]
PROGRAM = Path(__file__).with_name('agentcompass_program.py')
COUNTS = {'total': 2, 'invalidated': 0}


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp('played')


@pytest.fixture(scope='module')
def played(folder):
    """What AgentCompass says in both modes, of an endpoint that fails, in our sandbox and of wrong words; and its keys.

    All is said by one process: to import AgentCompass takes 15 s.
    """
    python = new_python(folder / 'venv', core(folder), 'agentcompass==1.0.1', base=python_of('3.12'))
    set_ = {'path': str(EXAMPLES), 'only': ONLY, 'protocol': 'react'}
    with chat_server(answering(ONLY, wrong, (RIGHT,))) as server, chat_server(lambda _: 400) as failing:
        good = server.base_url
        jobs = [[good, set_], [good, set_ | {'mode': 'oracle'}], [failing.base_url, set_]]
        found, sandbox, refused = told(python, PROGRAM, folder, json.dumps(jobs))
    return *found, sandbox, refused, {*server.keys}


def test_the_same_replies_have_the_scores_of_run_py(played, folder):
    *theirs, _, _, _, keys = played
    assert keys == {'Bearer any-key'}
    for found, scores in zip(theirs, by_run_py(folder).scores.values(), strict=True):
        steps = [step for attempt in found['attempts'] for step in attempt['meta']['benchmark']['steps']]
        by_step = {(one['experiment'], one['index']): one for one in steps}
        assert by_step == {(one.experiment, one.index): one.model_dump(mode='json') for one in scores}
        known = [one for one in scores if one.right is not None]
        rights = [[one.right for one in known if one.experiment == name] for name in ONLY]
        assert found['series']['score'] == [
            pytest.approx(sum(sum(one) / len(one) for one in rights) / len(rights)),
            COUNTS | {'evaluated': 2, 'error': 0, 'unavailable': 0},
        ]
        assert [all(one) for one in rights] == [name == RIGHT for name in ONLY]
        assert found['series']['whole_sessions'][0] == 0.5


def test_a_trajectory_has_every_attempt(played):
    attempts = played[0]['attempts']
    (attempt,) = [one for one in attempts if one['meta']['benchmark']['steps'][0]['experiment'] != RIGHT]
    steps = attempt['trajectory']['steps']
    assert [bool(one['user_content']) for one in steps] == [True, True, False, False, True, True, False, True]
    assert 'ZeroDivisionError' in steps[1]['observation'][0]
    assert {one['metric']['completion_tokens_len'] for one in steps} == {5}


def test_what_fails_is_an_error_and_no_score(played):
    found = played[2]
    value, counts = found['series']['score']
    assert (value, counts) == (None, COUNTS | {'evaluated': 0, 'error': 2, 'unavailable': 2})
    assert {(one['status'], str(one['metrics'])) for one in found['attempts']} == {('run_error', '{}')}


def test_its_own_program_says_what_is_wrong(played):
    assert played[4].startswith('cibench: error: easy: no split of a built-in set; there is ')


def test_our_sandbox_is_an_environment_of_other_benchmarks(played, folder):
    """Commands, files and folders, in a sandbox that sees neither the host's files nor leaves links to them."""
    status, issues, found = played[3]
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
    assert (folder / 'down/data.bin').read_bytes() == (folder / 'up/data.bin').read_bytes()
    assert (folder / 'down/empty').is_dir() and not (folder / 'refused').exists()
