"""The last number in a text: how answers to word problems are read (GSM8K)."""

import math
import re
import unicodedata

from cibench_eval.evaluators.comparing.numbers import EXPONENT, WIDE

TAIL = 4000
"""Characters at the end of a text in which a number is looked for."""
THOUSANDS = re.compile(r'(?<=\d)(?:\{,\}|\\text\{,\}|\\[,;: ]|[\xa0\u2007\u2009\u202f]|(?:\\!)?,?\\!)(?=\d{3}(?!\d))')
"""Signs between thousands: those of LaTeX (`18{,}000`, `18\\,000`, `18,\\!000`), and blanks but the common one."""
NUMBER = re.compile(
    r'(?<![A-Za-z_\d.^])(?<!\^\{)(?P<sign>(?<![\d)\]])[-+])?(?P<dollar>[$€£¥]\s?)?'
    r'(?!0[xX][\da-fA-F])'  # the address of an object
    rf'(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?!,?\d)|\d+|(?=\.\d))(?P<fraction>\.\d+)?(?P<power>{EXPONENT})'
    r'(?:(?P<over> \d{1,9})?(?<!/\d)(?<!/\d\d)/(?P<under>[1-9]\d{0,8})(?!\.?\d|/))?'  # in no date
)
FRACTION = re.compile(r'(?:(\d) ?)?(?:\\[dt]?frac\{(\d+)\}\{(\d+)\}|([¼-¾⅐-⅞]))')
"""A fraction of LaTeX or Unicode, and the last digit of a whole number before it."""
RELATIVE, ABSOLUTE = 1e-12, 1e-6
"""Tolerances for the rounding errors of decimal fractions: none takes a whole number for the next one."""


def last_number(text: str) -> float | None:
    """The last number of a text; None where it has none."""
    plain = FRACTION.sub(_on_one_line, THOUSANDS.sub(',', text[-TAIL:])).translate(WIDE)
    every = list(NUMBER.finditer(plain))
    if not every:
        return None
    found = every[-1]
    digits = found['digits'].replace(',', '') or '0'
    number = float(f'{digits}{found["fraction"] or ""}{found["power"]}')
    under = int(found['under'] or 1)
    number = number + int(found['over']) / under if found['over'] else number / under
    return -number if found['sign'] == '-' else number


def _on_one_line(fraction: re.Match[str]) -> str:
    """`5 1/4` for `5\\frac{1}{4}` and `5¼`."""
    whole, over, under, sign = fraction.groups()
    plain = unicodedata.normalize('NFKC', sign).replace('⁄', '/') if sign else f'{over}/{under}'
    return f'{whole} {plain}' if whole else plain


def same_number(said: float, gold: float) -> bool:
    """Whether a said number is the gold's."""
    return math.isclose(said, gold, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
