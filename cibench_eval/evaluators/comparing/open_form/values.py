"""Whether an answer shows the gold's values, each where its name is.

Each value of the gold is paired with one of the answer's that equals it. The pairing is the one in which paired values
share the most words beside them; values without words are paired in order. Then the answer is wrong only if something
speaks against it: names that fit better another way round, another order where nothing is named, a value that is nearer
to what was asked.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.optimize import linear_sum_assignment

from cibench_eval.evaluators.comparing.numbers import SLACK, Margin
from cibench_eval.evaluators.comparing.open_form.reading import NONE, ShownValue, read, series
from cibench_eval.evaluators.comparing.open_form.units import MYRIADS, SIZES, unit_asked
from cibench_eval.evaluators.comparing.open_form.words import Words, in_order, words_of
from cibench_eval.evaluators.comparing.printed.compare import GROUP, LONGER, LONGEST, PERCENT
from cibench_eval.evaluators.comparing.printed.prose import same_words
from cibench_eval.evaluators.comparing.printed.values import PLAIN, THOUSANDS, PrintedValue, clean
from cibench_eval.evaluators.comparing.questions import asks_order
from cibench_eval.grouping import grouped

SENTENCE = re.compile(r'(?<=[.?!])\s+(?=\S)|(?<=[。？！])\s*(?=\S)')
NAMES_OF_NUMBERS = ('zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten')
NUMERALS = {name: str(number) for number, name in enumerate(NAMES_OF_NUMBERS)}
NUMERAL = re.compile(rf'\b(?:{"|".join(NUMERALS)})\b', re.I)
MOST_GOLDS, MOST = 300, 400
"""Most values of a gold and of an answer that are compared."""
UNNAMED, PER_GOLD, LEAST_BESIDE = 8, 4, 40
"""Most further values: beside a value that nothing names; for each of the gold's; where values are named."""
IMPOSSIBLE = 1e6
"""Cost of values that are not equal."""
NEAR, AFTER, SHARED, ASKED = 12.0, 8.0, 8.0, 4.0
"""What a word saves that stands beside both values, after one, beside all of the gold's, or in the question."""
PLACE, KEY = 2.0, 3.0
"""What it costs to stand at the other end of the text, and to be perhaps a key."""
TIED = 0.8
"""Largest cost of exchanging two values that are named alike."""
LEAST_DIGITS = 3
"""Fewest digits of an answer that is rounded more than the gold is."""


def difference(gold: str, answer: str, margin: Margin, question: str) -> str:
    """Why an answer is not the gold; empty if it is."""
    shown, said = clean(gold), clean(answer)
    golds = series(gold, read(shown, THOUSANDS))
    if not golds:
        return '' if same_words(gold, answer) else 'other words'
    if len(golds) > MOST_GOLDS or len(said) > LONGEST + LONGER * len(shown):
        return 'too long to be compared'
    if len(golds) == 1 and golds[0].value.whole and not any(map(str.isdecimal, said)):
        said = NUMERAL.sub(lambda found: NUMERALS[found[0].lower()], said)
    asked = _Question.of(question, margin)
    patterns = (THOUSANDS, PLAIN) if GROUP.search(said) else (THOUSANDS,)
    problems = [_Pairing(golds, read(said, pattern), asked).problem() for pattern in patterns]
    return '' if '' in problems else problems[0]


