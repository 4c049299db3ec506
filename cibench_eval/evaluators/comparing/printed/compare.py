"""Whether a printed answer says the gold's values: in their order, under their labels, and no others."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from cibench_eval.evaluators.comparing.numbers import CJK_SIGN, SLACK, Margin
from cibench_eval.evaluators.comparing.open_form.words import translated
from cibench_eval.evaluators.comparing.printed.prose import same_words
from cibench_eval.evaluators.comparing.printed.values import INDEX, PLAIN, THOUSANDS, PrintedValue, clean, values

DECIMALS = re.compile(r'([0-9]{1,2})\s?(?:decimal|digits? after|位小数)')
"""How many decimal places a question asks for."""
PERCENT = re.compile(r'percent(?!ile)|%|百分(?!位)', re.I)
GROUP = re.compile('[0-9],[0-9]{3}')
MOST_FREE = 100
"""Most numbers of an answer that may be none of its values, with those of the question."""
LONGER = 20
"""How many times longer than the gold an answer is still read, beyond LONGEST characters."""
LONGEST = 50_000
ASKED = re.compile('print|打印|输出', re.I)
"""Where a question begins to say what to print."""
NAMED = re.compile(r'`[^`\n]{1,100}: [^`\n]{1,100}`')
"""`name: value`, where a question asks for names."""
SHORT = 3
"""Below so many letters a word is no beginning of another."""
SHORT_WORDS = 6
"""Most initials that are looked for."""
LONG = {'std': 'sd'}
"""Abbreviations and the initials of what they stand for."""


@dataclass(frozen=True)
class Exactness:
    """What has to be known of a step to compare two values."""

    margin: Margin
    places: tuple[int, ...]
    """The decimal places that the question asks for."""
    percent: bool
    """Whether it speaks of percent."""
    whole: bool
    """Whether all numbers of the gold are whole."""
    own: frozenset[float]
    """The numbers of the question."""

    @classmethod
    def of(cls, golds: list[PrintedValue], question: str, margin: Margin) -> Exactness:
        places = tuple(int(found) for found in DECIMALS.findall(question))
        own = frozenset(value.number for value in values(clean(question)) if value.kind == 'number')
        whole = all(value.whole for value in golds if value.kind == 'number')
        return cls(replace(margin, noise=0.0), places, PERCENT.search(question) is not None, whole, own)

    def same(self, gold: PrintedValue, answer: PrintedValue) -> bool:
        """Whether two values are equal. A percentage is its number, and of a fraction the hundredth."""
        if gold.kind != 'number' or answer.kind != 'number':
            return (gold.kind, gold.text) == (answer.kind, answer.text)
        percent = answer.percent and not gold.percent
        if gold.whole and answer.whole and not percent and self.margin.absolute < 1 and not self.margin.own:
            return gold.exact == answer.exact
        fraction = percent and abs(gold.number) <= 1
        read = [answer.number] * (self.percent or not fraction) + [answer.number / 100] * fraction
        return any(self._near(gold, number) for number in read)

    def _near(self, gold: PrintedValue, said: float) -> bool:
        """Whether a number is the gold, within the margin or when it is rounded as the question asks."""
        counted = gold.whole and self.margin.absolute < 1
        if counted and not (self.margin.own and (self.whole or not said.is_integer())):
            return said == gold.number
        places = min((one for one in self.places if one >= gold.decimals), default=gold.decimals)
        rounds = not gold.whole and abs(said - gold.number) <= 0.5 * 10**-places * SLACK
        return rounds or self.margin.allows(gold.number, said)


def difference(gold: str, answer: str, margin: Margin, question: str = '') -> str:
    """Why an answer is not the gold; empty if it is."""
    named = any(line[1] for line in INDEX.finditer(answer))
    shown, said = clean(gold if named else INDEX.sub(lambda line: '' if line[1] else line[0], gold)), clean(answer)
    if not (golds := values(shown)):
        return '' if same_words(gold, answer) and (shown or not gold.strip()) else 'other words'
    if len(said) > LONGEST + LONGER * len(shown):
        return f'{len(said)} characters, the gold has {len(shown)}'
    asked = Exactness.of(golds, question, margin)
    patterns = (THOUSANDS, PLAIN) if GROUP.search(said) else (THOUSANDS,)
    problems = [_difference(golds, values(said, pattern), asked, question) for pattern in patterns]
    return '' if '' in problems else problems[0]


def _difference(golds: list[PrintedValue], answers: list[PrintedValue], asked: Exactness, question: str) -> str:
    # An answer may not choose among its labels: its keys are all labels or all values, and so are other free numbers.
    readings = ([replace(one, free=one.free if one.free > most else 0) for one in answers] for most in range(3))
    if chosen := next(filter(None, (_aligned(golds, one, asked) for one in readings)), None):
        numbers = {(gold.number, one.number) for gold, one in zip(golds, chosen, strict=True)}
        if any((other, one) in numbers for one, other in numbers if one != other):
            return 'values exchanged, though within the tolerance of each other'
        return other_labels(golds, chosen, question)
    if len(answers) != len(golds):
        return f'{len(answers)} values, the gold has {len(golds)}'
    wrong = next(pair for pair in zip(golds, answers, strict=True) if not asked.same(*pair))
    return f'{wrong[1]}, the gold has {wrong[0]}'


def _aligned(golds: list[PrintedValue], answers: list[PrintedValue], asked: Exactness) -> list[PrintedValue] | None:
    """The answer's values that match the gold's, in order, free ones only free ones; None if a gold value has no match,
    another is left over and not free, or there are labels alone, or over two labels a value and two more.
    """
    if len(answers) > len(golds) and all(one.free for one in answers):  # labels alone
        return None
    frees, states = 0, {0: ()}  # how many gold values are matched -> the matches, as a linked list from the last
    for value in answers:
        free = (value.free or (value.kind == 'number' and value.number in asked.own)) and frees < MOST_FREE
        frees += free
        further: dict[int, Any] = {}
        for place, chosen in states.items():
            if place < len(golds) and bool(golds[place].free) >= bool(value.free) and asked.same(golds[place], value):
                further.setdefault(place + 1, (chosen, value))
            if free:
                further.setdefault(place, chosen)
        states = further
    if len(golds) not in states or sum(value.number not in asked.own for value in answers) > 3 * len(golds) + 2:
        return None
    chosen, found = states[len(golds)], list[PrintedValue]()
    while chosen:
        chosen, value = chosen
        found.append(value)
    return found[::-1]


# Whether the words beside the values belong to them.


def other_labels(golds: list[PrintedValue], answers: list[PrintedValue], question: str) -> str:
    """Which label of an answer is wrong, by the rules 9 to 11; empty if none is."""
    if not any(gold.label for gold in golds):
        labels = [answer.label for answer in answers]
        return _exchanged(labels, question) or _exchanged(*translated(labels, question))
    every = dict.fromkeys(word for gold in golds for word in gold.label)
    known = '' if NAMED.search(question) else question.casefold()
    for gold, answer in zip(golds, answers, strict=True):
        said = ' '.join(answer.label)
        missing = _missing(gold.label, said)
        optional = gold.named and (question in ('', '?') or all(_places(word, known) for word in missing))
        if missing and not (optional and (not said or len(missing) < len(gold.label))):
            return f'{gold} is not under {missing[0][:40]}'
        if missing and (other := next((one for one in every if one not in gold.label and _places(one, said)), '')):
            return f'{gold} is under {other[:40]}'
    return ''


def _missing(label: tuple[str, ...], said: str) -> list[str]:
    """The words of a label that are not said after those before them."""
    missing, start = [], 0
    for word in label:
        places = _places(word, said[start:])
        start += places[0] + len(word) if places else 0
        missing += [] if places else [word]
    return missing


def _exchanged(labels: list[tuple[str, ...]], question: str) -> str:
    """A label that stands before another in the question and after it in the answer; empty if there is none."""
    asked = question[max((one.start() for one in ASKED.finditer(question)), default=len(question)) :].casefold()
    times = Counter(word for label in labels for word in {*label})
    latest, before = -1, ''
    for label in labels:
        places = [place for word in label if times[word] == 1 for place in _places(word, asked, begins=True)]
        if places and max(places) < latest:
            return f'{" ".join(label)[:40]} comes after {before[:40]}'
        if places and min(places) > latest:
            latest, before = min(places), ' '.join(label)
    return ''


def _places(word: str, text: str, begins: bool = False) -> list[int]:
    """Where a text has a word; with `begins`, also a longer one that begins so, or several whose initials it is."""
    if CJK_SIGN.match(word):
        pattern = f'(?<![不未])(?<!(?<![东西南北])非)(?<!(?<!有)无){re.escape(word)}'
    elif begins and len(word) >= SHORT:
        initials = r'\s'.join(rf'{re.escape(letter)}[\w-]*' for letter in LONG.get(word, word)[:SHORT_WORDS])
        pattern = rf'(?<!\w)(?:{re.escape(word)}|{initials}(?!\w))'
    else:
        pattern = rf'(?<!\w){re.escape(word)}(?!\w)'
    return [found.start() for found in re.finditer(pattern, text)]
