"""Numbers: how far two may differ, and the signs that they are written with."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass

TOLERANCE = 1e-4
"""Relative tolerance of floating-point numbers."""
NOISE = 1e-12
"""Largest rounding error beside numbers around 1; a relative tolerance says nothing about it."""
SLACK = 1 + 1e-9
"""Factor that covers the rounding in the difference of two decimal fractions."""

NAMES_OF_MONTHS = (
    *('january', 'february', 'march', 'april', 'may', 'june'),
    *('july', 'august', 'september', 'october', 'november', 'december'),
)
MONTHS = tuple(name[:3] for name in NAMES_OF_MONTHS)
CJK = '\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff'
"""Characters of scripts without blanks between words: each is a word of its own."""
CJK_SIGN = re.compile(f'[{CJK}]')
PARTS = re.compile(r'\S{1,1000}\s*|\s+')
DECIMAL = r'[0-9]+(?:\.[0-9]+)?'
EXPONENT = r'(?:[eE][-+]?[0-9]+)?'
"""Parts of numbers in plain text, for patterns that look for a number in a context of their own."""
WIDE = {0xFF01 + i: 0x21 + i for i in range(94)} | {0x2212: '-', 0xA0: ' ', 0x3000: ' '}
"""Full-width ASCII, the minus sign and blanks as ASCII has them."""


def nfkc(text: str) -> str:
    """The text in normal form, 1,000 signs of a word at a time: to put accents in order takes quadratic time."""
    return ''.join(unicodedata.normalize('NFKC', part) for part in PARTS.findall(text))


@dataclass(frozen=True)
class Margin:
    """How far the numbers of an answer may differ from the gold's."""

    relative: float = TOLERANCE
    """How far, as a share of the gold's number."""
    absolute: float = 0.0
    """How far, as an amount: above 0 it replaces the share, and from 1 on it holds for whole numbers, too."""
    own: bool = False
    """Whether the margin is the step's own, which also holds for whole numbers that are no counts."""
    noise: float = NOISE
    """Magnitude below which numbers are rounding errors around 0, and equal."""

    def most_apart(self, gold: float) -> float:
        """The largest difference from a gold number."""
        return self.absolute * SLACK if self.absolute else self.relative * abs(gold)

    def allows(self, gold: float, answer: float) -> bool:
        """Whether two numbers are near enough, or both rounding errors around 0."""
        if gold == answer or max(abs(gold), abs(answer)) < self.noise:
            return True
        return math.isfinite(gold) and abs(answer - gold) <= self.most_apart(gold)
