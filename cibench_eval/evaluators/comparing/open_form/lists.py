"""Lists of names: which entries of the gold output an answer has in their places.

Entries are parted by lines, commas, semicolons, bars, arrows, `>` and `<`, and by blanks where there is nothing else.
Brackets, quotes, numbers of lines, case and a label in front do not count.
"""

from __future__ import annotations

import re

from cibench_eval.evaluators.comparing.numbers import Margin, Value, clean, equal, lex
from cibench_eval.evaluators.comparing.open_form.grids import LONGEST, grids, literal
from cibench_eval.evaluators.comparing.open_form.readings import SERIES_END, said
from cibench_eval.evaluators.comparing.open_form.text import ALMOST, AROUND, INDEX_NAME

MARKS = re.compile(r'(?:[,;|、，；\t<>→]|->|(?<=\s)/(?=\s))+')
AND = re.compile(r'(?<=\s)and(?=\s)')
CJK_AND = re.compile('[和与及]')
COLUMN = re.compile(r'\s*(?:->|→|[=-]>|:(?=\s))\s*')
"""Marks between two columns of names."""
NUMBER = re.compile(r'(?:^\(?[0-9]{1,3}:|(?:^|(?<=\s))\(?[0-9]{1,3}[.)、])(?=\s*[^\s0-9,;，、\])])')
"""The number before an entry of a list."""
COUNTED = re.compile(
    r'\s*(?:第|no\. ?|rank |[(#])?([0-9]{1,3}|[一二三四五六七八九十](?=名))(?:[名位]|st|nd|rd|th)?[.)、:]?\s+(?=\S)',
    re.I,
)
"""The number before a line, where all lines have one: `1 Ann`, `第1名 王芳`, `No. 1: Ann`."""
LED = re.compile(r'^[^:\'"\[{,，、]{1,100}(?:\s(?:is|are|was|were)\s|[是为])\s*(?=\S)')
"""A sentence up to its list."""
BEHIND = re.compile(r'\s*(?:->|→|[:：(]|\s[-–—]\s|\s)\s*[$¥€£]?-?[0-9][0-9.,]*+(?:%|\s?[^\W\d]{1,20})?\)?\s*$')
"""A number behind a name, with its unit."""
LABEL = re.compile(r'^[^:\'"\[{]{1,100}:\s*(?=\S)')
WRAPPING = '[](){}\'"“”‘’《》〈〉「」『』【】`. 。\t'
INDEX = re.compile(r'\b(?:(?:[A-Z][a-z]+|Int64)?Index|Series|array|list|tuple|set|dict_keys|deque)\((?=\[)')
PAIR = re.compile(r'(?:[^\s/]{1,50}/[A-Z$]{2,5}\b[,\s]{1,5}){2}|\(\'[^()\n]{1,200}, [^()\n]{1,200}\), \(')
HEADING = re.compile(r'#{1,6}\s.*|\*\*[^*]{1,100}\*\*:?')
"""A heading in Markdown."""
LONGEST_PAIRS = 20
"""Largest ratio of an answer's length to the gold's for lists of pairs."""
LONGEST_HEADING = 12
"""Most words before a list of pairs."""
LONGEST_LINE = 500
"""Most characters of a line that has a name and something beside it."""
SENTENCE = 4
"""Fewest words of a sentence: a shorter line below the first name is an entry."""
ASIDE = 30
"""Most words of lines beside a list that are ignored."""

Key = tuple[str, ...]
"""An entry in the form that is compared."""


