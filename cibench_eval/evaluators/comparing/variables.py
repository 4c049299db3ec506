"""Declared answers: whether a variable holds what the gold's holds, by the kind that the step declares.

Values are compared, never forms: a tuple, an array, a Series and a list of the same values are the same list, and a
number is itself as an int, a float, a numpy scalar or its text. One checker a kind, found by name in CHECKERS.
"""

import hashlib
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from operator import itemgetter
from typing import get_args

from cibench_eval.evaluators.comparing.numbers import NOISE, SLACK, Margin
from cibench_eval.evaluators.comparing.open_form.units import with_iso_dates
from cibench_eval.evaluators.comparing.printed.lists import ALMOST, share
from cibench_eval.evaluators.comparing.spans import interval, under_days
from cibench_eval.evaluators.comparing.states import KEPT, StateQuestion, listed
from cibench_eval.evaluators.comparing.states import difference as state_difference
from cibench_eval.schema import Answer, AnswerKind, Forecast
from cibench_eval.states import Column, State, Token

WRAPPING = re.compile(r'[][()\'"]')
"""What stands around a list, or a name in it, as Python writes them."""
BETWEEN = re.compile(r'[\])]\s*,\s*[\[(]')
"""What stands between two lists, as Python writes them."""
DATE = re.compile(r'[0-9]{4}-[0-9]{2}-[0-9]{2}[t ][0-9]{2}:[0-9]{2}')
"""The beginning of a date with a time of day."""
DAY = re.compile(r'\b([0-9]{4})(?: ?年 ?|-)([0-9]{1,2})(?: ?月 ?|-)([0-9]{1,2})(?: ?[日号]|(?![0-9]))(?:t(?=[0-9]))?')
"""A date with or without zeros before its month and day."""
MIDNIGHT = re.compile(r'(?<=[0-9]) 00:00(?::00(?:\.0+)?)?[-+][0-9]{2}(?::?[0-9]{2})?$')
"""Midnight in any time zone, at the end of a date."""
MARKS = re.compile(r'(?<=\S)\s*(?:[~,;、|>→]|-{1,2}>)+\s*(?=\S)|/')
"""What may stand between the words of texts."""
LISTS: tuple[AnswerKind, ...] = ('list', 'array')
"""Kinds whose values are compared in their order, whatever lists they are in."""
PARTINGS = [re.compile(pattern) for pattern in (r'[;、\n]|,(?!\d)', r'[;、\s]|,(?!\d)', r'[;、\s,]')]
"""What may part the values of a list that is a text: blanks may be in names, and commas in numbers."""


@dataclass(frozen=True)
class Pair:
    """One variable: what the step declares of it, and what it holds in the gold and in an answer."""

    declared: Answer
    gold: State
    answer: State
    margin: Margin
    question: str = ''


Verdict = tuple[float, str]
"""The share that is right, and what is wrong with the rest."""
Reading = tuple[list[Token], list[int]]
"""The values that an answer may mean as a list, and how many of them are in each of its lists; none if it has none."""


def compared(pair: Pair) -> Verdict:
    """Compare a declared variable by the checker of its kind."""
    if pair.answer.kind == 'unknown' or not pair.answer.whole:
        return 0.0, f'it could not be read ({pair.answer.type or "damaged"})'
    check = CHECKERS[pair.declared.kind]
    by_days = replace(pair, gold=_by_days(pair.gold), answer=_by_days(pair.answer))
    return check(pair) if by_days == pair else max(check(pair), check(by_days), key=itemgetter(0))


def _by_days(state: State) -> State:
    """Points in time that are all midnights of their zone as its days; any other values as they are."""
    if not state.columns or not all(column.days for column in state.columns):
        return state
    columns = [column.model_copy(update={'values': column.days}) for column in state.columns]
    return state.model_copy(update={'columns': columns})


def _scalar(pair: Pair) -> Verdict:
    golds, answers = _values(pair.gold), _values(pair.answer)
    if golds is None or answers is None or len(answers) != 1 or len(golds) != 1:
        return 0.0, f'it is {pair.answer.type}, not one value'
    wrong = _apart(pair.declared, golds[0], answers[0], pair.margin)
    return float(not wrong), wrong


