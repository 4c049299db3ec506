"""Lists of names: the share of the gold's entries that an answer has in their places."""

import re
from itertools import chain, pairwise, product

from cibench_eval.evaluators.comparing.printed.values import clean

MARKS = re.compile(r'\s*(?:[,;|、\t<>→]|-{1,3}>|=>|\s{2,}|(?<=\s)and(?=\s))(?:[,;|、<>→\s]|-{1,3}>|=>|and(?=\s))*')
"""What parts entries."""
AND = '以及', '和', '(?<!参)与', '及(?![格时])'
"""What parts the last entry from those before, each where it is in no name of the gold."""
LABEL = re.compile(r'[^:\'"\[{]{1,100}:\s*(?=\S)|[^:\'"\[{,]{1,100}(?:\s(?:is|are)\s|(?<!不)[是为]\s?)(?=\S)')
HEADING = re.compile(r'(?:#+ |\*\*).*|.{1,200}:\**')
NUMBER = re.compile(r'[(#]?([0-9]{1,3})(?:[.)、:]\s*|\s+)(?=\S)|[-*•] +')
"""The number of an entry, or its bullet."""
VALUE = re.compile(r'[-+$]?[0-9][0-9.]*(?:e[-+]?[0-9]+)?%?')
VALUED = re.compile(
    rf'(?<=\S)(?:\s*([:=])\s*|\s+(?:[-–]\s+)?)(?:{VALUE.pattern}|nan|None)(?(1)(?:\s?(?=\D)[\w°/]{{1,4}})?)$'
)
"""The value beside a name, after a sign perhaps with a unit."""
OPENED = re.compile(r'(?<=[^\s\[(,])\s*\((?=[-+$]?[0-9])')
WRAPPING = re.compile(
    r'[\[\](){}\'"“”‘’「」『』《》【】`*§]|\b(?:\w*Index|Series|array|list|tuple|set|deque|dict_\w+|np\.\w+)(?=[(\[])'
)
ALMOST = 0.75
"""Most that a list with a fault in it can score: less than what counts as correct."""


def in_place(gold: str, answer: str, question: str = '') -> float:
    """The share of the gold's entries that an answer has in their places; see `share`."""
    expected = entries(rows_of(gold), numbers=True)
    own = '|'.join(one for one in AND if not re.search(one, gold))
    answers = [rows_of(answer), rows_of(re.sub(own, '、', answer) if own else answer)]
    headless = [one for rows in answers for one in _headless(rows)]
    shorn = [[_shorn(row) for row in one] for one in headless]
    readings = product({tuple(one) for one in (*headless, *shorn)}, (True, False))
    return max(_share(expected, entries([*reading], numbers)) for reading, numbers in readings)


def _shorn(row: str) -> str:
    """A line without the labels of its parts: `first: a; others: b, c`."""
    return '; '.join(LABEL.sub('', part.strip(), count=1) for part in row.split(';'))


def rows_of(text: str) -> list[str]:
    return _unnumbered([row.strip() for row in clean(text).split('\n') if row.strip()])


def _unnumbered(rows: list[str]) -> list[str]:
    """Lines without their bullets, and without their numbers if these count all lines from 0 or 1."""
    heads = [NUMBER.match(row) for row in rows]
    counts = [int(head[1] or -1) for head in heads if head]
    counted = counts in ([-1] * len(rows), [*range(len(rows))], [*range(1, len(rows) + 1)])
    return [row[head.end() :] if head and counted else row for row, head in zip(rows, heads, strict=True)]


def _headless(rows: list[str]) -> list[list[str]]:
    """Lines with and without headings: those that say so, if the first does, and a first one above several entries."""
    heads = [at for at, row in enumerate(rows) if HEADING.fullmatch(row)]
    first = heads[:1] == [0] or (len(rows) > 1 and not MARKS.search(rows[0]) and bool(MARKS.search(rows[1])))
    found = [rows, *([_unnumbered(rows[1:])] if first and len(rows) > 1 else [])]
    if len(heads) > 1 and heads[0] == 0:
        parts = [rows[at + 1 : end] for at, end in pairwise([*heads, len(rows)])]
        found += [_unnumbered([*chain(*parts)]), [*chain(*map(_unnumbered, parts))]]
    return found


def entries(rows: list[str], numbers: bool) -> list[str]:
    """The entries of lines; a single line without marks is parted at blanks.

    Without `numbers`, those beside names are left out, and so are the lines between that have none.
    """
    blanks = len(rows) == 1 and not MARKS.search(rows[0])
    parted = [row.split() if blanks else [part.strip() for part in MARKS.split(row) if part.strip()] for row in rows]
    bare = [[WRAPPING.sub(' ', OPENED.sub(': ', part)).strip() for part in parts] for parts in parted]
    if not numbers and all(map(VALUED.search, (part for parts in bare for part in parts))):
        parted = [[VALUED.sub('', part) for part in parts] for parts in bare]
    lines = [[one for part in parts if (one := entry(part))] for parts in parted]
    if not numbers and any(VALUE.fullmatch(entry) for line in lines for entry in line):
        lines = [line for line in lines if any(map(VALUE.fullmatch, line))]
    return [entry for line in lines for entry in line if numbers or not VALUE.fullmatch(entry)]


def entry(part: str) -> str:
    return ' '.join(WRAPPING.sub(' ', part).casefold().rstrip('.。').split())


def _share(golds: list[str], found: list[str]) -> float:
    if golds and ' '.join(golds).replace('/', ' ').split() == ' '.join(found).replace('/', ' ').split():
        return 1.0
    same = sum(one == other for one, other in zip(golds, found, strict=False))
    return min(ALMOST, share(same, len(golds), len(found))) if golds else 0.0


def share(right: int, wanted: int, given: int) -> float:
    """The right entries less those given too many, as a share of those wanted: a list of all there is earns nothing."""
    return max(0, right - max(0, given - wanted)) / wanted if wanted else float(not given)