@dataclass(frozen=True)
class Equality:
    """What has to be known of a step to compare two values."""

    margin: Margin
    percent: bool
    """Whether the question speaks of percent."""
    unit: str
    """The unit that it asks for."""

    @classmethod
    def of(cls, question: str, margin: Margin) -> Equality:
        return cls(replace(margin, noise=0.0), PERCENT.search(question) is not None, unit_asked(question))

    def holds(self, gold: ShownValue, answer: ShownValue) -> bool:
        """Whether an answer's value is the gold's."""
        one, other = gold.value, answer.value
        if one.kind != 'number' or other.kind != 'number':
            return (one.kind, one.text) == (other.kind, other.text)
        wanted, shown = SIZES.get(gold.unit or self.unit), SIZES.get(answer.unit)
        if not wanted and shown and answer.unit in MYRIADS and self._scaled(one, other, shown[1]):
            return True
        if wanted and shown and wanted != shown:
            if wanted[0] == shown[0]:
                return self._scaled(one, other, shown[1] / wanted[1])
            if gold.unit:
                return False
        return self._same(one, other)

    def _scaled(self, gold: PrintedValue, answer: PrintedValue, factor: float) -> bool:
        number, places = answer.number * factor, max(0, round(answer.decimals - math.log10(factor)))
        whole = gold.whole and math.isclose(number, gold.number, rel_tol=1e-6)
        return whole or self._rounds(gold.number, gold.decimals, answer, number, places)

    def _same(self, gold: PrintedValue, answer: PrintedValue) -> bool:
        """In the answer's number, or its hundredth, or its hundredfold where one of the two is a percentage."""
        if gold.whole and not gold.percent and not self.margin.own:
            same = answer.exact == gold.exact if answer.whole else answer.number == gold.number
            return same and (self.percent or not answer.percent)
        own, said, places, decimals = gold.number, answer.number, gold.decimals, answer.decimals
        hundredth = self._rounds(own, places, answer, said / 100, decimals + 2)
        if answer.percent and not gold.percent and abs(own) <= 1:
            return hundredth
        hundredfold = self._rounds(own / 100, places + 2, answer, said, decimals)
        asked = self.percent and not gold.percent and not answer.percent
        return (
            self._rounds(own, places, answer, said, decimals)
            or (hundredfold and ((gold.percent and not answer.percent) or (asked and abs(said) <= 1 < abs(own))))
            or (hundredth and asked and abs(own) <= 1 < abs(said))
        )

    def _rounds(self, own: float, places: int, answer: PrintedValue, said: float, decimals: int) -> bool:
        """Whether the number with more decimals is the other when it is rounded."""
        if not (math.isfinite(own) and math.isfinite(said)):
            return own == said
        if self.margin.allows(own, said):
            return True
        digits = answer.text.lower().partition('e')[0].lstrip('+-').replace('.', '').lstrip('0')
        if decimals < places and len(digits) < LEAST_DIGITS:
            return False
        fewer = min(places, decimals)
        coarse = decimals < places or places > 0
        return coarse and fewer < 300 and abs(own - said) <= 0.5 * 10.0**-fewer * SLACK


@dataclass(frozen=True)
class _Question:
    """What a question tells."""

    equality: Equality
    words: Words
    """The words of the whole question."""
    last: Words
    """The words of its last sentence that asks."""
    numbers: frozenset[float]
    """The numbers that stand in it."""
    orders: tuple[list[str], ...] = ()
    """The words of each sentence, one by one; the last sentence first."""
    sorted: bool = False
    """Whether it asks for an order of values."""

    @classmethod
    def of(cls, question: str, margin: Margin) -> _Question:
        sentences = SENTENCE.split(question.strip())
        asking = [one for one in sentences if one.endswith(('?', '？'))] or sentences
        own = {one.value.number for one in read(clean(question), THOUSANDS) if one.value.kind == 'number'}
        orders = tuple(map(in_order, reversed(sentences)))
        words = words_of(question), words_of(asking[-1])
        return cls(Equality.of(question, margin), *words, frozenset(own), orders, asks_order(question))