def _probability(pair: Pair) -> Verdict:
    """Right on the gold's side of a half, so that half is wrong whatever the gold has."""
    said = forecast(pair.gold, pair.answer)
    if said is None:
        return 0.0, 'it is no number from 0 to 1'
    right = said.probability > 0.5 if said.true else said.probability < 0.5
    return float(right), '' if right else f'{said.probability:g} for what is {"true" if said.true else "false"}'


def forecast(gold: State, answer: State) -> Forecast | None:
    """The probability that a variable holds, and what the gold's has as 0 or 1; None where it holds none."""
    values = [_values(state) for state in (gold, answer)]
    numbers = [_number(value[0]) if value and len(value) == 1 else None for value in values]
    was, said = numbers
    return None if was is None or said is None or not 0 <= said <= 1 else Forecast(probability=said, true=was > 0.5)


def _list(pair: Pair) -> Verdict:
    if pair.answer.kind == 'set' and pair.gold.kind != 'set':
        return 0.0, 'it is a set, which has no order'
    golds = _values(pair.gold)
    readings = _readings(pair, golds) if golds is not None else []
    if golds is None or not readings:
        return _state(pair)
    return max((_in_lists(pair, golds, reading) for reading in readings), key=itemgetter(0))


def _readings(pair: Pair, golds: list[Token]) -> list[Reading]:
    """What an answer may mean as a list, first what it holds; nothing where the description lacks some values.

    Fewer texts than the gold has values may hold several. Where the gold has numbers alone, rows may have labels; where
    it has names alone, numbers may stand beside names: beside each name, or beside each value of the gold that is
    several names.
    """
    state, readings = _by_rows(pair.answer), list[Reading]()
    answers = _values(state)
    sizes = _sizes(state) if answers is not None else []
    texts = [one for one in answers or () if isinstance(one, str)]
    if texts and len(texts) < len(golds) and texts == answers and pair.declared.kind == 'list':
        texts = texts if _is_whole(state, texts) else [f'{one}…' for one in texts]
        answers, text = [*texts], BETWEEN.sub('\n', unicodedata.normalize('NFKC', '\n'.join(texts)))
        if any(kind.kind == 'date' for kind in _kinds(pair.declared, len(golds))):
            text = with_iso_dates(text)  # a comma may be in a date
        lines, unequal = WRAPPING.sub(' ', text).split('\n'), len({*_sizes(pair.gold)}) > 1
        for parting in PARTINGS:
            parted = [[part.strip() for part in parting.split(line) if part.strip()] for line in lines]
            each = [len(line) for line in parted if line] if unequal else []  # lines may be broken anywhere
            readings.append(([part for line in parted for part in line], each))
    if answers is not None:
        readings.insert(0, (answers, sizes))
    rows = _rows(pair.answer) or []
    if rows and _are_labels([name for name, _ in rows]) and all(map(_is_number, golds)):
        readings.append(([value for _, values in rows for value in values], [len(values) for _, values in rows]))
    if pair.declared.kind == 'list' and _are_names(pair, golds) and not any(map(_is_number, golds)):
        names, beside = [one for one in answers or () if not _is_number(one)], list(filter(_is_number, answers or ()))
        left = iter(answers or ())
        named = [sum(not _is_number(one) for one in islice(left, size)) for size in sizes]
        if not names:
            parts = [*pair.answer.items.values()] if pair.answer.kind == 'items' else [pair.answer]
            tables = [_rows(_with_one_label(part)) or [] for part in parts]
            rows = [row for table in tables for row in table]
            names, beside = [name for name, _ in rows], [value for _, values in rows for value in values]
            named = [*map(len, tables)] if len(tables) > 1 else []
            readings += [([one for name, values in rows for one in (name, *values)], [])] if rows else []
        if any(one is not None for one in beside) and all(map(_is_number, beside)):
            if names and (len(beside) % len(names) == 0 or _is_beside_lists(sizes, named, _sizes(pair.gold))):
                readings.append((names, named))
            if _is_beside_golds(answers or [], golds, len(beside)):
                readings.append((golds, []))
    return readings


