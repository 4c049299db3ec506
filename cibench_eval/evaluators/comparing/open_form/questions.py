"""What a step's question says about a free display: whether order counts, which numbers and units are the question's.

A question without words is not known and says nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from cibench_eval.evaluators.comparing import questions as asking
from cibench_eval.evaluators.comparing.numbers import clean, lex
from cibench_eval.evaluators.comparing.open_form.words import FALLING, FALLS, NEGATIONS, UNITS, named

SETS = re.compile(
    r'(?<!square )\broots\b|\bzeros of\b|\b(?:eigenvalues|(?:cluster )?cent(?:er|re)s|centroids)\b|'
    r'(?<![方词])根(?![据号均])|零点|特征值|聚类中心|簇中心',
    re.I,
)
"""Things without an order of their own."""
CHOICE = frozenset(('or', 'and', 'vs', 'versus', 'either', 'between', '或', '和', '与', '及', '、', '/'))
"""Words between the things that a question lets choose from."""
BESIDE = 6
"""Most words on either side of such a word that name these things."""
PROCESSED = re.compile(
    r'\b(?:stem|lemmati|lower-?case|upper-?case|punctuation|stop-?\s?words?|segment|clean|normali[sz]e|strip|revers|'
    r'decode|encode|decrypt|encrypt)|分词|词干|停用词|小写|大写|标点|清洗|反转|倒序|解码|加密|解密',
    re.I,
)
NUMBER = re.compile(r'(?<![\w.,-])[0-9][0-9,]*(?:\.[0-9]+)?%?(?![\w-]|[.,][0-9])', re.A)
LIMIT = re.compile(
    r'(?:[<>≤≥]=?|小于|大于|低于|高于|不足|超过|(?:less|more|fewer|greater|smaller|larger|lower|higher) than|'
    r'below|above|over|under|at (?:least|most)|至少|至多|'
    r'(?:alpha|α) ?=|at (?:the|a)|水平|阈值)\s{0,3}(?P<limit>[0-9]{0,9}\.?[0-9]{1,9}%?)(?![A-Za-z0-9_]|\.[0-9])',
    re.I,
)
"""A number that serves as a limit: `p < 0.05`, `at the 5% level`."""
AS_UNIT = re.compile(r'(?:\b(?:in|into|to)\s+|[(（以用])([^\W\d_]{1,20})', re.I)
BEHIND = re.compile(r'[0-9][ ]?([^\W\d_]{1,20})')


@dataclass(frozen=True)
class Question(asking.Question):
    """The text of a question, as free displays need it."""

    @property
    def of_set(self) -> bool:
        """Whether the question asks for things that have no order."""
        return bool(SETS.search(self.text)) and not self.order

    @cached_property
    def headings(self) -> frozenset[str]:
        """The words that an answer may repeat or leave out, without those that it has to choose from."""
        tokens = [str(token) for _, token in lex(clean(self.text))]
        places = [place for place, token in enumerate(tokens) if token in CHOICE]
        choices = {token for place in places for token in tokens[max(0, place - BESIDE) : place + BESIDE + 1]}
        return frozenset(word for word in self.words if not word[0].isdigit()) - choices - NEGATIONS

    @property
    def of_processed(self) -> bool:
        """Whether the question asks for a processed text, of which every word and mark counts."""
        return bool(PROCESSED.search(self.text))

    def without_numbers(self, answer: str, gold: str = '') -> str:
        """Drop numbers of the question from an answer, as often as the question has them, but not the gold's."""
        counts = Counter(found.replace(',', '') for found in NUMBER.findall(clean(self.text)))
        counts -= Counter(dict.fromkeys((found.replace(',', '') for found in NUMBER.findall(clean(gold))), len(answer)))
        pieces, end = [], len(answer)
        for found in reversed([*NUMBER.finditer(answer)] if counts else []):
            number = found.group().replace(',', '')
            if counts[number]:
                counts[number] -= 1
                pieces.append(answer[found.end() : end])
                end = found.start()
        return ' '.join([answer[:end], *reversed(pieces)])

    def repeated_by(self, answer: str) -> bool:
        """Whether an answer is a part of the question."""
        if len(answer) > 2 * len(self.text):
            return False
        shown = [str(token) for kind, token in lex(clean(answer)) if kind in ('word', 'value')]
        return len(shown) > 2 and f' {" ".join(shown)} ' in f' {" ".join(self.words)} '

    def other_unit(self, gold: str, answer: str) -> str:
        """The unit of an answer's value that is not the question's; empty for the same unit or none."""
        asked = {unit for word in AS_UNIT.findall(self.text) for unit in _unit(word)}
        if not asked or _units(gold):
            return ''
        kinds = {UNITS[unit] for unit in asked}
        return next((unit for unit in sorted(_units(answer) - asked) if UNITS[unit] in kinds), '')

    def signed(self, gold: str, answer: str) -> str:
        """Give values the sign that an answer says in words: `fell by 12.75%` is -12.75%."""
        return answer if FALLING.search(gold) or FALLING.search(self.text) else FALLS.sub(r'\g<0>-', answer)


def without_limits(answer: str) -> str:
    """Drop the numbers that serve as limits."""
    return LIMIT.sub(' ', answer)


def _units(text: str) -> set[str]:
    """The units that stand directly behind values."""
    return {unit for word in BEHIND.findall(clean(text)) for unit in _unit(word)}


def _unit(word: str) -> list[str]:
    """The unit that a word is or begins with, as a list; empty for other words."""
    return [unit for unit in named(str(token) for _, token in lex(word))[:1] if unit in UNITS]
