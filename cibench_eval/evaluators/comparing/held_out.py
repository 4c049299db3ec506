"""Predictions against held-out labels, which no code has seen: as many as there are labels, in their order."""

import math
import re
from collections.abc import Sequence

from cibench_eval.evaluators.comparing.printed.values import PLAIN, THOUSANDS, clean, lines
from cibench_eval.schema import HeldOut

NAMES = {'mae': 'mean absolute error', 'rmse': 'root mean squared error', 'accuracy': 'accuracy'}
TEXT = re.compile(r'[^\s,;\[\](){}\'"]+')
NUMBER = re.compile(r'-?[0-9]+(\.[0-9]+)?')
Predictions = list[float] | list[str]


def judged(held_out: HeldOut, answer: str) -> tuple[bool, str]:
    """Whether the predictions of an answer are good enough, and how good they are."""
    number, classes = len(held_out.labels), held_out.metric == 'accuracy'
    named = classes and not all(NUMBER.fullmatch(str(label)) for label in held_out.labels)
    found: Sequence[Predictions] = _texts(answer) if named else _numbers(answer)
    if not (whole := [values for values in found if len(values) == number]):
        return False, f'{len(found[0])} predictions, of {number}'
    score = _score(held_out, whole[0])
    good = score >= held_out.bound if classes else score <= held_out.bound
    return good, f'{NAMES[held_out.metric]} {score:.4g}, bound {held_out.bound:g}'


def _texts(answer: str) -> list[list[str]]:
    """All readings of texts, as of numbers."""
    found = [words for line in clean(answer).split('\n') if (words := TEXT.findall(line))]
    return [[word for line in found for word in line], [line[-1] for line in found]]


def _numbers(answer: str) -> list[list[float]]:
    """All readings of numbers: every one, or the last of each line, beside an index."""
    found = [lines(clean(answer), pattern) for pattern in (THOUSANDS, PLAIN)]
    every = [[value.number for line in one for value in line] for one in found]
    return [*every, *([line[-1].number for line in one] for one in found)]


def _same_class(label: float | str, value: float | str) -> bool:
    return str(label).casefold() == value.casefold() if isinstance(value, str) else float(label) == value


def _score(held_out: HeldOut, values: Predictions) -> float:
    if held_out.metric == 'accuracy':
        return sum(map(_same_class, held_out.labels, values)) / len(values)
    numbers = zip(map(float, held_out.labels), map(float, values), strict=True)
    errors = [abs(label - value) for label, value in numbers]
    if held_out.metric == 'mae':
        return math.fsum(errors) / len(errors)
    return math.hypot(*errors) / math.sqrt(len(errors))