def _are_labels(names: list[Token]) -> bool:
    """Whether the first values of rows are labels, as keys of a dictionary: different texts, or the numbers of rows."""
    texts = {one for one in names if isinstance(one, str) and not _is_number(one)}
    return len(texts) == len(names) or names in ([*range(len(names))], [*range(1, len(names) + 1)])


def _is_beside_lists(sizes: list[int], named: list[int], wanted: list[int]) -> bool:
    """Whether an answer's lists have as many names as the gold's lists, and as many numbers as each other."""
    return named == wanted and len({size - names for size, names in zip(sizes, named, strict=False)}) == 1


def _is_beside_golds(answers: list[Token], golds: list[Token], beside: int) -> bool:
    """Whether the words between numbers are one of the gold's values each; a single one of several has one number."""
    groups = [_words([*those]) for number, those in groupby(answers, _is_number) if not number]
    fits = beside == 1 if len(golds) == 1 else bool(golds) and beside % len(golds) == 0
    return fits and groups == [_words([one]) for one in golds]


def _by_rows(state: State) -> State:
    """A DataFrame as the array of its rows, where the description has these."""
    if state.kind != 'table':
        return state
    cells, columns = state.flat, [column.values for column in state.columns]
    if not cells and len(columns) > 1 and {*map(len, columns)} == {state.shape[0]}:
        values = [value for row in zip(*columns, strict=True) for value in row]
        cells = Column(dtype='mixed').model_copy(update={'values': values})
    return state.model_copy(update={'kind': 'array', 'columns': [cells]}) if cells else state


def _with_one_label(state: State) -> State:
    """A table with several labels for each row as one with a single label."""
    if state.kind != 'table' or len(state.index) < 2:
        return state
    labels = zip(*(column.values for column in state.index), strict=False)
    joined = Column(dtype='text').model_copy(update={'values': [', '.join(map(_text, one)) for one in labels]})
    return state.model_copy(update={'index': [joined]})


def _in_lists(pair: Pair, golds: list[Token], reading: Reading) -> Verdict:
    """Compare values, which have to be in lists of the same lengths where the gold's lists, or its own, are unequal."""
    (answers, sizes), wanted = reading, _sizes(pair.gold)
    right, why = _in_order(pair, golds, answers)
    unequal = len({*wanted}) > 1 or (wanted and len({*sizes}) > 1)
    if sizes == wanted or not unequal:
        return right, why
    found = f'its lists have {listed(sizes)} values, not {listed(wanted)}' if sizes else 'it has no lists'
    return min(ALMOST, right), why or found


def _sizes(state: State) -> list[int]:
    """How many values are in each element of a variable whose values are all known; none unless all are lists."""
    if state.kind in ('items', 'mapping'):
        parts = state.items.values()
        return [] if any(part.kind == 'scalar' for part in parts) else [len(_values(part) or ()) for part in parts]
    if state.kind != 'array' or state.lengths or len(state.shape) < 2 or not math.prod(state.shape):
        return state.lengths
    return [math.prod(state.shape[1:])] * state.shape[0]


def _are_names(pair: Pair, golds: list[Token]) -> bool:
    return all(kind.kind == 'text' for kind in _kinds(pair.declared, len(golds)))


def _in_order(pair: Pair, golds: list[Token], answers: list[Token]) -> Verdict:
    if _are_names(pair, golds) and _words(golds) == _words(answers):  # 'Morris 1932' may be a pair
        return 1.0, ''
    triples = zip(_kinds(pair.declared, len(golds)), golds, answers, strict=False)
    wrong = {
        place: f'value {place} is {answer!r}, {why}'
        for place, (kind, gold, answer) in enumerate(triples, 1)
        if (why := _apart(kind, gold, answer, pair.margin))
    }
    right = share(min(len(golds), len(answers)) - len(wrong), len(golds), len(answers))
    if len(golds) != len(answers):
        return right, f'it has {len(answers)} values, not {len(golds)}'
    return right, next(iter(wrong.values()), '')