def in_place(gold: str, answer: str, question: str = '') -> float:
    """The share of entries that are right and in their places, at most ALMOST unless all are.

    The share is taken of the longer list. Lines around the list that name none of its entries cost little.
    """
    golds = _lines(gold)
    blanks = not any(MARKS.search(line) for line in golds)
    expected = _entries(golds, blanks and len(golds) == 1)
    lines = _lines(answer)
    mine = _without_asides(lines, expected)
    if sum(len(line.split()) for line in lines if line not in mine) > ASIDE:
        mine = lines
    single = len(golds) == 1 or all(len(key) == 1 for key in expected)
    spaced = single and len(mine) == 1 and not MARKS.search(mine[0])
    ways = [_entries(mine, spaced=way) for way in {False, spaced}]
    led = [LED.sub('', line) for line in mine]
    ways += [_entries(led, spaced=False), _entries([CJK_AND.sub('、', line) for line in led], spaced=False)]
    if not any(key[-1][0].isdigit() for key in expected):
        ways += _names(answer, mine)
    known = {str(token) for kind, token in lex(clean(question)) if kind == 'word'}
    share = max(_share(expected, found, known) for found in ways)
    if share < 1 and _same_pairs(gold, answer):
        return 1.0
    if share < 1:
        return min(share, ALMOST)
    return 1 - AROUND / 2 if len(mine) < len(lines) else 1.0


def _names(answer: str, lines: list[str]) -> list[list[Key]]:
    """The names of an answer that has something beside each name: columns of a table, or beginnings of lines."""
    found = [
        [_key(' '.join(map(str, cell))) for cell in grid.column(place)]
        for grid in grids(answer)
        for place in grid.texts
    ]
    found += _before_numbers(answer)
    lines = MARKS.split(lines[0]) if len(lines) == 1 and len(lines[0]) < LONGEST_LINE else lines
    names = [BEHIND.sub('', line) if len(line) < LONGEST_LINE else line for line in lines]
    if len(lines) > 1 and all(name != line for name, line in zip(names, lines, strict=True)):
        found.append([_key(name) for name in names])
    pairs = [COLUMN.split(line) if len(line) < LONGEST_LINE else [line] for line in lines]
    if len(lines) > 1 and all(len(pair) == 2 for pair in pairs):
        found += [[_key(name) for name in names] for names in zip(*pairs, strict=True)]
    return found


def _before_numbers(answer: str) -> list[list[Key]]:
    """The names of `[('a', 3), ('b', 2)]` or `{'a': 3, 'b': 2}`."""
    data = literal(clean(answer).strip()) if len(answer) <= LONGEST else None
    pairs = [*data.items()] if isinstance(data, dict) else data if isinstance(data, list) else []
    named = [pair for pair in pairs if isinstance(pair, tuple) and [*map(type, pair)] in ([str, int], [str, float])]
    return [[_key(name) for name, _ in named]] if named and len(named) == len(pairs) else []


def _same_pairs(gold: str, answer: str) -> bool:
    """Whether a list of pairs (tuples, or names with a number each) has the same pairs in any layout."""
    if len(answer) > LONGEST_PAIRS * (len(gold) + 100):
        return False
    golds, answers = _tokens(gold), _tokens(answer)
    numbered = _named_numbers(golds)
    if not golds or not (PAIR.search(clean(gold)) or numbered):
        return False
    if numbered:
        answers = _without_units(answers, golds)
    heading, shown = answers[: -len(golds)], answers[-len(golds) :]
    if len(heading) > LONGEST_HEADING or any(isinstance(token, Value) or token in golds for token in heading):
        return False
    return len(golds) == len(shown) and all(
        one == other or (isinstance(one, Value) and isinstance(other, Value) and equal(one, other, Margin()))
        for one, other in zip(golds, shown, strict=True)
    )


def _without_units(tokens: list[Value | str], golds: list[Value | str]) -> list[Value | str]:
    """Drop words behind numbers that the gold lacks: `84 pts`."""
    pairs = zip([None, *tokens], tokens, strict=False)
    return [
        token for before, token in pairs if token in golds or not (isinstance(before, Value) and isinstance(token, str))
    ]


def _tokens(text: str) -> list[Value | str]:
    """The words and values of a list without its layout; for a table without the names of its columns."""
    text = said(text)
    if (found := grids(text)) and len(found[0].texts) < len(found[0].columns):
        return [token for row in found[0].without_ranks().rows for cell in row for token in cell]
    return [token for kind, token in lex('\n'.join(_lines(text))) if kind in ('word', 'value')]


