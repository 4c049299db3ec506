"""The built-in set as it is shipped: what it holds, that it comes from its sources, and its no-question baseline."""

from collections import Counter
from functools import cache
from pathlib import Path
from statistics import mean

import pytest

from cibench_eval import cli
from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import SETS, builtin_folder
from cibench_eval.schema import CibenchError
from cibench_eval.sets.checking.scores import trivial_answers
from cibench_eval.sets.templates import read_sources
from cibench_eval.states import asked_names
from tests.support.scoring import executed, shown
from tests.support.soak import many
from tests.support.sources import check_said

BUILTIN = SETS / 'builtin'
SIX = ['matplotlib', 'opencv', 'pandas', 'pytorch', 'scipy', 'seaborn']
TEN = sorted([*SIX, 'lightgbm', 'nltk', 'sklearn', 'tensorflow'])
SPLITS = {'cibench_generation': SIX, 'cibench_template': TEN, 'cibench_template_chinese': TEN}
ENVIRONMENTS = ('modern', 'paper')


@cache
def experiments(environment, split):
    return load_experiments(builtin_folder('builtin', environment) / split)


@pytest.mark.parametrize('environment', many(ENVIRONMENTS, ENVIRONMENTS[:1]))
@pytest.mark.parametrize('split', SPLITS)
def test_every_library_has_its_experiments(split, environment):
    found = Counter(experiment.id.split('/')[0] for experiment in experiments(environment, split))
    assert sorted(found) == SPLITS[split]
    assert min(found.values()) >= (2 if split == 'cibench_generation' else 6)
    low, high = (10, 15) if split == 'cibench_generation' else (5, 8)
    lengths = {experiment.id: len(experiment.steps) for experiment in experiments(environment, split)}
    assert {name: length for name, length in lengths.items() if not low <= length <= high} == {}
    language = 'cn' if split.endswith('chinese') else 'en'
    assert {experiment.language for experiment in experiments(environment, split)} == {language}
    assert {experiment.environment for experiment in experiments(environment, split)} == {environment}


@cache
def drafts():
    return [draft for source in read_sources(BUILTIN / 'sources') for draft in source.drafts()]


@pytest.mark.parametrize('environment', many(ENVIRONMENTS, ENVIRONMENTS[:1]))
def test_notebooks_say_what_their_sources_say(environment):
    """A source that was changed has to be built again."""
    check_said('builtin', environment, drafts())


@pytest.mark.parametrize('split', SPLITS)
def test_what_a_question_names_only_as_a_text_of_the_plot_is_no_variable_of_the_gold(split):
    """Else State asks for it."""
    for step in (step for experiment in experiments('modern', split) for step in experiment.steps):
        names = asked_names(step.question, step.code) if step.kind == 'vis' else []
        assert [name for name in names if step.question.count(f'`{name}`') <= step.code.count(f"'{name}'")] == []


def test_data_are_small_and_named_in_the_table_of_origins():
    files = sorted((BUILTIN / 'datasources' / 'data').iterdir())
    assert sum(file.stat().st_size for file in files) < 15_000_000
    table = (BUILTIN / 'datasources' / 'README.md').read_text(encoding='utf-8')
    assert [f'data/{file.name}' for file in files if f'`data/{file.name}`' not in table] == []


@pytest.mark.parametrize('split', many(list(SPLITS), list(SPLITS)[:1]))
def test_answers_without_the_question_get_next_to_nothing(split, tmp_path):
    baseline = {'num': [], 'text': [], 'vis': []}
    left_out = () if split == 'cibench_generation' else ('vis', 'exec')  # figures take long; a blank one is 0 by design
    for experiment in experiments('modern', split)[::4]:
        for step in experiment.steps:
            if step.kind in baseline and step.kind not in left_out:
                answers = trivial_answers(step, experiment).values()
                for figure in (one for answer in answers for one in answer.figures):
                    figure.save(tmp_path)
                scores = [executed(step, answer, figures=tmp_path).score or 0.0 for answer in answers]
                baseline[step.kind].append(max(scores))
    assert mean(baseline['num']) <= 0.02
    assert mean(baseline['text']) <= 0.05
    assert mean(baseline['vis'] or [0]) <= 0.15


@pytest.mark.parametrize('profile', ['official', 'strict'])
@pytest.mark.parametrize('environment', many(ENVIRONMENTS, ENVIRONMENTS[:1]))
def test_every_profile_gives_the_stored_outputs_full_marks(environment, profile):
    lost = {}
    for split in SPLITS:
        for experiment in experiments(environment, split):
            for step in experiment.steps:
                if step.kind not in ('num', 'text'):
                    continue
                if executed(step, shown(step.text), profile).score != 1:
                    lost[f'{split}/{experiment.id}: step {step.index + 1}'] = step.text
    assert lost == {}


@pytest.mark.soak
@pytest.mark.kernel
def test_notebooks_are_byte_for_byte_what_their_sources_give(tmp_path, monkeypatch, capsys):
    for part in ('sources', 'datasources'):
        (tmp_path / 'builtin').mkdir(exist_ok=True)
        (tmp_path / 'builtin' / part).symlink_to(BUILTIN / part)
    monkeypatch.setattr('cibench_eval.sets.build.SETS', tmp_path)
    assert cli.main(['data', 'build', 'builtin', '--only', 'cibench_template/opencv/colors']) == 0
    built = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert len(built) == 4
    for path in built:
        assert path.read_bytes() == (BUILTIN / path.relative_to(tmp_path / 'builtin')).read_bytes(), path


def test_unknown_set_and_environment_are_refused():
    with pytest.raises(CibenchError, match='no such set; there is builtin'):
        builtin_folder('nowhere', 'modern')
    with pytest.raises(CibenchError, match=r"kernel environment 'old'; there is modern, paper"):
        builtin_folder('builtin', 'old')