class _Pairing:
    def __init__(self, golds: list[ShownValue], answers: list[ShownValue], asked: _Question) -> None:
        self.golds, self.asked, self.alone = golds, asked, len(golds) == 1
        names = [gold.name for gold in golds]
        self.shared = NONE if self.alone else frozenset.intersection(*names)
        self.names = names
        self.own = [name - self.shared for name in names]
        """The words that tell each value of the gold from the others."""
        self.answers = _on_one_side(answers, names[0] if self.alone else NONE.union(*self.own))

    def problem(self) -> str:
        """Why the answer's values are not the gold's; empty if they are."""
        if len(self.answers) > MOST:
            return f'{len(self.answers)} values'
        if len(self.answers) < len(self.golds):
            return f'{len(self.answers)} values, the gold has {len(self.golds)}'
        costs = self._costs
        missing = [gold.value for gold, row in zip(self.golds, costs, strict=True) if row.min() >= IMPOSSIBLE]
        if missing or costs[linear_sum_assignment(costs)].max() >= IMPOSSIBLE:
            return f'{", ".join(map(str, missing or [gold.value for gold in self.golds]))[:100]}: not there'
        checks = (self._exchanged, self._unordered, self._foreign, self._surplus, self._rival)
        return next(filter(None, (check() for check in checks)), '')

    @cached_property
    def _costs(self) -> np.ndarray:
        """What it costs to take an answer's value (column) for one of the gold's (row)."""
        costs = np.full((len(self.golds), len(self.answers)), IMPOSSIBLE)
        steps = [1 / max(1, len(those) - 1) for those in (self.golds, self.answers)]
        for row, gold in enumerate(self.golds):
            for column, answer in enumerate(self.answers):
                if self.asked.equality.holds(gold, answer):
                    costs[row, column] = self._cost(row, answer) + PLACE * abs(row * steps[0] - column * steps[1])
                    costs[row, column] -= 0.01 * column  # the last of several equal ones
        return costs

    def _cost(self, row: int, answer: ShownValue) -> float:
        own, near = self.own[row], answer.beside
        return (
            KEY * answer.free
            - NEAR * len(own & near)
            - AFTER * len((own - near) & answer.after)
            - SHARED * len(self.shared & answer.words)
            - ASKED * len(self.asked.last & answer.words)
        )

    @cached_property
    def places(self) -> list[int]:
        """For each value of the gold the place of its own in the answer; equals that are named alike stay in order."""
        costs, places = self._costs, linear_sum_assignment(self._costs)[1].tolist()
        for one in range(len(places)):
            for other in range(one + 1, len(places)):
                first, second = places[one], places[other]
                dearer = max(costs[one, second] - costs[one, first], costs[other, first] - costs[other, second])
                if first > second and dearer <= TIED:
                    places[one], places[other] = second, first
        return places

    @cached_property
    def chosen(self) -> list[ShownValue]:
        return [self.answers[place] for place in self.places]

    @cached_property
    def told(self) -> list[bool]:
        """Which values stand beside a word that only they have."""
        return [bool(own & answer.words) for own, answer in zip(self.own, self.chosen, strict=True)]

    @cached_property
    def others(self) -> list[int]:
        """Places of the answer's further values that the question does not have itself; keys if a key is the answer."""
        taken, keys = {*self.places}, self.alone and self.chosen[0].free > self.golds[0].free
        return [
            place
            for place, one in enumerate(self.answers)
            if not (place in taken or (one.free and not keys) or one.aside or one.value.number in self.asked.numbers)
        ]

    # What speaks against an answer.

    def _exchanged(self) -> str:
        """Values whose names fit better another way round."""
        if self.alone:
            return ''
        if self._as_asked is False:
            return 'not in the order of the question'
        fit = np.array([[_fits(own, answer) for own in self.own] for answer in self.chosen])
        rows, columns = linear_sum_assignment(-fit)
        if fit[rows, columns].sum() <= fit.trace():
            return ''
        for row, column in zip(rows, columns, strict=True):
            if row != column and fit[row, column] > fit[row, row]:
                return f'{self.chosen[row].value} is under {_listed(self.own[column] & self.chosen[row].words)}'
        return ''

    @cached_property
    def _as_asked(self) -> bool | None:
        """Whether values are named in the order of the question, for a gold without names; None if that is unknown.

        The last sentence that names them all decides.
        """
        if self.alone or any(self.names) or len({one.value.number for one in self.golds}) < len(self.golds):
            return None
        if self.asked.sorted or self.answers[max(self.places)].after:  # names stand behind their values
            return None
        words = [one.beside for one in self.chosen]
        own = [one.difference(*words[:at], *words[at + 1 :]) for at, one in enumerate(words)]
        for order in self.asked.orders:
            places = [[at for at, word in enumerate(order) if word in one] for one in own]
            if all(places) and all(max(one) < min(other) for one, other in pairwise(sorted(places))):
                return places == sorted(places)
        return None

    def _unordered(self) -> str:
        """Values without names in another order."""
        if self._as_asked:
            return ''
        unnamed = [place for place, told in zip(self.places, self.told, strict=True) if not told]
        return 'in another order' if unnamed != sorted(unnamed) else ''

    def _foreign(self) -> str:
        """A single value under a name that neither gold nor question has."""
        answer, name = self.chosen[0], self.names[0]
        languages = {word.isascii() for word in name} or {True}
        others = [word for word in answer.words if not word.isdecimal() and word.isascii() in languages]
        known = not name or (name | self.asked.words) & answer.words
        return f'{answer.value} is under {_listed(others)}' if self.alone and others and not known else ''

    def _surplus(self) -> str:
        """More further values than an answer has that shows how it came to its result."""
        named = not self.alone or (self.names[0] | self.asked.last) & self.chosen[0].words
        if len(self.others) > (max(LEAST_BESIDE, PER_GOLD * len(self.golds)) if named else UNNAMED):
            return f'{len(self.others)} further values'
        bare = not self.alone and not any(self.names) and not any(one.words for one in self.chosen)
        more = bare and any(not self.answers[place].words for place in self.others)
        return f'{len(self.others)} further values' if more else ''

    def _rival(self) -> str:
        """Another value that is nearer to what is asked, or as near and later."""
        for row, (answer, place) in enumerate(zip(self.chosen, self.places, strict=True)):
            for other in self.others:
                rival = self.answers[other]
                known = rival.value.kind != answer.value.kind or self.asked.equality.holds(self.golds[row], rival)
                if known:
                    continue
                if problem := self._nearer(row, answer, rival, later=other > place):
                    return problem
        return ''

    def _nearer(self, row: int, answer: ShownValue, rival: ShownValue, *, later: bool) -> str:
        if not self.alone:
            same = self.own[row] and self.own[row] <= rival.words and rival.words >= answer.words
            return f'{rival.value} is under the same words' if same and rival.above == answer.above else ''
        gold = self.golds[0].value
        if (rival.value.whole and not gold.whole) or (rival.value.percent and gold.whole and not gold.percent):
            return ''
        wanted = self.names[0] | self.asked.last
        mine, its = len(wanted & answer.words), len(wanted & rival.words)
        if its > mine:
            return f'{rival.value} is nearer to what is asked'
        apart = any(not word.isdecimal() for word in answer.words - rival.words)
        return f'{rival.value} comes later' if later and not apart else ''


def _on_one_side(answers: list[ShownValue], names: Words) -> list[ShownValue]:
    """An answer's values without the words of their neighbours, where a line has names on one side of values alone."""
    found = list[ShownValue]()
    for row in grouped(answers, lambda one: one.line).values():
        before, after = names & row[0].before, names & row[-1].after
        if after and not before and not any(names & one.above for one in row):
            found += [replace(one, before=NONE) for one in row]
        else:
            found += [replace(one, after=NONE) for one in row] if before and not after else row
    return found


def _fits(name: Words, answer: ShownValue) -> float:
    return len(name & answer.beside) + 0.5 * len((name - answer.beside) & answer.after)


def _listed(words: list[str] | Words) -> str:
    return ', '.join(sorted(words))[:60]
