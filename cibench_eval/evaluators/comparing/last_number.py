"""The last number in a text: how answers to word problems are read (GSM8K)."""

import math
import re

from cibench_eval.evaluators.comparing.numbers import EXPONENT, WIDE

TAIL = 4000
"""Characters at the end of a text in which a number is looked for."""
THOUSANDS = re.compile(r'(?<=\d)(?:\{,\}|\\text\{,\}|\\[,;: ]|[\xa0\u2007\u2009\u202f]|(?:\\!)?,?\\!)(?=\d{3}(?!\d))')
"""Signs between thousands: those of LaTeX (`18{,}000`, `18\\,000`, `18,\\!000`), and blanks but the common one."""
NUMBER = re.compile(
    r'(?<![A-Za-z_\d.^])(?<!\^\{)(?P<sign>(?<![\d)\]])[-+])?(?P<dollar>[$€£¥]\s?)?'
    r'(?!0[xX][\da-fA-F])'  # the address of an object
    rf'(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?!,?\d)|\d+|(?=\.\d))(?P<fraction>\.\d+)?(?P<power>{EXPONENT})'
)
RELATIVE, ABSOLUTE = 1e-12, 1e-6
"""Tolerances for the rounding errors of decimal fractions: none takes a whole number for the next one."""


def last_number(text: str) -> float | None:
    """The last number of a text; None where it has none."""
    every = list(NUMBER.finditer(THOUSANDS.sub(',', text[-TAIL:]).translate(WIDE)))
    if not every:
        return None
    found = every[-1]
    digits = found['digits'].replace(',', '') or '0'
    return float(f'{found["sign"] or ""}{digits}{found["fraction"] or ""}{found["power"]}')


def same_number(said: float, gold: float) -> bool:
    """Whether a said number is the gold's."""
    return math.isclose(said, gold, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
