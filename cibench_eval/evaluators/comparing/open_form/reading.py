"""Printed text -> its values, each with the words that may name it: before it, after it, above it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from cibench_eval.evaluators.comparing.open_form.units import unit_after, with_iso_dates
from cibench_eval.evaluators.comparing.open_form.words import Words, words_of
from cibench_eval.evaluators.comparing.printed.values import PrintedValue, marks_ahead, token_value
from cibench_eval.grouping import grouped

NOT_ASKED = re.compile(r', df=(?:np\.float64\()?[0-9.]{1,40}\)?(?=\))|^memory usage: .{1,40}$', re.M)
"""Degrees of freedom in the result of a test, and the last line of `DataFrame.info()`."""
CELLS = re.compile(r'\s*\|\s*|\s{2,}|,')
KEY = re.compile(r'[\'"]?\s*[:=]\s*.{0,3}')
"""What stands between a number that is a key and its value."""
ASIDE = re.compile(r'\s*(?:\(?\s*(?:±|\+ ?/ ?-|\+-)|[<>≤≥]=?|(?:out )?of(?: the)?|/)\s*')
"""What stands between a value and one that only goes with it."""
CLOSES = re.compile(r'\)\s*[:=]')
"""What stands behind a number that is part of a name."""
CUT = re.compile(r'[,;，；。|[]')
"""What parts two values."""
NONE: Words = frozenset()


@dataclass(frozen=True, slots=True)
class ShownValue:
    """A value as a text shows it.

    Args:
        before, after, above: words between it and its neighbours, and of the head of its column. A whole number that
            is its key, or opens its row, is a word before it.
        free: whether it may be no value but a key, part of a name or the number of a line.
    """

    value: PrintedValue
    line: int
    before: Words = NONE
    after: Words = NONE
    above: Words = NONE
    unit: str = ''
    free: bool = False
    inner: bool = False
    """Whether it closes a bracket in a name, as in `std (ddof=1): 2.5`."""
    aside: bool = False
    """Whether it only goes with the value before it: `± 0.2`, `< 0.05`, `of 891`, `/891`."""

    @property
    def beside(self) -> Words:
        """The words before and above it."""
        return self.before | self.above

    @property
    def words(self) -> Words:
        return self.before | self.after | self.above

    @property
    def name(self) -> Words:
        """The words that name it in a gold: those after it only where none stand before."""
        return self.beside | (NONE if self.before else self.after)


class _Head(NamedTuple):
    """The last line without values, which may be the head of a table."""

    line: int = -9
    cells: tuple[str, ...] = ()
    words: Words = NONE

    def over(self, number: int, line: str, tokens: list[re.Match[str]]) -> _Head:
        """The head after another line without values: the name of an index below a head is no head of its own."""
        words = [token.group() for token in tokens if token.lastgroup == 'word']
        if not words or (self.line == number - 1 and len(words) < len(self.cells)):
            return self
        cells = [cell for cell in CELLS.split(line.strip().strip('|')) if cell.strip()]
        return _Head(number, tuple(cells if len(cells) > 1 else words), words_of(line))


def read(text: str, pattern: re.Pattern[str]) -> list[ShownValue]:
    """The values of a cleaned text (`printed.values.clean`), in their order."""
    found, head = list[ShownValue](), _Head()
    lines = [(line, list(pattern.finditer(line))) for line in NOT_ASKED.sub('', with_iso_dates(text)).split('\n')]
    table = sum(map(_has_values, (tokens for _, tokens in lines))) > 1
    for number, (line, tokens) in enumerate(lines):
        if _has_values(tokens):
            found += _named_above(_line(tokens, line, number, table), head)
        else:
            head = head.over(number, line, tokens)
    return _without_numbers(found)


def _has_values(tokens: list[re.Match[str]]) -> bool:
    return any(token.lastgroup not in ('word', 'mark') for token in tokens)


def _line(tokens: list[re.Match[str]], line: str, number: int, table: bool) -> list[ShownValue]:
    """The values of a line with the words around them; one without words before it has the words of the last."""
    kinds = [token.lastgroup if token.lastgroup in ('word', 'mark') else 'value' for token in tokens]
    places, ahead = [at for at, kind in enumerate(kinds) if kind == 'value'], marks_ahead(kinds)
    found, start, before = list[ShownValue](), 0, NONE
    for at, after in zip(places, [*places[1:], len(tokens)], strict=True):
        token = tokens[at]
        between = line[tokens[start - 1].end() if start else 0 : token.start()]
        before = _words(_since(tokens, start, at, line)) or before
        key = tokens[start - 1] if start and _is_key(tokens, start - 1, line, between, table) else None
        value, unit = token_value(token), unit_after(line, token.end())
        inner = kinds[at - 1 : at] == ['mark'] and bool(CLOSES.match(line, token.end()))
        hour = re.match(r':[0-5][0-9](?![0-9.])', line[token.end() : token.end() + 4])
        found.append(
            ShownValue(
                replace(value, percent=True) if '%' in between else value,
                number,
                before | {key.group()} if key else before,
                _words(_own(tokens, at, after, line)) - words_of(unit),
                unit=unit,
                aside=bool(start) and ASIDE.fullmatch(between) is not None,
                inner=inner,
                free=value.whole and ahead[at] and not hour and (inner or kinds[at - 1 : at] != ['mark']),
            )
        )
        start = at + 1
    return found


def _own(tokens: list[re.Match[str]], at: int, after: int, line: str) -> list[re.Match[str]]:
    """The tokens between two values, without those after a comma that name the second, by `=` or `:`."""
    between = tokens[at + 1 : after]
    if after == len(tokens) or not between or between[-1].group() not in (':', '='):
        return between
    gaps = (line[one.end() : other.start()] for one, other in pairwise(tokens[at:after]))
    return between[: next((place for place, gap in enumerate(gaps) if CUT.search(gap)), len(between))]


def _since(tokens: list[re.Match[str]], start: int, at: int, line: str) -> list[re.Match[str]]:
    """The tokens before a value, without those before the first comma, which belong to the value before it."""
    for place in range(start, at) if start else ():
        if CUT.search(line[tokens[place - 1].end() : tokens[place].start()]) and tokens[place].lastgroup == 'word':
            return tokens[place:at]
    return tokens[start:at]


def _words(tokens: list[re.Match[str]]) -> Words:
    """The words of tokens, without those that are called, as in `tensor(1.5)`."""
    return words_of(' '.join(token.group() for token in tokens if not _is_called(token)))


def _is_called(token: re.Match[str]) -> bool:
    called = token.string[token.end() : token.end() + 1] == '('
    return called and '_' not in token.group() and token.group().isascii()


def _is_key(tokens: list[re.Match[str]], at: int, line: str, between: str, table: bool) -> bool:
    """Whether a whole number is the key of the value after it, or opens the row of a table."""
    key = tokens[at]
    opens = table and not line[: key.start()].strip() and between.isspace()
    return key.group().isdecimal() and (opens or KEY.fullmatch(between) is not None)


def _named_above(row: list[ShownValue], head: _Head) -> list[ShownValue]:
    """A row with the words of its columns, counted from the right; a value alone below a line is named by all of it."""
    if len(head.cells) > 1:
        cells = [NONE] * len(row) + [words_of(cell) for cell in head.cells]
        row = [replace(one, above=above) for one, above in zip(row, cells[-len(row) :], strict=True)]
    if not row[0].before and (len(row) == 1 or len(head.cells) <= 3):
        row[0] = replace(row[0], before=head.words)
    return row


def _opens(row: list[ShownValue]) -> bool:
    """Whether the first value of a line may be its number: a whole one, or `1.` before a name."""
    value = row[0].value
    return value.whole or (value.text.rstrip('.').isdecimal() and any(one.before for one in row[1:2]))


def _without_numbers(found: list[ShownValue]) -> list[ShownValue]:
    """Values of which the first of each line are free, if these count the lines from 0 or 1 and have others beside."""
    rows = grouped(found, lambda one: one.line)
    firsts = [row[0].value.number if _opens(row) else -1.0 for row in rows.values()]
    counts = [[float(number + start) for number in range(len(rows))] for start in (0, 1)]
    if len(rows) < 2 or firsts not in counts or any(len(row) == 1 for row in rows.values()):
        return found
    opening = {id(row[0]) for row in rows.values()}
    return [replace(one, free=True) if id(one) in opening else one for one in found]


def series(text: str, values: list[ShownValue]) -> list[ShownValue]:
    """The values of a gold; of a pandas Series the last of each line, for the others are its index."""
    lasts = {one.line: one for one in values}
    if 'dtype:' in text and len(lasts) > 1:
        return list(lasts.values())
    return [one for one in values if not one.free or one.inner] or values
