"""Sessions of claims: the notes decide, whoever does not heed them is wrong, and no answer can be guessed."""

import re
from math import isfinite
from random import Random

import pytest

from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import builtin_sets
from cibench_eval.datasets.naive import read_naive
from cibench_eval.sets.claims.topics import TOPICS
from cibench_eval.sets.sources import sources_of

HABITS = {'plain', 'unasked', 'wary'}
LEVELS = ('level1', 'level2')


@pytest.fixture(scope='module')
def experiments():
    return load_experiments(builtin_sets()['builtin_claims']['modern'] / 'claims')


def studies(level, seed):
    (source,) = sources_of('builtin_claims', f'*/{level}')
    rng = Random(seed)
    return [source.level.study(topic, rng) for topic in TOPICS]


@pytest.fixture
def played(monkeypatch):
    """Run the first step of a session where its data are: what code of a study says, and its standard error."""

    def play(experiment):
        monkeypatch.chdir(experiment.datasources)
        names = {'print': lambda *_: None}
        exec(experiment.steps[0].code, names)

        def answer(code):
            exec(code, names)
            low, high = names['interval']
            return (names['effect'], low, high), (high - low) / 4, names['probability']

        return answer

    return play


@pytest.mark.parametrize('level', LEVELS)
def test_habits_find_something_else_and_neither_nothing_nor_what_is_claimed_is_an_answer(experiments, played, level):
    """Drawing holds the gold code against the table without faults. A tolerance is 0.3 standard errors, a trap 0.6."""
    experiment = next(one for one in experiments if one.id.startswith(level))
    answer, sure = played(experiment), set()
    for index, step in [*enumerate(experiment.steps)][1:-1]:
        right, error, probability = answer(step.code)
        least = float(re.search(r'effect >= ([\d.e+]+)', step.code)[1])
        assert min(abs(right[0] - guess) for guess in (0, least)) > 0.3 * error
        assert probability == (right[0] > least)
        sure.add(probability)
        for naive in (one for one in read_naive(experiment).answers if one.step == index):
            said, _, _ = answer(naive.code)
            assert max(abs(one - other) for one, other in zip(right, said, strict=True)) >= 0.6 * error
    assert sure == {0, 1}


BY_UNIT = """
def by_unit(t, y):
    arms = [t[(t['joined'] == one) & t[y].notna()] for one in (1, 0)]
    off = [(arm[y] - arm[y].mean()).groupby(arm['site']).sum() / len(arm) for arm in arms]
    error = np.sqrt(sum((one**2).sum() * len(one) / (len(one) - 1) for one in off))
    return shown(arms[0][y].mean() - arms[1][y].mean(), error, 2.07)
"""


def test_sites_and_units_give_the_same_answer_where_a_site_was_drawn(experiments, played):
    """The mean outcome of the units is asked for, and sites may have unequal numbers of them."""
    for experiment in experiments:
        answer = played(experiment)
        for step in experiment.steps[1:-1]:
            right, error, _ = answer(step.code)
            other, _, _ = answer(BY_UNIT + step.code.replace('by_site(', 'by_unit('))
            assert max(abs(one - two) for one, two in zip(right, other, strict=True)) < 0.25 * error, step.question


def test_each_habit_is_wrong_somewhere(experiments):
    for experiment in experiments:
        assert {*read_naive(experiment).sessions} == HABITS


@pytest.mark.soak
@pytest.mark.parametrize('level', LEVELS)
def test_other_seeds_are_sessions_like_these(level):
    for seed in range(1, 5):
        habits = {habit for study in studies(level, seed) for habit in study.naive}
        assert habits == HABITS


@pytest.mark.soak
def test_a_size_in_which_one_unit_took_part_is_drawn_anew():
    """One of these studies had an interval without bounds."""
    assert all(isfinite(study.right.low) for study in studies('level2', 2010))


@pytest.mark.parametrize('name', ['notes.md', 'notes_cn.md'])
def test_notes_speak_of_each_study_in_all_that_matters(experiments, name):
    """Who took part, what was recorded when, what gold code undoes, and what looks like that and is harmless."""
    harmless = 0
    for experiment in experiments:
        folder = re.search(r"'data/(\w+)/notes", experiment.steps[0].code)[1]
        text = (experiment.datasources / 'data' / folder / name).read_text(encoding='utf-8')
        assert '{' not in text
        wary = {one.step: one.code for one in read_naive(experiment).answers if 'wary' in one.sessions}
        for index, step in [*enumerate(experiment.steps)][1:-1]:
            study = re.search(r'Study `(\w+)`', step.question)[1]
            lines = [line for line in text.splitlines() if f'`{study}`' in line or f'`{study}_later.csv`' in line]
            undone = len(step.code.splitlines()) - 4
            seen = max(undone, len(wary.get(index, '').splitlines()) - 4)
            harmless += seen - undone
            assert 2 + seen <= len(lines) <= 3 + undone
            later = (experiment.datasources / 'data' / folder / f'{study}_later.csv').exists()
            assert any(f'`{study}_later.csv`' in line for line in lines) == later
    assert harmless


def test_a_session_differs_from_another_in_what_is_wrong(experiments):
    first, second = ({re.sub(r'[\d.]+|level\d_\w', '', step.code) for step in one.steps[1:]} for one in experiments[:2])
    assert first != second


def test_what_is_asked_is_as_often_true_as_not(experiments):
    asking = [step for one in experiments for step in one.steps if 'probability' in step.answers]
    true = [step.state['probability']['columns'][0]['values'][0] for step in asking]
    assert 0.3 < sum(true) / len(true) < 0.7
