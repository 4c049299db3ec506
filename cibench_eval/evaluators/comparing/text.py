"""Prose: ROUGE-L F (Lin 2004) over words, Chinese characters and values, and whether all that counts is in it.

A Chinese character is a token of its own, as in LCSTS (Hu et al. 2015): that needs no dictionary, is the same on every
machine, and gives a word that is right in part its part. Values (see `numbers.py`) match within the tolerance,
whatever their format; punctuation and case are no tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cibench_eval.evaluators.comparing.numbers import TOLERANCE, Margin, Value, clean, equal, lex
from cibench_eval.evaluators.comparing.readings import said

Word = str | Value

ALMOST = 0.75
"""What a text is worth at most in which something is wrong: less than makes a step correct."""
AROUND = 0.1
"""What sentences around a right answer cost at most."""
LONGEST_LABEL = 12
"""Tokens before a colon that may be a label."""
SHORTEST = 3
"""Tokens from which what stands beside an answer is a sentence and no second answer."""
PARTS = 12
"""Sentences of an answer that are tried alone; one of more is taken whole."""
PART = re.compile(
    r'\n|(?<=[^0-9A-Z][.!?;])\s|(?<=[。！？；])|(?<=:)(?![0-9])|(?<= is)\s|(?<= are)\s|(?<= was)\s|(?<= were)\s'
)
LEADS = re.compile(r'(?::| is| are| was| were)\s*\Z')
"""How a label ends."""
FUNCTION = frozenset(
    re.findall(
        r'\S+', 'an the is are was were be been of in on at to by for with and or it its this that as 的 了 是 为 在'
    )
)
"""Words that may be missing."""
NEGATIONS = frozenset(
    re.findall(
        r'\S+',
        'not no never without none nor neither cannot fail fails failed isn aren wasn weren don doesn didn won can '
        'hasn haven hadn 不 没 无 未 非 否',
    )
) - {'can'}


def tokenize(text: str) -> list[Word]:
    """Words in lower case, Chinese characters and values, in order."""
    return [token for kind, token in lex(clean(text)) if kind in ('word', 'value')]


def rouge_l(gold: str, answer: str, tolerance: float = TOLERANCE) -> float:
    """F1 of the longest common subsequence of tokens: 2 × its length / (tokens of the gold + tokens of the answer).

    A gold output without any token (only punctuation) asks for itself: 1 for the same text, else 0.
    """
    golds, answers = tokenize(gold), tokenize(answer)
    if not golds:
        return float(gold.strip() == answer.strip())
    return 2 * common(golds, answers, tolerance) / (len(golds) + len(answers))


class Part(NamedTuple):
    """A sentence, a line, or a label with its colon."""

    tokens: list[Word]
    label: bool


def likeness(gold: str, answer: str, tolerance: float | Margin = TOLERANCE) -> float:
    """How far an answer says what the gold output says.

    ROUGE-L F of those sentences that say it best: a label before them costs nothing, other sentences around them
    little, as long as they are about something else. Where a number or a word other than function words is missing or
    stands elsewhere, or one of the two is negated, it is ALMOST at most.
    """
    gold, answer = said(gold), said(answer)
    golds = tokenize(gold)
    if not golds:
        return rouge_l(gold, answer)
    margin = Margin.of(tolerance)
    parts = _parts(answer)
    whole = [token for part in parts for token in part.tokens]
    score = 2 * common(golds, whole, margin) / (len(golds) + len(whole))
    right = [
        2 * common(golds, inside, margin) / (len(golds) + len(inside)) - AROUND * min(1.0, around / (len(golds) + 10))
        for inside, around in _cuts(parts, golds, margin)
        if _says_all(golds, inside, margin)
    ]
    return max([min(score, ALMOST), *right])


def _parts(answer: str) -> list[Part]:
    pieces = [piece for piece in PART.split(clean(answer)) if piece]
    made = [Part(tokenize(piece), bool(LEADS.search(piece))) for piece in pieces]
    return [part for part in made if part.tokens]


def _cuts(parts: list[Part], golds: list[Word], margin: Margin) -> Iterator[tuple[list[Word], int]]:
    """The tokens of successive parts, and how many tokens that cost there are around them."""
    whole = [token for part in parts for token in part.tokens]
    yield whole, 0
    if len(parts) > PARTS or len(whole) > 4 * len(golds) + 100 or not _says_all(golds, whole, margin, negated=False):
        return
    free = [_is_aside(part, golds, margin) for part in parts]
    for start in range(len(parts)):
        for end in range(start + 1, len(parts) + 1):
            outside = [place for place in range(len(parts)) if not start <= place < end]
            if outside and all(free[place] for place in outside):
                around = sum(len(parts[place].tokens) for place in outside if not parts[place].label)
                yield [token for part in parts[start:end] for token in part.tokens], around


def _is_aside(part: Part, golds: list[Word], margin: Margin) -> bool:
    """Whether a part may stand beside an answer: a label, or a sentence that is no answer itself."""
    if any(token in NEGATIONS for token in part.tokens):
        return False
    if part.label and len(part.tokens) <= LONGEST_LABEL:
        return True
    shared = 2 * common(golds, part.tokens, margin) / (len(golds) + len(part.tokens))
    return len(part.tokens) >= SHORTEST and shared < 0.5


def _says_all(golds: list[Word], answers: list[Word], margin: Margin, negated: bool = True) -> bool:
    """Whether everything that counts is there, in its order, and `negated` as often."""
    counts = [token for token in golds if token not in FUNCTION]
    times, other = (sum(token in NEGATIONS for token in tokens) for tokens in (golds, answers))
    return (times == other or not negated) and common(counts, answers, margin) == len(counts)


def common(golds: Sequence[Word], answers: Sequence[Word], tolerance: float | Margin) -> int:
    """Length of the longest common subsequence.

    Bit-parallel (Hyyrö 2004): bit i of `state` is 0 where the sequence grows at token i of the gold, so that the time
    is that of `len(answers)` additions of `len(golds)` bits, and any rule may say which tokens match.
    """
    places, margin = _places(golds), Margin.of(tolerance)
    matches: dict[Word, int] = {}
    state = full = (1 << len(golds)) - 1
    for token in answers:
        if token not in matches:
            matches[token] = _matching(token, places, margin)
        grown = state & matches[token]
        state = ((state + grown) | (state - grown)) & full
    return len(golds) - state.bit_count()


def _places(golds: Sequence[Word]) -> dict[Word, int]:
    """Token of the gold -> where it stands, as bits."""
    places: dict[Word, int] = {}
    for place, token in enumerate(golds):
        places[token] = places.get(token, 0) | 1 << place
    return places


def _matching(token: Word, places: dict[Word, int], margin: Margin) -> int:
    """Where tokens of the gold stand that match the answer's `token`, as bits."""
    if isinstance(token, str):
        return places.get(token, 0)
    bits = 0
    for gold, those in places.items():
        if isinstance(gold, Value) and equal(gold, token, margin):
            bits |= those
    return bits
