"""Lists of names, and tables with names: whether an answer shows the gold's, in whatever layout."""

import re
from collections import Counter, defaultdict

from cibench_eval.evaluators.comparing.numbers import Margin
from cibench_eval.evaluators.comparing.open_form.reading import read
from cibench_eval.evaluators.comparing.open_form.values import difference
from cibench_eval.evaluators.comparing.printed.compare import LONGER, LONGEST
from cibench_eval.evaluators.comparing.printed.lists import ALMOST, entries, rows_of, share
from cibench_eval.evaluators.comparing.printed.lists import in_place as in_fixed_place
from cibench_eval.evaluators.comparing.printed.values import THOUSANDS, clean
from cibench_eval.evaluators.comparing.questions import asks_no_order

WORDS = re.compile(r'[^\W_]+')
GROUPED = re.compile(r'(?<![0-9.,])[0-9]{1,3}(?:,[0-9]{3})+(?![0-9,])')
"""A number with commas between its thousands."""
TYPE = re.compile(
    r'(?:u?int|float|bool|object|str|string|category|datetime|dtype|nan|none|true|false|array|list|index|series|'
    r'dataframe|pandas|name|length|count|np)[0-9]*',
    re.I,
)
SET = re.compile(r'\b(?:which|distinct|unique|columns?|each|every|distribut\w*)\b|哪些|各|每|不同|分别|列名', re.I)
"""A question that asks for a set, unless it asks for an order, too."""
MOST_BESIDE = 0.25
"""Names besides, as a share of the gold's, that an answer may have; one in any case."""
MOST_GIVEN = 5
"""Entries for each of the gold's, and one more, that an answer may have: no answer is a dump of the data."""
MOST = 500
"""Most entries that are looked for."""


def in_place(gold: str, answer: str, question: str = '') -> float:
    """1 where an answer has the gold's entries, in their order where one is asked for, and hardly any others.

    Else the share of them that it has, less one for each entry too many (see `share`), at most ALMOST.
    """
    if len(answer) > LONGEST + LONGER * len(gold):
        return 0.0
    answer = GROUPED.sub(lambda found: found[0].replace(',', ''), answer)
    if in_fixed_place(gold, answer, question) == 1:
        return 1.0
    names, text = _entries(gold), f' {_plain(clean(answer))} '
    if not names or len(names) > MOST:
        return 0.0
    if _is_table(gold, names) and not _holds(gold, names, answer) and difference(gold, answer, Margin(), question):
        return 0.0
    places = _places(names, text)
    free = SET.search(question) and asks_no_order(question) and len({*names}) == len(names)
    ordered = places == sorted(place for place in places if place is not None)
    right = len(names) - places.count(None)
    given = _given(answer, right)
    whole = right == len(names) and (free or ordered) and given <= MOST_GIVEN * (right + 1)
    if whole and not _besides(names, gold, answer, question):
        return 1.0
    return min(ALMOST, share(right, len(names), given))


def _plain(text: str) -> str:
    return ' '.join(WORDS.findall(text.casefold()))


def _entries(text: str) -> list[str]:
    return [plain for entry in entries(rows_of(text), numbers=False) if (plain := _plain(entry))]


def _given(answer: str, right: int) -> int:
    """How many entries an answer has. Numbers count where the lines that have some do not hold the `right` names."""
    given = [entry for entry in _entries(answer) if not all(map(TYPE.fullmatch, entry.split()))]
    return len(given) if len(given) >= right else len(entries(rows_of(answer), numbers=True))


def _is_table(gold: str, names: list[str]) -> bool:
    """Whether numbers belong to the gold's names."""
    return 'dtype:' in gold or len(read(clean(gold), THOUSANDS)) >= len(names)


def _holds(gold: str, names: list[str], answer: str) -> bool:
    """Whether an answer has the gold's names in their order, each with the number that stands beside it."""
    whole, text = entries(rows_of(gold), numbers=True), _tokens(clean(answer))
    for entry in whole:
        _, found, after = text.partition(_tokens(entry))
        if not found:
            return False
        text = f' {after}'
    return len(whole) == len(names) and [*map(_plain, whole)] != names


def _tokens(text: str) -> str:
    """Words and values, these with their signs, decimals and `%`, between blanks."""
    tokens = [token.group().rstrip('.') for token in THOUSANDS.finditer(text) if token.lastgroup != 'mark']
    return f' {" ".join(one.replace(" ", "") for one in tokens)} '.casefold()


def _places(names: list[str], text: str) -> list[int | None]:
    """Where a text has names, as whole words not denied, each as often as it is asked for; None where it has not."""
    found = dict[str, list[int]]()
    for name in {*names}:
        own = re.escape(name)
        pattern = rf'(?<= )(?<! not )(?<! non ){own}(?= )' if name.isascii() else f'(?<![不非])(?<!不是){own}'
        found[name] = [match.start() for match in re.finditer(pattern, text)]
    times, places = defaultdict[str, int](int), list[int | None]()
    for name in names:
        there = found[name]
        places.append(there[times[name]] if times[name] < len(there) else None)
        times[name] += 1
    return places


def _besides(names: list[str], gold: str, answer: str, question: str) -> bool:
    """Whether an answer has further names: entries that stand once, are no types and have words of their own."""
    known = {*_plain(question).split(), *_plain(gold).split()}
    own = _entries(answer)
    times = Counter(own)
    further = [
        entry
        for entry in own
        if times[entry] == 1
        and not TYPE.fullmatch(entry)
        and re.search('[^0-9 ]', entry)
        and not {*entry.split()} <= known
        and not any(f' {name} ' in f' {entry} ' if name.isascii() else name in entry for name in names)
    ]
    last = bool(further) and own[-1] == further[-1] and all(len(entry.split()) < 3 for entry in further)
    return last or len(further) > max(1, MOST_BESIDE * len(names))
