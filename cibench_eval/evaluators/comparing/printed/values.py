"""Read printed text: its values in their order, each with the words beside it.

A value is a number, a date, a truth value or a missing one. How it is stored or laid out is dropped: `np.float64(…)`,
brackets, quotes, footers of pandas, full-width digits.
"""

import contextlib
import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from cibench_eval.evaluators.comparing.numbers import CJK, nfkc
from cibench_eval.syntax import literal_value

DISPLAY = re.compile(
    r'^(?:Freq: \S{1,20}, )?(?:Name: [^\n]{0,200}?, )?(?:Length: [0-9]+, )?dtype: [^\n]+$'
    r'|^<\w{1,40}Array>$|^Categories \([0-9]+, [^\n]+$|^\[[0-9]+ rows x [0-9]+ columns\]$'
    r'|^(?:\[(?:nltk_data|LightGBM)\]|[^\n]{0,200}(?:[━█]|[0-9]/[0-9]+ \[=*>?\.*\] - ))[^\n]*$'
    r'|,\s{0,20}(?:dtype|device|grad_fn|requires_grad|freq|shape|name)='
    r"(?:'[^'\n]{0,200}'|<[^>\n]{0,200}>|\([^()\n]{0,200}\)|[^\s,()]{1,200})"
    r'|(?<=[0-9]{4}-[0-9]{2}-[0-9]{2}) 00:00:00(?:\.0+)?(?:Z|\+00:00)?(?![A-Za-z0-9_.:+-])'
    r'|\([-+0-9.e]{1,30}, [-+0-9.e]{1,30}\]|\[[-+0-9.e]{1,30}, [-+0-9.e]{1,30}\)',
    re.M,
)
"""What libraries print around values: ends of Series and frames, downloads, progress, types, midnight, intervals."""
NAMES = r'^(?!.*\b(?:True|False|None|NaN|NaT|nan|inf)\b)[^\W\d][^\s:=]*(?: {2,}[^\W\d][^\s:=]*)* *\n'
ROW = r'.* (?:[-+]?[0-9.][-+:.e0-9]*|-?inf|NaN|NaT|True|False|<NA>|None)(?:\n|\Z)'
INDEX = re.compile(rf'{NAMES}(?=(?:{ROW})+((?:Freq|Name|Length|dtype): )?)', re.M)
"""A line of names above rows. If the rows are a Series, the group matches, and the line names its index."""
CALL = re.compile(r'datetime\.(date|datetime)\(([0-9]{1,6}(?:, [0-9]{1,6}){2,6})\)')
STAMP = re.compile(r'(?<=[0-9]{4}-[0-9]{2}-[0-9]{2})T(?=[0-9]{2}:)')
"""Points in time as `repr` and as ISO 8601 write them."""
SIGNS = str.maketrans({'−': '-', '\r': '\n', '²': '2', '³': '3', **dict.fromkeys('│┃║', '|')})
TOKEN = r"""
  (?P<date>(?<![^\W{cjk}]|-)[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?:[T ]00:00:00(?:\.0+)?(?![^\W{cjk}]|\.)|(?![^\W{cjk}]|-))
    | [0-9]{{4}}[ ]?年[ ]?[0-9]{{1,2}}[ ]?月[ ]?[0-9]{{1,2}}[ ]?日)
| (?P<truth>(?:np\.)?(?:True|False)_?(?!\w|[ ](?:positive|negative)))
| (?P<missing>(?:NaN|nan|NaT|None)(?!\w)|<NA>)
| (?P<number>(?:(?<![^\W{cjk}]|[.)\]])(?<![0-9][{cjk}])(?<![0-9][{cjk}]{{2}})[-+])?
    (?:inf(?!\w)|(?:{digits}(?:\.(?!\.)[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?))(?P<percent>[ ]?%)?
| (?P<word>[^\W\d{cjk}][^\W{cjk}]*(?:\.[^\W\d{cjk}][^\W{cjk}]*)*|[{cjk}]+)
| (?P<mark>[:=])
"""
THOUSANDS, PLAIN = (
    re.compile(TOKEN.format(digits=digits, cjk=CJK), re.VERBOSE)
    for digits in (r'(?:[1-9][0-9]{0,2}(?:,[0-9]{3}){1,8}(?![0-9,])|[0-9]+)', '[0-9]+')
)
"""`1,234` is one number, or two."""
LONGEST_STRING = 1_000_000
LONGEST_LABEL = 20
"""Most words of a label, the nearest to its value."""


@dataclass(frozen=True, slots=True)
class PrintedValue:
    """A value as it is printed."""

    kind: Literal['number', 'date', 'truth', 'missing']
    """What it is; only values of one kind are equal."""
    text: str
    """Its digits, or what is the same for equal values of its kind."""
    number: float = 0.0
    """What it is as a number."""
    percent: bool = False
    """Whether a percent sign follows."""
    label: tuple[str, ...] = ()
    """The words before it, up to another value; of the last one of its line also those after it."""
    named: bool = False
    """Whether `:` or `=` stands between the label and it."""
    free: int = 0
    """Whether it may be no value: 1 for a key before `:` or `=`, 2 for other parts of labels and numbers of lines."""

    @property
    def whole(self) -> bool:
        return self.text.lstrip('+-').isdecimal()

    @property
    def exact(self) -> str:
        """The digits of a whole number with its sign: as a float, a long one would be its neighbour, too."""
        return self.text[:1].strip('+0123456789') + (self.text.lstrip('+-').lstrip('0') or '0')

    @property
    def decimals(self) -> int:
        """How many decimal places are printed."""
        mantissa, _, power = self.text.lower().partition('e')
        return max(0, len(mantissa.partition('.')[2]) - int(power[:4] or 0))

    def __str__(self) -> str:
        return self.text[:40]