def _named_numbers(tokens: list[Value | str]) -> bool:
    """Whether there are at least two numbers, each with a name before it."""
    numbers = [place for place, token in enumerate(tokens) if isinstance(token, Value)]
    starts = [0, *(place + 1 for place in numbers)]
    return len(numbers) > 1 and starts[-1] == len(tokens) and all(a < b for a, b in zip(starts, numbers, strict=False))


def _share(golds: list[Key], answers: list[Key], known: set[str]) -> float:
    right = sum(_same_name(one, other, known) for one, other in zip(golds, answers, strict=False))
    return right / max(len(golds), len(answers), 1)


def _same_name(gold: Key, answer: Key, known: set[str]) -> bool:
    """Whether an entry is the gold's, or either has further words that the question has, too: `广东省`."""
    shorter, longer = sorted((gold, answer), key=len)
    return longer[: len(shorter)] == shorter and known.issuperset(longer[len(shorter) :])


def _lines(text: str) -> list[str]:
    shown = INDEX.sub('', clean(said(text)))
    if SERIES_END.search(shown):
        shown = INDEX_NAME.sub('', SERIES_END.sub('', shown))
    lines = _uncounted([line for line in shown.split('\n') if line.strip(WRAPPING)])
    lines = [NUMBER.sub('\n', line).strip() for line in lines]
    pieces = [piece for line in lines for piece in line.split('\n') if piece.strip(WRAPPING)]
    if [bool(HEADING.fullmatch(piece)) for piece in pieces[:2]] == [True, False]:
        pieces = pieces[1:]
    return [piece for piece in pieces if not piece.endswith(':')]


def _uncounted(lines: list[str]) -> list[str]:
    """Drop the numbers of lines that count from 0 or 1; lines above the first number may lack one."""
    start = next((place for place, line in enumerate(lines) if COUNTED.match(line)), 0)
    numbers = [_number(found[1]) if (found := COUNTED.match(line)) else -1 for line in lines[start:]]
    if len(numbers) < 2 or numbers not in ([*range(first, first + len(numbers))] for first in (0, 1)):
        return lines
    return lines[:start] + [COUNTED.sub('', line, count=1) for line in lines[start:]]


def _number(text: str) -> int:
    return int(text) if text.isdigit() else '〇一二三四五六七八九十'.index(text)


def _entries(lines: list[str], spaced: bool) -> list[Key]:
    found = [piece for line in lines for piece in _pieces(LABEL.sub('', line), spaced)]
    return [_key(piece) for piece in _uncounted([piece for piece in found if piece.strip(WRAPPING)])]


def _pieces(line: str, spaced: bool) -> list[str]:
    if MARKS.search(line):
        return MARKS.split(AND.sub(',', line))
    return line.split() if spaced or line.startswith('[') else [line]


def _key(piece: str) -> Key:
    piece = piece.strip(WRAPPING).casefold()
    return tuple(str(token) for kind, token in lex(piece) if kind in ('word', 'value')) or (piece,)


def _without_asides(lines: list[str], golds: list[Key]) -> list[str]:
    """Drop lines that are no part of the list; below the first entry only sentences are dropped."""
    asides = [_is_aside(line, golds) for line in lines]
    first = asides.index(False) if False in asides else len(lines)
    below = (
        place > first and (BEHIND.search(line) or len(line.split()) < SENTENCE) for place, line in enumerate(lines)
    )
    return [line for line, aside, listed in zip(lines, asides, below, strict=True) if listed or not aside]


def _is_aside(line: str, golds: list[Key]) -> bool:
    """Whether a line is no part of the list: a sentence or heading that names no entry."""
    if MARKS.search(LABEL.sub('', line)):
        return False
    words = f' {" ".join(_key(line))} '
    return len(golds) > 1 and len(words.split()) > 1 and not any(f' {" ".join(key)} ' in words for key in golds)