def _set(pair: Pair) -> Verdict:
    golds, answers = _values(pair.gold), _values(pair.answer)
    if golds is None or answers is None:
        return _state(pair)
    (kind, *_), of_lists = _kinds(pair.declared, 1), len({*_sizes(pair.gold)}) > 1
    wanted, others = (
        _in_parts(values, _sizes(state) if of_lists else [])
        for values, state in ((golds, pair.gold), (answers, pair.answer))
    )
    left = [*others]
    for gold in wanted:
        for at, one in enumerate(left):
            both = zip(gold, one, strict=False)
            if len(gold) == len(one) and not any(_apart(kind, *two, pair.margin) for two in both):
                del left[at]
                break
    right = share(len(others) - len(left), len(wanted), len(others))
    missing = len(wanted) - (len(others) - len(left))
    wrong = [f'{len(left)} of its {len(others)} values have no counterpart in the gold'] if left else []
    wrong += [f"{missing} of the gold's {len(wanted)} values are missing"] if missing else []
    return right, '; '.join(wrong)


def _in_parts(values: list[Token], sizes: list[int]) -> list[list[Token]]:
    """Values by the lists that they are in, or each alone."""
    left = iter(values)
    return [[*islice(left, size)] for size in sizes or [1] * len(values)]


def _table(pair: Pair) -> Verdict:
    """By the names of rows; two frames or Series, one with several labels for each row, also as State compares them."""
    both = pair.gold, pair.answer
    also = all(one.kind == 'table' for one in both) and any(len(one.index) > 1 for one in both)
    return max(_by_names(pair), _state(pair), key=itemgetter(0)) if also else _by_names(pair)


def _by_names(pair: Pair) -> Verdict:
    states = pair.gold, pair.answer
    if not all(one.labels for one in states):  # of two frames, they may be the numbers of rows
        states = _by_labels(pair.gold), _by_labels(pair.answer)
    own, others = _rows(states[0]), _rows(states[1], [column.name for column in pair.gold.columns])
    if own is None or others is None or not pair.declared.of:
        return _state(pair)
    of_name = _text if len({_text(name) for name, _ in own}) == len(own) else str  # a gold may have both 'a' and 'A'
    golds, answers = ({of_name(name): values for name, values in rows} for rows in (own, others))
    if len(golds) != len(own):  # names say nothing then
        return _state(pair)
    golds, answers = under_days(golds, answers), under_days(answers, golds)
    if twice := [name for name, times in Counter(of_name(name) for name, _ in others).items() if times > 1]:
        return 0.0, f'it has {twice[0]!r} more than once'
    if more := [name for name in answers if name not in golds]:
        return 0.0, f'it has {more[0]!r} too many'
    for name, values in golds.items():
        if name not in answers:
            return 0.0, f'it has no {name!r}'
        if len(answers[name]) != len(values):
            return 0.0, f'{name!r} has {len(answers[name])} values, not {len(values)}'
        for kind, gold, answer in zip(_kinds(pair.declared, len(values)), values, answers[name], strict=True):
            if wrong := _apart(kind, gold, answer, pair.margin):
                return 0.0, f'{name!r}: {wrong}'
    return 1.0, ''


def _by_labels(state: State) -> State:
    """A frame of one column with the whole numbers at its rows as its index."""
    return state.model_copy(update={'index': [state.labels]}) if state.labels and len(state.columns) == 1 else state


def _state(pair: Pair) -> Verdict:
    """Compare what the kernel described, where that is not all values."""
    question = '' if pair.declared.kind == 'table' else pair.question  # which may ask for an order
    wrong = state_difference(
        '', pair.gold, pair.answer, StateQuestion(question, '', _margin(pair.declared, pair.margin))
    )
    return float(not wrong), wrong


CHECKERS: dict[AnswerKind, Callable[[Pair], Verdict]] = {
    **dict.fromkeys(('count', 'real', 'date', 'text'), _scalar),
    **dict.fromkeys(LISTS, _list),
    'probability': _probability,
    'set': _set,
    'table': _table,
    'model': _state,
}
if CHECKERS.keys() != {*get_args(AnswerKind)}:
    raise TypeError('CHECKERS lacks a kind of answer')


