"""Sessions of claims: the notes decide, whoever does not heed them is wrong, and no answer can be guessed."""

from collections import Counter
from math import isfinite
from random import Random

import pytest

from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import builtin_sets
from cibench_eval.schema import Language
from cibench_eval.sets.claims.drawing import DEPARTS, TOLERANCE, executed
from cibench_eval.sets.claims.notes import FILES, notes
from cibench_eval.sets.claims.source import HABITS
from cibench_eval.sets.claims.topics import TOPICS
from cibench_eval.sets.sources import sources_of


def studies(level, seed):
    (level,) = (source.level for source in sources_of('builtin_claims') if source.name.name == level)
    rng = Random(seed)
    return [level.study(topic, rng) for topic in TOPICS]


SEEDS = [pytest.param(range(1), id='one'), pytest.param(range(1, 16), id='more', marks=pytest.mark.soak)]


@pytest.mark.parametrize('seeds', SEEDS)
@pytest.mark.parametrize('level', ['level1', 'level2'])
def test_the_gold_code_finds_what_was_there_before_the_faults_and_habits_find_something_else(tmp_path, level, seeds):
    habits = Counter()
    for study in (study for seed in seeds for study in studies(level, seed)):
        for name, text in study.files.items():
            (tmp_path / name).write_text(text, encoding='utf-8')
        assert study.right.beside(executed(study.code, tmp_path)) < 1e-6
        for code in study.naive.values():
            assert study.right.beside(executed(code, tmp_path)) >= DEPARTS > TOLERANCE
        assert study.holds == (study.right.effect > study.least)
        habits.update(study.naive.keys())
    assert habits.keys() == HABITS.keys()


def test_a_size_in_which_one_unit_took_part_is_drawn_anew():
    """One of these studies had an interval without bounds."""
    assert all(isfinite(study.right.low) for study in studies('level2', 2010))


@pytest.mark.parametrize('level', ['level1', 'level2'])
def test_neither_nothing_nor_what_is_claimed_is_an_answer(level):
    for study in studies(level, 3):
        within = TOLERANCE * study.right.error
        assert min(abs(study.right.effect - guess) for guess in (0, study.least)) > within
    assert {study.holds for study in studies(level, 3)} == {True, False}


@pytest.mark.parametrize('language', FILES)
def test_notes_speak_of_each_study_in_all_that_matters(language: Language):
    made = studies('level2', 4)
    text = notes(made, Random(1))[FILES[language]]
    assert '{' not in text
    for study in made:
        lines = [line for line in text.splitlines() if f'`{study.topic.name}`' in line]
        assert len(lines) == 2 + len(study.faults) + len(study.doubles)
        later = [line for line in lines if f'`{study.topic.name}_later.csv`' in line]
        assert len(later) == (f'{study.topic.name}_later.csv' in study.files)


def test_a_seed_is_a_session_and_another_is_another_in_what_is_wrong():
    def wrong(seed):
        return [(study.assignment, study.faults, study.doubles) for study in studies('level2', seed)]

    assert studies('level1', 5)[0].files == studies('level1', 5)[0].files
    assert wrong(5) == wrong(5) != wrong(6)


def test_the_set_is_of_the_size_that_the_documents_say():
    experiments = load_experiments(builtin_sets()['builtin_claims']['modern'] / 'claims')
    steps = [step for one in experiments for step in one.steps]
    assert (len(experiments), len(steps)) == (8, 120)
    asking = [step for step in steps if 'probability' in step.answers]
    assert Counter(step.kind for step in steps) == {'num': 112, 'text': 8}
    assert len(asking) == 104
    assert 0.3 < sum(step.state['probability']['columns'][0]['values'][0] for step in asking) / len(asking) < 0.7
