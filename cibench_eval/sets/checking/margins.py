"""Gold values that the tolerance of their step does not tell from wrong ones, as far as the output shows."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from cibench_eval.evaluators.comparing.numbers import TOLERANCE, Margin
from cibench_eval.evaluators.comparing.printed.values import PrintedValue, clean
from cibench_eval.evaluators.comparing.printed.values import values as values_of
from cibench_eval.schema import Step

MOST = 100
"""How many numbers of an output are compared with each other."""


def close_values(step: Step) -> str:
    """What an answer to a `num` or `general` step may get wrong and still be right; empty if nothing."""
    margin = replace(Margin(step.tolerance if step.tolerance is not None else TOLERANCE, step.absolute), noise=0)
    values = [value for value in values_of(clean(step.text or '')) if value.kind == 'number'][:MOST]
    return '; '.join([*_each_other(values, margin), *_wrong_ones(values, margin)])


def _each_other(values: list[PrintedValue], margin: Margin) -> Iterator[str]:
    """Pairs of different values of which each passes for the other."""
    inexact = [value for value in values if not value.whole and math.isfinite(abs(value.number))]
    pairs = [
        f'{one} and {other}'
        for one, other in combinations(inexact, 2)
        if one.number != other.number and margin.allows(one.number, other.number)
    ]
    if pairs:
        yield f'{", ".join(pairs[:3])} lie within its tolerance of each other'


def _wrong_ones(values: list[PrintedValue], margin: Margin) -> Iterator[str]:
    """Values for which 0, 1 or, with a number of rows beside them, another divisor passes as well."""
    if margin.relative <= TOLERANCE and not margin.absolute:
        return
    counts = [int(value.text) for value in values if value.whole and value.text.isdigit() and float(value.text) > 2]
    for value in values:
        if value.whole or not math.isfinite(abs(value.number)):
            continue
        wrong = {'0': 0.0, '1': 1.0} | {
            f'{count - 1} for {count} rows': value.number * math.sqrt((count - 1) / count) for count in counts
        }
        names = [name for name, other in wrong.items() if other != value.number and margin.allows(value.number, other)]
        if names:
            yield f'{value} is not told from {", ".join(names)} by its tolerance'
