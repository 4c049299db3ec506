"""Read values in text, and compare two of them.

Text is read into *values* (numbers, dates, booleans, missing values) and *words*. How a value is stored or displayed
is dropped: `np.float64(...)`, `array(...)`, `dtype=...`, full-width digits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

TOLERANCE = 1e-4
"""Relative tolerance of floating-point numbers."""
NOISE = 1e-12
"""Largest rounding error beside numbers around 1; a relative tolerance says nothing about it."""
EPSILON = 1e-15
"""Largest rounding error where only its size tells it from a p-value."""
SLACK = 1 + 1e-9
"""Factor that covers the rounding in the difference of two decimal fractions."""
SMALLEST = 1e-18
"""Least rounding error: a p-value may be smaller."""

MOST_FOLD = 10
"""Largest fraction that may be a percentage: 2.5 is 250%, but 42.4 is not 4240%."""

MONTHS = ('jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec')
CJK = '\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff'
"""Characters of scripts without blanks between words: each is a word of its own."""
CJK_SIGN = re.compile(f'[{CJK}]')
DECIMAL = r'[0-9]+(?:\.[0-9]+)?'
EXPONENT = r'(?:[eE][-+]?[0-9]+)?'
"""Parts of numbers in plain text, for patterns that look for a number in a context of their own."""
PLAIN = r'[0-9]+(?:_[0-9]+)*'
GROUPED = rf'(?:[1-9][0-9]{{0,2}}(?:,[0-9]{{3}}){{1,12}}+(?!,?[0-9])|{PLAIN})'
PROSE = r'(?!\w| [a-z])'
"""The end of a word that is a value: `True` in `True positives` is none."""
TOKEN = r"""
  (?P<date>(?<![0-9])[0-9]{{4}}(?P<dash>[-/])[0-9]{{1,2}}(?P=dash)[0-9]{{1,2}}(?![0-9])
    (?:[T\ ][0-9]{{1,2}}:[0-9]{{2}}(?::[0-9]{{2}}(?:\.[0-9]+)?)?(?P<zone>Z|[-+][0-9]{{2}}:?[0-9]{{2}})?)?
    | [0-9]{{4}}年[0-9]{{1,2}}月[0-9]{{1,2}}日)
