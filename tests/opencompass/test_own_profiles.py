"""Scoring profiles of one's own: a file where the command is started, as docs/metrics.md has it."""

import json
import shutil
import sys

import pytest

from cibench_eval.evaluators.metrics import BY_NAME
from tests.support.documented import file_in
from tests.support.notebooks import config_folder, small_set
from tests.support.runs import SMALL, change, cibench, one_line, run_here

pytestmark = pytest.mark.kernel
OWN = file_in('metrics.md', 'my_profile.py')


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with a profile, where commands are started; programs have not their own folder on the path."""
    (tmp_path / 'my_profile.py').write_text(OWN)
    monkeypatch.chdir(tmp_path)
    sys.path[:] = [one for one in sys.path if one]
    yield tmp_path
    BY_NAME.pop('short_code', None)


@pytest.fixture
def run(finished, here):
    return shutil.copytree(finished, here / 'run')


@pytest.fixture
def own_run(here):
    """A run whose config names the profile."""
    config_folder(here, small_set(here / 'data'))
    evaluator = '=SessionEvaluator', "=SessionEvaluator, profile='my_profile.PROFILE'"
    change(here / 'configs/datasets/small.py', *evaluator)
    return run_here(here, *SMALL)


@pytest.fixture
def elsewhere(here, tmp_path_factory, monkeypatch):
    """Go where the profile is not, as in a process of its own."""

    def go():
        monkeypatch.chdir(tmp_path_factory.mktemp('elsewhere'))
        sys.path.remove(str(here))
        del sys.modules['my_profile']

    return go


def test_a_profile_is_found_where_the_command_is_started(run):
    done = cibench('score', run, '--profile', 'my_profile.PROFILE')
    assert done.returncode == 0, done.stderr
    results = run / 'rescored/my_profile.PROFILE/results/gold-replay/small.json'
    assert json.loads(results.read_text())['options'] == {'tolerance': 0.05}


def test_a_metric_of_ones_own_is_in_tables_and_a_measure(own_run):
    said = {words: cibench(*words, own_run).stdout for words in (('score',), ('leaderboard', '--to', 'csv'))}
    assert 'E-Short' in said['score',] and 'Short: the code has at most ten lines' in said['score',]
    assert 'end_to_end_short_code' in said['leaderboard', '--to', 'csv']
    done = cibench('compare', own_run, own_run, '--metric', 'short_code', '--fail-below', '1')
    assert (done.returncode, 'not worse by more than 1 points in short_code' in done.stdout) == (0, True), done.stderr


def test_scores_by_a_profile_that_is_not_here_are_left_out(run, elsewhere):
    assert cibench('score', run, '--profile', 'my_profile.PROFILE').returncode == 0
    elsewhere()
    done = cibench('view', run, '--no-open', '--out', 'pages')
    mend = "scoring profile 'my_profile.PROFILE': no module my_profile; start where my_profile.py is, or install it"
    assert (done.returncode, f'gold-replay/small: not scored: {mend}' in done.stderr) == (1, True), done.stderr
    assert cibench('leaderboard', run).returncode == 0


def test_a_run_by_a_profile_that_is_not_here(own_run, elsewhere):
    assert 'my_profile.PROFILE' in cibench('leaderboard', own_run).stdout
    elsewhere()
    for word in ('leaderboard', 'score', 'show'):
        done = cibench(word, own_run)
        assert done.returncode > 0 and 'no module my_profile; start where my_profile.py is' in done.stderr, done.stderr
        assert 'Traceback' not in done.stderr


@pytest.mark.parametrize(
    ('returned', 'said'),
    [
        ('MetricValue(2.0)', 'short_code is 2.0; a metric gives 0 to 1'),
        ("MetricValue(float('nan'))", 'short_code is nan; a metric gives 0 to 1'),
        ('3', 'short_code returned 3; it must return a MetricValue'),
    ],
)
def test_a_value_that_is_no_score_is_a_line(run, returned, said):
    (run.parent / 'my_profile.py').write_text(OWN.replace('return MetricValue', f'return {returned}  # '))
    done = cibench('score', run, '--profile', 'my_profile.PROFILE')
    assert (done.returncode, said in done.stderr) == (1, True), done.stderr
    assert 'Traceback' not in done.stderr


@pytest.mark.parametrize(
    ('text', 'said'),
    [
        (OWN.replace('Options(tol', 'dict(tol'), "scoring profile loose: defaults must be Options(…), not {'tolerance"),
        (
            OWN.replace('(*strict.PROFILE.metrics, SHORT)', '[*strict.PROFILE.metrics, SHORT]'),
            'scoring profile loose: metrics must be a tuple of',
        ),
        (
            OWN.replace(' short_code)', " short_code, ['num'])"),
            "metric short_code: kinds is ['num']; it must be a tuple",
        ),
        ('PROFILE = (', "scoring profile 'my_profile.PROFILE': my_profile cannot be imported: SyntaxError: '(' was"),
        ('', "scoring profile 'my_profile.PROFILE': my_profile has no PROFILE that is a Profile"),
    ],
)
def test_what_is_no_profile_is_a_line(run, text, said):
    (run.parent / 'my_profile.py').write_text(text)
    one_line(cibench('score', run, '--profile', 'my_profile.PROFILE'), said)