def _kinds(declared: Answer, count: int) -> Sequence[Answer]:
    """What is declared of each of so many values: the kinds in an only list are for all that the others leave."""
    parts, lists = [_flat(part) for part in declared.of], [part.kind in LISTS for part in declared.of]
    if lists.count(True) == 1:
        at = lists.index(True)
        times, rest = divmod(count - sum(map(len, parts)) + len(parts[at]), len(parts[at]))
        parts[at] *= times if not rest else 1
    flat = [kind for part in parts for kind in part]
    return flat if len(flat) == count and flat else (flat[:1] or [Answer(kind='real')]) * count


def _flat(declared: Answer) -> list[Answer]:
    """The kinds of the values in a part of a declaration, in lists of whatever depth."""
    if declared.kind not in LISTS:
        return [declared]
    return [kind for part in declared.of for kind in _flat(part)] or [Answer(kind='real')]


def _values(state: State) -> list[Token] | None:
    """All values of a variable in their order, whatever holds them; None where the description lacks some.

    There are as many as its shape says, or the lengths of its lists, so that no forged shape is taken at its word.
    """
    if state.kind in ('items', 'mapping'):
        parts = [_values(part) for part in state.items.values()]
        whole = state.shape[:1] == [len(parts)] and None not in parts
        return [value for part in parts for value in part or ()] if whole else None
    if state.kind not in ('scalar', 'array', 'set', 'table') or len(state.columns) != 1:
        return None
    values = state.columns[0].values
    in_lists = sum(state.lengths) if state.shape[:1] == [len(state.lengths)] else 0
    return values if len(values) == (math.prod(state.shape) or in_lists) else None


def _words(values: list[Token]) -> list[str]:
    """The words of texts in their order, however they are parted."""
    return [word for value in values for word in MARKS.sub(' ', _text(value)).split()]


def _is_whole(state: State, texts: list[str]) -> bool:
    """Whether a description has all characters of texts: those of long ones are cut, but the hash is of all."""
    data = ''.join(f'{text}\0' for text in texts).encode('utf-8', 'surrogatepass')
    hashed = [column.digest for column in state.columns] == [hashlib.sha256(data).hexdigest()[:16]]
    return hashed or all(len(text) < KEPT for text in texts)


def _rows(state: State, order: Sequence[str] = ()) -> list[tuple[Token, list[Token]]] | None:
    """The names of a dictionary, Series, frame or pairs, each with its values; None where some are not known.

    A frame's values are in the `order` of names of columns, if it has the very same ones.
    """
    if state.kind in ('mapping', 'items'):
        parts = {name: _values(part) for name, part in state.items.items()}
        if state.shape[:1] != [len(parts)] or None in parts.values():
            return None
        if state.kind == 'items':  # pairs with lists
            are_pairs = all(part.kind != 'mapping' for part in state.items.values())
            return [(values[0], values[1:]) for values in parts.values() if values] if are_pairs else None
        return [(name, values or []) for name, values in parts.items()]
    state = _with_one_label(state.labelled or state)
    described = state.columns
    if sorted(order) == sorted(column.name for column in described) and len({*order}) == len(order):
        described = sorted(described, key=lambda column: order.index(column.name))
    if state.kind == 'table' and len(state.index) == 1 and state.columns:
        names, columns = state.index[0].values, [column.values for column in described]
    elif state.kind == 'table' and len(state.columns) > 1:  # names in the first column
        names, *columns = (column.values for column in described)
    elif state.kind == 'array' and len(state.shape) == 2 and state.shape[1] > 1 and (values := _values(state)):
        names, *columns = (values[at :: state.shape[1]] for at in range(state.shape[1]))
    else:
        return None
    if {len(names), *map(len, columns)} != {*state.shape[:1]}:
        return None
    return [(name, list(values)) for name, *values in zip(names, *columns, strict=True)]