def clean(text: str) -> str:
    """Text without what libraries print around values; a result that is a string is what it says."""
    shown = text.strip()
    if 1 < len(shown) < LONGEST_STRING and shown[0] in '\'"' and shown.count(shown[0]) == 2 and shown[-1] == shown[0]:
        with contextlib.suppress(ValueError, SyntaxError, MemoryError, RecursionError):
            shown = str(literal_value(shown))
    return DISPLAY.sub('', STAMP.sub(' ', CALL.sub(_moment, nfkc(shown.translate(SIGNS))))).strip()


def _moment(call: re.Match[str]) -> str:
    """A point in time as `str` writes it; the call itself where it is none."""
    with contextlib.suppress(ValueError, TypeError):
        return str(getattr(datetime, call[1])(*map(int, call[2].split(', '))))
    return call[0]


def values(text: str, pattern: re.Pattern[str] = THOUSANDS) -> list[PrintedValue]:
    """The values of a cleaned text."""
    return [value for line in lines(text, pattern) for value in line]


def lines(text: str, pattern: re.Pattern[str] = THOUSANDS) -> list[list[PrintedValue]]:
    """The values of each line of a cleaned text that has any. Numbers that count all lines, and columns, are free."""
    found, before = list[list[PrintedValue]](), list[str]()
    for line in text.split('\n'):
        tokens = list(pattern.finditer(line))
        if values_of_line := list(_line(tokens, before)):
            found.append(values_of_line)
            before = []
        else:
            before = [*before, *map(_word, tokens)][-LONGEST_LABEL:]
    across = ['' if value.named else value.text for line in found[:1] for value in line]
    headed = across == [*map(str, range(len(across)))] and {*map(len, found[1:])} == {len(across) + 1}
    rows = found[headed:]
    firsts = [int(one.number) if one.text.rstrip('.').isdecimal() and len(one.text) < 10 else -1 for one, *_ in rows]
    if (len(found) > 1 or '\n0 ' in text) and firsts in ([*range(len(rows))], [*range(1, len(rows) + 1)]):
        if len(rows[0]) > 1 and not any(line[0].label for line in rows[1:]):  # names of columns, above
            rows[0][1] = replace(rows[0][1], label=rows[0][0].label + rows[0][1].label)
        rows = [[replace(line[0], free=2), *line[1:]] for line in rows]
        found = [[replace(one, free=2) for one in line] for line in found[:headed]] + rows
    return found


def _line(tokens: list[re.Match[str]], before: list[str]) -> Iterator[PrintedValue]:
    """Yield the values of a line, the first with the words of lines before; rule 7 says which are free."""
    kinds = ['value' if token.lastgroup not in ('word', 'mark') else token.lastgroup for token in tokens]
    ahead, start = marks_ahead(kinds), 0
    found = [place for place, kind in enumerate(kinds) if kind == 'value']
    for place in found:
        value, named = token_value(tokens[place]), kinds[place - 1 : place] == ['mark']
        free = 1 if kinds[place + 1 : place + 2] == ['mark'] else 2 * (value.whole and not named and ahead[place])
        after = tokens[place + 1 : place + 1 + LONGEST_LABEL] if place == found[-1] else []
        beside = [*tokens[max(start, place - LONGEST_LABEL) : place], *after]
        label = [*(before if place == found[0] else []), *map(_word, beside)]
        yield replace(value, label=tuple(filter(None, label)), named=named, free=free)
        start = place + 1


def marks_ahead(kinds: list[str]) -> list[bool]:
    """For each token, whether the next token after it that is not a word is a mark (`:` or `=`)."""
    marks, ahead = [], False
    for kind in reversed(kinds):
        marks.append(ahead)
        ahead = kind == 'mark' or (kind == 'word' and ahead)
    return marks[::-1]


def _word(token: re.Match[str]) -> str:
    """A word of a label; empty for marks, and for the name of a call, as in `tensor(1.5)`."""
    called = token.string[token.end() : token.end() + 1] == '(' and token.group().isascii()
    return '' if called else re.sub('(?<=.)[为是]+$', '', (token['word'] or '').casefold())


def token_value(token: re.Match[str]) -> PrintedValue:
    """The value of a match of THOUSANDS or PLAIN that is one."""
    text = token.group()
    if token['date']:
        return PrintedValue('date', '{:04}-{:02}-{:02}'.format(*map(int, re.findall('[0-9]+', text)[:3])))
    if token['truth'] or token['missing']:
        return PrintedValue('truth', text.strip('np._')) if token['truth'] else PrintedValue('missing', 'missing')
    number = token['number'].replace(',', '')
    return PrintedValue('number', number, float(number), percent=token['percent'] is not None)
