"""The hard set as it is shipped: twins, traps, labels that no code sees, data that its generators make."""

import asyncio
import io
from functools import cache

import pytest
from PIL import Image

from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import SETS, builtin_folder
from cibench_eval.datasets.naive import read_naive
from cibench_eval.interpreter import Interpreter, KernelSettings
from cibench_eval.sets.templates import read_sources
from cibench_eval.states import asked_names
from tests.support.scoring import block, call, score_step
from tests.support.sources import check_said

HARD = SETS / 'builtin_hard'
ENVIRONMENTS = ('modern', 'paper')
SEARCH = """
import os
found = []
for folder, folders, files in os.walk('/'):
    folders[:] = [name for name in folders if os.path.join(folder, name) not in ('/proc', '/sys')]
    found += [os.path.join(folder, name) for name in folders + files
              if name == 'held_out' or name.endswith(('.naive.json', '.descriptions.json', '.ipynb', '.data.py'))]
print(found)
"""


@cache
def experiments(environment='modern', split='hard'):
    return load_experiments(builtin_folder('builtin_hard', environment) / split)


@cache
def sources():
    return read_sources(HARD / 'sources')


@cache
def drafts():
    return {draft.target.as_posix(): draft for source in sources() for draft in source.drafts()}


@pytest.mark.soak
def test_every_experiment_has_a_twin_and_instances_and_can_be_varied():
    assert [one.id for one in experiments()] == [one.id for one in experiments(split='hard_chinese')]
    assert {len(source.instances) for source in sources()} == {2}
    assert [source.name for source in sources() if 'seed' not in source.varied] == []


@pytest.mark.soak
@pytest.mark.parametrize('environment', ENVIRONMENTS)
def test_notebooks_say_what_their_sources_say(environment):
    """A source that was changed has to be built again."""
    check_said('builtin_hard', environment, drafts().values())


@pytest.mark.parametrize('split', ['hard', 'hard_chinese'])
def test_what_a_question_names_only_as_a_text_that_is_printed_is_no_variable_of_the_gold(split):
    """Else State asks for it."""
    for step in (step for one in experiments(split=split) for step in one.steps if step.kind != 'exec'):
        names = asked_names(step.question, step.code)
        assert [name for name in names if step.question.count(f'`{name}`') <= step.code.count(f"'{name}'")] == []


def test_every_experiment_has_a_plot_a_number_a_state_and_traps():
    for one in experiments():
        kinds = {step.kind for step in one.steps}
        assert len(one.steps) >= 6 and kinds >= {'exec', 'num', 'vis'}, one.id
        assert any(step.state for step in one.steps), one.id
        assert len(read_naive(one).sessions) >= 3, one.id


@pytest.mark.soak
@pytest.mark.parametrize('environment', ENVIRONMENTS)
def test_held_out_labels_bear_out_the_gold_and_no_constant(environment):
    steps = [(one.id, step) for one in experiments(environment) for step in one.steps if step.held_out]
    for name, step in steps:
        labels = step.held_out.labels
        assert is_right(step, step.text), name
        constants = set(labels) if step.held_out.metric == 'accuracy' else {sum(labels) / len(labels), 0.0}
        for constant in constants:
            assert not is_right(step, ' '.join([str(constant)] * len(labels))), (name, constant)


def is_right(step, answer):
    return score_step([call(block('stdout', answer))], step).score == 1


def same(path, content):
    """Whether a file has this content; of pictures the pixels count, which other versions of zlib pack otherwise."""
    if path.suffix != '.png':
        return path.read_bytes() == content
    there, made = Image.open(path), Image.open(io.BytesIO(content))
    return (there.mode, there.size, there.tobytes()) == (made.mode, made.size, made.tobytes())


@pytest.mark.soak
def test_data_and_labels_are_what_the_generators_make():
    made = {}
    for draft in drafts().values():
        made |= {f'datasources/data/{draft.folder}/{name}': content for name, content in draft.made.files.items()}
    there = {path.relative_to(HARD).as_posix() for path in (HARD / 'datasources/data').rglob('*') if path.is_file()}
    assert there == made.keys()
    assert [name for name, content in made.items() if not same(HARD / name, content)] == []
    labels = {f'{draft.folder}.{name}.json' for draft in drafts().values() for name in draft.made.held_out}
    assert {path.name for path in HARD.glob('held_out/*')} == labels


def test_the_canary_marks_what_must_not_be_trained_on():
    canary = (HARD / 'CANARY').read_text().strip()
    files = [*HARD.rglob('*.ipynb'), *HARD.rglob('*.naive.json'), *HARD.glob('held_out/*')]
    assert files and [path.name for path in files if canary not in path.read_text()] == []


@pytest.mark.soak
@pytest.mark.kernel
def test_no_code_finds_labels_naive_answers_or_gold():
    async def found():
        settings = KernelSettings(datasources=HARD / 'datasources', sandbox='auto', preload=())
        async with Interpreter(settings) as interpreter:
            return (await interpreter.run(SEARCH)).stdout

    assert asyncio.run(found()).strip() == '[]'