def _apart(declared: Answer, gold: Token, answer: Token, margin: Margin) -> str:
    """Say how a value differs from the gold's; empty where it is right."""
    if gold is None or answer is None:
        return '' if gold is answer else f'not {gold!r}'
    if isinstance(gold, str) and isinstance(answer, str) and KEPT in (len(gold), len(answer)):
        gold, answer = gold[:KEPT], answer[:KEPT]
    if isinstance(gold, bool) or isinstance(answer, bool):
        return '' if _text(gold) == _text(answer) else f'not {gold!r}'
    one, other = _number(gold), _number(answer)
    if one is None or other is None or declared.kind not in ('count', 'real'):
        of_value = _date if declared.kind == 'date' else _text
        same = gold == answer or of_value(gold) == of_value(answer)
    else:
        exact = declared.kind == 'count' and declared.relative is None and declared.absolute is None
        same = one == other or (not exact and _near(declared, one, other, margin))
    return '' if same else f'not {gold!r}'


def _near(declared: Answer, gold: float, answer: float, margin: Margin) -> bool:
    """Whether two numbers agree within the tolerance, or in the decimals that are asked for."""
    if declared.decimals is not None and abs(gold - answer) <= 0.5 * 10.0**-declared.decimals * SLACK:
        return True
    noise = NOISE if gold == 0 else 0.0  # a probability of 1e-15 is a value of its own
    return replace(_margin(declared, margin), noise=noise).allows(gold, answer)


def _margin(declared: Answer, margin: Margin) -> Margin:
    if declared.absolute is not None or declared.relative is not None:
        return replace(margin, relative=declared.relative or 0.0, absolute=declared.absolute or 0.0, own=True)
    return margin


def _number(value: Token) -> float | None:
    if isinstance(value, str):
        try:
            value = float(value.replace(',', '')) if len(value) < 40 else None
        except ValueError:
            return None
    return float(value) if value is not None and math.isfinite(value) else None


def _is_number(value: Token) -> bool:
    """Whether a value is a number, or the lack of one."""
    return value is None or (not isinstance(value, bool) and _number(value) is not None)


def _text(value: Token) -> str:
    """A value as its text is compared: without case, spare blanks, and decimals of 0.

    Of a date with a time of day, `+00:00` or `+00`, seconds that are 0 and a time that is midnight are left out, too.
    """
    text = ' '.join(unicodedata.normalize('NFKC', str(value)).split()).casefold().strip('\'"`')
    text = re.sub(r'^(-?\d+)\.0$', r'\1', re.sub('^§ ?(?=.)', '', text))
    if DATE.match(text):
        text = re.sub(r'(?<=[0-9])(?:z|\+00(?::?00)?)$', '', text.replace('t', ' ', 1))
        text = re.sub(r'([0-9]{2}:[0-9]{2}):00(?:\.0+)?$', r'\1', text).removesuffix(' 00:00')
    return interval(text)


def _date(value: Token) -> str:
    """A date as its text is compared, whatever form it has."""
    text = DAY.sub(lambda found: '{}-{:02}-{:02} '.format(*map(int, found.groups())), _text(value))
    text = re.sub(r'^([0-9]{4})([0-9]{2})([0-9]{2})$', r'\1-\2-\3', text)
    return _text(with_iso_dates(MIDNIGHT.sub('', _text(text))))


FITS: dict[AnswerKind, Callable[[Token], bool]] = {
    'count': lambda value: _is_number(value) and (_number(value) or 0.0).is_integer(),
    'real': lambda value: _is_number(value) or value in ('inf', '-inf'),
    **dict.fromkeys(('date', 'text'), lambda value: value is None or isinstance(value, str)),
}
"""Whether a value of a gold may be of a kind."""


def unfit(declared: Answer, gold: State | None) -> str:
    """Why a gold's variable is not what its step declares; empty where its description does not tell."""
    if gold is None or not gold.settled:
        return 'there is none' if gold is None else 'two runs of the gold differ in it'
    values = (None if declared.kind in ('table', 'set') else _values(gold)) or []  # whose kinds are of a row each
    kinds = _kinds(declared, len(values)) if declared.of else [declared] * len(values)
    pairs = ((FITS.get(kind.kind), kind.kind, one) for kind, one in zip(kinds, values, strict=False))
    return next((f'{one!r:.60} is no {kind}' for fits, kind, one in pairs if fits and not fits(one)), '')
