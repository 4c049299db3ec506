"""Predictions against held-out labels, which no code has seen: as many as there are labels, in their order."""

import math
import re

from cibench_eval.evaluators.comparing.printed.values import PLAIN, THOUSANDS, clean, lines
from cibench_eval.schema import HeldOut

NAMES = {'mae': 'mean absolute error', 'rmse': 'root mean squared error', 'accuracy': 'accuracy'}
TEXT = re.compile(r'[^\s,;\[\](){}\'"]+')


def judged(held_out: HeldOut, answer: str) -> tuple[bool, str]:
    """Whether the predictions of an answer are good enough, and how good they are."""
    number = len(held_out.labels)
    found = _texts(answer) if held_out.metric == 'accuracy' else _numbers(answer)
    if not (whole := [values for values in found if len(values) == number]):
        return False, f'{len(found[0])} predictions, of {number}'
    score = _score(held_out, whole[0])
    good = score >= held_out.bound if held_out.metric == 'accuracy' else score <= held_out.bound
    return good, f'{NAMES[held_out.metric]} {score:.4g}, bound {held_out.bound:g}'


def _texts(answer: str) -> list[list[str]]:
    return [TEXT.findall(clean(answer))]


def _numbers(answer: str) -> list[list[float]]:
    """All readings of numbers: every one, or the last of each line, beside an index."""
    found = [lines(clean(answer), pattern) for pattern in (THOUSANDS, PLAIN)]
    every = [[value.number for line in one for value in line] for one in found]
    return [*every, *([line[-1].number for line in one] for one in found)]


def _same_text(label: str, value: str) -> bool:
    """Whether two labels are the same: `1` and `1.0` are."""
    return label.casefold() == value.casefold() or label.removesuffix('.0') == value.removesuffix('.0')


def _score(held_out: HeldOut, values: list[float] | list[str]) -> float:
    if held_out.metric == 'accuracy':
        pairs = zip(held_out.labels, values, strict=True)
        return sum(_same_text(str(label), str(value)) for label, value in pairs) / len(values)
    numbers = zip(map(float, held_out.labels), map(float, values), strict=True)
    errors = [abs(label - value) for label, value in numbers]
    if held_out.metric == 'mae':
        return math.fsum(errors) / len(errors)
    return math.hypot(*errors) / math.sqrt(len(errors))
