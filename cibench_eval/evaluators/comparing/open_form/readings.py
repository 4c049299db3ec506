"""Read the text of an output: a string as its content, a wrapped table in one piece, lines as tokens."""

from __future__ import annotations

import functools
import math
import re
from dataclasses import dataclass, replace
from typing import Literal

from cibench_eval.evaluators.comparing.numbers import (
    DECIMAL,
    EPSILON,
    GROUP,
    MONTHS,
    NOISE,
    READINGS,
    SMALLEST,
    Margin,
    Seen,
    Token,
    Value,
    clean,
    lex,
)
from cibench_eval.evaluators.comparing.open_form.questions import Question, without_limits
from cibench_eval.syntax import literal_value

SERIES_END = re.compile(
    r'^(?:Freq: \S+, )?(?:Name: [^\n]{0,200}?, )?(?:Length: (?P<rows>[0-9]+), )?dtype: [^\n]+$', re.M
)
FRAME_END = re.compile(r'^\[(?P<rows>[0-9]+) rows x [0-9]+ columns\]$', re.M)
FRAME_HEAD = re.compile(r'(?:\s+\S|\S.* {2,}\S)[^:={}\[\]]*')
SHAPE = re.compile(
    r'^[ \t]*+(?:the )?(?:shape|size|形状)?[ \t]*+(?:is|为|[:=])?[ \t]*+\([0-9]+, ?[0-9]*\)[ \t]*+$\n?', re.I | re.M
)
"""A line with the shape of a table or an array."""
NUMBERED = re.compile(r'^[ \t]*+([0-9]{1,3})[.)][ \t]++(?=\S)', re.M)
TWICE = re.compile(
    r'(?<![\w.])(?P<first>-?[0-9]{1,15}\.[0-9]{1,20})(?: ?\(| ?≈ ?| or )'
    r'(?P<second>-?[0-9]{1,15}\.[0-9]{1,20})(?![\w%])\)?'
)
DEGREES = re.compile(rf'\b(chi2|chi-?squared?|χ2|χ²|t|z) ?\(({DECIMAL})\)(?= ?[=:])', re.I)
"""`chi2(2) = 5.1`, `t(28) = 2.1`: the statistic with its degrees of freedom."""
LINE = re.compile(rf'\b[a-z] ?= ?(-?{DECIMAL})(?!e[-+][0-9]) ?[*·]? ?[a-z] ?([-+]) ?({DECIMAL})(?![\w.]| ?[*·])')
"""The equation of a line."""
PROGRESS = re.compile(r'^[ \t]*+[0-9]{1,9}/[0-9]{1,9} \[?[━╸╺─=>.]{3,200}[^\n]*\n?', re.M)
"""A progress bar of Keras."""
MOST_PIECES = 1000
"""Most pieces of a wrapped table: each is copied for every further one."""
LONGEST_STRING = 1_000_000

P_VALUE = re.compile(r'(?<![A-Za-z0-9])p(?:[-_ ]?val(?:ue)?s?)?(?![A-Za-z0-9_])|[Pp]r\(|PR\(|[pP] ?值', re.I)
NAMED_MONTH = re.compile(
    r'\b(?:(?P<first>[0-3]?[0-9])(?:st|nd|rd|th)?[ ])?'
    r'(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|'
    r'oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?,?[ ]'
    r'(?:(?P<second>[0-3]?[0-9])(?:st|nd|rd|th)?,?[ ])?(?P<year>[0-9]{4})\b',
    re.I,
)
MONTH = re.compile(
    r'(?<![0-9-])(?P<year>[12][0-9]{3})(?:-(?P<month>0[1-9]|1[0-2])(?![0-9-])|年(?P<named>[0-9]{1,2})月(?![0-9]))'
)
IN_LABEL = re.compile(r'\([^()\n]{0,100}\)(?=[ ]?[:=])')
"""Brackets at the end of a label: `Accuracy (k=5): 0.9`."""
PLAIN_LABEL = str.maketrans('()=:,', '     ')
MIDNIGHT = re.compile(r'(?<=days) 00:00:00\b')


@dataclass(frozen=True)
class OutputReading:
    """A text as values.

    `lines`: the tokens of each line that has any, without marks. `marked`: the same lines with them. `table`: what
    pandas object it looks like. `rows`: how many rows the footer says that there are, or None.
    """

    text: str
    lines: list[list[Token]]
    marked: list[list[Token]]
    table: Literal['', 'series', 'frame']
    rows: int | None

    @classmethod
    def of(cls, text: str, pattern: re.Pattern[str]) -> OutputReading:
        text = clean(text)
        end = SERIES_END.search(text) or FRAME_END.search(text)
        body = unwrap(FRAME_END.sub('', SERIES_END.sub('', text))) if end else unwrap(text)
        seen: Seen = {}
        read = functools.cache(lambda line: list(lex(line, pattern, seen)))  # a long text repeats itself
        named = IN_LABEL.sub(lambda found: found.group().translate(PLAIN_LABEL), dated(body))
        marked = [tokens for line in named.split('\n') if (tokens := read(line))]
        bare = ([token for token in line if token[0] not in ('mark', 'sign')] for line in marked)
        lines = [line for line in bare if line]
        stated = int(end['rows'][:18]) if end and end['rows'] else None
        return cls(body, lines, marked, cls._table(body, lines, end), stated)

    @staticmethod
    def _table(body: str, lines: list[list[Token]], end: re.Match[str] | None) -> Literal['', 'series', 'frame']:
        if end:
            return 'series' if end.re is SERIES_END else 'frame'
        first = next((line for line in body.split('\n') if line.strip()), '')
        headed = bool(lines[1:]) and all(kind in ('word', 'dots') for kind, _ in lines[0])
        return 'frame' if headed and FRAME_HEAD.fullmatch(first.replace('|', ' ').rstrip()) else ''

    @property
    def tokens(self) -> list[Token]:
        return [token for line in self.lines for token in line]

    @property
    def values(self) -> list[Value]:
        return [token for _, token in self.tokens if isinstance(token, Value)]

    @property
    def words(self) -> list[str]:
        return [str(token) for kind, token in self.tokens if kind == 'word']