| (?P<boolean>(?:[Tt]rue|[Ff]alse){prose})
| (?P<missing>(?:NaN|nan|NaT|None){prose}|<NA>)
| (?P<infinite>{sign}(?:inf|Inf|Infinity|infinity)(?!\w)|{sign}∞)
| (?P<code>0[xX][0-9a-fA-F]{{1,64}}|0[bB][01]{{1,64}})(?!\w)
| (?P<complex>{sign}{real}[-+]{real}j(?!\w))
| (?P<number>{sign}{real})(?P<unit>j(?!\w)|\s?%|\ percent(?!\w))?
| (?P<word>[^\W\d{cjk}][^\W{cjk}]*(?:\.[^\W{cjk}]+)*|[{cjk}])
| (?P<dots>(?<![^\s\[(,])(?:\.\.\.?|…)(?![^\s\]),]))
| (?P<open>[\[({{])
| (?P<close>[\])}}])
| (?P<mark>[,;|=、\t]|:(?![0-9])|(?<![0-9]):|[-=]>)
| (?P<sign>[$€£¥])
"""


def _tokens(digits: str) -> re.Pattern[str]:
    real = rf'(?:{digits}(?:\.(?!\.)[0-9]*)?|\.[0-9]+){EXPONENT}'
    sign = r'(?:(?<![0-9A-Za-z_.)\]])[-+])?'
    return re.compile(TOKEN.format(real=real, sign=sign, prose=PROSE, cjk=CJK), re.VERBOSE)


READINGS = (_tokens(GROUPED), _tokens(PLAIN))
"""`1,234` is one number or two; see `values.difference`."""
GROUP = re.compile('[0-9],[0-9]{3}')

WIDE = {0xFF01 + i: 0x21 + i for i in range(94)} | {0x2212: '-', 0xA0: ' ', 0x3000: ' '}
"""Full-width ASCII, the minus sign and blanks as ASCII has them."""
RAISED = str.maketrans('⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹', '-+0123456789')
DISPLAY: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r'\x1b\[[0-9;]*[A-Za-z]'), ''),
    (re.compile(r' at 0x[0-9a-fA-F]+'), ''),
    (re.compile(r"<class '([\w.]{1,200})'>"), r'\1'),
    (re.compile(r"\b(?:Counter|OrderedDict|defaultdict)\((?:<class '\w{1,20}'>, )?"), '('),
    (re.compile(r'<tf\.\w+[^>]{0,200}?numpy='), ''),
    (re.compile(r'(?<=[0-9]) ?[×x*] ?10(?:\^|\*\*)[({]?([-+]?[0-9]{1,3})[)}]?'), r'e\1'),
    (re.compile('(?<=[0-9]) ?[×x] ?10([⁻⁺]?[⁰¹²³⁴-⁹]{1,3})'), lambda found: f'e{found[1].translate(RAISED)}'),
    (re.compile(r'(?<=[A-Za-z])(?:\^|\*\*)[0-9]+'), ''),
    (re.compile(r'\bdatetime\.date(?:time)?\(([0-9]+(?:, [0-9]+){2,6})\)'), lambda found: _iso(found[1].split(', '))),
    (
        re.compile(
            r'\b(?:(?:np|numpy|torch|pd|decimal)\.)?(?:float|int|uint|str_|bool_?|complex|datetime|timedelta|array|'
            r'tensor|Timestamp|Decimal)[0-9]*\('
        ),
        '(',
    ),
    (re.compile(r'\b(?:np|numpy|math)\.(True|False|inf|nan)(?:_|\b)'), r'\1'),
    (
        re.compile(
            r",\s*(?:dtype|device|grad_fn|requires_grad|freq)=(?:'[^'\n]{0,500}'|<[^>\n]{0,500}>|[^\s,()]+)"
            r'(?:,\s*length=[0-9]+)?'
        ),
        '',
    ),
    (re.compile(r"(?<=\]),\s*name='[^'\n]{0,200}'(?=\))"), ''),
    (re.compile(r',\s*categories=\[[^\]\n]{0,500}\], ordered=(?:True|False)'), ''),
    (re.compile(r'(\bTtestResult\([^\n]{0,200}?pvalue=\(?[^\s,()]{1,40}\)?), df=\(?[0-9.]{1,40}\)?'), r'\1'),
    (re.compile(r'\b[A-Z][A-Za-z0-9_]{0,40}Result\('), '('),
    (re.compile(r'(?<=[0-9]) \([0-9.]{1,12} [KMG]?B\)'), ''),
    (re.compile(r'\b((?:epoch|step|fold|iteration|iter|round)[ ]?\[?[0-9]{1,9})[ ]?/[ ]?[0-9]{1,9}', re.I), r'\1'),
)
"""Forms in which values are stored or shown, and what replaces them."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value as it stands in text."""

    kind: Literal['number', 'date', 'boolean', 'missing']
    exact: str
    """The digits of a whole number, else the text that is equal for equal values of the kind."""
    number: complex = 0
    whole: bool = False
    percent: bool = False

    def __str__(self) -> str:
        return self.exact[:40]


Token = tuple[str, Value | str]
"""(`value`, it), (`word`, in lower case), (`dots`, …), (`open`, the bracket), (`close`, the bracket),
(`mark`, what parts two values or a label from its value), (`sign`, that of a currency)."""
Seen = dict[tuple[str | None, str], Token]
"""Cache of tokens by the pattern's group and the text."""


def clean(text: str) -> str:
    """Text without the forms in which values are stored or displayed; footers of tables stay."""
    text = text.translate(WIDE).replace('\r\n', '\n').replace('\r', '\n')
    for pattern, left in DISPLAY:
        text = pattern.sub(left, text)
    return text


def _iso(parts: list[str]) -> str:
    """The arguments of a `datetime` as it is printed."""
    date, time = '-'.join(parts[:3]), ':'.join(part.zfill(2) for part in [*parts[3:6], *'00'][:3])
    return f'{date} {time}.{"".join(parts[6:]).zfill(6)}' if parts[3:] else date


def lex(text: str, pattern: re.Pattern[str] = READINGS[0], seen: Seen | None = None) -> Iterator[Token]:
    """Yield the tokens of cleaned text; punctuation is a token where it parts values.

    Args:
        text: what is read.
        pattern: one of READINGS.
        seen: the tokens of other parts of the text, read by the same pattern: a long text repeats itself.
    """
    known: Seen = {} if seen is None else seen
    for found in pattern.finditer(text):
        key = found.lastgroup, found.group()
        if (token := known.get(key)) is None:
            token = known[key] = _token(found)
        yield token


