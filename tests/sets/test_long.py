"""Long sessions: two computations of each answer agree, and whoever forgets is wrong."""

from collections import defaultdict
from pathlib import Path

import pytest

from cibench_eval import cli
from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import SETS, builtin_sets
from cibench_eval.datasets.naive import read_naive
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.sets.long.domains import DOMAINS
from cibench_eval.sets.long.session import draw_session
from cibench_eval.sets.long.words import Words
from tests.support.long_sessions import draw, levels, wrong

HABITS = {'unamended', 'onward', 'unkept', 'newest', 'last'}


@pytest.fixture(scope='module')
def experiments():
    return load_experiments(builtin_sets()['builtin_long']['modern'] / 'long')


@pytest.mark.soak
@pytest.mark.kernel
def test_rows_and_pandas_give_the_same_answers_and_whoever_forgets_gives_others():
    assert wrong(draw([0]), KernelEnvironment.find('modern').python) == []


def test_the_first_question_says_what_holds_throughout():
    for experiment in load_experiments(builtin_sets()['builtin_long']['modern']):
        first = experiment.steps[0].question
        assert first.startswith({'en': 'Step 1. The file `data/', 'cn': '第 1 步。文件 `data/'}[experiment.language])
        assert '{' not in first and len(first.splitlines()) > 10 and '0.01 %' in first


def test_a_seed_is_another_session_in_structure(experiments):
    """What is built of a seed is always the same: test_levels.py."""
    one, other = (experiment for experiment in experiments if experiment.id in ('level3/orders_a', 'level3/orders_b'))
    assert not {step.question for step in one.steps[1:]} & {step.question for step in other.steps[1:]}
    assert sum(a.depends == b.depends for a, b in zip(one.steps, other.steps, strict=True)) < len(one.steps) / 2


@pytest.mark.parametrize('language', ['en', 'cn'])
def test_questions_say_all_that_is_told(language):
    words = Words(DOMAINS['trips'], language)
    session = draw_session(DOMAINS['trips'], levels()['level3'], 'level3/3', 'data/s')
    for number, step in enumerate(session.steps, 2):
        question = step.question(words, number)
        assert question.startswith(words.pick(f'Step {number}. ', f'第 {number} 步。'))
        assert [one for one in step.told if not one.say(words)] == [one for one in step.told if one.kept]
        assert words.pick('  ', '。。') not in question
        if language == 'en':
            assert question.isascii() or not any('\u4e00' <= sign <= '\u9fff' for sign in question)


def test_each_level_leans_on_more_and_lets_each_habit_fail(experiments):
    leaning, habits = defaultdict(list), set()
    for experiment in experiments:
        leaning[experiment.path.parent.name] += [len(step.depends) for step in experiment.steps]
        habits |= set(read_naive(experiment).sessions)
    assert (list(leaning), habits) == (['level1', 'level2', 'level3'], HABITS)
    means = [sum(level) / len(level) for level in leaning.values()]
    assert means == sorted(means)


def test_a_step_depends_on_earlier_steps_alone_and_always_on_the_first(experiments):
    for experiment in experiments:
        for number, step in enumerate(experiment.steps[1:], 2):
            assert step.depends[0] == 1
            assert step.depends[-1] < number


@pytest.mark.soak
@pytest.mark.kernel
def test_private_twins_are_made_from_a_seed(experiments, tmp_path, monkeypatch):
    """Of a level with one session."""
    level = Path('builtin_long/sources/long/level1.yaml')
    (tmp_path / level).parent.mkdir(parents=True)
    (tmp_path / level).write_text((SETS / level).read_text(encoding='utf-8').partition('  visits_a')[0])
    monkeypatch.setattr('cibench_eval.sets.sources.SETS', tmp_path)
    assert cli.main(['data', 'vary', 'builtin_long', '--seed', '7', '--out', str(tmp_path / 'twin')]) == 0
    (made,) = load_experiments(tmp_path / 'twin/long')
    own = {step.question for one in experiments for step in one.steps}
    assert len(made.steps) == 40 and not own & {step.question for step in made.steps[1:]}