def readings(text: str) -> list[OutputReading]:
    """All readings of a text: two where commas may separate thousands or numbers."""
    return [OutputReading.of(text, pattern) for pattern in (READINGS if GROUP.search(text) else READINGS[:1])]


def said(text: str) -> str:
    r"""The content of a result that is a string: `'a\nb'` is two lines. Any other text as it is."""
    shown = text.strip()
    if len(shown) < 2 or len(shown) > LONGEST_STRING or shown[0] not in '\'"' or shown[-1] != shown[0]:
        return text
    try:
        meant = literal_value(shown)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
    return meant if isinstance(meant, str) else text


def variants(text: str, asked: Question, gold: str = '') -> list[str]:
    """An answer as it is, and without what it may add: progress bars, shapes, line numbers, numbers of the question."""
    bare = SHAPE.sub('', PROGRESS.sub('', text))
    bare = LINE.sub(r'slope: \1, intercept: \2\3', DEGREES.sub(r'df: \2, \1', bare))
    bare = TWICE.sub(_longer, bare)
    numbers = [int(found) for found in NUMBERED.findall(bare)]
    if len(numbers) > 1 and numbers == list(range(1, len(numbers) + 1)):
        bare = NUMBERED.sub('', bare)
    found = dict.fromkeys((text, bare, without_limits(bare), asked.without_numbers(without_limits(bare), gold)))
    return [one for one in found if one == text or one.strip()]


def _longer(found: re.Match[str]) -> str:
    """Keep the longer of a number given twice: `29.70 (29.6991)`."""
    first, second = found['first'], found['second']
    shorter, longer = sorted((first, second), key=len)
    places = len(shorter.partition('.')[2])
    return longer if f'{float(longer):.{places}f}' == shorter else found.group()


def dated(text: str) -> str:
    """Bring dates to one form; a month without a day gets day 00."""
    text = NAMED_MONTH.sub(_named, text) if NAMED_MONTH.search(text) else text
    return MIDNIGHT.sub(
        '', MONTH.sub(lambda found: f'{found["year"]}-{int(found["month"] or found["named"]):02}-00', text)
    )


def _named(found: re.Match[str]) -> str:
    month = MONTHS.index(found['month'][:3].lower()) + 1
    return f'{found["year"]}-{month:02}-{int(found["first"] or found["second"] or 0):02}'


def unwrap(text: str) -> str:
    r"""Join the pieces of a table that pandas wrapped (its lines end in a `\`).

    Each piece repeats the index, taken to be what its lines have in common with the first piece's.
    """
    pieces = [piece.split('\n') for piece in re.split(r'\n[ \t]*\n', text.strip('\n'))]
    joined: list[list[str]] = []
    continued = 0
    for piece in pieces:
        if continued and len(piece) == len(joined[-1]):
            index = _common(joined[-1], piece)
            joined[-1] = [f'{line} {more[index:]}' for line, more in zip(joined[-1], piece, strict=True)]
        else:
            joined.append(piece)
        continued = continued + 1 if piece[0].rstrip().endswith('\\') and continued < MOST_PIECES else 0
    return '\n\n'.join('\n'.join(piece) for piece in joined)


def _common(lines: list[str], others: list[str]) -> int:
    """The width of the columns that two pieces of a table share at the beginning."""
    width = min((len(line) for line in [*lines[1:], *others[1:]]), default=0)
    for line, other in zip(lines, others, strict=True):
        width = next(
            (place for place in range(min(width, len(line), len(other))) if line[place] != other[place]), width
        )
        width = other.rfind(' ', 0, width) + 1
    return width


def margin_of(gold: OutputReading, answer: OutputReading, tolerance: float | Margin) -> Margin:
    """Fit the margin to two texts: which numbers are counts, rounding errors, or percentages without a sign."""
    numbers = [value for value in gold.values if value.kind == 'number']
    counts = not all(value.whole for value in numbers)
    noise, bare = _noise(gold, numbers), _bare(gold.values, answer.values)
    return replace(Margin.of(tolerance), counts=counts, noise=noise, bare=bare)


def _noise(gold: OutputReading, numbers: list[Value]) -> tuple[float, float]:
    """The magnitudes between which a gold number is a rounding error around 0.

    A p-value never is. Other numbers are if small beside 1, or beside the largest of at least three numbers; one that
    is smaller than the error of one operation is only among other errors, or below 0.
    """
    if P_VALUE.search(gold.text):
        return 0.0, 0.0
    sizes = [abs(value.number) for value in numbers if math.isfinite(abs(value.number))]
    scale = min(max(sizes), 1.0) if len(sizes) > 2 and max(sizes) else 1.0
    negative = any(-NOISE * scale < value.number.real < 0 for value in numbers)
    errors = negative or any(SMALLEST * scale <= size < EPSILON * scale for size in sizes)
    most = NOISE if negative or len(sizes) > 2 else EPSILON
    return (0.0 if errors else SMALLEST * scale), most * scale


def _bare(golds: list[Value], answers: list[Value]) -> bool:
    """Whether 12.5 may stand for 12.5%: only if one such number is above 1, and so no fraction."""
    pairs = zip(golds, answers, strict=False) if len(golds) == len(answers) else ((gold, None) for gold in golds)
    bare = [gold.number for gold, answer in pairs if answer is None or gold.percent != answer.percent]
    return any(abs(number) > 1 for number in bare)