def _token(found: re.Match[str]) -> Token:
    kind = found.lastgroup
    if kind in ('word', 'dots', 'open', 'close', 'mark', 'sign'):
        return kind, found.group().casefold()
    return 'value', _value(found)


def _value(found: re.Match[str]) -> Value:
    text = found.group()
    if found['date']:
        return Value('date', _moment(text, found['zone'] or ''))
    if found['boolean'] or found['missing']:
        return Value('boolean', text.capitalize()) if found['boolean'] else Value('missing', 'missing')
    if found['infinite']:
        return Value('number', text, -math.inf if text[0] == '-' else math.inf)
    if found['code']:
        return Value('number', str(number := int(text, 0)), number, whole=True)
    if found['complex']:
        return Value('number', text, complex(_python(text)))
    return _number(_python(found['number']), (found['unit'] or '').strip())


def _python(number: str) -> str:
    return number.replace(',', '').replace('_', '')


def _number(text: str, unit: str) -> Value:
    number = float(text)
    if unit == 'j':
        return Value('number', f'{text}j', complex(0, number))
    if text.lstrip('+-').isdigit():
        digits = ('-' if text[0] == '-' else '') + (text.lstrip('+-0') or '0')
        return Value('number', '0' if digits == '-0' else digits, number, whole=True, percent=bool(unit))
    return Value('number', text, number, percent=bool(unit))


def _moment(text: str, zone: str) -> str:
    """A point in time in one form: midnight where there is no time, fractions of a second without closing zeros."""
    parts = re.findall('[0-9]+', text.removesuffix(zone))
    whole = [f'{int(part):02}' for part in [*parts[:6], *'000'][: max(6, len(parts[:6]))]][:6]
    fraction = ''.join(parts[6:]).rstrip('0')
    shift = zone.replace(':', '').replace('Z', '+0000')
    return ' '.join([*whole, fraction, shift]).strip()


@dataclass(frozen=True)
class Margin:
    """How far the numbers of an answer may differ from the gold's.

    Args:
        relative: as a share of the gold's number.
        absolute: as an amount, which replaces the share if above 0; from 1 on it holds for whole numbers, too.
        own: whether the margin is the step's own, which also holds for whole numbers that are no counts.
        counts: whether whole numbers may be counts, because the gold has other numbers for the margin.
        noise: magnitudes between which a gold number is a rounding error around 0, equal to all below the greater.
        bare: whether 12.5 may stand for 12.5%.
    """

    relative: float = TOLERANCE
    absolute: float = 0.0
    own: bool = False
    counts: bool = True
    noise: tuple[float, float] = (0.0, NOISE)
    bare: bool = True

    @classmethod
    def of(cls, tolerance: float | Margin) -> Margin:
        return tolerance if isinstance(tolerance, Margin) else cls(tolerance)

    def allows(self, gold: complex, answer: complex) -> bool:
        """Whether two numbers are near enough, or both rounding errors around 0."""
        if gold == answer:
            return True
        least, most = self.noise
        if (gold == 0 or least <= abs(gold) < most) and abs(answer) < most:
            return True
        most_apart = self.absolute * SLACK if self.absolute else self.relative * abs(gold)
        return math.isfinite(abs(gold)) and abs(answer - gold) <= most_apart


def equal(gold: Value, answer: Value, margin: Margin) -> bool:
    """Whether two values are the same.

    Whole numbers are exact, by value (3 is 3.0), where the margin does not hold for them; other numbers may differ by
    it. A percentage is its fraction, and also the bare number before the sign, where that may be meant.
    """
    if gold.kind != answer.kind:
        return False
    if gold.kind != 'number':
        return gold.exact == answer.exact
    if gold.percent != answer.percent:
        fraction, other = (gold, answer) if gold.percent else (answer, gold)
        hundredth = abs(other.number) <= MOST_FOLD and margin.allows(fraction.number / 100, other.number)
        return hundredth or (margin.bare and _same_number(gold, answer, margin))
    return _same_number(gold, answer, margin)


def _same_number(gold: Value, answer: Value, margin: Margin) -> bool:
    if gold.whole and margin.absolute < 1 and not (margin.own and _no_count(answer, margin)):
        return gold.exact == answer.exact if answer.whole else gold.number == answer.number
    return margin.allows(gold.number, answer.number)


def _no_count(answer: Value, margin: Margin) -> bool:
    """Whether a whole gold number is no count, but rounded: 125 for 125.04."""
    return not margin.counts or not (answer.whole or answer.number.real.is_integer())
