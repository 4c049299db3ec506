"""The gold outputs of the built-in sets, with their own questions: what differs from one in a value is never right."""

import functools
import re
from collections.abc import Iterator
from itertools import islice, pairwise

import pytest

from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import builtin_sets
from cibench_eval.schema import Step
from tests.support.pairs import Pair
from tests.support.scoring import left

SPLITS = [
    pytest.param(
        path, marks=[pytest.mark.soak] * (name != 'modern' or path.name != 'cibench_template'), id=f'{name}-{path.name}'
    )
    for whole in ('builtin', 'builtin_hard')
    for name, folder in builtin_sets()[whole].items()
    for path in sorted(folder.iterdir())
    if path.is_dir()
]
KINDS = {'date': r'[0-9]{4}-[0-9]{2}-[0-9]{2}', 'number': r'[-+]?[0-9.]+(?:e[-+][0-9]+)?%?', 'name': '.*'}
"""Entries of different kinds tell themselves apart, so that their order says nothing."""
DECIMALS = re.compile(r'([0-9]+) (?:decimal|位小数)')
ENTRY = re.compile(r'[^\s,]*\w[^\s,]*')
MOST = 8
"""Places of an output that are tried."""


def is_right(step: Step, output: str) -> bool:
    """Whether the step counts as correct with this output."""
    return Pair('', step, output, right=True).judged_right()


def far(step: Step, one: str, other: str) -> bool:
    """Whether two entries are different, whatever the tolerance of the step."""
    try:
        first, second = float(one), float(other)
    except ValueError:
        return one.casefold() != other.casefold() and not {one, other} & {'%', '-', ':'}
    return abs(first - second) > 4 * max(step.absolute, (step.tolerance or 1e-4) * max(abs(first), abs(second)))


def kind_of(entry: str) -> str:
    return next(kind for kind, pattern in KINDS.items() if re.fullmatch(pattern, entry))


def wrong_outputs(step: Step) -> Iterator[str]:
    """The gold with two neighbours exchanged, without one, and with one changed."""
    text = (step.text or '').strip()
    entries = list(ENTRY.finditer(text))[:MOST]
    for one, other in pairwise(entries):
        if kind_of(one.group()) == kind_of(other.group()) and far(step, one.group(), other.group()):
            between = text[one.end() : other.start()]
            yield text[: one.start()] + other.group() + between + one.group() + text[other.end() :]
    for one in entries:
        yield (text[: one.start()] + text[one.end() :]).strip()
        for changed in changes(step, one.group()):
            if far(step, one.group(), changed):
                yield text[: one.start()] + changed + text[one.end() :]


def changes(step: Step, entry: str) -> Iterator[str]:
    """Other numbers for a number: one far away, and one that rounds to it only at fewer places than are asked for."""
    if number := re.fullmatch(r'-?[0-9]+(?:\.([0-9]+))?', entry):
        places = len(number[1] or '')
        yield f'{float(entry) * 1.5 + 3:.{places}f}'
        if places and {int(asked) for asked in DECIMALS.findall(step.question)} == {places + 1}:
            yield f'{entry}4'


def altered(value):
    """Copies of a description, each with one of its values changed: far away, or another word."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key == 'values':
                hashes = {name: '0' for name in ('digest', 'bag') if name in value}
                changed = ([*part[:at], other(part[at]), *part[at + 1 :]] for at in range(len(part)))
                yield from ({**value, key: values, **hashes} for values in changed)
            elif isinstance(part, dict | list):
                yield from ({**value, key: one} for one in altered(part))
    elif isinstance(value, list):
        yield from ([*value[:at], one, *value[at + 1 :]] for at, part in enumerate(value) for one in altered(part))


def other(value):
    """Another value; of long texts descriptions have only the beginning, which therefore is what differs."""
    return f'x{value}' if isinstance(value, str) else not value if isinstance(value, bool) else value * 1.5 + 500


def in_variables(step: Step, described) -> bool:
    """Whether the step counts as correct if its variables hold this."""
    return left(step, step.code, described).score == 1


@functools.cache
def loaded(split):
    """The steps of a split with an answer."""
    return [step for one in load_experiments(split) for step in one.steps if step.text and not step.held_out]


def steps_of(split):
    """The steps of a split with an answer; of one of `paper` those that are not the same in `modern`."""
    modern = split.parents[1] / 'modern' / split.name
    return loaded(split) if split == modern else [step for step in loaded(split) if step not in loaded(modern)]


@pytest.mark.parametrize('split', SPLITS)
def test_a_declared_gold_is_right_and_a_changed_value_is_not(split):
    steps = [step for step in steps_of(split) if step.kind in ('num', 'text')]
    assert steps and all(step.answers.keys() == {'answer'} for step in steps)
    for step in steps:
        gold = step.state['answer']
        assert in_variables(step, {'answer': gold}), step.question
        for changed in islice(altered(gold), MOST):
            assert not in_variables(step, {'answer': changed}), (step.question, changed)


@pytest.mark.parametrize('split', SPLITS)
def test_gold_is_right_and_what_differs_from_it_is_not(split):
    steps = [step for step in steps_of(split) if step.kind == 'num' or step.listed]
    passed = [(step.question, step.text, step.text) for step in steps if not is_right(step, step.text.strip())]
    for step in steps:
        passed += [(step.question, step.text, output) for output in wrong_outputs(step) if is_right(step, output)]
    assert steps and not passed, '\n\n'.join('\n'.join(one) for one in passed)
